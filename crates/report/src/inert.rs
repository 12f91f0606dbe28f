//! Somebody else's text, made safe to show.

/// Anybody's words as one line for a terminal or a build server's log.
///
/// White space is folded to single blanks, control characters are written as escapes, and no
/// workflow command is left in it (D49).
pub fn inert_line(text: &str) -> String {
    without_commands(&one_line(text))
}

/// Anybody's words as lines for a terminal or a build server's log.
///
/// Lines and the blanks at their beginnings stay; otherwise like [`inert_line`], and nothing is cut.
pub fn inert_lines(text: &str) -> String {
    without_commands(&lines(text).join("\n"))
}

/// The same text, byte for byte as long, with a `?` for each byte of what could act on a terminal:
/// places in it stay where they are. Line feeds and tabs are left.
pub fn inert_masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let acts = character.is_control() && !matches!(character, '\n' | '\t');
        if acts || is_format(character) {
            out.extend(std::iter::repeat_n('?', character.len_utf8()));
        } else {
            out.push(character);
        }
    }
    out
}

/// Characters of one text that a page shows; `findings.json` has all of it.
const SHOWN: usize = 2000;

/// One line: white space is folded to single blanks, all else that could act is written as an escape;
/// a text too long for people to read is cut, and says so.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::new();
    let mut left = SHOWN;
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        if !line.is_empty() {
            line.push(' ');
        }
        if let Some((cut, _)) = word.char_indices().nth(left) {
            line.push_str(&word[..cut]);
            let more = word[cut..].len() + words.map(|word| word.len() + 1).sum::<usize>();
            return format!("{}… ({more} more bytes)", visible(&line));
        }
        left -= word.chars().count();
        line.push_str(word);
    }
    visible(&line)
}

/// Lines as they were written, without line ends and blanks at their ends; tabs become four blanks.
/// Blank lines before the first and after the last other line are left out.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n").replace('\t', "    ");
    let mut lines: Vec<String> = text
        .split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'])
        .map(|line| visible(line).trim_end().to_owned())
        .collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let blank = lines.iter().take_while(|line| line.is_empty()).count();
    lines.split_off(blank)
}

/// The text with escapes for control characters, which move cursors, and for format characters,
/// which hide or reorder what stands around them.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || is_format(character) {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    out
}

/// Directions, invisible marks and tags. Joiners stay: scripts and emoji need them.
pub(crate) fn is_format(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Breaks what a build server would take for a command in a log: `::` at the start of a line, which
/// blanks before it do not change, and `##[`, `##vso[` and `##teamcity[` anywhere.
///
/// A backslash does it, which Markdown does not show outside of code.
pub(crate) fn without_commands(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    for line in page.split_inclusive('\n') {
        let command = line.trim_start();
        if command.starts_with("::") {
            out.push_str(&line[..line.len() - command.len()]);
            out.push('\\');
            push_without_hashes(&mut out, command);
        } else {
            push_without_hashes(&mut out, line);
        }
    }
    out
}

fn push_without_hashes(out: &mut String, mut line: &str) {
    while let Some(at) = line.find("##") {
        let (before, rest) = line.split_at(at + 1);
        out.push_str(before);
        let after = &rest[1..];
        if ["[", "vso[", "teamcity["].iter().any(|command| starts_so(after, command)) {
            out.push('\\');
        }
        line = rest;
    }
    out.push_str(line);
}

fn starts_so(text: &str, beginning: &str) -> bool {
    text.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_act_on_a_terminal_is_shown_instead() {
        let check = |text: &str, expected: &str| assert_eq!(one_line(text), expected);
        check(" a\r\n\tb  c ", "a b c");
        check("\u{1b}[2Jx\u{7}", r"\u{1b}[2Jx\u{7}");
        check("a\u{202e}b\u{200b}\u{9b}", r"a\u{202e}b\u{200b}\u{9b}");
        check("наука 👩\u{200d}🔬", "наука 👩\u{200d}🔬");
    }

    #[test]
    fn a_line_of_anybodys_is_no_command() {
        let check = |text: &str, expected: &str| assert_eq!(inert_line(text), expected);
        check("\n::error::x\r::y", r"\::error::x ::y");
        check("a\u{1b}[1m ##[group]b", r"a\u{1b}[1m #\#[group]b");
    }

    #[test]
    fn what_is_masked_keeps_its_place() {
        let text = "a\r\n\u{1b}[2J\tb\u{9b}\u{202e}\u{e0041}\u{feff}é";
        assert_eq!(inert_masked(text), "a?\n?[2J\tb????????????é");
        assert_eq!(inert_masked(text).len(), text.len());
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(lines("\n\r\n  a\tb \r\nc\rd\u{2028}e\n\n"), ["  a    b", "c", "d", "e"]);
        assert_eq!(lines(" \n"), Vec::<String>::new());
    }

    #[test]
    fn lines_of_a_log_stay_lines_and_command_nothing() {
        assert_eq!(inert_lines("a:\n  ::error::b\u{1b}[1m\n"), "a:\n  \\::error::b\\u{1b}[1m");
    }

    #[test]
    fn no_line_is_a_workflow_command() {
        let check = |page: &str, expected: &str| assert_eq!(without_commands(page), expected);
        check(
            "::error::x\n  ::add-mask::y\n\u{a0}::z",
            "\\::error::x\n  \\::add-mask::y\n\u{a0}\\::z",
        );
        check("a::b\n: :c", "a::b\n: :c");
        check("x ##[error]y ##VSO[z] ###[w] ## [v]", "x #\\#[error]y #\\#VSO[z] ##\\#[w] ## [v]");
        check("##teamcity[x]", "#\\#teamcity[x]");
    }

    #[test]
    fn a_text_too_long_to_read_is_cut_and_says_so() {
        assert_eq!(one_line(&"x".repeat(SHOWN)), "x".repeat(SHOWN));
        let words = "word ".repeat(SHOWN);
        let line = one_line(&words);
        assert!(line.ends_with("more bytes)") && line.len() < 2 * SHOWN, "{line}");
        let line = one_line(&"é".repeat(SHOWN + 3));
        assert_eq!(line, format!("{}… (6 more bytes)", "é".repeat(SHOWN)));
    }
}
