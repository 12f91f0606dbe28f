//! A validator: its word on each finding, by one of three eyes.

use std::collections::BTreeMap;
use std::path::Path;

use crate::args::Invocation;
use crate::catalog::Catalog;
use crate::eyes::{Eye, Opinion};
use crate::hit::{Hit, rule_id};
use crate::scan::{Scan, Scanner};
use crate::source::SourceFile;
use crate::tree;
use crate::wire::{AuditFindings, Ballot, Reported, Vote};

/// Votes on the findings of this cycle; carried ones were confirmed before. Abstains where a structural rule has nothing to say.
pub(crate) fn validate(call: &Invocation, asked: &AuditFindings) -> Ballot {
    let catalog = Catalog::embedded();
    let mut bench = Bench {
        scanner: Scanner::new(&catalog, &call.root, call.module_loc_limit),
        root: &call.root,
        seen: BTreeMap::new(),
    };
    let eye = Eye::of(call.validator);
    let validated = asked
        .findings
        .iter()
        .filter_map(|finding| {
            let opinion = bench.opinion(&catalog, eye, finding)?;
            Some(Vote {
                finding_id: finding.id.clone(),
                verdict: opinion.word,
                new_severity: opinion.new_severity,
                reasoning: opinion.reasoning,
            })
        })
        .collect();
    Ballot { cycle: call.cycle, validated }
}

/// Files on the table, each read and parsed once.
struct Bench<'r> {
    scanner: Scanner<'r>,
    root: &'r Path,
    seen: BTreeMap<String, Option<(SourceFile, Scan<'r>)>>,
}

impl<'r> Bench<'r> {
    fn opinion(&mut self, catalog: &Catalog, eye: Eye, finding: &Reported) -> Option<Opinion> {
        if let Err(reason) = tree::touchable(self.root, &finding.file) {
            return Some(Opinion::false_positive(format!("nothing can be shown there: {reason}")));
        }
        let Some((file, scan)) = self.file(&finding.file) else {
            return Some(Opinion::false_positive(
                "the file is binary or too large to be read as code",
            ));
        };
        let rule = rule_id(&finding.description).and_then(|id| catalog.rule(id));
        let Some(rule) = rule else { return foreign(file, finding) };
        Some(match nearest(scan, &rule.id, finding) {
            Some(hit) => eye.judge(hit, file, finding.line),
            None => Opinion::false_positive(format!(
                "{} does not match this evidence in the file as it is now",
                rule.id
            )),
        })
    }

    fn file(&mut self, path: &str) -> Option<&(SourceFile, Scan<'r>)> {
        if !self.seen.contains_key(path) {
            let read = SourceFile::read(self.root, path.to_owned());
            let scanned = read.map(|file| {
                let scan = self.scanner.scan(&file);
                (file, scan)
            });
            self.seen.insert(path.to_owned(), scanned);
        }
        self.seen.get(path)?.as_ref()
    }
}

/// A finding of another agent: that its evidence is absent can be seen, that it is right cannot.
fn foreign(file: &SourceFile, finding: &Reported) -> Option<Opinion> {
    let evidence = folded(&finding.evidence);
    let absent = !evidence.is_empty() && !folded(&file.text).contains(&evidence);
    absent.then(|| Opinion::false_positive("the evidence does not stand in the file"))
}

/// The hit of that rule with the same evidence, nearest to the reported line.
pub(crate) fn nearest<'s, 'r>(
    scan: &'s Scan<'r>,
    rule: &str,
    finding: &Reported,
) -> Option<&'s Hit<'r>> {
    let evidence = folded(&finding.evidence);
    scan.hits
        .iter()
        .filter(|hit| hit.rule.id == rule && folded(&hit.evidence) == evidence)
        .min_by_key(|hit| hit.line.unwrap_or(0).abs_diff(finding.line.unwrap_or(0)))
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
