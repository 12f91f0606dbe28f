//! `-c KEY=VALUE`.

use std::fs;

use crate::stage::{ONE_CYCLE, Stage, holds, swallowed};

use super::check_refused;

/// Variables that no command takes, each with all that is said about it.
#[track_caller]
fn check(rows: &[(&str, &str)]) {
    let stage = Stage::new([swallowed()]);
    for (variable, said) in rows {
        for command in [&["audit", "."][..], &["recipe", "run", "quality-audit-cycle"]] {
            let program = stage.with_agent(command, &["-c", variable]);
            check_refused(&stage, program, 2, said);
        }
    }
}

/// CL-03
#[test]
fn a_key_that_the_recipe_does_not_know_is_refused_with_the_nearest() {
    check(&[
        (
            "max_cycle=2",
            "error: `-c max_cycle`: unknown key `max_cycle`, did you mean `max_cycles`?",
        ),
        (
            "speed=2",
            "error: `-c speed`: unknown key `speed`\n  remedy: `tribunal recipe show` prints a recipe; \
             what stands under `context:` may be set",
        ),
        (
            "Max_Cycles=2",
            "error: `-c Max_Cycles`: unknown key `Max_Cycles`, did you mean `max_cycles`?",
        ),
        (
            "a\nb\u{1b}[31m=c",
            "error: `-c a\\nb\\u{1b}[31m`: unknown key `a\\nb\\u{1b}[31m`\n  remedy: `tribunal recipe \
             show` prints a recipe; what stands under `context:` may be set",
        ),
    ]);
}

#[test]
fn what_the_loop_manages_cannot_be_set() {
    let names = [
        "audit_findings",
        "validation_agent_1",
        "validation_agent_2",
        "validation_agent_3",
        "validated_findings",
        "fix_results",
        "fix_verification",
        "cycle_number",
        "cycle_history",
        "recurse_decision",
        "summary",
        "self_improvement_results",
    ];
    for name in names {
        let said = format!(
            "error: `-c {name}`: `{name}` is managed by the loop\n  remedy: leave it out, a step sets it"
        );
        check(&[(&format!("{name}=1"), &said)]);
    }
}

#[test]
fn what_is_no_key_and_value_is_refused() {
    let remedy = "\n  remedy: write -c KEY=VALUE";
    for (variable, said) in [
        ("", "`-c `: no `=` in it"),
        ("no-equals-sign", "`-c no-equals-sign`: no `=` in it"),
        ("two\nlines", "`-c two\\nlines`: no `=` in it"),
        ("=3", "`-c =3`: nothing stands before the `=`"),
        ("  =3", "`-c   =3`: nothing stands before the `=`"),
        ("=", "`-c =`: nothing stands before the `=`"),
    ] {
        check(&[(variable, &format!("error: {said}{remedy}"))]);
    }
}

/// LO-05: a limit of 0 is no limit, and is refused at the start.
#[test]
fn limits_are_decimal_integers_that_can_hold() {
    for text in
        ["six", "", " 4", "4 ", "4\n", "+4", "03", "007", "0x10", "1e2", "1.0", "1_000", "4=5", "٣"]
    {
        let said = format!(
            "error: `-c max_cycles`: `{}` is no decimal integer\n  remedy: write digits alone, without \
             sign, leading zero or separators",
            text.escape_debug()
        );
        check(&[(&format!("max_cycles={text}"), &said)]);
    }
    let from_one = |name: &str, text: &str| {
        format!(
            "error: `-c {name}`: `{text}` is no decimal integer from 1\n  remedy: write digits alone, \
             without sign, leading zero or separators"
        )
    };
    check(&[
        ("min_cycles=-1", &from_one("min_cycles", "-1")),
        ("max_cycles=4294967296", &from_one("max_cycles", "4294967296")),
        ("min_cycles=0", "error: `-c min_cycles`: min_cycles must be at least 1"),
        ("max_cycles=0", "error: `-c max_cycles`: max_cycles must be at least 1"),
        ("module_loc_limit=0", "error: `-c module_loc_limit`: must be at least 1"),
        ("min_cycles=7", "error: `-c min_cycles`: min_cycles (7) is more than max_cycles (6)"),
        ("max_cycles=2", "error: `-c min_cycles`: min_cycles (3) is more than max_cycles (2)"),
        (
            "validation_threshold=4",
            "error: `-c validation_threshold`: the threshold 4 is not between 1 and the number of \
             validators (3)",
        ),
        (
            "validation_threshold=0",
            "error: `-c validation_threshold`: the threshold 0 is not between 1 and the number of \
             validators (3)",
        ),
    ]);
}

#[test]
fn booleans_are_true_or_false() {
    for text in ["maybe", "no", "0", "1", "", "true "] {
        let said = format!("error: `-c fix_all_per_cycle`: `{text}` is no boolean (true or false)");
        check(&[(&format!("fix_all_per_cycle={text}"), &said)]);
    }
}

#[test]
fn categories_and_severities_are_known_words() {
    check(&[
        (
            "severity_threshold=severe",
            "error: `-c severity_threshold`: `severe` is no severity (low, medium, high, critical)",
        ),
        (
            "severity_threshold=",
            "error: `-c severity_threshold`: `` is no severity (low, medium, high, critical)",
        ),
        (
            "categories=securty",
            "error: `-c categories`: `securty` is no category, did you mean `security`?",
        ),
        (
            "categories=security,speed",
            "error: `-c categories`: `speed` is no category\n  remedy: write `all`, or some of security, \
             reliability, dead_code, silent_fallbacks, error_swallowing, structural, hardcoded_limits, \
             test_gaps, doc_gaps, documentation",
        ),
    ]);
}

#[test]
fn all_variables_that_are_wrong_are_named_at_once() {
    let stage = Stage::new([swallowed()]);
    let audit = stage.audit(&["-c", "max_cycle=2", "-c", "summary=x", "-c", "min_cycles=two"]);
    check_refused(
        &stage,
        audit,
        2,
        "error: `-c max_cycle`: unknown key `max_cycle`, did you mean `max_cycles`?; `-c summary`: \
         `summary` is managed by the loop; `-c min_cycles`: `two` is no decimal integer\n  remedy: leave \
         it out, a step sets it; write digits alone, without sign, leading zero or separators",
    );
}

#[test]
fn a_value_is_everything_behind_the_first_equals_sign() {
    let stage = Stage::new([swallowed()]);
    let task = "first = line\n\n=second\nEND\n$(touch pwned)";
    let outcome = stage.audit(&ONE_CYCLE).arg("-c").arg(format!("task_description={task}")).run();
    outcome.expect_code(0);
    holds(&stage.prompt("1/seek/1"), task);
    assert!(fs::symlink_metadata(stage.repo.path("pwned")).is_err());
}
