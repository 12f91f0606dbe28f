//! One simple command: its words, without what stands before its name and without redirections.

use std::mem::take;
use std::ops::Range;

use super::assignment::{Assignment, DECLARES, assigned, computed};
use super::builtins;
use super::word::Word;

/// A word in which tokens are refused, with the reason and the way around it.
pub(super) type Refused = (Range<usize>, String, &'static str);

const TWICE: &str = "bash would expand a value behind `>&` twice";

#[derive(Default)]
pub(super) struct Command {
    pub(super) words: Vec<Word>,
    word: Option<Word>,
    /// What stood before the words: `x=1`, `then`, `builtin`.
    pub(super) led_on: Vec<Word>,
    /// The next word is the target of this redirection.
    redirection: Option<&'static str>,
    conditional: bool,
    refused: Vec<Refused>,
    assignments: Vec<Assignment>,
    /// The name of the array whose list is being read.
    array: Option<String>,
    in_list: bool,
    /// The bytes of all words, those of redirections too.
    whole: Option<Range<usize>>,
}

/// What a command does with tokens that it holds.
pub(super) struct Judgement {
    pub(super) refused: Vec<Refused>,
    pub(super) assignments: Vec<Assignment>,
    /// Variables that it makes integers or references.
    pub(super) computed: Vec<String>,
}

impl Command {
    pub(super) fn at_word_start(&self) -> bool {
        self.word.is_none()
    }

    pub(super) fn word_ends_with(&self, ends: &[char]) -> bool {
        self.word.as_ref().is_some_and(|word| word.text.ends_with(ends))
    }

    pub(super) fn has_words(&self) -> bool {
        !self.words.is_empty()
    }

    /// Inside `[[ … ]]`, where `<`, `&&`, `(` and line breaks part no commands.
    pub(super) fn in_conditional(&self) -> bool {
        self.conditional && self.word.as_ref().is_none_or(|word| word.text != "]]")
    }

    /// Whether `name[` here begins the index of an assignment, blanks and operators included.
    pub(super) fn takes_assignments(&self) -> bool {
        !self.in_list
            && self.words.first().is_none_or(|first| {
                let name = first.text.as_str();
                DECLARES.contains(&name) || matches!(name, "alias" | "eval" | "let")
            })
    }

    /// Whether the word so far is `name[`.
    pub(super) fn in_subscript(&self) -> bool {
        self.word.as_ref().is_some_and(Word::is_subscript)
    }

    pub(super) fn push(&mut self, c: char, start: usize) {
        self.open_word(start).push(c);
    }

    /// Text that quotes or a backslash keep as it is.
    pub(super) fn push_quoted(&mut self, text: &str, start: usize) {
        let word = self.open_word(start);
        word.quoted = true;
        word.text.push_str(text);
    }

    /// An expansion: its text is not known.
    pub(super) fn push_opaque(&mut self, start: usize) {
        self.open_word(start).text.push('\0');
    }

    /// The rest of `name[…]`; NUL stands for an index that holds more than a number or a name.
    pub(super) fn push_index(&mut self, rest: &str, start: usize) {
        let index = rest.strip_suffix(']').unwrap_or(rest);
        let plain = index.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        self.open_word(start).text.push_str(if plain { index } else { "\0" });
        self.push(']', start);
    }

    /// Notes that the word being read holds a token.
    pub(super) fn mark_value(&mut self, start: usize) {
        self.open_word(start).holds_value = true;
    }

    fn open_word(&mut self, start: usize) -> &mut Word {
        self.whole.get_or_insert(start..start);
        self.word.get_or_insert_with(|| Word::at(start))
    }

    /// The next word is the target of a redirection.
    pub(super) fn redirect(&mut self, operator: &'static str, end: usize) {
        self.end_before_redirection(end);
        self.redirection = Some(operator);
    }

    /// Ends a word; a number or `{name}` right before a redirection belongs to that.
    pub(super) fn end_before_redirection(&mut self, end: usize) {
        if let Some(word) = self.word.take_if(|word| word.is_descriptor()) {
            let span = word.span.start..end;
            self.refused.push((span, builtins::NAME.0.to_owned(), builtins::NAME.1));
        }
        self.end_word(end, false);
    }

    /// The list of an array begins behind the `=` of the word being read.
    pub(super) fn open_list(&mut self, end: usize) {
        let name = self.word.as_ref().and_then(|word| assigned(&word.text)).map(str::to_owned);
        if let Some(name) = name.clone() {
            self.assignments.push(Assignment { name, span: end..end, declares: false, list: true });
        }
        self.array = name;
        self.end_word(end, false);
        self.in_list = true;
    }

    pub(super) fn close_list(&mut self, end: usize) {
        self.end_word(end, false);
        self.in_list = false;
        self.array = None;
    }

    /// A `(` before a pattern of `case`: no keyword follows.
    pub(super) fn open_pattern(&mut self, start: usize) {
        let mut parenthesis = Word::at(start);
        parenthesis.push('(');
        self.words.push(parenthesis);
    }

    /// Whether `case WORD` was read, whose `in` may stand on a later line.
    pub(super) fn awaits_in(&self) -> bool {
        self.words.len() == 2 && self.words[0].is("case")
    }

    /// Ends the word; gives it when it is `case` or `esac` where they are keywords. Among the
    /// patterns of `case`, `esac` alone is one.
    pub(super) fn end_word(&mut self, end: usize, in_patterns: bool) -> Option<&'static str> {
        let mut word = self.word.take()?;
        word.span.end = end;
        if let Some(whole) = &mut self.whole {
            whole.end = end;
        }
        if let Some(operator) = self.redirection.take() {
            if matches!(operator, ">&" | "<&") {
                self.refused.push((word.span, TWICE.to_owned(), "write `> {{…}} 2>&1`"));
            }
            return None;
        }
        word.element = self.in_list;
        if let Some(name) = self.array.clone() {
            let span = word.span.clone();
            self.assignments.push(Assignment { name, span, declares: false, list: true });
            if self.words.is_empty() {
                return None;
            }
        }
        if self.conditional && word.is("]]") {
            self.judge();
            self.conditional = false;
            return None;
        }
        self.end_plain_word(word, in_patterns)
    }

    fn end_plain_word(&mut self, word: Word, in_patterns: bool) -> Option<&'static str> {
        if self.begins_body(&word) {
            let name = self.words.drain(..).next_back().map(|name| name.span);
            let (message, remedy) = builtins::NAME;
            self.refused.extend(name.map(|name| (name, message.to_owned(), remedy)));
            self.led_on.clear();
        }
        if self.awaits_in() && word.is("in") {
            self.judge();
            return None;
        }
        let keyword = self.words.is_empty() && self.led_on.iter().all(Word::is_keyword);
        if self.words.is_empty() && self.leads_on(&word) {
            self.assignments.extend(Assignment::of(&word));
            let closes_case = keyword && word.is("esac");
            self.led_on.push(word);
            return closes_case.then_some("esac");
        }
        let keyword = keyword && !in_patterns;
        self.conditional |= keyword && word.is("[[");
        let opens_case = keyword && word.is("case");
        self.words.push(word);
        opens_case.then_some("case")
    }

    /// Whether a program among the words runs its input.
    pub(super) fn is_interpreter(&self) -> bool {
        self.words.iter().any(super::programs::runs_its_input)
    }

    /// Ends the command; gives the words that it would run as code, and what it assigns.
    pub(super) fn finish(&mut self) -> Judgement {
        let whole = self.whole.take().unwrap_or_default();
        self.assignments.extend(Assignment::made_by(&self.words, &whole));
        let computed = computed(&self.words);
        self.judge();
        let found = take(self);
        Judgement { refused: found.refused, assignments: found.assignments, computed }
    }

    fn judge(&mut self) {
        let words = take(&mut self.words);
        self.refused.extend(builtins::refused(&words));
    }
}
