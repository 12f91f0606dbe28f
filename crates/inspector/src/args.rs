//! The command line: who the inspector is in this call, and where it looks.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::fault::Fault;
use crate::linter::Linter;
use crate::selection::Selection;

const USAGE: &str = "usage: inspector --marker MARK --role seeker|validator|fixer|summarizer \
     [--validator N] [--cycle N] [--target PATH] [--module-loc-limit N] [--root DIR] \
     [--exclude PATH]… [--rules DIR]… [--only RULE|CATEGORY]… [--skip RULE|CATEGORY]… \
     [--linter NAME]… [--cache FILE]\n\
     or: inspector rules list|show ID|test …";

/// Non-blank lines a module may have where nobody set a limit (D19).
const MODULE_LOC_LIMIT: u32 = 300;

/// Where reports of a run go by default (D19); the audit must not read its own words.
const OUTPUT_DIR: &str = "eval_results/quality_audit";

/// What the caller is played (D41).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Seeker,
    Validator,
    Fixer,
    Summarizer,
}

/// One call of the inspector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Invocation {
    /// Stands at the edges of data blocks; unguessable for whoever wrote the data.
    pub(crate) marker: String,
    pub(crate) role: Role,
    /// Which of the validators, from 1; each looks with another eye.
    pub(crate) validator: u32,
    /// From 1; deeper rules join in later cycles.
    pub(crate) cycle: u32,
    /// The repository root.
    pub(crate) root: PathBuf,
    /// What is audited, relative to the root.
    pub(crate) target: PathBuf,
    /// Paths below the root that are left out.
    pub(crate) exclude: Vec<PathBuf>,
    /// Folders with rules of users.
    pub(crate) rules: Vec<PathBuf>,
    pub(crate) selection: Selection,
    /// External linters that may be asked.
    pub(crate) linters: Vec<Linter>,
    /// Where scans are kept for later cycles.
    pub(crate) cache: Option<PathBuf>,
    pub(crate) module_loc_limit: u32,
}

impl Invocation {
    /// Reads the arguments that follow the program's name.
    pub(crate) fn parse(args: impl Iterator<Item = OsString>) -> Result<Self, Fault> {
        let mut words = args;
        let mut marker = None;
        let mut role = None;
        let mut call = Self {
            marker: String::new(),
            role: Role::Seeker,
            validator: 1,
            cycle: 1,
            root: PathBuf::from("."),
            target: PathBuf::from("."),
            exclude: Vec::new(),
            rules: Vec::new(),
            selection: Selection::default(),
            linters: Vec::new(),
            cache: None,
            module_loc_limit: MODULE_LOC_LIMIT,
        };
        while let Some(flag) = words.next() {
            let (name, value) = name_and_value(flag, &mut words)?;
            match name.as_str() {
                "--marker" => marker = Some(text(value, &name)?),
                "--role" => role = Some(role_named(&text(value, &name)?)?),
                "--validator" => call.validator = positive(value, &name)?,
                "--cycle" => call.cycle = positive(value, &name)?,
                "--module-loc-limit" => call.module_loc_limit = positive(value, &name)?,
                "--root" => call.root = value.into(),
                "--target" => call.target = value.into(),
                "--exclude" => call.exclude.push(value.into()),
                "--rules" => call.rules.push(value.into()),
                "--only" => call.selection.only.push(text(value, &name)?),
                "--skip" => call.selection.skip.push(text(value, &name)?),
                "--linter" => call.linters.push(linter_named(&text(value, &name)?)?),
                "--cache" => call.cache = Some(value.into()),
                _ => return Err(usage(&format!("unknown flag {name}"))),
            }
        }
        call.role = role.ok_or_else(|| usage("--role is missing"))?;
        call.marker = match marker {
            Some(marker) if !marker.trim().is_empty() => marker,
            _ => return Err(usage("--marker is missing or blank")),
        };
        if call.exclude.is_empty() {
            call.exclude.push(OUTPUT_DIR.into());
        }
        Ok(call)
    }
}

/// Takes `--flag=value` apart, or the next word for `--flag`.
pub(crate) fn name_and_value(
    flag: OsString,
    words: &mut impl Iterator<Item = OsString>,
) -> Result<(String, OsString), Fault> {
    let flag = text(flag, "a flag")?;
    if let Some((name, value)) = flag.split_once('=') {
        return Ok((name.to_owned(), value.into()));
    }
    let value = words.next().ok_or_else(|| usage(&format!("{flag} needs a value")))?;
    Ok((flag, value))
}

pub(crate) fn usage(what: &str) -> Fault {
    Fault::Usage(format!("{what}\n{USAGE}"))
}

pub(crate) fn text(word: OsString, flag: &str) -> Result<String, Fault> {
    word.into_string().map_err(|_| usage(&format!("the value of {flag} is not UTF-8")))
}

fn role_named(word: &str) -> Result<Role, Fault> {
    match word {
        "seeker" => Ok(Role::Seeker),
        "validator" => Ok(Role::Validator),
        "fixer" => Ok(Role::Fixer),
        "summarizer" => Ok(Role::Summarizer),
        _ => Err(usage(&format!("the inspector plays no role `{word}`"))),
    }
}

fn linter_named(word: &str) -> Result<Linter, Fault> {
    Linter::named(word)
        .ok_or_else(|| usage(&format!("there is no linter `{word}` (known: {})", Linter::names())))
}

/// Digits alone, at least 1: `+1`, `0` and ` 1` are slips worth hearing about.
fn positive(word: OsString, flag: &str) -> Result<u32, Fault> {
    let word = text(word, flag)?;
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    match word.parse::<u32>() {
        Ok(number) if digits && number > 0 => Ok(number),
        _ => Err(usage(&format!("{flag} takes a whole number from 1, not `{word}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Invocation, Fault> {
        Invocation::parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn a_call_is_read_with_both_ways_to_write_a_value() {
        let call =
            parse("--marker M --role=validator --validator 2 --cycle 3 --target src --root r")
                .expect("a call");
        assert_eq!((call.role, call.validator, call.cycle), (Role::Validator, 2, 3));
        assert_eq!((call.target, call.root), (PathBuf::from("src"), PathBuf::from("r")));
        assert_eq!(call.module_loc_limit, 300);
    }

    #[test]
    fn slips_are_usage_errors() {
        for line in [
            "",
            "--marker M",
            "--role seeker",
            "--marker M --role judge",
            "--marker M --role seeker --cycle 0",
            "--marker M --role seeker --cycle +1",
            "--marker M --role seeker --module-loc-limit many",
            "--marker M --role seeker --cycle",
            "--marker M --role seeker --depth 2",
        ] {
            let fault = parse(line).expect_err(line);
            assert_eq!(fault.exit_status(), 2, "{line}");
        }
    }
}
