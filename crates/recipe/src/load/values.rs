//! The kinds of values a key can have.

use std::time::Duration;

use super::reading::Reading;
use crate::problem::{Problem, ProblemKind};
use crate::recipe::Access;
use crate::scope::is_name;
use crate::yaml::{Entry, Value};
use crate::{Datum, Expr, Script, Template};

impl Reading<'_> {
    /// A text that is not blank.
    pub(super) fn text(&mut self, entry: &Entry) -> Option<String> {
        match &entry.value.value {
            Value::Scalar(Datum::Text(text)) if !text.trim().is_empty() => Some(text.clone()),
            Value::Scalar(Datum::Text(_) | Datum::Null) => {
                let problem = self.value(entry, format!("`{}` is blank", entry.key));
                self.error(problem);
                None
            }
            _ => {
                self.wrong_kind(entry, "text");
                None
            }
        }
    }

    pub(super) fn texts(&mut self, entry: &Entry) -> Vec<String> {
        let Value::List(items) = &entry.value.value else {
            self.wrong_kind(entry, "a list of texts");
            return Vec::new();
        };
        let texts: Vec<_> =
            items.iter().filter_map(|item| item.to_datum().as_text().map(str::to_owned)).collect();
        if texts.len() < items.len() {
            self.wrong_kind(entry, "a list of texts");
        }
        texts
    }

    pub(super) fn flag(&mut self, entry: &Entry) -> Option<bool> {
        if let Value::Scalar(Datum::Bool(value)) = entry.value.value {
            return Some(value);
        }
        let message = format!("`{}` is true or false, found {}", entry.key, entry.value.found());
        let problem = self.value(entry, message);
        self.error(problem.remedy("write true or false, without quotes"));
        None
    }

    /// A whole number from 1.
    pub(super) fn count(&mut self, entry: &Entry) -> Option<u32> {
        let count = match entry.value.value {
            Value::Scalar(Datum::Int(value)) => {
                u32::try_from(value).ok().filter(|count| *count > 0)
            }
            _ => None,
        };
        if count.is_none() {
            self.wrong_kind(entry, "a whole number from 1");
        }
        count
    }

    pub(super) fn seconds(&mut self, entry: &Entry) -> Option<Duration> {
        self.count(entry).map(|seconds| Duration::from_secs(seconds.into()))
    }

    pub(super) fn access(&mut self, entry: &Entry) -> Option<Access> {
        match self.text(entry)?.as_str() {
            "read-only" => Some(Access::ReadOnly),
            "write" => Some(Access::Write),
            other => {
                let problem = self.value(entry, format!("there is no access `{other}`"));
                self.error(problem.remedy("read-only or write"));
                None
            }
        }
    }

    /// Whether a key can be the name of a value.
    pub(super) fn name(&mut self, entry: &Entry) -> bool {
        let fault = if !is_name(&entry.key) {
            "a name is letters, digits and `_`, and begins with no digit"
        } else if entry.key == "setting" {
            "`setting` is the name of the settings"
        } else {
            return true;
        };
        self.error(Problem::new(ProblemKind::Value, entry.key_span.clone(), fault));
        false
    }

    /// The name that a step's result is kept under.
    pub(super) fn output_name(&mut self, entry: &Entry) -> Option<String> {
        let text = self.text(entry)?;
        if is_name(&text) && text != "setting" {
            return Some(text);
        }
        let problem = self.value(entry, format!("`{text}` cannot be the name of an output"));
        self.error(problem.remedy("letters, digits and `_`, beginning with no digit"));
        None
    }

    pub(super) fn expression(&mut self, entry: &Entry) -> Option<Expr> {
        let text = match &entry.value.value {
            Value::Scalar(Datum::Bool(value)) => value.to_string(),
            Value::Scalar(Datum::Text(text)) => text.clone(),
            _ => {
                self.wrong_kind(entry, "text: an expression");
                return None;
            }
        };
        match Expr::parse(&text) {
            Ok(expr) => {
                self.note_names(&entry.value, expr.names());
                Some(expr)
            }
            Err(error) => {
                let span = self.place_in(&entry.value, &error.span);
                let message = format!("`{}`: {}", entry.key, error.message);
                let problem = Problem::new(ProblemKind::Expression, span, message);
                self.error(match error.remedy {
                    Some(remedy) => problem.remedy(remedy),
                    None => problem,
                });
                None
            }
        }
    }

    pub(super) fn template(&mut self, entry: &Entry) -> Option<Template> {
        let text = self.text(entry)?;
        Some(self.template_of(&entry.value, &text))
    }

    pub(super) fn script(&mut self, entry: &Entry) -> Option<Script> {
        match Script::parse(&self.text(entry)?) {
            Ok(script) => {
                self.note_names(&entry.value, script.names());
                self.note_strays(&entry.value, script.strays());
                Some(script)
            }
            Err(faults) => {
                for fault in faults {
                    let span = self.place_in(&entry.value, &fault.span);
                    let problem = Problem::new(ProblemKind::ShellContext, span, fault.message);
                    self.error(problem.remedy(fault.remedy));
                }
                None
            }
        }
    }
}
