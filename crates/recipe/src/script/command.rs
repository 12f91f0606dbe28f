//! One simple command: which of its words run as programs.

use std::ops::Range;

use super::quotes::NO_ARITHMETIC;

/// A word in which tokens are refused, with the reason and the way around it.
pub(super) type Refused = (Range<usize>, String, &'static str);

const SHELLS: [&str; 6] = ["bash", "sh", "dash", "ksh", "zsh", "ash"];
/// Programs that run a text, with the letter of the option before it.
const INTERPRETERS: [(&str, char); 7] = [
    ("python", 'c'),
    ("python3", 'c'),
    ("perl", 'e'),
    ("ruby", 'e'),
    ("node", 'e'),
    ("php", 'r'),
    ("psql", 'c'),
];
/// Words behind which another command begins.
const LEADS_ON: [&str; 12] =
    ["if", "then", "elif", "else", "while", "until", "do", "!", "{", "time", "command", "builtin"];
const DECLARES: [&str; 5] = ["declare", "typeset", "local", "readonly", "export"];
const NUMERIC_TESTS: [&str; 7] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v"];

#[derive(Default)]
pub(super) struct Command {
    words: Vec<Word>,
    word: Option<Word>,
}

#[derive(Default)]
struct Word {
    /// Its text without quotes; what is expanded stands as NUL.
    text: String,
    quoted: bool,
    /// Its bytes in the script.
    span: Range<usize>,
}

impl Command {
    pub(super) fn at_word_start(&self) -> bool {
        self.word.is_none()
    }

    pub(super) fn word_ends_with(&self, end: char) -> bool {
        self.word.as_ref().is_some_and(|word| word.text.ends_with(end))
    }

    /// Inside `[[ … ]]`, where `<`, `&&` and line breaks part no commands.
    pub(super) fn in_conditional(&self) -> bool {
        let last = self.word.as_ref().or(self.words.last());
        self.words.first().is_some_and(|word| word.text == "[[" && !word.quoted)
            && last.is_some_and(|word| word.text != "]]")
    }

    /// Whether the word so far is `name[`.
    pub(super) fn in_subscript(&self) -> bool {
        let Some(text) = self.word.as_ref().map(|word| word.text.as_str()) else { return false };
        text.split_once('[')
            .is_some_and(|(name, index)| crate::scope::is_name(name) && !index.contains(']'))
    }

    pub(super) fn push(&mut self, c: char, start: usize) {
        self.open_word(start).text.push(c);
    }

    pub(super) fn push_quoted(&mut self, with_quotes: &str, start: usize) {
        let word = self.open_word(start);
        word.quoted = true;
        let inner = with_quotes.get(1..with_quotes.len().saturating_sub(1)).unwrap_or("");
        word.text.push_str(inner);
    }

    /// A token or an expansion: its text is not known.
    pub(super) fn push_opaque(&mut self, start: usize) {
        self.open_word(start).text.push('\0');
    }

    fn open_word(&mut self, start: usize) -> &mut Word {
        self.word.get_or_insert_with(|| Word { span: start..start, ..Word::default() })
    }

    /// Ends the word; gives it when it is the first of its command and unquoted.
    pub(super) fn end_word(&mut self, end: usize) -> Option<&str> {
        let mut word = self.word.take()?;
        word.span.end = end;
        let leads_on = self.words.is_empty()
            && (LEADS_ON.contains(&word.text.as_str()) || is_assignment(&word.text));
        if leads_on {
            return None;
        }
        if word.text == "{" && !word.quoted {
            // `function name {`: what comes now is a command of its own.
            self.words.clear();
            return None;
        }
        self.words.push(word);
        match self.words.as_slice() {
            [first] if !first.quoted => Some(&first.text),
            _ => None,
        }
    }

    /// Whether a program among the words runs its input.
    pub(super) fn is_interpreter(&self) -> bool {
        self.words.iter().any(|word| runs_text(word).is_some())
    }

    /// Ends the command; gives the words that it would run as code.
    pub(super) fn finish(&mut self) -> Vec<Refused> {
        let words = std::mem::take(&mut self.words);
        let mut refused = Vec::new();
        let mut refuse = |word: &Word, reason: &str, remedy: &'static str| {
            refused.push((word.span.clone(), reason.to_owned(), remedy));
        };
        let Some((first, rest)) = words.split_first() else { return refused };
        let arithmetic = "arithmetic would run a value as code";
        match first.text.as_str() {
            "eval" => rest.iter().for_each(|word| {
                refuse(word, "`eval` would run a value as code", "run the command without `eval`");
            }),
            "trap" => rest.iter().for_each(|word| {
                let remedy = "bind it first: `value={{…}}; trap 'rm -- \"$value\"' EXIT`";
                refuse(word, "`trap` would run a value as code", remedy);
            }),
            "let" => rest.iter().for_each(|word| refuse(word, arithmetic, NO_ARITHMETIC)),
            name if DECLARES.contains(&name) && rest.iter().any(is_integer_option) => {
                rest.iter().for_each(|word| refuse(word, arithmetic, NO_ARITHMETIC));
            }
            "[[" => {
                for (test, pair) in words.iter().enumerate().filter_map(|(at, word)| {
                    let beside =
                        [at.checked_sub(1).and_then(|at| words.get(at)), words.get(at + 1)];
                    NUMERIC_TESTS.contains(&word.text.as_str()).then_some((word, beside))
                }) {
                    let reason = format!("`{}` inside [[ ]] is arithmetic", test.text);
                    let remedy = "write `[ … ]`, which takes numbers alone";
                    pair.into_iter().flatten().for_each(|word| refuse(word, &reason, remedy));
                }
            }
            _ => {}
        }
        for (name, option, program) in programs_given(&words) {
            let reason = format!("`{name} -{option}` would run a value as code");
            refuse(program, &reason, "hand it over as an argument: `bash -c '… \"$1\"' _ {{…}}`");
        }
        refused
    }
}

/// The texts that a program among the words is told to run, each with that program and its option.
fn programs_given(words: &[Word]) -> impl Iterator<Item = (&str, char, &Word)> {
    words.iter().enumerate().filter_map(|(at, word)| {
        let (name, option) = runs_text(word)?;
        let mut behind = words[at + 1..].iter();
        behind.find(|word| is_short_option(&word.text) && word.text.ends_with(option))?;
        behind.next().map(|program| (name, option, program))
    })
}

/// The program that a word names, and the letter of its option, when it runs texts.
fn runs_text(word: &Word) -> Option<(&str, char)> {
    let name = word.text.rsplit('/').next().unwrap_or(&word.text);
    if SHELLS.contains(&name) {
        return Some((name, 'c'));
    }
    INTERPRETERS.into_iter().find(|(program, _)| *program == name)
}

fn is_short_option(text: &str) -> bool {
    text.starts_with('-') && !text.starts_with("--")
}

fn is_integer_option(word: &Word) -> bool {
    word.text.starts_with('-') && word.text.contains('i')
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        crate::scope::is_name(name.trim_end_matches('+').split('[').next().unwrap_or(""))
    })
}
