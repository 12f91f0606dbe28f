//! The table of chores: one row each, one module each.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::{agents, bench, ci, codegen, fixes, golden, layers, packages, precision, test, tidy};

/// A chore: what `cargo xtask NAME` does.
struct Chore {
    name: &'static str,
    arguments: &'static str,
    about: &'static str,
    run: fn(&Path, &[String]) -> Result<(), Failure>,
}

const CHORES: &[Chore] = &[
    Chore {
        name: "test",
        arguments: "[--deep] [ARGS]",
        about: "builds the programs and runs every test; ARGS go to the test runner",
        run: test::run,
    },
    Chore {
        name: "layers",
        arguments: "",
        about: "compares the crates' dependencies with the allowed edges",
        run: layers::run,
    },
    Chore {
        name: "tidy",
        arguments: "",
        about: "holds the source against the house rules, all failures at once",
        run: tidy::run,
    },
    Chore {
        name: "codegen",
        arguments: "[--check]",
        about: "writes the generated files, or says which are out of date",
        run: codegen::run,
    },
    Chore {
        name: "golden",
        arguments: "[--bless] [FILTER]",
        about: "runs the cases in tests/golden; --bless writes what came out",
        run: golden::run,
    },
    Chore {
        name: "agents",
        arguments: "",
        about: "installs the real agent programs that tests ask",
        run: agents::run,
    },
    Chore {
        name: "packages",
        arguments: "[NAME…]",
        about: "fetches the public packages that the inspector is tried on, and unpacks them",
        run: packages::run,
    },
    Chore {
        name: "precision",
        arguments: "[--check]",
        about: "draws findings of the packages for people to judge; --check holds the verdicts",
        run: precision::run,
    },
    Chore {
        name: "fixes",
        arguments: "[NAME…]",
        about: "plants faults into copies of the packages; an audit must mend them and break nothing",
        run: fixes::run,
    },
    Chore {
        name: "bench",
        arguments: "NAME",
        about: "measures against a peer in the same run; no NAME lists them",
        run: bench::run,
    },
    Chore {
        name: "ci",
        arguments: "",
        about: "runs every stage in order and prints the minutes of each",
        run: ci::run,
    },
];

/// Runs the chore that the first argument names.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let (name, rest) = match arguments {
        [] => ("help", arguments),
        [name, rest @ ..] => (name.as_str(), rest),
    };
    if matches!(name, "help" | "--help" | "-h") {
        print!("{}", help());
        return Ok(());
    }
    let chore = CHORES
        .iter()
        .find(|chore| chore.name == name)
        .ok_or_else(|| Failure::Usage(format!("no chore is called `{name}`\n\n{}", help())))?;
    (chore.run)(&root(), rest)
}

/// Refuses arguments of a chore that takes none.
pub(crate) fn takes_nothing(name: &str, arguments: &[String]) -> Result<(), Failure> {
    match arguments.first() {
        None => Ok(()),
        Some(first) => Err(Failure::Usage(format!("`{name}` takes no argument `{first}`"))),
    }
}

fn help() -> String {
    let mut text = String::from("Usage: cargo xtask CHORE\n\nChores:\n");
    for Chore { name, arguments, about, .. } in CHORES {
        text += &format!("  {:<26} {about}\n", format!("{name} {arguments}"));
    }
    text
}

/// The workspace root, from where cargo found this package.
///
/// The run time value wins: a program built in one checkout may be started by cargo in another one
/// that shares its target folder.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or_else(|| package.clone(), Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_every_chore() {
        let help = help();
        for chore in CHORES {
            assert!(help.contains(&format!("\n  {} ", chore.name)), "{} in\n{help}", chore.name);
        }
    }

    #[test]
    fn an_unknown_chore_is_a_usage_error_that_lists_the_known_ones() {
        let failure = run(&["tidi".to_owned()]).expect_err("there is no such chore");
        let Failure::Usage(text) = failure else { panic!("{failure:?}") };
        assert!(text.contains("`tidi`") && text.contains("  tidy "), "{text}");
    }
}
