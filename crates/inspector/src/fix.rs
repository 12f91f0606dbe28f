//! The fixer: safe rewrites where a rule has one, honest reasons elsewhere.

use std::path::Path;

use crate::args::Invocation;
use crate::catalog::Catalog;
use crate::edit::replace_file;
use crate::fault::Fault;
use crate::hit::rule_id;
use crate::linter::{self, Desk, linter_of};
use crate::scan::{Scan, Scanner};
use crate::source::SourceFile;
use crate::tree;
use crate::validate::nearest;
use crate::wire::{Applied, FixReport, FixStatus, Reported, Skipped};

/// Mends what can be mended; every finding ends up in one of the two lists.
///
/// A finding is written to disk before the next is looked at, so that each edit is judged on the
/// file as it then is.
pub(crate) fn fix(
    call: &Invocation,
    wanted: &[Reported],
    desk: Option<&Desk>,
) -> Result<FixReport, Fault> {
    let catalog = Catalog::with(&call.rules)?;
    let scanner = Scanner::new(&catalog, &call.root, call.module_loc_limit);
    let mut fixes_applied = Vec::new();
    let mut fixes_skipped = Vec::new();
    let (theirs, ours): (Vec<&Reported>, Vec<&Reported>) =
        wanted.iter().partition(|finding| linter_of(finding).is_some());
    let ours =
        ours.into_iter().map(|finding| (finding, mend(&call.root, &catalog, &scanner, finding)));
    let settled: Vec<(&Reported, Result<String, String>)> =
        ours.chain(mend_linted(call, desk, &theirs)).collect();
    for (finding, outcome) in settled {
        let finding_id = finding.id.clone();
        match outcome {
            Ok(change) => fixes_applied.push(Applied {
                finding_id,
                file: finding.file.clone(),
                change,
                test_verified: false,
            }),
            Err(reason) => fixes_skipped.push(Skipped { finding_id, reason }),
        }
    }
    let status = if fixes_skipped.is_empty() { FixStatus::Complete } else { FixStatus::Partial };
    Ok(FixReport {
        cycle: call.cycle,
        total_fixed: fixes_applied.len(),
        total_skipped: fixes_skipped.len(),
        fixes_applied,
        fixes_skipped,
        status,
    })
}

/// What became of the findings of linters, each linter asked for all of its own.
fn mend_linted<'f>(
    call: &Invocation,
    desk: Option<&Desk>,
    wanted: &[&'f Reported],
) -> Vec<(&'f Reported, Result<String, String>)> {
    let mut settled = Vec::new();
    let mut left = wanted.to_vec();
    if let Some(desk) = desk {
        for linter in desk.allowed() {
            let (theirs, others): (Vec<&Reported>, Vec<&Reported>) =
                left.into_iter().partition(|finding| linter_of(finding) == Some(*linter));
            settled.extend(linter::mend(desk, &call.root, *linter, &theirs));
            left = others;
        }
    }
    let why = "the linter that reported it is not allowed here, so no edit of its could be checked";
    settled.extend(left.into_iter().map(|finding| (finding, Err(why.to_owned()))));
    settled
}

/// Says what changed, or why nothing could.
fn mend(
    root: &Path,
    catalog: &Catalog,
    scanner: &Scanner,
    finding: &Reported,
) -> Result<String, String> {
    let place = tree::touchable(root, &finding.file)
        .map_err(|reason| format!("the file cannot be edited: {reason}"))?;
    let rule = rule_id(&finding.description).and_then(|id| catalog.rule(id)).ok_or(
        "the finding names no structural rule; changing this code needs judgement that a \
         structural rule does not have",
    )?;
    if let Some(why) = &rule.unfixable {
        return Err(format!("no rewrite is safe in every context: {why}"));
    }
    let file = SourceFile::read(root, finding.file.clone())
        .ok_or("the file is binary or too large to be read as code")?;
    let before = scanner.scan(&file);
    if before.broken {
        return Err("the file does not parse, so no edit of it can be checked".to_owned());
    }
    let hit = nearest(&before.hits, &rule.id, finding).ok_or_else(|| {
        format!("{} no longer matches this evidence anywhere in the file", rule.id)
    })?;
    let rewrite = hit.rewrite.as_ref().ok_or_else(|| {
        format!("{} has a rewrite for simpler forms of this; here more would be lost", rule.id)
    })?;
    let text = rewrite.apply(&file.text);
    let after = scanner.scan(&SourceFile::new(file.path.clone(), text.clone()));
    check_edit(&before, &after, &rule.id)?;
    replace_file(&place, &text).map_err(|error| format!("the file cannot be written: {error}"))?;
    Ok(rewrite.summary(&file.text))
}

/// The edit must parse, must take this match away, and must not bring another.
fn check_edit(before: &Scan, after: &Scan, rule: &str) -> Result<(), String> {
    let count = |scan: &Scan| scan.hits.iter().filter(|hit| hit.rule.id == rule).count();
    if after.broken {
        return Err("the rewritten file would not parse, so the edit was taken back".to_owned());
    }
    if count(after) >= count(before) {
        return Err(format!("{rule} would still match after the edit, so it was taken back"));
    }
    if after.hits.len() >= before.hits.len() {
        return Err("the edit would bring in another finding, so it was taken back".to_owned());
    }
    Ok(())
}
