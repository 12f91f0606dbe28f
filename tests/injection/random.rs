//! Chance that a seed repeats.

/// The `SplitMix64` generator: the same seed gives the same choices on every machine.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `end`, which is not 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let end = u64::try_from(end).expect("lengths fit");
        usize::try_from((mixed ^ (mixed >> 31)) % end).expect("it is below a length")
    }

    /// One of the items, of which there is one at least.
    pub(super) fn pick<'t, T: ?Sized>(&mut self, items: &[&'t T]) -> &'t T {
        items[self.below(items.len())]
    }

    /// `n` characters of an alphabet.
    pub(super) fn text(&mut self, n: usize, alphabet: &str) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        (0..n).map(|_| alphabet[self.below(alphabet.len())]).collect()
    }

    /// Puts the items in a random order.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
