//! `cargo fuzz run --sanitizer none expression`: brackets and blanks around an expression mean nothing,
//! and `not` turns a condition round.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tribunal_recipe::{Datum, Expr, ExprError, Fields};

const VALUES: &str = r#"{"n":null,"t":true,"i":7,"f":1.5,"s":"text","false":"no","l":[1,"a",null],
    "v":{"k":"v","count":2,"l":[{"id":"F1"}]},"setting":{"fix_attempts":2}}"#;

fuzz_target!(|text: &str| {
    let scope: Fields = Datum::from_json(VALUES).expect("JSON").as_map().expect("an object").clone();
    let expr = match Expr::parse(text) {
        Ok(expr) => expr,
        Err(error) => return in_text(text, &error),
    };
    assert_eq!(expr.text(), text);
    for (name, span) in expr.names() {
        let last = name.rsplit('.').next().unwrap_or(&name);
        assert!(text.get(span).is_some_and(|place| place.contains(last)), "{name} in {text:?}");
    }
    let value = expr.eval(&scope);
    let holds = expr.condition(&scope);
    for error in value.as_ref().err().into_iter().chain(holds.as_ref().err()) {
        in_text(text, error);
    }
    // A text may be at its limits already.
    if let Ok(around) = Expr::parse(&format!(" ( {text} ) ")) {
        assert_eq!(same(around.eval(&scope)), same(value), "{text:?}");
    }
    if let Ok(not) = Expr::parse(&format!("not ({text})")) {
        assert_eq!(not.condition(&scope).ok(), holds.ok().map(|holds| !holds), "{text:?}");
    }
});

fn in_text(text: &str, error: &ExprError) {
    let span = error.span.clone();
    assert!(text.get(span.clone()).is_some(), "{span:?} is no place in {text:?}: {error}");
}

/// A value as it is printed: numbers that are no numbers are equal here.
fn same(value: Result<Datum, ExprError>) -> Result<String, String> {
    value.map(|value| format!("{value:?}")).map_err(|error| error.message)
}
