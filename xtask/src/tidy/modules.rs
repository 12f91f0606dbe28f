//! The shape of crates: what `lib.rs` holds, and that every file belongs to a module.

use super::survey::{Hit, Source, Survey};
use crate::layers::rule_crates;

const PURITY: &str = "#![deny(clippy::disallowed_methods, clippy::disallowed_types)]";

/// Rule crates whose `lib.rs` does not deny the impure parts of std before its first item.
pub(super) fn impure<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let is_rule_lib = |path: &str| {
        path.strip_suffix("/src/lib.rs").is_some_and(|f| rule_crates().any(|r| r == f))
    };
    survey
        .sources
        .iter()
        .filter(|source| is_rule_lib(source.path) && !denies(source))
        .map(|source| source.hit(1, format!("`{PURITY}` is missing")))
        .collect()
}

fn denies(source: &Source<'_>) -> bool {
    let first_item =
        source.code.iter().position(|token| matches!(token.text, "mod" | "use" | "pub"));
    let head: String = source.code[..first_item.unwrap_or(source.code.len())]
        .iter()
        .map(|token| token.text)
        .collect();
    head.contains(&PURITY.replace(' ', ""))
}

/// Logic and glob re-exports in `lib.rs`; the first of each file.
pub(super) fn logic<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let libraries = survey.sources.iter().filter(|source| source.file_name() == "lib.rs");
    libraries.filter_map(first_logic).collect()
}

fn first_logic<'a>(source: &Source<'a>) -> Option<Hit<'a>> {
    let logic = ["fn", "impl", "macro_rules", "static"];
    source.code.windows(2).find_map(|pair| {
        let what = match (pair[0].text, pair[1].text) {
            (word, _) if logic.contains(&word) => format!("`{word}`"),
            ("::", "*") => "a glob".to_owned(),
            _ => return None,
        };
        (!source.is_test(pair[0].line)).then(|| source.hit(pair[0].line, what))
    })
}

/// Files that no `mod` line names: of libraries, of programs, and of test programs with a `main.rs`.
pub(super) fn forgotten<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let source_at = |path: &str| survey.sources.iter().find(|source| source.path == path);
    let mut hits = Vec::new();
    for source in &survey.sources {
        let Some((folder, name)) = source.path.rsplit_once('/') else { continue };
        let name = name.trim_end_matches(".rs");
        let module = match name {
            "mod" => folder.rsplit('/').next().unwrap_or(folder),
            _ => name,
        };
        let parents = match name {
            "lib" | "main" | "build" => continue,
            "mod" => parents(folder.rsplit_once('/').map_or("", |(above, _)| above)),
            _ => parents(folder),
        };
        let existing: Vec<&Source<'_>> =
            parents.iter().filter_map(|path| source_at(path)).collect();
        // Without a parent the file is a program that cargo finds by itself: src/bin, tests, examples.
        if !existing.is_empty()
            && !existing.iter().any(|parent| !parent.matches(&["mod", module]).is_empty())
        {
            hits.push(source.hit(1, format!("no `mod {module};` in {}", existing[0].path)));
        }
    }
    hits
}

/// Files that may hold the `mod` lines of the files in `folder`.
fn parents(folder: &str) -> [String; 4] {
    let inside = |name| format!("{folder}/{name}");
    [inside("lib.rs"), inside("main.rs"), inside("mod.rs"), format!("{folder}.rs")]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;
    use crate::tree::Tree;

    #[test]
    fn rule_crates_deny_before_the_first_item() {
        let missing = format!("`{PURITY}` is missing");
        check(impure, "crates/vote/src/lib.rs", &format!("//! Docs.\n\n{PURITY}\n\nmod a;\n"), &[]);
        check(impure, "crates/vote/src/lib.rs", "//! Docs.\nmod a;\n", &[(1, &missing)]);
        check(impure, "crates/vote/src/lib.rs", &format!("// {PURITY}\nmod a;"), &[(1, &missing)]);
        check(impure, "crates/runner/src/lib.rs", "mod a;\n", &[]);
    }

    #[test]
    fn lib_holds_no_logic() {
        let lib = "crates/vote/src/lib.rs";
        check(logic, lib, "//! fn in docs\nmod a;\npub use a::{B, c};\n", &[]);
        check(logic, lib, "pub use a::B;\npub use a::*;\n", &[(2, "a glob")]);
        check(logic, lib, "mod a;\nimpl A {\n  fn b() {}\n}\n", &[(2, "`impl`")]);
        check(logic, lib, "mod a;\nfn b() {}\n", &[(2, "`fn`")]);
        check(logic, lib, "#[cfg(test)]\nmod tests { fn b() {} }\n", &[]);
        check(logic, "crates/vote/src/a.rs", "fn b() {}\n", &[]);
    }

    #[test]
    fn a_file_without_a_mod_line_is_forgotten() {
        let tree = Tree::from([
            ("crates/x/src/lib.rs", "mod a;\n// mod c;\n"),
            ("crates/x/src/a.rs", "mod b;"),
            ("crates/x/src/a/b.rs", ""),
            ("crates/x/src/c.rs", ""),
            ("crates/x/src/bin/tool.rs", ""),
            ("crates/x/tests/alone.rs", ""),
            ("tests/e2e/main.rs", "mod audit;"),
            ("tests/e2e/audit.rs", ""),
            ("tests/e2e/resume.rs", ""),
            ("tests/e2e/kill/mod.rs", ""),
        ]);
        let survey = Survey::new(&tree);
        let hits = forgotten(&survey);
        let shown: Vec<(&str, &str)> =
            hits.iter().map(|hit| (hit.path, hit.what.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("crates/x/src/c.rs", "no `mod c;` in crates/x/src/lib.rs"),
                ("tests/e2e/kill/mod.rs", "no `mod kill;` in tests/e2e/main.rs"),
                ("tests/e2e/resume.rs", "no `mod resume;` in tests/e2e/main.rs"),
            ]
        );
    }
}
