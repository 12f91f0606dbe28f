//! The rules of D1–D5 without a thought for speed; envelopes other than a JSON string aside.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::Value;
use serde_json::value::RawValue;
use tribunal_verdict::{Class, Wanted};

#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) class: Class,
    pub(crate) json: Option<String>,
    pub(crate) tier: Option<u8>,
    pub(crate) conflict: bool,
    pub(crate) bare_array: bool,
    pub(crate) wrapped: bool,
}

impl Model {
    fn none(class: Class) -> Self {
        let (conflict, bare_array, wrapped) = (false, false, false);
        Self { class, json: None, tier: None, conflict, bare_array, wrapped }
    }

    fn parsed(json: &str, tier: u8) -> Self {
        Self { json: Some(json.to_owned()), tier: Some(tier), ..Self::none(Class::Parsed) }
    }
}

pub(crate) fn extract(raw: &[u8], wanted: &Wanted<'_>) -> Model {
    read(&String::from_utf8_lossy(raw), wanted, true)
}

fn read(text: &str, wanted: &Wanted<'_>, may_unwrap: bool) -> Model {
    let text = trim(text);
    if text.is_empty() {
        return Model::none(Class::Empty);
    }
    for (tier, text) in [(1, text.to_owned()), (2, unfenced(text))] {
        if let Some(object) = whole(&text, '{') {
            let inner = walk(object, wanted).with_key(wanted);
            return match inner {
                Some(model) if !has_key(object, wanted) => model,
                _ => Model::parsed(object, tier),
            };
        }
    }
    if may_unwrap && let Ok(Value::String(inner)) = serde_json::from_str(text) {
        return read(&inner, wanted, false);
    }
    let walk = walk(text, wanted);
    if let Some(model) = walk.with_key(wanted) {
        return model;
    }
    if let Some(array) = walk.array.filter(|array| is_list(array, wanted)) {
        let json = format!("{{{}:{array}}}", Value::from(wanted.key));
        return Model { bare_array: true, ..Model::parsed(&json, 3) };
    }
    walk.outermost.map_or(Model::none(Class::Unparseable), |object| Model::parsed(object, 3))
}

fn trim(text: &str) -> &str {
    let sequences = ["\x1b[0m", "\x1b[32m"];
    let mut rest = text;
    loop {
        let mut next = rest.trim().trim_matches(|letter: char| {
            letter == '\u{FEFF}' || letter.is_control() && letter != '\x1b'
        });
        for sequence in sequences {
            next = next.trim_start_matches(sequence).trim_end_matches(sequence);
        }
        if next == rest {
            return rest;
        }
        rest = next;
    }
}

fn unfenced(text: &str) -> String {
    let is_fence = |line: &str| line.trim().starts_with("```") || line.trim().starts_with("~~~");
    let mut kept = String::new();
    for line in text.split_inclusive('\n') {
        if !is_fence(line) {
            kept.push_str(line);
        } else if kept.trim().is_empty() {
            kept.push_str(object_on(line));
        }
    }
    let text = kept;
    // A closing fence may stand on the line of the last brace.
    let object = text.trim().trim_end_matches(['`', '~']).trim_end();
    let fence = &text.trim()[object.len()..];
    if fence.trim().len() >= 3 { object.to_owned() } else { text.trim().to_owned() }
}

/// An object that starts on the line of its fence.
fn object_on(line: &str) -> &str {
    let (_, rest) = line.split_at(line.find('{').unwrap_or(line.len()));
    match rest.chars().skip(1).find(|letter| !letter.is_whitespace()) {
        None | Some('"' | '}') => rest,
        Some(_) => "",
    }
}

fn whole(text: &str, bracket: char) -> Option<&str> {
    let raw = serde_json::from_str::<&RawValue>(text).ok()?.get();
    raw.starts_with(bracket).then_some(raw)
}

/// The members of an object, of a repeated key the last one; any depth and any number will do.
fn members(object: &str) -> BTreeMap<String, &RawValue> {
    serde_json::from_str(object).expect("an object without lone surrogates")
}

fn elements(array: &str) -> Vec<&RawValue> {
    serde_json::from_str(array).expect("an array")
}

/// A document as it is written, without the blanks outside strings.
fn minified(json: &str) -> String {
    let mut parts: Vec<String> = vec![String::new()];
    let mut escaped = false;
    for letter in json.chars() {
        let in_string = parts.len().is_multiple_of(2);
        let part = parts.last_mut().expect("there is always one");
        if in_string || !letter.is_whitespace() {
            part.push(letter);
        }
        if letter == '"' && !escaped {
            parts.push(String::new());
        }
        escaped = letter == '\\' && !escaped;
    }
    parts.concat()
}

fn has_key(object: &str, wanted: &Wanted<'_>) -> bool {
    members(object).contains_key(wanted.key)
}

fn is_list(array: &str, wanted: &Wanted<'_>) -> bool {
    let entries = elements(array);
    let is_entry = |entry: &&RawValue| entry.get().starts_with('{') && (wanted.entry)(entry);
    !entries.is_empty() && entries.iter().all(is_entry)
}

#[derive(Default)]
struct Walk<'a> {
    /// Start, text, and whether it is a part of a complete object.
    keyed: Vec<(usize, &'a str, bool)>,
    array: Option<&'a str>,
    outermost: Option<&'a str>,
}

impl Walk<'_> {
    fn with_key(&self, wanted: &Wanted<'_>) -> Option<Model> {
        let has_entry = |object: &str| {
            let value = members(object)[wanted.key];
            match value.get().starts_with('[') {
                true => elements(value.get()).into_iter().any(wanted.entry),
                false => (wanted.entry)(value),
            }
        };
        let last = |full: bool| {
            self.keyed
                .iter()
                .filter(|keyed| !full || has_entry(keyed.1))
                .max_by_key(|keyed| keyed.0)
        };
        let (_, object, wrapped) = last(true).or(last(false))?;
        let conflict =
            self.keyed.iter().any(|keyed| minified(keyed.1) != minified(self.keyed[0].1));
        Some(Model { conflict, wrapped: *wrapped, ..Model::parsed(object, 3) })
    }
}

fn walk<'a>(text: &'a str, wanted: &Wanted<'_>) -> Walk<'a> {
    let mut walk = Walk::default();
    let mut passed = BTreeSet::new();
    let (mut from, mut covered) = (0, 0);
    while let Some(offset) = text[from..].find('{') {
        let brace = from + offset;
        let before = text[from..brace].trim_end_matches([' ', '\t', '\n', '\r']);
        let start = if before.ends_with('[') { from + before.len() - 1 } else { brace };
        from = brace + 1;
        if passed.contains(&brace) {
            continue;
        }
        let end = value_end(text, start);
        let objects = objects_met(text, start);
        for (place, inside) in outer_with_key(text, &objects, wanted) {
            walk.keyed.push((place.start, &text[place], inside));
        }
        if let Some(end) = end {
            if start >= covered {
                walk.array = (start < brace).then_some(&text[start..end]).or(walk.array);
                let outermost = objects.iter().rfind(|place| !is_inside(place, &objects));
                walk.outermost = outermost.map(|place| &text[place.clone()]).or(walk.outermost);
            }
            from = end;
        } else {
            passed.extend(places_of_objects(text, start));
            let is_object = has_member(text, start) || looks_like_object(&text[brace + 1..]);
            if start >= covered && is_object {
                covered = lenient_end(text, start);
            }
        }
    }
    walk
}

/// Where the JSON value that starts here ends, if it is one.
fn value_end(text: &str, start: usize) -> Option<usize> {
    let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<&RawValue>();
    stream.next()?.ok()?;
    Some(start + stream.byte_offset())
}

/// The braces from `start` on at which a strict reader from there expects a value.
fn places_of_objects(text: &str, start: usize) -> Vec<usize> {
    let braces = text[start..].match_indices('{').map(|(offset, _)| start + offset);
    braces.filter(|brace| *brace == start || expects_value(&text[start..*brace])).collect()
}

/// Whether a member's colon was read before the text stopped being JSON.
fn has_member(text: &str, start: usize) -> bool {
    let colons = text[start..].match_indices(':').map(|(offset, _)| start + offset);
    colons.into_iter().any(|colon| expects_value(&text[start..=colon]))
}

/// Whether an unfinished value is JSON once `null` and its closing brackets are put after it.
fn expects_value(unfinished: &str) -> bool {
    let mut closers = Vec::new();
    let (mut in_string, mut escaped) = (false, false);
    for letter in unfinished.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '{' => closers.push('}'),
            '[' => closers.push(']'),
            '}' | ']' if closers.pop().is_none() => return false,
            _ => {}
        }
    }
    if closers.is_empty() {
        return false;
    }
    let finished: String =
        unfinished.chars().chain("null".chars()).chain(closers.into_iter().rev()).collect();
    serde_json::from_str::<&RawValue>(&finished).is_ok()
}

/// The objects that a reader from `start` meets; an unfinished one has no end.
fn objects_met(text: &str, start: usize) -> Vec<Range<usize>> {
    let places = places_of_objects(text, start).into_iter();
    places.map(|at| at..value_end(text, at).unwrap_or(usize::MAX)).collect()
}

fn is_inside(place: &Range<usize>, objects: &[Range<usize>]) -> bool {
    objects.iter().any(|other| other.start < place.start && place.end <= other.end)
}

/// Closed objects with the key, those inside another one with the key aside; and whether each is
/// inside any object.
fn outer_with_key(
    text: &str,
    objects: &[Range<usize>],
    wanted: &Wanted<'_>,
) -> Vec<(Range<usize>, bool)> {
    let closed = objects.iter().filter(|place| place.end < usize::MAX);
    let keyed = closed.filter(|place| has_key(&text[(*place).clone()], wanted));
    let keyed: Vec<Range<usize>> = keyed.cloned().collect();
    let outer = keyed.iter().filter(|place| !is_inside(place, &keyed));
    outer.map(|place| (place.clone(), is_inside(place, objects))).collect()
}

fn looks_like_object(text: &str) -> bool {
    let text = text.split(['{', '}']).next().expect("a split has a first part");
    let Some((key, _)) = text.split_once(':') else { return false };
    let key = key.trim();
    let is_word = |name: &str| name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let quoted = |quote: &str| {
        key.len() >= 2
            && key.starts_with(quote)
            && key.ends_with(quote)
            && !key[1..key.len() - 1].contains([quote.chars().next().expect("a quote"), '\n'])
    };
    quoted("\"") || quoted("'") || !key.is_empty() && is_word(key)
}

fn lenient_end(text: &str, start: usize) -> usize {
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    for (offset, letter) in text[start..].char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' | '[' if !in_string => depth += 1,
            '}' | ']' if !in_string => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return start + offset + letter.len_utf8();
        }
    }
    text.len()
}
