//! Folds evidence text: line numbers, white space and quotes vary from one report to the next.

const QUOTES: [char; 9] = ['"', '\'', '`', '“', '”', '‘', '’', '«', '»'];

/// What is left of `text`, evidence about `file`, once everything that varies is taken out.
///
/// Line numbers go where they are written as such: before a line (`88: code`, `L88 | code`), after
/// the word `line`, after the file's own name (`read.rs:88`). Numbers in the code stay, they are
/// what the finding is about.
pub(crate) fn fold(text: &str, file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    let mut folded = String::with_capacity(text.len());
    for line in text.lines() {
        for word in without_line_words(without_number(line)) {
            let word = without_place(word, name);
            folded.extend(word.chars().filter(|character| !QUOTES.contains(character)));
        }
    }
    folded
}

/// Takes `88:`, `88 |`, `L88:`, `12-14:` off the front of a line.
fn without_number(line: &str) -> &str {
    let start = line.trim_start();
    let digits = start.strip_prefix(['L', 'l']).unwrap_or(start);
    let Some(rest) = after_number(digits) else { return line };
    let unspaced = rest.trim_start_matches([' ', '\t']);
    for mark in ["|", "│", "→", ":"] {
        // `88::<T>` is code.
        if let Some(code) = unspaced.strip_prefix(mark).filter(|code| !code.starts_with(mark)) {
            return code;
        }
    }
    // `cat -n` and editors put a tab, and nothing else, between number and line.
    if rest.starts_with('\t') { rest } else { line }
}

/// What follows a number, or two with a dash between them.
fn after_number(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|character: char| character.is_ascii_digit());
    if rest.len() == text.len() {
        return None;
    }
    let second = rest.strip_prefix(['-', '–']).and_then(after_number);
    Some(second.unwrap_or(rest))
}

/// The words of a line, without the number that follows the word `line`.
fn without_line_words(line: &str) -> impl Iterator<Item = &str> {
    let mut expects_number = false;
    line.split_whitespace().map(move |word| {
        let is_number = std::mem::replace(&mut expects_number, names_a_line(word));
        match after_number(word) {
            Some(rest) if is_number => rest,
            _ => word,
        }
    })
}

fn names_a_line(word: &str) -> bool {
    let word = word.trim_start_matches(|character: char| !character.is_alphanumeric());
    ["line", "lines"].into_iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// Takes `:88` or `:88:7` off after the file's name: `src/io/read.rs:88:` becomes `src/io/read.rs:`.
fn without_place<'a>(word: &'a str, name: &str) -> std::borrow::Cow<'a, str> {
    let place = word.find(name).filter(|_| !name.is_empty()).map(|start| start + name.len());
    let Some(end) = place else { return word.into() };
    let (path, mut rest) = word.split_at(end);
    while let Some(after) = rest.strip_prefix(':').and_then(after_number) {
        rest = after;
    }
    if path.len() + rest.len() == word.len() { word.into() } else { format!("{path}{rest}").into() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check_same(left: &str, right: &str) {
        assert_eq!(fold(left, "src/io/read.rs"), fold(right, "src/io/read.rs"));
    }

    fn check_different(left: &str, right: &str) {
        assert_ne!(fold(left, "src/io/read.rs"), fold(right, "src/io/read.rs"));
    }

    #[test]
    fn white_space_and_quotes_do_not_matter() {
        check_same("rows.truncate(500)", "`rows.truncate(500)`");
        check_same("let a = f( b,\n        c );", "let a = f(b, c);");
        check_same("open(\"x\")\r\n", "open('x')");
        check_same("open(“x”)", "open(\"x\")");
    }

    #[test]
    fn line_numbers_do_not_matter() {
        check_same("88: rows.truncate(500)", "rows.truncate(500)");
        check_same("88: rows.truncate(500)", "  93 | rows.truncate(500)");
        check_same("L88: rows.truncate(500)", "12\trows.truncate(500)");
        check_same("12-14: a\n15: b", "a\nb");
        check_same("src/io/read.rs:88: x()", "src/io/read.rs:90:7: x()");
        check_same("x() in read.rs:88", "x() in read.rs:4");
        check_same("cut at line 88 by x()", "cut at line 9 by x()");
        check_same("(lines 12-14) x()", "(Lines 20–22) x()".to_lowercase().as_str());
    }

    #[test]
    fn numbers_of_the_code_matter() {
        check_different("rows.truncate(500)", "rows.truncate(600)");
        check_different("500", "600");
        check_different("500 rows", "600 rows");
        check_different("1 => one()", "2 => one()");
        check_different("let line = 3;", "let line = 4;");
        check_different("host.example:8080", "host.example:9090");
        check_different("12::<T>", "13::<T>");
    }

    proptest! {
        #[test]
        fn folding_ends_and_is_the_same_for_any_number_before_any_line(
            lines in proptest::collection::vec("[a-z(){};. \"']{1,20}", 1..6),
            (first, second) in (1u32..9999, 1u32..9999),
        ) {
            let numbered = |from: u32| {
                let lines = lines.iter().zip(from..);
                lines.map(|(line, number)| format!("{number}: {line}\n")).collect::<String>()
            };
            prop_assert_eq!(fold(&numbered(first), "a.rs"), fold(&numbered(second), "a.rs"));
            prop_assert_eq!(fold(&numbered(first), "a.rs"), fold(&lines.join("\n"), "a.rs"));
        }

        #[test]
        fn folding_takes_any_text(text in any::<String>(), file in any::<String>()) {
            let folded = fold(&text, &file);
            prop_assert!(folded.len() <= text.len());
        }
    }
}
