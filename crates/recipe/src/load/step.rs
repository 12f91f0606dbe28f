//! Steps and repeated groups.

use std::time::Duration;

use super::kind::kind;
use super::reading::{Reading, StepPlaces};
use super::{find, keys};
use crate::problem::{Problem, ProblemKind};
use crate::recipe::{Max, Node, Repeat, Step, StepKind};
use crate::yaml::{Entry, Value, Yaml};

/// A bash step that runs shorter than this is ended in the middle of ordinary work.
const SHORTEST_TIMEOUT: Duration = Duration::from_secs(1800);

pub(super) fn nodes(entry: &Entry, reading: &mut Reading<'_>) -> Vec<Node> {
    let mut nodes = Vec::new();
    for item in items(entry, reading) {
        let Some(entries) = map_of(item, reading) else { continue };
        let node = match find(entries, "repeat") {
            Some(repeat) => self::repeat(item, entries, repeat, reading).map(Node::Repeat),
            None => step(item, entries, reading).map(Node::Step),
        };
        nodes.extend(node);
        reading.enter_step(None);
    }
    nodes
}

fn items<'y>(entry: &'y Entry, reading: &mut Reading<'_>) -> &'y [Yaml] {
    match &entry.value.value {
        Value::List(items) if !items.is_empty() => items,
        _ => {
            reading.wrong_kind(entry, "a list of one step or more");
            &[]
        }
    }
}

fn map_of<'y>(item: &'y Yaml, reading: &mut Reading<'_>) -> Option<&'y [Entry]> {
    if let Value::Map(entries) = &item.value {
        return Some(entries);
    }
    let message = format!("a step is a map of keys, found {}", item.found());
    reading.error(Problem::new(ProblemKind::Value, item.span.clone(), message));
    None
}

fn repeat(
    item: &Yaml,
    entries: &[Entry],
    repeat: &Entry,
    reading: &mut Reading<'_>,
) -> Option<Repeat> {
    let id = id(item, entries, reading);
    reading.unknown_keys(entries, &keys::REPEATED);
    let condition = find(entries, "condition").and_then(|entry| reading.expression(entry));
    let inside = reading.entries(repeat);
    reading.unknown_keys(inside, &keys::REPEAT);
    let until = reading
        .required(inside, "until", &repeat.value)
        .and_then(|entry| reading.expression(entry));
    let max = reading.required(inside, "max", &repeat.value).and_then(|entry| max(entry, reading));
    let mut steps = Vec::new();
    if let Some(list) = reading.required(inside, "steps", &repeat.value) {
        for item in items(list, reading) {
            let Some(entries) = map_of(item, reading) else { continue };
            steps.extend(step(item, entries, reading));
        }
    }
    Some(Repeat { id: id?, condition, steps, until: until?, max: max?, span: item.span.clone() })
}

fn max(entry: &Entry, reading: &mut Reading<'_>) -> Option<Max> {
    let setting = match &entry.value.value {
        Value::Scalar(crate::Datum::Text(text)) => text.strip_prefix("setting."),
        _ => return reading.count(entry).map(Max::Times),
    };
    let Some(setting) = setting else {
        reading.wrong_kind(entry, "a whole number from 1, or `setting.NAME`");
        return None;
    };
    reading.note_names(&entry.value, vec![(format!("setting.{setting}"), 0..setting.len() + 8)]);
    Some(Max::Setting(setting.to_owned()))
}

fn id(item: &Yaml, entries: &[Entry], reading: &mut Reading<'_>) -> Option<String> {
    reading.enter_step(None);
    let entry = reading.required(entries, "id", item)?;
    let id = reading.text(entry)?;
    reading.enter_step(Some(&id));
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if !id.chars().all(allowed) || id.starts_with(['.', '-']) {
        let problem = reading.value(entry, format!("`{id}` cannot be an id"));
        reading.error(problem.remedy("letters, digits, `_`, `-` and `.`"));
        return None;
    }
    let span_of = |key| find(entries, key).map(|entry| entry.value.span.clone());
    reading.places.push(StepPlaces {
        id: id.clone(),
        id_span: entry.value.span.clone(),
        output_span: span_of("output"),
        group_span: span_of("parallel_group"),
    });
    Some(id)
}

fn step(item: &Yaml, entries: &[Entry], reading: &mut Reading<'_>) -> Option<Step> {
    let id = id(item, entries, reading);
    reading.unknown_keys(entries, &keys::STEP);
    if let Some(entry) = find(entries, "repeat") {
        let message = "a repeated group cannot stand inside another";
        let place = entry.key_span.clone();
        reading.error(Problem::new(ProblemKind::Misplaced, place, message));
    }
    let kind = kind(item, entries, reading);
    let mut flag = |key| find(entries, key).and_then(|entry| reading.flag(entry)).unwrap_or(false);
    let (parse_json, continue_on_error) = (flag("parse_json"), flag("continue_on_error"));
    let timeout = find(entries, "timeout").and_then(|entry| timeout(entry, kind.as_ref(), reading));
    let step = Step {
        condition: find(entries, "condition").and_then(|entry| reading.expression(entry)),
        output: find(entries, "output").and_then(|entry| reading.output_name(entry)),
        parse_json,
        working_dir: find(entries, "working_dir").and_then(|entry| reading.template(entry)),
        timeout,
        parallel_group: find(entries, "parallel_group").and_then(|entry| reading.text(entry)),
        continue_on_error,
        access: find(entries, "access").and_then(|entry| reading.access(entry)),
        env: find(entries, "env").map_or_else(Vec::new, |entry| reading.environment(entry)),
        span: item.span.clone(),
        id: id?,
        kind: kind?,
    };
    Some(step)
}

fn timeout(entry: &Entry, kind: Option<&StepKind>, reading: &mut Reading<'_>) -> Option<Duration> {
    let timeout = reading.seconds(entry)?;
    if matches!(kind, Some(StepKind::Bash { .. })) && timeout < SHORTEST_TIMEOUT {
        let message = format!("a time limit of {} s on a bash step", timeout.as_secs());
        let span = entry.value.span.clone();
        let problem = Problem::new(ProblemKind::ShortTimeout, span, message);
        reading.warn(problem.remedy("leave it out, or give 1800 s or more"));
    }
    Some(timeout)
}
