//! Outputs that real validators gave, and what must be read from them (seed 000, D1–D5).

use serde_json::Value;
use serde_json::value::RawValue;
use tribunal_verdict::{Class, Extraction, Note, Tier, Wanted, extract};

/// A ballot's entry: an id and one of the three words, as the contract's reader takes it.
fn is_vote(entry: &RawValue) -> bool {
    let Ok(Value::Object(entry)) = serde_json::from_str(entry.get()) else { return false };
    let has_id = entry.get("finding_id").is_some_and(|id| id.is_string() || id.is_number());
    let verdict = entry.get("verdict").and_then(Value::as_str).unwrap_or("").trim().to_lowercase();
    has_id && ["confirmed", "false_positive", "downgraded"].contains(&verdict.as_str())
}

fn ballot(raw: impl AsRef<[u8]>) -> Extraction<'static> {
    extract(raw.as_ref(), &Wanted { key: "validated", entry: is_vote }).into_owned()
}

#[track_caller]
fn check(raw: impl AsRef<[u8]>, tier: Tier, json: &str) -> Vec<Note> {
    let found = ballot(raw);
    assert_eq!((found.json(), found.tier()), (Some(json), Some(tier)));
    found.notes
}

#[track_caller]
fn check_none(raw: impl AsRef<[u8]>, class: Class) -> Vec<Note> {
    let found = ballot(raw);
    assert_eq!((found.json(), found.class()), (None, class));
    found.notes
}

const F1: &str = r#"{"validated":[{"finding_id":"F1","verdict":"confirmed"}]}"#;
const F2: &str = r#"{"validated":[{"finding_id":"F2","verdict":"false_positive"}]}"#;

// D1: a byte order mark and control codes are blank.
#[test]
fn tier_0_nothing_said_is_empty() {
    for raw in ["", "   ", "\n\t", " \r\n", "\u{FEFF}\r\n", "\x1b[0m\x1b[?25h\n", "\x00\x07"] {
        assert_eq!(check_none(raw, Class::Empty), []);
    }
}

#[test]
fn tier_1_the_whole_text_is_the_object() {
    check(F1, Tier::Strict, F1);
    check(format!("\u{FEFF}\r\n {F1}\r\n"), Tier::Strict, F1);
    check("{}", Tier::Strict, "{}");
    check(r#"{"level":"info"}"#, Tier::Strict, r#"{"level":"info"}"#);
}

#[test]
fn tier_1_keeps_every_byte_of_the_object() {
    let object = r#"{ "validated" : [ ], "big": 9007199254740993, "x": 1e999, "s":"\ud83d" }"#;
    check(object, Tier::Strict, object);
}

#[test]
fn tier_2_fences_are_taken_off() {
    for (open, close) in [
        ("```json\n", "\n```"),
        ("```\n", "\n```\n"),
        ("```JSON\r\n", "\r\n```\r\n"),
        ("~~~~json\n", "\n~~~~"),
        ("```json ", "```"),
        ("  ```json\n  ", "\n  ```"),
        ("\x1b[32m```json\n", "\n```\x1b[0m"),
    ] {
        check(format!("{open}{F1}{close}"), Tier::Unfenced, F1);
    }
}

#[test]
fn tier_2_never_touches_back_ticks_inside_a_string() {
    let object = r#"{"validated":[{"finding_id":"F1","verdict":"confirmed","reasoning":"README shows:\n```rust\nfn main() {}\n```\nwhich does not build"}]}"#;
    check(format!("```json\n{object}\n```"), Tier::Unfenced, object);
    check(format!("See:\n```json\n{object}\n```\nDone."), Tier::Scanned, object);
}

#[test]
fn tier_3_a_log_line_before_the_verdict_is_not_the_verdict() {
    let log = r#"{"level":"info","msg":"validating"}"#;
    check(format!("{log}\n{F1}\n"), Tier::Scanned, F1);
    check(format!("{log}\n```json\n{F1}\n```"), Tier::Scanned, F1);
    check(format!("{F1}\n{log}"), Tier::Scanned, F1);
    check(format!("10:00:01 INFO start\n10:00:02 INFO {{stray\n{F1}"), Tier::Scanned, F1);
}

#[test]
fn tier_3_prose_around_the_verdict_does_not_matter() {
    for text in [
        format!("Final verdict after review: {F1}"),
        format!("Use {{x}} and {{ y: 1 }} here.\n{F1}\nfn main() {{ loop {{}} }}"),
        format!("Here:\n```rust\nfn main() {{}}\n```\nand\n```json\n{F1}\n```\nBye."),
        format!("{F1}\nSTATUS: COMPLETE"),
        format!("{F1}}}"),
        format!("{{{F1}}}"),
        format!("He said \"{{\" and then {F1}"),
        format!("\"unbalanced {F1}"),
    ] {
        check(text, Tier::Scanned, F1);
    }
}

#[test]
fn tier_3_a_brace_inside_a_string_is_no_end() {
    let object =
        r#"{"validated":[{"finding_id":"F1","verdict":"confirmed","reasoning":"a } and {\" b"}]}"#;
    check(format!("Verdict: {object} end"), Tier::Scanned, object);
}

#[test]
fn tier_4_what_is_no_json_is_unparseable() {
    for text in [
        "I found nothing to say.",
        "a { stray brace",
        "log } and {",
        "```json\n```",
        "null",
        "[]",
        "[1,2]",
        "```python\n{'validated': [{'finding_id': 'F1', 'verdict': 'confirmed', 'note': None}]}\n```",
        r#"{"validated":[{"finding_id":"F1","verdict":"confirmed","reasoning":"\d+ is unanchored"}]}"#,
        r#"{"validated":[{"finding_id":"F1","verdict":"confirmed"},]}"#,
        "{\"validated\":[{\"finding_id\":\"F1\",\"verdict\":\"confirmed\"}] // all\n}",
        "{ // all of them\n\"validated\":[{\"finding_id\":\"F1\",\"verdict\":\"confirmed\"}]}",
        r#"{validated:[{"finding_id":"F1","verdict":"confirmed"}]}"#,
        r#"{"validated":NaN}"#,
    ] {
        assert_eq!(check_none(text, Class::Unparseable), [], "{text}");
    }
}

// D3: without the key only an outermost candidate counts.
#[test]
fn an_entry_of_a_truncated_or_broken_verdict_is_never_the_answer() {
    let whole = r#"{"validated":[{"finding_id":"F1","verdict":"confirmed"},{"finding_id":"F2","verdict":"confirmed","reasoning":"x"}],"n":{"a":1}}"#;
    for end in 1..whole.len() {
        for before in ["", "My verdict: ", "```json\n", "{\"level\":\"info\"} then no: "] {
            let text = format!("{before}{}", &whole[..end]);
            let found = ballot(&text);
            let log = before.contains("level").then_some(r#"{"level":"info"}"#);
            assert_eq!(found.json(), log, "{text}");
        }
    }
    for bad in [r"\d", "a\nb", "a \"b\" c"] {
        let broken = format!(
            r#"{{"validated":[{{"finding_id":"F1","reasoning":"{bad}"}},{{"finding_id":"F2","verdict":"confirmed"}}]}}"#
        );
        check_none(&broken, Class::Unparseable);
        check_none(format!("Verdict:\n{broken}\nDone."), Class::Unparseable);
    }
    check_none(r#"[{"finding_id":"F1","verdict":"confirmed"},{"finding"#, Class::Unparseable);
}

#[test]
fn an_unfinished_fragment_does_not_swallow_the_verdict_after_it() {
    let text = format!(
        "The patch adds {{\"validated\":[{{\"finding_id\":\"F9\",\"verdict\":\"confirmed\",\n\nMy verdict: {F2}"
    );
    check(text, Tier::Scanned, F2);
}

// D3, the preference.
#[test]
fn of_two_verdicts_the_last_counts_and_the_conflict_is_told() {
    assert_eq!(
        check(format!("It says {F1}.\nMy verdict:\n{F2}"), Tier::Scanned, F2),
        [Note::Conflict]
    );
    let same = F1.replace(':', " : ");
    assert_eq!(check(format!("{same}\nAgain: {F1}"), Tier::Scanned, F1), []);
}

// D3: well-formed entries go before the last place.
#[test]
fn a_verdict_with_votes_goes_before_later_ones_without() {
    for later in [
        r#"{"validated":[]}"#,
        r#"{"validated":[{"finding_id":1,"verdict":"confirmed|false_positive"}]}"#,
        r#"{"validated":null}"#,
    ] {
        let text = format!("{F1}\n\nIf nothing had been wrong: {later}");
        assert_eq!(check(text, Tier::Scanned, F1), [Note::Conflict]);
    }
    check(r#"{"validated":[]} or {"a":1}"#, Tier::Scanned, r#"{"validated":[]}"#);
}

#[test]
fn an_echoed_template_alone_is_returned_for_the_vote_to_refuse() {
    let template = r#"{"validated":[{"finding_id":1,"verdict":"confirmed|false_positive","reasoning":"why"}]}"#;
    let text = format!("Reply OK and I will start. The format will be:\n```json\n{template}\n```");
    check(text, Tier::Scanned, template);
}

// D3: an object with the key is taken inside a wrapper too.
#[test]
fn a_made_up_wrapper_does_not_hide_the_verdict() {
    let inner = r#"{"round":1,"validated":[{"finding_id":"F1","verdict":"confirmed"}]}"#;
    let text = format!("Here you go:\n{{\"review\":{inner}}}");
    assert_eq!(check(text, Tier::Scanned, inner), [Note::Wrapped]);
    assert_eq!(check(format!("{{\"result\":{F1}}}"), Tier::Scanned, F1), [Note::Wrapped]);
    assert_eq!(check(format!("{{\"review\":{F1}"), Tier::Scanned, F1), [Note::Wrapped]);
    check(format!("[{F1}]"), Tier::Scanned, F1);
}

#[test]
fn without_the_key_the_last_outermost_object_counts() {
    check(r#"{"a":1} and {"b":{"c":2}} end"#, Tier::Scanned, r#"{"b":{"c":2}}"#);
    check(r#"[{"a":1},[{"b":2}]]"#, Tier::Scanned, r#"{"b":2}"#);
    check("a stray { and\n{\"a\":1}", Tier::Scanned, r#"{"a":1}"#);
    check("{{\"a\":1}}", Tier::Scanned, r#"{"a":1}"#);
    check(r#"{"a":1,} then {"b":2}"#, Tier::Scanned, r#"{"b":2}"#);
}

// D5.
#[test]
fn a_bare_array_of_entries_is_the_list() {
    let entries =
        r#"[{"finding_id":"F1","verdict":"confirmed"}, {"finding_id":2,"verdict":"Downgraded"}]"#;
    let list = format!("{{\"validated\":{entries}}}");
    for text in [entries.to_owned(), format!("```json\n{entries}\n```"), format!("So: {entries}.")]
    {
        assert_eq!(check(text, Tier::Scanned, &list), [Note::BareArray]);
    }
    check(r#"[{"finding_id":"F1","verdict":"confirmed"},{"a":1}]"#, Tier::Scanned, r#"{"a":1}"#);
    let found = extract(br#"[{"a":1}]"#, &Wanted::any_entry("odd \"key\""));
    assert_eq!(found.json(), Some(r#"{"odd \"key\"":[{"a":1}]}"#));
}

#[test]
fn terminal_sequences_around_the_verdict_are_blank() {
    check(format!("\x1b[?2004h\x1b[32m{F1}\x1b[0m\r\n"), Tier::Strict, F1);
    check(format!("\x1b[1mVerdict\x1b[0m {F1}\x1b[0m"), Tier::Scanned, F1);
}

#[test]
fn a_byte_that_is_no_utf_8_costs_no_vote() {
    let raw = b"{\"validated\":[{\"finding_id\":\"F1\",\"verdict\":\"confirmed\",\"reasoning\":\"caf\xe9\"}]}";
    let json = "{\"validated\":[{\"finding_id\":\"F1\",\"verdict\":\"confirmed\",\"reasoning\":\"caf\u{FFFD}\"}]}";
    assert_eq!(check(raw, Tier::Strict, json), [Note::ReplacedBytes]);
}

#[test]
fn a_key_is_the_key_however_it_is_escaped() {
    let object = r#"{"v\u0061lidated":[{"finding_id":"F1","verdict":"confirmed"}]}"#;
    check(format!("{F2} then {object}, {{\"a\":1}}"), Tier::Scanned, object);
}

#[test]
fn an_entry_is_asked_about_the_value_where_it_is_no_list() {
    let wanted = Wanted { key: "verdict", entry: |value| value.get() == "\"clean\"" };
    let found =
        extract(br#"{"verdict":"clean"} or {"verdict":"clean|changes_requested"}"#, &wanted);
    assert_eq!(found.json(), Some(r#"{"verdict":"clean"}"#));
}
