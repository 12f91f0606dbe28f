//! `inspector rules list|show|test`: for people who choose rules, and for those who write them.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::args::{name_and_value, text, usage};
use crate::catalog::{self, Catalog};
use crate::examples::{self, Examples};
use crate::family::{FAMILIES, Family};
use crate::fault::Fault;
use crate::rule::{Look, Rule};
use crate::selection::Selection;
use crate::wire::answer;
use wire::RuleEntry;

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
            show(rule, &request, stdout)
        }
        Task::Test => test(&catalog, &chosen, &request.folders, stdout),
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

fn show(rule: &Rule, request: &Request, stdout: &mut impl Write) -> Result<(), Fault> {
    if request.json {
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
    if let Some(examples) = examples_of(rule, &request.folders)? {
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
    folders: &[PathBuf],
    stdout: &mut impl Write,
) -> Result<(), Fault> {
    let scanner = examples::scanner(catalog);
    let mut failed = 0;
    let mut tested = 0;
    for rule in chosen.iter().filter(|rule| matches!(rule.look, Look::Structure(_))) {
        let is_added = catalog.added().iter().any(|added| added.id == rule.id);
        if is_added == folders.is_empty() {
            continue;
        }
        tested += 1;
        let slips = match examples_of(rule, folders)? {
            Some(examples) => examples::check(&scanner, catalog, &rule.id, &examples),
            None => vec![format!("{}: has no examples beside it (ID.examples.yml)", rule.id)],
        };
        failed += usize::from(!slips.is_empty());
        for slip in slips {
            writeln!(stdout, "{slip}")?;
        }
    }
    writeln!(stdout, "rules tested: {tested}, failed: {failed}")?;
    stdout.flush()?;
    if failed == 0 { Ok(()) } else { Err(Fault::Examples(failed)) }
}

/// The examples of a rule: built in, or beside its file.
fn examples_of(rule: &Rule, folders: &[PathBuf]) -> Result<Option<Examples>, Fault> {
    let mut built_in = FAMILIES.iter().flat_map(Family::files);
    if let Some(file) = built_in.find(|file| file.id == rule.id) {
        let examples =
            Examples::parse(file.examples).expect("a test reads the examples of each rule");
        return Ok(Some(examples));
    }
    for folder in folders {
        for path in catalog::rule_files(folder)? {
            if catalog::read(&path)?.id == rule.id {
                return beside(&path);
            }
        }
    }
    Ok(None)
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
