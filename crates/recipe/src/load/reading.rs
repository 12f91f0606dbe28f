//! What is known while a recipe is read: its text, the faults so far, and who uses which name.

use std::ops::Range;

use super::keys::Keys;
use crate::Datum;
use crate::problem::{Problem, ProblemKind, Strictness};
use crate::scope::nearest;
use crate::yaml::{Entry, Value, Yaml};

pub(super) struct Reading<'t> {
    text: &'t str,
    strictness: Strictness,
    /// Names of steps that the calling program adds.
    pub(super) added: &'t [&'t str],
    errors: Vec<Problem>,
    warnings: Vec<Problem>,
    /// The step that is being read.
    step: Option<String>,
    /// Every name that an expression, a template or a script reads.
    pub(super) uses: Vec<NameUse>,
    /// Where steps write what later checks talk about, in the order of the steps.
    pub(super) places: Vec<StepPlaces>,
}

/// A name that is read somewhere.
pub(super) struct NameUse {
    pub(super) name: String,
    pub(super) span: Range<usize>,
    pub(super) step: Option<String>,
}

/// Where a step or a repeated group says who it is and what it writes.
pub(super) struct StepPlaces {
    pub(super) id: String,
    pub(super) id_span: Range<usize>,
    pub(super) output_span: Option<Range<usize>>,
    pub(super) group_span: Option<Range<usize>>,
}

impl<'t> Reading<'t> {
    pub(super) fn new(text: &'t str, strictness: Strictness, added: &'t [&'t str]) -> Self {
        Self {
            text,
            strictness,
            added,
            errors: Vec::new(),
            warnings: Vec::new(),
            step: None,
            uses: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Whether the calling program adds a step of this name.
    pub(super) fn adds(&self, name: &str) -> bool {
        self.added.contains(&name)
    }

    /// Errors and warnings, each in the order of the text.
    pub(super) fn finish(mut self) -> (Vec<Problem>, Vec<Problem>) {
        let start = |problem: &Problem| problem.span.as_ref().map_or(0, |span| span.start);
        self.errors.sort_by_key(start);
        self.warnings.sort_by_key(start);
        (self.errors, self.warnings)
    }

    pub(super) fn error(&mut self, problem: Problem) {
        let problem = self.of_this_step(problem);
        self.errors.push(problem);
    }

    pub(super) fn warn(&mut self, problem: Problem) {
        let problem = self.of_this_step(problem);
        self.warnings.push(problem);
    }

    /// An error that `Lenient` makes a warning.
    pub(super) fn error_unless_lenient(&mut self, problem: Problem) {
        match self.strictness {
            Strictness::Strict => self.error(problem),
            Strictness::Lenient => self.warn(problem),
        }
    }

    fn of_this_step(&self, problem: Problem) -> Problem {
        match (&problem.step, &self.step) {
            (None, Some(step)) => problem.in_step(step),
            _ => problem,
        }
    }

    /// What is reported from now on belongs to this step.
    pub(super) fn enter_step(&mut self, id: Option<&str>) {
        self.step = id.map(str::to_owned);
    }

    pub(super) fn source(&self, span: &Range<usize>) -> &'t str {
        self.text.get(span.clone()).unwrap_or("")
    }

    /// The comment on the line where a value ends.
    pub(super) fn comment_behind(&self, value: &Yaml) -> Option<String> {
        let rest = self.text.get(value.span.end..)?.split('\n').next()?;
        let comment = rest.trim_start().strip_prefix('#')?.trim();
        (!comment.is_empty()).then(|| comment.to_owned())
    }

    pub(super) fn place_in(&self, value: &Yaml, part: &Range<usize>) -> Range<usize> {
        value.part(self.text, part)
    }

    /// Notes that a text or expression reads these names.
    pub(super) fn note_names(&mut self, value: &Yaml, names: Vec<(String, Range<usize>)>) {
        for (name, part) in names {
            let span = self.place_in(value, &part);
            self.uses.push(NameUse { name, span, step: self.step.clone() });
        }
    }

    pub(super) fn unknown_keys(&mut self, entries: &[Entry], keys: &Keys) {
        for entry in entries {
            let key = entry.key.as_str();
            if keys.known.contains(&key) {
                continue;
            }
            let problem = |kind, message| Problem::new(kind, entry.key_span.clone(), message);
            if keys.unsupported.contains(&key) {
                let message = format!("`{key}` is not supported yet");
                self.error_unless_lenient(problem(ProblemKind::Unsupported, message));
                continue;
            }
            let meant = keys.meant.iter().find(|(word, _)| *word == key).map(|(_, meant)| *meant);
            let candidates = keys.known.iter().chain(keys.unsupported).copied();
            let unknown =
                problem(ProblemKind::UnknownKey, format!("unknown key `{key}` in {}", keys.of));
            self.error_unless_lenient(match meant.or_else(|| nearest(key, candidates)) {
                Some(near) => unknown.remedy(format!("did you mean `{near}`?")),
                None => unknown.remedy(format!("there are {}", keys.known.join(", "))),
            });
        }
    }

    /// The entry of a key that must be there.
    pub(super) fn required<'y>(
        &mut self,
        entries: &'y [Entry],
        key: &str,
        of: &Yaml,
    ) -> Option<&'y Entry> {
        let found = entries.iter().find(|entry| entry.key == key);
        if found.is_none() {
            let place = entries.first().map_or(of.span.clone(), |entry| entry.key_span.clone());
            let message = format!("the key `{key}` is missing");
            self.error(Problem::new(ProblemKind::Missing, place, message));
        }
        found
    }

    /// The entries of a map; a null is an empty one.
    pub(super) fn entries<'y>(&mut self, entry: &'y Entry) -> &'y [Entry] {
        match &entry.value.value {
            Value::Map(entries) => entries,
            Value::Scalar(value) if value.kind() == "null" => &[],
            _ => {
                self.wrong_kind(entry, "a map of names and values");
                &[]
            }
        }
    }

    /// A fault of an entry's value.
    pub(super) fn value(&self, entry: &Entry, message: impl Into<String>) -> Problem {
        Problem::new(ProblemKind::Value, entry.value.span.clone(), message)
    }

    pub(super) fn wrong_kind(&mut self, entry: &Entry, wanted: &str) {
        let message = format!("`{}` is {wanted}, found {}", entry.key, entry.value.found());
        let problem = self.value(entry, message);
        self.error(match &entry.value.value {
            Value::Scalar(_) if wanted.starts_with("text") => problem.remedy("put it in quotes"),
            Value::Scalar(Datum::Text(text)) if looks_like_a_number(text) => {
                problem.remedy("write it in decimal, without quotes, leading zeros and separators")
            }
            _ => problem,
        });
    }
}

/// What YAML does not take for a number although it has the look of one: `010`, `1_000`, `"3"`.
fn looks_like_a_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'_' | b'x' | b'o'))
}
