//! Here-documents: a quoted one that holds tokens becomes an unquoted one with its text escaped.

use std::ops::Range;

use super::binding::Place;
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
    /// The program that would run its text.
    interpreter: Option<String>,
}

impl Reader<'_> {
    /// From `<<` to the end of the word behind it.
    pub(super) fn here_document(&mut self, interpreter: Option<String>) {
        self.at += 2;
        let tabs_stripped = self.starts_with("-");
        self.at += usize::from(tabs_stripped);
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let start = self.at;
        let (end, quoted) = self.end_word_of_document();
        let word = start..self.at;
        self.pending.push(HereDocument { word, end, quoted, tabs_stripped, interpreter });
    }

    fn end_word_of_document(&mut self) -> (String, bool) {
        let mut end = String::new();
        let mut quote = None;
        let mut quoted = false;
        while let Some(c) = self.text[self.at..].chars().next() {
            if let Some(token) = self.token() {
                self.refuse_here(token, "a value cannot end a here-document", "write a fixed word");
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
            let rewritten = document.quoted && self.holds_token(&body);
            if rewritten {
                let word = fresh_word(&self.text[body.clone()], &document.end);
                self.edit(document.word.clone(), word.clone());
                self.literal_body(&document, body.end);
                self.edit(last.clone(), word);
            } else {
                self.expanded_body(&document, body.end);
            }
            self.at = last.end;
            if self.peek() == Some(b'\n') {
                self.at += 1;
            }
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

    fn holds_token(&self, body: &Range<usize>) -> bool {
        self.token_spans().any(|span| body.contains(&span.start))
    }

    /// A body in which bash expands.
    fn expanded_body(&mut self, document: &HereDocument, end: usize) {
        while self.at < end {
            if let Some(token) = self.token() {
                self.bind_in_document(document, token);
                continue;
            }
            match self.peek() {
                Some(b'$') if !document.quoted => drop(self.dollar(true)),
                Some(b'`') if !document.quoted => self.backtick(),
                Some(_) if document.quoted => self.at = end,
                _ => self.skip(),
            }
        }
    }

    /// A body in which nothing is expanded: what bash would expand is escaped.
    fn literal_body(&mut self, document: &HereDocument, end: usize) {
        while self.at < end {
            if let Some(token) = self.token() {
                self.bind_in_document(document, token);
                continue;
            }
            let c = self.text[self.at..].chars().next().map_or(1, char::len_utf8);
            if matches!(self.peek(), Some(b'\\' | b'$' | b'`')) {
                self.edit(self.at..self.at, "\\".to_owned());
            }
            self.at += c;
        }
    }

    fn bind_in_document(&mut self, document: &HereDocument, token: Range<usize>) {
        match &document.interpreter {
            Some(program) => {
                let message = format!("`{program}` would run a value as code");
                self.refuse_here(token, &message, "hand it over as an argument or through `env:`");
            }
            None => self.bind(token, Place::HereDocument),
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
