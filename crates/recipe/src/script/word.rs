//! One word of a command, as far as it can be known before the script runs.

use std::ops::Range;

#[derive(Default)]
pub(super) struct Word {
    /// Its text without quotes; what is expanded stands as NUL. Behind the first NUL inside double
    /// quotes the text is not kept.
    pub(super) text: String,
    pub(super) quoted: bool,
    /// A token stands in it.
    pub(super) holds_value: bool,
    /// It stands in the list of an array.
    pub(super) element: bool,
    /// It may become other words: `{a,b}`, `*`.
    expands: bool,
    /// Its bytes in the script.
    pub(super) span: Range<usize>,
}

impl Word {
    pub(super) fn at(start: usize) -> Self {
        Self { span: start..start, ..Self::default() }
    }

    /// A character outside quotes.
    pub(super) fn push(&mut self, c: char) {
        self.expands |= matches!(c, '{' | '*' | '?') || (c == '[' && !self.text.is_empty());
        self.text.push(c);
    }

    /// Whether it is this word of bash's grammar.
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.text == keyword && !self.quoted
    }

    /// Whether keywords still count behind it, as they do not behind `x=1` and `command`.
    pub(super) fn is_keyword(&self) -> bool {
        let plain = !matches!(self.text.as_str(), "command" | "builtin") && !self.quoted;
        plain && super::assignment::assigned(&self.text).is_none()
    }

    /// Whether it is `name[` so far.
    pub(super) fn is_subscript(&self) -> bool {
        let text = self.text.strip_prefix('{').unwrap_or(&self.text);
        text.split_once('[')
            .is_some_and(|(name, index)| crate::scope::is_name(name) && !index.contains(']'))
    }

    /// Whether it belongs to a redirection right behind it: `2`, `{name}`.
    pub(super) fn is_descriptor(&self) -> bool {
        let number = self.text.bytes().all(|byte| byte.is_ascii_digit());
        let variable = self.text.starts_with('{') && self.text.ends_with('}');
        !self.quoted && (number || variable)
    }

    /// Whether nothing may be left of it: expansions outside quotes.
    pub(super) fn may_vanish(&self) -> bool {
        !self.quoted
            && !self.holds_value
            && !self.text.is_empty()
            && self.text.trim_matches('\0').is_empty()
    }

    /// What its text certainly begins with.
    pub(super) fn known(&self) -> &str {
        self.text.split('\0').next().unwrap_or("")
    }

    /// Whether it can become this text when the script runs.
    pub(super) fn could_be(&self, text: &str) -> bool {
        let known = self.known();
        self.text == text
            || self.may_become_others()
            || (known.len() < self.text.len() && text.starts_with(known))
    }

    /// Whether braces or patterns make other words of it; `[`, `[[` and `{` are themselves.
    pub(super) fn may_become_others(&self) -> bool {
        self.expands && self.text.len() > 1 && self.text != "[["
    }
}

/// The name of the command that the words call, and its operands. What is expanded may leave
/// nothing behind, so a name counts without it, and a word of nothing else is passed over.
pub(super) fn called(words: &[Word]) -> Option<(String, &[Word])> {
    let mut leads_on = false;
    let at = words.iter().position(|word| {
        let name = word.text.replace('\0', "");
        let vanishes = name.is_empty() && !word.text.is_empty() && !word.holds_value;
        let is_option = leads_on && name.starts_with('-') && !name.contains(['v', 'V']);
        leads_on |= matches!(name.as_str(), "command" | "builtin");
        !vanishes && !is_option && !matches!(name.as_str(), "command" | "builtin")
    })?;
    Some((words[at].text.replace('\0', ""), &words[at + 1..]))
}
