//! Programs that run a text as code.

use super::word::Word;

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

pub(super) fn runs_its_input(word: &Word) -> bool {
    runs_text(word).is_some()
}

/// The texts that a program among the words is told to run, each with that program and its option.
pub(super) fn texts_given(words: &[Word]) -> impl Iterator<Item = (&'static str, char, &Word)> {
    words.iter().enumerate().filter_map(|(at, word)| {
        let (name, option) = runs_text(word)?;
        let mut behind = words[at + 1..].iter();
        let with_option = behind.find(|word| {
            is_short_option(&word.text) && (word.text.ends_with(option) || has(word, option))
        })?;
        let text = if has(with_option, option) { Some(with_option) } else { behind.next() };
        text.map(|text| (name, option, text))
    })
}

/// Whether a text stands right behind the letter, as in `-e'print 1'`.
fn has(word: &Word, option: char) -> bool {
    let known = word.known();
    known.len() < word.text.len() && known.contains(option)
}

/// The program that a word names, and the letter of its option, when it runs texts.
fn runs_text(word: &Word) -> Option<(&'static str, char)> {
    let name = word.text.rsplit(['/', '\0']).next().unwrap_or(&word.text);
    let shell = SHELLS.into_iter().find(|shell| *shell == name).map(|shell| (shell, 'c'));
    shell.or_else(|| INTERPRETERS.into_iter().find(|(program, _)| *program == name))
}

fn is_short_option(text: &str) -> bool {
    text.starts_with('-') && !text.starts_with("--")
}
