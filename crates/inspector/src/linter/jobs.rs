//! Which starts it takes to ask a linter about a list of files.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::cargo;
use super::rows::{Row, Unit};
use super::start::{Job, Workplace};
use super::trouble::{Trouble, Why};

/// Bytes of file names in one command line; the system's own limit is about twenty times as high.
const ROOM: usize = 100_000;

/// One start, and how to read the file names in its report.
pub(super) struct Task {
    pub(super) job: Job,
    /// Where it works, relative to the root; empty for the root itself.
    pub(super) folder: String,
    /// Relative names in its report start here.
    pub(super) base: PathBuf,
}

/// The starts for these files, and why there are none for some of them.
pub(super) fn tasks(
    row: &Row,
    root: &Path,
    place: &Workplace,
    files: &[String],
) -> (Vec<Task>, Vec<Trouble>) {
    match row.unit {
        Unit::Files => (chunks(row, root, "", row.program.as_ref(), files), Vec::new()),
        Unit::Configured(names) => configured(row, root, names, files),
        Unit::Packages => cargo::tasks(row, root, place, files),
    }
}

/// The same files in as many starts as the command line needs; names are relative to the folder.
fn chunks(row: &Row, root: &Path, folder: &str, program: &OsStr, files: &[String]) -> Vec<Task> {
    let base = root.join(folder);
    let mut tasks: Vec<Task> = Vec::new();
    let mut room = 0;
    for file in files {
        let name = below(folder, file);
        if room < name.len() || tasks.is_empty() {
            let args = row.arguments.iter().map(OsString::from).collect();
            let job = Job { program: program.to_owned(), args, cwd: base.clone() };
            tasks.push(Task { job, folder: folder.to_owned(), base: base.clone() });
            room = ROOM;
        }
        room = room.saturating_sub(name.len());
        if let Some(task) = tasks.last_mut() {
            task.job.args.push(name.into());
        }
    }
    tasks
}

/// Each file goes to the nearest folder above it that has a configuration.
fn configured(
    row: &Row,
    root: &Path,
    names: &[&str],
    files: &[String],
) -> (Vec<Task>, Vec<Trouble>) {
    let mut by_folder: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut ungoverned = 0;
    for file in files {
        match nearest(root, file, |folder| names.iter().any(|name| folder.join(name).is_file())) {
            Some(folder) => by_folder.entry(folder).or_default().push(file.clone()),
            None => ungoverned += 1,
        }
    }
    let troubles = (ungoverned > 0).then(|| Trouble {
        linter: row.linter,
        folder: String::new(),
        why: Why::Ungoverned { files: ungoverned, what: "configuration" },
    });
    let tasks = by_folder.iter().flat_map(|(folder, files)| {
        let program = installed(root, folder, row.program);
        chunks(row, root, folder, &program, files)
    });
    (tasks.collect(), troubles.into_iter().collect())
}

/// The project's own copy of a program, else its name for a look along `PATH`.
fn installed(root: &Path, folder: &str, program: &str) -> OsString {
    let of = |folder: &Path| folder.join("node_modules/.bin").join(program);
    let inside = format!("{folder}/{program}");
    let owner = nearest(root, &inside, |folder| of(folder).is_file());
    owner.map_or_else(|| program.into(), |owner| of(&root.join(owner)).into())
}

/// The nearest folder above a file, and not above the root, that passes; relative to the root.
pub(super) fn nearest<'f>(
    root: &Path,
    file: &'f str,
    passes: impl Fn(&Path) -> bool,
) -> Option<&'f str> {
    let mut at = file;
    while let Some((folder, _)) = at.rsplit_once('/') {
        if passes(&root.join(folder)) {
            return Some(folder);
        }
        at = folder;
    }
    passes(root).then_some("")
}

/// A path relative to a folder that it is below.
fn below<'f>(folder: &str, file: &'f str) -> &'f str {
    file.strip_prefix(folder).map_or(file, |rest| rest.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linter::Linter;
    use fs_err as fs;

    fn shown(root: &Path, tasks: &[Task]) -> Vec<String> {
        let show = |task: &Task| {
            let program = Path::new(&task.job.program);
            let program = program.strip_prefix(root).unwrap_or(program).display();
            let files: Vec<_> = task.job.args.iter().skip_while(|word| *word != "--").collect();
            format!("{} {program} {files:?}", task.folder)
        };
        tasks.iter().map(show).collect()
    }

    #[test]
    fn files_go_to_the_configuration_and_the_program_that_is_nearest() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let plant = |path: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            fs::write(path, "").expect("written");
        };
        plant("web/eslint.config.js");
        plant("web/node_modules/.bin/eslint");
        plant("web/admin/.eslintrc.json");
        let files = ["web/a.js", "web/admin/x/b.js", "tools/c.js"].map(str::to_owned);
        let row = Linter::Eslint.row();
        let Unit::Configured(names) = row.unit else { panic!("a configured linter") };
        let (tasks, troubles) = configured(row, root, names, &files);
        assert_eq!(
            shown(root, &tasks),
            [
                "web web/node_modules/.bin/eslint [\"--\", \"a.js\"]",
                "web/admin web/node_modules/.bin/eslint [\"--\", \"x/b.js\"]",
            ]
        );
        assert_eq!(
            troubles.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["eslint: 1 files are below no configuration, so it was not asked about them"]
        );
    }

    #[test]
    fn a_long_list_takes_several_starts() {
        let files: Vec<String> = (0..30_000).map(|n| format!("a{n:05}.py")).collect();
        let row = Linter::Ruff.row();
        let tasks = chunks(row, Path::new("/r"), "", row.program.as_ref(), &files);
        assert_eq!(tasks.len(), 3);
        let named: usize = tasks.iter().map(|task| task.job.args.len() - row.arguments.len()).sum();
        assert_eq!(named, files.len());
        assert!(chunks(row, Path::new("/r"), "", row.program.as_ref(), &[]).is_empty());
    }
}
