//! `cargo fuzz run --sanitizer none rule`: a rule file of the inspector is refused or has its words.

#![no_main]

#[path = "../../crates/inspector/src/rule.rs"]
#[expect(dead_code, reason = "what only the inspector asks of it")]
mod rule;

use ast_grep_language::SupportLang;
use libfuzzer_sys::fuzz_target;
use rule::Rule;

fuzz_target!(|yaml: &str| {
    let Ok(rule) = Rule::parse(yaml) else { return };
    assert_eq!(rule.fingerprint(), yaml.as_bytes());
    let words = [&rule.message, &rule.recommendation];
    assert!(words.into_iter().chain(&rule.unfixable).all(|words| !words.contains('\n')));
    let grammar = rule.language().expect("a rule file looks at structure");
    // The only grammar that is built in here.
    if grammar != SupportLang::Python {
        return;
    }
    // Refused or taken, twice the same.
    let compiles = || rule.compile(grammar).map(|compiled| compiled.is_some()).map_err(|e| e.to_string());
    assert_eq!(compiles(), compiles());
});
