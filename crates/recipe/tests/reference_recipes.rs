//! Recipes written for the reference runner: they load with warnings, or the refusal names a fault.

use tribunal_recipe::{ProblemKind, Source, Strictness, load};

const RECIPE: &str = r#"
name: nightly
description: in the style of the reference
version: 1.2
tags: [ci]
extends: base
context:
  task_description: ""
  repo_path: "."
  report: {lines: 0}
recursion: {max_depth: 3, max_total_steps: 60}
steps:
  - id: collect
    type: bash
    timeout: 120
    command: |
      set -euo pipefail
      TASK={{task_description}}
      cat > /tmp/in.txt <<'EOF_TASK'
      {{task_description}}
      EOF_TASK
      printf '%s' "$TASK" | wc -l
    output: report
    parse_json: true
    auto_stage: false
  - id: judge
    agent: "amplihack:core:reviewer"
    mode: analyze
    working_dir: "{{repo_path}}"
    condition: "report and report['lines'] > 0"
    prompt: |
      Look at {{report}}.
      Answer like {"found": []} and keep {{ this }}.
    output: verdict
    when_tags: [slow]
  - id: publish
    type: recipe
    recipe: publish
    context: {verdict: "{{verdict}}"}
    condition: "'found' in verdict"
output: |
  # {{task_description}}
  {{verdict}}
"#;

fn load_text(text: &str, strictness: Strictness) -> Result<Vec<ProblemKind>, Vec<ProblemKind>> {
    let source = Source { name: "nightly".to_owned(), text: text.to_owned() };
    let kinds = |problems: Vec<tribunal_recipe::Problem>| problems.iter().map(|p| p.kind).collect();
    load(&source, strictness, &[]).map(|loaded| kinds(loaded.warnings)).map_err(kinds)
}

#[test]
fn a_recipe_in_the_style_of_the_reference_loads_with_warnings() {
    use ProblemKind::{ShortTimeout, StrayBraces, Unsupported};
    assert_eq!(
        load_text(RECIPE, Strictness::Lenient),
        Ok(vec![Unsupported, ShortTimeout, Unsupported, Unsupported, StrayBraces, Unsupported])
    );
    assert_eq!(load_text(RECIPE, Strictness::Strict), Err(vec![Unsupported; 4]));
}

#[test]
fn its_traps_are_faults_with_a_name_of_their_own() {
    for (from, to, kind) in [
        // Garbage behind an expression is not ignored.
        ("'found' in verdict\"", "'found' in verdict then go\"", ProblemKind::Expression),
        // An undeclared name is not null.
        ("report['lines'] > 0", "reprot['lines'] > 0", ProblemKind::UndeclaredName),
        // A value does not end up in arithmetic.
        ("wc -l", "wc -l; echo $(( {{task_description}} ))", ProblemKind::ShellContext),
        // A key is not given twice.
        ("mode: analyze", "prompt: x", ProblemKind::DuplicateKey),
        // An empty condition is no condition.
        ("\"'found' in verdict\"", "\"\"", ProblemKind::Expression),
    ] {
        let text = RECIPE.replace(from, to);
        assert_ne!(text, RECIPE, "{from}");
        assert_eq!(load_text(&text, Strictness::Lenient), Err(vec![kind]), "{to}");
    }
}
