//! Scans that are kept for later cycles.

use fs_err as fs;
use serde_json::Value;

use crate::{inspector, plant};

const FILES: &[(&str, &str)] = &[
    ("a.py", "try:\n    f()\nexcept Exception:\n    pass\n"),
    ("b.js", "if (a === NaN) { f(); }\n"),
    ("c.md", "See [it](gone.md).\n"),
];

/// Findings, and how many files were scanned anew: each adds a line to the file of kept scans.
fn seek(root: &std::path::Path, cache: &std::path::Path, words: &str) -> (Value, usize) {
    let lines = || fs::read_to_string(cache).map_or(0, |text| text.lines().count());
    let before = lines();
    let words = format!("--role seeker --cycle 3 --cache {} {words}", cache.display());
    let answer = inspector(root, &words, "").json();
    (answer["findings"].clone(), lines() - before)
}

#[test]
fn an_unchanged_file_is_not_scanned_again_and_a_changed_one_is() {
    let (folder, kept) = (tempfile::tempdir().expect("a"), tempfile::tempdir().expect("b"));
    let (root, cache) = (folder.path(), kept.path().join("scans"));
    plant(root, FILES);
    let (first, scanned) = seek(root, &cache, "");
    assert_eq!(scanned, 3);
    assert_eq!(seek(root, &cache, ""), (first.clone(), 0));

    plant(root, &[("b.js", "f();\n")]);
    let (second, scanned) = seek(root, &cache, "");
    assert_eq!(scanned, 1);
    assert_ne!(second, first);
    assert_eq!(seek(root, &cache, "").0, second);
}

#[test]
fn a_link_is_followed_anew_though_its_document_did_not_change() {
    let (folder, kept) = (tempfile::tempdir().expect("a"), tempfile::tempdir().expect("b"));
    let (root, cache) = (folder.path(), kept.path().join("scans"));
    plant(root, FILES);
    let links = |findings: &Value| findings.to_string().matches("doc-broken-link").count();
    assert_eq!(links(&seek(root, &cache, "").0), 1);
    plant(root, &[("gone.md", "Here.\n")]);
    assert_eq!(links(&seek(root, &cache, "").0), 0);
}

#[test]
fn other_rules_or_limits_are_asked_anew() {
    let (folder, kept) = (tempfile::tempdir().expect("a"), tempfile::tempdir().expect("b"));
    let (root, cache) = (folder.path(), kept.path().join("scans"));
    plant(root, FILES);
    let (all, _) = seek(root, &cache, "");
    assert_eq!(seek(root, &cache, "--module-loc-limit 2").1, 3);
    let none = format!("--rules {}", kept.path().display());
    assert_eq!(seek(root, &cache, &none), (all.clone(), 0), "an empty folder changes nothing");
    // Which rules are reported is no part of a scan.
    let (only, scanned) = seek(root, &cache, "--only reliability");
    assert_eq!(scanned, 0);
    assert!(only.as_array().expect("a list").len() < all.as_array().expect("a list").len());
}

#[test]
fn torn_or_foreign_scans_cost_time_alone() {
    let (folder, kept) = (tempfile::tempdir().expect("a"), tempfile::tempdir().expect("b"));
    let (root, cache) = (folder.path(), kept.path().join("scans"));
    plant(root, FILES);
    let (first, _) = seek(root, &cache, "");
    let text = fs::read_to_string(&cache).expect("kept");
    fs::write(&cache, format!("nonsense\n{} {{\n{}", "0".repeat(64), &text[..text.len() / 2]))
        .expect("written");
    assert_eq!(seek(root, &cache, "").0, first);
    let folder_in_the_way = format!("--role seeker --cycle 3 --cache {}", kept.path().display());
    let answer = inspector(root, &folder_in_the_way, "");
    assert_eq!(answer.json()["findings"], first);
    assert!(answer.stderr.contains("earlier scans are not used"), "{}", answer.stderr);
}
