//! What a fix may not do, in rows.

use tribunal_check::{Change, End, Printed, oversteps, ran_fewer, read};

const TOLD: &str = "src/sums.py and tests/test_sums.py fail; see web/a.test.ts, lib.rs, a_test.go, \
                    package.json, pyproject.toml, ci.yml, Makefile, run.sh, Cargo.toml, helper.py";

/// Files as `path`, before, after; and what is said of them.
fn check(changes: &[(&str, Option<&str>, Option<&str>)], expected: &[&str]) {
    let changes: Vec<Change<'_>> =
        changes.iter().map(|&(path, before, after)| Change { path, before, after }).collect();
    let found: Vec<String> = oversteps(&changes, TOLD).iter().map(ToString::to_string).collect();
    assert_eq!(found, expected, "{changes:?}");
}

#[test]
fn an_honest_fix_oversteps_nothing() {
    check(&[("src/sums.py", Some("return a - b"), Some("return a + b"))], &[]);
    check(
        &[("tests/test_sums.py", Some("def test_a():\n assert 1"), {
            Some("def test_a():\n assert 1\ndef test_b():\n assert 2")
        })],
        &[],
    );
    check(&[], &[]);
}

#[test]
fn paths_that_nobody_named_are_out_of_scope() {
    check(
        &[("src/other.py", Some("a"), Some("b"))],
        &["src/other.py: out of scope: neither the failure nor the diagnosis names it"],
    );
}

#[test]
fn tests_that_are_gone_skipped_or_weaker_are_named() {
    check(
        &[("tests/test_sums.py", Some("def test_a():\n    assert 1"), None)],
        &[
            "tests/test_sums.py: a file of tests was deleted",
            "tests/test_sums.py: fewer tests (1 before, 0 now)",
            "tests/test_sums.py: fewer assertions in tests (1 before, 0 now)",
        ],
    );
    check(
        &[("web/a.test.ts", Some("it('a', () => {})"), Some("it.skip('a', () => {})"))],
        &[
            "web/a.test.ts: fewer tests (1 before, 0 now)",
            "web/a.test.ts: more tests skipped (0 before, 1 now)",
        ],
    );
    check(
        &[("src/lib.rs", Some("#[test]\nfn a() {}"), Some("#[test]\n#[ignore]\nfn a() {}"))],
        &["src/lib.rs: more tests skipped (0 before, 1 now)"],
    );
    check(
        &[("a_test.go", Some("t.Error(1)\nt.Fatal(2)"), Some("t.Error(1)"))],
        &["a_test.go: fewer assertions in tests (2 before, 1 now)"],
    );
}

#[test]
fn a_test_that_moved_is_none_the_fewer() {
    let test = "def test_a():\n    assert 1";
    check(
        &[
            ("src/helper.py", Some("assert x"), Some("")),
            ("tests/test_sums.py", Some(test), Some("")),
            ("tests/helper.py", Some(""), Some(test)),
        ],
        &[],
    );
}

#[test]
fn silenced_complaints_and_masked_statuses_are_named() {
    check(
        &[("src/sums.py", Some("x = gone"), Some("x = gone  # noqa"))],
        &["src/sums.py: more complaints silenced (0 before, 1 now)"],
    );
    check(
        &[("src/lib.rs", None, Some("#[allow(dead_code)]\nfn a() {}"))],
        &["src/lib.rs: more complaints silenced (0 before, 1 now)"],
    );
    check(
        &[("tools/run.sh", Some("pytest"), Some("pytest || true"))],
        &["tools/run.sh: more exit statuses thrown away (0 before, 1 now)"],
    );
}

#[test]
fn edits_of_what_is_checked_are_named() {
    let edited = |path: &str| format!("{path}: what is checked was edited");
    for (path, before, after) in [
        (".github/workflows/ci.yml", "a", "b"),
        ("Makefile", "test:\n\tpytest", "test:\n\tpytest -k a"),
        ("package.json", r#"{"scripts": {"test": "jest"}}"#, r#"{"scripts": {"test": "true"}}"#),
        ("pyproject.toml", "[tool.ruff]\nselect = [\"E\"]", "[tool.ruff]\nselect = []"),
        ("Cargo.toml", "[lints]\nworkspace = true", ""),
    ] {
        check(&[(path, Some(before), Some(after))], &[&edited(path)]);
    }
    for (path, before, after) in [
        (
            "package.json",
            r#"{"scripts": {"test": "jest"}}"#,
            r#"{"scripts": { "test": "jest" }, "dependencies": {"a": "1"}}"#,
        ),
        ("pyproject.toml", "[project]\ndependencies = []", "[project]\ndependencies = [\"a\"]"),
        ("Cargo.toml", "[dependencies]", "[dependencies]\nserde = \"1\""),
    ] {
        check(&[(path, Some(before), Some(after))], &[]);
    }
}

#[test]
fn a_pass_with_fewer_tests_is_told() {
    let run = |passed: u64, failed: u64, status| {
        let text = format!("test result: x. {passed} passed; {failed} failed; 0 ignored");
        read(&Printed::new(text.as_bytes(), End::Exit(status)))
    };
    let build = read(&Printed::new(b"error: could not compile `a`", End::Exit(101)));
    assert_eq!(ran_fewer(&run(3, 1, 101), &run(3, 0, 0)), Some((4, 3)));
    assert_eq!(ran_fewer(&run(3, 1, 101), &run(4, 0, 0)), None);
    assert_eq!(ran_fewer(&build, &run(4, 0, 0)), None);
}
