//! What stands around a match: tests, attributes, what is written above its function.

use ast_grep_core::{Doc, Node};

use crate::matchers::SourceDoc;
use crate::remark::{self, Remark, line_of};

/// The comment above a function, attributes and decorators between them aside.
pub(crate) fn intent(remarks: &[Remark], node: &Node<SourceDoc>) -> Option<String> {
    if !node.kind().contains("function") && !node.kind().contains("method") {
        return None;
    }
    remark::above(remarks, line_of(top(node).start_pos().line()))
}

/// The node with the attributes that stand above it.
pub(crate) fn top<'t>(node: &Node<'t, SourceDoc>) -> Node<'t, SourceDoc> {
    let mut top = node.clone();
    while let Some(above) = top.prev().filter(|above| above.kind() == "attribute_item") {
        top = above;
    }
    top
}

/// Whether this node is a test, or holds nothing but tests.
pub(crate) fn is_test(node: &Node<SourceDoc>) -> bool {
    let named = |field: &str| node.field(field).map(|name| name.text().into_owned());
    match &*node.kind() {
        "mod_item" | "function_item" | "impl_item" => is_rust_test_attribute(node),
        "function_definition" => named("name").is_some_and(|name| name.starts_with("test_")),
        "class_definition" => named("name").is_some_and(|name| name.starts_with("Test")),
        "call_expression" => named("function")
            .is_some_and(|name| matches!(name.as_str(), "it" | "test" | "describe" | "beforeEach")),
        _ => false,
    }
}

/// Whether `#[test]`, `#[tokio::test]`, `#[cfg(test)]` or the like stands on a Rust item.
pub(crate) fn is_rust_test_attribute<D: Doc>(node: &Node<D>) -> bool {
    rust_attributes(node).iter().any(|attribute| {
        let body = attribute.trim_start_matches("#[").trim_end_matches(']');
        let name = body.split('(').next().unwrap_or(body).trim();
        name == "test"
            || name.ends_with("::test")
            || (name == "cfg" && body.contains("test") && !body.contains("not(test"))
    })
}

/// The attributes right above a Rust node, and the inner ones at the top of its body.
pub(crate) fn rust_attributes<D: Doc>(node: &Node<D>) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = node.prev();
    while let Some(above) = at {
        match &*above.kind() {
            "attribute_item" => found.push(above.text().into_owned()),
            "line_comment" | "block_comment" => {}
            _ => break,
        }
        at = above.prev();
    }
    let inner = node.children().filter(|child| child.kind() == "inner_attribute_item");
    found.extend(inner.map(|child| child.text().into_owned()));
    found
}
