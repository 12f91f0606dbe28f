//! What stands before the name of a command.

use super::assignment::assigned;
use super::command::Command;
use super::word::Word;

/// Words behind which another command begins.
const LEADS_ON: [&str; 17] = [
    "if", "then", "elif", "else", "while", "until", "do", "!", "{", "time", "command", "builtin",
    "coproc", "}", "fi", "done", "esac",
];
/// Words that begin the body of `function name` or `coproc name`.
const BEGINS_BODY: [&str; 8] = ["{", "while", "until", "if", "for", "case", "select", "[["];

impl Command {
    /// Whether this word begins what `function name`, `coproc name` or `for name` run.
    pub(super) fn begins_body(&self, word: &Word) -> bool {
        let first = self.words.first().map(|first| first.text.as_str());
        let named = match self.words.len() {
            1 => self.led_on.iter().any(|word| word.is("coproc")),
            2 => first == Some("function"),
            _ => false,
        };
        let looped = self.words.len() == 2 && matches!(first, Some("for" | "select"));
        !word.quoted
            && ((named && BEGINS_BODY.contains(&word.text.as_str()))
                || (looped && matches!(word.text.as_str(), "do" | "{")))
    }

    pub(super) fn leads_on(&self, word: &Word) -> bool {
        let last = self.led_on.last().map(|last| last.text.as_str());
        let takes_options = matches!(last, Some("time" | "command" | "builtin" | "--"))
            || last.is_some_and(|last| last.starts_with('-'));
        let looks_up = word.text.contains(['v', 'V']);
        LEADS_ON.contains(&word.text.as_str())
            || assigned(&word.text).is_some()
            || (takes_options && word.text.starts_with('-') && !looks_up)
    }
}
