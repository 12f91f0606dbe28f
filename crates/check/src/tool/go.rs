//! `go test`, plain, verbose and with `-json`; what `go build` and `go vet` print too.

use super::wire::GoEvent;
use crate::Fate;
use crate::sheet::{Complaint, Sheet, place};

/// Reads one run, or several in a row.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut run = Run::default();
    for line in text.lines() {
        match event(line) {
            Some(event) => run.event(&event),
            None => run.line(line),
        }
    }
    run.tests_end("");
    run.seen.then_some(run.sheet)
}

#[derive(Default)]
struct Run {
    sheet: Sheet,
    seen: bool,
    /// Tests of a package whose name comes after them.
    waiting: Vec<(String, Fate)>,
    /// A complaint of the compiler was read since the last package.
    has_complaint: bool,
}

fn event(line: &str) -> Option<GoEvent<'_>> {
    if !line.starts_with("{\"") || !line.contains("\"Action\":") {
        return None;
    }
    serde_json::from_str(line).ok()
}

impl Run {
    fn event(&mut self, event: &GoEvent<'_>) {
        self.seen = true;
        let fate = match &*event.action {
            "pass" => Fate::Passed,
            "fail" => Fate::Failed,
            "skip" => Fate::Skipped,
            "build-output" => return self.complaint(event.output.trim_end()),
            _ => return,
        };
        match &event.test {
            Some(test) => self.waiting.push((test.to_string(), fate)),
            None => self.package_ends(&event.package, fate),
        }
    }

    fn line(&mut self, line: &str) {
        if let Some((name, fate)) = outcome(line) {
            self.seen = true;
            self.waiting.push((name.to_owned(), fate));
        } else if let Some(package) = line.strip_prefix("ok  \t") {
            self.seen = true;
            let fate =
                if line.ends_with("[no tests to run]") { Fate::Skipped } else { Fate::Passed };
            self.package_ends(first_word(package), fate);
        } else if let Some(package) = line.strip_prefix("FAIL\t") {
            self.seen = true;
            self.package_ends(first_word(package), Fate::Failed);
        } else if let Some(rest) = line.strip_prefix("?   \t") {
            self.seen |= rest.ends_with("[no test files]");
        } else {
            self.complaint(line);
        }
    }

    /// `./sums.go:3:33: undefined: c`
    fn complaint(&mut self, line: &str) {
        let line = line.strip_prefix("vet: ").unwrap_or(line);
        let Some((file, at, what)) = place(line) else { return };
        let is_compiled = file.ends_with(".go") && at.contains(':') && !line.starts_with(' ');
        if !is_compiled {
            return;
        }
        self.seen = true;
        self.has_complaint = true;
        let file = file.strip_prefix("./").unwrap_or(file);
        self.sheet.complain(Complaint { file, at, what, fate: Fate::Failed });
    }

    /// A package without tests of its own is a unit itself: without `-v` those that passed are not
    /// named, and a panic ends a package before its tests are.
    fn package_ends(&mut self, package: &str, fate: Fate) {
        let package = package.split(' ').next().unwrap_or(package);
        let has_complaint = std::mem::take(&mut self.has_complaint);
        let named = self.tests_end(package);
        let is_told = match fate {
            Fate::Failed => named.failed || has_complaint,
            Fate::Passed | Fate::Skipped | Fate::Warned => named.any || fate == Fate::Skipped,
        };
        if !is_told {
            self.sheet.test(package, fate);
        }
    }

    /// Notes the waiting tests. One that failed because a subtest did is told by the subtest.
    fn tests_end(&mut self, package: &str) -> Named {
        let waiting = std::mem::take(&mut self.waiting);
        let mut named = Named { any: false, failed: false };
        let mut parents = std::collections::HashSet::new();
        for (name, fate) in &waiting {
            if let Some((parent, _)) = name.rsplit_once('/')
                && *fate == Fate::Failed
            {
                parents.extend(parent.match_indices('/').map(|(at, _)| &parent[..at]));
                parents.insert(parent);
            }
        }
        for (name, fate) in &waiting {
            named.any = true;
            named.failed |= *fate == Fate::Failed;
            if parents.contains(name.as_str()) {
                continue;
            }
            let name = if package.is_empty() { name.clone() } else { format!("{package} {name}") };
            self.sheet.test(name, *fate);
        }
        named
    }
}

/// Whether tests of a package were named, and whether one of them failed.
struct Named {
    any: bool,
    failed: bool,
}

/// `    --- FAIL: TestAdd/small (0.00s)`
fn outcome(line: &str) -> Option<(&str, Fate)> {
    let (word, rest) = line.trim_start().strip_prefix("--- ")?.split_once(": ")?;
    let fate = match word {
        "PASS" => Fate::Passed,
        "FAIL" => Fate::Failed,
        "SKIP" => Fate::Skipped,
        _ => return None,
    };
    let (name, time) = rest.rsplit_once(" (")?;
    time.strip_suffix("s)")?.parse::<f64>().ok()?;
    Some((name, fate))
}

fn first_word(rest: &str) -> &str {
    rest.split(['\t', ' ']).next().unwrap_or(rest)
}
