//! Commands that cannot fail, whatever happens in them.

/// What in a command hides its failures: `|| true` and its like (D23). It cannot be undone, only
/// named. Quotes are not followed: text that looks like a mask is named too.
pub fn mask(command: &str) -> Option<&str> {
    let masks = ["true", ":", "exit 0", "echo", "/bin/true"];
    let after_or = command.match_indices("||").find(|(at, _)| {
        let rest = command[at + 2..].trim_start();
        masks.iter().any(|mask| begins_with_word(rest, mask))
    });
    if let Some((at, _)) = after_or {
        return Some(part(command, at, 2));
    }
    let last = command.trim_end().rfind(';')?;
    let rest = command[last + 1..].trim();
    ["true", ":", "exit 0"].contains(&rest).then(|| part(command, last, 1))
}

fn begins_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| {
        !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-')
    })
}

/// From the operator to the end of the simple command behind it.
fn part(command: &str, at: usize, operator: usize) -> &str {
    let rest = &command[at + operator..];
    let end = rest.find([';', '|', '&', '\n', ')']).unwrap_or(rest.len());
    command[at..at + operator + end].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qa_02_a_mask_is_named() {
        for (command, expected) in [
            ("sh -c 'exit 1' || true", Some("|| true")),
            ("npm test ||:", Some("||:")),
            ("a || exit 0 && b", Some("|| exit 0")),
            ("(a || echo failed)", Some("|| echo failed")),
            ("a; true", Some("; true")),
            ("a ; exit 0 ", Some("; exit 0")),
            ("sh -c 'echo FAILED; exit 1' | tee log.txt", None),
            ("a || b", None),
            ("a || truely", None),
            ("a; b", None),
            ("true", None),
            ("a || true-check", None),
        ] {
            assert_eq!(mask(command), expected, "{command}");
        }
    }
}
