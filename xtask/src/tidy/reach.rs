//! What reaches outside the program, and where that is allowed.

use super::survey::{Hit, Source, Survey};

/// May start processes: the adapter for it, tests and chores.
const STARTERS: &[&str] = &["crates/dispatch", "crates/test-support", "xtask"];
/// May read environment variables; cargo speaks to build scripts in no other way.
const READERS: &[&str] =
    &["crates/cli/src/settings", "crates/inspector/build", "crates/test-support", "xtask"];
/// May ask for the current directory.
const PLACED: &[&str] = &["crates/cli", "crates/test-support", "xtask"];
/// May write files: state, snapshots put back, spools, fixes.
const WRITERS: &[&str] = &[
    "crates/journal",
    "crates/worktree",
    "crates/dispatch",
    "crates/inspector",
    "crates/test-support",
    "xtask",
];
/// May sleep: the scripted agent, and the function that polls a condition.
const SLEEPERS: &[&str] = &["crates/test-support"];

/// `Command::new` outside dispatch.
pub(super) fn processes<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for source in outside(survey, STARTERS) {
        for (at, window) in source.code.windows(3).enumerate() {
            let texts = [window[0].text, window[1].text, window[2].text];
            let is_clap = at >= 2 && source.code[at - 2].text == "clap";
            if texts == ["Command", "::", "new"] && !is_clap && !source.is_test(window[0].line) {
                hits.push(source.hit(window[0].line, "`Command::new`"));
            }
        }
    }
    hits
}

/// Reads of environment variables outside the settings, and of the current directory outside cli.
pub(super) fn environment<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let variables = ["var", "var_os", "vars", "vars_os", "set_var", "remove_var"];
    let mut hits = calls(survey, READERS, "env", &variables);
    hits.extend(calls(survey, PLACED, "env", &["current_dir", "set_current_dir"]));
    hits
}

/// Writes to the file system outside the crates that own what they write.
pub(super) fn writing<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let writes = [
        "write",
        "rename",
        "copy",
        "hard_link",
        "create_dir",
        "create_dir_all",
        "remove_file",
        "remove_dir",
        "remove_dir_all",
        "set_permissions",
    ];
    let mut hits = calls(survey, WRITERS, "fs", &writes);
    hits.extend(calls(survey, WRITERS, "File", &["create", "create_new", "options"]));
    hits.extend(calls(survey, WRITERS, "OpenOptions", &["new"]));
    hits
}

/// Threads that sleep, in tests too; tests may not sleep in async code either.
pub(super) fn sleeping<'a>(survey: &Survey<'a>) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for source in outside_all(survey, SLEEPERS) {
        for found in source.matches(&["thread", "::", "sleep"]) {
            hits.push(source.hit(found[0].line, "`thread::sleep`"));
        }
        for found in source.matches(&["time", "::", "sleep"]) {
            if source.is_test(found[0].line) {
                hits.push(source.hit(found[0].line, "`time::sleep` in a test"));
            }
        }
    }
    hits
}

/// Calls of `owner::name` outside tests and the allowed folders.
fn calls<'a>(survey: &Survey<'a>, allowed: &[&str], owner: &str, names: &[&str]) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for source in outside(survey, allowed) {
        for name in names {
            for found in source.matches(&[owner, "::", name]) {
                if !source.is_test(found[0].line) {
                    hits.push(source.hit(found[0].line, format!("`{owner}::{name}`")));
                }
            }
        }
    }
    hits
}

fn outside<'s, 'a>(
    survey: &'s Survey<'a>,
    allowed: &[&str],
) -> impl Iterator<Item = &'s Source<'a>> {
    outside_all(survey, allowed).filter(|source| !source.is_test_file())
}

fn outside_all<'s, 'a>(
    survey: &'s Survey<'a>,
    allowed: &[&str],
) -> impl Iterator<Item = &'s Source<'a>> {
    survey
        .sources
        .iter()
        .filter(move |source| !allowed.iter().any(|folder| source.is_below(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    #[test]
    fn processes_are_started_by_dispatch() {
        let text = "fn f() {\n  std::process::Command::new(\"ls\");\n}";
        check(processes, "crates/runner/src/a.rs", text, &[(2, "`Command::new`")]);
        check(processes, "crates/dispatch/src/child.rs", text, &[]);
        check(processes, "crates/runner/tests/a.rs", text, &[]);
        check(processes, "crates/cli/src/a.rs", "clap::Command::new(\"x\")", &[]);
    }

    #[test]
    fn the_environment_is_read_in_one_place() {
        let text = "let a = std::env::var(\"A\");\nlet b = env::current_dir();";
        let both = [(1, "`env::var`"), (2, "`env::current_dir`")];
        check(environment, "crates/runner/src/a.rs", text, &both);
        check(environment, "crates/cli/src/command/run.rs", text, &both[..1]);
        check(environment, "crates/cli/src/settings.rs", text, &[]);
    }

    #[test]
    fn files_are_written_by_their_owners() {
        let text = "fs_err::write(a, b);\nstd::fs::write(a, b);\nFile::create(a);\nfs::read(a);";
        let hits = [(2, "`fs::write`"), (3, "`File::create`")];
        check(writing, "crates/runner/src/a.rs", text, &hits);
        check(writing, "crates/journal/src/a.rs", text, &[]);
    }

    #[test]
    fn tests_do_not_sleep() {
        let text = "fn f() { std::thread::sleep(d); tokio::time::sleep(d); }";
        let both = [(1, "`thread::sleep`"), (1, "`time::sleep` in a test")];
        check(sleeping, "tests/e2e/audit.rs", text, &both);
        check(sleeping, "crates/dispatch/src/ladder.rs", text, &both[..1]);
        check(sleeping, "crates/test-support/src/wait.rs", text, &[]);
    }
}
