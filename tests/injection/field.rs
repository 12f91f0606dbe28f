//! One copy of the packages while it is planted in.

use std::collections::BTreeMap;

use crate::fill::{self, Surroundings};
use crate::ground::Ground;
use crate::line::indent;
use crate::packages::PackageFile;
use crate::planting::{Plant, Planting};
use crate::random::Random;
use crate::rewrite::{self, Change};
use crate::sketch::{Place, Sketch};

/// How many plants a file takes.
const MOST_IN_A_FILE: usize = 3;
/// Lines between two plants, so that a finding can belong to one of them only.
const DISTANCE: usize = 12;

/// The files, and what is going to happen to them.
pub(super) struct Field<'f> {
    files: &'f [PackageFile],
    grounds: Vec<Ground<'f>>,
    /// By the index of the file.
    edits: BTreeMap<usize, Vec<Edit>>,
    added: Vec<Plant>,
}

/// A change that a sketch asks for.
struct Edit {
    change: Change,
    sketch: Sketch,
}

impl Edit {
    fn plant(&self, path: &str, first: usize) -> Plant {
        let lines = &self.change.lines;
        // The blank lines behind an item are not of it.
        let n_lines = lines.iter().rposition(|line| !line.is_empty()).map_or(1, |last| last + 1);
        Plant {
            language: self.sketch.language,
            kind: self.sketch.kind,
            intent: self.sketch.intent,
            path: path.to_owned(),
            first,
            last: first + n_lines - 1,
            excerpt: lines.iter().take(n_lines).cloned().collect(),
        }
    }
}

impl<'f> Field<'f> {
    pub(super) fn new(files: &'f [PackageFile]) -> Self {
        let grounds = files.iter().map(Ground::of).collect();
        Self { files, grounds, edits: BTreeMap::new(), added: Vec::new() }
    }

    /// Puts the sketch somewhere; false where no place suits it.
    pub(super) fn plant(&mut self, sketch: &Sketch, random: &mut Random) -> bool {
        let mut files: Vec<usize> = (0..self.files.len())
            .filter(|file| self.files[*file].language == sketch.language)
            .collect();
        random.shuffle(&mut files);
        if let Place::File(path) = &sketch.place {
            let package = self.files[files[0]].path.split('/').next().unwrap_or_default();
            return self.add(sketch, &format!("{package}/{path}"), random);
        }
        if let Place::Project(path) = &sketch.place {
            return self.add(sketch, path, random);
        }
        for file in files {
            let mut changes = changes(&sketch.place, &self.grounds[file]);
            changes.retain(|change| self.is_free(file, change));
            if sketch.quotes_code() {
                changes
                    .retain(|change| !self.grounds[file].block(change.range.start, 1).is_empty());
            }
            if !changes.is_empty() {
                let mut change = changes.swap_remove(random.below(changes.len()));
                if !matches!(sketch.place, Place::Rewrite(_)) {
                    change.lines = filled(sketch, &self.grounds[file], change.range.start, random);
                }
                let edit = Edit { change, sketch: sketch.clone() };
                self.edits.entry(file).or_default().push(edit);
                return true;
            }
        }
        false
    }

    fn is_free(&self, file: usize, change: &Change) -> bool {
        let edits = self.edits.get(&file).map_or(&[][..], Vec::as_slice);
        let is_far = |edit: &Edit| {
            edit.change.range.end + DISTANCE < change.range.start
                || change.range.end + DISTANCE < edit.change.range.start
        };
        edits.len() < MOST_IN_A_FILE && edits.iter().all(is_far)
    }

    /// Adds a file; false where there is one of that name.
    fn add(&mut self, sketch: &Sketch, path: &str, random: &mut Random) -> bool {
        let (path, lines) = fill::filled_file(sketch, path, random);
        let taken = self.added.iter().any(|plant| plant.path == path);
        if !taken {
            let edit = Edit { change: Change { range: 0..0, lines }, sketch: sketch.clone() };
            self.added.push(edit.plant(&path, 1));
        }
        !taken
    }

    /// Carries out what was decided.
    pub(super) fn harvest(self) -> Planting {
        let mut planting = Planting::none(self.files);
        for (file, mut edits) in self.edits {
            edits.sort_by_key(|edit| edit.change.range.start);
            let path = &self.files[file].path;
            let old = &self.grounds[file].lines;
            let mut lines: Vec<&str> = Vec::new();
            let mut done = 0;
            for edit in &edits {
                lines.extend(&old[done..edit.change.range.start]);
                planting.plants.push(edit.plant(path, lines.len() + 1));
                lines.extend(edit.change.lines.iter().map(String::as_str));
                done = edit.change.range.end;
            }
            lines.extend(&old[done..]);
            planting.texts.insert(path.clone(), lines.join("\n") + "\n");
        }
        for plant in self.added {
            planting.texts.insert(plant.path.clone(), plant.excerpt.join("\n") + "\n");
            planting.plants.push(plant);
        }
        planting
    }
}

/// All places of a file that suit; what a sketch puts there is not filled in yet.
fn changes(place: &Place, ground: &Ground<'_>) -> Vec<Change> {
    let (lines, n_replaced) = match place {
        Place::Statement => (ground.statements().to_vec(), 0),
        Place::Wrap => (ground.calls(), 1),
        Place::Item => (ground.items(), 0),
        Place::Test => (ground.tests(), 0),
        Place::Rewrite(rewrite) => return rewrite::changes(*rewrite, ground),
        Place::File(_) | Place::Project(_) => return Vec::new(),
    };
    let change = |at| Change { range: at..at + n_replaced, lines: Vec::new() };
    lines.into_iter().map(change).collect()
}

/// The sketch as it stands at a line, indented as the line is.
fn filled(sketch: &Sketch, ground: &Ground<'_>, at: usize, random: &mut Random) -> Vec<String> {
    let n_lines = 2 + random.below(3);
    let block = if sketch.quotes_code() { ground.block(at, n_lines) } else { Vec::new() };
    let around = Surroundings { call: ground.lines[at].trim(), block: &block };
    let mut lines = fill::filled(sketch, around, random);
    for line in lines.iter_mut().filter(|line| !line.is_empty()) {
        line.insert_str(0, indent(ground.lines[at]));
    }
    if matches!(sketch.place, Place::Item | Place::Test) {
        lines.extend(vec![String::new(); sketch.language.blanks()]);
    }
    lines
}
