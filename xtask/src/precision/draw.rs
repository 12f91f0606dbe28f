//! Which findings of a package are judged.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};

use crate::packages::Finding;

/// How many findings of one package are judged.
pub(super) const SIZE: usize = 20;

/// At most [`SIZE`] of the findings, in their own order.
///
/// Each is ranked by the SHA-256 of `SEED RULE PLACE N`; `N` counts, from 1, the findings of one rule at one
/// place. The seed decides as chance would, and a finding that comes or goes moves one place of the
/// sample, not all of them, so that verdicts outlive changes of other rules.
pub(super) fn sample(findings: Vec<Finding>, seed: &str) -> Vec<Finding> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut ranked: Vec<_> = findings
        .into_iter()
        .enumerate()
        .map(|(at, finding)| {
            let name = format!("{} {}", finding.rule_and_words().0, finding.place);
            let nth = seen.entry(name.clone()).or_default();
            *nth += 1;
            (Sha256::digest(format!("{seed} {name} {nth}")), at, finding)
        })
        .collect();
    ranked.sort_by_key(|(rank, ..)| *rank);
    ranked.truncate(SIZE);
    ranked.sort_by_key(|(_, at, _)| *at);
    ranked.into_iter().map(|(.., finding)| finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::finding;

    fn lines(sample: &[Finding]) -> Vec<u32> {
        sample.iter().filter_map(|finding| finding.place.line).collect()
    }

    #[test]
    fn a_seed_draws_the_same_findings_and_another_seed_others() {
        let all: Vec<Finding> = (1..=100).map(|line| finding("py-x", "a.py", line)).collect();
        let drawn = lines(&sample(all.clone(), "f77b8032"));
        assert_eq!(drawn.len(), SIZE);
        assert!(drawn.is_sorted());
        assert_eq!(lines(&sample(all.clone(), "f77b8032")), drawn);
        assert_ne!(lines(&sample(all, "1b9ed605")), drawn);
    }

    #[test]
    fn a_finding_that_goes_moves_one_place_of_the_sample() {
        let all: Vec<Finding> = (1..=100).map(|line| finding("py-x", "a.py", line)).collect();
        let drawn = lines(&sample(all.clone(), "f77b8032"));
        let mut fewer = all;
        fewer.retain(|finding| finding.place.line != Some(drawn[0]));
        let others = lines(&sample(fewer, "f77b8032"));
        assert_eq!(drawn.iter().filter(|line| others.contains(line)).count(), SIZE - 1);
    }

    #[test]
    fn where_there_are_fewer_all_are_drawn_even_at_one_place() {
        let all = vec![finding("md-x", "a.md", 7), finding("md-x", "a.md", 7)];
        assert_eq!(lines(&sample(all, "f77b8032")), [7, 7]);
    }
}
