//! Values that are handed on, and the templates in them.

use std::ops::Range;

use super::reading::Reading;
use crate::problem::{Problem, ProblemKind};
use crate::recipe::Binding;
use crate::template::{Braces, braces};
use crate::yaml::{Entry, Value, Yaml};
use crate::{Datum, Template};

impl Reading<'_> {
    /// Named values: texts may hold tokens, everything else stands as it is.
    pub(super) fn bindings(&mut self, entry: &Entry) -> Vec<(String, Binding)> {
        let mut bindings = Vec::new();
        for bound in self.entries(entry) {
            if self.name(bound) {
                bindings.push((bound.key.clone(), self.binding(&bound.value)));
            }
        }
        bindings
    }

    fn binding(&mut self, value: &Yaml) -> Binding {
        if let Value::Scalar(Datum::Text(text)) = &value.value {
            return Binding::Template(self.template_of(value, text));
        }
        self.refuse_inner_tokens(value);
        Binding::Literal(value.to_datum())
    }

    fn refuse_inner_tokens(&mut self, value: &Yaml) {
        match &value.value {
            Value::Scalar(Datum::Text(text)) => {
                for brace in braces(text) {
                    if let Braces::Token(_, part) = brace {
                        let span = self.place_in(value, &part);
                        let message = "tokens inside lists and maps are not supported yet";
                        let problem = Problem::new(ProblemKind::Unsupported, span, message);
                        self.error(problem.remedy("give the value a key of its own"));
                    }
                }
            }
            Value::Scalar(_) => {}
            Value::List(items) => items.iter().for_each(|item| self.refuse_inner_tokens(item)),
            Value::Map(entries) => {
                entries.iter().for_each(|entry| self.refuse_inner_tokens(&entry.value));
            }
        }
    }

    /// Environment of a child: texts with tokens.
    pub(super) fn environment(&mut self, entry: &Entry) -> Vec<(String, Template)> {
        let mut environment = Vec::new();
        for variable in self.entries(entry) {
            if !self.name(variable) {
                continue;
            }
            match &variable.value.value {
                Value::Scalar(Datum::Text(text)) => {
                    let template = self.template_of(&variable.value, text);
                    environment.push((variable.key.clone(), template));
                }
                _ => self.wrong_kind(variable, "text"),
            }
        }
        environment
    }

    pub(super) fn template_of(&mut self, value: &Yaml, text: &str) -> Template {
        let template = Template::parse(text);
        self.note_names(value, template.names());
        self.note_strays(value, template.strays());
        template
    }

    pub(super) fn note_strays(&mut self, value: &Yaml, strays: &[Range<usize>]) {
        for part in strays {
            let span = self.place_in(value, part);
            let message = "`{{` begins no token here and stays as it is";
            let problem = Problem::new(ProblemKind::StrayBraces, span, message);
            self.warn(problem.remedy("a token is `{{name}}` or `{{name.field}}`, without blanks"));
        }
    }
}
