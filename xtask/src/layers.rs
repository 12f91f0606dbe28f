//! `cargo xtask layers`: which crate may use which (DESIGN §3, floors).
//!
//! The table says it edge by edge; a new edge is a commit of its own. A test holds the table itself
//! against the floors.

use std::path::Path;

use cargo_metadata::{DependencyKind, Package};

use crate::chore;
use crate::failure::{Failure, Problem};
use crate::process;

/// A floor of the house; edges lead down only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Floor {
    /// Values in, values out; the purity lints are denied on top of `lib.rs`.
    Rule,
    /// Touches one part of the outside world; never sees another adapter.
    Adapter,
    /// Drives a definition and a machine.
    Runner,
    /// What people and programs talk to.
    Face,
    /// The thin binary.
    Program,
    /// Stands alone: linked by the binary, or not shipped at all.
    Apart,
}

/// A crate, by the folder it lives in, and the siblings it may use.
struct Row {
    folder: &'static str,
    floor: Floor,
    may_use: &'static [&'static str],
}

const fn row(folder: &'static str, floor: Floor, may_use: &'static [&'static str]) -> Row {
    Row { folder, floor, may_use }
}

const TABLE: &[Row] = &[
    row("crates/finding", Floor::Rule, &[]),
    row("crates/verdict", Floor::Rule, &[]),
    row("crates/vote", Floor::Rule, &["finding", "verdict"]),
    row("crates/verify", Floor::Rule, &["finding", "vote"]),
    row("crates/phase", Floor::Rule, &["finding", "verdict"]),
    row("crates/recipe", Floor::Rule, &[]),
    row("crates/check", Floor::Rule, &["finding"]),
    row("crates/record", Floor::Rule, &["phase"]),
    row("crates/report", Floor::Rule, &["finding"]),
    row("crates/worktree", Floor::Adapter, &["finding", "verify"]),
    row("crates/dispatch", Floor::Adapter, &[]),
    row("crates/journal", Floor::Adapter, &["phase", "record"]),
    row(
        "crates/runner",
        Floor::Runner,
        &[
            "finding", "verdict", "vote", "verify", "phase", "recipe", "check", "record", "report",
            "worktree", "dispatch", "journal",
        ],
    ),
    row(
        "crates/cli",
        Floor::Face,
        &[
            "finding", "verdict", "vote", "verify", "phase", "recipe", "check", "record", "report",
            "runner",
        ],
    ),
    row("crates/mcp", Floor::Face, &["phase", "runner"]),
    // Hands the MCP server to the command line: faces do not see each other.
    row("crates/tribunal", Floor::Program, &["cli", "inspector", "mcp"]),
    // It starts the linters that its owner allows (docs/decisions/0003).
    row("crates/inspector", Floor::Apart, &["finding", "dispatch"]),
    row("crates/test-support", Floor::Apart, &[]),
    row("tests", Floor::Apart, &[]),
    // The schemas are generated from the types that these own.
    row("xtask", Floor::Apart, &["finding", "check", "phase", "vote", "verify", "report"]),
];

/// The crate that tests may use, and nothing else may.
const TEST_ONLY: &str = "test-support";

/// Third-party crates that only some crates may use; a name that ends in `-` is a prefix.
const OWNED: &[(&str, &[&str])] = &[
    ("git2", &["crates/worktree"]),
    ("libgit2-sys", &["crates/worktree"]),
    (
        "tokio",
        &[
            "crates/dispatch",
            "crates/runner",
            "crates/cli",
            "crates/mcp",
            "crates/inspector",
            "tests",
        ],
    ),
    ("rmcp", &["crates/mcp", "tests"]),
    ("clap", &["crates/cli"]),
    ("ast-grep-", &["crates/inspector"]),
];

/// The folders of the rule crates, which carry the purity lints.
pub(crate) fn rule_crates() -> impl Iterator<Item = &'static str> {
    TABLE.iter().filter(|row| row.floor == Floor::Rule).map(|row| row.folder)
}

/// A dependency as a manifest declares it.
#[derive(Debug)]
struct Edge {
    /// Folder of the crate that declares it.
    from: String,
    /// What it leads to.
    to: Target,
    /// Only tests use it.
    dev: bool,
}

#[derive(Debug)]
enum Target {
    /// A crate of this workspace, without the prefix `tribunal-`.
    Sibling(String),
    ThirdParty(String),
}

/// Compares what cargo knows of the workspace with the table.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    chore::takes_nothing("layers", arguments)?;
    let metadata = process::metadata(root)?;
    let mut problems = Vec::new();
    let mut n_edges = 0;
    for package in metadata.workspace_packages() {
        let folder = folder(package, metadata.workspace_root.as_str());
        let edges: Vec<Edge> = edges(package, &folder);
        n_edges += edges.len();
        problems.extend(unlisted(&folder));
        problems.extend(edges.iter().filter_map(judge));
    }
    if problems.is_empty() {
        println!("layers: {n_edges} edges, all allowed");
        return Ok(());
    }
    problems.sort();
    Err(Failure::Found { problems, remedy: "the allowed edges stand in xtask/src/layers.rs" })
}

fn folder(package: &Package, root: &str) -> String {
    let manifest = package.manifest_path.as_str();
    let inside = manifest.strip_prefix(root).unwrap_or(manifest);
    inside.trim_start_matches('/').trim_end_matches("Cargo.toml").trim_end_matches('/').to_owned()
}

fn edges(package: &Package, folder: &str) -> Vec<Edge> {
    package
        .dependencies
        .iter()
        .map(|dependency| Edge {
            from: folder.to_owned(),
            to: match dependency.path {
                Some(_) => Target::Sibling(sibling(&dependency.name).to_owned()),
                None => Target::ThirdParty(dependency.name.clone()),
            },
            dev: dependency.kind == DependencyKind::Development,
        })
        .collect()
}

fn sibling(package: &str) -> &str {
    package.strip_prefix("tribunal-").unwrap_or(package)
}

fn find(folder: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.folder == folder)
}

fn unlisted(folder: &str) -> Option<Problem> {
    find(folder).is_none().then(|| Problem {
        path: format!("{folder}/Cargo.toml"),
        line: 1,
        what: "this crate is not in the table".to_owned(),
        why: "every crate has a floor (DESIGN §3)".to_owned(),
    })
}

/// The problem with one edge, if it has one. Edges of a crate without a row are [`unlisted`]'s.
fn judge(edge: &Edge) -> Option<Problem> {
    let row = find(&edge.from)?;
    let (what, why) = match &edge.to {
        Target::Sibling(name) if name == TEST_ONLY => {
            if edge.dev {
                return None;
            }
            (format!("uses {name}"), "it is for tests: a dev-dependency alone".to_owned())
        }
        Target::Sibling(name) => {
            if row.may_use.contains(&name.as_str()) {
                return None;
            }
            (format!("uses {name}"), format!("it may use {}", listed(row.may_use)))
        }
        Target::ThirdParty(name) => {
            let (_, owners) = OWNED.iter().find(|(owned, _)| owns(owned, name))?;
            if owners.contains(&row.folder) {
                return None;
            }
            (format!("uses {name}"), format!("only {} may", listed(owners)))
        }
    };
    Some(Problem { path: format!("{}/Cargo.toml", edge.from), line: 1, what, why })
}

fn owns(pattern: &str, name: &str) -> bool {
    if pattern.ends_with('-') { name.starts_with(pattern) } else { name == pattern }
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "no sibling".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(from: &str, to: Target, dev: bool, expected: Option<&str>) {
        let edge = Edge { from: from.to_owned(), to, dev };
        let shown = judge(&edge).map(|problem| problem.to_string());
        assert_eq!(shown.as_deref(), expected);
    }

    fn sibling(name: &str) -> Target {
        Target::Sibling(name.to_owned())
    }

    fn third_party(name: &str) -> Target {
        Target::ThirdParty(name.to_owned())
    }

    #[test]
    fn edges_that_lead_up_or_across_are_refused() {
        check("crates/vote", sibling("finding"), false, None);
        check(
            "crates/verdict",
            sibling("finding"),
            false,
            Some("crates/verdict/Cargo.toml:1: uses finding — it may use no sibling"),
        );
        check(
            "crates/worktree",
            sibling("journal"),
            false,
            Some("crates/worktree/Cargo.toml:1: uses journal — it may use finding, verify"),
        );
        check(
            "crates/record",
            sibling("runner"),
            true,
            Some("crates/record/Cargo.toml:1: uses runner — it may use phase"),
        );
    }

    #[test]
    fn test_support_is_for_tests_of_any_crate() {
        check("crates/dispatch", sibling("test-support"), true, None);
        check("tests", sibling("test-support"), true, None);
        check(
            "crates/dispatch",
            sibling("test-support"),
            false,
            Some(
                "crates/dispatch/Cargo.toml:1: uses test-support — it is for tests: a dev-dependency alone",
            ),
        );
    }

    #[test]
    fn some_third_party_crates_have_one_owner() {
        check("crates/worktree", third_party("git2"), false, None);
        check("crates/cli", third_party("clap"), false, None);
        check("crates/runner", third_party("serde"), false, None);
        check(
            "crates/runner",
            third_party("git2"),
            false,
            Some("crates/runner/Cargo.toml:1: uses git2 — only crates/worktree may"),
        );
        check(
            "crates/verdict",
            third_party("tokio"),
            true,
            Some(
                "crates/verdict/Cargo.toml:1: uses tokio — only crates/dispatch, crates/runner, crates/cli, crates/mcp, crates/inspector, tests may",
            ),
        );
        check(
            "crates/cli",
            third_party("ast-grep-core"),
            false,
            Some("crates/cli/Cargo.toml:1: uses ast-grep-core — only crates/inspector may"),
        );
    }

    #[test]
    fn a_crate_without_a_floor_is_refused() {
        assert!(unlisted("crates/novel").is_some());
        assert!(unlisted("crates/vote").is_none());
    }

    /// DESIGN §3: faces → runner → adapters → rules; adapters never see each other; faces call rules
    /// and the runner, nothing else.
    #[test]
    fn the_table_keeps_the_floors() {
        for row in TABLE {
            for name in row.may_use {
                let used = find(&format!("crates/{name}")).expect("every edge leads to a row");
                let allowed = match row.floor {
                    Floor::Rule | Floor::Adapter => used.floor == Floor::Rule,
                    Floor::Runner => used.floor < Floor::Runner,
                    Floor::Face => matches!(used.floor, Floor::Rule | Floor::Runner),
                    Floor::Program => {
                        matches!(used.folder, "crates/cli" | "crates/inspector" | "crates/mcp")
                    }
                    // The chores; the inspector, which speaks the words of findings and starts
                    // linters as every other process is started.
                    Floor::Apart => match row.folder {
                        "xtask" => used.floor == Floor::Rule,
                        "crates/inspector" => {
                            used.floor == Floor::Rule || used.folder == "crates/dispatch"
                        }
                        _ => false,
                    },
                };
                assert!(allowed, "{} → {name}", row.folder);
            }
        }
    }

    #[test]
    fn the_rules_use_each_other_in_one_direction() {
        let mut settled: Vec<&str> = Vec::new();
        for row in TABLE.iter().filter(|row| row.floor == Floor::Rule) {
            for name in row.may_use {
                assert!(settled.contains(name), "{} → {name}", row.folder);
            }
            settled.push(row.folder.trim_start_matches("crates/"));
        }
    }
}
