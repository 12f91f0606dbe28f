//! From raw outputs to the tally: the reference's conformance rows, and where it must differ.

use tribunal_verdict::{Wanted, extract};
use tribunal_vote::{Gate, Merged, Ruling, Standing, Threshold, is_vote_entry, merge, warning};

fn standings(outputs: &[&str]) -> Vec<Standing> {
    let wanted = Wanted { key: "validated", entry: is_vote_entry };
    outputs.iter().map(|raw| Standing::of(&extract(raw.as_bytes(), &wanted))).collect()
}

fn merged(outputs: &[&str]) -> Result<Merged, Gate> {
    let threshold = Threshold::new(2, 3).expect("a threshold");
    merge(1, threshold, None, &standings(outputs))
}

/// The ids confirmed, and the positions warned about.
#[track_caller]
fn check(outputs: &[&str], confirmed: &[&str], warned: &[usize]) {
    let merged = merged(outputs).expect("a tally");
    let entries = merged.tally.entries().iter();
    let ids: Vec<_> = entries
        .filter(|entry| matches!(entry.ruling(), Ruling::Confirmed(_)))
        .map(|entry| entry.id().as_str())
        .collect();
    assert_eq!(ids, confirmed, "{outputs:?}");
    let positions: Vec<_> = standings(outputs)
        .iter()
        .zip(1..)
        .filter_map(|(standing, position)| warning(position, standing, "PATH").map(|_| position))
        .collect();
    assert_eq!(positions, warned, "{outputs:?}");
}

#[track_caller]
fn check_gate(outputs: &[&str], positions: &[usize]) {
    assert_eq!(merged(outputs), Err(Gate { positions: positions.to_vec() }), "{outputs:?}");
}

const YES: &str = r#"{"validated":[{"finding_id":1,"verdict":"confirmed"}]}"#;
const NO: &str = r#"{"validated":[{"finding_id":1,"verdict":"false_positive"}]}"#;

#[test]
fn rows_that_the_reference_gets_right() {
    let fenced = format!("Let me look.\n```json\n{YES}\n```\n");
    let logged = format!("12:00:01 start\n12:00:02 done\n{YES}");
    let log_object = format!("{{\"level\":\"info\",\"msg\":\"validating\"}}\n{YES}");
    check(&[YES, YES, ""], &["1"], &[]);
    check(&[&fenced, &fenced, ""], &["1"], &[]);
    check(&[&logged, YES, NO], &["1"], &[]);
    check(&[&log_object, YES, NO], &["1"], &[]);
    check(&[YES, YES, "I could not decide."], &["1"], &[3]);
    check(&["", "   ", "\n\t"], &[], &[]);
    check_gate(&["I think { it is fine", "no", "none"], &[1, 2, 3]);
    check_gate(&["prose", "", "  "], &[1]);
    check_gate(&["$(touch x)", "`touch x`", "> x ${IFS}"], &[1, 2, 3]);
    // One error sentence from all three is no clean audit.
    check_gate(&["API error: too many requests"; 3], &[1, 2, 3]);
}

#[test]
fn rows_where_the_reference_must_not_be_followed() {
    let twice = r#"{"validated":[{"finding_id":1,"verdict":"confirmed"},{"finding_id":1,"verdict":"confirmed"}]}"#;
    let text_id =
        r#"{"validated":[{"finding_id":"1","verdict":"Confirmed","new_severity":"High"}]}"#;
    let nameless = r#"{"validated":[{"verdict":"confirmed"}]}"#;
    let odd_list = r#"{"validated":["1"]}"#;
    let odd_reason =
        r#"{"validated":[{"finding_id":1,"verdict":"confirmed","reasoning":["a","b"]}]}"#;
    let delimiter = format!("__AMPLIHACK_SAFE_HEREDOC_V1_TMPWRITE__\ntouch x\n{YES}");
    let changed_mind = format!("{NO}\nOn reflection:\n{YES}");
    check(&[twice, "", ""], &[], &[]);
    check(&[YES, text_id, NO], &["1"], &[]);
    check(&[nameless, nameless, ""], &[], &[]);
    check(&[odd_list, YES, YES], &["1"], &[]);
    check(&[odd_reason, YES, NO], &["1"], &[]);
    check(&[&delimiter, YES, NO], &["1"], &[]);
    check(&[&changed_mind, YES, NO], &["1"], &[]);
    for json in [r#"{"validated":null}"#, r#"{"validated":{}}"#, "{}", r#"{"level":"info"}"#] {
        check_gate(&[json; 3], &[1, 2, 3]);
    }
    for json in [r#"{"validated":[],}"#, "{\"validated\":[] /* none */}"] {
        check_gate(&[json; 3], &[1, 2, 3]);
    }
}
