//! The part of the document that people write.

use std::collections::{HashMap, VecDeque};

use super::problem;
use crate::failure::Problem;

/// How the two lines of a finding begin that people fill in.
const VERDICT: &str = "- verdict:";
const REASON: &str = "- reason:";

/// What a person says of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    WorthReading,
    NotWorthReading,
    /// Nobody has said anything yet.
    Open,
}

impl Verdict {
    fn read(word: &str) -> Option<Self> {
        let all = [Self::WorthReading, Self::NotWorthReading, Self::Open];
        all.into_iter().find(|verdict| verdict.word() == word)
    }

    fn word(self) -> &'static str {
        match self {
            Self::WorthReading => "worth reading",
            Self::NotWorthReading => "not worth reading",
            Self::Open => "?",
        }
    }
}

/// Whether a line of the document asks a person for a verdict or its reason.
pub(super) fn is_open(line: &str) -> bool {
    let open = |start: &str, blank: &str| line.strip_prefix(start).map(str::trim) == Some(blank);
    open(VERDICT, Verdict::Open.word()) || open(REASON, "")
}

/// A verdict with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judged {
    pub verdict: Verdict,
    pub reason: String,
}

impl Judged {
    /// The lines that say so.
    pub(super) fn lines(&self) -> String {
        let Self { verdict, reason } = self;
        let reason = format!("{REASON} {reason}");
        format!("{VERDICT} {}\n{}\n", verdict.word(), reason.trim_end())
    }
}

/// The verdicts of a document, by package and heading of the finding.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    /// Findings of one rule at one place share a heading and come in order.
    by_heading: HashMap<(String, String), VecDeque<Judged>>,
}

impl Verdicts {
    /// Reads them from the document; what stands in fences is code.
    pub(super) fn read(document: &str) -> Result<Self, Problem> {
        let mut verdicts = Self::default();
        let (mut package, mut heading) = (String::new(), String::new());
        let mut fence: Option<&str> = None;
        let mut lines = document.lines().zip(1..).peekable();
        while let Some((line, at)) = lines.next() {
            if let Some(open) = fence {
                fence = (line != open).then_some(open);
            } else if line.starts_with("```") {
                fence = Some(&line[..line.len() - line.trim_start_matches('`').len()]);
            } else if let Some(name) = line.strip_prefix("## ") {
                name.clone_into(&mut package);
            } else if let Some(name) = line.strip_prefix("### ") {
                name.clone_into(&mut heading);
            } else if let Some(word) = line.strip_prefix(VERDICT) {
                let verdict = Verdict::read(word.trim()).ok_or_else(|| {
                    let why = "`worth reading`, `not worth reading`, or `?` as long as it is open";
                    problem(at, format!("the verdict `{}`", word.trim()), why)
                })?;
                let mut reason = String::new();
                while let Some((line, _)) = lines.next_if(|(line, _)| !line.is_empty()) {
                    reason = format!("{reason} {}", line.trim_start_matches(REASON).trim());
                }
                let judged = Judged { verdict, reason: reason.trim().to_owned() };
                let key = (package.clone(), heading.clone());
                verdicts.by_heading.entry(key).or_default().push_back(judged);
            }
        }
        Ok(verdicts)
    }

    /// Takes the next verdict on a finding with that heading; open, where there is none.
    pub(super) fn take(&mut self, package: &str, heading: &str) -> Judged {
        let known = self.by_heading.get_mut(&(package.to_owned(), heading.to_owned()));
        known
            .and_then(VecDeque::pop_front)
            .unwrap_or(Judged { verdict: Verdict::Open, reason: String::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "\
## flask 3.1.0

### `py-x` a.py:1

````md
```
- verdict: not worth reading
````

- verdict: worth reading
- reason: it fails
  in silence

### `py-x` a.py:1

- verdict: ?
- reason:

## express 4.21.2

### `py-x` a.py:1

- verdict: not worth reading
";

    #[test]
    fn verdicts_belong_to_package_and_heading_in_their_order() {
        let mut verdicts = Verdicts::read(DOCUMENT).expect("the form is right");
        let mut check = |package: &str, verdict, reason: &str| {
            let judged = Judged { verdict, reason: reason.to_owned() };
            assert_eq!(verdicts.take(package, "`py-x` a.py:1"), judged, "{package}");
        };
        check("flask 3.1.0", Verdict::WorthReading, "it fails in silence");
        check("flask 3.1.0", Verdict::Open, "");
        check("flask 3.1.0", Verdict::Open, "");
        check("express 4.21.2", Verdict::NotWorthReading, "");
        check("commander 12.1.0", Verdict::Open, "");
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (verdict, reason) in
            [(Verdict::Open, ""), (Verdict::WorthReading, "so"), (Verdict::NotWorthReading, "no")]
        {
            let judged = Judged { verdict, reason: reason.to_owned() };
            let text = format!("## p\n### h\n{}", judged.lines());
            let mut verdicts = Verdicts::read(&text).expect("the form is right");
            assert_eq!(verdicts.take("p", "h"), judged);
        }
    }

    #[test]
    fn another_word_is_named_with_its_line() {
        let problem = Verdicts::read("## p\n### h\n- verdict: good\n").expect_err("no such word");
        assert!(problem.to_string().contains(".md:3: the verdict `good` — "), "{problem}");
    }
}
