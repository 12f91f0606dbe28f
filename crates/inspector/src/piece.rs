//! What belongs together although blank lines stand between its parts.

use ast_grep_core::NodeMatch;

use crate::matchers::SourceDoc;
use crate::remark::Remark;
use crate::rule::{Rule, Weigh};
use crate::source::SourceFile;
use crate::weigh::remark_that_starts;

/// A piece of switched-off code: blank lines inside it do not make several of it.
#[derive(Default)]
pub(crate) struct Piece {
    /// Counted from 1; 0 where there was none yet.
    last: u32,
}

impl Piece {
    /// Whether the comment that starts here is the next part of the piece before it.
    pub(crate) fn goes_on(
        &mut self,
        rule: &Rule,
        place: &NodeMatch<SourceDoc>,
        file: &SourceFile,
        remarks: &[Remark],
    ) -> bool {
        let remark = match rule.weigh {
            Weigh::CommentedCode => remark_that_starts(remarks, place),
            _ => None,
        };
        let Some(remark) = remark else { return false };
        let mut between = file.lines(self.last + 1, remark.first - 1);
        let goes_on = self.last > 0
            && remark.first <= self.last + 2
            && between.all(|line| line.trim().is_empty());
        self.last = remark.last;
        goes_on
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::catalog::Catalog;
    use crate::scan::Scanner;
    use crate::source::SourceFile;

    fn check(text: &str, expected: &[u32]) {
        let catalog = Catalog::embedded();
        let scan = Scanner::new(&catalog, Path::new("."), 300)
            .scan(&SourceFile::new("src/a.go".to_owned(), text.to_owned()));
        let code = scan.hits.iter().filter(|hit| hit.rule.id == "go-commented-code");
        assert_eq!(code.filter_map(|hit| hit.line).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn a_blank_line_does_not_end_a_piece_of_switched_off_code() {
        check("package a\n\n// a := f(b)\n\n// c := g(a)\n\n// h(c.d)\n", &[3]);
        check("package a\n\n// a := f(b)\n\n\n// c := g(a)\n", &[3, 6]);
        check("package a\n\n// a := f(b)\nvar x = 1\n// c := g(a)\n", &[3, 5]);
    }
}
