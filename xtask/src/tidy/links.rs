//! Relative links in Markdown.

use super::survey::{Hit, Survey};

/// Links to files that the repository does not hold; links to the web are not followed.
pub(super) fn broken<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for (path, text) in survey.tree.files().filter(|(path, _)| path.ends_with(".md")) {
        for (line, target) in links(text) {
            if let Some(place) = resolve(path, target)
                && !survey.tree.files().any(|(known, _)| holds(known, &place))
            {
                hits.push(Hit { path, line, what: format!("`{target}` is not there") });
            }
        }
    }
    hits
}

fn holds(known: &str, place: &str) -> bool {
    let rest = known.strip_prefix(place);
    place.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The targets of `[text](target)` and `[name]: target`, outside code.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    for (at, line) in text.lines().enumerate() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => found.extend(targets(line).into_iter().map(|target| (at + 1, target))),
            (Some(_), _) => {}
        }
    }
    found
}

fn targets(line: &str) -> Vec<&str> {
    let outside_code = line.split('`').step_by(2);
    let mut found: Vec<&str> = outside_code
        .flat_map(|part| part.split("](").skip(1))
        .filter_map(|after| after.split([')', ' ']).next())
        .collect();
    if line.starts_with('[')
        && let Some((_, target)) = line.split_once("]: ")
    {
        found.extend(target.split(' ').next());
    }
    found
}

/// The path that a link means, relative to the root; `None` for the web and for this very page.
fn resolve(from: &str, target: &str) -> Option<String> {
    let target = target.trim_matches(['<', '>']);
    let path = target.split(['#', '?']).next()?;
    if path.is_empty() || path.contains(':') {
        return None;
    }
    let mut parts: Vec<&str> = match path.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => from.split('/').rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect(),
    };
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                // Above the root there is nothing that a link may lead to.
                if parts.pop().is_none() {
                    return Some(target.to_owned());
                }
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Tree;

    fn check(text: &str, expected: &[(usize, &str)]) {
        let tree = Tree::from([("docs/a.md", text), ("docs/b/c.md", ""), ("README.md", "")]);
        let survey = Survey::new(&tree);
        let hits = broken(&survey);
        let found: Vec<_> = hits.iter().map(|hit| (hit.line, hit.what.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn links_lead_to_files_and_folders() {
        check("[a](b/c.md) [b](../README.md#top) [c](b) [d](b/) [e](#here) [f](/README.md)", &[]);
        check("[a](https://x.org/y) [b](mailto:a@b.c) [c](..)", &[]);
        check("text\n[a](b/d.md)", &[(2, "`b/d.md` is not there")]);
        check("[a](../../x)", &[(1, "`../../x` is not there")]);
        check("[a]: nowhere.md", &[(1, "`nowhere.md` is not there")]);
    }

    #[test]
    fn code_holds_no_links() {
        check("```\n[a](x.md)\n```\n`[a](x.md)`", &[]);
        check("~~~\n```\n[a](x.md)\n~~~\n[a](y.md)", &[(5, "`y.md` is not there")]);
    }
}
