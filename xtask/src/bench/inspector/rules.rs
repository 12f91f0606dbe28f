//! The inspector's rule files, as ast-grep reads them.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Below the root: a folder a language, a file a rule, its examples beside it.
const FOLDER: &str = "crates/inspector/rules";

/// Languages that rules of another one serve too. ast-grep has to be told by a file for each.
const SERVED: &[(&str, &[&str])] =
    &[("JavaScript", &["TypeScript", "Tsx"]), ("TypeScript", &["Tsx"])];

/// Rule files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rules {
    files: Vec<RuleFile>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct RuleFile {
    id: String,
    text: String,
}

impl Rules {
    /// Reads those of the checkout.
    pub(super) fn read(root: &Path) -> Result<Self, Failure> {
        let mut files = Vec::new();
        for language in entries(&root.join(FOLDER))? {
            for place in entries(&language)? {
                let name = place.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                if let Some(id) = name.strip_suffix(".yml").filter(|id| !id.ends_with(".examples"))
                {
                    let text = std::fs::read_to_string(&place).map_err(Failure::at(&place))?;
                    files.push(RuleFile { id: id.to_owned(), text });
                }
            }
        }
        Ok(Self { files })
    }

    pub(super) fn len(&self) -> usize {
        self.files.len()
    }

    /// Writes them and ast-grep's configuration into a new folder, and gives the configuration.
    pub(super) fn write(&self, folder: &Path) -> Result<PathBuf, Failure> {
        let rules = folder.join("rules");
        std::fs::create_dir_all(&rules).map_err(Failure::at(&rules))?;
        for RuleFile { id, text } in self.files.iter().flat_map(RuleFile::for_each_language) {
            let place = rules.join(format!("{id}.yml"));
            std::fs::write(&place, text).map_err(Failure::at(&place))?;
        }
        let config = folder.join("sgconfig.yml");
        std::fs::write(&config, "ruleDirs: [rules]\n").map_err(Failure::at(&config))?;
        Ok(config)
    }
}

impl RuleFile {
    /// The file itself, and one of another id for each other language that it serves.
    fn for_each_language(&self) -> Vec<Self> {
        let Self { id, text } = self;
        let line = |key: &str, value: &str| format!("{key}: {value}\n");
        let mut files = vec![self.clone()];
        for (language, served) in SERVED {
            if text.contains(&format!("\n{}", line("language", language))) {
                files.extend(served.iter().map(|other| {
                    let other_id = format!("{id}-{}", other.to_lowercase());
                    let text =
                        text.replacen(&line("language", language), &line("language", other), 1);
                    Self {
                        text: text.replacen(&line("id", id), &line("id", &other_id), 1),
                        id: other_id,
                    }
                }));
            }
        }
        files
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder).map_err(Failure::at(folder))?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(Failure::at(folder))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(id: &str, rest: &str) -> RuleFile {
        RuleFile { id: id.to_owned(), text: format!("id: {id}\n{rest}") }
    }

    #[test]
    fn rules_for_javascript_are_written_for_typescript_too() {
        let served = file("js-x", "language: JavaScript\nrule: a\n").for_each_language();
        assert_eq!(
            served,
            [
                file("js-x", "language: JavaScript\nrule: a\n"),
                file("js-x-typescript", "language: TypeScript\nrule: a\n"),
                file("js-x-tsx", "language: Tsx\nrule: a\n"),
            ]
        );
        assert_eq!(file("go-x", "language: Go\n").for_each_language().len(), 1);
    }

    #[test]
    fn the_rules_of_the_checkout_are_found_without_their_examples() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let rules = Rules::read(&root).expect("readable");
        assert!(rules.files.iter().any(|file| file.id == "js-debugger"));
        assert!(rules.files.iter().all(|file| !file.id.contains("examples")));
    }

    #[test]
    fn ast_grep_gets_a_configuration_that_leads_to_the_rules() {
        let folder = tempfile::tempdir().expect("a folder");
        let rules = Rules { files: vec![file("go-x", "language: Go\n")] };
        let config = rules.write(folder.path()).expect("written");
        assert_eq!(std::fs::read_to_string(config).expect("read"), "ruleDirs: [rules]\n");
        assert!(folder.path().join("rules/go-x.yml").is_file());
    }
}
