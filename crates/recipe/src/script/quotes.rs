//! Quotes, expansions and arithmetic of a shell script.

use super::binding::{Place, Why};
use super::reader::Reader;

/// The way around a place where bash would read the value as part of its own text.
pub(super) const BIND_FIRST: &str = "bind it first: `value={{…}}`, then write `$value`";
/// The way around arithmetic, which runs `a[$(…)]` even out of a variable.
pub(super) const NO_ARITHMETIC: &str =
    "use `expr {{…}} + 1` or `[ {{…}} -gt 1 ]`, which take a value as data";

const ARITHMETIC: Why = ("arithmetic would run a value as code", NO_ARITHMETIC);
const ARRAY_INDEX: Why = ("an array index is arithmetic", NO_ARITHMETIC);
const PARAMETER: Why = ("inside ${…} a value cannot be bound", BIND_FIRST);
const BACKTICK: Why = ("inside `…` a value cannot be bound", "write `$(…)`");
const ESCAPES: Why = ("inside $'…' a value would be read as escapes", BIND_FIRST);
const VARIABLE_NAME: Why = ("a value cannot name a variable", BIND_FIRST);

impl Reader<'_> {
    /// From `'` to `'`.
    pub(super) fn single_quoted(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            if self.bind_here(Place::Single) {
                continue;
            }
            self.at += 1;
            if byte == b'\'' {
                return;
            }
        }
    }

    /// From `"` to `"`.
    pub(super) fn double_quoted(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            if self.bind_here(Place::Double) {
                continue;
            }
            self.piece(byte, true);
            if byte == b'"' {
                return;
            }
        }
    }

    /// From `$` to the end of the expansion.
    pub(super) fn dollar(&mut self, in_double: bool) {
        self.at += 1;
        if self.refusing(VARIABLE_NAME, |reader| reader.bind_here(Place::Bare)) || !self.enter() {
            return;
        }
        if self.starts_with("((") {
            self.at += 2;
            self.arithmetic();
        } else if self.starts_with("(") {
            self.at += 1;
            self.commands(Some(b')'));
        } else if self.starts_with("[") {
            self.at += 1;
            self.refusing(ARITHMETIC, |reader| reader.until(b']'));
        } else if self.starts_with("{") {
            self.at += 1;
            self.refusing(PARAMETER, |reader| reader.parameter(in_double));
        } else if self.starts_with("'") && !in_double {
            self.at += 1;
            self.refusing(ESCAPES, |reader| reader.plainly_until(b'\''));
        } else if self.starts_with("\"") && !in_double {
            self.double_quoted();
        } else if self.peek().is_some_and(|byte| b"#$?!-@*0123456789".contains(&byte)) {
            self.at += 1;
        } else {
            let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            self.at += self.text[self.at..].chars().take_while(|c| name(*c)).count();
        }
        self.leave();
    }

    /// From behind `((` or `$((` to the parenthesis that closes it.
    pub(super) fn arithmetic(&mut self) {
        self.refusing(ARITHMETIC, |reader| {
            let mut open = 2;
            while let Some(byte) = reader.peek() {
                if reader.bind_here(Place::Bare) {
                    continue;
                }
                match byte {
                    b'(' => open += 1,
                    b')' => open -= 1,
                    _ => {}
                }
                reader.nested(byte);
                if open == 0 {
                    return;
                }
            }
        });
    }

    /// From behind `[` of an array index to its `]`.
    pub(super) fn index(&mut self) {
        self.refusing(ARRAY_INDEX, |reader| reader.until(b']'));
    }

    /// From `` ` `` to `` ` ``.
    pub(super) fn backtick(&mut self) {
        self.at += 1;
        self.refusing(BACKTICK, |reader| reader.plainly_until(b'`'));
    }

    /// From behind `${` to its `}`.
    fn parameter(&mut self, in_double: bool) {
        let quotes_count = !in_double || self.operator_takes_a_pattern();
        while let Some(byte) = self.peek() {
            if self.bind_here(Place::Bare) {
                continue;
            }
            if byte == b'\'' && quotes_count {
                self.single_quoted();
                continue;
            }
            self.nested(byte);
            if byte == b'}' {
                return;
            }
        }
    }

    /// Whether `${name#…}` and the like follow, where single quotes count even inside double ones.
    fn operator_takes_a_pattern(&self) -> bool {
        let rest = self.text[self.at..].trim_start_matches(['!', '#']);
        let operator = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        operator.is_some_and(|at| rest[at..].starts_with(['#', '%', '/', '^', ',', '@', '[']))
    }

    /// Up to a byte that stands outside quotes and expansions.
    fn until(&mut self, end: u8) {
        while let Some(byte) = self.peek() {
            if self.bind_here(Place::Bare) {
                continue;
            }
            self.nested(byte);
            if byte == end {
                return;
            }
        }
    }

    /// Up to a byte that no backslash stands before.
    fn plainly_until(&mut self, end: u8) {
        while let Some(byte) = self.peek() {
            if self.bind_here(Place::Bare) {
                continue;
            }
            self.skip();
            if byte == end {
                return;
            }
        }
    }

    /// One character, or the whole of what it opens.
    fn nested(&mut self, byte: u8) {
        if byte == b'"' {
            self.double_quoted();
        } else {
            self.piece(byte, true);
        }
    }

    /// One character, or the whole of the expansion that it begins.
    pub(super) fn piece(&mut self, byte: u8, in_double: bool) {
        match byte {
            b'$' => self.dollar(in_double),
            b'`' => self.backtick(),
            _ => self.skip(),
        }
    }
}
