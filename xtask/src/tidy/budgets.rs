//! How long files may be. Functions are clippy's: `too_many_lines`.

use super::survey::{Hit, Source, Survey};

/// Lines that need no reason.
const EASY: usize = 200;
/// Lines that no reason excuses.
const LIMIT: usize = 400;
/// The thin binary: parse, run, map to an exit status.
const THIN: (&str, usize) = ("crates/tribunal/src/main.rs", 25);

/// Files that need a reason.
pub(super) fn long<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    over(survey, |_| EASY)
}

/// Files that are too long for any reason.
pub(super) fn too_long<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    over(survey, |path| if path == THIN.0 { THIN.1 } else { LIMIT })
}

fn over<'a>(survey: &Survey<'a>, limit: impl Fn(&str) -> usize) -> Vec<Hit<'a>> {
    let sources = survey.sources.iter().filter(|source| !source.is_test_file());
    sources
        .map(|source| (source, length(source)))
        .filter(|(source, lines)| *lines > limit(source.path))
        .map(|(source, lines)| source.hit(1, format!("{lines} lines")))
        .collect()
}

/// Lines that are neither blank nor tests.
fn length(source: &Source<'_>) -> usize {
    let lines = source.text.lines().enumerate();
    lines.filter(|(at, line)| !line.trim().is_empty() && !source.is_test(at + 1)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    #[test]
    fn blank_lines_and_tests_do_not_count() {
        let text = format!(
            "{}\n#[cfg(test)]\nmod tests {{\n{}}}\n",
            "a;\n\n".repeat(200),
            "b;\n".repeat(300)
        );
        check(long, "crates/x/src/a.rs", &text, &[]);
        check(long, "crates/x/src/a.rs", &"a;\n".repeat(201), &[(1, "201 lines")]);
        check(long, "crates/x/tests/a.rs", &"a;\n".repeat(201), &[]);
    }

    #[test]
    fn the_upper_limit_and_the_thin_binary() {
        check(too_long, "crates/x/src/a.rs", &"a;\n".repeat(400), &[]);
        check(too_long, "crates/x/src/a.rs", &"a;\n".repeat(401), &[(1, "401 lines")]);
        check(too_long, "crates/tribunal/src/main.rs", &"a;\n".repeat(26), &[(1, "26 lines")]);
    }
}
