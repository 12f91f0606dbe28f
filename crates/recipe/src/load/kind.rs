//! What a step does.

use super::find;
use super::reading::Reading;
use crate::ownership::NATIVE_STEPS;
use crate::problem::{Problem, ProblemKind};
use crate::recipe::StepKind;
use crate::scope::nearest;
use crate::yaml::{Entry, Yaml};

/// The keys that belong to one kind of step alone.
const KINDS: [(&str, &[&str]); 4] = [
    ("agent", &["agent", "prompt", "model"]),
    ("bash", &["command"]),
    ("recipe", &["recipe", "context"]),
    ("uses", &["uses", "with"]),
];

/// Reads the keys of the kind that a step has.
pub(super) fn kind(item: &Yaml, entries: &[Entry], reading: &mut Reading<'_>) -> Option<StepKind> {
    let kind = kind_word(entries, reading)?;
    for (other, own_keys) in KINDS.iter().filter(|(other, _)| *other != kind) {
        for entry in entries.iter().filter(|entry| own_keys.contains(&entry.key.as_str())) {
            let message = format!("`{}` does nothing in a step of type {kind}", entry.key);
            let place = entry.key_span.clone();
            let problem = Problem::new(ProblemKind::Misplaced, place, message);
            reading.error(problem.remedy(format!("it belongs to type {other}")));
        }
    }
    let bindings = |key, reading: &mut Reading<'_>| {
        find(entries, key).map_or_else(Vec::new, |entry| reading.bindings(entry))
    };
    match kind {
        "agent" => {
            let agent = reading.required(entries, "agent", item);
            let agent = agent.and_then(|entry| reading.text(entry));
            let prompt = reading.required(entries, "prompt", item);
            let prompt = prompt.and_then(|entry| reading.template(entry));
            let model = find(entries, "model").and_then(|entry| reading.text(entry));
            Some(StepKind::Agent { agent: agent?, prompt: prompt?, model })
        }
        "bash" => {
            let command = reading.required(entries, "command", item)?;
            reading.script(command).map(|script| StepKind::Bash { script })
        }
        "recipe" => {
            let name = reading.required(entries, "recipe", item);
            let name = name.and_then(|entry| reading.text(entry));
            Some(StepKind::Recipe { context: bindings("context", reading), name: name? })
        }
        _ => {
            let name = reading.required(entries, "uses", item);
            let name = name.and_then(|entry| native(entry, reading));
            Some(StepKind::Uses { with: bindings("with", reading), name: name? })
        }
    }
}

/// The kind that is written, or the one that the keys show (the reference's order).
fn kind_word(entries: &[Entry], reading: &mut Reading<'_>) -> Option<&'static str> {
    let has = |key| find(entries, key).is_some();
    let Some(entry) = find(entries, "type") else {
        return Some(match () {
            () if has("uses") => "uses",
            () if has("recipe") => "recipe",
            () if has("agent") || (has("prompt") && !has("command")) => "agent",
            () => "bash",
        });
    };
    let written = reading.text(entry)?;
    let found = KINDS.iter().find(|(kind, _)| *kind == written).map(|(kind, _)| *kind);
    if found.is_none() {
        let problem = reading.value(entry, format!("there is no type of step `{written}`"));
        reading.error(problem.remedy("agent, bash, recipe, or `uses: NAME` without a type"));
    }
    found
}

fn native(entry: &Entry, reading: &mut Reading<'_>) -> Option<String> {
    let name = reading.text(entry)?;
    if NATIVE_STEPS.iter().any(|(native, _)| *native == name) || reading.adds(&name) {
        return Some(name);
    }
    let problem = Problem::new(
        ProblemKind::Unsupported,
        entry.value.span.clone(),
        format!("there is no native step `{name}`, and contributed steps are not supported yet"),
    );
    let natives = NATIVE_STEPS.iter().map(|(native, _)| *native);
    let known = natives.chain(reading.added.iter().copied());
    reading.error(match nearest(&name, known) {
        Some(near) => problem.remedy(format!("did you mean `{near}`?")),
        None => problem,
    });
    None
}
