//! `cargo xtask precision [--check]`: is what the inspector reports worth reading?
//!
//! A person says so, for a sample of the findings in packages that nobody prepared. The sample and the
//! verdicts stand in one document.

use std::path::Path;

use crate::failure::{Failure, Problem};
use crate::packages::{self, Specimen};
use page::{Page, Section};
use share::TARGET;
use verdicts::Verdicts;

mod draw;
mod page;
mod share;
mod verdicts;

/// Where sample and verdicts stand.
const DOCUMENT: &str = "docs/inspector-precision.md";

/// Draws the sample and brings the document up to date; with `--check` only compares.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let only_check = match arguments {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => return Err(Failure::Usage("usage: cargo xtask precision [--check]".to_owned())),
    };
    let place = root.join(DOCUMENT);
    let written = match std::fs::read_to_string(&place) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        text => text.map_err(Failure::at(&place))?,
    };
    let verdicts = Verdicts::read(&written).map_err(|problem| found(vec![problem]))?;
    let page = Page::new(sections(root)?, verdicts);
    print!("{}", page.figures());
    if only_check {
        let problems = problems(&page, &written);
        return if problems.is_empty() { Ok(()) } else { Err(found(problems)) };
    }
    std::fs::write(&place, page.text()).map_err(Failure::at(&place))
}

/// Audits the packages as they were released, and draws from what was confirmed.
fn sections(root: &Path) -> Result<Vec<Section>, Failure> {
    let tribunal = packages::tribunal(root)?;
    let mut sections = Vec::new();
    for package in packages::audited(&[])? {
        let specimen = Specimen::of(package, &packages::unpacked(root, package)?)?;
        let mut findings = specimen.audit(&tribunal, &["--no-git", "--no-fix"])?;
        findings.retain(packages::Finding::is_confirmed);
        sections.push(Section {
            package: package.to_string(),
            seed: package.seed().to_owned(),
            n_confirmed: findings.len(),
            findings: draw::sample(findings, package.seed()),
        });
    }
    Ok(sections)
}

/// What keeps the sample from being judged and good enough.
fn problems(page: &Page, written: &str) -> Vec<Problem> {
    let text = page.text();
    let mut problems = Vec::new();
    if text != written {
        let same = text.lines().zip(written.lines()).take_while(|(a, b)| a == b).count();
        problems.push(problem(
            same + 1,
            "another sample is drawn",
            "`cargo xtask precision` writes it",
        ));
    }
    for (line, at) in text.lines().zip(1..).filter(|(line, _)| verdicts::is_open(line)) {
        problems.push(problem(
            at,
            format!("`{line}`"),
            "a person says what the finding is worth, and why",
        ));
    }
    let share = page.share();
    if !share.is_enough() {
        problems.push(problem(1, share.to_string(), format!("{TARGET} % must be")));
    }
    problems
}

fn problem(line: usize, what: impl Into<String>, why: impl Into<String>) -> Problem {
    Problem { path: DOCUMENT.to_owned(), line, what: what.into(), why: why.into() }
}

fn found(problems: Vec<Problem>) -> Failure {
    Failure::Found { problems, remedy: "the head of the document says how it is kept" }
}
