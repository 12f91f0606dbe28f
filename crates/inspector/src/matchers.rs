//! The structural rules for one grammar, asked in one walk over the syntax tree.

use ast_grep_config::RuleConfig;
use ast_grep_core::matcher::{Matcher as _, MatcherExt as _};
use ast_grep_core::tree_sitter::{LanguageExt as _, StrDoc};
use ast_grep_core::{Node, NodeMatch};
use ast_grep_language::SupportLang;

use crate::catalog::Catalog;
use crate::rule::Rule;

pub(crate) type SourceDoc = StrDoc<SupportLang>;

/// A rule, ready for files of one grammar.
pub(crate) struct Matcher<'r> {
    pub(crate) rule: &'r Rule,
    pub(crate) config: RuleConfig<SupportLang>,
}

/// All of them, by the kinds of nodes at which they can match.
pub(crate) struct Matchers<'r> {
    all: Vec<Matcher<'r>>,
    /// Beside the ids of kinds: indices into `all`.
    by_kind: Vec<Vec<usize>>,
    /// Beside the ids of kinds: whether it is a comment.
    comments: Vec<bool>,
}

/// What one walk met, in the order of the text.
pub(crate) struct Walk<'t, 'm, 'r> {
    pub(crate) places: Vec<(&'m Matcher<'r>, NodeMatch<'t, SourceDoc>)>,
    pub(crate) comments: Vec<Node<'t, SourceDoc>>,
    /// The grammar could not read all of the text.
    pub(crate) broken: bool,
}

impl<'r> Matchers<'r> {
    pub(crate) fn new(catalog: &'r Catalog, grammar: SupportLang) -> Self {
        let compile = |rule: &'r Rule| {
            let config = rule.compile(grammar).expect("checked by a test or when it was read");
            config.map(|config| Matcher { rule, config })
        };
        let all: Vec<_> = catalog.structural(grammar).filter_map(compile).collect();
        let language = grammar.get_ts_language();
        let mut by_kind = vec![Vec::new(); language.node_kind_count()];
        for (index, matcher) in all.iter().enumerate() {
            match matcher.config.matcher.potential_kinds() {
                Some(kinds) => {
                    for kind in &kinds {
                        if let Some(rules) = by_kind.get_mut(kind) {
                            rules.push(index);
                        }
                    }
                }
                // Such a rule has to be asked everywhere.
                None => by_kind.iter_mut().for_each(|rules| rules.push(index)),
            }
        }
        let is_comment = |kind: u16| {
            language.node_kind_for_id(kind).is_some_and(|name| name.contains("comment"))
        };
        let comments = (0..by_kind.len()).map(|kind| u16::try_from(kind).is_ok_and(is_comment));
        Self { all, comments: comments.collect(), by_kind }
    }

    pub(crate) fn walk<'t>(&self, root: &Node<'t, SourceDoc>) -> Walk<'t, '_, 'r> {
        let mut walk = Walk {
            places: Vec::new(),
            comments: Vec::new(),
            broken: root.get_inner_node().has_error(),
        };
        for node in root.dfs() {
            let kind = usize::from(node.kind_id());
            for index in self.by_kind.get(kind).into_iter().flatten() {
                let matcher = &self.all[*index];
                if let Some(place) = matcher.config.matcher.match_node(node.clone()) {
                    walk.places.push((matcher, place));
                }
            }
            if self.comments.get(kind).is_some_and(|is_comment| *is_comment) {
                walk.comments.push(node);
            }
        }
        walk
    }
}
