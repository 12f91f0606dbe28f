//! Variables whose values bash computes or runs, wherever the script assigns to them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::binding::Why;
use super::operands::{Role, roles};
use super::reader::Reader;
use super::word::{Word, called};
use crate::scope::is_name;

pub(super) const DECLARES: [&str; 5] = ["declare", "typeset", "local", "readonly", "export"];

/// Variables of bash that are numbers, or whose text it expands.
const RUN: [&str; 14] = [
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "OPTIND",
    "HISTCMD",
    "LINENO",
    "BASHPID",
    "PS0",
    "PS1",
    "PS2",
    "PS4",
    "PROMPT_COMMAND",
    "BASH_ENV",
    "ENV",
];
/// Arrays of bash.
const ARRAYS: [&str; 16] = [
    "BASH_ALIASES",
    "BASH_ARGC",
    "BASH_ARGV",
    "BASH_CMDS",
    "BASH_LINENO",
    "BASH_REMATCH",
    "BASH_SOURCE",
    "BASH_VERSINFO",
    "COMPREPLY",
    "COMP_WORDS",
    "COPROC",
    "DIRSTACK",
    "FUNCNAME",
    "GROUPS",
    "MAPFILE",
    "PIPESTATUS",
];
const ASSIGNED: Why = (
    "bash would run what is assigned to this variable",
    "use a variable that is neither bash's own nor declared with -i, -n, -a or -A",
);

/// A variable gets what stands in a part of the script.
pub(super) struct Assignment {
    pub(super) name: String,
    pub(super) span: Range<usize>,
    /// By `declare` or `local`, which read `(…)` as a list when the variable is an array.
    pub(super) declares: bool,
    /// The variable becomes an array.
    pub(super) list: bool,
}

/// What the script says about its variables, in any order.
#[derive(Default)]
pub(super) struct Variables {
    run: BTreeSet<String>,
    arrays: BTreeSet<String>,
    assignments: Vec<Assignment>,
}

/// The variable that `name=…`, `name+=…` or `name[…]=…` assigns to.
pub(super) fn assigned(text: &str) -> Option<&str> {
    let (target, _) = text.split_once('=')?;
    let name = target.split('[').next().unwrap_or("");
    let name = name.strip_suffix('+').unwrap_or(name);
    is_name(name).then_some(name)
}

/// Whether the variable of `name=…` and its index, if it has one, are plain text.
pub(super) fn is_plainly_named(text: &str) -> bool {
    let target = text.split_once('=').map_or("", |(target, _)| target);
    let target = target.strip_suffix('+').unwrap_or(target);
    assigned(text).is_some()
        && !target.contains('\0')
        && (target.ends_with(']') || !target.contains('['))
}

/// Whether an option of a declaration holds one of the letters.
pub(super) fn has_option(words: &[Word], letters: &[char]) -> bool {
    let options = words.iter().filter(|word| !word.element && word.text.starts_with('-'));
    options.map(Word::known).any(|known| known.contains(letters))
}

impl Assignment {
    /// `name=…` before a command.
    pub(super) fn of(word: &Word) -> Option<Self> {
        let name = assigned(&word.text)?.to_owned();
        let list = word.text.split('=').next().is_some_and(|target| target.contains('['));
        Some(Self { name, span: word.span.clone(), declares: false, list })
    }

    /// What builtins assign that take names, and what `env NAME=…` hands on.
    pub(super) fn made_by(words: &[Word], whole: &Range<usize>) -> Vec<Self> {
        let Some((name, rest)) = called(words) else { return Vec::new() };
        let named = |word: &Word, list| {
            let name = word.known().to_owned();
            Self { name, span: whole.clone(), declares: false, list }
        };
        match name.as_str() {
            name if DECLARES.contains(&name) => declarations(name, rest),
            "for" | "select" => rest.iter().take(1).map(|word| named(word, false)).collect(),
            "printf" => names(rest, "v", &['v'], false).map(|word| named(word, false)).collect(),
            "read" => {
                let listed = names(rest, "adinNptu", &['a'], false).map(|word| named(word, true));
                let plain = names(rest, "adinNptu", &[], true).map(|word| named(word, false));
                listed.chain(plain).collect()
            }
            "mapfile" | "readarray" => {
                names(rest, "dnOsuCc", &[], true).map(|word| named(word, true)).collect()
            }
            "env" => rest.iter().filter_map(Self::of).collect(),
            _ => Vec::new(),
        }
    }
}

fn declarations(builtin: &str, words: &[Word]) -> Vec<Assignment> {
    let list = has_option(words, &['a', 'A']);
    let declares = list || !matches!(builtin, "export" | "readonly");
    let operands = words.iter().filter(|word| !word.element && !word.text.starts_with('-'));
    operands
        .filter_map(|word| {
            let name = assigned(&word.text).or(Some(word.known())).filter(|name| is_name(name))?;
            let (name, span) = (name.to_owned(), word.span.clone());
            Some(Assignment { name, span, declares, list })
        })
        .collect()
}

fn names<'w>(
    words: &'w [Word],
    takes: &str,
    options: &'w [char],
    operands: bool,
) -> impl Iterator<Item = &'w Word> {
    roles(words, takes).filter_map(move |(role, word)| match role {
        Role::Argument(option) if options.contains(&option) => Some(word),
        Role::Operand if operands => Some(word),
        _ => None,
    })
}

impl Reader<'_> {
    /// Remembers what a command assigns, and the integers and references that it declares.
    pub(super) fn note(&mut self, assignments: Vec<Assignment>, computed: Vec<String>) {
        self.variables.run.extend(computed);
        let lists = assignments.iter().filter(|assignment| assignment.list);
        self.variables.arrays.extend(lists.map(|assignment| assignment.name.clone()));
        self.variables.assignments.extend(assignments);
    }

    /// Refuses tokens that go into variables of which the script says that bash computes them.
    pub(super) fn refuse_assigned(&mut self) {
        let variables = std::mem::take(&mut self.variables);
        let among = |fixed: &[&str], found: &BTreeSet<String>, name: &str| {
            fixed.contains(&name) || found.contains(name)
        };
        for Assignment { name, span, declares, .. } in &variables.assignments {
            let runs = among(&RUN, &variables.run, name)
                || (*declares && among(&ARRAYS, &variables.arrays, name));
            if runs {
                self.refuse_in(span, ASSIGNED.0, ASSIGNED.1);
            }
        }
    }
}

/// The variables that a declaration makes integers or references.
pub(super) fn computed(words: &[Word]) -> Vec<String> {
    let Some((name, rest)) = called(words) else { return Vec::new() };
    if !DECLARES.contains(&name.as_str()) || !has_option(rest, &['i', 'n']) {
        return Vec::new();
    }
    declarations(&name, rest).into_iter().map(|assignment| assignment.name).collect()
}
