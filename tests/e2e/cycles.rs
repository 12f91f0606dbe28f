//! How many cycles run, what goes from one to the next, and what stays.

use serde_json::{Value, json};
use tribunal_test_support::{Act, Cue, Fault, Role};

use crate::stage::{Stage, endless, holds, medium, swallowed};

fn limits<'a>(min: &'a str, max: &'a str) -> [&'a str; 4] {
    ["-c", min, "-c", max]
}

/// The decisions of a run: the next cycle, null for STOP.
fn decisions(report: &Value) -> Vec<Value> {
    let cycles = report["cycles"].as_array().expect("a list").iter();
    cycles.map(|cycle| cycle["decision"]["next"].clone()).collect()
}

#[track_caller]
fn check_cycles(faults: Vec<Fault>, [min, max]: [&str; 2], expected: &[Value]) {
    let stage = Stage::new(faults);
    stage.audit(&limits(min, max)).run().expect_code(0);
    assert_eq!(decisions(&stage.findings()), expected);
    assert_eq!(stage.times_asked("seek"), expected.len());
}

/// LO-01: a clean cycle does not end a loop that has a minimum.
#[test]
fn the_minimum_runs_also_when_nothing_is_found() {
    check_cycles(vec![], ["min_cycles=3", "max_cycles=6"], &[json!(2), json!(3), Value::Null]);
}

#[test]
fn a_new_high_finding_calls_for_another_cycle_and_three_medium_ones_do_not() {
    let high = || vec![swallowed().severity("high")];
    check_cycles(high(), ["min_cycles=1", "max_cycles=6"], &[json!(2), Value::Null]);
    let mediums = |n: usize| -> Vec<Fault> {
        let fault = |n| medium(&format!("F{n}"), &format!("src/m{n}.py"), "retry(inf)", "retry(3)");
        (1..=n).map(fault).collect()
    };
    check_cycles(mediums(3), ["min_cycles=1", "max_cycles=6"], &[Value::Null]);
    check_cycles(mediums(4), ["min_cycles=1", "max_cycles=6"], &[json!(2), Value::Null]);
}

#[test]
fn the_maximum_stops_whatever_is_found() {
    let fault = |n: u32| Fault::new("F1", &format!("src/m{n}.py"), "a()", "b()").from_cycle(n);
    check_cycles(
        (1..=3).map(fault).collect(),
        ["min_cycles=1", "max_cycles=2"],
        &[json!(2), Value::Null],
    );
}

#[test]
fn what_was_not_accounted_for_goes_to_fix_first_in_the_next_cycle() {
    let stage = Stage::new([swallowed(), endless().from_cycle(2)])
        .cue(Cue::to(Act::Excuses("later".to_owned())).role(Role::Fixer).cycle(1));
    let outcome = stage.audit(&limits("min_cycles=1", "max_cycles=3")).run();
    outcome.expect_code(0);
    let report = stage.findings();
    assert_eq!(decisions(&report), [json!(2), Value::Null]);
    assert_eq!(report["cycles"][1]["carried"], json!(["F1"]));
    let given = crate::stage::json(&stage.block("2/fix/1", "audit_findings"));
    assert_eq!(given["carried"][0]["id"], "F1");
    assert_eq!(given["findings"][0]["description"], "`retry(inf)` does harm");
    let fates: Vec<String> = stage.fates().into_iter().map(|(_, fate)| fate).collect();
    assert_eq!(fates, ["fixed", "fixed"]);
}

#[test]
fn a_carried_finding_is_fixed_also_when_nothing_new_is_found() {
    let stage = Stage::new([swallowed()])
        .cue(Cue::to(Act::Excuses("later".to_owned())).role(Role::Fixer).cycle(1))
        .cue(Cue::to(Act::Say("{\"findings\":[]}".to_owned())).step("seek").cycle(2));
    let outcome = stage.audit(&limits("min_cycles=1", "max_cycles=3")).run();
    outcome.expect_code(0);
    assert_eq!(stage.fates(), [("F1".to_owned(), "fixed".to_owned())]);
    assert!(!stage.calls().contains(&"2/validate-agent-1/1".to_owned()), "no vote is needed");
}

#[test]
fn rejected_and_skipped_findings_are_not_asked_about_again() {
    let reason = Act::Excuses("the call is inside a vendored library".to_owned());
    for (cue, fate, counter) in [
        (Cue::to(Act::Rejects).role(Role::Validator), "rejected", "voted_false"),
        (Cue::to(reason).role(Role::Fixer), "skipped", "skipped_before"),
    ] {
        let stage = Stage::new([swallowed()]).cue(cue);
        stage.audit(&limits("min_cycles=2", "max_cycles=2")).run().expect_code(0);
        let report = stage.findings();
        assert_eq!(stage.fates(), [("F1".to_owned(), fate.to_owned())]);
        assert_eq!(report["cycles"][1]["dropped"][counter], 1, "{report:#}");
        assert_eq!(report["cycles"][1]["validators"][0]["answer"], "not_asked");
    }
}

#[test]
fn a_fix_that_comes_undone_is_new_again() {
    let again = json!({"findings": [{
        "id": "F1", "category": "reliability", "severity": "medium", "file": "src/cart.py", "line": 3,
        "description": "it is back", "evidence": "    except: pass", "recommendation": "raise",
    }]});
    let stage =
        Stage::new([swallowed()]).cue(Cue::to(Act::Say(again.to_string())).step("seek").cycle(2));
    // The fixer of the second cycle finds nothing to mend and claims it: a phantom.
    stage.audit(&limits("min_cycles=2", "max_cycles=2")).run().expect_code(1);
    let report = stage.findings();
    assert_eq!(report["cycles"][1]["found"], 1, "{report:#}");
    assert_eq!(report["findings"][1]["id"], "c2-F1");
}

#[test]
fn findings_outside_of_the_bounds_are_dropped_and_counted() {
    let stage = Stage::new([
        swallowed(),
        endless().severity("low"),
        medium("F3", "src/open.py", "eval(x)", "int(x)").category("security"),
    ]);
    let bounds = ["-c", "categories=reliability", "-c", "min_cycles=1", "-c", "max_cycles=1"];
    stage.audit(&bounds).run().expect_code(0);
    let dropped = &stage.findings()["cycles"][0]["dropped"];
    assert_eq!(dropped["below_threshold"], 1);
    assert_eq!(dropped["outside_categories"], 1);
    assert_eq!(stage.fates(), [("F1".to_owned(), "fixed".to_owned())]);
}

#[test]
fn without_fixing_the_tree_stays_and_the_findings_are_open() {
    for (options, code) in [
        (vec![], 0),
        (vec!["--fail-on", "high"], 0),
        (vec!["--fail-on", "medium"], 1),
        (vec!["--fail-on", "low"], 1),
    ] {
        let stage = Stage::new([swallowed()]);
        let outcome = stage.audit(&["--no-fix"]).args(&options).run();
        outcome.expect_code(code);
        assert!(stage.changed().is_empty(), "{:?}", stage.changed());
        assert_eq!(stage.fates(), [("F1".to_owned(), "open".to_owned())]);
        assert_eq!(stage.times_asked("fix"), 0);
        holds(&outcome.stdout, "1 is left open");
        assert_eq!(decisions(&stage.findings()), [json!(2), json!(3), Value::Null]);
    }
}

#[test]
fn a_file_that_the_seeker_names_absolutely_is_the_same_file() {
    let stage = Stage::new([swallowed()]);
    let report = json!({"findings": [{
        "id": "F1", "category": "reliability", "severity": "medium", "line": 3,
        "file": stage.repo.path("src/cart.py"), "description": "it swallows",
        "evidence": "    except: pass", "recommendation": "raise",
    }]});
    let stage = stage
        .cue(Cue::to(Act::Say(report.to_string())).step("seek").cycle(1))
        .cue(Cue::to(Act::Rejects).role(Role::Validator));
    stage.audit(&limits("min_cycles=2", "max_cycles=2")).run().expect_code(0);
    let report = stage.findings();
    assert_eq!(report["findings"][0]["place"]["file"], "src/cart.py");
    assert_eq!(report["cycles"][1]["dropped"]["voted_false"], 1, "it is known again: {report:#}");
}

#[test]
fn a_finding_outside_of_the_repository_is_left_out_with_a_warning() {
    let entry = |id: &str, file: &str| {
        json!({
            "id": id, "category": "reliability", "severity": "medium", "file": file,
            "description": "d", "evidence": "e", "recommendation": "r",
        })
    };
    let report =
        json!({"findings": [entry("F1", "/etc/passwd"), entry("F2", "src/../../elsewhere")]});
    let stage = Stage::new([swallowed()]).cue(Cue::to(Act::Say(report.to_string())).step("seek"));
    let outcome = stage.audit(&limits("min_cycles=1", "max_cycles=1")).run();
    outcome.expect_code(0);
    holds(&outcome.stderr, "F1: `/etc/passwd` is outside of the repository");
    holds(&outcome.stderr, "F2: `src/../../elsewhere` is outside of the repository");
    assert_eq!(stage.findings()["findings"], json!([]));
    assert_eq!(stage.times_asked("validate-agent-1"), 0);
}
