//! Quotes, expansions and arithmetic of a shell script.

use std::ops::Range;

use super::binding::Place;
use super::reader::Reader;

/// The way around a place where bash would read the value as part of its own text.
pub(super) const BIND_FIRST: &str = "bind it first: `value={{…}}`, then write `$value`";
/// The way around arithmetic, which runs `a[$(…)]` even out of a variable.
pub(super) const NO_ARITHMETIC: &str =
    "use `expr {{…}} + 1` or `[ {{…}} -gt 1 ]`, which take a value as data";

impl Reader<'_> {
    /// From `'` to `'`; gives the tokens inside.
    pub(super) fn single_quoted(&mut self) -> Vec<Range<usize>> {
        self.at += 1;
        let mut inside = Vec::new();
        while let Some(byte) = self.peek() {
            if let Some(token) = self.token() {
                inside.push(token.clone());
                self.bind(token, Place::Single);
                continue;
            }
            self.at += 1;
            if byte == b'\'' {
                break;
            }
        }
        inside
    }

    /// From `"` to `"`; gives the tokens inside, those of substitutions apart.
    pub(super) fn double_quoted(&mut self) -> Vec<Range<usize>> {
        self.at += 1;
        let mut inside = Vec::new();
        while let Some(byte) = self.peek() {
            if let Some(token) = self.token() {
                inside.push(token.clone());
                self.bind(token, Place::Double);
                continue;
            }
            match byte {
                b'"' => {
                    self.at += 1;
                    break;
                }
                b'$' => inside.extend(self.dollar(true)),
                b'`' => self.backtick(),
                _ => self.skip(),
            }
        }
        inside
    }

    /// From `$` to the end of the expansion; gives the tokens of a `$"…"`.
    pub(super) fn dollar(&mut self, in_double: bool) -> Vec<Range<usize>> {
        self.at += 1;
        if let Some(token) = self.token() {
            self.refuse_here(token, "a value cannot name a variable", BIND_FIRST);
            return Vec::new();
        }
        if !self.enter() {
            return Vec::new();
        }
        let mut inside = Vec::new();
        if self.starts_with("((") {
            self.at += 2;
            self.arithmetic(2);
        } else if self.starts_with("(") {
            self.at += 1;
            self.commands(Some(b')'));
        } else if self.starts_with("[") {
            self.at += 1;
            self.old_arithmetic();
        } else if self.starts_with("{") {
            self.at += 1;
            self.parameter(in_double);
        } else if self.starts_with("'") && !in_double {
            self.at += 1;
            self.refusing_until(b'\'', "inside $'…' a value would be read as escapes");
        } else if self.starts_with("\"") && !in_double {
            inside = self.double_quoted();
        } else if self.peek().is_some_and(|byte| b"#$?!-@*0123456789".contains(&byte)) {
            self.at += 1;
        }
        self.leave();
        inside
    }

    /// From behind `((` or `$((` to the parenthesis that closes it.
    pub(super) fn arithmetic(&mut self, mut open: usize) {
        while let Some(byte) = self.peek() {
            if let Some(token) = self.token() {
                self.refuse_here(token, "arithmetic would run a value as code", NO_ARITHMETIC);
                continue;
            }
            match byte {
                b'(' => open += 1,
                b')' => open -= 1,
                _ => {}
            }
            self.nested(byte);
            if open == 0 {
                return;
            }
        }
    }

    fn old_arithmetic(&mut self) {
        while let Some(byte) = self.peek() {
            if let Some(token) = self.token() {
                self.refuse_here(token, "arithmetic would run a value as code", NO_ARITHMETIC);
                continue;
            }
            self.nested(byte);
            if byte == b']' {
                return;
            }
        }
    }

    /// From behind `${` to its `}`.
    fn parameter(&mut self, in_double: bool) {
        let quotes_count = !in_double || self.operator_takes_a_pattern();
        while let Some(byte) = self.peek() {
            if let Some(token) = self.token() {
                self.refuse_here(token, "inside ${…} a value cannot be bound", BIND_FIRST);
                continue;
            }
            if byte == b'\'' && quotes_count {
                self.at += 1;
                self.refusing_until(b'\'', "inside ${…} a value cannot be bound");
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

    /// From `` ` `` to `` ` ``.
    pub(super) fn backtick(&mut self) {
        self.at += 1;
        self.refusing_until(b'`', "inside `…` a value cannot be bound");
    }

    /// One character of a place where tokens are refused, or the whole of what it opens.
    fn nested(&mut self, byte: u8) {
        match byte {
            b'"' => drop(self.double_quoted()),
            b'$' => drop(self.dollar(true)),
            b'`' => self.backtick(),
            _ => self.skip(),
        }
    }

    fn refusing_until(&mut self, end: u8, message: &str) {
        while let Some(byte) = self.peek() {
            if let Some(token) = self.token() {
                self.refuse_here(token, message, BIND_FIRST);
                continue;
            }
            self.skip();
            if byte == end {
                return;
            }
        }
    }
}
