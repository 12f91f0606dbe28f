//! Which lines of a file differ.

use git2::{DiffOptions, Patch};
use tribunal_verify::{Hunk, LineRange};

/// Files beyond this size are not compared by line.
pub(crate) const LARGEST: usize = 8 << 20;

/// The differing lines of two texts; none when either is binary or very large.
///
/// Attributes of the repository have no say, so no `-diff` can hide a change.
pub(crate) fn hunks(old: &[u8], new: &[u8]) -> Result<Vec<Hunk>, git2::Error> {
    if is_binary(old) || is_binary(new) || old.len() > LARGEST || new.len() > LARGEST {
        return Ok(Vec::new());
    }
    let mut options = DiffOptions::new();
    options.context_lines(0).interhunk_lines(0).force_text(true);
    let patch = Patch::from_buffers(old, None, new, None, Some(&mut options))?;
    let mut hunks = Vec::with_capacity(patch.num_hunks());
    for index in 0..patch.num_hunks() {
        let (hunk, _) = patch.hunk(index)?;
        hunks.push(Hunk {
            before: LineRange { start: hunk.old_start(), count: hunk.old_lines() },
            after: LineRange { start: hunk.new_start(), count: hunk.new_lines() },
        });
    }
    Ok(hunks)
}

/// git's rule: a NUL among the first 8000 bytes.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(8000).any(|byte| *byte == 0)
}

/// Whether two contents differ in line ends alone: any number of CRs before the LF, or the last
/// line's end.
pub(crate) fn differ_in_line_ends_alone(old: &[u8], new: &[u8]) -> bool {
    old != new && lines(old).eq(lines(new))
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.split(|byte| *byte == b'\n').map(|line| {
        let end = line.iter().rposition(|byte| *byte != b'\r').map_or(0, |at| at + 1);
        &line[..end]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, expected: &[[u32; 4]]) {
        let found: Vec<[u32; 4]> = hunks(old.as_bytes(), new.as_bytes())
            .unwrap()
            .iter()
            .map(|hunk| [hunk.before.start, hunk.before.count, hunk.after.start, hunk.after.count])
            .collect();
        assert_eq!(found, expected, "{old:?} {new:?}");
    }

    #[test]
    fn hunks_are_line_ranges_without_context() {
        check("a\nb\nc\n", "a\nB\nc\n", &[[2, 1, 2, 1]]);
        check("a\nb\nc\n", "a\nb\nx\ny\nc\n", &[[2, 0, 3, 2]]);
        check("a\nb\nc\n", "b\nc\n", &[[1, 1, 0, 0]]);
        check("", "a\nb\n", &[[0, 0, 1, 2]]);
        check("a\n", "", &[[1, 1, 0, 0]]);
        check("a\nb\nc\nd\n", "A\nb\nc\nD\n", &[[1, 1, 1, 1], [4, 1, 4, 1]]);
        check("a\0b\n", "a\0c\n", &[]);
    }

    #[test]
    fn line_ends_are_no_content() {
        for (old, new, alone) in [
            ("a\nb\n", "a\r\nb\r\n", true),
            ("a\nb\n", "a\nb", true),
            ("a\r\nb", "a\nb\n", true),
            ("a\nb\n", "a\nb\n", false),
            ("a\nb\n", "a\n\nb\n", false),
            ("a \nb\n", "a\nb\n", false),
            ("", "\n", true),
            ("a\nb\n", "a\r\r\nb\r\r\r\n", true),
            ("a\r\n\r\n", "a\n\r\r", true),
            ("a\n", "\ra\n", false),
            ("a\rb\n", "a\r\rb\n", false),
        ] {
            let found = differ_in_line_ends_alone(old.as_bytes(), new.as_bytes());
            assert_eq!(found, alone, "{old:?} {new:?}");
        }
    }
}
