//! Which words of a command bash itself would run: programs, arithmetic, and names of variables,
//! because an index in a name (`x[$(…)]`) is evaluated.

use super::assignment::{DECLARES, has_option, is_plainly_named};
use super::binding::Why;
use super::command::Refused;
use super::operands::{Role, roles};
use super::programs::texts_given;
use super::quotes::NO_ARITHMETIC;
use super::word::{Word, called};

/// Why no value names a variable.
pub(super) const NAME: Why = (
    "a value cannot name a variable",
    "write a fixed name: assign the value (`name={{…}}`) or pass it as an ordinary argument",
);
const ARITHMETIC: Why = ("arithmetic would run a value as code", NO_ARITHMETIC);
const FORMAT: Why = ("a value cannot be the format of `printf`", "write `printf '%s\\n' {{…}}`");
const OPERATOR: Why = (
    "a value in front of another word could be an operator of `[`",
    "write the operator: `[ -n {{…}} ]`, `[ {{…}} = x ]`",
);
const COMMAND: Why =
    ("a command that a value names could be `eval`", "write the name of the command");
const CALLBACK: Why = ("`mapfile -C` would run a value as code", "read the lines in a loop");

const NUMERIC_TESTS: [&str; 8] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v", "-R"];

/// The words that a command would run as code.
pub(super) fn refused(words: &[Word]) -> Vec<Refused> {
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    let mut refused = called(words).map_or(Vec::new(), |(name, rest)| by_name(&name, rest));
    if first.holds_value || (first.may_become_others() && first.text.contains('{')) {
        refused.extend(rest.iter().map(|word| because(COMMAND, word)));
    }
    for (name, option, program) in texts_given(words) {
        let reason = format!("`{name} -{option}` would run a value as code");
        let remedy = "hand it over as an argument: `bash -c '… \"$1\"' _ {{…}}`";
        refused.push((program.span.clone(), reason, remedy));
    }
    refused
}

fn by_name(name: &str, rest: &[Word]) -> Vec<Refused> {
    let all = |why| rest.iter().map(|word| because(why, word)).collect();
    match name {
        "eval" => run(rest, "eval", "run the command without `eval`"),
        "trap" => run(rest, "trap", "bind it first: `value={{…}}; trap 'rm -- \"$value\"' EXIT`"),
        name @ ("alias" | "compgen" | "complete" | "bind") => {
            run(rest, name, "write a function that takes the value as an argument")
        }
        "let" => all(ARITHMETIC),
        "unset" | "wait" => all(NAME),
        "for" | "select" => rest.iter().take(1).map(|word| because(NAME, word)).collect(),
        "getopts" => rest.iter().take(2).map(|word| because(NAME, word)).collect(),
        name if DECLARES.contains(&name) => declared(rest),
        "read" => by_role(rest, "adinNptu", |role| match role {
            Role::Operand | Role::CouldBeOption | Role::Argument('a') => Some(NAME),
            _ => None,
        }),
        "mapfile" | "readarray" => by_role(rest, "dnOsuCc", |role| match role {
            Role::Operand | Role::CouldBeOption => Some(NAME),
            Role::Argument('C') => Some(CALLBACK),
            _ => None,
        }),
        "printf" => by_role(rest, "v", |role| match role {
            Role::Argument('v') => Some(NAME),
            Role::CouldBeOption => Some(FORMAT),
            _ => None,
        }),
        "test" | "[" => tested(rest),
        "[[" => compared(rest),
        _ => Vec::new(),
    }
}

fn because((message, remedy): Why, word: &Word) -> Refused {
    (word.span.clone(), message.to_owned(), remedy)
}

fn run(words: &[Word], name: &str, remedy: &'static str) -> Vec<Refused> {
    let reason = format!("`{name}` would run a value as code");
    words.iter().map(|word| (word.span.clone(), reason.clone(), remedy)).collect()
}

fn by_role(words: &[Word], takes: &str, why: impl Fn(Role) -> Option<Why>) -> Vec<Refused> {
    roles(words, takes).filter_map(|(role, word)| why(role).map(|why| because(why, word))).collect()
}

/// `declare x={{v}}` takes a value; its name and its options do not.
fn declared(words: &[Word]) -> Vec<Refused> {
    for (letter, why) in [('n', NAME), ('i', ARITHMETIC)] {
        if has_option(words, &[letter]) {
            return words.iter().map(|word| because(why, word)).collect();
        }
    }
    let unnamed = words.iter().filter(|word| !word.element && !is_plainly_named(&word.text));
    unnamed.map(|word| because(NAME, word)).collect()
}

/// `[` takes numbers as data, but not the name behind `-v`, nor a value that could be `-v`.
fn tested(words: &[Word]) -> Vec<Refused> {
    let pairs = words.windows(2).filter(|pair| pair[0].could_be("-v") || pair[0].could_be("-R"));
    let why = |operator: &Word| match operator.text.as_str() {
        "-v" | "-R" => NAME,
        _ => OPERATOR,
    };
    pairs
        .filter(|pair| pair[1].text != "]")
        .map(|pair| because(why(&pair[0]), &pair[1]))
        .chain(words.iter().filter(|word| word.may_become_others()).map(|w| because(OPERATOR, w)))
        .collect()
}

fn compared(words: &[Word]) -> Vec<Refused> {
    let mut refused = Vec::new();
    for (at, test) in words.iter().enumerate() {
        if NUMERIC_TESTS.contains(&test.text.as_str()) {
            let reason = format!("`{}` inside [[ ]] is arithmetic", test.text);
            let (reason, remedy) = match test.text.as_str() {
                "-v" | "-R" => (NAME.0.to_owned(), NAME.1),
                _ => (reason, "write `[ … ]`, which takes numbers alone"),
            };
            let beside = [at.checked_sub(1).and_then(|at| words.get(at)), words.get(at + 1)];
            let beside = beside.into_iter().flatten();
            refused.extend(beside.map(|word| (word.span.clone(), reason.clone(), remedy)));
        }
    }
    refused
}
