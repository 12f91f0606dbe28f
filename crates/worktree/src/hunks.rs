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

/// The new text with these of its hunks taken back; they are in order, as [`hunks`] gives them.
pub(crate) fn without_hunks(old: &[u8], new: &[u8], taken: &[Hunk]) -> Vec<u8> {
    let (old, new) = (whole_lines(old), whole_lines(new));
    let lines = |text: &[&[u8]], range: LineRange| {
        let start = if range.count == 0 { range.start } else { range.start.saturating_sub(1) };
        let start = usize::try_from(start).unwrap_or(usize::MAX).min(text.len());
        let count = usize::try_from(range.count).unwrap_or(usize::MAX);
        start..start.saturating_add(count).min(text.len())
    };
    let mut back: Vec<&[u8]> = Vec::with_capacity(new.len());
    let mut at = 0;
    for hunk in taken {
        let stands = lines(&new, hunk.after);
        back.extend(&new[at.min(stands.start)..stands.start]);
        back.extend(&old[lines(&old, hunk.before)]);
        at = stands.end;
    }
    back.extend(&new[at..]);
    back.concat()
}

/// Lines with their ends.
fn whole_lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
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
    use proptest::prelude::*;

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
    fn hunks_are_taken_back_one_by_one() {
        let check = |old: &str, new: &str, taken: &[usize], expected: &str| {
            let all = hunks(old.as_bytes(), new.as_bytes()).unwrap();
            let taken: Vec<Hunk> = taken.iter().map(|index| all[*index]).collect();
            let back = without_hunks(old.as_bytes(), new.as_bytes(), &taken);
            assert_eq!(String::from_utf8_lossy(&back), expected, "{old:?} {new:?} {taken:?}");
        };
        let (old, new) = ("a\nb\nc\nd\ne\n", "A\nb\nx\ny\nc\ne\n");
        check(old, new, &[], new);
        check(old, new, &[0], "a\nb\nx\ny\nc\ne\n");
        check(old, new, &[1], "A\nb\nc\ne\n");
        check(old, new, &[2], "A\nb\nx\ny\nc\nd\ne\n");
        check(old, new, &[0, 2], "a\nb\nx\ny\nc\nd\ne\n");
        check(old, new, &[0, 1, 2], old);
        check("", "a\n", &[0], "");
        check("a\n", "", &[0], "a\n");
        check("a\nb", "a\nb\n", &[0], "a\nb");
        check("a\r\nb\r\n", "a\nb\r\nc", &[0], "a\r\nb\r\nc");
    }

    proptest! {
        #[test]
        fn all_hunks_taken_back_give_the_old_text(old in "[ab\n]{0,30}", new in "[abc\n]{0,30}") {
            let all = hunks(old.as_bytes(), new.as_bytes()).unwrap();
            let back = without_hunks(old.as_bytes(), new.as_bytes(), &all);
            prop_assert_eq!(String::from_utf8_lossy(&back), old);
        }
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
