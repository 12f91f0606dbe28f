//! The languages that are planted in, and what a text tells of them line by line.

/// A language with sketches of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Language {
    Rust,
    Python,
    JavaScript,
    TypeScript,
    Go,
    Shell,
    Markdown,
}

impl Language {
    pub(super) const ALL: [Self; 7] = [
        Self::Rust,
        Self::Python,
        Self::JavaScript,
        Self::TypeScript,
        Self::Go,
        Self::Shell,
        Self::Markdown,
    ];

    /// How many faults, and how many look-alikes, a run plants in it.
    pub(super) fn share(self) -> usize {
        match self {
            Self::Shell | Self::Markdown => 24,
            _ => 48,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::Python => "Python",
            Self::JavaScript => "JavaScript",
            Self::TypeScript => "TypeScript",
            Self::Go => "Go",
            Self::Shell => "shell",
            Self::Markdown => "Markdown",
        }
    }

    /// The sketches, in the format that `sketch.rs` reads.
    pub(super) fn sketches(self) -> &'static str {
        match self {
            Self::Rust => include_str!("sketches/rust.txt"),
            Self::Python => include_str!("sketches/python.txt"),
            Self::JavaScript => include_str!("sketches/javascript.txt"),
            Self::TypeScript => include_str!("sketches/typescript.txt"),
            Self::Go => include_str!("sketches/go.txt"),
            Self::Shell => include_str!("sketches/shell.txt"),
            Self::Markdown => include_str!("sketches/markdown.txt"),
        }
    }

    /// Tells from the name of a file and its first line.
    pub(super) fn of(path: &str, text: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path);
        match name.rsplit_once('.') {
            Some((_, "rs")) => Some(Self::Rust),
            Some((_, "py")) => Some(Self::Python),
            Some((_, "js" | "cjs" | "mjs")) => Some(Self::JavaScript),
            Some((stem, "ts")) if !stem.ends_with(".d") => Some(Self::TypeScript),
            Some((_, "go")) => Some(Self::Go),
            Some((_, "sh" | "bash")) => Some(Self::Shell),
            Some((_, "md")) => Some(Self::Markdown),
            Some(_) => None,
            None => text
                .starts_with("#!")
                .then_some(Self::Shell)
                .filter(|_| text.lines().next().is_some_and(|line| line.ends_with("sh"))),
        }
    }

    /// What a level of indentation is written with.
    pub(super) fn indent(self) -> &'static str {
        match self {
            Self::Go => "\t",
            Self::JavaScript | Self::TypeScript | Self::Shell => "  ",
            Self::Rust | Self::Python | Self::Markdown => "    ",
        }
    }

    /// What a comment of one line begins with.
    pub(super) fn comment(self) -> &'static str {
        match self {
            Self::Python | Self::Shell | Self::Markdown => "#",
            _ => "//",
        }
    }

    /// What ends a statement on its line.
    pub(super) fn stop(self) -> &'static str {
        match self {
            Self::Rust | Self::JavaScript | Self::TypeScript => ";",
            Self::Python | Self::Go | Self::Shell | Self::Markdown => "",
        }
    }

    /// Blank lines between two items.
    pub(super) fn blanks(self) -> usize {
        if self == Self::Python { 2 } else { 1 }
    }

    /// The sketch of a public function that has its documentation.
    pub(super) fn documented(self) -> &'static str {
        match self {
            Self::Rust => {
                "/// Gives the ‹word› of a ‹word2›.\npub fn ‹name›(‹name2›: u32) -> u32 {\n    \
                 ‹name3›(‹name2›)\n}\n\n"
            }
            Self::Python => {
                "def ‹name›(‹name2›):\n    \"\"\"Gives the ‹word› of a ‹word2›.\"\"\"\n    \
                 return ‹name3›(‹name2›)\n\n\n"
            }
            Self::Go => {
                "// ‹Name› gives the ‹word› of a ‹word2›.\nfunc ‹Name›(‹name› int) int {\n    \
                 return ‹name2›(‹name›)\n}\n\n"
            }
            Self::TypeScript => {
                "/** Gives the ‹word› of a ‹word2›. */\nexport function ‹name›(‹name2›: number) {\n    \
                 return ‹name3›(‹name2›);\n}\n\n"
            }
            _ => {
                "/** Gives the ‹word› of a ‹word2›. */\nexport function ‹name›(‹name2›) {\n    \
                 return ‹name3›(‹name2›);\n}\n\n"
            }
        }
    }

    /// A dull statement that gives the result of a call a name.
    pub(super) fn filler(self, name: &str, call: &str, argument: &str, n: usize) -> String {
        match self {
            Self::Rust => format!("let {name} = {call}(&{argument}, {n});"),
            Self::JavaScript | Self::TypeScript => {
                format!("const {name} = {call}({argument}, {n});")
            }
            Self::Go => format!("{name} := {call}({argument}, {n})"),
            Self::Shell => format!("{call} \"${argument}\" {n}"),
            Self::Python | Self::Markdown => format!("{name} = {call}({argument}, {n})"),
        }
    }
}
