//! `cargo xtask fixes [NAME…]`: does a package still work when an audit has fixed it?
//!
//! Each package is audited as a user would, with low findings too, so that every kind of fix is tried.
//! Where something was fixed, the package is tried as it was released and as the audit left it.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::failure::{Failure, Problem};
use crate::packages::{self, Finding, Package, Specimen, State};
use attempt::Attempt;
use workshop::Workshop;

mod attempt;
mod workshop;

/// What became of one package.
struct Row {
    package: &'static Package,
    fixed: Vec<Finding>,
    trial: Trial,
    took: Duration,
}

/// How a package was tried.
enum Trial {
    /// Nothing was fixed, so the package is as it was released.
    Untouched,
    /// What it needs is not installed here.
    Skipped(&'static str),
    Tried {
        released: Attempt,
        audited: Attempt,
    },
}

impl Trial {
    /// What worked before the audit, and does not after it.
    fn worse(&self) -> Vec<String> {
        match self {
            Self::Untouched | Self::Skipped(_) => Vec::new(),
            Self::Tried { released, audited } => audited.worse_than(released),
        }
    }
}

/// Audits and tries the packages that the arguments name, or all of them.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let tribunal = packages::tribunal(root)?;
    let mut rows = Vec::new();
    for package in packages::audited(arguments)? {
        let start = Instant::now();
        let specimen = Specimen::of(package, &packages::unpacked(root, package)?)?.committed()?;
        let findings = specimen.audit(&tribunal, &["-c", "severity_threshold=low"])?;
        let fixed: Vec<Finding> = findings.into_iter().filter(Finding::is_fixed).collect();
        let trial =
            if fixed.is_empty() { Trial::Untouched } else { tried(root, package, &specimen)? };
        let row = Row { package, fixed, trial, took: start.elapsed() };
        println!("{row}");
        rows.push(row);
    }
    let problems: Vec<Problem> = rows.iter().flat_map(Row::problems).collect();
    if problems.is_empty() {
        return Ok(());
    }
    Err(Failure::Found { problems, remedy: "a rewrite must be safe in every context it matches" })
}

/// Tries the package before and after the audit, in one place, so that little is built twice.
fn tried(root: &Path, package: &Package, specimen: &Specimen) -> Result<Trial, Failure> {
    if let Some(program) = workshop::missing(package.registry) {
        return Ok(Trial::Skipped(program));
    }
    let workshop = Workshop::open(root, package, specimen)?;
    let attempt = |state| {
        specimen.show(state)?;
        workshop.attempt()
    };
    specimen.keep()?;
    let released = attempt(State::Released)?;
    if let Attempt::Broken(said) = released {
        return Err(Failure::Broken(format!("{package} does not work here as released: {said}")));
    }
    let mut audited = attempt(State::Audited)?;
    if !audited.worse_than(&released).is_empty() {
        // Tests with servers and clocks fail now and then: what fails twice has failed.
        audited = audited.or(attempt(State::Audited)?);
    }
    Ok(Trial::Tried { released, audited })
}

impl Row {
    /// The fixes of a package that fares worse than before; one of them is at fault.
    fn problems(&self) -> Vec<Problem> {
        let worse = self.trial.worse();
        for what in &worse {
            eprintln!("{}: {what}", self.package);
        }
        let fixed = self.fixed.iter().filter(|_| !worse.is_empty());
        fixed
            .map(|finding| Problem {
                path: format!("{}/{}", self.package.name, finding.place.file),
                line: finding.place.line.and_then(|line| line.try_into().ok()).unwrap_or(1),
                what: format!("fixed for `{}`", finding.rule_and_words().0),
                why: format!("{} does not work as before", self.package),
            })
            .collect()
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let fate = match &self.trial {
            Trial::Untouched => "nothing to try".to_owned(),
            Trial::Skipped(program) => format!("skipped: {program} is not installed"),
            Trial::Tried { released, audited } => format!("{released}; then {audited}"),
        };
        let (package, n_fixed) = (self.package.to_string(), self.fixed.len());
        let minutes = self.took.as_secs_f64() / 60.0;
        write!(f, "{package:<18}{n_fixed:>3} fixed  {minutes:>4.1} min  {fate}")
    }
}
