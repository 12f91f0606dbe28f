//! Types that say too little: state kept as text, untyped JSON between functions, shared locks.

use super::survey::{Hit, Source, Survey};
use super::tokens::{Kind, Token};

/// Names of things that have a few known values.
const STATES: &[&str] = &[
    "status", "state", "phase", "kind", "severity", "verdict", "outcome", "mode", "role",
    "category", "fate",
];
/// Where text becomes types and types become text.
const EDGES: &[&str] = &["wire.rs", "record.rs"];

/// `status: String` and the like.
pub(super) fn state_as_text<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for source in inner(survey) {
        for (at, token) in source.code.iter().enumerate() {
            let next = |n: usize| source.code.get(at + n).map_or("", |token| token.text);
            let is_text =
                next(2) == "String" || next(2) == "Option" && next(3) == "<" && next(4) == "String";
            if STATES.contains(&token.text) && next(1) == ":" && is_text {
                push(&mut hits, source, token.line, format!("`{}: String`", token.text));
            }
        }
    }
    hits
}

/// `serde_json::Value` and maps of text in the signatures of functions.
pub(super) fn maps<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for source in inner(survey) {
        let bare = imports_value(source);
        for signature in signatures(&source.code) {
            for at in 0..signature.len() {
                if let Some(what) = untyped(signature, at, bare) {
                    push(&mut hits, source, signature[at].line, what);
                }
            }
        }
    }
    hits
}

/// `Arc<Mutex<…>>` and `Arc<RwLock<…>>`.
pub(super) fn sharing<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for source in &survey.sources {
        for lock in ["Mutex", "RwLock"] {
            for found in source.matches(&["Arc", "<", lock]) {
                push(&mut hits, source, found[0].line, format!("`Arc<{lock}<…>>`"));
            }
        }
    }
    hits
}

fn inner<'s, 'a>(survey: &'s Survey<'a>) -> impl Iterator<Item = &'s Source<'a>> {
    survey.sources.iter().filter(|source| !EDGES.contains(&source.file_name()))
}

fn push<'a>(hits: &mut Vec<Hit<'a>>, source: &Source<'a>, line: usize, what: String) {
    if !source.is_test(line) {
        hits.push(source.hit(line, what));
    }
}

/// Each function from its name to the brace or semicolon that ends its signature.
fn signatures<'s, 'a>(code: &'s [Token<'a>]) -> Vec<&'s [Token<'a>]> {
    let mut found = Vec::new();
    for (at, pair) in code.windows(2).enumerate() {
        // Without a name it is the type of a function pointer, which stands in another signature.
        if pair[0].text != "fn" || pair[1].kind != Kind::Word {
            continue;
        }
        let length = code[at..].iter().scan(0usize, |depth, token| {
            match token.text {
                "(" | "[" => *depth += 1,
                ")" | "]" => *depth = depth.saturating_sub(1),
                "{" | ";" if *depth == 0 => return None,
                _ => {}
            }
            Some(())
        });
        found.push(&code[at..at + length.count()]);
    }
    found
}

/// Libraries whose `Value` can be anything.
const UNTYPED: &[&str] = &["serde_json", "serde_yaml"];

/// Whether `Value` alone means the one of a library.
fn imports_value(source: &Source<'_>) -> bool {
    UNTYPED.iter().any(|library| {
        source.matches(&["use", library]).into_iter().any(|import| {
            import.iter().take_while(|token| token.text != ";").any(|token| token.text == "Value")
        })
    })
}

/// What is untyped at this place of a signature; `bare` says what `Value` alone means.
fn untyped(signature: &[Token<'_>], at: usize, bare: bool) -> Option<String> {
    let text = |at: usize| signature.get(at).map_or("", |token| token.text);
    match text(at) {
        // `Self::Value` and `V::Value` are associated types.
        "Value" => {
            let qualified = at >= 2 && text(at - 1) == "::";
            let untyped = if qualified { UNTYPED.contains(&text(at - 2)) } else { bare };
            untyped.then(|| "`Value` in a signature".to_owned())
        }
        map @ ("HashMap" | "BTreeMap") if text(at + 1) == "<" && text(at + 2) == "String" => {
            // An ordered map from text to a type of ours is a lookup, not a bag.
            let typed =
                map == "BTreeMap" && !matches!(text(at + 4), "String" | "Value" | "serde_json");
            (!typed).then(|| format!("`{map}<String, …>` in a signature"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    const PATH: &str = "crates/x/src/a.rs";

    #[test]
    fn a_state_is_no_text() {
        let text = "struct A {\n  status: String,\n  role: Option<String>,\n  name: String,\n}";
        check(state_as_text, PATH, text, &[(2, "`status: String`"), (3, "`role: String`")]);
        check(state_as_text, PATH, "struct A { phase: Phase }", &[]);
        check(state_as_text, "crates/x/src/wire.rs", text, &[]);
        check(state_as_text, "crates/x/src/run/wire.rs", text, &[]);
        check(
            state_as_text,
            "crates/x/src/run_wire.rs",
            "struct A { fate: String }",
            &[(1, "`fate: String`")],
        );
    }

    #[test]
    fn signatures_speak_in_types() {
        let value = (1, "`Value` in a signature");
        check(maps, PATH, "use serde_json::{Value, json}; fn f(x: &Value) {}", &[value]);
        check(maps, PATH, "enum Value {} fn f(x: &Value) {}", &[]);
        check(maps, PATH, "fn f() -> serde_json::Value { x }", &[value]);
        check(maps, PATH, "fn f() -> Result<Self::Value, E> { let x: Value = y; }", &[]);
        check(maps, PATH, "type F = fn(&str) -> u8; struct A(Value);", &[]);
        let map = (1, "`HashMap<String, …>` in a signature");
        check(maps, PATH, "fn f(x: HashMap<String, u8>);", &[map]);
        let map = (1, "`BTreeMap<String, …>` in a signature");
        check(maps, PATH, "fn f(x: &BTreeMap<String, String>);", &[map]);
        check(maps, PATH, "fn f(x: &BTreeMap<String, Step>);", &[]);
        check(maps, "crates/x/src/record.rs", "fn f(x: &serde_json::Value) {}", &[]);
    }

    #[test]
    fn locks_are_not_shared() {
        check(sharing, PATH, "a: Arc<Mutex<u8>>", &[(1, "`Arc<Mutex<…>>`")]);
        check(sharing, PATH, "a: Arc<Settings>", &[]);
    }
}
