//! Words that names do without (DESIGN §4).

use super::survey::{Hit, Source, Survey};

/// Banned in the names of files, types and functions.
///
/// Plurals are listed where they say as little: `cores` are those of a processor.
const BANNED: &[&str] = &[
    "manager", "managers", "helper", "helpers", "util", "utils", "common", "core", "service",
    "services", "data", "info", "wrapper", "wrappers", "impl", "v2",
];
/// Banned as the whole name of a file or folder: bags that collect what has no place.
const BAGS: &[&str] = &["misc", "type", "types", "models", "imp"];

/// Names of files, modules, types and functions that hold a banned word.
///
/// Functions of tests are sentences and may hold any word.
pub(super) fn banned<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for source in &survey.sources {
        hits.extend(in_path(source));
        for pair in source.code.windows(2) {
            let [keyword, name] = pair else { continue };
            let looked_at = match keyword.text {
                "struct" | "enum" | "trait" | "type" | "union" | "mod" | "macro_rules" => true,
                "fn" => !source.is_test(keyword.line),
                _ => false,
            };
            if looked_at && let Some(word) = banned_word(name.text) {
                hits.push(source.hit(name.line, format!("`{word}` in `{}`", name.text)));
            }
        }
    }
    hits
}

fn in_path<'a>(source: &Source<'a>) -> Option<Hit<'a>> {
    let parts = source.path.split('/').map(|part| part.trim_end_matches(".rs"));
    parts.into_iter().find_map(|part| {
        let whole = BAGS.iter().copied().find(|bag| part == *bag);
        let word = banned_word(part).or_else(|| whole.map(str::to_owned))?;
        Some(source.hit(1, format!("`{word}` in the path")))
    })
}

fn banned_word(name: &str) -> Option<String> {
    words(name).into_iter().find(|word| BANNED.contains(&word.as_str()))
}

/// The words of `snake_case`, `kebab-case` and `CamelCase`, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous = '_';
    for c in name.chars() {
        let starts = c.is_uppercase() && previous.is_lowercase();
        if matches!(c, '_' | '-' | '.') || starts {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut()
            && !matches!(c, '_' | '-' | '.')
        {
            word.extend(c.to_lowercase());
        }
        previous = c;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    #[test]
    fn types_modules_and_functions_are_read_word_by_word() {
        let path = "crates/x/src/a.rs";
        check(banned, path, "struct RunManager;", &[(1, "`manager` in `RunManager`")]);
        check(banned, path, "fn load_helpers() {}", &[(1, "`helpers` in `load_helpers`")]);
        check(
            banned,
            path,
            "mod utils;\nenum ParseV2 {}",
            &[(1, "`utils` in `utils`"), (2, "`v2` in `ParseV2`")],
        );
        check(
            banned,
            path,
            "struct Metadata; fn score_on_all_cores() { info!(\"x\") } type Datum = u8;",
            &[],
        );
        check(banned, path, "#[cfg(test)]\nmod tests { fn v2_is_silent() {} }", &[]);
    }

    #[test]
    fn files_and_folders_have_names_that_say_something() {
        for (path, word) in [
            ("crates/x/src/utils.rs", "utils"),
            ("crates/core/src/lib.rs", "core"),
            ("crates/x/src/common/a.rs", "common"),
            ("crates/x/src/types.rs", "types"),
        ] {
            check(banned, path, "", &[(1, &format!("`{word}` in the path"))]);
        }
        check(banned, "crates/x/src/metadata.rs", "", &[]);
    }
}
