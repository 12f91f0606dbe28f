//! A minimal change to a text, and how it reaches the disk.

use std::io::Write as _;
use std::ops::Range;
use std::path::Path;

use fs_err as fs;

/// Replaces a range of bytes by a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rewrite {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

impl Rewrite {
    /// The text after the change; lines that it leaves blank go too.
    pub(crate) fn apply(&self, source: &str) -> String {
        let range = if self.text.trim().is_empty() {
            whole_lines(source, &self.range)
        } else {
            self.range.clone()
        };
        format!("{}{}{}", &source[..range.start], self.text, &source[range.end..])
    }

    /// The change in a line, for the fix report.
    pub(crate) fn summary(&self, source: &str) -> String {
        let folded = |text: &str| {
            let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            crate::hit::shortened(&line, 100)
        };
        let old = folded(&source[self.range.clone()]);
        if self.text.trim().is_empty() {
            format!("removed `{old}`")
        } else if old.is_empty() {
            format!("added `{}`", folded(&self.text))
        } else {
            format!("`{old}` became `{}`", folded(&self.text))
        }
    }
}

/// The text after several changes, in any order; `None` where they overlap.
///
/// Nothing but the ranges themselves is touched: whoever gives several edits has measured them.
pub(crate) fn splice(source: &str, edits: &[Rewrite]) -> Option<String> {
    let mut edits: Vec<&Rewrite> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let (mut text, mut done) = (String::new(), 0);
    for edit in edits {
        text += source.get(done..edit.range.start)?;
        text += &edit.text;
        done = edit.range.end;
    }
    text += source.get(done..)?;
    Some(text)
}

/// Whether any edit of one list touches one of the other; a common start counts, because the order
/// of two insertions there is not known.
pub(crate) fn clash(one: &[Rewrite], other: &[Rewrite]) -> bool {
    one.iter().any(|Rewrite { range: a, .. }| {
        let touches = |b: &Range<usize>| a.start == b.start || (a.start < b.end && b.start < a.end);
        other.iter().any(|edit| touches(&edit.range))
    })
}

/// Widens a range that is to be removed to its lines, when nothing else stands on them.
fn whole_lines(source: &str, range: &Range<usize>) -> Range<usize> {
    let start = source[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = source[range.end..].find('\n').map_or(source.len(), |at| range.end + at + 1);
    let alone =
        source[start..range.start].trim().is_empty() && source[range.end..end].trim().is_empty();
    if alone { start..end } else { range.clone() }
}

/// Puts a text in the place of a file, all or nothing, with the mode the file had.
pub(crate) fn replace_file(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().ok_or(std::io::ErrorKind::InvalidInput)?;
    let permissions = fs::symlink_metadata(path)?.permissions();
    let mut fresh = tempfile::Builder::new().prefix(".inspector-").tempfile_in(folder)?;
    fresh.write_all(text.as_bytes())?;
    fresh.as_file().set_permissions(permissions)?;
    fresh.as_file().sync_all()?;
    fresh.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, old: &str, new: &str, expected: &str) {
        let start = source.find(old).expect("in the source");
        let rewrite = Rewrite { range: start..start + old.len(), text: new.to_owned() };
        assert_eq!(rewrite.apply(source), expected);
    }

    #[test]
    fn a_replacement_touches_its_range_alone() {
        check("if x  ==  None :\n", "x  ==  None", "x is None", "if x is None :\n");
    }

    #[test]
    fn a_removal_takes_the_line_when_nothing_else_stands_on_it() {
        check("a();\n    debugger;\nb();\n", "debugger;", "", "a();\nb();\n");
        check("a(); debugger; b();\n", "debugger;", "", "a();  b();\n");
        check("debugger;", "debugger;", "", "");
        check("a();\r\n  debugger;\r\nb();\r\n", "debugger;", "", "a();\r\nb();\r\n");
        check("a();\n  debugger; // why\n", "debugger;", "", "a();\n   // why\n");
    }

    #[test]
    fn several_edits_are_made_at_once_where_they_do_not_touch() {
        let edit = |range: Range<usize>, text: &str| Rewrite { range, text: text.to_owned() };
        let quotes = [edit(6..6, "\""), edit(4..4, "\"")];
        assert_eq!(splice("rm  $x/*", &quotes).as_deref(), Some("rm  \"$x\"/*"));
        assert_eq!(splice("abc", &[edit(0..2, "x"), edit(1..3, "y")]), None);
        assert_eq!(splice("abc", &[edit(0..1, "x"), edit(1..3, "y")]).as_deref(), Some("xy"));
        assert_eq!(splice("abc", &[edit(2..9, "")]), None);
        assert!(clash(&quotes, &[edit(4..4, "(")]));
        assert!(clash(&[edit(0..5, "")], &quotes));
        assert!(!clash(&quotes, &[edit(5..6, "y")]));
    }

    #[cfg(unix)]
    #[test]
    fn the_mode_of_a_file_survives() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.py");
        fs::write(&path, "a").expect("written");
        fs::set_permissions(&path, std::fs::Permissions::from_mode(0o750)).expect("mode");
        replace_file(&path, "b").expect("replaced");
        assert_eq!(fs::read_to_string(&path).expect("read"), "b");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o750);
        assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 1);
    }
}
