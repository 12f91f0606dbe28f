//! Scans of earlier cycles, so that an unchanged file is not parsed again.
//!
//! A scan is known by the hash of the rules, the limits, the file's path and its text. A cache that
//! is missing, torn or of another version costs time and nothing else.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;

use fs_err as fs;
use sha2::{Digest as _, Sha256};

use crate::args::Invocation;
use crate::catalog::Catalog;
use crate::source::SourceFile;
use crate::survey::Seen;
use record::Kept;

mod record;

/// The hash of what a scan follows from, in hexadecimal.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key(String);

/// Scans by the hash of what they follow from.
pub(crate) struct Cache {
    /// `None` when nothing is to be kept.
    file: Option<PathBuf>,
    /// What every scan follows from besides its file.
    rules: Sha256,
    known: BTreeMap<Key, String>,
    /// Lines to be added.
    fresh: Mutex<Vec<String>>,
}

impl Cache {
    /// Reads what earlier calls kept.
    pub(crate) fn open(call: &Invocation, catalog: &Catalog, notes: &mut Vec<String>) -> Self {
        let mut rules = Sha256::new();
        let mut cache = Self {
            file: call.cache.clone(),
            rules: rules.clone(),
            known: BTreeMap::new(),
            fresh: Mutex::new(Vec::new()),
        };
        let Some(file) = &cache.file else { return cache };
        rules.update(env!("CARGO_PKG_VERSION"));
        rules.update(call.module_loc_limit.to_le_bytes());
        for rule in catalog.all() {
            rules.update(rule.fingerprint());
        }
        cache.rules = rules;
        match fs::read_to_string(file) {
            Ok(text) => cache.known = lines(&text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => notes.push(format!("earlier scans are not used: {error}")),
        }
        cache
    }

    /// The scan of a file with this path and text, if one was kept.
    pub(crate) fn recall<'r>(&self, file: &SourceFile, catalog: &'r Catalog) -> Option<Seen<'r>> {
        self.file.as_ref()?;
        let line = self.known.get(&self.key(file))?;
        Kept::read(line)?.seen(file, catalog)
    }

    pub(crate) fn keep(&self, file: &SourceFile, seen: &Seen) {
        if self.file.is_none() {
            return;
        }
        if let Some(json) = Kept::of(seen).written() {
            let line = format!("{} {json}\n", self.key(file).0);
            self.fresh.lock().expect("nobody panics while it is held").push(line);
        }
    }

    /// Adds what is new to the file.
    pub(crate) fn close(self, notes: &mut Vec<String>) {
        let fresh = self.fresh.into_inner().expect("nobody panics while it is held");
        let Some(file) = self.file.filter(|_| !fresh.is_empty()) else { return };
        let written = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(file)
            .and_then(|mut file| file.write_all(fresh.concat().as_bytes()));
        if let Err(error) = written {
            notes.push(format!("scans are not kept for later cycles: {error}"));
        }
    }

    fn key(&self, file: &SourceFile) -> Key {
        let mut hash = self.rules.clone();
        hash.update(file.path.as_bytes());
        hash.update([0]);
        hash.update(file.text.as_bytes());
        Key(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// One scan a line: its key, then JSON; a line that was cut off has no end and is left out.
fn lines(text: &str) -> BTreeMap<Key, String> {
    let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    let pairs = whole.filter_map(|line| line.split_once(' '));
    pairs.map(|(key, json)| (Key(key.to_owned()), json.to_owned())).collect()
}
