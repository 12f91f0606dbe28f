//! A YAML text as a tree in which every key and value knows its place.
//!
//! One function reads recipes: strict booleans, `007` and `1_000` stay text, at most 20,000 nodes and
//! 1,000,000 bytes, no merge keys, one document (DESIGN §7).

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy};

use crate::datum::{Datum, Fields};
use crate::problem::{Problem, ProblemKind};

const MAX_BYTES: usize = 1_000_000;
const MAX_NODES: usize = 20_000;

/// A value with its place in the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Yaml {
    pub(crate) span: Range<usize>,
    pub(crate) value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// Null, boolean, number or text.
    Scalar(Datum),
    List(Vec<Yaml>),
    Map(Vec<Entry>),
}

/// One key of a map and its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_span: Range<usize>,
    pub(crate) value: Yaml,
}

impl Yaml {
    /// The word for what stands here.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.value {
            Value::Scalar(value) => value.kind(),
            Value::List(_) => "list",
            Value::Map(_) => "map",
        }
    }

    pub(crate) fn to_datum(&self) -> Datum {
        match &self.value {
            Value::Scalar(value) => value.clone(),
            Value::List(items) => Datum::List(items.iter().map(Self::to_datum).collect()),
            Value::Map(entries) => {
                let fields: Fields = entries
                    .iter()
                    .map(|entry| (entry.key.clone(), entry.value.to_datum()))
                    .collect();
                Datum::Map(fields)
            }
        }
    }

    /// Where a part of this text value stands in `source`; the whole value where that cannot be told.
    pub(crate) fn part(&self, source: &str, part: &Range<usize>) -> Range<usize> {
        let Value::Scalar(Datum::Text(text)) = &self.value else { return self.span.clone() };
        let written = source.get(self.span.clone()).unwrap_or("");
        let placed = match written.find(text.as_str()) {
            Some(at) if !text.is_empty() => Some(at + part.start..at + part.end),
            _ => block_part(written, text, part),
        };
        match placed {
            Some(inner) if inner.end <= written.len() => {
                self.span.start + inner.start..self.span.start + inner.end
            }
            _ => self.span.clone(),
        }
    }
}

/// Finds a part of a `|` block by its line: each line of the text stands on its own, indented; the
/// first begins where the value does.
fn block_part(written: &str, text: &str, part: &Range<usize>) -> Option<Range<usize>> {
    let before = text.get(..part.start)?;
    let line_number = before.matches('\n').count();
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    let line = text.split('\n').nth(line_number)?;
    let start: usize = written.split_inclusive('\n').take(line_number).map(str::len).sum();
    let written_line = written.get(start..)?.split('\n').next()?;
    let indent = written_line.strip_suffix(line)?.len();
    let length = part.len().min(line.len().checked_sub(column)?);
    let at = start + indent + column;
    Some(at..at + length)
}

/// Reads a YAML text; keys given twice are kept, and reported as problems.
pub(crate) fn read(text: &str) -> Result<(Yaml, Vec<Problem>), Problem> {
    if text.len() > MAX_BYTES {
        let message = format!("the recipe is longer than {MAX_BYTES} bytes");
        return Err(Problem::new(ProblemKind::Syntax, 0..0, message));
    }
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: MAX_NODES,
            max_events: 4 * MAX_NODES,
            max_documents: 1,
            max_depth: 32,
            flow_nesting_limit: 32,
        },
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        emit_comments: false,
        with_snippet: false,
    };
    let read: Result<Spanned<Value>, _> = serde_saphyr::from_str_with_options(text, options);
    let tree = read.map(yaml).map_err(|error| syntax(text, &error))?;
    let mut problems = Vec::new();
    duplicates(&tree, &mut problems);
    Ok((tree, problems))
}

fn duplicates(tree: &Yaml, problems: &mut Vec<Problem>) {
    match &tree.value {
        Value::Scalar(_) => {}
        Value::List(items) => items.iter().for_each(|item| duplicates(item, problems)),
        Value::Map(entries) => {
            let mut seen = std::collections::HashSet::new();
            for entry in entries {
                if !seen.insert(entry.key.as_str()) {
                    let message = format!("duplicate key `{}`", entry.key);
                    let problem =
                        Problem::new(ProblemKind::DuplicateKey, entry.key_span.clone(), message);
                    problems.push(problem.remedy("keep one of them"));
                }
                duplicates(&entry.value, problems);
            }
        }
    }
}

fn syntax(text: &str, error: &serde_saphyr::Error) -> Problem {
    let span = error.location().map_or(0..0, |location| place(text, &location));
    let line_start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].split('\n').next().unwrap_or("");
    let problem = |message: String| Problem::new(ProblemKind::Syntax, span.clone(), message);
    let written = error.without_snippet().to_string();
    if written.starts_with("budget breached") {
        return problem(format!(
            "more than one document, or more than {MAX_NODES} values with aliases counted as often \
             as they are used"
        ));
    }
    // The place travels in the span.
    let message = written.split(" at line ").next().unwrap_or(&written).trim().to_owned();
    if line.trim_start_matches(' ').starts_with('\t') {
        problem(message).remedy("indent with spaces, not with tabs")
    } else {
        problem(message)
    }
}

/// Bytes of a place; the scanner's own faults know line and column alone.
fn place(text: &str, location: &serde_saphyr::Location) -> Range<usize> {
    let span = location.span();
    if span.byte_offset().is_some() {
        let (start, length) = (known(span.byte_offset()), known(span.byte_len()));
        let start = floor_boundary(text, start);
        return start..floor_boundary(text, start.saturating_add(length)).max(start);
    }
    let line_number = known(Some(location.line().saturating_sub(1)));
    let column = known(Some(location.column().saturating_sub(1)));
    let line_start: usize = text.split_inclusive('\n').take(line_number).map(str::len).sum();
    let line = text[line_start..].split('\n').next().unwrap_or("");
    let start = line_start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    let length = text[start..].chars().next().map_or(0, char::len_utf8);
    start..start + length
}

fn known(number: Option<u64>) -> usize {
    number.and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
}

fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn yaml(spanned: Spanned<Value>) -> Yaml {
    let span = spanned.referenced.span();
    let start = known(span.byte_offset());
    let mut end = start + known(span.byte_len());
    // A list or map is told by its beginning alone: it ends with what it holds.
    match &spanned.value {
        Value::Scalar(_) => {}
        Value::List(items) => end = items.last().map_or(end, |item| item.span.end.max(end)),
        Value::Map(entries) => {
            end = entries.last().map_or(end, |entry| entry.value.span.end.max(end));
        }
    }
    Yaml { span: start..end, value: spanned.value }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyNode)
    }
}

struct AnyNode;

impl<'de> Visitor<'de> for AnyNode {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any YAML value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Scalar(Datum::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Scalar(Datum::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Scalar(Datum::Int(value)))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Value, E> {
        let value = i64::try_from(value).map_err(|_| E::custom("a number beyond 64 bits"))?;
        Ok(Value::Scalar(Datum::Int(value)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Scalar(Datum::Float(value)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Scalar(Datum::from(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element::<Spanned<Value>>()? {
            items.push(yaml(item));
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = map.next_entry::<Spanned<String>, Spanned<Value>>()? {
            let span = key.referenced.span();
            let start = known(span.byte_offset());
            let key_span = start..start + known(span.byte_len());
            entries.push(Entry { key: key.value, key_span, value: yaml(value) });
        }
        Ok(Value::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &str) -> Vec<Entry> {
        match read(text).expect("valid YAML").0.value {
            Value::Map(entries) => entries,
            other => panic!("{other:?}"),
        }
    }

    fn check_value(yaml: &str, expected: Datum) {
        assert_eq!(entries(&format!("k: {yaml}\n"))[0].value.to_datum(), expected, "{yaml}");
    }

    #[test]
    fn values_mean_what_they_look_like() {
        check_value("true", Datum::Bool(true));
        check_value("False", Datum::Bool(false));
        check_value("no", Datum::from("no"));
        check_value("off", Datum::from("off"));
        check_value("'true'", Datum::from("true"));
        check_value("007", Datum::from("007"));
        check_value("1_000", Datum::from("1_000"));
        check_value("12", Datum::Int(12));
        check_value("1.5", Datum::Float(1.5));
        check_value("", Datum::Null);
        check_value("~", Datum::Null);
        check_value("[1, {a: b}]", Datum::from_json(r#"[1,{"a":"b"}]"#).expect("valid"));
    }

    #[test]
    fn keys_and_values_know_their_place() {
        let text = "a: one\n'b c': 'two'\nd:\n  e: [1, 2]\n";
        let found = entries(text);
        let keys: Vec<_> = found.iter().map(|entry| &text[entry.key_span.clone()]).collect();
        assert_eq!(keys, ["a", "'b c'", "d"]);
        assert_eq!(&text[found[0].value.span.clone()], "one");
        assert_eq!(&text[found[1].value.span.clone()], "'two'");
        assert!(text[found[2].value.span.clone()].ends_with('2'));
    }

    fn check_part(text: &str, part: &str) {
        let value = &entries(text)[0].value;
        let Value::Scalar(Datum::Text(content)) = &value.value else { panic!("{value:?}") };
        let at = content.find(part).expect("the part is in the value");
        let place = value.part(text, &(at..at + part.len()));
        assert_eq!(&text[place], part, "{text}");
    }

    #[test]
    fn a_part_of_a_text_is_found_again_in_the_source() {
        check_part("k: one {{two}} three\n", "{{two}}");
        check_part("k: \"one {{two}} three\"\n", "{{two}}");
        check_part("k: |\n  é one\n    {{two}}\n\n  three {{four}}\n", "{{two}}");
        check_part("k: |\n  é one\n    {{two}}\n\n  three {{four}}\n", "{{four}}");
        check_part("k: |-\n  {{two}}", "{{two}}");
    }

    #[test]
    fn a_part_that_cannot_be_placed_is_the_whole_value() {
        let text = "k: >\n  one\n  {{two}}\n";
        let value = &entries(text)[0].value;
        assert_eq!(value.part(text, &(4..11)), value.span);
    }

    fn check_refused(text: &str, at: &str, message: &str, remedy: Option<&str>) {
        let problem = read(text).expect_err(text);
        let span = problem.span.expect("a place");
        assert!(problem.message.contains(message), "{text}: {}", problem.message);
        assert!(text[span.start..].starts_with(at), "{text}: {span:?}");
        assert_eq!(problem.remedy.as_deref(), remedy, "{text}");
    }

    #[test]
    fn what_is_no_yaml_is_refused_with_its_place() {
        let tabs = Some("indent with spaces, not with tabs");
        check_refused("a:\n\tb: 2\n", "b", "tab", tabs);
        check_refused("a: 1\nb: [", "[", "unclosed bracket", None);
        check_refused("a: b: c\n", ": c", "mapping values", None);
        check_refused("a: &x {}\n<<: *x\n", "<<", "merge keys", None);
        check_refused("---\na: 1\n---\nb: 1\n", "---\nb", "more than one document", None);
    }

    #[test]
    fn a_bomb_of_aliases_and_deep_nesting_are_refused() {
        let mut bomb = String::from("a0: &a0 [x, x]\n");
        for i in 1..30 {
            bomb.push_str(&format!("a{i}: &a{i} [*a{0}, *a{0}]\n", i - 1));
        }
        bomb.push_str("steps: *a29\n");
        let problem = read(&bomb).expect_err("a bomb");
        assert!(problem.message.contains("more than 20000 values"), "{problem}");
        read(&format!("a: {}", "[".repeat(20_000))).expect_err("nested too deep");
        read(&"a: 1\n".repeat(250_000)).expect_err("too long");
    }

    #[test]
    fn every_duplicate_key_is_reported_at_its_place() {
        let text = "a: 1\nb:\n  - c: 1\n    c: 2\na: 3\n";
        let (_, problems) = read(text).expect("valid YAML");
        let found: Vec<_> = problems.iter().map(|p| (p.message.as_str(), p.span.clone())).collect();
        assert_eq!(
            found,
            [("duplicate key `c`", Some(21..22)), ("duplicate key `a`", Some(26..27))]
        );
    }
}
