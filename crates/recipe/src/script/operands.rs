//! What each word behind the name of a builtin is to it, by the rules of `getopts`.

use super::word::Word;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Letters alone.
    Flags,
    /// The argument of an option, attached to it or the word behind.
    Argument(char),
    Operand,
    /// A value, or braces, where an option could stand.
    CouldBeOption,
}

/// The words with their roles; `takes` lists the options that have arguments.
pub(super) fn roles<'w>(words: &'w [Word], takes: &str) -> impl Iterator<Item = (Role, &'w Word)> {
    let mut argument_of = None;
    let mut options_end = false;
    words.iter().map(move |word| {
        if let Some(letter) = argument_of.take() {
            return (Role::Argument(letter), word);
        }
        if options_end {
            return (Role::Operand, word);
        }
        let text = word.text.as_str();
        if word.may_become_others() || (text.starts_with('\0') && word.holds_value) {
            return (Role::CouldBeOption, word);
        }
        if word.may_vanish() {
            return (Role::Flags, word);
        }
        if text.len() < 2 || !text.starts_with('-') || text == "--" {
            options_end = true;
            return (if text == "--" { Role::Flags } else { Role::Operand }, word);
        }
        match text.char_indices().skip(1).find(|(_, letter)| takes.contains(*letter)) {
            _ if word.known().len() < 2 => (Role::CouldBeOption, word),
            Some((at, letter)) if at + 1 < text.len() => (Role::Argument(letter), word),
            Some((_, letter)) => {
                argument_of = Some(letter);
                (Role::Flags, word)
            }
            None if text.contains('\0') => (Role::CouldBeOption, word),
            None => (Role::Flags, word),
        }
    })
}
