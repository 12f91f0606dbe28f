//! What a reading of a JSON value has passed: the brackets that are open, the objects that matter.

use std::ops::Range;

use crate::json::is_key;

/// A closed object that has the wanted key, and that no closed object with the key contains.
///
/// Offsets take four bytes here, in [`Place`] and in [`Level`], which keeps a walk under three times its text:
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
pub(crate) struct Place(u64);

impl Place {
    #[inline]
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self(u64::from(offset(start)) << 32 | u64::from(offset(end)))
    }

    pub(crate) fn range(self) -> Range<usize> {
        let half = |number: u64| usize::try_from(number).expect("what was an offset fits again");
        half(self.0 >> 32)..half(self.0 & u64::from(u32::MAX))
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

/// Whether every offset in a text is below the numbers of [`Level`] that mean arrays.
pub(crate) fn fits(text: &str) -> bool {
    text.len() < Level::NO_ARRAYS as usize
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
    levels: Vec<Level>,
    open_objects: u32,
    /// The open objects that have the key, by their number from outside, and the key's value.
    open_keyed: Vec<(u32, u32)>,
}

impl Trail {
    /// Starts another reading.
    #[inline]
    pub(crate) fn start(&mut self) {
        self.n_earlier = self.keyed.len();
        self.outermost = None;
        self.colon = false;
        self.in_string = false;
        self.hidden = None;
        self.levels.clear();
        self.open_objects = 0;
        self.open_keyed.clear();
    }

    #[inline]
    pub(crate) fn open_object(&mut self, start: usize) {
        // The walk goes back no further than to the first hidden brace.
        if self.hidden.is_some() {
            self.passed.add(start);
        }
        self.levels.push(Level::object(start));
        self.open_objects += 1;
    }

    #[inline]
    pub(crate) fn open_array(&mut self) {
        match self.levels.last_mut().and_then(Level::as_arrays) {
            Some(count) => *count += 1,
            None => self.levels.push(Level::array()),
        }
    }

    /// Notes a key, as written, and where its value starts.
    #[inline]
    pub(crate) fn add_key(&mut self, literal: &[u8], wanted: &str, value: usize) {
        self.colon = true;
        if !is_key(literal, wanted) {
            return;
        }
        let keyed = (self.open_objects, offset(value));
        match self.open_keyed.last_mut().filter(|last| last.0 == keyed.0) {
            Some(earlier) => *earlier = keyed,
            None => self.open_keyed.push(keyed),
        }
    }

    /// Closes the innermost array; false when an object is innermost.
    #[inline]
    pub(crate) fn close_array(&mut self) -> bool {
        let Some(count) = self.levels.last_mut().and_then(Level::as_arrays) else { return false };
        *count -= 1;
        if *count == Level::NO_ARRAYS {
            self.levels.pop();
        }
        true
    }

    /// Closes the innermost object; false when an array is innermost.
    #[inline]
    pub(crate) fn close_object(&mut self, end: usize) -> bool {
        let Some(start) = self.levels.pop_if(|level| level.is_object()).map(|level| level.0) else {
            return false;
        };
        let keyed = self.open_keyed.pop_if(|keyed| keyed.0 == self.open_objects);
        self.open_objects -= 1;
        let inside = self.open_objects > 0;
        let place = Place::new(start as usize, end);
        if !inside {
            self.outermost = Some(place);
        }
        if let Some((_, value)) = keyed {
            self.add_keyed(Keyed { place, value, inside });
        }
        true
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
        self.levels.last().is_some_and(|level| level.is_object())
    }

    #[inline]
    pub(crate) fn is_closed(&self) -> bool {
        self.levels.is_empty()
    }

    /// How many brackets are open.
    pub(crate) fn depth(&self) -> usize {
        self.levels.iter().map(|level| level.depth()).sum()
    }
}

/// An open object, by its start; or arrays that lie directly in one another, by their number.
#[derive(Debug, Clone, Copy)]
struct Level(u32);

impl Level {
    /// Set for arrays; no offset is as high.
    const NO_ARRAYS: u32 = 1 << 31;

    fn object(start: usize) -> Self {
        Self(offset(start))
    }

    fn array() -> Self {
        Self(Self::NO_ARRAYS + 1)
    }

    fn is_object(self) -> bool {
        self.0 < Self::NO_ARRAYS
    }

    fn as_arrays(&mut self) -> Option<&mut u32> {
        (!self.is_object()).then_some(&mut self.0)
    }

    fn depth(self) -> usize {
        if self.is_object() { 1 } else { (self.0 - Self::NO_ARRAYS) as usize }
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
