//! What `docs/guarantees.md` promises, and the tests that it names.

use super::survey::{Hit, Survey};

const PAGE: &str = "docs/guarantees.md";

/// Rows of the page that name no test in their first column, and tests that are not there.
pub(super) fn unproven<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    let pages = survey.tree.files().filter(|(path, _)| *path == PAGE);
    for (path, text) in pages {
        for (line, row) in rows(text) {
            let enforced = row.trim_start_matches('|').split(" | ").next().unwrap_or("");
            let tests: Vec<(&str, &str)> = named(enforced).collect();
            let mut hit = |what: String| hits.push(Hit { path, line, what });
            if tests.is_empty() {
                hit("the row names no test".to_owned());
            }
            for (file, name) in tests.iter().filter(|(file, name)| !is_test(survey, file, name)) {
                hit(format!("`{file}::{name}` is no test"));
            }
        }
    }
    hits
}

/// The rows of all tables, without their heads, by line.
fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines: Vec<&str> = text.lines().collect();
    let is_rule = |line: &&str| line.starts_with("| ---");
    let heads: Vec<usize> = (1..lines.len()).filter(|at| is_rule(&lines[*at])).collect();
    lines.into_iter().enumerate().filter_map(move |(at, line)| {
        let is_head = heads.iter().any(|rule| at == *rule || at + 1 == *rule);
        (line.starts_with('|') && !is_head).then_some((at + 1, line))
    })
}

/// Tests are named in code: `` `path/to/file.rs::name` ``.
fn named(cell: &str) -> impl Iterator<Item = (&str, &str)> {
    cell.split('`').skip(1).step_by(2).filter_map(|code| code.split_once("::"))
}

fn is_test(survey: &Survey<'_>, file: &str, name: &str) -> bool {
    let Some(source) = survey.sources.iter().find(|source| source.path == file) else {
        return false;
    };
    let start = format!("fn {name}(");
    let mut lines = source.text.lines().enumerate();
    lines.any(|(at, line)| {
        let line = line.trim_start();
        let line = line.strip_prefix("async ").unwrap_or(line);
        line.starts_with(&start) && source.is_test(at + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Tree;

    const HEAD: &str = "# Page\n\n| enforced | stays |\n| --- | --- |\n";

    fn found(row: &str) -> Vec<String> {
        const RULE: &str = "fn rule() {}\n#[cfg(test)]\nmod tests {\n    fn holds() {}\n}\n";
        let page = format!("{HEAD}{row}\n");
        let tree = Tree::from([(PAGE, page.as_str()), ("a/src/lib.rs", RULE)]);
        unproven(&Survey::new(&tree))
            .into_iter()
            .map(|hit| format!("{}: {}", hit.line, hit.what))
            .collect()
    }

    #[test]
    fn every_promise_names_a_test_that_is_there() {
        assert_eq!(found("| So it is. `a/src/lib.rs::holds` | That. `b.rs::gone` |"), [""; 0]);
        assert_eq!(found("| So it is. | `a/src/lib.rs::holds` |"), ["5: the row names no test"]);
        for gone in ["a/src/lib.rs::gone", "a/src/lib.rs::rule", "b/src/lib.rs::holds"] {
            assert_eq!(
                found(&format!("| So. `{gone}` | – |")),
                [format!("5: `{gone}` is no test")]
            );
        }
    }
}
