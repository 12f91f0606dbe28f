//! Pairs equal findings of two cycles by their lines.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Pairs each reported line with a known one, the two nearest first, until one side is used up.
///
/// Gives index pairs (reported, known). A finding without a line is nearest to another without one.
/// Ties go to the earlier lines. O(n log n): the nearest pair is always a pair of neighbours.
pub(crate) fn nearest_pairs(
    reported: &[Option<u32>],
    known: &[Option<u32>],
) -> Vec<(usize, usize)> {
    let mut chain = Chain::of(reported, known);
    let mut nearest: BinaryHeap<Reverse<Neighbours>> =
        (1..chain.points.len()).filter_map(|right| chain.neighbours(right - 1, right)).collect();
    let mut pairs = Vec::with_capacity(reported.len().min(known.len()));
    while let Some(Reverse((_, left, right))) = nearest.pop() {
        if chain.used[left] || chain.used[right] {
            continue;
        }
        pairs.push(chain.pair(left, right));
        if let Some((left, right)) = chain.unlink(left, right) {
            nearest.extend(chain.neighbours(left, right));
        }
    }
    pairs
}

/// Distance, then the two positions in the chain.
type Neighbours = (i64, usize, usize);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Reported,
    Known,
}

/// All lines of both sides in order; used ones are unlinked.
struct Chain {
    points: Vec<(i64, Side, usize)>,
    before: Vec<Option<usize>>,
    after: Vec<Option<usize>>,
    used: Vec<bool>,
}

impl Chain {
    fn of(reported: &[Option<u32>], known: &[Option<u32>]) -> Self {
        let side = |lines: &[Option<u32>], side| {
            let points = lines.iter().enumerate();
            points.map(move |(index, line)| (position(*line), side, index)).collect::<Vec<_>>()
        };
        let mut points = side(reported, Side::Reported);
        points.extend(side(known, Side::Known));
        points.sort_unstable();
        let last = points.len().saturating_sub(1);
        Self {
            before: (0..points.len()).map(|index| index.checked_sub(1)).collect(),
            after: (0..points.len()).map(|index| (index < last).then_some(index + 1)).collect(),
            used: vec![false; points.len()],
            points,
        }
    }

    /// The distance of two neighbours, where they are of different sides.
    fn neighbours(&self, left: usize, right: usize) -> Option<Reverse<Neighbours>> {
        let ((start, side, _), (end, other, _)) = (self.points[left], self.points[right]);
        (side != other).then_some(Reverse((end - start, left, right)))
    }

    fn pair(&self, left: usize, right: usize) -> (usize, usize) {
        let ((_, side, first), (_, _, second)) = (self.points[left], self.points[right]);
        match side {
            Side::Reported => (first, second),
            Side::Known => (second, first),
        }
    }

    /// Takes out two neighbours; gives those that are neighbours now.
    fn unlink(&mut self, left: usize, right: usize) -> Option<(usize, usize)> {
        self.used[left] = true;
        self.used[right] = true;
        let (before, after) = (self.before[left], self.after[right]);
        if let Some(before) = before {
            self.after[before] = after;
        }
        if let Some(after) = after {
            self.before[after] = before;
        }
        before.zip(after)
    }
}

/// No line lies further from every line than those are from each other.
fn position(line: Option<u32>) -> i64 {
    line.map_or(-2 * i64::from(u32::MAX), i64::from)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(reported: &[u32], known: &[u32], expected: &[(u32, u32)]) {
        let lines = |lines: &[u32]| lines.iter().map(|line| Some(*line)).collect::<Vec<_>>();
        let pairs = nearest_pairs(&lines(reported), &lines(known));
        let mut pairs: Vec<_> = pairs.iter().map(|(r, k)| (reported[*r], known[*k])).collect();
        pairs.sort_unstable();
        assert_eq!(pairs, expected, "{reported:?} {known:?}");
    }

    #[test]
    fn the_nearest_lines_are_paired_first() {
        check(&[], &[], &[]);
        check(&[1], &[], &[]);
        check(&[10, 50], &[49], &[(50, 49)]);
        check(&[10, 50], &[51, 12], &[(10, 12), (50, 51)]);
        check(&[10], &[1, 12, 90], &[(10, 12)]);
        // Nearest first is not least in sum: 5 goes to 6, what is left is paired across.
        check(&[5, 9], &[6, 1], &[(5, 6), (9, 1)]);
    }

    #[test]
    fn a_finding_of_the_whole_file_is_nearest_to_another_one() {
        assert_eq!(nearest_pairs(&[Some(1), None], &[None]), [(1, 0)]);
        assert_eq!(nearest_pairs(&[None], &[Some(u32::MAX), Some(1)]), [(0, 1)]);
        assert_eq!(nearest_pairs(&[Some(u32::MAX)], &[None, Some(1)]), [(0, 1)]);
    }

    /// The obvious way: all pairs by distance, each line once.
    fn all_pairs(reported: &[Option<u32>], known: &[Option<u32>]) -> Vec<(usize, usize)> {
        let distance = |r: usize, k: usize| (position(reported[r]) - position(known[k])).abs();
        let mut pairs: Vec<_> =
            (0..reported.len()).flat_map(|r| (0..known.len()).map(move |k| (r, k))).collect();
        pairs.sort_by_key(|(r, k)| {
            (distance(*r, *k), position(reported[*r]).min(position(known[*k])))
        });
        let (mut rs, mut ks) = (vec![false; reported.len()], vec![false; known.len()]);
        pairs.retain(|(r, k)| {
            let free = !rs[*r] && !ks[*k];
            if free {
                rs[*r] = true;
                ks[*k] = true;
            }
            free
        });
        pairs
    }

    proptest! {
        #[test]
        fn neighbours_are_all_that_need_comparing(
            lines in proptest::collection::hash_map(1u32..400, any::<bool>(), 0..40)
        ) {
            let side = |wanted| {
                let lines = lines.iter().filter(move |(_, side)| **side == wanted);
                lines.map(|(line, _)| Some(*line)).collect::<Vec<_>>()
            };
            let (reported, known) = (side(true), side(false));
            prop_assert_eq!(nearest_pairs(&reported, &known), all_pairs(&reported, &known));
        }

        #[test]
        fn as_many_are_paired_as_can_be(
            reported in proptest::collection::vec(proptest::option::of(0u32..9), 0..20),
            known in proptest::collection::vec(proptest::option::of(0u32..9), 0..20),
        ) {
            let pairs = nearest_pairs(&reported, &known);
            prop_assert_eq!(pairs.len(), reported.len().min(known.len()));
            let reported_once: std::collections::HashSet<_> = pairs.iter().map(|pair| pair.0).collect();
            let known_once: std::collections::HashSet<_> = pairs.iter().map(|pair| pair.1).collect();
            prop_assert_eq!(reported_once.len(), pairs.len());
            prop_assert_eq!(known_once.len(), pairs.len());
        }
    }
}
