//! The test programs of Rust, as `cargo test` runs them: one after the other, doc tests last.

use crate::Fate;
use crate::sheet::{Sheet, leading_number};

/// Reads the output of any number of test programs.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut programs = Programs::default();
    for line in text.lines() {
        programs.line(line);
    }
    programs.end_program();
    programs.seen.then_some(programs.sheet)
}

#[derive(Default)]
struct Programs<'a> {
    sheet: Sheet,
    seen: bool,
    /// The program that cargo said it runs; absent where cargo is quiet.
    program: Option<&'a str>,
    /// It said `running N tests` and not yet how that went.
    is_running: bool,
    /// Within the list of names under `failures:`.
    in_failures: bool,
}

impl<'a> Programs<'a> {
    fn line(&mut self, line: &'a str) {
        if let Some(program) = program(line) {
            self.end_program();
            self.program = Some(program);
        } else if is_start(line) {
            self.end_program();
            self.seen = true;
            self.is_running = true;
        } else if let Some(result) = line.strip_prefix("test result: ") {
            self.seen = true;
            self.is_running = false;
            self.sum_up(result);
        } else if line == "failures:" {
            self.in_failures = true;
        } else if self.in_failures && line.starts_with("    ") {
            self.test(line.trim(), Fate::Failed);
        } else if let Some((name, fate)) = line.strip_prefix("test ").and_then(outcome) {
            self.test(name, fate);
        }
        if !line.starts_with("    ") && line != "failures:" {
            self.in_failures = false;
        }
    }

    fn test(&mut self, name: &str, fate: Fate) {
        let name = without_line(name);
        match self.program {
            Some(program) => self.sheet.test(format!("{program} {name}"), fate),
            None => self.sheet.test(name, fate),
        }
    }

    /// A program that began and did not say how it went: it was aborted, or exited by itself.
    fn end_program(&mut self) {
        if self.is_running {
            let program = self.program.unwrap_or("test program");
            self.sheet.test(format!("{program} (ended before its tests did)"), Fate::Failed);
        }
        self.is_running = false;
    }

    /// `ok. 2 passed; 0 failed; 1 ignored; 0 measured; …`
    fn sum_up(&mut self, result: &str) {
        for part in result.split(['.', ';']) {
            match leading_number(part.trim()) {
                Some((number, "passed" | "measured")) => self.sheet.sum(Fate::Passed, number),
                Some((number, "failed")) => self.sheet.sum(Fate::Failed, number),
                Some((number, "ignored")) => self.sheet.sum(Fate::Skipped, number),
                _ => {}
            }
        }
    }
}

/// The program that cargo names: the name of its file without the hash, or the crate whose doc tests
/// run.
fn program(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if let Some(name) = line.strip_prefix("Doc-tests ") {
        return Some(name);
    }
    let (_, file) = line.strip_prefix("Running ")?.split_once('(')?;
    let file = file.strip_suffix(')')?;
    let file = file.rsplit(['/', '\\']).next()?;
    let file = file.strip_suffix(".exe").unwrap_or(file);
    file.rsplit_once('-').map(|(name, _)| name)
}

fn is_start(line: &str) -> bool {
    let number = line.strip_prefix("running ").and_then(leading_number);
    number.is_some_and(|(_, rest)| rest == "tests" || rest == "test")
}

/// `NAME ... ok`, with a remark after the name or the word.
fn outcome(rest: &str) -> Option<(&str, Fate)> {
    let (name, word) = rest.rsplit_once(" ... ")?;
    let word = word.split([' ', ',', ':']).next()?;
    let fate = match word {
        "ok" | "bench" => Fate::Passed,
        "FAILED" => Fate::Failed,
        "ignored" => Fate::Skipped,
        _ => return None,
    };
    let name = [" - should panic", " - compile fail", " - compile"]
        .iter()
        .find_map(|remark| name.strip_suffix(remark))
        .unwrap_or(name);
    Some((name, fate))
}

/// Doc tests are named by their line: `src/lib.rs - add (line 3)`.
fn without_line(name: &str) -> &str {
    match name.rsplit_once(" (line ") {
        Some((name, _)) if !name.is_empty() => name,
        _ => name,
    }
}
