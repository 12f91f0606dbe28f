//! `cargo xtask fixes [NAME…]`: does a package still work when an audit has fixed it?
//!
//! Faults that rules can mend are planted into a copy of each package. It is audited as a user would, with
//! low findings too, and tried as it was released and as the audit left it.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::failure::{Failure, Problem};
use crate::packages::{self, Finding, Package, Specimen, State};
use attempt::Attempt;
use plants::Plant;
use workshop::Workshop;

mod attempt;
mod plants;
mod workshop;

/// How much of what is worse is shown of one package.
const SHOWN: usize = 5;

/// What became of one package.
struct Row {
    package: &'static Package,
    plants: Vec<Plant>,
    fixed: Vec<Finding>,
    trial: Trial,
    took: Duration,
}

/// How a package was tried.
enum Trial {
    /// Nothing was fixed.
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
        let plants = plants::plant(package, &specimen)?;
        if !plants.is_empty() {
            specimen.keep(State::Planted)?;
        }
        let findings = specimen.audit(&tribunal, &["-c", "severity_threshold=low"])?;
        let fixed: Vec<Finding> = findings.into_iter().filter(Finding::is_fixed).collect();
        let trial =
            if fixed.is_empty() { Trial::Untouched } else { tried(root, package, &specimen)? };
        let row = Row { package, plants, fixed, trial, took: start.elapsed() };
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
    specimen.keep(State::Audited)?;
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
    /// The planted faults that no fix has mended.
    fn missed(&self) -> impl Iterator<Item = &Plant> {
        self.plants.iter().filter(|plant| !self.fixed.iter().any(|fix| plant.is_found_by(fix)))
    }

    /// Faults that are still there, where they are many, and the fixes of a package that fares worse than before: one of
    /// them is at fault.
    fn problems(&self) -> Vec<Problem> {
        let worse = self.trial.worse();
        for what in worse.iter().take(SHOWN) {
            eprintln!("{}: {what}", self.package);
        }
        if let Some(n_more @ 1..) = worse.len().checked_sub(SHOWN) {
            eprintln!("{}: and {n_more} more", self.package);
        }
        // A rule may leave a place alone, but hardly one in ten.
        let too_many = self.missed().count() * 10 > self.plants.len();
        let missed = self.missed().filter(|_| too_many).map(|plant| plant.missed(self.package));
        let suspects = self.fixed.iter().filter(|_| !worse.is_empty()).map(|fix| Problem {
            path: format!("{}/{}", self.package.name, fix.place.file),
            line: fix.place.line.and_then(|line| line.try_into().ok()).unwrap_or(1),
            what: format!("fixed for `{}`", fix.rule_and_words().0),
            why: format!("{} does not work as before", self.package),
        });
        missed.chain(suspects).collect()
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let fate = match &self.trial {
            Trial::Untouched => "nothing to try".to_owned(),
            Trial::Skipped(program) => format!("skipped: {program} is not installed"),
            Trial::Tried { released, audited } => format!("{released}; then {audited}"),
        };
        let (package, n_planted) = (self.package.to_string(), self.plants.len());
        let (n_mended, n_fixed) = (n_planted - self.missed().count(), self.fixed.len());
        let minutes = self.took.as_secs_f64() / 60.0;
        write!(f, "{package:<18}{n_planted:>3} planted  {n_mended:>3} of them mended  ")?;
        write!(f, "{n_fixed:>3} fixed in all  {minutes:>4.1} min  {fate}")
    }
}
