//! All rules over one file, parsed once.

use std::path::Path;
use std::sync::OnceLock;

use ast_grep_core::tree_sitter::LanguageExt as _;
use ast_grep_core::{Node, NodeMatch};
use ast_grep_language::SupportLang;

use crate::artefact;
use crate::catalog::Catalog;
use crate::edit::Rewrite;
use crate::family::GRAMMARS;
use crate::hit::{Hit, evidence};
use crate::matchers::{Matcher, Matchers, SourceDoc};
use crate::piece::Piece;
use crate::place::{intent, is_test, rust_attributes};
use crate::remark::{self, Remark, line_of};
use crate::rule::{Look, Rule, Weigh};
use crate::secret;
use crate::source::SourceFile;
use crate::weigh::{Sentence, weigh};
use crate::{links, module_size};

/// The rules, made ready for many files.
pub(crate) struct Scanner<'r> {
    catalog: &'r Catalog,
    /// Beside [`GRAMMARS`].
    structural: [OnceLock<Matchers<'r>>; GRAMMARS.len()],
    root: &'r Path,
    module_loc_limit: u32,
}

/// What the rules say about one file.
pub(crate) struct Scan<'r> {
    /// In order of line, then rule.
    pub(crate) hits: Vec<Hit<'r>>,
    /// Places that follow a convention, by the rule that asks for it.
    pub(crate) followed: Vec<&'r Rule>,
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
        let mut scan = self.scan_alone(file);
        scan.hits.extend(self.broken_links(file));
        scan.hits.sort_by(|a, b| (a.line, &a.rule.id).cmp(&(b.line, &b.rule.id)));
        scan
    }

    /// All that follows from the file's own path and text.
    pub(crate) fn scan_alone(&self, file: &SourceFile) -> Scan<'r> {
        let tree = file.grammar.map(|grammar| (grammar, grammar.ast_grep(&file.text)));
        let Some((grammar, tree)) = tree else {
            let hits = self.whole_file(file, None::<&Node<SourceDoc>>);
            return Scan { hits, followed: Vec::new(), broken: false };
        };
        let root = tree.root();
        let mut hits = self.whole_file(file, Some(&root));
        let walk = self.matchers(grammar).walk(&root);
        let remarks = remark::remarks(&walk.comments, &file.text);
        let mut followed = Vec::new();
        let mut piece = Piece::default();
        for (matcher, place) in &walk.places {
            match weigh(matcher.rule, place, file, &remarks) {
                // Inside of what could not be read, a match means nothing.
                _ if walk.broken && place.ancestors().any(|node| node.is_error()) => {}
                Sentence::Guilty if piece.goes_on(matcher.rule, place, file, &remarks) => {}
                Sentence::Guilty => hits.push(structural(file, &remarks, matcher, place)),
                Sentence::Over(excess) => {
                    hits.push(structural(file, &remarks, matcher, place).with(excess));
                }
                Sentence::Follows => followed.push(matcher.rule),
                Sentence::Fine => {}
            }
        }
        hits.sort_by(|a, b| (a.line, &a.rule.id).cmp(&(b.line, &b.rule.id)));
        Scan { hits, followed, broken: walk.broken }
    }

    /// Hits that depend on which other files there are.
    pub(crate) fn broken_links(&self, file: &SourceFile) -> Vec<Hit<'r>> {
        let rule = self.catalog.any_file().iter().find(|rule| matches!(rule.look, Look::Links));
        let Some(rule) = rule.filter(|_| is_document(file)) else { return Vec::new() };
        let broken = links::find(self.root, &file.path, &file.text);
        let hit = |link: links::BrokenLink| Hit {
            detail: Some(link.target),
            ..plain(rule, Some(link.line), evidence(file, link.line, link.line))
        };
        broken.into_iter().map(hit).collect()
    }

    fn matchers(&self, grammar: SupportLang) -> &Matchers<'r> {
        let index = GRAMMARS.iter().position(|known| *known == grammar);
        let index = index.expect("files get one of these grammars or none");
        self.structural[index].get_or_init(|| Matchers::new(self.catalog, grammar))
    }

    fn whole_file(&self, file: &SourceFile, root: Option<&Node<SourceDoc>>) -> Vec<Hit<'r>> {
        let mut hits = Vec::new();
        for rule in self.catalog.any_file() {
            match rule.look {
                Look::ModuleSize => {
                    let limit = self.module_loc_limit;
                    let evidence = format!("more than {limit} lines of code");
                    let excess = module_size::excess(file, root, limit);
                    hits.extend(excess.map(|excess| plain(rule, None, evidence).with(excess)));
                }
                Look::Artefacts if is_document(file) => {
                    hits.extend(artefact::find(&file.text).into_iter().map(|found| Hit {
                        rewrite: found.rewrite,
                        ..plain(rule, Some(found.line), evidence(file, found.line, found.line))
                    }));
                }
                Look::Structure(_) | Look::Links | Look::Artefacts | Look::Elsewhere => {}
            }
        }
        hits
    }
}

fn is_document(file: &SourceFile) -> bool {
    file.grammar == Some(SupportLang::Markdown)
}

pub(crate) fn plain(rule: &Rule, line: Option<u32>, evidence: String) -> Hit<'_> {
    Hit {
        rule,
        severity: rule.severity,
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

/// The hit for a place that a structural rule matched.
fn structural<'r>(
    file: &SourceFile,
    remarks: &[Remark],
    matcher: &Matcher<'r>,
    place: &NodeMatch<SourceDoc>,
) -> Hit<'r> {
    let rule = matcher.rule;
    let lines = (line_of(place.start_pos().line()), line_of(place.end_pos().line()));
    let hit = around(file, remarks, rule, place.get_node(), lines);
    let evidence = match rule.weigh {
        Weigh::Secret => secret::masked(&hit.evidence, &place.text()),
        _ => hit.evidence,
    };
    let rewrite = matcher.config.fixer.first().map(|fixer| {
        let edit = place.make_edit(&matcher.config.matcher, fixer);
        let range = edit.position..edit.position + edit.deleted_length;
        Rewrite { range, text: String::from_utf8_lossy(&edit.inserted_text).into_owned() }
    });
    // A rule changes nothing where its rewrite would not be safe.
    let rewrite = rewrite.filter(|rewrite| file.text[rewrite.range.clone()] != rewrite.text);
    Hit { evidence, rewrite, ..hit }
}

/// A hit on some lines of a node, with all that stands and is said around it.
pub(crate) fn around<'r>(
    file: &SourceFile,
    remarks: &[Remark],
    rule: &'r Rule,
    node: &Node<SourceDoc>,
    (first, last): (u32, u32),
) -> Hit<'r> {
    let ancestors: Vec<Node<SourceDoc>> = node.ancestors().collect();
    // What is said in a function is not said about its size.
    let spoken =
        if node.kind().contains("comment") { None } else { remark_on(rule, remarks, first, last) };
    let attributed = ancestors.iter().chain([node]);
    let attributes: Vec<String> = match file.grammar {
        Some(SupportLang::Rust) => attributed.flat_map(rust_attributes).collect(),
        _ => Vec::new(),
    };
    let beside = remark::beside(remarks, first, first);
    let markers = spoken
        .as_deref()
        .into_iter()
        .chain(beside.as_deref())
        .chain(remark::file_wide(remarks, first))
        .chain(attributes.iter().map(String::as_str));
    Hit {
        in_test: ancestors.iter().chain([node]).any(is_test),
        suppressed: remark::suppression(rule, markers),
        intent: ancestors.iter().find_map(|node| intent(remarks, node)),
        remark: spoken,
        ..plain(rule, Some(first), evidence(file, first, last))
    }
}

/// The comment that speaks of a place.
fn remark_on(rule: &Rule, remarks: &[Remark], first: u32, last: u32) -> Option<String> {
    match rule.weigh {
        Weigh::Lines(_) | Weigh::Nesting(_) | Weigh::Parameters(_) | Weigh::Undocumented => {
            remark::above(remarks, first)
        }
        _ => remark::beside(remarks, first, last),
    }
}
