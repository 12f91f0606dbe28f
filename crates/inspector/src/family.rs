//! The languages that rules are written for, and the rule files that are built in.

use ast_grep_language::SupportLang;

/// A rule file and its examples, as they stand below `rules/`.
pub(crate) struct RuleFile {
    pub(crate) id: &'static str,
    pub(crate) yaml: &'static str,
    pub(crate) examples: &'static str,
}

/// By folder; the build script lists what is there.
const RULE_FILES: &[(&str, &[RuleFile])] = include!(concat!(env!("OUT_DIR"), "/rule_files.rs"));

/// The rules of one language.
pub(crate) struct Family {
    /// Below `rules/`.
    pub(crate) folder: &'static str,
    /// How the ids of its rules begin.
    pub(crate) prefix: &'static str,
    /// What a rule file calls it.
    pub(crate) language: SupportLang,
}

const fn family(folder: &'static str, prefix: &'static str, language: SupportLang) -> Family {
    Family { folder, prefix, language }
}

pub(crate) const FAMILIES: [Family; 7] = [
    family("rust", "rust-", SupportLang::Rust),
    family("python", "py-", SupportLang::Python),
    family("javascript", "js-", SupportLang::JavaScript),
    family("typescript", "ts-", SupportLang::TypeScript),
    family("go", "go-", SupportLang::Go),
    family("shell", "sh-", SupportLang::Bash),
    family("markdown", "doc-", SupportLang::Markdown),
];

/// The grammars that files are parsed with.
pub(crate) const GRAMMARS: [SupportLang; 8] = [
    SupportLang::Rust,
    SupportLang::Python,
    SupportLang::JavaScript,
    SupportLang::TypeScript,
    SupportLang::Tsx,
    SupportLang::Go,
    SupportLang::Bash,
    SupportLang::Markdown,
];

impl Family {
    pub(crate) fn files(&self) -> &'static [RuleFile] {
        let found = RULE_FILES.iter().find(|(folder, _)| *folder == self.folder);
        found.map_or(&[], |(_, files)| files)
    }
}

/// What a rule written for a language is compiled for: those of JavaScript serve TypeScript too.
pub(crate) fn grammars_of(language: SupportLang) -> &'static [SupportLang] {
    match GRAMMARS.iter().position(|known| *known == language) {
        Some(2) => &GRAMMARS[2..5],
        Some(3) => &GRAMMARS[3..5],
        Some(index) => &GRAMMARS[index..=index],
        None => &[],
    }
}

/// The grammar of a file by the ending of its name, else by its first line.
pub(crate) fn grammar(extension: &str, text: &str) -> Option<SupportLang> {
    match extension {
        "rs" => Some(SupportLang::Rust),
        "py" | "pyi" => Some(SupportLang::Python),
        "js" | "jsx" | "mjs" | "cjs" => Some(SupportLang::JavaScript),
        "ts" | "mts" | "cts" => Some(SupportLang::TypeScript),
        "tsx" => Some(SupportLang::Tsx),
        "go" => Some(SupportLang::Go),
        "sh" | "bash" => Some(SupportLang::Bash),
        "md" | "markdown" => Some(SupportLang::Markdown),
        "" => by_first_line(text),
        _ => None,
    }
}

/// `#!/bin/sh`, `#!/usr/bin/env python3` and their like.
fn by_first_line(text: &str) -> Option<SupportLang> {
    let line = text.lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = words.find(|word| *word != "env" && !word.starts_with('-'))?;
    match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "sh" | "bash" | "dash" | "ksh" => Some(SupportLang::Bash),
        "python" => Some(SupportLang::Python),
        "node" => Some(SupportLang::JavaScript),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_of_rules_belongs_to_a_family_and_every_id_shows_it() {
        for (folder, files) in RULE_FILES {
            let family = FAMILIES.iter().find(|family| family.folder == *folder);
            let family = family.unwrap_or_else(|| panic!("rules/{folder} has no family"));
            for file in *files {
                assert!(file.id.starts_with(family.prefix), "{}", file.id);
            }
        }
    }

    #[test]
    fn rules_for_javascript_serve_typescript_and_not_the_other_way_round() {
        use SupportLang::{JavaScript, Rust, Tsx, TypeScript};
        assert_eq!(grammars_of(Rust), [Rust]);
        assert_eq!(grammars_of(JavaScript), [JavaScript, TypeScript, Tsx]);
        assert_eq!(grammars_of(TypeScript), [TypeScript, Tsx]);
        assert_eq!(grammars_of(SupportLang::Css), []);
    }

    #[test]
    fn a_script_without_an_ending_is_known_by_its_first_line() {
        for (text, expected) in [
            ("#!/bin/sh\n", Some(SupportLang::Bash)),
            ("#!/usr/bin/env -S bash -e\n", Some(SupportLang::Bash)),
            ("#!/usr/bin/env python3.11\n", Some(SupportLang::Python)),
            ("#!/usr/bin/node\n", Some(SupportLang::JavaScript)),
            ("#!/usr/bin/perl\n", None),
            ("plain text\n", None),
        ] {
            assert_eq!(grammar("", text), expected, "{text}");
        }
        assert_eq!(grammar("txt", "#!/bin/sh\n"), None);
    }
}
