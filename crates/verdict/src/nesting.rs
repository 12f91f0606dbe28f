//! The brackets that are open, in about one byte each: floods are all brackets.

/// Open brackets, and where the innermost one stands.
///
/// Of the others only what differs from the next inner one is kept: how far before it they stand,
/// and their kind.
#[derive(Debug, Default)]
pub(crate) struct Nesting {
    /// For each open bracket, what to go back to when it closes. Of a number that needs more than one
    /// byte, the low digits come first, and all bytes but the first have the sign `MORE`, so that it
    /// can be read from its end.
    outer: Vec<u8>,
    /// Where the innermost open bracket stands.
    start: usize,
    in_object: bool,
    depth: usize,
    n_objects: u32,
}

/// Another byte of the same number stands before this one.
const MORE: u8 = 1 << 7;
const DIGIT_BITS: u32 = 7;

impl Nesting {
    /// Forgets all brackets; the next one opens at `start` or after it.
    #[inline]
    pub(crate) fn start(&mut self, start: usize) {
        self.outer.clear();
        self.start = start;
        self.in_object = false;
        self.depth = 0;
        self.n_objects = 0;
    }

    #[inline]
    pub(crate) fn open(&mut self, at: usize, is_object: bool) {
        let kept = (at - self.start) << 1 | usize::from(self.in_object);
        match u8::try_from(kept) {
            Ok(byte) if byte < MORE => self.outer.push(byte),
            _ => self.push_long(kept),
        }
        self.start = at;
        self.in_object = is_object;
        self.depth += 1;
        self.n_objects += u32::from(is_object);
    }

    fn push_long(&mut self, mut kept: usize) {
        let mut sign = 0;
        loop {
            let [digit, ..] = kept.to_le_bytes();
            self.outer.push(digit & !MORE | sign);
            kept >>= DIGIT_BITS;
            if kept == 0 {
                return;
            }
            sign = MORE;
        }
    }

    /// Closes the innermost bracket and says where it stands; `None` when it is of the other kind.
    #[inline]
    pub(crate) fn close(&mut self, is_object: bool) -> Option<usize> {
        if self.in_object != is_object {
            return None;
        }
        let mut kept = 0;
        loop {
            let byte = self.outer.pop()?;
            kept = kept << DIGIT_BITS | usize::from(byte & !MORE);
            if byte < MORE {
                break;
            }
        }
        let closed = self.start;
        self.start -= kept >> 1;
        self.in_object = kept & 1 == 1;
        self.depth -= 1;
        self.n_objects -= u32::from(is_object);
        Some(closed)
    }

    /// How many brackets are open.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// How many objects are open.
    #[inline]
    pub(crate) fn n_objects(&self) -> u32 {
        self.n_objects
    }

    /// Whether the innermost open bracket is an object's.
    #[inline]
    pub(crate) fn in_object(&self) -> bool {
        self.in_object
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn brackets_close_in_the_order_of_a_plain_stack(
            steps in prop::collection::vec((0..4_u8, prop_oneof![0..200_usize, 0..1_usize << 31]), 0..60)
        ) {
            let (mut nesting, mut stack) = (Nesting::default(), Vec::new());
            nesting.start(3);
            let mut at = 3;
            for (step, gap) in steps {
                let is_object = step % 2 == 0;
                if step < 2 {
                    nesting.open(at, is_object);
                    stack.push((at, is_object));
                    at += gap;
                } else {
                    let expected = stack.pop_if(|top| top.1 == is_object).map(|top| top.0);
                    prop_assert_eq!(nesting.close(is_object), expected);
                }
                prop_assert_eq!(nesting.depth(), stack.len());
                prop_assert_eq!(nesting.n_objects() as usize, stack.iter().filter(|top| top.1).count());
                prop_assert_eq!(nesting.in_object(), stack.last().is_some_and(|top| top.1));
            }
        }
    }
}
