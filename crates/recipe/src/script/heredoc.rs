//! Here-documents: a quoted one that holds tokens becomes an unquoted one with its text escaped.

use std::ops::Range;

use super::binding::{Place, Why};
use super::reader::Reader;

/// A here-document whose body is still to come.
pub(super) struct HereDocument {
    /// Where its end word is written, quotes included.
    word: Range<usize>,
    /// The line that ends it.
    end: String,
    /// Nothing inside is expanded.
    quoted: bool,
    /// `<<-`: leading tabs do not count.
    tabs_stripped: bool,
    /// An interpreter runs its text.
    runs: bool,
}

const END_WORD: Why = ("a value cannot end a here-document", "write a fixed word");
const PROGRAM: Why =
    ("an interpreter would run a value as code", "hand it over as an argument or through `env:`");

impl Reader<'_> {
    /// From `<<` to the end of the word behind it.
    pub(super) fn here_document(&mut self, runs: bool) {
        self.at += 2;
        let tabs_stripped = self.starts_with("-");
        self.at += usize::from(tabs_stripped);
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let start = self.at;
        let (end, quoted) = self.end_word_of_document();
        let word = start..self.at;
        self.pending.push(HereDocument { word, end, quoted, tabs_stripped, runs });
    }

    fn end_word_of_document(&mut self) -> (String, bool) {
        let mut end = String::new();
        let mut quote = None;
        let mut quoted = false;
        while let Some(c) = self.text[self.at..].chars().next() {
            if self.refusing(END_WORD, |reader| reader.bind_here(Place::Bare)) {
                continue;
            }
            match (quote, c) {
                (None, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')') => break,
                (None, '\'' | '"') => (quote, quoted) = (Some(c), true),
                (Some(open), _) if open == c => quote = None,
                (None | Some('"'), '\\') => {
                    quoted = true;
                    self.at += 1;
                    end.extend(self.text[self.at..].chars().next());
                }
                _ => end.push(c),
            }
            self.at += self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        }
        (end, quoted)
    }

    /// The bodies of all here-documents of the line that just ended.
    pub(super) fn here_document_bodies(&mut self) {
        for document in std::mem::take(&mut self.pending) {
            let (body, last) = self.extent(&document);
            if document.runs {
                self.refusing(PROGRAM, |reader| reader.body(&document, &body, &last));
            } else {
                self.body(&document, &body, &last);
            }
            self.at = last.end;
            if self.peek() == Some(b'\n') {
                self.at += 1;
            }
        }
    }

    fn body(&mut self, document: &HereDocument, body: &Range<usize>, last: &Range<usize>) {
        if !document.quoted {
            self.expanded_body(body.end);
        } else if self.tokens_in(body).next().is_some() {
            let word = fresh_word(&self.text[body.clone()], &document.end);
            self.edit(document.word.clone(), word.clone());
            self.literal_body(body.end);
            self.edit(last.clone(), word);
        }
    }

    /// The bytes of the body, and of the end word below it.
    fn extent(&self, document: &HereDocument) -> (Range<usize>, Range<usize>) {
        let mut line_start = self.at;
        let mut joined = false;
        while line_start < self.text.len() {
            let line = self.text[line_start..].split('\n').next().unwrap_or("");
            let stripped =
                if document.tabs_stripped { line.trim_start_matches('\t') } else { line };
            if stripped == document.end && !joined {
                let line_end = line_start + line.len();
                return (self.at..line_start, line_end - stripped.len()..line_end);
            }
            let backslashes = line.len() - line.trim_end_matches('\\').len();
            joined = !document.quoted && backslashes % 2 == 1;
            line_start += line.len() + 1;
        }
        let end = self.text.len();
        (self.at..end, end..end)
    }

    /// A body in which bash expands.
    fn expanded_body(&mut self, end: usize) {
        while self.at < end {
            match self.peek() {
                _ if self.bind_here(Place::HereDocument) => {}
                Some(byte) => self.piece(byte, true),
                None => return,
            }
        }
    }

    /// A body in which nothing is expanded: what bash would expand is escaped.
    fn literal_body(&mut self, end: usize) {
        while self.at < end {
            if self.bind_here(Place::HereDocument) {
                continue;
            }
            if matches!(self.peek(), Some(b'\\' | b'$' | b'`')) {
                self.edit(self.at..self.at, "\\".to_owned());
            }
            self.at += self.text[self.at..].chars().next().map_or(1, char::len_utf8);
        }
    }
}

/// An end word that needs no quotes and stands on no line of the body.
fn fresh_word(body: &str, end: &str) -> String {
    let plain = !end.is_empty() && end.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let mut word = if plain { end.to_owned() } else { "END".to_owned() };
    while body.lines().any(|line| line.trim_start_matches('\t') == word) {
        word.push('_');
    }
    word
}
