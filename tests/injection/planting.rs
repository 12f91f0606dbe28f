//! Putting sketches into packages.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::fill::{self, Surroundings};
use crate::ground::Ground;
use crate::kind::{Intent, Kind};
use crate::language::Language;
use crate::packages::PackageFile;
use crate::random::Random;
use crate::rewrite::{self, Change};
use crate::sketch::{self, Place, Sketch};

/// How many plants a file takes.
const MOST_IN_A_FILE: usize = 3;
/// Lines between two plants, so that a finding can belong to one of them only.
const DISTANCE: usize = 12;
/// Copies of the packages that a run plants in; more places, and few plants a file.
const COPIES: usize = 3;

/// A fault or look-alike that stands in a file.
#[derive(Debug, Clone)]
pub(super) struct Plant {
    pub(super) language: Language,
    pub(super) kind: Kind,
    pub(super) intent: Intent,
    pub(super) path: String,
    /// The first and the last of its lines, from 1.
    pub(super) lines: (usize, usize),
    pub(super) excerpt: Vec<String>,
}

/// The rewritten text of the packages, and what was done to it.
pub(super) struct Planting {
    files: BTreeMap<String, String>,
    pub(super) plants: Vec<Plant>,
}

impl Planting {
    /// The packages as they are.
    pub(super) fn none(files: &[PackageFile]) -> Self {
        let texts = files.iter().map(|file| (file.path.clone(), file.text.clone()));
        Self { files: texts.collect(), plants: Vec::new() }
    }

    /// Writes all files below a folder.
    pub(super) fn write(&self, folder: &Path) {
        for (path, text) in &self.files {
            let place = folder.join(path);
            let parent = place.parent().expect("it is below the folder");
            fs::create_dir_all(parent).expect("a folder can be made");
            fs::write(place, text).expect("a file can be written");
        }
    }
}

/// What is going to happen to a file.
struct Edit {
    change: Change,
    language: Language,
    kind: Kind,
    intent: Intent,
}

/// Plants the share of each language, spread over copies of the packages.
///
/// The same seed gives the same plantings.
pub(super) fn plant(files: &[PackageFile], seed: u64) -> Vec<Planting> {
    let mut random = Random::new(seed);
    let mut fields: Vec<Field<'_>> = (0..COPIES).map(|_| Field::new(files)).collect();
    for language in Language::ALL {
        for intent in [Intent::Fault, Intent::LookAlike] {
            let mut n_planted = 0;
            for sketch in in_turn(language, intent, &mut random) {
                if n_planted < language.share() {
                    let planted = fields[n_planted % COPIES].plant(&sketch, &mut random);
                    n_planted += usize::from(planted);
                }
            }
            assert_eq!(n_planted, language.share(), "{} has too few places", language.name());
        }
    }
    fields.into_iter().map(Field::harvest).collect()
}

/// More sketches than are needed: each kind has its turn before one comes again.
fn in_turn(language: Language, intent: Intent, random: &mut Random) -> Vec<Sketch> {
    let mut kinds: BTreeMap<Kind, Vec<Sketch>> = BTreeMap::new();
    for sketch in sketch::sketches(language).into_iter().filter(|sketch| sketch.intent == intent) {
        kinds.entry(sketch.kind).or_default().push(sketch);
    }
    let mut kinds: Vec<Vec<Sketch>> = kinds.into_values().collect();
    random.shuffle(&mut kinds);
    for sketches in &mut kinds {
        random.shuffle(sketches);
    }
    let n_rounds = 2 * language.share();
    (0..n_rounds)
        .flat_map(|round| {
            kinds.iter().map(move |sketches| sketches[round % sketches.len()].clone())
        })
        .collect()
}

struct Field<'f> {
    files: &'f [PackageFile],
    grounds: Vec<Ground<'f>>,
    /// By the index of the file.
    edits: BTreeMap<usize, Vec<Edit>>,
    added: BTreeMap<String, (String, Plant)>,
}

impl<'f> Field<'f> {
    fn new(files: &'f [PackageFile]) -> Self {
        let grounds = files.iter().map(Ground::of).collect();
        Self { files, grounds, edits: BTreeMap::new(), added: BTreeMap::new() }
    }

    /// Finds a place for the sketch; false where there is none.
    fn plant(&mut self, sketch: &Sketch, random: &mut Random) -> bool {
        if let Place::File(path) = &sketch.place {
            return self.add(sketch, path, random);
        }
        let mut files: Vec<usize> = (0..self.files.len())
            .filter(|file| self.files[*file].language == sketch.language)
            .collect();
        random.shuffle(&mut files);
        for at in files {
            let changes = self.changes(sketch, at);
            let free: Vec<&Change> =
                changes.iter().filter(|change| self.is_free(at, change)).collect();
            if free.is_empty() {
                continue;
            }
            let mut change = random.pick(&free).clone();
            if !matches!(sketch.place, Place::Rewrite(_)) {
                change.lines = self.filled(sketch, at, &change, random);
            }
            let edit = Edit {
                change,
                language: sketch.language,
                kind: sketch.kind,
                intent: sketch.intent,
            };
            self.edits.entry(at).or_default().push(edit);
            return true;
        }
        false
    }

    /// All places of a file that suit the sketch; what comes there is not filled in yet.
    fn changes(&self, sketch: &Sketch, file: usize) -> Vec<Change> {
        let ground = &self.grounds[file];
        let before = |lines: Vec<usize>| -> Vec<Change> {
            lines.into_iter().map(|at| Change { range: at..at, lines: Vec::new() }).collect()
        };
        match &sketch.place {
            Place::Statement => before(ground.statements()),
            Place::Wrap => {
                let calls = ground.calls().into_iter();
                calls.map(|at| Change { range: at..at + 1, lines: Vec::new() }).collect()
            }
            Place::Item => before(ground.items()),
            Place::Test => before(ground.tests()),
            Place::Rewrite(rewrite) => rewrite::changes(*rewrite, ground),
            Place::File(_) => Vec::new(),
        }
    }

    fn is_free(&self, file: usize, change: &Change) -> bool {
        let Some(edits) = self.edits.get(&file) else { return true };
        let is_far = |edit: &Edit| {
            edit.change.range.end + DISTANCE < change.range.start
                || change.range.end + DISTANCE < edit.change.range.start
        };
        edits.len() < MOST_IN_A_FILE && edits.iter().all(is_far)
    }

    fn filled(
        &self,
        sketch: &Sketch,
        file: usize,
        change: &Change,
        random: &mut Random,
    ) -> Vec<String> {
        let ground = &self.grounds[file];
        let at = change.range.start;
        let line = ground.lines[at];
        let indentation = crate::line::indent(line);
        let n_lines = 2 + random.below(3);
        let block = match sketch
            .lines
            .iter()
            .any(|line| line.contains("‹block›") || line.contains("‹line›"))
        {
            true => ground.block(at, n_lines),
            false => Vec::new(),
        };
        let call = line.trim();
        let around = Surroundings { call, block: &block };
        let mut lines: Vec<String> = fill::filled(sketch, around, random)
            .into_iter()
            .map(|line| if line.is_empty() { line } else { format!("{indentation}{line}") })
            .collect();
        if matches!(sketch.place, Place::Item | Place::Test) {
            let gap = if sketch.language == Language::Python { 2 } else { 1 };
            lines.extend(vec![String::new(); gap]);
        }
        lines
    }

    /// A new file in a package of the language.
    fn add(&mut self, sketch: &Sketch, path: &str, random: &mut Random) -> bool {
        let mine: Vec<&str> = self
            .files
            .iter()
            .filter(|file| file.language == sketch.language)
            .filter_map(|file| file.path.split('/').next())
            .collect();
        let package = random.pick(&mine).to_owned();
        let path = format!("{package}/{}", fill::filled_line(path, sketch.language, random));
        let lines = fill::filled(sketch, Surroundings::default(), random);
        let text = lines.join("\n") + "\n";
        let plant = Plant {
            language: sketch.language,
            kind: sketch.kind,
            intent: sketch.intent,
            path: path.clone(),
            lines: (1, lines.len()),
            excerpt: lines,
        };
        let is_new = !self.added.contains_key(&path);
        if is_new {
            self.added.insert(path, (text, plant));
        }
        is_new
    }

    /// Carries out what was decided.
    fn harvest(self) -> Planting {
        let mut planting = Planting::none(self.files);
        for (file, mut edits) in self.edits {
            edits.sort_by_key(|edit| edit.change.range.start);
            let path = &self.files[file].path;
            let old = &self.grounds[file].lines;
            let mut lines: Vec<String> = Vec::new();
            let mut done = 0;
            for edit in edits {
                lines.extend(
                    old[done..edit.change.range.start].iter().map(|line| (*line).to_owned()),
                );
                done = edit.change.range.end;
                let first = lines.len() + 1;
                let excerpt: Vec<String> = trimmed(&edit.change.lines);
                planting.plants.push(Plant {
                    language: edit.language,
                    kind: edit.kind,
                    intent: edit.intent,
                    path: path.clone(),
                    lines: (first, first + excerpt.len().max(1) - 1),
                    excerpt,
                });
                lines.extend(edit.change.lines);
            }
            lines.extend(old[done..].iter().map(|line| (*line).to_owned()));
            planting.files.insert(path.clone(), lines.join("\n") + "\n");
        }
        for (path, (text, plant)) in self.added {
            planting.files.insert(path, text);
            planting.plants.push(plant);
        }
        planting
    }
}

/// Without blank lines at the end.
fn trimmed(lines: &[String]) -> Vec<String> {
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    lines[..end].to_vec()
}
