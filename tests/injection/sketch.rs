//! Reading sketches: what is planted, with places left open for names and values.
//!
//! ```text
//! @@ KIND fault|fine PLACE [PATH]
//! lines, with ‹open› places, up to the next header
//! ```
//!
//! Levels of indentation are written as four blanks. `fill.rs` says what may be open.

use crate::kind::{Intent, Kind};
use crate::language::Language;

/// Where a sketch is put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// Before a statement of a function.
    Statement,
    /// In place of a call that is a statement; the call goes on inside the sketch.
    Wrap,
    /// Between two items of a file, or two paragraphs of a document.
    Item,
    /// Between two tests.
    Test,
    /// A file of its own, below the package.
    File(String),
    /// A file beside the packages, in a project of its own.
    Project(String),
    /// What is there is changed; the word says how.
    Rewrite(Rewrite),
}

/// A change that takes something away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rewrite {
    /// The assertions of a test.
    Assertions,
    /// The documentation of one public item among others that have theirs.
    Documentation,
    /// The line that has a script stop at the first failure.
    ErrorExit,
}

/// A fault or a look-alike before names and values are filled in.
#[derive(Debug, Clone)]
pub(super) struct Sketch {
    pub(super) language: Language,
    pub(super) kind: Kind,
    pub(super) intent: Intent,
    pub(super) place: Place,
    pub(super) lines: Vec<&'static str>,
}

impl Sketch {
    /// Whether code of the file goes into it as comments.
    pub(super) fn quotes_code(&self) -> bool {
        self.lines.iter().any(|line| matches!(*line, "‹block›" | "‹line›"))
    }
}

/// All sketches of a language.
pub(super) fn sketches(language: Language) -> Vec<Sketch> {
    let mut sketches: Vec<Sketch> = Vec::new();
    for line in language.sketches().lines() {
        if let Some(header) = line.strip_prefix("@@ ") {
            sketches.push(begun(language, header).unwrap_or_else(|| {
                panic!("the sketches of {} have the header `{header}`", language.name())
            }));
        } else if let Some(sketch) = sketches.last_mut() {
            sketch.lines.push(line);
        }
    }
    for sketch in &mut sketches {
        while sketch.lines.last().is_some_and(|line| line.is_empty()) {
            sketch.lines.pop();
        }
    }
    sketches
}

fn begun(language: Language, header: &str) -> Option<Sketch> {
    let mut words = header.split(' ');
    let kind = Kind::named(words.next()?)?;
    let intent = match words.next()? {
        "fault" => Intent::Fault,
        "fine" => Intent::LookAlike,
        _ => return None,
    };
    let place = match (words.next()?, words.next()) {
        ("statement", None) => Place::Statement,
        ("wrap", None) => Place::Wrap,
        ("item", None) => Place::Item,
        ("test", None) => Place::Test,
        ("file", Some(path)) => Place::File(path.to_owned()),
        ("project", Some(path)) => Place::Project(path.to_owned()),
        ("rewrite", Some("assertions")) => Place::Rewrite(Rewrite::Assertions),
        ("rewrite", Some("documentation")) => Place::Rewrite(Rewrite::Documentation),
        ("rewrite", Some("error-exit")) => Place::Rewrite(Rewrite::ErrorExit),
        _ => return None,
    };
    Some(Sketch { language, kind, intent, place, lines: Vec::new() })
}
