//! The summarizer: the run in words, from its own findings and figures (D20).

use std::cmp::Reverse;
use std::fmt::Write as _;

use tribunal_finding::Severity;

use crate::fault::Fault;
use crate::linter::Trouble;
use crate::prompt::Prompt;
use crate::rule::one_line;

use wire::{Fate, Figure, RunFinding, read_figures, read_findings};

mod wire;

/// Lines of open findings that a summary shows before it counts the rest.
const SHOWN: usize = 50;

/// Writes the summary where the prompt has `run_findings`, else the review of the audit process.
///
/// `absent` are the linters that the run was allowed to ask and could not.
pub(crate) fn summarize(
    prompt: &Prompt,
    absent: &[Trouble],
    notes: &mut Vec<String>,
) -> Result<String, Fault> {
    let figures = match prompt.block("run_figures") {
        Some(json) => read_figures(json)?,
        None => Vec::new(),
    };
    match prompt.block("run_findings") {
        Some(json) => Ok(summary(&read_findings(json, notes)?, absent, &figures)),
        None if figures.is_empty() => Err(Fault::NoBlock("run_figures")),
        None => Ok(process_review(&figures)),
    }
}

fn summary(findings: &[RunFinding], absent: &[Trouble], figures: &[Figure]) -> String {
    let mut text = String::from("# Audit summary\n\n");
    if findings.is_empty() {
        text.push_str("No findings were reported in any cycle.\n");
    } else {
        let _ = writeln!(text, "{}\n", headline(findings)); // writing to a String cannot fail
        text.push_str(&severity_table(findings));
        text.push_str(&list(
            "What is left",
            findings.iter().filter(|finding| finding.fate.is_left()).collect(),
        ));
        let skipped = findings.iter().filter(|finding| finding.fate == Fate::Skipped).collect();
        text.push_str(&list("Skipped, with reasons", skipped));
    }
    for trouble in absent {
        let _ = writeln!(text, "\nNot looked at: {trouble}."); // writing to a String cannot fail
    }
    text.push_str(&observation_section(figures));
    text
}

fn headline(findings: &[RunFinding]) -> String {
    let count = |fate: Fate| findings.iter().filter(|finding| finding.fate == fate).count();
    let left = findings.iter().filter(|finding| finding.fate.is_left()).count();
    format!(
        "{}: {} fixed, {} skipped with a reason, {} not confirmed by the validators, {left} left.",
        counted(findings.len(), "finding"),
        count(Fate::Fixed),
        count(Fate::Skipped),
        findings.iter().filter(|finding| finding.fate.is_unconfirmed()).count(),
    )
}

/// `1 finding`, `2 findings`.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn severity_table(findings: &[RunFinding]) -> String {
    let mut text = String::from(
        "| severity | found | fixed | skipped | not confirmed | left |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for level in Severity::ALL.into_iter().rev() {
        let rows: Vec<_> = findings.iter().filter(|finding| finding.severity == level).collect();
        if rows.is_empty() {
            continue;
        }
        let word = level.word();
        let count = |fate: Fate| rows.iter().filter(|finding| finding.fate == fate).count();
        let rejected = rows.iter().filter(|finding| finding.fate.is_unconfirmed()).count();
        let left = rows.iter().filter(|finding| finding.fate.is_left()).count();
        let (found, fixed, skipped) = (rows.len(), count(Fate::Fixed), count(Fate::Skipped));
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| {word} | {found} | {fixed} | {skipped} | {rejected} | {left} |");
    }
    text
}

fn list(title: &str, mut findings: Vec<&RunFinding>) -> String {
    if findings.is_empty() {
        return String::new();
    }
    findings.sort_by_cached_key(|finding| {
        (Reverse(finding.severity), finding.place(), finding.id.clone())
    });
    let mut text = format!("\n## {title}\n\n");
    for finding in findings.iter().take(SHOWN) {
        let (id, level, place) = (&finding.id, finding.severity.word(), finding.place());
        let said = one_line(&finding.description);
        let reason = finding.reason.as_deref().map(|reason| format!(" — {}", one_line(reason)));
        let reason = reason.unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "- **{id}** {level}, `{place}`: {said}{reason}");
    }
    if let Some(more) = findings.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(text, "- and {more} more"); // writing to a String cannot fail
    }
    text
}

fn process_review(figures: &[Figure]) -> String {
    let mut text = String::from("# Review of the audit process\n");
    text.push_str(&observation_section(figures));
    text.push_str("\n## Figures\n\n");
    for group in figures.chunk_by(|one, next| one.group() == next.group()) {
        let values: Vec<String> =
            group.iter().map(|figure| format!("{} {}", figure.key(), figure.value)).collect();
        // Writing to a String cannot fail.
        let _ = match group[0].group() {
            "" => writeln!(text, "- {}", values.join(", ")),
            name => writeln!(text, "- {name}: {}", values.join(", ")),
        };
    }
    text
}

fn observation_section(figures: &[Figure]) -> String {
    if figures.is_empty() {
        return String::new();
    }
    let observed = observations(figures);
    let mut text = String::from("\n## Process\n\n");
    if observed.is_empty() {
        text.push_str("Nothing in the figures asks for a change of the process.\n");
    }
    for line in observed {
        let _ = writeln!(text, "- {line}"); // writing to a String cannot fail
    }
    text
}

/// What a figure means for the next audit, where it is above its bound.
const SIGNS: [(&str, f64, &str); 9] = [
    (
        "false_positive_rate",
        0.5,
        "validators rejected more than half of what was reported: narrow what SEEK looks for",
    ),
    (
        "unparseable",
        0.0,
        "answers that held no JSON object: look at the preserved raw outputs and the agents' output mode",
    ),
    ("no_ballot", 0.0, "answers that were JSON but no ballot: their agents miss the contract"),
    ("empty", 0.0, "validators that said nothing: fewer voices decided than the threshold assumes"),
    ("faults", 0.0, "agents that failed: look at their exit and error output"),
    ("time_outs", 0.0, "agents that ran out of time: raise the deadline or give them less"),
    (
        "phantom",
        0.0,
        "fixes that were claimed but not in the tree: do not trust that fixer's reports",
    ),
    (
        "unaccounted",
        0.0,
        "confirmed findings neither fixed nor skipped: give the fixer another attempt or fewer findings",
    ),
    ("duplicate", 0.0, "findings reported again: show SEEK the history"),
];

fn observations(figures: &[Figure]) -> Vec<String> {
    let mut observed = Vec::new();
    for (sign, bound, meaning) in SIGNS {
        let found: Vec<String> = figures
            .iter()
            .filter(|figure| figure.key().contains(sign))
            .filter(|figure| figure.number.is_some_and(|number| number > bound))
            .map(|figure| format!("{} = {}", figure.name, figure.value))
            .collect();
        if !found.is_empty() {
            observed.push(format!("{meaning} ({})", found.join(", ")));
        }
    }
    observed
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINDINGS: &str = r#"[
        {"cycle":1,"id":"F1","severity":"high","file":"a.py","line":3,
         "description":"Broad handler","verdict":"confirmed","fate":"fixed","reason":null},
        {"cycle":1,"id":"F2","severity":"medium","file":"b.py","line":9,
         "description":"Long\nmodule","verdict":"confirmed","fate":"skipped","reason":"needs judgement"},
        {"cycle":2,"id":"c2-F1","severity":"critical","file":"c.py","line":1,
         "description":"Secret","verdict":"confirmed","fate":"unaccounted","reason":null},
        {"cycle":2,"id":"c2-F2","severity":"low","file":"d.py","line":null,
         "description":"Odd","verdict":"false_positive","fate":"rejected","reason":null},
        {"cycle":2,"id":"c2-F3","severity":"low","file":"d.py","line":null,
         "description":"Odd","verdict":"confirmed","fate":"blessed","reason":null}]"#;

    fn reply(text: &str) -> Result<String, Fault> {
        summarize(&Prompt::new(text, "M"), &[], &mut Vec::new())
    }

    #[test]
    fn an_entry_with_a_fate_of_no_kind_is_left_out_and_noted() {
        let mut notes = Vec::new();
        let read = read_findings(FINDINGS, &mut notes).expect("a list");
        assert_eq!((read.len(), notes.len()), (4, 1));
        assert!(notes[0].starts_with("run_findings[4] is left out"), "{notes:?}");
    }

    #[test]
    fn a_summary_counts_by_severity_and_names_what_is_left() {
        let figures = r#"{"cycles":2,"votes":{"duplicates":1},"false_positive_rate":0.25}"#;
        let prompt =
            format!("<<M run_findings\n{FINDINGS}\nM>>\n<<M run_figures\n{figures}\nM>>\n");
        let text = reply(&prompt).expect("a summary");
        for line in [
            "4 findings: 1 fixed, 1 skipped with a reason, 1 not confirmed by the validators, 1 left.",
            "| critical | 1 | 0 | 0 | 0 | 1 |",
            "- **c2-F1** critical, `c.py:1`: Secret",
            "- **F2** medium, `b.py:9`: Long module — needs judgement",
            "(votes / duplicates = 1)",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }

    #[test]
    fn the_process_review_shows_the_figures_and_what_they_mean() {
        let text = reply(
            "<<M run_figures\n{\"phantom_fixes\":2,\"steps\":[{\"id\":\"seek\",\"ms\":12}]}\nM>>",
        )
        .expect("a review");
        for line in ["phantom_fixes = 2", "- phantom_fixes 2", "- steps / 1: "] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }

    #[test]
    fn a_run_without_findings_or_signs_says_so() {
        let text = reply("<<M run_findings\n[]\nM>>\n<<M run_figures\n{\"cycles\":3}\nM>>")
            .expect("a summary");
        assert!(text.contains("No findings were reported in any cycle."), "{text}");
        assert!(text.contains("Nothing in the figures asks for a change"), "{text}");
        assert_eq!(reply("nothing").err().map(|fault| fault.exit_status()), Some(1));
    }
}
