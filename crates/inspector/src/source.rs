//! One file of the tree, read once.

use std::path::Path;
use std::sync::OnceLock;

use ast_grep_core::tree_sitter::LanguageExt as _;
use ast_grep_language::SupportLang;
use fs_err as fs;

use crate::family;
use crate::surroundings::Surroundings;

/// Larger files are data or generated, and nobody reviews them line by line.
const LARGEST: u64 = 1024 * 1024;

/// A text file below the root.
pub(crate) struct SourceFile {
    /// Relative to the root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
    /// What kind of place this is.
    pub(crate) surroundings: Surroundings,
    /// How to parse it; `None` for languages without structural rules.
    pub(crate) grammar: Option<SupportLang>,
    /// Where each line begins; found when the first one is asked for.
    line_starts: OnceLock<Vec<usize>>,
}

impl SourceFile {
    /// Takes a file whose text is at hand.
    pub(crate) fn new(path: String, text: String) -> Self {
        let surroundings = Surroundings::of(&path, &text);
        let grammar = family::grammar(extension(&path), &text);
        Self { path, text, surroundings, grammar, line_starts: OnceLock::new() }
    }

    /// Reads a file; `None` where it is binary, not UTF-8, too large or unreadable.
    pub(crate) fn read(root: &Path, path: String) -> Option<Self> {
        let full = root.join(&path);
        if fs::symlink_metadata(&full).ok()?.len() > LARGEST {
            return None;
        }
        let text = String::from_utf8(fs::read(full).ok()?).ok()?;
        if text.contains('\0') {
            return None;
        }
        Some(Self::new(path, text))
    }

    /// Whether the grammar can read all of it; true where there is none.
    pub(crate) fn parses(&self) -> bool {
        let reads = |grammar: SupportLang| {
            let tree = grammar.ast_grep(&self.text);
            !tree.root().get_inner_node().has_error()
        };
        self.grammar.is_none_or(reads)
    }

    /// What stands behind the last dot of the file name.
    pub(crate) fn extension(&self) -> &str {
        extension(&self.path)
    }

    /// The lines `first` to `last`, counted from 1, as they stand.
    pub(crate) fn lines(&self, first: u32, last: u32) -> impl Iterator<Item = &str> {
        let starts = self.line_starts.get_or_init(|| {
            let ends = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            [0].into_iter().chain(ends.map(|(at, _)| at + 1)).collect()
        });
        let start = starts.get(first.saturating_sub(1) as usize).copied();
        let taken = (last + 1).saturating_sub(first) as usize;
        self.text[start.unwrap_or(self.text.len())..].lines().take(taken)
    }
}

fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}
