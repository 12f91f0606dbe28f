//! A validator: its word on each finding, by one of three eyes.

use std::collections::BTreeMap;
use std::path::Path;

use crate::args::Invocation;
use crate::catalog::Catalog;
use crate::eyes::{Eye, Opinion};
use crate::fault::Fault;
use crate::hit::{Hit, rule_id};
use crate::linter::{Desk, Recheck, ask_again};
use crate::scan::{Scan, Scanner};
use crate::source::SourceFile;
use crate::survey::Survey;
use crate::tree;
use crate::wire::{AuditFindings, Ballot, Reported, Vote};

/// Votes on the findings of this cycle; carried ones were confirmed before.
///
/// Abstains where a structural rule has nothing to say.
pub(crate) fn validate(
    call: &Invocation,
    asked: &AuditFindings,
    desk: Option<&Desk>,
    notes: &mut Vec<String>,
) -> Result<Ballot, Fault> {
    let catalog = Catalog::with(&call.rules)?;
    let eye = Eye::of(call.validator);
    // What the project does all over is the adversary's argument alone.
    let survey = match eye {
        Eye::Adversary if !asked.findings.is_empty() => Some(Survey::of(call, &catalog, notes)?),
        Eye::Now | Eye::Context | Eye::Adversary => None,
    };
    let again = |desk| ask_again(desk, &call.root, &asked.findings, notes);
    let answers = desk.map_or_else(Vec::new, again);
    let mut bench = Bench {
        scanner: Scanner::new(&catalog, &call.root, call.module_loc_limit),
        root: &call.root,
        survey,
        recheck: Recheck::of(&answers),
        seen: BTreeMap::new(),
    };
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
    Ok(Ballot { cycle: call.cycle, validated })
}

/// Files on the table, each read and parsed once.
struct Bench<'r> {
    scanner: Scanner<'r>,
    root: &'r Path,
    survey: Option<Survey<'r>>,
    recheck: Recheck<'r>,
    seen: BTreeMap<String, Option<(SourceFile, Scan<'r>)>>,
}

impl<'r> Bench<'r> {
    fn opinion(&mut self, catalog: &Catalog, eye: Eye, finding: &Reported) -> Option<Opinion> {
        if let Err(reason) = tree::touchable(self.root, &finding.file) {
            return Some(Opinion::false_positive(format!("nothing can be shown there: {reason}")));
        }
        self.read(&finding.file);
        let Self { seen, survey, recheck, .. } = self;
        let Some((file, scan)) = seen.get(&finding.file).and_then(Option::as_ref) else {
            return Some(Opinion::false_positive(
                "the file is binary or too large to be read as code",
            ));
        };
        let rule = rule_id(&finding.description).and_then(|id| catalog.rule(id));
        let Some(rule) = rule else {
            let again = recheck.opinion(eye, finding);
            return again.or_else(|| foreign(file, finding));
        };
        let count = survey.as_ref().map(|survey| survey.count(rule)).unwrap_or_default();
        Some(match nearest(&scan.hits, &rule.id, finding) {
            Some(hit) => eye.judge(hit, file, finding.line, count),
            None => Opinion::false_positive(format!(
                "{} does not match this evidence in the file as it is now",
                rule.id
            )),
        })
    }

    fn read(&mut self, path: &str) {
        if !self.seen.contains_key(path) {
            let read = SourceFile::read(self.root, path.to_owned());
            let scanned = read.map(|file| {
                let scan = self.scanner.scan(&file);
                (file, scan)
            });
            self.seen.insert(path.to_owned(), scanned);
        }
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
    hits: &'s [Hit<'r>],
    rule: &str,
    finding: &Reported,
) -> Option<&'s Hit<'r>> {
    let evidence = folded(&finding.evidence);
    hits.iter()
        .filter(|hit| hit.rule.id == rule && folded(&hit.evidence) == evidence)
        .min_by_key(|hit| hit.line.unwrap_or(0).abs_diff(finding.line.unwrap_or(0)))
}

/// With single blanks, so that indentation and line ends do not tell texts apart.
pub(crate) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
