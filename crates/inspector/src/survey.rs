//! All files below the target at once: what rules say of each, and what the project does all over.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::args::Invocation;
use crate::cache::Cache;
use crate::catalog::Catalog;
use crate::family::grammars_of;
use crate::fault::Fault;
use crate::hit::Hit;
use crate::reach::keep_reachable;
use crate::remark::states_intent;
use crate::rule::{Rule, Weigh};
use crate::scan::Scanner;
use crate::seek::is_worth_reporting;
use crate::source::SourceFile;
use crate::surroundings::Surroundings;
use crate::tree;

/// Items from which on a convention can be told from chance.
const LEAST_ITEMS: usize = 20;
/// Of a hundred items, those that must follow a convention for it to be the project's.
const LEAST_SHARE: usize = 80;
/// Places from which on a pattern is used all over.
const LEAST_PLACES: usize = 6;

/// What the rules say about a tree.
pub(crate) struct Survey<'r> {
    /// Files with anything to say about, by path.
    pub(crate) files: Vec<Seen<'r>>,
    /// Files looked at.
    pub(crate) walked: usize,
    counts: BTreeMap<&'r str, Count>,
    catalog: &'r Catalog,
}

/// One file of it.
pub(crate) struct Seen<'r> {
    pub(crate) path: String,
    pub(crate) surroundings: Surroundings,
    pub(crate) hits: Vec<Hit<'r>>,
    /// How many places follow the convention of a rule.
    pub(crate) followed: Vec<(&'r Rule, usize)>,
}

/// How often a rule's pattern stands in the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Count {
    /// Matches, those that somebody justified among them.
    pub(crate) places: usize,
    /// Justified by a suppression marker or in words.
    pub(crate) meant: usize,
    /// Places that follow the convention instead.
    followed: usize,
}

impl<'r> Survey<'r> {
    pub(crate) fn of(
        call: &'r Invocation,
        catalog: &'r Catalog,
        notes: &mut Vec<String>,
    ) -> Result<Self, Fault> {
        let paths = tree::files(&call.root, &call.target, &call.exclude)?;
        let scanner = Scanner::new(catalog, &call.root, call.module_loc_limit);
        let cache = Cache::open(call, catalog, notes);
        let seen = on_all_cores(&paths, |path| {
            let file = SourceFile::read(&call.root, path.clone())?;
            let mut seen = cache.recall(&file, catalog).unwrap_or_else(|| {
                let seen = Seen::new(&file, scanner.scan_alone(&file));
                cache.keep(&file, &seen);
                seen
            });
            keep_reachable(&call.root, &file.path, &mut seen.hits);
            seen.hits.extend(scanner.broken_links(&file));
            seen.hits.sort_by(|a, b| (a.line, &a.rule.id).cmp(&(b.line, &b.rule.id)));
            Some(seen)
        });
        cache.close(notes);
        let files: Vec<Seen> = seen.into_iter().flatten().collect();
        Ok(Self { counts: counts(&files), files, walked: paths.len(), catalog })
    }

    /// How often the pattern of a rule stands in the product.
    pub(crate) fn count(&self, rule: &Rule) -> Count {
        self.counts.get(rule.id.as_str()).copied().unwrap_or_default()
    }

    /// Whether the project follows the rule's convention; true of every other rule.
    pub(crate) fn asks_for(&self, rule: &Rule) -> bool {
        if rule.weigh != Weigh::Undocumented {
            return true;
        }
        // Functions, classes and methods are documented by one habit.
        let kin = self.catalog.all().filter(|other| {
            other.weigh == Weigh::Undocumented && speak_of_one_language(other, rule)
        });
        kin.fold(Count::default(), |sum, other| sum.and(self.count(other))).is_convention()
    }
}

impl Count {
    fn and(self, other: Self) -> Self {
        Self {
            places: self.places + other.places,
            meant: self.meant + other.meant,
            followed: self.followed + other.followed,
        }
    }

    fn is_convention(self) -> bool {
        let items = self.places + self.followed;
        items >= LEAST_ITEMS && self.followed * 100 >= items * LEAST_SHARE
    }

    /// Whether the project uses the pattern all over and says at most places that it means it.
    pub(crate) fn is_deliberate(self) -> bool {
        self.places >= LEAST_PLACES && self.meant * 3 >= self.places * 2
    }
}

impl<'r> Seen<'r> {
    fn new(file: &SourceFile, scan: crate::scan::Scan<'r>) -> Self {
        let mut followed: Vec<(&Rule, usize)> = Vec::new();
        for rule in scan.followed {
            match followed.iter_mut().find(|(known, _)| known.id == rule.id) {
                Some((_, count)) => *count += 1,
                None => followed.push((rule, 1)),
            }
        }
        let (path, surroundings) = (file.path.clone(), file.surroundings);
        Self { path, surroundings, hits: scan.hits, followed }
    }
}

fn speak_of_one_language(a: &Rule, b: &Rule) -> bool {
    let grammars = |rule: &Rule| rule.language().map_or(&[][..], grammars_of);
    grammars(a).iter().any(|grammar| grammars(b).contains(grammar))
}

fn counts<'r>(files: &[Seen<'r>]) -> BTreeMap<&'r str, Count> {
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    for seen in files {
        for hit in &seen.hits {
            let justified = hit.remark.as_deref().is_some_and(states_intent);
            let meant = hit.suppressed.is_some() || justified;
            if meant || is_worth_reporting(hit, seen.surroundings) {
                let count = counts.entry(&hit.rule.id).or_default();
                count.places += 1;
                count.meant += usize::from(meant);
            }
        }
        if seen.surroundings == Surroundings::Product {
            for (rule, followed) in &seen.followed {
                counts.entry(&rule.id).or_default().followed += followed;
            }
        }
    }
    counts
}

/// Applies a function to each item on all cores; the results keep the order of the items.
fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let take = || {
            let mut results = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else { return results };
                results.push((index, work(item)));
            }
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(take)).collect();
        let joined = threads.into_iter().map(|thread| thread.join().expect("a rule panicked"));
        joined.flatten().collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_convention_is_what_most_of_many_items_follow() {
        for (places, followed, expected) in
            [(0, 20, true), (4, 16, true), (5, 19, false), (1, 18, false), (0, 0, false)]
        {
            let count = Count { places, meant: 0, followed };
            assert_eq!(count.is_convention(), expected, "{count:?}");
        }
    }

    #[test]
    fn a_pattern_is_deliberate_when_most_of_many_places_say_so() {
        for (places, meant, expected) in
            [(6, 4, true), (6, 3, false), (5, 5, false), (30, 20, true)]
        {
            let count = Count { places, meant, followed: 0 };
            assert_eq!(count.is_deliberate(), expected, "{count:?}");
        }
    }
}
