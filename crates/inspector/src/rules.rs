//! `inspector rules list|show|test`: for people who choose rules, and for those who write them.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::args::{name_and_value, text, usage};
use crate::catalog::Catalog;
use crate::examples::{self, Examples};
use crate::family::{FAMILIES, Family};
use crate::fault::Fault;
use crate::rule::{Look, Rule};
use crate::selection::Selection;
use crate::wire::answer;
use wire::{RuleEntry, TestOutcome};

mod wire;

enum Task {
    List,
    Show(String),
    Test,
}

struct Request {
    task: Task,
    folders: Vec<PathBuf>,
    selection: Selection,
    json: bool,
}

/// Answers on `stdout`; a rule that fails its examples is a fault.
pub(crate) fn answer_to(
    args: impl Iterator<Item = OsString>,
    stdout: &mut impl Write,
) -> Result<(), Fault> {
    let request = Request::parse(args)?;
    let catalog = Catalog::with(&request.folders)?;
    request.selection.check(&catalog)?;
    let chosen: Vec<&Rule> = catalog.all().filter(|rule| request.selection.holds(rule)).collect();
    match &request.task {
        Task::List => list(&chosen, request.json, stdout),
        Task::Show(id) => {
            let rule = catalog.rule(id).ok_or_else(|| {
                usage(&format!("there is no rule `{id}`; `tribunal rules list` shows all"))
            })?;
            show(&catalog, rule, request.json, stdout)
        }
        Task::Test => test(&catalog, &chosen, &request, stdout),
    }
}

impl Request {
    fn parse(args: impl Iterator<Item = OsString>) -> Result<Self, Fault> {
        let mut words = args;
        let task = words.next().ok_or_else(|| usage("rules list, show ID, or test?"))?;
        let task = match text(task, "the command")?.as_str() {
            "list" => Task::List,
            "show" => {
                let id = words.next().ok_or_else(|| usage("rules show needs the id of a rule"))?;
                Task::Show(text(id, "rules show")?)
            }
            "test" => Task::Test,
            other => return Err(usage(&format!("rules {other}: there are list, show and test"))),
        };
        let mut request =
            Self { task, folders: Vec::new(), selection: Selection::default(), json: false };
        while let Some(flag) = words.next() {
            if flag == "--json" {
                request.json = true;
                continue;
            }
            let (name, value) = name_and_value(flag, &mut words)?;
            match name.as_str() {
                "--rules" => request.folders.push(value.into()),
                "--only" => request.selection.only.push(text(value, &name)?),
                "--skip" => request.selection.skip.push(text(value, &name)?),
                _ => return Err(usage(&format!("rules: unknown flag {name}"))),
            }
        }
        Ok(request)
    }
}

fn list(rules: &[&Rule], json: bool, stdout: &mut impl Write) -> Result<(), Fault> {
    if json {
        let entries: Vec<RuleEntry> = rules.iter().map(|rule| RuleEntry::of(rule)).collect();
        writeln!(stdout, "{}", answer(&entries)?)?;
        return Ok(());
    }
    let width = rules.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    for rule in rules {
        writeln!(
            stdout,
            "{:width$}  {:8}  {:16}  depth {}  {}",
            rule.id,
            rule.severity.word(),
            rule.category.word(),
            rule.depth,
            rule.message
        )?;
    }
    Ok(())
}

fn show(catalog: &Catalog, rule: &Rule, json: bool, stdout: &mut impl Write) -> Result<(), Fault> {
    if json {
        writeln!(stdout, "{}", answer(&RuleEntry::of(rule))?)?;
        return Ok(());
    }
    writeln!(stdout, "{}\n", rule.id)?;
    writeln!(stdout, "{}.\n{}\n", rule.message, rule.recommendation)?;
    writeln!(stdout, "category   {}", rule.category.word())?;
    writeln!(stdout, "severity   {}", rule.severity.word())?;
    writeln!(stdout, "depth      {}: asked from cycle {} on", rule.depth, rule.depth)?;
    match &rule.unfixable {
        None => writeln!(stdout, "fixed by   a rewrite that is safe wherever the rule matches")?,
        Some(why) => writeln!(stdout, "not fixed  {why}")?,
    }
    if !rule.lints.is_empty() {
        writeln!(stdout, "heeds      markers that name {}", rule.lints.join(", "))?;
    }
    if let Some(examples) = examples_of(catalog, rule)? {
        for (title, pieces) in [("It finds", &examples.invalid), ("It leaves", &examples.valid)] {
            writeln!(stdout, "\n{title}:")?;
            for piece in pieces {
                writeln!(stdout)?;
                for line in piece.trim_end().lines() {
                    writeln!(stdout, "    {line}")?;
                }
            }
        }
    }
    Ok(())
}

/// Tests the rules of the folders; those that are built in where none is given.
fn test(
    catalog: &Catalog,
    chosen: &[&Rule],
    request: &Request,
    stdout: &mut impl Write,
) -> Result<(), Fault> {
    let scanner = examples::scanner(catalog);
    let mut outcome = TestOutcome::default();
    for rule in chosen.iter().filter(|rule| matches!(rule.look, Look::Structure(_))) {
        if catalog.file_of(rule).is_none() != request.folders.is_empty() {
            continue;
        }
        let slips = match examples_of(catalog, rule)? {
            Some(examples) => examples::check(&scanner, catalog, &rule.id, &examples),
            None => vec![format!("{}: has no examples beside it (ID.examples.yml)", rule.id)],
        };
        outcome.tested += 1;
        outcome.failed += usize::from(!slips.is_empty());
        outcome.slips.extend(slips);
    }
    if request.json {
        writeln!(stdout, "{}", answer(&outcome)?)?;
    } else {
        let TestOutcome { tested, failed, slips } = &outcome;
        for slip in slips {
            writeln!(stdout, "{slip}")?;
        }
        writeln!(stdout, "rules tested: {tested}, failed: {failed}")?;
    }
    stdout.flush()?;
    if outcome.failed == 0 { Ok(()) } else { Err(Fault::Examples(outcome.failed)) }
}

/// The examples of a rule: beside its file, or built in.
fn examples_of(catalog: &Catalog, rule: &Rule) -> Result<Option<Examples>, Fault> {
    if let Some(file) = catalog.file_of(rule) {
        return beside(file);
    }
    let mut built_in = FAMILIES.iter().flat_map(Family::files);
    let file = built_in.find(|file| file.id == rule.id);
    Ok(file.map(|file| {
        Examples::parse(file.examples).expect("a test reads the examples of each rule")
    }))
}

fn beside(rule: &Path) -> Result<Option<Examples>, Fault> {
    let path = rule.with_extension("examples.yml");
    match fs::read_to_string(&path) {
        Ok(yaml) => Examples::parse(&yaml)
            .map(Some)
            .map_err(|problem| Fault::Rule { path, problem: problem.to_string() }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}
