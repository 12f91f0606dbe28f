//! Arguments as clients send them: numbers, truth values and lists may come as text (LO-14).

use serde_json::{Map, Value};

use super::contract::{Call, Findings, ReviewCall, SimplifyCall, StartCall, StatusCall, StopCall};
use super::{MaxRounds, Opinion, Tool};

/// Arguments that cannot be read; nothing was assumed in their place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{got}; expected {wanted}")]
pub struct Unreadable {
    /// What came.
    pub got: String,
    /// What would have been right.
    pub wanted: String,
}

/// Reads the arguments of a call.
///
/// A number, a truth value or a list that is written as text is taken where it can mean only one thing.
/// An argument that is null counts as left out.
///
/// # Errors
/// [`Unreadable`] for the first argument that is unknown, missing or of another kind.
pub fn read_call(tool: Tool, arguments: Map<String, Value>) -> Result<Call, Unreadable> {
    let mut arguments = Arguments { tool, given: arguments };
    let call = match tool {
        Tool::Start => Call::Start(StartCall {
            scope: arguments.scope()?,
            test_command: arguments.text("test_command")?,
            max_rounds: arguments.max_rounds()?,
        }),
        Tool::Review => Call::Review(ReviewCall {
            verdict: arguments.verdict()?,
            findings: arguments.findings()?,
            files: arguments.files()?,
            basis: arguments.text("basis")?,
            run: arguments.text("run")?,
        }),
        Tool::Simplify => Call::Simplify(SimplifyCall {
            changed: arguments.changed()?,
            files: arguments.files()?,
            run: arguments.text("run")?,
        }),
        Tool::Stop => {
            Call::Stop(StopCall { reason: arguments.text("reason")?, run: arguments.text("run")? })
        }
        Tool::Status => Call::Status(StatusCall { run: arguments.text("run")? }),
    };
    arguments.nothing_left()?;
    Ok(call)
}

fn known(tool: Tool) -> &'static [&'static str] {
    match tool {
        Tool::Start => &["scope", "test_command", "max_rounds"],
        Tool::Review => &["verdict", "findings", "files", "basis", "run"],
        Tool::Simplify => &["changed", "files", "run"],
        Tool::Stop => &["reason", "run"],
        Tool::Status => &["run"],
    }
}

struct Arguments {
    tool: Tool,
    given: Map<String, Value>,
}

impl Arguments {
    fn take(&mut self, name: &str) -> Option<Value> {
        self.given.remove(name).filter(|value| !value.is_null())
    }

    fn unreadable(&self, name: &str, value: Option<&Value>, wanted: &str) -> Unreadable {
        let got = match value {
            Some(value) => format!("{} with {name}={}", self.tool, shortened(&value.to_string())),
            None => format!("{} without {name}", self.tool),
        };
        Unreadable { got, wanted: format!("{name} as {wanted}") }
    }

    /// A text; one of blanks counts as left out.
    fn text(&mut self, name: &str) -> Result<Option<String>, Unreadable> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok((!text.trim().is_empty()).then_some(text)),
            Some(other) => Err(self.unreadable(name, Some(&other), "text")),
        }
    }

    fn scope(&mut self) -> Result<String, Unreadable> {
        const WANTED: &str = "text that is not blank: a path, a range of commits, or a description";
        match self.take("scope") {
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
            other => Err(self.unreadable("scope", other.as_ref(), WANTED)),
        }
    }

    fn max_rounds(&mut self) -> Result<Option<MaxRounds>, Unreadable> {
        let Some(value) = self.take("max_rounds") else { return Ok(None) };
        let rounds = count(&value).and_then(|number| MaxRounds::new(number).ok());
        let unreadable = || self.unreadable("max_rounds", Some(&value), "an integer of at least 1");
        rounds.map(Some).ok_or_else(unreadable)
    }

    fn verdict(&mut self) -> Result<Opinion, Unreadable> {
        let value = self.take("verdict");
        let word = value.as_ref().and_then(Value::as_str).map(|text| text.trim().to_lowercase());
        [Opinion::Clean, Opinion::ChangesRequested]
            .into_iter()
            .find(|opinion| word.as_deref() == Some(opinion.word()))
            .ok_or_else(|| self.unreadable("verdict", value.as_ref(), "clean or changes_requested"))
    }

    fn findings(&mut self) -> Result<Findings, Unreadable> {
        const WANTED: &str = "an integer of at least 0, or a list of findings";
        let Some(value) = self.take("findings") else { return Ok(Findings::default()) };
        if let Some(count) = count(&value) {
            return Ok(Findings { count, listed: Vec::new() });
        }
        match list(&value) {
            Some(entries) => Ok(Findings {
                count: u32::try_from(entries.len()).unwrap_or(u32::MAX),
                listed: entries.iter().map(Value::to_string).collect(),
            }),
            None => Err(self.unreadable("findings", Some(&value), WANTED)),
        }
    }

    fn files(&mut self) -> Result<Vec<String>, Unreadable> {
        let Some(value) = self.take("files") else { return Ok(Vec::new()) };
        let path = |entry: &Value| {
            entry.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
        };
        let paths: Option<Vec<String>> =
            list(&value).and_then(|entries| entries.iter().map(path).collect());
        let mut paths =
            paths.ok_or_else(|| self.unreadable("files", Some(&value), "a list of paths"))?;
        paths.sort();
        paths.dedup();
        Ok(paths)
    }

    fn changed(&mut self) -> Result<bool, Unreadable> {
        let value = self.take("changed");
        let truth = match &value {
            Some(Value::Bool(truth)) => Some(*truth),
            Some(Value::String(text)) => match text.trim().to_lowercase().as_str() {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            },
            _ => None,
        };
        truth.ok_or_else(|| self.unreadable("changed", value.as_ref(), "true or false"))
    }

    fn nothing_left(self) -> Result<(), Unreadable> {
        match self.given.keys().next() {
            None => Ok(()),
            Some(name) => Err(Unreadable {
                got: format!("{} with the unknown argument {}", self.tool, shortened(name)),
                wanted: format!("arguments among {}", known(self.tool).join(", ")),
            }),
        }
    }
}

/// A whole number from 0, written as a number or as its decimal digits.
fn count(value: &Value) -> Option<u32> {
    match value {
        Value::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(number), _) => u32::try_from(number).ok(),
            // 2.0 is what some clients make of 2.
            (None, Some(number)) if number.fract() == 0.0 => number.to_string().parse().ok(),
            (None, _) => None,
        },
        Value::String(text) => {
            let digits = text.trim();
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            if plain { digits.parse().ok() } else { None }
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A list, written as one or as its JSON text.
fn list(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(entries) => Some(entries.clone()),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Array(entries)) => Some(entries),
            Ok(_) | Err(_) => None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain("…".chars()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::review_loop::Ask;

    fn read(tool: Tool, arguments: Value) -> Result<Call, Unreadable> {
        let Value::Object(arguments) = arguments else { panic!("{arguments} is no object") };
        read_call(tool, arguments)
    }

    #[track_caller]
    fn check(tool: Tool, arguments: &Value, expected: Ask) {
        let call = read(tool, arguments.clone());
        assert_eq!(call.as_ref().map(Call::ask), Ok(Some(expected)), "{arguments}");
    }

    #[track_caller]
    fn check_refused(tool: Tool, arguments: Value, expected: &str) {
        let said = read(tool, arguments).expect_err("it cannot be read").to_string();
        assert!(said.contains(expected), "{said}, not {expected}");
    }

    fn asked(opinion: Opinion, findings: u32, basis: bool) -> Ask {
        Ask::Review { opinion, findings, basis }
    }

    /// LO-14.
    #[test]
    fn text_that_can_mean_one_thing_is_taken_for_it() {
        use Opinion::{ChangesRequested, Clean};
        let simplify = |changed, files| Ask::Simplify { changed, files };
        check(Tool::Simplify, &json!({"changed": "false", "files": "[]"}), simplify(false, 0));
        check(
            Tool::Simplify,
            &json!({"changed": " TRUE ", "files": ["a", "a"]}),
            simplify(true, 1),
        );
        check(
            Tool::Review,
            &json!({"verdict": "changes_requested", "findings": "2", "files": "[\"a.rs\"]"}),
            asked(ChangesRequested, 2, false),
        );
        check(Tool::Review, &json!({"verdict": " CLEAN "}), asked(Clean, 0, false));
        check(Tool::Review, &json!({"verdict": "clean", "findings": 2.0}), asked(Clean, 2, false));
        check(Tool::Review, &json!({"verdict": "clean", "findings": null}), asked(Clean, 0, false));
        check(Tool::Review, &json!({"verdict": "clean", "basis": " "}), asked(Clean, 0, false));
        check(
            Tool::Review,
            &json!({"verdict": "clean", "basis": "H1: same"}),
            asked(Clean, 0, true),
        );
        let listed = json!({"verdict": "changes_requested", "findings": ["a", {"id": 1}]});
        check(Tool::Review, &listed, asked(ChangesRequested, 2, false));
        check(Tool::Start, &json!({"scope": " src "}), Ask::Start);
        check(Tool::Start, &json!({"scope": "src", "max_rounds": "2"}), Ask::Start);
        check(Tool::Stop, &json!({}), Ask::Stop);
    }

    #[test]
    fn what_could_mean_several_things_is_refused_by_the_kind_that_is_wanted() {
        let number = "expected findings as an integer of at least 0, or a list";
        for findings in [json!(-1), json!(1.5), json!("two"), json!("-1"), json!(true), json!({})] {
            check_refused(Tool::Review, json!({"verdict": "clean", "findings": findings}), number);
        }
        for changed in [json!(1), json!("yes"), json!(""), json!([]), json!(null)] {
            let expected = "expected changed as true or false";
            check_refused(Tool::Simplify, json!({"changed": changed}), expected);
        }
        for files in [json!("a.rs"), json!([1]), json!([""]), json!(3)] {
            let expected = "expected files as a list of paths";
            check_refused(Tool::Simplify, json!({"changed": true, "files": files}), expected);
        }
        for rounds in [json!(0), json!(-1), json!(1.5), json!("many"), json!("+1"), json!("")] {
            let expected = "expected max_rounds as an integer of at least 1";
            check_refused(Tool::Start, json!({"scope": "s", "max_rounds": rounds}), expected);
        }
        for scope in [json!(""), json!(" \n"), json!(3), json!(null)] {
            check_refused(Tool::Start, json!({"scope": scope}), "expected scope as text");
        }
        let words = "expected verdict as clean or changes_requested";
        check_refused(Tool::Review, json!({"verdict": "approved"}), words);
        check_refused(Tool::Review, json!({}), "audit_review without verdict; expected verdict");
        let unknown = "audit_review with the unknown argument finding; expected arguments among";
        check_refused(Tool::Review, json!({"verdict": "clean", "finding": 1}), unknown);
    }

    #[test]
    fn equal_calls_have_equal_texts_however_they_are_written() {
        let one =
            json!({"verdict": "clean", "findings": "0", "files": "[\"b\", \"a\"]", "run": "r"});
        let other = json!({"verdict": "CLEAN", "files": ["a", "b", "a"]});
        let text = |arguments| read(Tool::Review, arguments).expect("it can be read").text();
        assert_eq!(text(one), text(other.clone()));
        assert_ne!(text(other), text(json!({"verdict": "clean"})));
    }

    proptest! {
        #[test]
        fn no_text_makes_a_change_out_of_none(text in "[a-zA-Z0-9 ]{0,8}") {
            let call = read(Tool::Simplify, json!({"changed": text}));
            let is_true = text.trim().eq_ignore_ascii_case("true");
            let took = matches!(call, Ok(Call::Simplify(SimplifyCall { changed: true, .. })));
            prop_assert_eq!(took, is_true);
        }
    }
}
