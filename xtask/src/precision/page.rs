//! The document: the sample, with verdicts and their figures.

use super::draw::SIZE;
use super::share::{Share, TARGET};
use super::verdicts::{Judged, Verdicts};
use crate::packages::Finding;

/// How many lines of a finding's code are shown, and how much of each.
const LINES: usize = 8;
const COLUMNS: usize = 160;

/// What was drawn of one package.
pub(super) struct Section {
    /// Name and version.
    pub package: String,
    /// The first digits of its checksum.
    pub seed: String,
    /// How many findings there were to draw from.
    pub n_confirmed: usize,
    pub findings: Vec<Finding>,
}

/// The whole document.
pub(super) struct Page {
    sections: Vec<(Section, Vec<Judged>)>,
}

impl Page {
    /// Puts to each finding what was said of it before.
    pub(super) fn new(sections: Vec<Section>, mut verdicts: Verdicts) -> Self {
        let judge = |section: Section| {
            let headings = section.findings.iter().map(heading);
            let judged = headings.map(|heading| verdicts.take(&section.package, &heading));
            let judged = judged.collect();
            (section, judged)
        };
        Self { sections: sections.into_iter().map(judge).collect() }
    }

    /// What was said of the whole sample.
    pub(super) fn share(&self) -> Share {
        Share::of(self.sections.iter().flat_map(|(_, judged)| judged))
    }

    /// The counts of each package and of all, as a table.
    pub(super) fn figures(&self) -> String {
        let mut text = String::from(
            "| package | seed | confirmed | drawn | worth reading | not worth reading | open |\n\
             | --- | --- | --- | --- | --- | --- | --- |\n",
        );
        for (section, judged) in &self.sections {
            let Section { package, seed, n_confirmed, .. } = section;
            text += &row(package, seed, *n_confirmed, Share::of(judged));
        }
        let n_confirmed = self.sections.iter().map(|(section, _)| section.n_confirmed).sum();
        text + &row("all", "", n_confirmed, self.share())
    }

    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n{}\n{}.\n", head(), self.figures(), self.share());
        for (section, judged) in &self.sections {
            text += &format!("\n## {}\n", section.package);
            for (finding, judged) in section.findings.iter().zip(judged) {
                text += &entry(finding, judged);
            }
        }
        text
    }
}

fn head() -> String {
    format!(
        "# Precision of the inspector\n\
         \n\
         How much of what an audit reports is worth a reader's time, in packages that nobody prepared for it.\n\
         \n\
         `cargo xtask precision` writes this document. It audits the packages as they were released, by \
         `tribunal audit --no-git --no-fix` without settings: three cycles, severity medium and above, and two of \
         three validators that confirm. Of each package's confirmed findings it draws {SIZE}, or all where \
         there are fewer: those with the smallest SHA-256 of `SEED RULE PLACE N`. The seed is the first 8 hex \
         digits of the archive's SHA-256; N counts, from 1, the findings of one rule at one place.\n\
         \n\
         A person fills in verdict and reason: *worth reading* where someone who maintains the package learns \
         what they would want to know, *not worth reading* otherwise. They are kept as long as the finding is \
         drawn. `cargo xtask precision --check` fails when another sample is drawn, when a verdict is open, and \
         when less than {TARGET} % is worth reading.\n"
    )
}

fn row(package: &str, seed: &str, n_confirmed: usize, share: Share) -> String {
    let Share { n_worth, n_not, n_open } = share;
    let n_drawn = share.n_drawn();
    format!("| {package} | {seed} | {n_confirmed} | {n_drawn} | {n_worth} | {n_not} | {n_open} |\n")
}

fn heading(finding: &Finding) -> String {
    format!("`{}` {}", finding.rule_and_words().0, finding.place)
}

fn entry(finding: &Finding, judged: &Judged) -> String {
    let Finding { shown_severity, category, evidence, .. } = finding;
    let (heading, (_, words)) = (heading(finding), finding.rule_and_words());
    let ticks = evidence.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(3.max(ticks + 1));
    let excerpt = excerpt(evidence);
    let judged = judged.lines();
    format!(
        "\n### {heading}\n\n{words} ({shown_severity}, {category})\n\n\
         {fence}\n{excerpt}{fence}\n\n{judged}"
    )
}

/// The first lines of the code, cut where they are long; what is cut leaves `…`.
fn excerpt(evidence: &str) -> String {
    let mut text = String::new();
    for line in evidence.lines().take(LINES) {
        let line = line.trim_end();
        match line.char_indices().nth(COLUMNS) {
            Some((end, _)) => text += &format!("{}…\n", &line[..end]),
            None => text += &format!("{line}\n"),
        }
    }
    if evidence.lines().count() > LINES {
        text += "…\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::finding;
    use crate::precision::verdicts::Verdict;

    fn page(document: &str, lines: &[u32]) -> Page {
        let findings = lines.iter().map(|&line| finding("py-x", "a.py", line)).collect();
        let section = Section {
            package: "flask 3.1.0".to_owned(),
            seed: "5f873c51".to_owned(),
            n_confirmed: 30,
            findings,
        };
        Page::new(vec![section], Verdicts::read(document).expect("the form is right"))
    }

    #[test]
    fn a_verdict_stays_with_its_finding_and_a_new_finding_is_open() {
        let before = page("", &[1, 2]).text();
        let judged = before.replacen("verdict: ?", "verdict: worth reading", 2);
        let after = page(&judged, &[2, 3]);
        assert_eq!(after.share(), Share { n_worth: 1, n_not: 0, n_open: 1 });
        assert!(after.text().contains("| flask 3.1.0 | 5f873c51 | 30 | 2 | 1 | 0 | 1 |\n"));
    }

    #[test]
    fn a_page_that_is_read_and_written_again_is_the_same() {
        let text = page("", &[1, 1, 2]).text().replacen("verdict: ?", "verdict: worth reading", 1);
        let again = page(&text, &[1, 1, 2]).text();
        assert_eq!(page(&again, &[1, 1, 2]).text(), again);
        assert_eq!(again.matches("verdict: worth reading").count(), 1);
    }

    #[test]
    fn code_is_cut_and_fenced_so_that_it_stays_code() {
        let long = format!("a\n{}\n{}", "é".repeat(COLUMNS + 1), "b\n".repeat(LINES));
        let excerpt = excerpt(&long);
        assert_eq!(excerpt.lines().count(), LINES + 1);
        assert!(excerpt.contains("é…\n") && excerpt.ends_with("b\n…\n"), "{excerpt}");
        let mut fenced = finding("md-x", "a.md", 1);
        "```js\nx\n```".clone_into(&mut fenced.evidence);
        let judged = Judged { verdict: Verdict::Open, reason: String::new() };
        assert!(entry(&fenced, &judged).contains("\n````\n```js\nx\n```\n````\n"));
    }
}
