//! What a match is held against beyond its structure.

use ast_grep_core::{Node, NodeMatch};

use crate::matchers::SourceDoc;
use crate::remark::{Remark, line_of};
use crate::rule::{Rule, Weigh};
use crate::secret;
use crate::source::SourceFile;
use commented_code::holds_code;
use documentation::is_documented;
pub(crate) use size::{Excess, code_rows};
use size::{code_lines, nesting, parameters};
use todo::is_nobodys;

mod commented_code;
mod documentation;
mod size;
mod todo;

/// What became of a match.
pub(crate) enum Sentence {
    /// A hit.
    Guilty,
    /// A hit, because it is too large.
    Over(Excess),
    /// An example of the convention that the rule asks for.
    Follows,
    /// No hit.
    Fine,
}

/// Weighs a match of a rule.
pub(crate) fn weigh(
    rule: &Rule,
    place: &NodeMatch<SourceDoc>,
    file: &SourceFile,
    remarks: &[Remark],
) -> Sentence {
    match rule.weigh {
        Weigh::Nothing => Sentence::Guilty,
        Weigh::Secret => guilty_if(secret::looks_real(&place.text())),
        Weigh::CommentedCode => guilty_if(
            remark_that_starts(remarks, place)
                .zip(file.grammar)
                .is_some_and(|(remark, grammar)| holds_code(remark, grammar)),
        ),
        Weigh::Todo => guilty_if(
            remark_around(remarks, place)
                .is_some_and(|remark| is_nobodys(&place.text(), &remark.text)),
        ),
        Weigh::Undocumented if is_documented(place, remarks) => Sentence::Follows,
        Weigh::Undocumented => Sentence::Guilty,
        Weigh::Lines(limit) => match code_lines(place, limit) {
            Some(lines) => over(lines, limit, "lines of code"),
            None => Sentence::Fine,
        },
        Weigh::Nesting(limit) => over(nesting(place), limit, "levels"),
        Weigh::Parameters(limit) => over(parameters(place), limit, "parameters"),
    }
}

fn guilty_if(guilty: bool) -> Sentence {
    if guilty { Sentence::Guilty } else { Sentence::Fine }
}

fn over(count: u32, limit: u32, unit: &'static str) -> Sentence {
    if count > limit { Sentence::Over(Excess { count, limit, unit }) } else { Sentence::Fine }
}

/// The whole comment, at its first node alone: people read lines that stand together as one.
pub(crate) fn remark_that_starts<'m>(
    remarks: &'m [Remark],
    node: &Node<SourceDoc>,
) -> Option<&'m Remark> {
    let line = line_of(node.start_pos().line());
    let found = remarks.binary_search_by_key(&line, |remark| remark.first).ok()?;
    Some(&remarks[found])
}

/// The whole comment that a node is a line of.
fn remark_around<'m>(remarks: &'m [Remark], node: &Node<SourceDoc>) -> Option<&'m Remark> {
    let line = line_of(node.start_pos().line());
    let behind = remarks.partition_point(|remark| remark.first <= line);
    remarks[..behind].last().filter(|remark| line <= remark.last)
}
