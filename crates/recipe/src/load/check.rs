//! What can be told only once all steps are known: names, owners, groups.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::reading::Reading;
use crate::ownership::{SETTINGS, owner_word, side_names};
use crate::problem::{Problem, ProblemKind};
use crate::recipe::{Recipe, Step};
use crate::scope::nearest;

pub(super) fn check(recipe: &Recipe, reading: &mut Reading<'_>) {
    unique_ids(reading);
    declared_names(recipe, reading);
    owners(recipe, reading);
    groups(recipe, reading);
}

fn unique_ids(reading: &mut Reading<'_>) {
    let mut seen = BTreeSet::new();
    let mut problems = Vec::new();
    for place in &reading.places {
        if !seen.insert(place.id.as_str()) {
            let message = format!("two steps have the id `{}`", place.id);
            let problem = Problem::new(ProblemKind::DuplicateId, place.id_span.clone(), message);
            problems.push(problem.in_step(&place.id));
        }
    }
    problems.into_iter().for_each(|problem| reading.error(problem));
}

/// Every name that is read must be declared: in the context, or as an output.
fn declared_names(recipe: &Recipe, reading: &mut Reading<'_>) {
    let mut declared: BTreeSet<&str> =
        recipe.context.iter().map(|variable| variable.name.as_str()).collect();
    for step in recipe.all_steps() {
        declared.extend(step.output.as_deref());
        declared.extend(side_names(step));
    }
    let settings = SETTINGS.map(|name| format!("setting.{name}"));
    let known = || declared.iter().copied().chain(settings.iter().map(String::as_str));
    let mut problems = Vec::new();
    for used in &reading.uses {
        if known().any(|name| name == used.name) || used.name == "setting" {
            continue;
        }
        let message = format!("nothing declares `{}`", used.name);
        let mut problem = Problem::new(ProblemKind::UndeclaredName, used.span.clone(), message);
        problem.step.clone_from(&used.step);
        problems.push(match nearest(&used.name, known()) {
            Some(near) => problem.remedy(format!("did you mean `{near}`?")),
            None => problem.remedy("declare it under `context:`, or as the `output:` of a step"),
        });
    }
    problems.into_iter().for_each(|problem| reading.error(problem));
}

/// An output of a native or contract step belongs to it (DESIGN §3).
fn owners(recipe: &Recipe, reading: &mut Reading<'_>) {
    let mut writers: BTreeMap<&str, Vec<&Step>> = BTreeMap::new();
    for step in recipe.all_steps() {
        for name in step.output.as_deref().into_iter().chain(side_names(step).iter().copied()) {
            writers.entry(name).or_default().push(step);
        }
    }
    for (name, steps) in writers {
        let Some((owner, word)) =
            steps.iter().find_map(|step| owner_word(step).map(|word| (*step, word)))
        else {
            continue;
        };
        for other in steps.iter().filter(|step| step.id != owner.id) {
            let message = format!("`{name}` belongs to the step `{}` ({word})", owner.id);
            let place = place_of(reading, &other.id, |place| place.output_span.clone());
            let problem = Problem::new(ProblemKind::Ownership, place, message).in_step(&other.id);
            reading.error(problem.remedy("keep the result under another name"));
        }
    }
}

fn groups(recipe: &Recipe, reading: &mut Reading<'_>) {
    let steps: Vec<&Step> = recipe.all_steps().collect();
    let mut runs: Vec<Vec<&Step>> = Vec::new();
    for step in steps {
        match (runs.last_mut(), &step.parallel_group) {
            (Some(run), Some(_)) if run[0].parallel_group == step.parallel_group => run.push(step),
            _ => runs.push(vec![step]),
        }
    }
    let mut seen = BTreeSet::new();
    for run in runs {
        let Some(group) = run[0].parallel_group.as_deref() else { continue };
        if !seen.insert(group) {
            let message = format!("the group `{group}` is interrupted and begins anew here");
            let problem = group_problem(reading, run[0], message);
            reading.warn(problem.remedy("put its steps beside one another"));
        }
        two_writers(&run, group, reading);
        dependent_members(&run, group, reading);
    }
}

fn two_writers(run: &[&Step], group: &str, reading: &mut Reading<'_>) {
    let mut writers = run.iter().filter(|step| step.may_write());
    let Some(first) = writers.next() else { return };
    for second in writers {
        let message = format!(
            "`{}` and `{}` may both change files, and run at once in the group `{group}`",
            first.id, second.id
        );
        let problem = group_problem(reading, second, message);
        reading.error(problem.remedy("add `access: read-only` to the one that changes none"));
    }
}

/// Members run at once: none can see what another gives.
fn dependent_members(run: &[&Step], group: &str, reading: &mut Reading<'_>) {
    let mut problems = Vec::new();
    for used in &reading.uses {
        let Some(reader) = run.iter().find(|step| used.step.as_deref() == Some(&step.id)) else {
            continue;
        };
        let writer = run.iter().find(|step| step.output.as_deref() == Some(&used.name));
        if let Some(writer) = writer.filter(|writer| writer.id != reader.id) {
            let message = format!(
                "`{}` is what `{}` gives, which runs at the same time in the group `{group}`",
                used.name, writer.id
            );
            let problem = Problem::new(ProblemKind::ParallelGroup, used.span.clone(), message);
            problems.push(problem.in_step(&reader.id));
        }
    }
    problems.into_iter().for_each(|problem| reading.error(problem));
}

fn group_problem(reading: &Reading<'_>, step: &Step, message: String) -> Problem {
    let place = place_of(reading, &step.id, |place| place.group_span.clone());
    Problem::new(ProblemKind::ParallelGroup, place, message).in_step(&step.id)
}

fn place_of(
    reading: &Reading<'_>,
    id: &str,
    of: impl Fn(&super::reading::StepPlaces) -> Option<Range<usize>>,
) -> Range<usize> {
    let place = reading.places.iter().rfind(|place| place.id == id);
    place.map_or(0..0, |place| of(place).unwrap_or_else(|| place.id_span.clone()))
}
