//! The seeker: what is worth a reader's time in this tree.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::args::Invocation;
use crate::catalog::Catalog;
use crate::fault::Fault;
use crate::hit::Hit;
use crate::rule::{Excuse, InTests};
use crate::scan::Scanner;
use crate::source::SourceFile;
use crate::surroundings::Surroundings;
use crate::tree;
use crate::wire::{Findings, Found};

/// Looks at every file below the target; findings are numbered by file and line.
pub(crate) fn seek(call: &Invocation) -> Result<Findings, Fault> {
    let catalog = Catalog::embedded();
    let scanner = Scanner::new(&catalog, &call.root, call.module_loc_limit);
    let paths = tree::files(&call.root, &call.target, &call.skip)?;
    let per_file = on_all_cores(&paths, |path| {
        SourceFile::read(&call.root, path.clone())
            .map_or_else(Vec::new, |file| findings_in(&scanner, &file, call.cycle))
    });
    let mut findings: Vec<Found> = per_file.into_iter().flatten().collect();
    for (number, finding) in (1..).zip(&mut findings) {
        finding.id = format!("F{number}");
    }
    let summary = format!(
        "{} findings in {} files; rules down to depth {}",
        findings.len(),
        paths.len(),
        call.cycle.min(3)
    );
    Ok(Findings { cycle: call.cycle, findings, summary })
}

fn findings_in(scanner: &Scanner, file: &SourceFile, cycle: u32) -> Vec<Found> {
    let scan = scanner.scan(file);
    let reported = scan.hits.iter().filter(|hit| hit.rule.depth <= cycle);
    reported
        .filter(|hit| is_worth_reporting(hit, file.surroundings))
        .map(|hit| Found {
            id: String::new(),
            category: hit.rule.category,
            severity: hit.rule.severity,
            file: file.path.clone(),
            line: hit.line,
            description: hit.description(),
            evidence: hit.evidence.clone(),
            recommendation: hit.rule.recommendation.clone(),
        })
        .collect()
}

/// Leaves out what its author took out of review, and what its surroundings allow.
pub(crate) fn is_worth_reporting(hit: &Hit, surroundings: Surroundings) -> bool {
    let in_tests = hit.in_test || surroundings == Surroundings::Test;
    let fits = match hit.rule.in_tests {
        InTests::Skip => !in_tests && surroundings == Surroundings::Product,
        InTests::Keep => in_tests || surroundings == Surroundings::Product,
        InTests::Only => in_tests,
    };
    let excused = match hit.rule.excuse {
        Excuse::Never => false,
        Excuse::Comment => hit.remark.is_some(),
    };
    fits && !excused && hit.suppressed.is_none()
}

/// Applies a function to each item on all cores; the results keep the order of the items.
fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let take = || {
            let mut results = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else { return results };
                results.push((index, work(item)));
            }
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(take)).collect();
        let joined = threads.into_iter().map(|thread| thread.join().expect("a rule panicked"));
        joined.flatten().collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}
