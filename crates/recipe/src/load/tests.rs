use std::time::Duration;

use super::*;
use crate::recipe::{Binding, Max, Node, Step, StepKind};
use crate::{Access, Datum};

fn load_text(text: &str, strictness: Strictness) -> Result<Loaded, Vec<Problem>> {
    load(&Source { name: "test.yaml".to_owned(), text: text.to_owned() }, strictness, &[])
}

/// A recipe with these steps and a few variables.
fn with_steps(steps: &str) -> String {
    format!("name: test\ncontext:\n  a: text\n  n: 1\n  settings_like: null\nsteps:\n{steps}")
}

fn loaded(text: &str) -> Recipe {
    load_text(text, Strictness::Strict).expect(text).recipe
}

fn steps_of(steps: &str) -> Vec<Step> {
    loaded(&with_steps(steps)).all_steps().cloned().collect()
}

/// The recipe is refused with exactly these problems: kind, text at the place, message, remedy.
fn check_refused(text: &str, expected: &[(ProblemKind, &str, &str, Option<&str>)]) {
    let problems = load_text(text, Strictness::Strict).expect_err(text);
    let found: Vec<_> = problems
        .iter()
        .map(|problem| {
            let span = problem.span.clone().expect("a place");
            (problem.kind, &text[span], problem.message.as_str(), problem.remedy.as_deref())
        })
        .collect();
    assert_eq!(found, expected, "{text}");
}

fn check_steps_refused(steps: &str, kind: ProblemKind, at: &str, message: &str, remedy: &str) {
    let remedy = (!remedy.is_empty()).then_some(remedy);
    check_refused(&with_steps(steps), &[(kind, at, message, remedy)]);
}

#[test]
fn every_key_of_a_step_is_read() {
    let steps = steps_of(
        "  - id: ask\n    agent: summarizer\n    model: small\n    prompt: 'say {{a}}'\n    condition: n > 0\n    \
         output: said\n    parse_json: true\n    working_dir: '{{a}}'\n    timeout: 60\n    access: write\n    \
         continue_on_error: true\n    env: {A: 'x {{n}}'}\n    parallel_group: g\n\
         \x20 - id: sh\n    command: echo {{said}}\n    timeout: 1800\n    access: read-only\n\
         \x20 - id: sub\n    recipe: other\n    context: {x: '{{n}}', y: [1, 2], z: 3}\n\
         \x20 - id: tally\n    uses: merge-ballots\n    with: {threshold: '{{n}}'}\n",
    );
    let [ask, sh, sub, tally] = steps.as_slice() else { panic!("{steps:?}") };
    assert!(matches!(&ask.kind, StepKind::Agent { agent, model: Some(model), .. }
        if agent == "summarizer" && model == "small"));
    assert_eq!(ask.condition.as_ref().map(crate::Expr::text), Some("n > 0"));
    assert_eq!(ask.output.as_deref(), Some("said"));
    assert!(ask.parse_json && ask.continue_on_error && ask.working_dir.is_some());
    assert_eq!(ask.timeout, Some(Duration::from_secs(60)));
    assert_eq!((ask.access, ask.parallel_group.as_deref()), (Some(Access::Write), Some("g")));
    assert_eq!(ask.env.len(), 1);
    assert!(matches!(&sh.kind, StepKind::Bash { script } if script.source() == "echo {{said}}"));
    let StepKind::Recipe { name, context } = &sub.kind else { panic!("{sub:?}") };
    assert_eq!(name, "other");
    assert!(matches!(&context[0], (name, Binding::Template(_)) if name == "x"));
    assert!(matches!(&context[2], (_, Binding::Literal(Datum::Int(3)))));
    assert!(
        matches!(&tally.kind, StepKind::Uses { name, with } if name == "merge-ballots" && with.len() == 1)
    );
}

#[test]
fn the_type_of_a_step_is_what_its_keys_show() {
    for (keys, expected) in [
        ("command: ls", "bash"),
        ("type: bash\n    command: ls", "bash"),
        ("agent: x\n    prompt: y", "agent"),
        ("type: agent\n    agent: x\n    prompt: y", "agent"),
        ("recipe: r", "recipe"),
        ("uses: decide", "uses"),
    ] {
        let kind = match &steps_of(&format!("  - id: s\n    {keys}\n"))[0].kind {
            StepKind::Agent { .. } => "agent",
            StepKind::Bash { .. } => "bash",
            StepKind::Recipe { .. } => "recipe",
            StepKind::Uses { .. } => "uses",
        };
        assert_eq!(kind, expected, "{keys}");
    }
}

#[test]
fn who_may_write() {
    for (keys, expected) in [
        ("agent: fixer\n    prompt: p", true),
        ("agent: worker\n    prompt: p", true),
        ("agent: seeker\n    prompt: p", false),
        ("agent: seeker\n    prompt: p\n    access: write", true),
        ("agent: fixer\n    prompt: p\n    access: read-only", false),
        ("command: ls", true),
        ("command: ls\n    access: read-only", false),
        ("recipe: r", true),
        ("uses: decide", false),
    ] {
        assert_eq!(
            steps_of(&format!("  - id: s\n    {keys}\n"))[0].may_write(),
            expected,
            "{keys}"
        );
    }
}

#[test]
fn a_recipe_without_more_has_the_defaults() {
    let recipe = loaded("name: r\nsteps:\n  - id: s\n    command: ls\n");
    assert_eq!((recipe.version.as_str(), recipe.machine), ("1.0.0", MachineKind::Plan));
    assert_eq!(recipe.recursion, Recursion { max_depth: 6, max_total_steps: 200 });
    assert!(recipe.context.is_empty() && recipe.output.is_none() && recipe.tags.is_empty());
}

#[test]
fn a_version_is_kept_as_it_is_written() {
    for (written, expected) in
        [("1.10", "1.10"), ("\"4.0.0\"", "4.0.0"), ("2", "2"), ("1.0.0", "1.0.0")]
    {
        let text = format!("name: r\nversion: {written}\nsteps:\n  - id: s\n    command: ls\n");
        assert_eq!(loaded(&text).version, expected);
    }
}

#[test]
fn the_context_keeps_order_kinds_and_comments() {
    let recipe = loaded(
        "name: r\ncontext:\n  b: 1 # how many\n  a: [x, {y: z}]\n  c: no # a text\n  d: 007\n\
         steps:\n  - id: s\n    command: ls\n",
    );
    let found: Vec<_> = recipe
        .context
        .iter()
        .map(|v| (v.name.as_str(), v.default.to_json(), v.comment.as_deref()))
        .collect();
    assert_eq!(
        found,
        [
            ("b", "1".to_owned(), Some("how many")),
            ("a", r#"["x",{"y":"z"}]"#.to_owned(), None),
            ("c", r#""no""#.to_owned(), Some("a text")),
            ("d", r#""007""#.to_owned(), None),
        ]
    );
}

#[test]
fn a_repeated_group_holds_steps() {
    let recipe = loaded(&with_steps(
        "  - id: again\n    condition: n\n    repeat:\n      until: done['ok']\n      max: setting.fix_attempts\n      \
         steps:\n        - id: one\n          command: ls\n          output: done\n          parse_json: true\n\
         \x20 - id: thrice\n    repeat: {until: 'n == 1', max: 3, steps: [{id: two, command: ls}]}\n",
    ));
    let [Node::Repeat(again), Node::Repeat(thrice)] = recipe.steps.as_slice() else { panic!() };
    assert_eq!(again.max, Max::Setting("fix_attempts".to_owned()));
    assert_eq!(thrice.max, Max::Times(3));
    let ids: Vec<_> = recipe.all_steps().map(|step| step.id.as_str()).collect();
    assert_eq!(ids, ["one", "two"]);
}

#[test]
fn a_repeated_group_without_an_end_is_refused() {
    let text = with_steps(
        "  - id: again\n    repeat:\n      steps:\n        - id: one\n          command: ls\n",
    );
    check_refused(
        &text,
        &[
            (ProblemKind::Missing, "steps", "the key `until` is missing", None),
            (ProblemKind::Missing, "steps", "the key `max` is missing", None),
        ],
    );
    check_steps_refused(
        "  - id: again\n    repeat: {until: n, max: 0, steps: [{id: one, command: ls}]}\n",
        ProblemKind::Value,
        "0",
        "`max` is a whole number from 1, found `0`",
        "",
    );
    check_steps_refused(
        "  - id: again\n    repeat: {until: n, max: setting.fix_attempt, steps: [{id: one, command: ls}]}\n",
        ProblemKind::UndeclaredName,
        "setting.fix_attempt",
        "nothing declares `setting.fix_attempt`",
        "did you mean `setting.fix_attempts`?",
    );
}

/// RE-15: the wanted behaviour exists under its own name (D36).
#[test]
fn an_unknown_key_is_refused_with_the_one_that_was_meant() {
    for (key, remedy) in [
        ("on_error: continue", "did you mean `continue_on_error`?"),
        ("timout: 5", "did you mean `timeout`?"),
        ("sub_context: {}", "did you mean `context`?"),
        (
            "depends_on: x",
            "there are id, type, agent, prompt, model, command, recipe, context, uses, with, condition, output, parse_json, working_dir, timeout, parallel_group, continue_on_error, access, env, repeat",
        ),
    ] {
        let name = key.split(':').next().expect("a key");
        let message = format!("unknown key `{name}` in a step");
        check_steps_refused(
            &format!("  - id: s\n    command: ls\n    {key}\n"),
            ProblemKind::UnknownKey,
            name,
            &message,
            remedy,
        );
    }
}

#[test]
fn what_is_not_supported_is_named() {
    for key in ["extends: base", "hooks: {}", "inputs: {}", "context_validation: {}", "slots: {}"] {
        let name = key.split(':').next().expect("a key");
        let text = format!("name: r\n{key}\nsteps:\n  - id: s\n    command: ls\n");
        let message = format!("`{name}` is not supported yet");
        check_refused(&text, &[(ProblemKind::Unsupported, name, message.as_str(), None)]);
    }
    for key in ["when_tags: [x]", "stdin: x", "retry: 2", "for_each: x"] {
        let name = key.split(':').next().expect("a key");
        let message = format!("`{name}` is not supported yet");
        let step = format!("  - id: s\n    command: ls\n    {key}\n");
        check_steps_refused(&step, ProblemKind::Unsupported, name, &message, "");
    }
    let text = "name: r\nmachine: goal\nsteps:\n  - id: s\n    command: ls\n";
    let message = "the machine `goal` is not supported yet";
    check_refused(text, &[(ProblemKind::Unsupported, "goal", message, None)]);
}

#[test]
fn lenient_makes_unknown_and_unsupported_keys_into_warnings() {
    let text = "name: r\nextends: base\nowner: me\nsteps:\n  - id: s\n    command: ls\n    mode: x\n    depends_on: y\n";
    let loaded = load_text(text, Strictness::Lenient).expect("warnings alone");
    let kinds: Vec<_> = loaded.warnings.iter().map(|problem| problem.kind).collect();
    use ProblemKind::{UnknownKey, Unsupported};
    assert_eq!(kinds, [Unsupported, UnknownKey, Unsupported, UnknownKey]);
    load_text(&text.replace("command: ls", "command: 5"), Strictness::Lenient)
        .expect_err("a real fault");
}

/// RE-11.
#[test]
fn a_key_given_twice_is_refused_at_its_second_place() {
    let text = "name: r\nsteps:\n  - id: s\n    type: bash\n    command: echo new\n    timeout: 1800\n    command: echo old\n";
    let problems = load_text(text, Strictness::Strict).expect_err("a duplicate key");
    let [problem] = problems.as_slice() else { panic!("{problems:?}") };
    let place = problem.span.clone().expect("a place").start;
    assert_eq!(problem.message, "duplicate key `command`");
    assert_eq!(text[..place].matches('\n').count() + 1, 7);
}

#[test]
fn all_faults_come_at_once_in_the_order_of_the_text() {
    let text = "nam: r\ncontext:\n  9lives: 1\nsteps:\n  - id: s\n    command: [x]\n    parse_json: yes\n  - id: t\n    agent: x\n    condition: 'a =='\n    prompt: '{{nothing}}'\n";
    let problems = load_text(text, Strictness::Strict).expect_err("many faults");
    let found: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "unknown key `nam` in a recipe (did you mean `name`?)",
            "the key `name` is missing",
            "a name is letters, digits and `_`, and begins with no digit",
            "step `s`: `command` is text, found a list",
            "step `s`: `parse_json` is true or false, found the text `yes` (write true or false, without quotes)",
            "step `t`: `condition`: expected a value, found the end",
            "step `t`: nothing declares `nothing` (declare it under `context:`, or as the `output:` of a step)",
        ]
    );
}

/// RE-10: words that only look like booleans are no booleans.
#[test]
fn booleans_are_true_and_false_alone() {
    for (written, fits) in [
        ("true", true),
        ("false", true),
        ("False", true),
        ("no", false),
        ("\"false\"", false),
        ("\"0\"", false),
        ("maybe", false),
        ("1", false),
    ] {
        let text = with_steps(&format!("  - id: s\n    command: ls\n    parse_json: {written}\n"));
        assert_eq!(load_text(&text, Strictness::Strict).is_ok(), fits, "{written}");
    }
}

#[test]
fn a_name_that_nothing_declares_is_refused_wherever_it_stands() {
    for (step, at) in [
        ("command: echo {{outptu}}", "{{outptu}}"),
        ("command: ls\n    condition: a and outptu > 1", "outptu"),
        ("command: ls\n    working_dir: 'x/{{outptu}}'", "{{outptu}}"),
        ("command: ls\n    env: {X: '{{outptu.y}}'}", "{{outptu.y}}"),
        ("agent: x\n    prompt: |\n      one\n        two {{outptu}}", "{{outptu}}"),
        ("uses: decide\n    with: {x: '{{outptu}}'}", "{{outptu}}"),
        ("recipe: x\n    context: {x: '{{outptu}}'}", "{{outptu}}"),
    ] {
        check_steps_refused(
            &format!("  - id: s\n    {step}\n  - id: last\n    command: ls\n    output: output\n"),
            ProblemKind::UndeclaredName,
            at,
            "nothing declares `outptu`",
            "did you mean `output`?",
        );
    }
}

#[test]
fn declared_are_the_context_all_outputs_the_settings_and_what_native_steps_set() {
    steps_of(
        "  - id: s\n    command: echo {{a}} {{later}} {{setting.no_fix}} {{run_figures.x}}\n    \
         condition: not setting.fix_attempts and cycle_number\n\
         \x20 - id: d\n    uses: decide\n    output: later\n  - id: r\n    uses: recurse\n",
    );
}

#[test]
fn a_second_writer_of_an_owned_output_is_refused() {
    for (owner, word) in [
        ("uses: merge-ballots", "uses: merge-ballots"),
        ("agent: seeker\n    prompt: p", "agent: seeker"),
        ("agent: validator\n    prompt: p", "agent: validator"),
        ("agent: fixer\n    prompt: p", "agent: fixer"),
    ] {
        let other = "  - id: other\n    command: ls\n    output: validated_findings\n";
        let owned = format!("  - id: owner\n    {owner}\n    output: validated_findings\n");
        let message = format!("`validated_findings` belongs to the step `owner` ({word})");
        for steps in [format!("{owned}{other}"), format!("{other}{owned}")] {
            let text = with_steps(&steps);
            let problems = load_text(&text, Strictness::Strict).expect_err(&text);
            let [problem] = problems.as_slice() else { panic!("{problems:?}") };
            assert_eq!((problem.kind, &problem.message), (ProblemKind::Ownership, &message));
            assert_eq!(problem.step.as_deref(), Some("other"));
            let line = text[..problem.span.clone().expect("a place").start].rsplit('\n').next();
            assert_eq!(line, Some("    output: "));
        }
    }
}

#[test]
fn what_a_native_step_sets_beside_its_output_belongs_to_it_too() {
    check_steps_refused(
        "  - id: d\n    uses: decide\n  - id: liar\n    command: ls\n    output: run_figures\n",
        ProblemKind::Ownership,
        "run_figures",
        "`run_figures` belongs to the step `d` (uses: decide)",
        "keep the result under another name",
    );
}

#[test]
fn outputs_of_plain_steps_may_be_written_again() {
    steps_of(
        "  - id: a\n    command: ls\n    output: x\n  - id: b\n    command: ls\n    output: x\n",
    );
}

#[test]
fn two_steps_with_one_id_are_refused_inside_groups_too() {
    check_steps_refused(
        "  - id: one\n    command: ls\n  - id: g\n    repeat: {until: n, max: 2, steps: [{id: one, command: ls}]}\n",
        ProblemKind::DuplicateId,
        "one",
        "two steps have the id `one`",
        "",
    );
}

#[test]
fn two_steps_that_may_write_do_not_run_at_once() {
    let step = |id: &str, rest: &str| format!("  - id: {id}\n    parallel_group: g\n    {rest}\n");
    let (bash, reader) = ("command: ls", "command: ls\n    access: read-only");
    let fixer = "agent: fixer\n    prompt: p";
    for (first, second) in [(bash, bash), (bash, fixer), (fixer, fixer)] {
        check_steps_refused(
            &(step("a", first) + &step("b", second)),
            ProblemKind::ParallelGroup,
            "g",
            "`a` and `b` may both change files, and run at once in the group `g`",
            "add `access: read-only` to the one that changes none",
        );
    }
    steps_of(
        &(step("a", bash) + &step("b", reader) + &step("c", "agent: validator\n    prompt: p")),
    );
}

#[test]
fn members_of_a_group_do_not_see_what_the_others_give() {
    check_steps_refused(
        "  - id: a\n    parallel_group: g\n    agent: seeker\n    prompt: p\n    output: x\n\
         \x20 - id: b\n    parallel_group: g\n    agent: seeker\n    prompt: 'see {{x}}'\n",
        ProblemKind::ParallelGroup,
        "{{x}}",
        "`x` is what `a` gives, which runs at the same time in the group `g`",
        "",
    );
}

fn check_warning(steps: &str, kind: ProblemKind, at: &str) {
    let text = with_steps(steps);
    let warnings = load_text(&text, Strictness::Strict).expect("warnings alone").warnings;
    let found: Vec<_> =
        warnings.iter().map(|w| (w.kind, &text[w.span.clone().expect("a place")])).collect();
    assert_eq!(found, [(kind, at)], "{steps}");
}

#[test]
fn oddities_are_warnings_with_their_place() {
    check_warning(
        "  - id: s\n    command: ls\n    timeout: 1799\n",
        ProblemKind::ShortTimeout,
        "1799",
    );
    check_warning("  - id: s\n    command: echo '{{ a }}'\n", ProblemKind::StrayBraces, "{{");
    check_warning(
        "  - id: s\n    agent: x\n    prompt: |\n      a {{b-c}}\n",
        ProblemKind::StrayBraces,
        "{{",
    );
    let group = |id, group| {
        format!("  - id: {id}\n    agent: x\n    prompt: p\n    parallel_group: {group}\n")
    };
    let steps = group("a", "g") + &group("b", "h") + &group("c", "g");
    check_warning(&steps, ProblemKind::ParallelGroup, "g");
}

#[test]
fn a_step_with_keys_of_another_kind_is_refused() {
    check_steps_refused(
        "  - id: s\n    command: ls\n    prompt: p\n    type: bash\n",
        ProblemKind::Misplaced,
        "prompt",
        "`prompt` does nothing in a step of type bash",
        "it belongs to type agent",
    );
}

#[test]
fn what_a_step_needs_and_does_not_have_is_named() {
    for (keys, missing) in [
        ("agent: x", "prompt"),
        ("type: agent\n    prompt: x", "agent"),
        ("type: bash", "command"),
        ("type: recipe", "recipe"),
    ] {
        let message = format!("the key `{missing}` is missing");
        let step = format!("  - id: s\n    {keys}\n");
        check_steps_refused(&step, ProblemKind::Missing, "id", &message, "");
    }
}

#[test]
fn a_step_of_others_is_refused_by_name() {
    check_steps_refused(
        "  - id: s\n    uses: merge-ballot\n",
        ProblemKind::Unsupported,
        "merge-ballot",
        "there is no native step `merge-ballot`, and contributed steps are not supported yet",
        "did you mean `merge-ballots`?",
    );
}

#[test]
fn a_token_that_cannot_be_bound_is_refused_at_its_place() {
    check_steps_refused(
        "  - id: s\n    command: |\n      echo ok\n      echo $(( {{n}} + 1 ))\n",
        ProblemKind::ShellContext,
        "{{n}}",
        "arithmetic would run a value as code",
        "use `expr {{…}} + 1` or `[ {{…}} -gt 1 ]`, which take a value as data",
    );
}

#[test]
fn what_is_no_recipe_is_refused() {
    for text in [
        "",
        "[]",
        "text",
        "name: r\n",
        "name: r\nsteps: []\n",
        "name: r\nsteps: [1]\n",
        "name: ''\nsteps: [{id: s, command: ls}]\n",
    ] {
        load_text(text, Strictness::Lenient).expect_err(text);
    }
}

/// RE-12.
#[test]
fn a_bomb_of_aliases_is_refused() {
    let mut bomb = String::from("a0: &a0 [x, x]\n");
    for i in 1..30 {
        bomb.push_str(&format!("a{i}: &a{i} [*a{0}, *a{0}]\n", i - 1));
    }
    bomb.push_str("steps: *a29\n");
    let problems = load_text(&bomb, Strictness::Strict).expect_err("a bomb");
    assert_eq!(problems[0].kind, ProblemKind::Syntax);
}

/// CL-03: refused, with the name that was meant (the case allows a warning; D36 is strict).
#[test]
fn what_may_be_set_from_outside() {
    let recipe = loaded(&with_steps(
        "  - id: s\n    command: ls\n    output: result\n  - id: d\n    uses: decide\n  - id: r\n    uses: recurse\n",
    ));
    let message =
        |name: &str| recipe.settable(name).map(|v| v.name.clone()).map_err(|e| e.to_string());
    assert_eq!(message("a"), Ok("a".to_owned()));
    for managed in ["result", "run_figures", "cycle_number"] {
        assert_eq!(message(managed), Err(format!("`{managed}` is managed by the loop")));
    }
    assert_eq!(
        message("setting_like"),
        Err("unknown key `setting_like`, did you mean `settings_like`?".to_owned())
    );
    assert_eq!(message("zzz"), Err("unknown key `zzz`".to_owned()));
}

#[test]
fn a_step_that_the_calling_program_adds_can_be_used() {
    let text = "name: r\nsteps:\n  - {id: a, uses: count-words, output: words}\n";
    let source = Source { name: "test.yaml".to_owned(), text: text.to_owned() };
    assert!(load(&source, Strictness::Strict, &["count-words"]).is_ok());
    let problems = load(&source, Strictness::Strict, &["count-wards"]).expect_err("unknown");
    assert_eq!(problems[0].remedy.as_deref(), Some("did you mean `count-wards`?"));
}
