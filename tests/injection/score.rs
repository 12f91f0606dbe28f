//! What was found of what was planted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::kind::{Intent, Kind};
use crate::language::Language;
use crate::planting::Plant;
use crate::wire::Finding;

/// Lines a finding may lie beside a fault; a rule may point at what stands around it.
const TOLERANCE: usize = 2;
/// Of a hundred faults so many are found at least.
const LEAST_RECALL: usize = 95;
/// Of a hundred look-alikes so many are reported at most.
const MOST_FALSE: usize = 2;

/// A finding as it can be told again in a file whose lines have moved.
type Mark = (String, String, String);

/// How the plants of one run fared.
#[derive(Default)]
pub(super) struct Score {
    seen: Vec<(Plant, Option<Finding>)>,
}

impl Score {
    /// Counts the plants of one tree; `before` are the findings in the untouched packages.
    pub(super) fn count(&mut self, plants: &[Plant], findings: &[Finding], before: &[Finding]) {
        let known: BTreeSet<Mark> = before.iter().map(mark).collect();
        for plant in plants {
            let seen = findings.iter().find(|finding| match plant.intent {
                Intent::Fault => is_found(plant, finding),
                Intent::LookAlike => is_on(plant, finding, 0) && !known.contains(&mark(finding)),
            });
            self.seen.push((plant.clone(), seen.cloned()));
        }
    }

    /// Whether the figures of the issue hold.
    pub(super) fn holds(&self) -> bool {
        let (faults, found) = self.figures(|plant| plant.intent == Intent::Fault);
        let (look_alikes, reported) = self.figures(|plant| plant.intent == Intent::LookAlike);
        found * 100 >= faults * LEAST_RECALL && reported * 100 <= look_alikes * MOST_FALSE
    }

    /// How many plants of a sort there are, and how many of them have a finding.
    fn figures(&self, is_meant: impl Fn(&Plant) -> bool) -> (usize, usize) {
        let meant = self.seen.iter().filter(|(plant, _)| is_meant(plant));
        meant.fold((0, 0), |(all, seen), (_, finding)| {
            (all + 1, seen + usize::from(finding.is_some()))
        })
    }

    /// Found faults and reported look-alikes by kind and language, as a table in Markdown.
    pub(super) fn table(&self) -> String {
        let mut table = String::from("| found/faults, reported/look-alikes |");
        for language in Language::ALL {
            write!(table, " {} |", language.name()).expect("text grows");
        }
        table.push_str(" all |\n| --- |");
        table.push_str(&" --- |".repeat(Language::ALL.len() + 1));
        table.push('\n');
        let kinds: BTreeSet<Kind> = self.seen.iter().map(|(plant, _)| plant.kind).collect();
        for kind in kinds {
            self.row(&mut table, kind.word(), |plant| plant.kind == kind);
        }
        self.row(&mut table, "all", |_| true);
        table
    }

    fn row(&self, table: &mut String, name: &str, is_meant: impl Fn(&Plant) -> bool) {
        write!(table, "| {name} |").expect("text grows");
        let languages = Language::ALL.map(Some).into_iter().chain([None]);
        for language in languages {
            let figures = |intent| {
                self.figures(|plant| {
                    is_meant(plant)
                        && plant.intent == intent
                        && language.is_none_or(|language| plant.language == language)
                })
            };
            let (faults, found) = figures(Intent::Fault);
            let (look_alikes, reported) = figures(Intent::LookAlike);
            if faults + look_alikes == 0 {
                table.push_str(" |");
            } else {
                write!(table, " {found}/{faults}, {reported}/{look_alikes} |").expect("text grows");
            }
        }
        table.push('\n');
    }

    /// Every missed fault and every reported look-alike, by language and kind.
    pub(super) fn failures(&self) -> String {
        let mut wrong: BTreeMap<(Language, Kind, Intent), Vec<String>> = BTreeMap::new();
        for (plant, finding) in &self.seen {
            let text = match (plant.intent, finding) {
                (Intent::Fault, None) => "missed".to_owned(),
                (Intent::LookAlike, Some(finding)) => {
                    format!(
                        "falsely reported at line {}: {} ({})",
                        finding.line, finding.description, finding.category
                    )
                }
                (Intent::Fault, Some(_)) | (Intent::LookAlike, None) => continue,
            };
            let place = format!("{}:{}", plant.path, plant.first);
            let excerpt = excerpt(&plant.excerpt);
            let entry = format!("{place}: {text}\n```\n{excerpt}\n```\n");
            wrong.entry((plant.language, plant.kind, plant.intent)).or_default().push(entry);
        }
        let mut text = String::new();
        for ((language, kind, intent), entries) in wrong {
            let intent = match intent {
                Intent::Fault => "missed faults",
                Intent::LookAlike => "reported look-alikes",
            };
            write!(text, "\n### {}: {}, {intent}\n\n", language.name(), kind.word())
                .expect("text grows");
            text.push_str(&entries.join("\n"));
        }
        text
    }
}

fn is_found(plant: &Plant, finding: &Finding) -> bool {
    plant.kind.categories().contains(&finding.category.as_str()) && is_on(plant, finding, TOLERANCE)
}

fn is_on(plant: &Plant, finding: &Finding, tolerance: usize) -> bool {
    let lines = plant.first..=plant.last + 2 * tolerance;
    finding.file == plant.path && lines.contains(&(finding.line + tolerance))
}

fn mark(finding: &Finding) -> Mark {
    let line = finding.evidence.lines().next().unwrap_or("").trim();
    (finding.file.clone(), finding.category.clone(), line.to_owned())
}

/// Enough of it to know it again.
fn excerpt(lines: &[String]) -> String {
    const MOST: usize = 16;
    let mut shown: Vec<&str> = lines.iter().take(MOST).map(String::as_str).collect();
    let more = format!("… {} more lines", lines.len().saturating_sub(MOST));
    if lines.len() > MOST {
        shown.push(&more);
    }
    shown.join("\n")
}
