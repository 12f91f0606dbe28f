//! Hostile texts end, and the verdict after them is found; how often a byte is read is asserted
//! where the reading is counted, in the walk's own tests.

use tribunal_verdict::{Class, Wanted, answer_text, extract};

const SIZE: usize = 1 << 20;
const VERDICT: &str = r#"{"validated":[{"finding_id":"F1","verdict":"confirmed"}]}"#;

fn flood(piece: &str, size: usize) -> String {
    piece.repeat(size / piece.len())
}

fn json(text: &str) -> Option<String> {
    extract(text.as_bytes(), &Wanted::any_entry("validated")).json().map(str::to_owned)
}

const PIECES: [&str; 24] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    "`",
    "```\n",
    "```json\n",
    "}```",
    "~~~\n",
    "{\"",
    "{\"a\":",
    "{\"a\":[",
    "[{",
    "[{\"a\":1},",
    "{'a':",
    "{//",
    "{\"a\":\"{\",",
    "\x1b",
    "\x1b[",
    "\x07 ",
    "{\"type\":\"result\"",
    "é{",
];

#[test]
fn a_flood_alone_holds_no_verdict() {
    for piece in PIECES {
        let text = flood(piece, SIZE / 16);
        let found = extract(text.as_bytes(), &Wanted::any_entry("validated"));
        assert_ne!(found.class(), Class::Parsed, "{piece:?}");
    }
}

// D1: linear time.
#[test]
fn the_verdict_after_a_flood_is_found() {
    for piece in PIECES {
        let text = format!("{}\n{VERDICT}", flood(piece, SIZE));
        assert_eq!(json(&text).as_deref(), Some(VERDICT), "{piece:?}");
    }
}

#[test]
fn many_empty_objects_give_the_last_one() {
    assert_eq!(json(&flood("{} ", SIZE)).as_deref(), Some("{}"));
    assert_eq!(json(&flood("{\"validated\":[]}\n", SIZE)).as_deref(), Some("{\"validated\":[]}"));
}

#[test]
fn deep_and_complete_nesting_is_read_without_recursion() {
    let depth = SIZE / 6;
    let nested = format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    assert_eq!(json(&nested).as_deref(), Some(nested.as_str()));
    assert_eq!(json(&format!("so: {nested}")).as_deref(), Some(nested.as_str()));
    let inside = format!("{}{VERDICT}{}", "[{\"a\":".repeat(depth), "}]".repeat(depth));
    assert_eq!(json(&inside).as_deref(), Some(VERDICT));
}

#[test]
fn open_objects_with_large_members_are_read_once() {
    let members = r#"{"finding":"a } in a string","n":[1,2,3]},"#.repeat(20_000);
    let text = format!("{}[{members}", r#"{"open":"#.repeat(120));
    assert_eq!(json(&text), None);
    assert_eq!(json(&format!("{text}\n{VERDICT}")).as_deref(), Some(VERDICT));
}

#[test]
fn the_final_text_of_a_flood_is_the_flood() {
    for piece in ["{", "{\"a\":", "[{", "{\"type\":\"text\"}\n"] {
        let text = flood(piece, SIZE);
        assert_eq!(answer_text(text.as_bytes()), text.trim());
    }
}
