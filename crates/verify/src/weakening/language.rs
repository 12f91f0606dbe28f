//! How languages mark their tests.

use super::blanked::Syntax;

/// What tells a test in a language.
pub(super) struct Language {
    extensions: &'static [&'static str],
    pub(super) syntax: Syntax,
    pub(super) mark: Mark,
    pub(super) body: Body,
    /// In attributes or decorators: it is not run.
    pub(super) ignoring_head: &'static [&'static str],
    /// Called in its body: it ends there and counts as skipped.
    pub(super) ignoring_body: &'static [&'static str],
}

/// What a test begins with.
pub(super) enum Mark {
    /// An attribute or decorator with one of the words; the name follows the word `function`, or
    /// stands before the first bracket where there is none.
    Attribute { words: &'static [&'static str], function: &'static str },
    /// A function whose name says so.
    Name { before: &'static [&'static str] },
    /// A call with the name as its first text.
    Call { words: &'static [&'static str] },
}

/// How far a test goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// To the closing brace.
    Braces,
    /// To the closing bracket of the call.
    Call,
    /// To the next line that is not indented further.
    Indented,
}

const LANGUAGES: [Language; 6] = [
    Language {
        extensions: &["rs"],
        syntax: Syntax::Rust,
        mark: Mark::Attribute {
            words: &["[test]", "::test]", "::test(", "[rstest", "[test_case", "[quickcheck"],
            function: "fn",
        },
        body: Body::Braces,
        ignoring_head: &["[ignore", "cfg(any())", "cfg(FALSE)", "cfg(false)"],
        ignoring_body: &[],
    },
    Language {
        extensions: &["py"],
        syntax: Syntax::Hash,
        mark: Mark::Name { before: &["def ", "async def "] },
        body: Body::Indented,
        ignoring_head: &[".skip", ".xfail", "@skip", "@expectedFailure", ".expectedFailure"],
        ignoring_body: &["pytest.skip", "skipTest", "pytest.xfail", "SkipTest"],
    },
    Language {
        extensions: &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"],
        syntax: Syntax::Script,
        mark: Mark::Call { words: &["it", "test", "xit", "xtest", "fit", "specify"] },
        body: Body::Call,
        ignoring_head: &[],
        ignoring_body: &["t.skip", "this.skip"],
    },
    Language {
        extensions: &["go"],
        syntax: Syntax::Script,
        mark: Mark::Name { before: &["func "] },
        body: Body::Braces,
        ignoring_head: &[],
        ignoring_body: &["t.Skip", "t.Skipf", "t.SkipNow"],
    },
    Language {
        extensions: &["java", "kt", "cs"],
        syntax: Syntax::Braces,
        mark: Mark::Attribute {
            words: &["@Test", "@ParameterizedTest", "[Test", "[Fact", "[Theory"],
            function: "",
        },
        body: Body::Braces,
        ignoring_head: &["@Disabled", "@Ignore", "[Ignore", "Skip"],
        ignoring_body: &[],
    },
    Language {
        extensions: &["bats"],
        syntax: Syntax::Hash,
        mark: Mark::Call { words: &["@test"] },
        body: Body::Braces,
        ignoring_head: &[],
        ignoring_body: &["skip"],
    },
];

impl Language {
    /// The language of a file, by the end of its name.
    pub(super) fn of(path: &str) -> Option<&'static Self> {
        let (_, extension) = path.rsplit_once('.')?;
        LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
    }

    /// Whether a call that begins a test says that it is not run.
    pub(super) fn skips(&self, code: &str) -> bool {
        matches!(self.mark, Mark::Call { .. }) && is_skipped(code, &["xit", "xtest"])
    }

    /// Whether a line begins a group of tests none of which is run.
    pub(super) fn skips_group(&self, code: &str) -> bool {
        self.body == Body::Call && code.contains("describe") && is_skipped(code, &["xdescribe"])
    }
}

fn is_skipped(code: &str, words: &[&str]) -> bool {
    let called = code.split(['(', '`']).next().unwrap_or_default();
    words.contains(&called) || called.ends_with(".skip") || called.ends_with(".todo")
}
