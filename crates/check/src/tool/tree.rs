//! Tests within tests: names by depth, and which of them only hold others.

/// The path of names down to a place in an outline.
///
/// A test is named by all that it lies in, so that two tests of one name stay apart.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    open: Vec<Level<'a>>,
}

#[derive(Debug, Default)]
struct Level<'a> {
    name: Option<&'a str>,
    holds_others: bool,
    holds_a_failure: bool,
}

/// What a line that closes a name turns out to speak of.
pub(super) enum Closed {
    /// A test.
    Test(String),
    /// A group whose tests say all there is to say.
    Group,
}

/// More than this is no outline of tests; what lies deeper is taken as this deep.
const DEEPEST: usize = 64;

impl<'a> Tree<'a> {
    /// A name begins at this depth.
    pub(super) fn open(&mut self, depth: usize, name: &'a str) {
        self.cut(depth);
        self.open.push(Level { name: Some(name), ..Level::default() });
    }

    /// The name at this depth ends. A group that failed though nothing in it did is a test: its own
    /// set-up failed.
    pub(super) fn close(&mut self, depth: usize, name: &'a str, failed: bool) -> Closed {
        let depth = depth.min(DEEPEST);
        let this = match self.open.get(depth) {
            Some(level) if level.name.is_none_or(|open| open == name) => Some(level),
            _ => None,
        };
        let is_group = this.is_some_and(|level| level.holds_others)
            && (!failed || this.is_some_and(|level| level.holds_a_failure));
        self.cut(depth);
        for level in &mut self.open {
            level.holds_others = true;
            level.holds_a_failure |= failed;
        }
        if is_group {
            return Closed::Group;
        }
        let path = self.open.iter().filter_map(|level| level.name).chain([name]);
        Closed::Test(path.collect::<Vec<_>>().join(" > "))
    }

    /// Leaves what lies at this depth or deeper, and makes all levels above it exist.
    fn cut(&mut self, depth: usize) {
        self.open.resize_with(depth.min(DEEPEST), Level::default);
    }
}

/// The number of blanks that a line begins with.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}
