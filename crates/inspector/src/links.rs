//! Relative links of Markdown documents that lead nowhere.

use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use fs_err as fs;
use regex::Regex;
use tribunal_finding::{Category, Severity};

use crate::anchors::Anchors;
use crate::artefact::prose;
use crate::rule::{Excuse, InTests, Look, Rule, Weigh};

pub(crate) fn rule() -> Rule {
    Rule {
        id: "doc-broken-link".to_owned(),
        category: Category::Documentation,
        severity: Severity::Medium,
        depth: 1,
        in_tests: InTests::Skip,
        excuse: Excuse::Never,
        weigh: Weigh::Nothing,
        message: "The link leads to a file or a heading that is not there".to_owned(),
        recommendation: "Point it at where that is now, or remove it.".to_owned(),
        unfixable: Some(
            "which place the sentence means can be told only by someone who knows what it says; \
             the tree holds none of that name"
                .to_owned(),
        ),
        lints: Vec::new(),
        look: Look::Links,
        source: String::new(),
    }
}

/// A link whose target is missing.
pub(crate) struct BrokenLink {
    /// Counted from 1.
    pub(crate) line: u32,
    /// As it is written.
    pub(crate) target: String,
}

static LINK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?x)
        \] \( \s* (?: < (?<angled>[^<>\n]+) > | (?<inline>[^\s()<>]+) )
            (?: \s+ (?: "[^"\n]*" | '[^'\n]*' ) )? \s* \)
        | ^\ {0,3} \[ [^\]\^][^\]]* \] : \s+ (?<reference>[^\s<>]+)
        "#,
    )
    .expect("a constant pattern that the tests compile")
});

/// A comment that ends on the line it began on; `prose` leaves out longer ones.
static COMMENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("<!--.*?-->").expect("a constant pattern that the tests compile"));

/// Papers that stand at the root of a repository and are seldom shipped.
const COMMUNAL: [&str; 7] = [
    "changelog",
    "contributing",
    "code_of_conduct",
    "security",
    "authors",
    "governance",
    "history",
];

/// All broken links of a document, code and comments aside.
pub(crate) fn find(root: &Path, document: &str, text: &str) -> Vec<BrokenLink> {
    let mut broken = Vec::new();
    let lines = prose(text);
    let anchors = Anchors::of(text, &lines);
    for (line, range) in lines {
        let prose = COMMENT.replace_all(text[range].trim_end(), "");
        let prose = without_code_spans(&prose);
        for link in LINK.captures_iter(&prose) {
            let Some(target) = link.iter().skip(1).flatten().next() else { continue };
            let target = target.as_str();
            let missing = match target.strip_prefix('#') {
                Some(anchor) => anchors.lack(anchor),
                None => is_missing(root, document, target),
            };
            if missing {
                broken.push(BrokenLink { line, target: target.to_owned() });
            }
        }
    }
    broken
}

/// Code spans blanked out, back-ticks of any number.
fn without_code_spans(line: &str) -> String {
    let mut kept = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        kept.push_str(&rest[..start]);
        let ticks = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        let behind = &rest[start + ticks..];
        match behind.find(&rest[start..start + ticks]) {
            Some(end) => rest = &behind[end + ticks..],
            None => {
                rest = behind;
                break;
            }
        }
    }
    kept.push_str(rest);
    kept
}

fn is_missing(root: &Path, document: &str, target: &str) -> bool {
    let path = target.split(['#', '?']).next().unwrap_or(target);
    let is_url = path.split_once(':').is_some_and(|(scheme, _)| {
        scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    });
    let is_template = path.contains(['{', '}', '$', '*', '|', '…']) || path.contains("...");
    if path.is_empty() || path.starts_with(['/', '@', '~']) || is_url || is_template {
        return false;
    }
    // A bare word is as often `[x](y)` in a grammar as it is a link.
    let is_path = path.contains(['/', '.']);
    let Some(place) = resolved(document, &unescaped(path)).filter(|_| is_path) else {
        return false;
    };
    !exists(root, &place) && !is_packaged_without(root, &place)
}

/// A published package leaves folders and the project's own papers out; its documents still name
/// them.
fn is_packaged_without(root: &Path, place: &Path) -> bool {
    let there = |path: &Path| fs::symlink_metadata(path).is_ok();
    let folder_missing = place.parent().is_some_and(|folder| !there(&root.join(folder)));
    let name = place.file_stem().map(|stem| stem.to_string_lossy().to_ascii_lowercase());
    let communal = name.is_some_and(|name| {
        // `README_de`, `Readme.zh-CN`: translations.
        COMMUNAL.contains(&name.as_str()) || name.starts_with("readme")
    });
    !there(&root.join(".git")) && (folder_missing || communal)
}

/// The path below the root; `None` where it leads out of the tree, which nobody can check here.
fn resolved(document: &str, target: &str) -> Option<PathBuf> {
    let mut place: PathBuf = Path::new(document).parent()?.to_path_buf();
    for part in Path::new(target).components() {
        match part {
            Component::Normal(name) => place.push(name),
            Component::ParentDir => {
                if !place.pop() {
                    return None;
                }
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(place)
}

/// Whether the file is there, or the source from which a site generator makes it.
fn exists(root: &Path, place: &Path) -> bool {
    let full = root.join(place);
    let there = |path: &Path| fs::symlink_metadata(path).is_ok();
    there(&full)
        || ["md", "mdx", "rst", "ipynb"].iter().any(|source| {
            let page = full.extension().is_none_or(|kind| kind == "html" || kind == "htm");
            page && there(&full.with_extension(source))
        })
}

/// `%20` and its like.
fn unescaped(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let code = behind.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        check_in(true, text, expected);
    }

    fn check_in(repository: bool, text: &str, expected: &[&str]) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::create_dir_all(root.join("docs/my notes")).expect("created");
        if repository {
            fs::create_dir(root.join(".git")).expect("created");
        }
        for file in ["README.md", "docs/guide.md", "docs/my notes/a.md", "docs/pic.png"] {
            fs::write(root.join(file), "").expect("written");
        }
        let found = find(root, "docs/index.md", text);
        let targets: Vec<&str> = found.iter().map(|link| link.target.as_str()).collect();
        assert_eq!(targets, expected, "{text}");
    }

    #[test]
    fn a_link_to_a_missing_file_is_broken() {
        check("[a](missing.md)", &["missing.md"]);
        check(
            "![a](img/none.png \"title\") and [b](../NONE.md#top)",
            &["img/none.png", "../NONE.md#top"],
        );
        check("[ref]: ./none.md\n", &["./none.md"]);
        check("[a](<no such.md>)", &["no such.md"]);
        check("# One\n\n[a](#one) [b](#two)", &["#two"]);
    }

    #[test]
    fn a_package_need_not_have_the_folders_of_its_repository() {
        check_in(true, "[a](examples/a.md) [b](none.md)", &["examples/a.md", "none.md"]);
        check_in(false, "[a](examples/a.md) [b](none.md) [c](../CHANGELOG.md)", &["none.md"]);
    }

    #[test]
    fn what_is_there_or_cannot_be_checked_is_not_broken() {
        for text in [
            "[a](guide.md) [b](../README.md#top) [c](pic.png) [d](./)",
            "[a](my%20notes/a.md) [b](<my notes/a.md>)",
            "[site](guide.html) [site](guide)",
            "[a](https://example.org/x.md) [b](mailto:a@b.c) [c](#top) [d](#)",
            "[a](/absolute.md) [b](../../outside.md) [c]({{ url }}.md)",
            "`[a](missing.md)` and ``[b](`missing.md)``",
            "```\n[a](missing.md)\n```\n",
            "<!-- [a](missing.md) -->",
            "a[i](x)",
            "[^1]: See missing.md",
        ] {
            check(text, &[]);
        }
    }
}
