//! What a reading of a JSON value has passed: the brackets that are open, the objects that matter.

use std::num::NonZeroU64;
use std::ops::Range;

use crate::json::is_key;
use crate::nesting::Nesting;

/// A closed object that has the wanted key, and that no closed object with the key contains.
///
/// Offsets take four bytes here and in [`Place`], which keeps a walk under three times its text:
/// floods are all objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Keyed {
    place: Place,
    value: u32,
    /// Whether it was read as a part of another object.
    pub(crate) inside: bool,
}

/// Where an object stands; start and end in one number, because both are always moved together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place(NonZeroU64);

impl Place {
    #[inline]
    pub(crate) fn new(start: usize, end: usize) -> Self {
        let both = u64::from(offset(start)) << 32 | u64::from(offset(end));
        Self(NonZeroU64::new(both).expect("an object ends after its start"))
    }

    pub(crate) fn range(self) -> Range<usize> {
        let half = |number: u64| usize::try_from(number).expect("what was an offset fits again");
        half(self.0.get() >> 32)..half(self.0.get() & u64::from(u32::MAX))
    }
}

impl Keyed {
    pub(crate) fn start(&self) -> usize {
        self.place.range().start
    }

    pub(crate) fn place(&self) -> Range<usize> {
        self.place.range()
    }

    /// Where the value under the key starts; of a repeated key the last one, as is usual in JSON.
    pub(crate) fn value(&self) -> usize {
        self.value as usize
    }
}

/// Whether every offset in a text takes four bytes at most.
pub(crate) fn fits(text: &str) -> bool {
    u32::try_from(text.len()).is_ok()
}

/// An offset, in four bytes.
fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("no text is read that does not fit")
}

/// Kept between readings: its memory, the objects with the key, and the braces that were passed.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    /// Objects with the wanted key, those of earlier readings first.
    pub(crate) keyed: Vec<Keyed>,
    /// How many of them are from earlier readings.
    n_earlier: usize,
    /// The last closed object that is no part of another one.
    pub(crate) outermost: Option<Place>,
    /// Whether a key and its colon were read.
    pub(crate) colon: bool,
    /// Whether the reading ended within a string.
    pub(crate) in_string: bool,
    /// The first brace that was read as a part of a string.
    pub(crate) hidden: Option<usize>,
    pub(crate) passed: Passed,
    nesting: Nesting,
    /// The open objects that have the key, by their number from outside, and the key's value.
    open_keyed: Vec<(u32, u32)>,
}

impl Trail {
    /// Starts another reading.
    #[inline]
    pub(crate) fn start(&mut self, start: usize) {
        self.n_earlier = self.keyed.len();
        self.outermost = None;
        self.colon = false;
        self.in_string = false;
        self.hidden = None;
        self.nesting.start(start);
        self.open_keyed.clear();
    }

    #[inline]
    pub(crate) fn open(&mut self, at: usize, is_object: bool) {
        self.pass(at, is_object);
        self.nesting.open(at, is_object);
    }

    /// Takes an array or object without members into account, which opens and closes nothing.
    #[inline]
    pub(crate) fn pass_empty(&mut self, at: usize, end: usize, is_object: bool) {
        self.pass(at, is_object);
        if is_object && self.nesting.n_objects() == 0 {
            self.outermost = Some(Place::new(at, end));
        }
    }

    #[inline]
    fn pass(&mut self, at: usize, is_object: bool) {
        // The walk goes back no further than to the first hidden brace.
        if is_object && self.hidden.is_some() {
            self.passed.add(at);
        }
    }

    /// Notes a key, as written, and where its value starts.
    #[inline]
    pub(crate) fn add_key(&mut self, literal: &[u8], wanted: &str, value: usize) {
        self.colon = true;
        if !is_key(literal, wanted) {
            return;
        }
        let keyed = (self.nesting.n_objects(), offset(value));
        match self.open_keyed.last_mut().filter(|last| last.0 == keyed.0) {
            Some(earlier) => *earlier = keyed,
            None => self.open_keyed.push(keyed),
        }
    }

    /// Closes the innermost bracket; false when it is of the other kind.
    #[inline]
    pub(crate) fn close(&mut self, is_object: bool, end: usize) -> bool {
        let number = self.nesting.n_objects();
        let Some(start) = self.nesting.close(is_object) else { return false };
        if is_object {
            self.close_object(number, start, end);
        }
        true
    }

    #[inline]
    fn close_object(&mut self, number: u32, start: usize, end: usize) {
        let place = Place::new(start, end);
        let inside = number > 1;
        if !inside {
            self.outermost = Some(place);
        }
        if let Some((_, value)) = self.open_keyed.pop_if(|keyed| keyed.0 == number) {
            self.add_keyed(Keyed { place, value, inside });
        }
    }

    /// Adds an object with the key; those within it go.
    fn add_keyed(&mut self, keyed: Keyed) {
        while self.keyed.len() > self.n_earlier
            && self.keyed.pop_if(|inner| inner.start() > keyed.start()).is_some()
        {}
        self.keyed.push(keyed);
    }

    #[inline]
    pub(crate) fn in_object(&self) -> bool {
        self.nesting.in_object()
    }

    /// How many brackets are open.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.nesting.depth()
    }
}

/// Braces that are not to be tried, one bit for each byte of the text.
#[derive(Debug, Default)]
pub(crate) struct Passed(Vec<u64>);

impl Passed {
    #[inline]
    pub(crate) fn contains(&self, at: usize) -> bool {
        self.0.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn add(&mut self, at: usize) {
        if self.0.len() <= at / 64 {
            self.0.resize(at / 64 + 1, 0);
        }
        self.0[at / 64] |= 1 << (at % 64);
    }
}
