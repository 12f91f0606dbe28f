//! All rules over one file, parsed once.

use std::path::Path;
use std::sync::OnceLock;

use ast_grep_config::{CombinedScan, RuleConfig};
use ast_grep_core::tree_sitter::{LanguageExt as _, StrDoc};
use ast_grep_core::{Doc, Node, NodeMatch};
use ast_grep_language::SupportLang;

use crate::artefact;
use crate::catalog::{Catalog, GRAMMARS};
use crate::edit::Rewrite;
use crate::hit::{Hit, evidence};
use crate::remark::{self, Remark, line_of};
use crate::rule::{Look, Rule};
use crate::secret;
use crate::source::SourceFile;
use crate::{links, module_size};

type SourceDoc = StrDoc<SupportLang>;

/// The rules, made ready for many files.
pub(crate) struct Scanner<'r> {
    catalog: &'r Catalog,
    structural: [OnceLock<CombinedScan<'r, SupportLang>>; GRAMMARS.len()],
    root: &'r Path,
    module_loc_limit: u32,
}

/// What the rules say about one file.
pub(crate) struct Scan<'r> {
    /// In order of line, then rule.
    pub(crate) hits: Vec<Hit<'r>>,
    /// The grammar could not read all of it.
    pub(crate) broken: bool,
}

impl<'r> Scanner<'r> {
    pub(crate) fn new(catalog: &'r Catalog, root: &'r Path, module_loc_limit: u32) -> Self {
        let structural = [const { OnceLock::new() }; GRAMMARS.len()];
        Self { catalog, structural, root, module_loc_limit }
    }

    /// Asks every rule of every depth; what is worth reporting is the roles' business.
    pub(crate) fn scan(&self, file: &SourceFile) -> Scan<'r> {
        let tree = file.grammar.map(|grammar| grammar.ast_grep(&file.text));
        let root = tree.as_ref().map(ast_grep_core::AstGrep::root);
        let remarks = root.as_ref().map_or_else(Vec::new, |root| remark::remarks(root, &file.text));
        let mut hits = self.whole_file(file, root.as_ref());
        let mut broken = false;
        if let (Some(tree), Some(grammar)) = (&tree, file.grammar)
            && let Some(rules) = self.rules_for(grammar)
        {
            broken = tree.root().dfs().any(|node| node.is_error() || node.is_missing());
            for (config, places) in rules.scan(tree, false).matches {
                let Some(rule) = self.catalog.rule(&config.id) else { continue };
                hits.extend(
                    places
                        .iter()
                        .filter_map(|place| structural(file, &remarks, rule, config, place)),
                );
            }
        }
        hits.sort_by(|a, b| (a.line, &a.rule.id).cmp(&(b.line, &b.rule.id)));
        Scan { hits, broken }
    }

    fn rules_for(&self, grammar: SupportLang) -> Option<&CombinedScan<'r, SupportLang>> {
        let index = GRAMMARS.iter().position(|known| *known == grammar)?;
        let prepare = || CombinedScan::new(self.catalog.structural(grammar).iter().collect());
        Some(self.structural[index].get_or_init(prepare))
    }

    fn whole_file(&self, file: &SourceFile, root: Option<&Node<SourceDoc>>) -> Vec<Hit<'r>> {
        let is_document = matches!(file.extension(), "md" | "markdown");
        let mut hits = Vec::new();
        for rule in self.catalog.any_file() {
            match rule.look {
                Look::Structure(_) => {}
                Look::ModuleSize => {
                    let limit = self.module_loc_limit;
                    hits.extend(module_size::excess(file, root, limit).map(|lines| Hit {
                        detail: Some(format!("{lines} non-blank lines, limit {limit}")),
                        ..plain(rule, None, format!("more than {limit} non-blank lines"))
                    }));
                }
                Look::Links if is_document => {
                    let broken = links::find(self.root, &file.path, &file.text);
                    hits.extend(broken.into_iter().map(|link| Hit {
                        detail: Some(link.target),
                        ..plain(rule, Some(link.line), evidence(file, link.line, link.line))
                    }));
                }
                Look::Artefacts if is_document => {
                    hits.extend(artefact::find(&file.text).into_iter().map(|found| Hit {
                        rewrite: found.rewrite,
                        ..plain(rule, Some(found.line), evidence(file, found.line, found.line))
                    }));
                }
                Look::Links | Look::Artefacts => {}
            }
        }
        hits
    }
}

fn plain(rule: &Rule, line: Option<u32>, evidence: String) -> Hit<'_> {
    Hit {
        rule,
        line,
        evidence,
        detail: None,
        in_test: false,
        remark: None,
        intent: None,
        suppressed: None,
        rewrite: None,
    }
}

/// The hit for a place that a structural rule matched; `None` where the match cannot be trusted.
fn structural<'r>(
    file: &SourceFile,
    remarks: &[Remark],
    rule: &'r Rule,
    config: &RuleConfig<SupportLang>,
    place: &NodeMatch<SourceDoc>,
) -> Option<Hit<'r>> {
    let ancestors: Vec<Node<SourceDoc>> = place.ancestors().collect();
    let literal = place.text();
    let misread = ancestors.iter().any(Node::is_error);
    if misread || (rule.secret && !secret::looks_real(&literal)) {
        return None;
    }
    let first = line_of(place.start_pos().line());
    let last = line_of(place.end_pos().line());
    let shown = evidence(file, first, last);
    let remark = remark::beside(remarks, first, last);
    let attributes: Vec<String> =
        ancestors.iter().chain([place.get_node()]).flat_map(rust_attributes).collect();
    let markers = remark
        .as_deref()
        .into_iter()
        .chain(remark::file_wide(remarks, first))
        .chain(attributes.iter().map(String::as_str));
    Some(Hit {
        in_test: ancestors.iter().chain([place.get_node()]).any(is_test),
        suppressed: remark::suppression(rule, markers),
        intent: ancestors.iter().find_map(|node| intent(remarks, node)),
        remark,
        rewrite: config.fixer.first().map(|fixer| {
            let edit = place.make_edit(&config.matcher, fixer);
            let range = edit.position..edit.position + edit.deleted_length;
            Rewrite { range, text: String::from_utf8_lossy(&edit.inserted_text).into_owned() }
        }),
        ..plain(
            rule,
            Some(first),
            if rule.secret { secret::masked(&shown, &literal) } else { shown },
        )
    })
}

/// The comment above a function, attributes and decorators between them aside.
fn intent(remarks: &[Remark], node: &Node<SourceDoc>) -> Option<String> {
    if !node.kind().contains("function") && !node.kind().contains("method") {
        return None;
    }
    let mut top = node.clone();
    while let Some(above) = top.prev().filter(|above| above.kind() == "attribute_item") {
        top = above;
    }
    remark::above(remarks, line_of(top.start_pos().line()))
}

/// Whether this node is a test, or holds nothing but tests.
fn is_test(node: &Node<SourceDoc>) -> bool {
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
fn rust_attributes<D: Doc>(node: &Node<D>) -> Vec<String> {
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
