//! All rules that are built in.
//!
//! Read and compiled by need: most trees hold one or two languages, and a call that meets no file
//! of a language pays nothing for its rules.

use std::sync::OnceLock;

use ast_grep_config::RuleConfig;
use ast_grep_language::SupportLang;

use crate::rule::Rule;
use crate::{artefact, links, module_size};

/// The rule files of one language.
struct Family {
    /// Below `rules/`.
    folder: &'static str,
    /// How the ids of its rules begin.
    prefix: &'static str,
    /// What its rules are compiled for: those of JavaScript serve TypeScript too.
    grammars: &'static [SupportLang],
    /// Id and text of each rule.
    files: &'static [(&'static str, &'static str)],
}

macro_rules! files {
    ($folder:literal: $($id:literal),* $(,)?) => {
        &[$(($id, include_str!(concat!("../rules/", $folder, "/", $id, ".yml")))),*]
    };
}

const FAMILIES: [Family; 4] = [
    Family {
        folder: "rust",
        prefix: "rust-",
        grammars: &[SupportLang::Rust],
        files: files![
            "rust":
            "rust-constant-assertion",
            "rust-dbg-statement",
            "rust-dbg-value",
            "rust-discarded-io",
            "rust-empty-error-arm",
            "rust-hardcoded-secret",
            "rust-io-fallback",
            "rust-nan-comparison",
            "rust-todo-macro",
        ],
    },
    Family {
        folder: "python",
        prefix: "py-",
        grammars: &[SupportLang::Python],
        files: files![
            "python":
            "py-assert-tuple",
            "py-bare-except",
            "py-except-pass",
            "py-hardcoded-secret",
            "py-literal-identity",
            "py-mutable-default",
            "py-none-comparison",
            "py-raise-not-implemented",
            "py-request-without-timeout",
            "py-shell-injection",
            "py-unsafe-yaml",
        ],
    },
    Family {
        folder: "javascript",
        prefix: "js-",
        grammars: &[SupportLang::JavaScript, SupportLang::TypeScript, SupportLang::Tsx],
        files: files![
            "javascript":
            "js-async-executor",
            "js-debugger",
            "js-empty-catch",
            "js-eval",
            "js-focused-test",
            "js-hardcoded-secret",
            "js-nan-comparison",
            "js-swallowed-rejection",
        ],
    },
    Family {
        folder: "go",
        prefix: "go-",
        grammars: &[SupportLang::Go],
        files: files![
            "go":
            "go-body-before-error",
            "go-defer-in-loop",
            "go-deferred-lock",
            "go-discarded-error",
            "go-empty-error-check",
            "go-hardcoded-secret",
            "go-ignored-parse-error",
            "go-nan-comparison",
            "go-request-without-timeout",
        ],
    },
];

/// The grammars that files are parsed with.
pub(crate) const GRAMMARS: [SupportLang; 6] = [
    SupportLang::Rust,
    SupportLang::Python,
    SupportLang::JavaScript,
    SupportLang::TypeScript,
    SupportLang::Tsx,
    SupportLang::Go,
];

/// The rules, by id and by grammar.
pub(crate) struct Catalog {
    /// Not bound to a grammar.
    any_file: Vec<Rule>,
    /// Beside [`FAMILIES`].
    families: [OnceLock<Vec<Rule>>; FAMILIES.len()],
    /// Beside [`GRAMMARS`].
    compiled: [OnceLock<Vec<RuleConfig<SupportLang>>>; GRAMMARS.len()],
}

impl Catalog {
    /// Takes what is built in.
    pub(crate) fn embedded() -> Self {
        Self {
            any_file: vec![module_size::rule(), links::rule(), artefact::rule()],
            families: [const { OnceLock::new() }; FAMILIES.len()],
            compiled: [const { OnceLock::new() }; GRAMMARS.len()],
        }
    }

    /// The rules that look at whole files of any language.
    pub(crate) fn any_file(&self) -> &[Rule] {
        &self.any_file
    }

    pub(crate) fn rule(&self, id: &str) -> Option<&Rule> {
        let family = FAMILIES.iter().position(|family| id.starts_with(family.prefix));
        let rules = family.map_or(self.any_file.as_slice(), |index| self.family(index));
        rules.iter().find(|rule| rule.id == id)
    }

    /// The matchers of all structural rules for a grammar.
    pub(crate) fn structural(&self, grammar: SupportLang) -> &[RuleConfig<SupportLang>] {
        let family = FAMILIES.iter().position(|family| family.grammars.contains(&grammar));
        let index = GRAMMARS.iter().position(|known| *known == grammar);
        let (Some(family), Some(index)) = (family, index) else { return &[] };
        self.compiled[index].get_or_init(|| {
            let rules = self.family(family).iter();
            rules
                .filter_map(|rule| rule.compile(grammar).transpose())
                .collect::<Result<_, _>>()
                .expect("a test compiles every rule for every grammar")
        })
    }

    fn family(&self, index: usize) -> &[Rule] {
        self.families[index].get_or_init(|| {
            let Family { folder, files, .. } = FAMILIES[index];
            let read = |(id, yaml): &(&str, &str)| match Rule::parse(yaml) {
                Ok(rule) => rule,
                // A test reads every file, so this is met by whoever writes a rule.
                Err(problem) => panic!("rules/{folder}/{id}.yml: {problem}"),
            };
            files.iter().map(read).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use fs_err as fs;
    use serde::Deserialize;

    use super::*;
    use crate::rule::InTests;
    use crate::scan::Scanner;
    use crate::seek::is_worth_reporting;
    use crate::source::SourceFile;

    /// Pieces of code beside a rule, in the form that `ast-grep test` reads, and what is left of
    /// the invalid ones after the rewrite.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Examples {
        id: String,
        invalid: Vec<String>,
        #[serde(default)]
        fixed: Vec<String>,
        valid: Vec<String>,
    }

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")
    }

    fn files_below(folder: &Path) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for language in fs::read_dir(folder).expect("the rules") {
            let language = language.expect("an entry").path();
            for file in fs::read_dir(&language).expect("a folder") {
                let file = file.expect("an entry").path();
                let path = file.strip_prefix(folder).expect("below");
                found.insert(path.to_str().expect("UTF-8").to_owned());
            }
        }
        found
    }

    fn file(rule: &Rule, language: SupportLang, code: &str) -> SourceFile {
        let extension = match language {
            SupportLang::Rust => "rs",
            SupportLang::Python => "py",
            SupportLang::Go => "go",
            SupportLang::TypeScript => "ts",
            SupportLang::Tsx => "tsx",
            _ => "js",
        };
        let folder = if rule.in_tests == InTests::Only { "tests" } else { "src" };
        SourceFile::new(format!("{folder}/example.{extension}"), code.to_owned())
    }

    #[test]
    fn every_rule_file_is_listed_and_has_examples() {
        let mut listed = BTreeSet::new();
        for family in FAMILIES {
            for (id, yaml) in family.files {
                let path = format!("{}/{id}", family.folder);
                let rule = Rule::parse(yaml).expect(&path);
                assert_eq!(rule.id, *id);
                assert!(id.starts_with(family.prefix), "{id}");
                assert!((1..=3).contains(&rule.depth), "{id}");
                assert!(listed.insert(format!("{path}.yml")), "{id} is listed twice");
                listed.insert(format!("{path}.examples.yml"));
            }
        }
        assert_eq!(listed, files_below(&folder()));
    }

    #[test]
    fn each_language_has_rules_with_and_without_a_rewrite() {
        let catalog = Catalog::embedded();
        for (index, family) in FAMILIES.iter().enumerate() {
            let rules = catalog.family(index);
            let mendable = rules.iter().filter(|rule| rule.unfixable.is_none()).count();
            assert!(mendable >= 2 && rules.len() - mendable >= 2, "{}", family.folder);
            for grammar in family.grammars {
                assert_eq!(catalog.structural(*grammar).len(), rules.len(), "{grammar}");
            }
        }
    }

    #[test]
    fn rules_match_their_examples_and_rewrites_mend_them() {
        let catalog = Catalog::embedded();
        let folder = folder();
        let scanner = Scanner::new(&catalog, &folder, 300);
        let mut slips = Vec::new();
        for family in FAMILIES {
            for (id, _) in family.files {
                let path = folder.join(family.folder).join(format!("{id}.examples.yml"));
                let text = fs::read_to_string(path).expect(id);
                let examples: Examples = ast_grep_config::from_str(&text).expect(id);
                assert_eq!(examples.id, *id);
                let rule = catalog.rule(id).expect(id);
                assert!(examples.invalid.len() >= 3 && examples.valid.len() >= 3, "{id}");
                if rule.unfixable.is_none() {
                    assert_eq!(examples.fixed.len(), examples.invalid.len(), "{id}");
                }
                for grammar in family.grammars {
                    slips.extend(check(&scanner, rule, *grammar, &examples));
                }
            }
        }
        assert!(slips.is_empty(), "{}", slips.join("\n"));
    }

    fn check(
        scanner: &Scanner,
        rule: &Rule,
        language: SupportLang,
        examples: &Examples,
    ) -> Vec<String> {
        let mut slips = Vec::new();
        let mut slip =
            |what: &str, code: &str| slips.push(format!("{} {language}: {what}: {code}", rule.id));
        for (index, code) in examples.invalid.iter().enumerate() {
            let source = file(rule, language, code);
            let scan = scanner.scan(&source);
            if scan.broken {
                slip("does not parse", code);
            }
            let hit = scan.hits.iter().find(|hit| hit.rule.id == rule.id);
            match hit.filter(|hit| is_worth_reporting(hit, source.surroundings)) {
                None => slip("is missed", code),
                Some(hit) => {
                    let rewritten = hit.rewrite.as_ref().map(|rewrite| rewrite.apply(code));
                    if rewritten.as_ref() != examples.fixed.get(index) {
                        slip(&format!("becomes {rewritten:?}"), code);
                    }
                }
            }
        }
        for code in &examples.valid {
            let source = file(rule, language, code);
            let hits = scanner.scan(&source).hits;
            if hits
                .iter()
                .any(|hit| hit.rule.id == rule.id && is_worth_reporting(hit, source.surroundings))
            {
                slip("is a false alarm", code);
            }
        }
        slips
    }
}
