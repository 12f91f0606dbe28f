//! What undoing a run came to, for people and for programs.

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use crate::json::inert_json;
use crate::page::Page;
use crate::{inert, words};

/// What undoing a run came to (D46).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "undo")]
pub struct Undo {
    /// The run.
    pub run: String,
    /// What it came to.
    #[serde(flatten)]
    pub result: UndoResult,
}

/// What undoing a run came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "result")]
pub enum UndoResult {
    /// The tree is as it was before the run's first write.
    Undone(PutBack),
    /// It was before, and nothing was done now.
    AlreadyUndone {
        /// The snapshot that keeps what was replaced then.
        kept: String,
    },
    /// The run had a work tree of its own, which is removed with its branch; the user's was never
    /// touched.
    Removed {
        /// The root of that tree.
        worktree: String,
        /// The snapshot that keeps its last state, where there was one.
        kept: Option<String>,
    },
    /// The run left nothing in the tree, and nothing was done.
    NothingWritten,
}

/// What was put back, and what was not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PutBack {
    /// The snapshot from before the first write.
    pub to: String,
    /// Files and links that were written, removed or given their permissions back.
    pub paths: Vec<String>,
    /// Where HEAD leads again; null when it did not move.
    pub head: Option<String>,
    /// Refs that moved since and stay where they are.
    pub moved_refs: Vec<MovedRef>,
    /// Paths that are not as they were.
    pub not_restored: Vec<String>,
    /// The snapshot that keeps what was replaced.
    pub kept: String,
    /// The call that was at work when the run stopped: all that changed since is taken for its work.
    pub interrupted: Option<String>,
    /// Whether the snapshots are refs of the audited repository; without git they are in the state
    /// folder.
    pub in_repository: bool,
}

/// A ref that moved since and stays where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MovedRef {
    /// Its full name.
    pub name: String,
    /// The object that it named; null when it is new.
    pub was: Option<String>,
    /// The object that it names; null when it is gone.
    pub is: Option<String>,
}

/// JSON Schema of what `runs undo --json` prints.
pub fn undo_schema() -> Schema {
    schema_for!(Undo)
}

/// Writes what an undo came to as JSON, indented, with a line end.
pub fn undo_json(undo: &Undo) -> String {
    inert_json(&serde_json::to_string_pretty(undo).expect("texts and lists can be written"))
}

/// Writes what an undo came to for a terminal; every path stands on a line of its own.
pub fn undo_text(undo: &Undo) -> String {
    let mut page = Page::default();
    let run = inert::one_line(&undo.run);
    match &undo.result {
        UndoResult::NothingWritten => {
            page.line(&format!("run {run} left nothing in the tree; there is nothing to undo"));
        }
        UndoResult::AlreadyUndone { kept } => {
            let kept = inert::one_line(kept);
            page.line(&format!("run {run} was undone already; what was there is kept as {kept}"));
        }
        UndoResult::Removed { worktree, kept } => {
            page.line(&format!("run {run} is undone: its own work tree and branch are removed"));
            page.line(&format!("  {}", inert::one_line(worktree)));
            if let Some(kept) = kept {
                page.section(&format!("What was there is kept as {}", inert::one_line(kept)));
            }
        }
        UndoResult::Undone(back) => put_back(&mut page, &run, back),
    }
    page.finish()
}

fn put_back(page: &mut Page, run: &str, back: &PutBack) {
    page.line(&format!("run {run} is undone: the tree is as it was before its first write"));
    if let Some(call) = &back.interrupted {
        let call = inert::one_line(call);
        let said =
            format!("{call} was at work when the run stopped; what changed since is undone too");
        page.wrapped("  -", 4, &said);
    }
    if let Some(head) = &back.head {
        page.wrapped("  -", 4, &format!("HEAD is back at {}", inert::one_line(head)));
    }
    listed(page, &format!("{} put back", words::count(back.paths.len(), "path")), &back.paths);
    let refs: Vec<String> = back.moved_refs.iter().map(moved_ref).collect();
    listed(page, "Refs that moved since, and stay", &refs);
    listed(page, "Not as it was", &back.not_restored);
    page.section(&format!("What was there is kept as {}", inert::one_line(&back.kept)));
    if back.in_repository {
        let kept = inert::one_line(&back.kept);
        page.line(&format!("  git restore --source={kept}:files -- PATH"));
    }
}

fn listed(page: &mut Page, title: &str, entries: &[String]) {
    if !entries.is_empty() {
        page.section(title);
    }
    for entry in entries {
        page.line(&format!("  {}", inert::one_line(entry)));
    }
}

fn moved_ref(moved: &MovedRef) -> String {
    match (&moved.was, &moved.is) {
        (Some(was), Some(is)) => format!("{} (was {was}, is {is})", moved.name),
        (Some(was), None) => format!("{} (gone, was {was})", moved.name),
        (None, Some(is)) => format!("{} (new, {is})", moved.name),
        (None, None) => moved.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(result: UndoResult, expected: &str) {
        let undo = Undo { run: "r1".to_owned(), result };
        assert_eq!(undo_text(&undo), expected);
        let json: serde_json::Value = serde_json::from_str(&undo_json(&undo)).expect("JSON");
        assert_eq!(json["run"], "r1");
    }

    fn back() -> PutBack {
        PutBack {
            to: "refs/tribunal/r1/3".to_owned(),
            paths: vec!["src/a.rs".to_owned()],
            head: None,
            moved_refs: Vec::new(),
            not_restored: Vec::new(),
            kept: "refs/tribunal/r1/9".to_owned(),
            interrupted: None,
            in_repository: true,
        }
    }

    #[test]
    fn an_undo_says_what_it_did_and_where_the_rest_is() {
        check(
            UndoResult::NothingWritten,
            "run r1 left nothing in the tree; there is nothing to undo\n",
        );
        check(
            UndoResult::AlreadyUndone { kept: "refs/tribunal/r1/9".to_owned() },
            "run r1 was undone already; what was there is kept as refs/tribunal/r1/9\n",
        );
        check(
            UndoResult::Undone(back()),
            "run r1 is undone: the tree is as it was before its first write\n\
             \n\
             1 path put back\n  \
               src/a.rs\n\
             \n\
             What was there is kept as refs/tribunal/r1/9\n  \
               git restore --source=refs/tribunal/r1/9:files -- PATH\n",
        );
    }

    #[test]
    fn what_stays_or_is_not_as_it_was_is_listed() {
        let moved = |name: &str, was: Option<&str>, is: Option<&str>| MovedRef {
            name: name.to_owned(),
            was: was.map(str::to_owned),
            is: is.map(str::to_owned),
        };
        check(
            UndoResult::Undone(PutBack {
                paths: Vec::new(),
                head: Some("refs/heads/main (abc)".to_owned()),
                moved_refs: vec![
                    moved("refs/stash", None, Some("def")),
                    moved("refs/heads/b", Some("abc"), Some("def")),
                    moved("refs/tags/t", Some("abc"), None),
                ],
                not_restored: vec!["src/\u{1b}[2J".to_owned()],
                interrupted: Some("1/fix/1".to_owned()),
                in_repository: false,
                ..back()
            }),
            "run r1 is undone: the tree is as it was before its first write\n  \
               - 1/fix/1 was at work when the run stopped; what changed since is undone too\n  \
               - HEAD is back at refs/heads/main (abc)\n\
             \n\
             Refs that moved since, and stay\n  \
               refs/stash (new, def)\n  \
               refs/heads/b (was abc, is def)\n  \
               refs/tags/t (gone, was abc)\n\
             \n\
             Not as it was\n  \
               src/\\u{1b}[2J\n\
             \n\
             What was there is kept as refs/tribunal/r1/9\n",
        );
    }
}
