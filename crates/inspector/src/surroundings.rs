//! What kind of place a file is: the product, or something beside it.

use generated::is_generated;

mod generated;

/// Where a file stands; a fault weighs differently in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Surroundings {
    /// What is shipped or run.
    Product,
    /// Tests and what only they use.
    Test,
    /// Examples, benchmarks: read as patterns, never run by users.
    Example,
    /// Data that tests feed on; often wrong on purpose.
    Fixture,
    /// Made by a program; an edit would not last.
    Generated,
    /// Somebody else's code, kept here.
    Vendored,
}

const VENDORED: [&str; 13] = [
    "vendor",
    "_vendor",
    "vendored",
    "_vendored",
    "node_modules",
    "third_party",
    "third-party",
    "thirdparty",
    "3rdparty",
    "bower_components",
    "site-packages",
    ".venv",
    "venv",
];
const GENERATED: [&str; 3] = ["dist", "__generated__", "generated"];
const FIXTURE: [&str; 6] =
    ["fixtures", "fixture", "testdata", "test_data", "test-data", "__snapshots__"];
const TEST: [&str; 8] =
    ["test", "tests", "testing", "testsuite", "__tests__", "spec", "e2e", "fuzz"];
/// What some projects call the folder of their tests, at the root alone.
const TEST_AT_ROOT: &str = "t";
const EXAMPLE: [&str; 9] = [
    "example",
    "examples",
    "demo",
    "demos",
    "samples",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
];

/// Where the product itself stands.
const SOURCES: [&str; 6] = ["src", "lib", "pkg", "internal", "cmd", "app"];

impl Surroundings {
    /// Tells from the path and the head of the text.
    pub(crate) fn of(path: &str, text: &str) -> Self {
        let mut folders: Vec<&str> = path.split('/').collect();
        let name = folders.pop().unwrap_or(path);
        let inside = |names: &[&str]| folders.iter().any(|folder| names.contains(folder));
        if inside(&VENDORED) {
            Self::Vendored
        } else if inside(&GENERATED) || is_generated(name, text) {
            Self::Generated
        } else if inside(&FIXTURE) {
            Self::Fixture
        } else if inside(&TEST)
            || folders.first() == Some(&TEST_AT_ROOT)
            || folders.iter().any(|folder| is_test_folder(folder))
            || is_test_file(name)
        {
            Self::Test
        } else if is_beside_the_product(&folders) {
            Self::Example
        } else {
            Self::Product
        }
    }

    /// In a sentence: "this is …".
    pub(crate) fn phrase(self) -> &'static str {
        match self {
            Self::Product => "product code",
            Self::Test => "test code",
            Self::Example => "an example",
            Self::Fixture => "a fixture, which may be wrong on purpose",
            Self::Generated => "generated, so an edit here would not last",
            Self::Vendored => "vendored, so it is mended where it comes from",
        }
    }
}

/// Examples and benchmarks stand beside the sources; `src/benchmark` is a module of the product.
fn is_beside_the_product(folders: &[&str]) -> bool {
    let before_sources = folders.iter().take_while(|folder| !SOURCES.contains(folder));
    before_sources.into_iter().any(|folder| EXAMPLE.contains(folder))
}

/// `test-support`, `test_utils`: a folder of its own for what tests share.
fn is_test_folder(folder: &str) -> bool {
    ["test-", "test_", "tests-", "tests_"].iter().any(|start| folder.starts_with(start))
}

fn is_test_file(name: &str) -> bool {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let by_stem = match extension {
        "py" => stem.starts_with("test_") || stem.ends_with("_test") || stem == "conftest",
        "go" => ["_test", "_tests", "_fuzzer"].iter().any(|end| stem.ends_with(end)),
        "rs" => {
            stem == "tests" || stem == "test" || stem.ends_with("_test") || stem.ends_with("_tests")
        }
        _ => false,
    };
    by_stem || stem.ends_with(".test") || stem.ends_with(".spec")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, expected: Surroundings) {
        assert_eq!(Surroundings::of(path, text), expected, "{path}");
    }

    #[test]
    fn a_file_is_known_by_its_folders_its_name_and_its_head() {
        check("src/main.rs", "fn main() {}", Surroundings::Product);
        check("contest/latest.py", "", Surroundings::Product);
        check("tests/e2e/main.rs", "", Surroundings::Test);
        check("crates/test-support/src/lib.rs", "", Surroundings::Test);
        check("pkg/parse_test.go", "", Surroundings::Test);
        check("contrib/archive_fuzzer.go", "", Surroundings::Test);
        check("fuzz/targets/parse.rs", "", Surroundings::Test);
        check("t/unit/security/__init__.py", "", Surroundings::Test);
        check("web/t/messages.ts", "", Surroundings::Product);
        check("src/hash_quality_test.rs", "", Surroundings::Test);
        check("pkg/test_parse.py", "", Surroundings::Test);
        check("web/parse.spec.ts", "", Surroundings::Test);
        check("tests/fixtures/a.py", "", Surroundings::Fixture);
        check("examples/a.rs", "", Surroundings::Example);
        check("demos/server.py", "", Surroundings::Example);
        check("examples/shop/src/a.rs", "", Surroundings::Example);
        check("src/benchmark/relative.rs", "", Surroundings::Product);
        check("web/node_modules/a/index.js", "", Surroundings::Vendored);
        check("src/pip/_vendor/a.py", "", Surroundings::Vendored);
        check("web/app.min.js", "", Surroundings::Generated);
    }
}
