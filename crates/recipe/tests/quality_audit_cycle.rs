//! The recipe that is compiled in: what seed 000 and D19 say of it.

use tribunal_recipe::{
    Access, Datum, Fields, Loaded, Max, Node, Output, Part, Recipe, Source, Step, StepKind,
    Strictness, Template, load,
};

fn recipe() -> Recipe {
    let text = include_str!("../../../recipes/quality-audit-cycle.yaml").to_owned();
    let source = Source { name: "quality-audit-cycle".to_owned(), text };
    let Loaded { recipe, warnings } = load(&source, Strictness::Strict, &[]).expect("it loads");
    assert_eq!(warnings, []);
    recipe
}

fn step(id: &str) -> Step {
    recipe().all_steps().find(|step| step.id == id).cloned().expect(id)
}

fn prompt(id: &str) -> Template {
    match step(id).kind {
        StepKind::Agent { prompt, .. } => prompt,
        other => panic!("{id} is no agent step: {other:?}"),
    }
}

/// The prompt as a runner renders it, each value as `<name>`.
fn rendered(id: &str) -> String {
    let mut text = String::new();
    for part in prompt(id).parts() {
        match part {
            Part::Text(piece) => text.push_str(piece),
            Part::Token { path, .. } => text.push_str(&format!("<{path}>")),
        }
    }
    text
}

#[test]
fn steps_come_in_the_order_of_the_seed_with_its_outputs() {
    let recipe = recipe();
    assert_eq!((recipe.name.as_str(), recipe.version.as_str()), ("quality-audit-cycle", "4.0.0"));
    let found: Vec<_> = recipe
        .all_steps()
        .map(|step| {
            let does = match &step.kind {
                StepKind::Agent { agent, .. } => agent.as_str(),
                StepKind::Uses { name, .. } => name.as_str(),
                other => panic!("neither a role nor a rule: {other:?}"),
            };
            (step.id.as_str(), does, step.output.as_deref().expect("each has an output"))
        })
        .collect();
    assert_eq!(
        found,
        [
            ("seek", "seeker", "audit_findings"),
            ("validate-agent-1", "validator", "validation_agent_1"),
            ("validate-agent-2", "validator", "validation_agent_2"),
            ("validate-agent-3", "validator", "validation_agent_3"),
            ("merge-validations", "merge-ballots", "validated_findings"),
            ("fix", "fixer", "fix_results"),
            ("verify-fixes", "verify-fixes", "fix_verification"),
            ("accumulate-history", "accumulate-history", "cycle_history"),
            ("recurse-decision", "decide", "recurse_decision"),
            ("run-recursive-cycle", "recurse", "final_report"),
            ("summary", "summarizer", "summary"),
            ("self-improvement", "summarizer", "self_improvement_results"),
        ]
    );
}

#[test]
fn fix_and_verify_are_done_again_until_the_judgement_passes() {
    let recipe = recipe();
    let repeat = recipe.steps.iter().find_map(|node| match node {
        Node::Repeat(repeat) => Some(repeat),
        Node::Step(_) => None,
    });
    let repeat = repeat.expect("one group is repeated");
    assert_eq!(repeat.id, "fix-until-verified");
    assert_eq!(repeat.until.text(), "fix_verification['passed']");
    assert_eq!(repeat.max, Max::Setting("fix_attempts".to_owned()));
    let ids: Vec<_> = repeat.steps.iter().map(|step| step.id.as_str()).collect();
    assert_eq!(ids, ["fix", "verify-fixes"]);
}

#[test]
fn the_context_is_the_thirteen_variables_and_what_the_decision_sets() {
    let recipe = recipe();
    let found: Vec<_> =
        recipe.context.iter().map(|v| (v.name.as_str(), v.default.to_json())).collect();
    let expected = [
        ("task_description", "null"),
        ("repo_path", "\".\""),
        ("target_path", "\".\""),
        ("min_cycles", "3"),
        ("max_cycles", "6"),
        ("validation_threshold", "2"),
        ("severity_threshold", "\"medium\""),
        ("module_loc_limit", "300"),
        ("fix_all_per_cycle", "true"),
        ("categories", "\"\""),
        ("output_dir", "\"./eval_results/quality_audit\""),
        ("cycle_number", "1"),
        ("cycle_history", "null"),
        ("run_figures", "null"),
        ("run_findings", "null"),
    ];
    assert_eq!(found, expected.map(|(name, value)| (name, value.to_owned())));
    for (number, (name, _)) in expected.iter().enumerate() {
        assert_eq!(recipe.settable(name).is_ok(), number < 11, "{name}");
    }
    for internal in ["audit_findings", "fix_results", "summary", "recurse_decision"] {
        let error = recipe.settable(internal).expect_err(internal).to_string();
        assert_eq!(error, format!("`{internal}` is managed by the loop"));
    }
    let error = recipe.settable("max_cycle").expect_err("a slip").to_string();
    assert_eq!(error, "unknown key `max_cycle`, did you mean `max_cycles`?");
    assert!(recipe.context.iter().all(|variable| variable.comment.is_some()));
}

fn condition(id: &str, context: &str) -> bool {
    let scope: Fields = Datum::from_json(context).expect(context).as_map().expect(context).clone();
    let condition = step(id).condition.expect(id);
    condition.condition(&scope).unwrap_or_else(|error| panic!("{id}: {error}"))
}

#[test]
fn validators_run_when_there_is_something_to_vote_on() {
    for number in 1..=3 {
        let id = format!("validate-agent-{number}");
        assert!(condition(&id, r#"{"audit_findings":{"findings":[{"id":"F1"}],"carried":[]}}"#));
        assert!(!condition(&id, r#"{"audit_findings":{"findings":[],"carried":[{"id":"F1"}]}}"#));
        assert_eq!(step(&id).parallel_group.as_deref(), Some("validators"));
        assert!(!step(&id).may_write());
    }
}

#[test]
fn the_fixer_is_called_when_something_is_confirmed_or_carried() {
    for (confirmed, carried, no_fix, expected) in [
        (0, "[]", false, false),
        (1, "[]", false, true),
        (0, r#"[{"id":"F1"}]"#, false, true),
        (2, r#"[{"id":"F1"}]"#, true, false),
    ] {
        let context = format!(
            r#"{{"validated_findings":{{"confirmed_count":{confirmed}}},
                "audit_findings":{{"findings":[],"carried":{carried}}},
                "setting":{{"no_fix":{no_fix}}}}}"#
        );
        assert_eq!(condition("fix", &context), expected, "{context}");
    }
    assert!(step("fix").may_write());
}

#[test]
fn one_decision_leads_to_the_next_cycle_or_to_the_reports() {
    for (decision, goes_on) in [("new high\nCONTINUE:2", true), ("nothing new\nSTOP", false)] {
        let context = Datum::map([("recurse_decision", Datum::from(decision))]).to_json();
        assert_eq!(condition("run-recursive-cycle", &context), goes_on);
        assert_eq!(condition("summary", &context), !goes_on);
        assert_eq!(condition("self-improvement", &context), !goes_on);
    }
}

#[test]
fn the_final_report_has_its_five_fields() {
    let Some(Output::Map(fields)) = recipe().output else { panic!("an object") };
    let names: Vec<_> = fields.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["cycle_number", "recurse_decision", "summary", "self_improvement_results", "target_path"]
    );
}

#[test]
fn data_stands_alone_on_its_line_in_every_prompt() {
    let data = [
        "audit_findings",
        "validated_findings",
        "fix_verification",
        "cycle_history",
        "run_figures",
        "run_findings",
        "task_description",
    ];
    for step in recipe().all_steps() {
        let StepKind::Agent { prompt, .. } = &step.kind else { continue };
        for part in prompt.parts() {
            if let Part::Token { path, alone, .. } = part {
                assert_eq!(*alone, data.contains(&path.root()), "{}: {path}", step.id);
            }
        }
    }
}

#[test]
fn prompts_use_what_can_be_set() {
    for (id, names) in [
        (
            "seek",
            vec![
                "target_path",
                "severity_threshold",
                "module_loc_limit",
                "categories",
                "cycle_history",
                "cycle_number",
                "task_description",
            ],
        ),
        ("validate-agent-1", vec!["audit_findings", "task_description"]),
        (
            "fix",
            vec![
                "target_path",
                "audit_findings",
                "validated_findings",
                "fix_verification",
                "fix_all_per_cycle",
                "task_description",
            ],
        ),
        ("summary", vec!["run_figures", "run_findings", "target_path", "task_description"]),
        ("self-improvement", vec!["run_figures", "task_description"]),
    ] {
        let used: Vec<_> = prompt(id).names().into_iter().map(|(name, _)| name).collect();
        for name in names {
            assert!(used.iter().any(|found| found == name), "{id} does not use {name}");
        }
    }
}

/// Providers cache what calls share, and it must come first (D41).
#[test]
fn validators_share_all_but_their_stance_which_comes_last() {
    let prompts = [1, 2, 3].map(|number| rendered(&format!("validate-agent-{number}")));
    let shared: Vec<_> = prompts
        .iter()
        .map(|prompt| prompt.split("How you look: ").next().expect("a stance"))
        .collect();
    assert!(shared[0].contains("<audit_findings>"));
    assert!(shared.iter().all(|prompt| *prompt == shared[0]));
    let stances: Vec<_> = prompts
        .iter()
        .map(|prompt| prompt.rsplit("How you look: ").next().expect("a stance"))
        .collect();
    for (stance, word) in stances.iter().zip(["neutral", "sceptical", "adversary"]) {
        assert!(stance.contains(word) && !stance.contains('<'), "{stance}");
    }
}

#[test]
fn the_call_of_a_cycle_differs_from_the_last_one_only_at_its_end() {
    let seek = rendered("seek");
    for data in ["<cycle_history>", "<cycle_number>"] {
        let at = seek.find(data).expect(data);
        assert!(at > seek.len() * 4 / 5, "{data} stands at {at} of {}", seek.len());
    }
}

/// Each example is one valid answer, about a finding that no audit has.
#[test]
fn prompts_show_one_example_that_is_no_answer_to_the_question() {
    for (id, key) in [
        ("seek", "findings"),
        ("validate-agent-1", "validated"),
        ("validate-agent-2", "validated"),
        ("validate-agent-3", "validated"),
        ("fix", "fixes_applied"),
    ] {
        let text = rendered(id);
        let examples: Vec<_> = text.split("```").skip(1).step_by(2).collect();
        let [example] = examples.as_slice() else { panic!("{id}: {examples:?}") };
        let answer = Datum::from_json(example.trim_start_matches("json")).expect(id);
        let entries = answer.field(key).and_then(Datum::as_list).expect(key);
        let named = |entry: &Datum| {
            let id = entry.field("id").or_else(|| entry.field("finding_id"));
            id.and_then(Datum::as_text).is_some_and(|id| id.starts_with("EXAMPLE"))
        };
        assert!(!entries.is_empty() && entries.iter().all(named), "{id}");
    }
}

#[test]
fn agents_that_only_read_are_told_so() {
    for step in recipe().all_steps() {
        if let StepKind::Agent { agent, .. } = &step.kind {
            let told = rendered(&step.id).contains("Do not edit, create or delete files");
            assert_eq!(told, agent != "fixer", "{}", step.id);
            assert_ne!(step.access, Some(Access::Write), "{}", step.id);
        }
    }
}
