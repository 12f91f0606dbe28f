//! All rules of a call: those that are built in, and those of users.
//!
//! What is built in is read and compiled by need: most trees hold one or two languages, and a call
//! that meets no file of a language pays nothing for its rules.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ast_grep_language::SupportLang;
use fs_err as fs;

use crate::family::{FAMILIES, grammars_of};
use crate::fault::Fault;
use crate::rule::Rule;
use crate::{artefact, links, module_size};

/// The rules, by id and by grammar.
pub(crate) struct Catalog {
    /// Not bound to a grammar.
    any_file: Vec<Rule>,
    /// Beside [`FAMILIES`].
    families: [OnceLock<Vec<Rule>>; FAMILIES.len()],
    added: Vec<Added>,
}

/// A rule from a folder of users.
struct Added {
    rule: Rule,
    path: PathBuf,
}

impl Catalog {
    /// Takes what is built in.
    pub(crate) fn embedded() -> Self {
        Self {
            any_file: vec![module_size::rule(), links::rule(), artefact::rule()],
            families: [const { OnceLock::new() }; FAMILIES.len()],
            added: Vec::new(),
        }
    }

    /// Takes what is built in, and the rule files below these folders.
    ///
    /// # Errors
    ///
    /// When a folder cannot be read, a file is no rule, or two rules have one id.
    pub(crate) fn with(folders: &[PathBuf]) -> Result<Self, Fault> {
        let mut catalog = Self::embedded();
        for folder in folders {
            for path in rule_files(folder)? {
                let rule = read(&path)?;
                if catalog.rule(&rule.id).is_some() {
                    let problem = format!("there is another rule with the id `{}`", rule.id);
                    return Err(Fault::Rule { path, problem });
                }
                catalog.added.push(Added { rule, path });
            }
        }
        Ok(catalog)
    }

    /// The rules that look at whole files of any language.
    pub(crate) fn any_file(&self) -> &[Rule] {
        &self.any_file
    }

    /// The file of a user's rule; `None` for one that is built in.
    pub(crate) fn file_of(&self, rule: &Rule) -> Option<&Path> {
        let added = self.added.iter().find(|added| added.rule.id == rule.id)?;
        Some(&added.path)
    }

    fn added(&self) -> impl Iterator<Item = &Rule> {
        self.added.iter().map(|added| &added.rule)
    }

    pub(crate) fn rule(&self, id: &str) -> Option<&Rule> {
        let families = (0..FAMILIES.len()).filter(|index| id.starts_with(FAMILIES[*index].prefix));
        let mut built_in = families.flat_map(|index| self.family(index)).chain(&self.any_file);
        built_in.find(|rule| rule.id == id).or_else(|| self.added().find(|rule| rule.id == id))
    }

    /// Every rule there is, in a fixed order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Rule> {
        let families = (0..FAMILIES.len()).flat_map(|index| self.family(index));
        self.any_file.iter().chain(families).chain(self.added())
    }

    /// The structural rules that files of a grammar are asked about.
    pub(crate) fn structural(&self, grammar: SupportLang) -> impl Iterator<Item = &Rule> {
        let serves = move |language| grammars_of(language).contains(&grammar);
        let families = (0..FAMILIES.len()).filter(move |index| serves(FAMILIES[*index].language));
        let added = self.added().filter(move |rule| rule.language().is_some_and(serves));
        families.flat_map(|index| self.family(index)).chain(added)
    }

    fn family(&self, index: usize) -> &[Rule] {
        self.families[index].get_or_init(|| {
            let family = &FAMILIES[index];
            let read = |id: &str, yaml: &str| match Rule::parse(yaml) {
                Ok(rule) => rule,
                // A test reads every file, so this is met by whoever writes a rule.
                Err(problem) => panic!("rules/{}/{id}.yml: {problem}", family.folder),
            };
            family.files().iter().map(|file| read(file.id, file.yaml)).collect()
        })
    }
}

/// The `*.yml` files below a folder that are not examples, sorted.
fn rule_files(folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    let mut found = Vec::new();
    for entry in ignore::WalkBuilder::new(folder).standard_filters(false).build() {
        let path = entry?.into_path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_rule = (name.ends_with(".yml") || name.ends_with(".yaml"))
            && !name.ends_with(".examples.yml")
            && path.is_file();
        if is_rule {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads one rule file of a user, and compiles it for every grammar that it serves.
fn read(path: &Path) -> Result<Rule, Fault> {
    let wrong = |problem: String| Fault::Rule { path: path.to_owned(), problem };
    let yaml = fs::read_to_string(path)?;
    let rule = Rule::parse(&yaml).map_err(|problem| wrong(problem.to_string()))?;
    let grammars = rule.language().map_or(&[][..], grammars_of);
    if grammars.is_empty() {
        let known: Vec<String> = FAMILIES.iter().map(|known| known.language.to_string()).collect();
        return Err(wrong(format!("its language is none of {}", known.join(", "))));
    }
    for grammar in grammars {
        rule.compile(*grammar).map_err(|problem| wrong(problem.to_string()))?;
    }
    Ok(rule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{self, Examples};
    use crate::family::GRAMMARS;

    #[test]
    fn every_rule_reads_compiles_and_meets_its_examples() {
        let catalog = Catalog::embedded();
        let scanner = examples::scanner(&catalog);
        let mut slips = Vec::new();
        for family in &FAMILIES {
            for file in family.files() {
                let rule = Rule::parse(file.yaml).unwrap_or_else(|e| panic!("{}: {e}", file.id));
                assert_eq!(rule.id, file.id);
                assert_eq!(rule.language(), Some(family.language), "{}", file.id);
                let examples =
                    Examples::parse(file.examples).unwrap_or_else(|e| panic!("{}: {e}", file.id));
                slips.extend(examples::check(&scanner, &catalog, &rule.id, &examples));
            }
        }
        assert!(slips.is_empty(), "{}", slips.join("\n"));
    }

    #[test]
    fn a_rule_is_found_by_its_id() {
        let catalog = Catalog::embedded();
        for rule in catalog.all() {
            assert!(catalog.rule(&rule.id).is_some_and(|found| std::ptr::eq(found, rule)));
        }
        assert!(catalog.rule("js-none").is_none());
        for grammar in GRAMMARS {
            assert!(catalog.structural(grammar).count() > 0, "{grammar}");
        }
    }

    fn added(files: &[(&str, &str)]) -> Result<Catalog, Fault> {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("written");
        }
        Catalog::with(&[folder.path().to_owned()])
    }

    const OURS: &str = "id: no-print\nlanguage: Python\nmessage: Prints\nnote: Log it.\nmetadata:\n  category: structural\n  severity: low\n  depth: 1\n  unfixable: the logger is not known\nrule: { pattern: print($$$) }\n";

    #[test]
    fn rules_of_users_join_those_of_their_language() {
        let catalog = added(&[("no-print.yml", OURS), ("no-print.examples.yml", "id: no-print\n")]);
        let catalog = catalog.expect("a catalog");
        assert!(catalog.structural(SupportLang::Python).any(|rule| rule.id == "no-print"));
        assert!(!catalog.structural(SupportLang::Go).any(|rule| rule.id == "no-print"));
    }

    #[test]
    fn a_rule_file_that_is_none_is_named() {
        for (text, expected) in [
            ("id: x\n", "not a rule"),
            (&OURS.replace("Python", "Css"), "language is none of Rust, Python"),
            (&OURS.replace("print(", "print (("), "matcher or rewrite"),
            (&OURS.replace("no-print", "py-bare-except"), "another rule with the id"),
        ] {
            let fault = added(&[("bad.yml", text)]).err().expect(text).to_string();
            assert!(fault.contains("bad.yml") && fault.contains(expected), "{fault}");
        }
    }
}
