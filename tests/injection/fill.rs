//! Filling the open places of a sketch.
//!
//! | open place | is filled with |
//! | --- | --- |
//! | `‹name›`, `‹Name›`, `‹NAME›` | a new name, as functions, types, constants have them |
//! | `‹call›` | the statement that the sketch is put in place of |
//! | `‹block›`, `‹line›` | code of the file as comments |
//! | `‹fill N›` | N dull statements, each on its line |
//! | `‹rows N›` | N rows of a table of texts |
//! | `‹documented N›` | N public functions with documentation |
//! | `‹armour N›` | N lines of a key |
//! | `‹one|two|three›` | one of these |
//! | `‹password›`, `‹count›` … | see `words::value` |
//!
//! A digit at the end tells two open places of the same sort apart; the same place is filled the
//! same way all over the sketch.

use std::iter;

use crate::language::Language;
use crate::random::Random;
use crate::sketch::Sketch;
use crate::words;

/// What the place gives to a sketch.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Surroundings<'g> {
    /// The statement that is replaced.
    pub(super) call: &'g str,
    /// Lines of code next to it.
    pub(super) block: &'g [String],
}

/// The lines of a sketch with everything filled in, without the indentation of the place.
pub(super) fn filled(
    sketch: &Sketch,
    around: Surroundings<'_>,
    random: &mut Random,
) -> Vec<String> {
    let mut filler = Filler::new(sketch.language, around, random);
    sketch.lines.iter().flat_map(|line| filler.lines(line)).collect()
}

/// The path and the lines of a sketch that is a file.
pub(super) fn filled_file(
    sketch: &Sketch,
    path: &str,
    random: &mut Random,
) -> (String, Vec<String>) {
    let mut filler = Filler::new(sketch.language, Surroundings::default(), random);
    let path = filler.text(path);
    (path, sketch.lines.iter().flat_map(|line| filler.lines(line)).collect())
}

struct Filler<'f> {
    language: Language,
    around: Surroundings<'f>,
    random: &'f mut Random,
    known: Vec<(String, String)>,
    /// Names in functions that are filled in already.
    taken: Vec<String>,
    n_dull: usize,
}

impl<'f> Filler<'f> {
    fn new(language: Language, around: Surroundings<'f>, random: &'f mut Random) -> Self {
        Self { language, around, random, known: Vec::new(), taken: Vec::new(), n_dull: 0 }
    }

    /// One line, or as many as its open place makes of it.
    fn lines(&mut self, line: &str) -> Vec<String> {
        let bare = line.trim_start_matches(' ');
        let levels = (line.len() - bare.len()) / 4;
        let indent = self.language.indent().repeat(levels);
        let rest = &line[levels * 4..];
        let inner = rest.strip_prefix('‹').and_then(|rest| rest.strip_suffix('›')).unwrap_or("");
        let block = |lines: &[String]| -> Vec<String> {
            lines.iter().map(|line| format!("{} {line}", self.language.comment())).collect()
        };
        let many = match inner.split_once(' ') {
            None if inner == "block" => block(self.around.block),
            None if inner == "line" => block(&self.around.block[..1.min(self.around.block.len())]),
            Some(("fill", n)) => self.times(n, Self::dull),
            Some(("rows", n)) => self.times(n, Self::row),
            Some(("documented", n)) => self.times(n, Self::documented).concat(),
            Some(("armour", n)) => self.times(n, |filler| words::armour(filler.random)),
            None | Some(_) => vec![self.text(rest)],
        };
        let indented =
            |line: String| if line.is_empty() { line } else { format!("{indent}{line}") };
        many.into_iter().map(indented).collect()
    }

    /// As many as the number says, or one of the numbers.
    fn times<T>(&mut self, n: &str, mut line: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let choices: Vec<&str> = n.split('|').collect();
        let n: usize = self.random.pick(&choices).parse().expect("a number of lines");
        iter::repeat_with(|| line(self)).take(n).collect()
    }

    fn dull(&mut self) -> String {
        let mut name = || words::name(self.random, self.language);
        let (result, call, argument) = (name(), name(), name());
        let n = self.random.below(900) + 2;
        // A number makes it a name that no other line has.
        self.n_dull += 1;
        self.language.filler(&format!("{result}{}", self.n_dull), &call, &argument, n)
    }

    /// A public function with documentation, and what stands between it and the next.
    fn documented(&mut self) -> Vec<String> {
        let known = std::mem::take(&mut self.known);
        let lines = self.language.documented().lines();
        let function = lines.flat_map(|line| self.lines(line)).collect();
        // Its names are forgotten, but not used again; there are too few words for that.
        let filled = std::mem::replace(&mut self.known, known);
        let named = filled.into_iter().filter(|(open, _)| open.to_lowercase().starts_with("name"));
        self.taken.extend(named.map(|(_, name)| name));
        function
    }

    fn row(&mut self) -> String {
        self.n_dull += 1;
        format!("\"{}-{}\",", words::name(self.random, self.language), self.n_dull)
    }

    fn text(&mut self, line: &str) -> String {
        let mut text = String::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('‹') {
            let (open, after) = after.split_once('›').expect("an open place ends on its line");
            text.push_str(before);
            text.push_str(&self.value(open));
            rest = after;
        }
        text + rest
    }

    fn value(&mut self, open: &str) -> String {
        if let Some((_, value)) = self.known.iter().find(|(known, _)| known == open) {
            return value.clone();
        }
        let sort = open.trim_end_matches(|c: char| c.is_ascii_digit());
        let value = match sort {
            _ if open.contains('|') => {
                let choices: Vec<&str> = open.split('|').collect();
                self.random.pick(&choices).to_owned()
            }
            "call" => self.around.call.to_owned(),
            "name" => self.fresh(words::name),
            "Name" => self.fresh(|random, _| words::type_name(random)),
            "NAME" => self.fresh(|random, _| words::constant(random)),
            _ => self.fresh(|random, _| {
                let value = words::value(open, random).or_else(|| words::value(sort, random));
                value.unwrap_or_else(|| panic!("nothing fills ‹{open}›"))
            }),
        };
        self.known.push((open.to_owned(), value.clone()));
        value
    }

    /// A value that stands for nothing else in this sketch.
    fn fresh(&mut self, name: impl Fn(&mut Random, Language) -> String) -> String {
        loop {
            let name = name(self.random, self.language);
            let is_known = self.known.iter().any(|(_, known)| *known == name);
            if !is_known && !self.taken.contains(&name) {
                return name;
            }
        }
    }
}
