//! Redirections and process substitutions.

use super::command::Command;
use super::reader::Reader;

/// The longest first.
const OPERATORS: [&str; 10] = ["&>>", "<<<", "&>", "<>", ">>", ">|", ">&", "<&", ">", "<"];

impl Reader<'_> {
    /// Whether a redirection begins here.
    pub(super) fn at_redirection(&self) -> bool {
        self.starts_with(">") || self.starts_with("<") || self.starts_with("&>")
    }

    /// Whether `<(…)` or `>(…)` begins here, which `[[ … ]]` runs too.
    pub(super) fn at_substitution(&self) -> bool {
        self.starts_with("<(") || self.starts_with(">(")
    }

    pub(super) fn redirection(&mut self, command: &mut Command) {
        if self.at_substitution() {
            let start = self.at;
            self.at += 2;
            if self.enter() {
                self.commands(Some(b')'));
                self.leave();
            }
            command.push_opaque(start);
            return;
        }
        if self.starts_with("<<") && !self.starts_with("<<<") {
            command.end_before_redirection(self.at);
            self.here_document(command.is_interpreter());
            return;
        }
        if let Some(operator) = OPERATORS.into_iter().find(|text| self.starts_with(text)) {
            command.redirect(operator, self.at);
            self.at += operator.len();
        }
    }
}
