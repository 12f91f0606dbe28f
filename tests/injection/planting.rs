//! What is planted where, decided by a seed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::field::Field;
use crate::kind::{Intent, Kind};
use crate::language::Language;
use crate::packages::PackageFile;
use crate::random::Random;
use crate::sketch::{self, Sketch};

/// Copies of the packages that a run plants in: more places, and few plants a file.
const COPIES: usize = 3;

/// A fault or look-alike that stands in a file.
#[derive(Debug, Clone)]
pub(super) struct Plant {
    pub(super) language: Language,
    pub(super) kind: Kind,
    pub(super) intent: Intent,
    pub(super) path: String,
    /// Its lines; the first of the file is 1.
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) excerpt: Vec<String>,
}

/// The text of the packages, and what was planted in it.
pub(super) struct Planting {
    pub(super) texts: BTreeMap<String, String>,
    pub(super) plants: Vec<Plant>,
}

impl Planting {
    /// The packages as they are.
    pub(super) fn none(files: &[PackageFile]) -> Self {
        let texts = files.iter().map(|file| (file.path.clone(), file.text.clone()));
        Self { texts: texts.collect(), plants: Vec::new() }
    }

    /// The folders at the top, each a project of its own.
    pub(super) fn projects(&self) -> BTreeSet<String> {
        let folder = |path: &String| path.split('/').next().unwrap_or(path).to_owned();
        self.texts.keys().map(folder).collect()
    }

    /// Writes all files below a folder.
    pub(super) fn write(&self, folder: &Path) {
        for (path, text) in &self.texts {
            let place = folder.join(path);
            let parent = place.parent().expect("it is below the folder");
            fs::create_dir_all(parent).expect("a folder can be made");
            fs::write(place, text).expect("a file can be written");
        }
    }
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
    let turn = |round| kinds.iter().map(move |sketches| &sketches[round % sketches.len()]);
    (0..2 * language.share()).flat_map(turn).cloned().collect()
}
