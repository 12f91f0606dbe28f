//! Whether a public item of a Rust file can be reached from outside its crate.
//!
//! `pub` in a private module is as private as the module, unless an item is exported by its name.
//! Read from the text of `mod` and `pub use` declarations from the root of the library down; what
//! cannot be followed (a macro that makes modules, `#[path]`) counts as private, because a wrong
//! finding costs more than one that is missing.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use fs_err as fs;
use regex::Regex;

use crate::hit::Hit;
use crate::rule::Weigh;

/// Leaves out what is said about public items of a file that nobody outside can name.
pub(crate) fn keep_reachable(root: &Path, path: &str, hits: &mut Vec<Hit>) {
    let is_public_item = |hit: &Hit| hit.rule.weigh == Weigh::Undocumented;
    if path.ends_with(".rs") && hits.iter().any(is_public_item) {
        let reach = Reach::of(root, path);
        hits.retain(|hit| !is_public_item(hit) || reach.holds(&hit.evidence));
    }
}

/// What others can reach of a file.
#[derive(Debug, PartialEq, Eq)]
enum Reach {
    /// Each public item.
    All,
    /// Items that are exported by name.
    Named(BTreeSet<String>),
}

static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^pub\s+(?:(?:async|unsafe|const|extern\s+\x22\w+\x22)\s+)*
          (?:fn|struct|enum|union|trait|type|const|static)\s+(\w+)",
    )
});
static SELF: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[sS]elf\b"));
static EXPORT: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bpub\s+use\s+([^;]+);"));
static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"\w+"));

fn pattern(text: &str) -> Regex {
    Regex::new(&format!("(?x){text}")).expect("a constant pattern that the tests compile")
}

impl Reach {
    fn of(root: &Path, path: &str) -> Self {
        let Some((mut folder, modules)) = library_above(root, path) else { return Self::All };
        let Ok(mut text) = fs::read_to_string(root.join(&folder).join("lib.rs")) else {
            return Self::Named(BTreeSet::new());
        };
        let mut exports = exports_of(&text);
        let mut is_open = true;
        for module in modules {
            is_open &= declares_public(&text, module);
            if exports.iter().any(|export| export.contains(&format!("{module}::*"))) {
                return Self::All;
            }
            let beside = root.join(&folder).join(format!("{module}.rs"));
            folder = format!("{folder}/{module}");
            let inside = root.join(&folder).join("mod.rs");
            text = fs::read_to_string(beside)
                .or_else(|_| fs::read_to_string(inside))
                .unwrap_or_default();
            exports.extend(exports_of(&text));
        }
        if is_open {
            return Self::All;
        }
        let names = exports
            .iter()
            .flat_map(|export| NAME.find_iter(export).map(|name| name.as_str().to_owned()));
        Self::Named(names.collect())
    }

    /// Whether the item that begins with this evidence is among it.
    fn holds(&self, evidence: &str) -> bool {
        match self {
            Self::All => true,
            // Methods have names of their own, which no export lists.
            Self::Named(names) => {
                let item = ITEM.captures(evidence).filter(|_| !SELF.is_match(evidence));
                item.is_some_and(|item| names.contains(&item[1]))
            }
        }
    }
}

/// The folder of the nearest `lib.rs` or `main.rs`, and the modules that lead from it to the file.
///
/// `None` where there is neither, or where the file is the root of the library itself.
fn library_above<'p>(root: &Path, path: &'p str) -> Option<(String, Vec<&'p str>)> {
    let mut folders: Vec<&str> = path.split('/').collect();
    let name = folders.pop()?;
    let mut modules = vec![name.strip_suffix(".rs").unwrap_or(name)];
    loop {
        let folder = folders.join("/");
        let holds = |name: &str| root.join(&folder).join(name).is_file();
        if holds("lib.rs") || holds("main.rs") {
            modules.reverse();
            if modules.last() == Some(&"mod") {
                modules.pop();
            }
            return (modules != ["lib"]).then_some((folder, modules));
        }
        modules.push(folders.pop()?);
    }
}

fn exports_of(text: &str) -> Vec<String> {
    EXPORT.captures_iter(text).map(|found| found[1].to_owned()).collect()
}

fn declares_public(text: &str, module: &str) -> bool {
    Regex::new(&format!(r"\bpub\s+mod\s+{}\s*[;{{]", regex::escape(module)))
        .is_ok_and(|declaration| declaration.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            fs::write(path, text).expect("written");
        }
        folder
    }

    fn check(files: &[(&str, &str)], path: &str, evidence: &str, expected: bool) {
        let folder = tree(files);
        let reach = Reach::of(folder.path(), path);
        assert_eq!(reach.holds(evidence), expected, "{evidence} in {path}: {reach:?}");
    }

    const LIBRARY: &[(&str, &str)] = &[
        (
            "src/lib.rs",
            "pub mod open;\nmod shut;\nmod all;\npub use shut::{Named, other::Deep};\npub use all::*;\n",
        ),
        ("src/open/mod.rs", "pub mod inner;\nmod hidden;\n"),
        ("src/shut.rs", "pub mod other;\n"),
    ];

    #[test]
    fn a_public_item_of_a_private_module_is_reached_by_its_export_alone() {
        check(LIBRARY, "src/lib.rs", "pub fn f() {", true);
        check(LIBRARY, "src/open/mod.rs", "pub fn f() {", true);
        check(LIBRARY, "src/open/inner.rs", "pub struct A;", true);
        check(LIBRARY, "src/open/hidden.rs", "pub struct A;", false);
        check(LIBRARY, "src/shut.rs", "pub fn new() -> Self {", false);
        check(LIBRARY, "src/shut.rs", "pub struct Named {", true);
        check(LIBRARY, "src/shut/other.rs", "pub async fn deep() {", false);
        check(LIBRARY, "src/shut/other.rs", "pub struct Deep;", true);
        check(LIBRARY, "src/shut/other.rs", "pub fn other(&self) {", false);
        check(LIBRARY, "src/all.rs", "pub const MOST: u8 = 1;", true);
    }

    #[test]
    fn programs_have_no_public_items_and_unknown_layouts_have_all() {
        let program = &[("src/main.rs", "pub mod a;\n")];
        check(program, "src/a.rs", "pub fn f() {", false);
        check(program, "src/main.rs", "pub fn f() {", false);
        check(LIBRARY, "src/bin/tool.rs", "pub fn f() {", false);
        check(&[("code/a.rs", "")], "code/a.rs", "pub fn f() {", true);
    }
}
