//! Traces of the machine that a text was written on.

use super::survey::{Hit, Survey};

/// Folders of one machine, cut in two so that this file passes its own gate.
const FOLDERS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/fa", "rm/")];
const HOMES: &[&str] = &[concat!("/ho", "me/"), concat!("/Us", "ers/")];
/// Parts of host names that only exist behind a wall.
const PRIVATE: &[&str] = &[".internal", ".intranet", ".corp", "artifactory", "devpi", "nexus"];
/// The only places that locked dependencies come from.
const REGISTRIES: &[(&str, &str, &str)] = &[
    ("Cargo.lock", "source = ", "registry+https://github.com/rust-lang/crates.io-index"),
    ("package-lock.json", "\"resolved\": ", "https://registry.npmjs.org/"),
];

/// Paths of a machine, private hosts, and locked dependencies from elsewhere.
pub(super) fn machines<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for (path, text) in survey.tree.files() {
        for (at, line) in text.lines().enumerate() {
            let what = machine_path(line)
                .or_else(|| private_host(line))
                .or_else(|| foreign_source(path, line))
                .or_else(|| replaced_registry(path, line));
            hits.extend(what.map(|what| Hit { path, line: at + 1, what }));
        }
    }
    hits
}

fn machine_path(line: &str) -> Option<String> {
    let folder = FOLDERS.iter().find(|folder| starts_path(line, folder).next().is_some());
    if let Some(folder) = folder {
        return Some(format!("`{folder}`"));
    }
    for home in HOMES {
        for after in starts_path(line, home) {
            let name = after.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').next();
            let name = name.filter(|name| !name.is_empty())?;
            if after[name.len()..].starts_with('/') {
                return Some(format!("`{home}{name}/`"));
            }
        }
    }
    None
}

/// What follows each place where `folder` is the beginning of a path.
fn starts_path<'l>(line: &'l str, folder: &str) -> impl Iterator<Item = &'l str> {
    let length = folder.len();
    line.match_indices(folder).filter_map(move |(at, _)| {
        let before = line[..at].chars().next_back();
        let inside = before.is_some_and(|c| c.is_alphanumeric() || "_-.}])*/~".contains(c));
        (!inside).then(|| &line[at + length..])
    })
}

fn private_host(line: &str) -> Option<String> {
    line.split("://").skip(1).find_map(|after| {
        let end = after.find(|c: char| !c.is_ascii_alphanumeric() && !".-".contains(c));
        let host = &after[..end.unwrap_or(after.len())];
        let is_private = PRIVATE.iter().any(|part| {
            if part.starts_with('.') { host.ends_with(part) } else { host.contains(part) }
        });
        is_private.then(|| format!("the host `{host}`"))
    })
}

fn foreign_source(path: &str, line: &str) -> Option<String> {
    let file = path.rsplit('/').next()?;
    let (_, key, expected) = REGISTRIES.iter().find(|(name, ..)| *name == file)?;
    let source = line.trim().strip_prefix(key)?.trim_matches(['"', ',']);
    (!source.starts_with(expected)).then(|| format!("`{source}`"))
}

fn replaced_registry(path: &str, line: &str) -> Option<String> {
    let line = line.trim();
    let replaces = [".cargo/config.toml", ".cargo/config"].iter().any(|name| path.ends_with(name))
        && ["[source", "[registries", "[registry", "replace-with"]
            .iter()
            .any(|k| line.starts_with(k));
    replaces.then(|| format!("`{line}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    fn row(path: &str, text: &str, expected: Option<&str>) {
        let expected: Vec<(usize, &str)> = expected.map(|what| (1, what)).into_iter().collect();
        check(machines, path, text, &expected);
    }

    #[test]
    fn paths_of_a_machine_are_seen_where_a_path_begins() {
        for folder in FOLDERS {
            row("docs/a.md", &format!("see {folder}x"), Some(&format!("`{folder}`")));
            row("docs/a.md", &format!("see target{folder}x and $(x){folder}"), None);
        }
        let home = HOMES[0];
        row("a.rs", &format!("\"{home}ada/x\""), Some(&format!("`{home}ada/`")));
        row("a.rs", &format!("a folder below {home} or {home}*"), None);
    }

    #[test]
    fn private_hosts_are_seen() {
        row(
            "a.md",
            concat!("https://crates.exam", "ple.corp/x"),
            Some("the host `crates.example.corp`"),
        );
        row(
            "a.md",
            concat!("http://art", "ifactory:8081/x"),
            Some(concat!("the host `art", "ifactory`")),
        );
        row("a.md", "https://crates.io/crates/serde", None);
    }

    #[test]
    fn locked_dependencies_come_from_the_public_registries() {
        let good = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
        row("Cargo.lock", good, None);
        row("Cargo.lock", "source = \"git+https://x.org/y\"", Some("`git+https://x.org/y`"));
        row(
            "web/package-lock.json",
            "\"resolved\": \"https://x.org/y.tgz\",",
            Some("`https://x.org/y.tgz`"),
        );
        row(".cargo/config.toml", "[source.crates-io]", Some("`[source.crates-io]`"));
        row(".cargo/config.toml", "[alias]", None);
    }
}
