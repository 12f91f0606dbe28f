//! Whether something is written about a public item.

use ast_grep_core::Node;

use crate::matchers::SourceDoc;
use crate::place::top;
use crate::remark::{self, Remark, line_of};

/// A comment right above it, `#[doc]`, or a text as the first thing in its body.
pub(super) fn is_documented(item: &Node<SourceDoc>, remarks: &[Remark]) -> bool {
    let outer = outermost(item);
    let top = top(&outer);
    let above = remark::above(remarks, line_of(top.start_pos().line())).is_some();
    // Comments may also stand between the attributes, and inside a group of declarations.
    let between = [&outer, item].into_iter().any(|inner| {
        top.range().start < inner.range().start
            && remark::above(remarks, line_of(inner.start_pos().line())).is_some()
    });
    let attribute = outer.prev_all().take_while(|node| node.kind() == "attribute_item");
    let attributed = attribute.into_iter().any(|node| node.text().contains("doc"));
    above || between || attributed || has_docstring(item)
}

/// The export or the decorators around an item belong to it.
fn outermost<'t>(item: &Node<'t, SourceDoc>) -> Node<'t, SourceDoc> {
    let mut outer = item.clone();
    while let Some(parent) = outer.parent().filter(|parent| {
        matches!(
            &*parent.kind(),
            "export_statement"
                | "decorated_definition"
                | "type_declaration"
                | "lexical_declaration"
        )
    }) {
        outer = parent;
    }
    outer
}

fn has_docstring(item: &Node<SourceDoc>) -> bool {
    let first = item.field("body").and_then(|body| {
        body.children().find(|child| child.is_named() && !child.kind().contains("comment"))
    });
    let text = first.filter(|first| first.kind() == "expression_statement");
    text.and_then(|text| text.child(0)).is_some_and(|text| text.kind() == "string")
}
