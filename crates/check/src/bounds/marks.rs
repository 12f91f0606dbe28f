//! The words that tests, skips, assertions and silenced complaints are told by, per language.

use super::Weakening;
use super::Weakening::{FewerAssertions, FewerTests, MoreMasked, MoreSilenced, MoreSkipped};

/// Words whose number tells something of a file.
pub(super) struct Mark {
    pub(super) how: Weakening,
    /// Whether more of it is better.
    pub(super) is_good: bool,
    /// Whether only files of tests count.
    only_tests: bool,
    /// Endings of files, and the words there.
    words: &'static [(&'static [&'static str], &'static [&'static str])],
}

const RUST: &[&str] = &[".rs"];
const PYTHON: &[&str] = &[".py"];
const SCRIPT: &[&str] = &[".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue"];
const GO: &[&str] = &["_test.go"];
const JVM: &[&str] = &[".java", ".kt", ".groovy", ".scala"];
const DOTNET: &[&str] = &[".cs", ".fs"];
const RUBY: &[&str] = &[".rb"];
const PHP: &[&str] = &[".php"];
const ELIXIR: &[&str] = &[".exs"];
const SWIFT: &[&str] = &[".swift"];
const SHELLS: &[&str] = &[".sh", ".bash", "Makefile", "justfile", ".yml", ".yaml", "package.json"];

pub(super) const MARKS: &[Mark] = &[
    Mark {
        how: FewerTests,
        is_good: true,
        only_tests: false,
        words: &[
            (RUST, &["#[test]", "::test]", "::test(", "#[rstest"]),
            (PYTHON, &["def test"]),
            (SCRIPT, &["it(", "test(", ".each("]),
            (GO, &["func Test", "t.Run("]),
            (JVM, &["@Test", "@ParameterizedTest"]),
            (DOTNET, &["[Fact", "[Theory", "[Test", "[TestMethod"]),
            (RUBY, &["it '", "it \"", "def test_"]),
            (PHP, &["function test", "#[Test]"]),
            (ELIXIR, &["test \""]),
            (SWIFT, &["func test", "@Test"]),
        ],
    },
    Mark {
        how: MoreSkipped,
        is_good: false,
        only_tests: false,
        words: &[
            (RUST, &["#[ignore"]),
            (
                PYTHON,
                &[
                    "mark.skip",
                    "unittest.skip",
                    "pytest.skip(",
                    "skipTest(",
                    "xfail",
                    "expectedFailure",
                ],
            ),
            (SCRIPT, &[".skip(", ".only(", ".todo(", ".fails(", "xit(", "xtest(", "xdescribe("]),
            (GO, &["t.Skip"]),
            (JVM, &["@Disabled", "@Ignore"]),
            (DOTNET, &["Skip =", "[Ignore"]),
            (RUBY, &["skip ", "xit ", "pending "]),
            (PHP, &["markTestSkipped", "markTestIncomplete"]),
            (ELIXIR, &["@tag :skip", "@moduletag :skip"]),
            (SWIFT, &["XCTSkip", ".disabled("]),
        ],
    },
    Mark {
        how: FewerAssertions,
        is_good: true,
        only_tests: true,
        words: &[
            (RUST, &["assert", "should_panic"]),
            (PYTHON, &["assert", "pytest.raises"]),
            (SCRIPT, &["expect(", "assert", "throw "]),
            (GO, &["t.Error", "t.Fatal", "require.", "assert."]),
            (JVM, &["assert", "verify("]),
            (DOTNET, &["Assert.", ".Should("]),
            (RUBY, &["expect(", "expect {", "assert", "refute"]),
            (PHP, &["assert", "expectException"]),
            (ELIXIR, &["assert", "refute"]),
            (SWIFT, &["XCTAssert", "#expect", "#require"]),
        ],
    },
    Mark {
        how: MoreSilenced,
        is_good: false,
        only_tests: false,
        words: &[
            (RUST, &["#[allow(", "#![allow(", "#[expect("]),
            (
                PYTHON,
                &[
                    "# noqa",
                    "# type: ignore",
                    "# pyright: ignore",
                    "# pylint: disable",
                    "# ruff: noqa",
                ],
            ),
            (
                SCRIPT,
                &[
                    "eslint-disable",
                    "biome-ignore",
                    "@ts-ignore",
                    "@ts-expect-error",
                    "@ts-nocheck",
                ],
            ),
            (&[".go"], &["//nolint"]),
            (JVM, &["@SuppressWarnings", "@Suppress("]),
            (DOTNET, &["#pragma warning disable", "SuppressMessage"]),
            (RUBY, &["rubocop:disable"]),
            (PHP, &["phpcs:ignore", "@phpstan-ignore", "@psalm-suppress"]),
            (&[".ex", ".exs"], &["credo:disable"]),
            (SWIFT, &["swiftlint:disable"]),
        ],
    },
    Mark {
        how: MoreMasked,
        is_good: false,
        only_tests: false,
        words: &[(
            SHELLS,
            &["|| true", "|| :", "|| exit 0", "continue-on-error: true", "allow_failure: true"],
        )],
    },
];

impl Mark {
    /// How often the words stand in a text.
    pub(super) fn count(&self, path: &str, text: &str) -> usize {
        if self.only_tests && !is_test_file(path) && !holds_tests(path, text) {
            return 0;
        }
        let is_of = |endings: &&[&str]| endings.iter().any(|end| path.ends_with(end));
        let words = self.words.iter().filter(|(endings, _)| is_of(endings));
        words.flat_map(|(_, words)| *words).map(|word| text.matches(word).count()).sum()
    }
}

/// Tests of Rust stand in the files that they test.
fn holds_tests(path: &str, text: &str) -> bool {
    path.ends_with(".rs") && text.contains("#[cfg(test)]")
}

/// Whether a path is that of a file of tests, by the names that languages give them.
pub(super) fn is_test_file(path: &str) -> bool {
    let mut parts = path.split('/').rev();
    let name = parts.next().unwrap_or(path);
    let (stem, _) = name.rsplit_once('.').unwrap_or((name, ""));
    let in_folder =
        parts.any(|part| matches!(part, "test" | "tests" | "__tests__" | "spec" | "specs"));
    in_folder
        || stem.starts_with("test_")
        || ["_test", "_spec", "_tests", ".test", ".spec", "Test", "Tests", "Spec"]
            .iter()
            .any(|end| stem.ends_with(end))
        || matches!(stem, "test" | "tests" | "conftest")
}
