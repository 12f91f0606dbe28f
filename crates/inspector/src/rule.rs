//! One rule: what it finds, how much that matters, what the reader should know.

use ast_grep_config::{GlobalRules, RuleConfig, SerializableRuleConfig};
use ast_grep_language::SupportLang;
use serde::Deserialize;
use tribunal_finding::{Category, Severity};

/// Whether a rule speaks in test code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub(crate) enum InTests {
    /// Tests may do this.
    #[default]
    Skip,
    /// As wrong in a test as anywhere.
    Keep,
    /// Only a test can do this.
    Only,
}

/// Whether a comment beside the place takes it out of doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Excuse {
    /// A comment changes nothing.
    #[default]
    Never,
    /// Whoever wrote a comment there knew what is dropped.
    Comment,
}

/// What is asked of a match beyond its structure; limits are the largest size that is fine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Weigh {
    /// Nothing.
    #[default]
    Nothing,
    /// The text in quotes may be a real secret; it is masked in the evidence.
    Secret,
    /// The comment holds code of its file's language, and nothing else.
    CommentedCode,
    /// The comment is a to-do that names nobody and no issue.
    Todo,
    /// Nothing is written about the item, where the project documents most of its others.
    Undocumented,
    /// Lines of a function that hold code.
    Lines(u32),
    /// Levels of branches and loops inside each other.
    Nesting(u32),
    /// Parameters of a function, its receiver aside.
    Parameters(u32),
}

/// How a rule looks at a file.
pub(crate) enum Look {
    /// By an ast-grep matcher.
    Structure(Box<SerializableRuleConfig<SupportLang>>),
    /// Counts lines.
    ModuleSize,
    /// Follows relative links of a Markdown document.
    Links,
    /// Reads a document for what was said to somebody in a conversation.
    Artefacts,
    /// Does not look: a linter did.
    Elsewhere,
}

/// A rule with the words of its finding.
pub(crate) struct Rule {
    /// Never changes: stands at the end of each description.
    pub(crate) id: String,
    pub(crate) category: Category,
    pub(crate) severity: Severity,
    /// First cycle in which the rule is asked, 1 to 3.
    pub(crate) depth: u32,
    pub(crate) in_tests: InTests,
    pub(crate) excuse: Excuse,
    pub(crate) weigh: Weigh,
    /// Why it is wrong.
    pub(crate) message: String,
    pub(crate) recommendation: String,
    /// Why structure alone cannot mend it; `None` where a rewrite can.
    pub(crate) unfixable: Option<String>,
    /// Names under which other linters know it, as they stand in suppression markers.
    pub(crate) lints: Vec<String>,
    pub(crate) look: Look,
    /// The text of its file; empty where it has none.
    pub(crate) source: String,
}

/// The part of a rule file that ast-grep leaves to its users.
#[derive(Deserialize)]
struct Head {
    id: String,
    message: String,
    note: String,
    metadata: Metadata,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    category: Category,
    severity: Severity,
    depth: u32,
    #[serde(default)]
    tests: InTests,
    #[serde(default)]
    excuse: Excuse,
    #[serde(default)]
    weigh: Weigh,
    unfixable: Option<String>,
    #[serde(default)]
    lints: Vec<String>,
}

/// Why a rule file is no rule.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RuleProblem {
    /// Not the YAML of a rule, or its metadata is incomplete.
    #[error("not a rule: {0}")]
    Head(String),
    /// ast-grep refuses the matcher or the rewrite.
    #[error("matcher or rewrite: {0}")]
    Body(#[from] ast_grep_config::RuleConfigError),
    /// Says neither how to mend it nor why not, or both.
    #[error("exactly one of `fix` and `metadata.unfixable` is needed")]
    FixOrReason,
}

impl Rule {
    /// Changes whenever the rule file does; the tool's own version covers rules without a file.
    pub(crate) fn fingerprint(&self) -> &[u8] {
        self.source.as_bytes()
    }

    /// What its file says it is written for; `None` where it does not look at structure.
    pub(crate) fn language(&self) -> Option<SupportLang> {
        match &self.look {
            Look::Structure(body) => Some(body.language),
            Look::ModuleSize | Look::Links | Look::Artefacts | Look::Elsewhere => None,
        }
    }

    /// The matcher and rewrite for a grammar; `None` where the rule does not look at structure.
    pub(crate) fn compile(
        &self,
        grammar: SupportLang,
    ) -> Result<Option<RuleConfig<SupportLang>>, RuleProblem> {
        let Look::Structure(body) = &self.look else { return Ok(None) };
        let mut body = SerializableRuleConfig::clone(body);
        body.language = grammar;
        Ok(Some(RuleConfig::try_from(body, &GlobalRules::default())?))
    }

    /// Reads a rule file.
    pub(crate) fn parse(yaml: &str) -> Result<Self, RuleProblem> {
        let head: Head = from_yaml(yaml)?;
        let body: SerializableRuleConfig<SupportLang> = from_yaml(yaml)?;
        if body.fix.is_some() == head.metadata.unfixable.is_some() {
            return Err(RuleProblem::FixOrReason);
        }
        let metadata = head.metadata;
        Ok(Self {
            id: head.id,
            category: metadata.category,
            severity: metadata.severity,
            depth: metadata.depth,
            in_tests: metadata.tests,
            excuse: metadata.excuse,
            weigh: metadata.weigh,
            message: one_line(&head.message),
            recommendation: one_line(&head.note),
            unfixable: metadata.unfixable.as_deref().map(one_line),
            lints: metadata.lints,
            look: Look::Structure(Box::new(body)),
            source: yaml.to_owned(),
        })
    }
}

pub(crate) fn from_yaml<'y, T: Deserialize<'y>>(yaml: &'y str) -> Result<T, RuleProblem> {
    ast_grep_config::from_str(yaml).map_err(|error| RuleProblem::Head(error.to_string()))
}

/// Folded YAML keeps line ends that no report wants.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
