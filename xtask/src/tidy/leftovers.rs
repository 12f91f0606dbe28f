//! What should not be left behind in a commit.

use super::survey::{Hit, Survey};

const DOUBLES: &[&str] = &["Mock", "Fake", "Stub"];

/// Structs that play a part: mocks, fakes, stubs.
pub(super) fn doubles<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for source in survey.sources.iter().filter(|s| !s.is_below("crates/test-support")) {
        for pair in source.code.windows(2) {
            let name = pair[1].text;
            let plays = DOUBLES.iter().any(|part| name.starts_with(part) || name.ends_with(part));
            if pair[0].text == "struct" && plays {
                hits.push(source.hit(pair[1].line, format!("`struct {name}`")));
            }
        }
    }
    hits
}

/// Assertions whose first value is a constant.
pub(super) fn constants<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for source in &survey.sources {
        for found in source.matches(&["assert_eq", "!", "("]) {
            let [_, _, _, name, comma, ..] = found else { continue };
            if is_constant(name.text) && comma.text == "," {
                hits.push(source.hit(name.line, format!("`assert_eq!({}, …)`", name.text)));
            }
        }
    }
    hits
}

fn is_constant(name: &str) -> bool {
    name.len() > 3
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// Unfinished code, ignored tests and notes to oneself.
pub(super) fn unfinished<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for source in &survey.sources {
        for name in ["todo", "unimplemented"] {
            for found in source.matches(&[name, "!"]) {
                hits.push(source.hit(found[0].line, format!("`{name}!`")));
            }
        }
        for found in source.matches(&["#", "[", "ignore"]) {
            hits.push(source.hit(found[0].line, "`#[ignore]`"));
        }
        for comment in &source.comments {
            let said = comment.text.trim_start_matches(['/', '!', '*', ' ']);
            let note = ["TODO", "FIXME", "XXX"].into_iter().find(|note| said.starts_with(note));
            hits.extend(note.map(|note| source.hit(comment.line, format!("`{note}`"))));
        }
    }
    hits
}

/// Lints that are switched off without a promise to notice when that is no longer needed.
pub(super) fn allows<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for source in &survey.sources {
        for pattern in [&["#", "[", "allow", "("][..], &["#", "!", "[", "allow", "("]] {
            for found in source.matches(pattern) {
                hits.push(source.hit(found[0].line, "`allow`"));
            }
        }
    }
    hits
}

/// Comments that draw a line.
pub(super) fn banners<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for source in &survey.sources {
        for comment in &source.comments {
            let drawn = comment.text.trim_start_matches(['/', ' ']);
            let strokes = drawn.chars().take_while(|c| "-=─━*#".contains(*c)).count();
            if strokes >= 5 {
                hits.push(source.hit(comment.line, "a banner"));
            }
        }
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    const PATH: &str = "crates/x/src/a.rs";

    #[test]
    fn doubles_live_in_test_support() {
        let text = "struct FakeAgent;\nstruct AgentMock {}\nstruct Stubborn;";
        let hits = [(1, "`struct FakeAgent`"), (2, "`struct AgentMock`"), (3, "`struct Stubborn`")];
        check(doubles, "tests/e2e/a.rs", text, &hits);
        check(doubles, "crates/test-support/src/a.rs", text, &[]);
    }

    #[test]
    fn constants_are_not_tested() {
        let text = "assert_eq!(LIMIT, 400);\nassert_eq!(f(LIMIT), 400);\nassert_eq!(a, LIMIT);";
        check(constants, PATH, text, &[(1, "`assert_eq!(LIMIT, …)`")]);
    }

    #[test]
    fn nothing_is_left_unfinished() {
        check(unfinished, PATH, "a;\ntodo!(\"x\")", &[(2, "`todo!`")]);
        check(unfinished, PATH, "unimplemented!()", &[(1, "`unimplemented!`")]);
        check(unfinished, PATH, "#[test]\n#[ignore = \"slow\"]\nfn a() {}", &[(2, "`#[ignore]`")]);
        check(unfinished, PATH, "// TODO: more\n/// Finds TODO marks.", &[(1, "`TODO`")]);
        check(unfinished, PATH, "let a = \"todo!()\";", &[]);
    }

    #[test]
    fn lints_are_expected_not_allowed() {
        check(allows, PATH, "#![allow(dead_code)]", &[(1, "`allow`")]);
        check(allows, PATH, "a;\n#[allow(clippy::x, reason = \"y\")]", &[(2, "`allow`")]);
        check(allows, PATH, "#[expect(dead_code, reason = \"y\")]", &[]);
    }

    #[test]
    fn comments_draw_no_lines() {
        check(banners, PATH, "// ------ Types ------", &[(1, "a banner")]);
        check(banners, PATH, "a; //====\n/********* x */", &[(2, "a banner")]);
        check(banners, PATH, "// A rule --- with dashes.\n//! | --- |", &[]);
    }
}
