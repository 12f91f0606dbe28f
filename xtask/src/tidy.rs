//! `cargo xtask tidy`: the house rules that a program can check.
//!
//! Every gate looks at the whole tree; all failures come at once, as `path:line: what — why`.

use std::path::Path;

use crate::chore;
use crate::codegen;
use crate::failure::{Failure, Problem};
use crate::tree::Tree;
use exceptions::{EXCEPTIONS, Exception};
use survey::{Hit, Survey};

mod budgets;
mod exceptions;
mod guarantees;
mod leftovers;
mod links;
mod modules;
mod names;
mod prose;
mod reach;
mod signatures;
mod survey;
mod tokens;

/// A rule, and the function that finds what breaks it.
struct Gate {
    /// What an exception calls it.
    name: &'static str,
    /// The rule, as the end of the message.
    why: &'static str,
    look: for<'a> fn(&Survey<'a>) -> Vec<Hit<'a>>,
}

const fn gate(
    name: &'static str,
    why: &'static str,
    look: for<'a> fn(&Survey<'a>) -> Vec<Hit<'a>>,
) -> Gate {
    Gate { name, why, look }
}

const GATES: &[Gate] = &[
    gate("purity", "rule crates deny clock, files, processes and environment", modules::impure),
    gate("lib", "lib.rs holds docs, `mod` lines and chosen re-exports", modules::logic),
    gate("forgotten", "a file that no module names is never compiled", modules::forgotten),
    gate("length", "a file is one thing: 200 lines, or a reason in exceptions.rs", budgets::long),
    gate("limit", "no file goes over 400 lines, main.rs of tribunal over 25", budgets::too_long),
    gate("name", "the word says nothing, or two things (DESIGN §4)", names::banned),
    gate("state", "a state is an enum with its data inside, not text", signatures::state_as_text),
    gate("untyped", "JSON values and string maps stay in wire.rs and record.rs", signatures::maps),
    gate("sharing", "values have one owner or travel through a channel", signatures::sharing),
    gate("process", "only dispatch starts processes", reach::processes),
    gate(
        "environment",
        "only the command line's settings read the environment",
        reach::environment,
    ),
    gate("writing", "only journal, worktree, dispatch and inspector write files", reach::writing),
    gate("sleep", "a wait polls a condition: test-support has the function", reach::sleeping),
    gate("double", "doubles live in test-support: the scripted agent", leftovers::doubles),
    gate("constant", "a test of a constant cannot fail", leftovers::constants),
    gate("unfinished", "what is committed is finished", leftovers::unfinished),
    gate("allow", "`#[expect(lint, reason = \"…\")]` does not go stale", leftovers::allows),
    gate("banner", "comments are sentences that give a reason", leftovers::banners),
    gate("machine", "the repository knows no machine and no private host", prose::machines),
    gate("link", "a relative link leads to a file of the repository", links::broken),
    gate("guarantee", "each guarantee names tests that are there", guarantees::unproven),
];

/// Looks at every tracked file, and at whether the generated ones are up to date.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    chore::takes_nothing("tidy", arguments)?;
    let tree = Tree::read(root)?;
    let mut problems = look(&tree, EXCEPTIONS);
    problems.extend(codegen::outdated(root)?.into_iter().map(|stale| stale.problem));
    if problems.is_empty() {
        println!("tidy: {} files, {} gates", tree.files().count(), GATES.len());
        return Ok(());
    }
    problems.sort();
    Err(Failure::Found { problems, remedy: "the gates stand in xtask/src/tidy.rs" })
}

fn look(tree: &Tree, exceptions: &[Exception]) -> Vec<Problem> {
    let survey = Survey::new(tree);
    let mut problems = Vec::new();
    let mut used = vec![false; exceptions.len()];
    for Gate { name, why, look } in GATES {
        for Hit { path, line, what } in look(&survey) {
            let excused = exceptions.iter().position(|e| e.gate == *name && e.path == path);
            match excused {
                Some(at) => used[at] = true,
                None => problems.push(Problem {
                    path: path.to_owned(),
                    line,
                    what,
                    why: (*why).to_owned(),
                }),
            }
        }
    }
    let stale = exceptions.iter().zip(used).filter(|(_, used)| !used);
    problems.extend(stale.map(|(exception, _)| Problem {
        path: exception.path.to_owned(),
        line: 1,
        what: format!("not needed: the exception from `{}` ({})", exception.gate, exception.reason),
        why: "take it out of xtask/src/tidy/exceptions.rs".to_owned(),
    }));
    problems
}

/// Runs one gate over one file; gates are tested with bad samples.
#[cfg(test)]
fn check(
    look: for<'a> fn(&Survey<'a>) -> Vec<Hit<'a>>,
    path: &str,
    text: &str,
    expected: &[(usize, &str)],
) {
    let tree = Tree::from([(path, text)]);
    let survey = Survey::new(&tree);
    let hits = look(&survey);
    let found: Vec<(usize, &str)> = hits.iter().map(|hit| (hit.line, hit.what.as_str())).collect();
    assert_eq!(found, expected, "{path}\n{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAD: (&str, &str) = ("crates/runner/src/a.rs", "fn f() {\n    todo!()\n}\n");

    #[test]
    fn a_problem_reads_path_line_what_why() {
        let tree = Tree::from([BAD, ("crates/runner/src/lib.rs", "mod a;\n")]);
        let shown: Vec<String> = look(&tree, &[]).iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["crates/runner/src/a.rs:2: `todo!` — what is committed is finished"]);
    }

    #[test]
    fn an_exception_excuses_its_gate_and_must_be_needed() {
        let tree = Tree::from([BAD, ("crates/runner/src/lib.rs", "mod a;\n")]);
        let exception = |gate| Exception { path: BAD.0, gate, reason: "a sample" };
        assert!(look(&tree, &[exception("unfinished")]).is_empty());
        let shown: Vec<String> = look(&tree, &[exception("unfinished"), exception("sleep")])
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            shown,
            ["crates/runner/src/a.rs:1: not needed: the exception from `sleep` (a sample) — \
              take it out of xtask/src/tidy/exceptions.rs"]
        );
    }

    #[test]
    fn every_exception_names_a_gate_that_may_be_excused() {
        for Exception { path, gate, reason } in EXCEPTIONS {
            assert!(GATES.iter().any(|known| known.name == *gate), "{path}: {gate}");
            assert!(*gate != "limit", "{path}: the upper limit has no exceptions");
            assert!(!reason.is_empty(), "{path}");
        }
    }
}
