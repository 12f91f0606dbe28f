//! The report for a terminal.

use crate::cycle::Cycle;
use crate::finding::{Fate, Finding, Vote};
use crate::order::{self, Listed};
use crate::page::{LABEL, Page, WIDTH, cut};
use crate::view::View;
use crate::wrap::{columns_of, pad, wrap};
use crate::{Totals, inert, proceedings, result, words};

/// Lines of evidence that are shown; the Markdown report has all of it.
const EVIDENCE_LINES: usize = 6;

/// Writes the final result for a terminal or a log: the result first, then what is left open, then
/// how it came about. Ends with a line end.
///
/// No line is wider than 96 columns, unless a single word is, or a line of the verification, which
/// stands word for word (D14).
pub fn text(view: &View) -> String {
    let mut page = Page::default();
    head(&mut page, view);
    findings(&mut page, view);
    for cycle in &view.cycles {
        show_cycle(&mut page, cycle);
    }
    if let Some(proof) = &view.proof {
        page.section("Proof");
        page.pair("check", &inert::one_line(&proof.command));
        for line in proof.lines() {
            page.wrapped("  -", 4, &line);
        }
    }
    said(&mut page, "Summary", view.summary.as_deref());
    said(&mut page, "Self-improvement", view.self_improvement.as_deref());
    endings(&mut page, view);
    page.finish()
}

fn head(page: &mut Page, view: &View) {
    let recipe = inert::one_line(&view.recipe.name);
    let target = inert::one_line(&view.target);
    page.line(&format!("{recipe} on {target}: {}", result::state(&view.outcome)));
    for sentence in result::sentences(view) {
        page.wrapped("  ", 2, &sentence);
    }
    if let Some(resume) = view.resume() {
        page.pair("resume with", &inert::one_line(resume));
    }
    if let Some(isolated) = view.waiting() {
        page.pair("work tree", &inert::one_line(&isolated.worktree));
        page.pair("branch", &inert::one_line(&isolated.branch));
        page.pair("apply with", &inert::one_line(&isolated.apply));
    }
    let totals = Totals::of(&view.findings);
    if totals.findings > 0 {
        page.pair("severities", &words::listed(&totals.by_severity.rows()));
    }
    let (version, origin) =
        (inert::one_line(&view.recipe.version), inert::one_line(&view.recipe.origin));
    page.pair("recipe", &format!("{recipe} {version} ({origin})"));
    page.pair("run", &inert::one_line(&view.run));
    let (started, ended) = (inert::one_line(&view.started), inert::one_line(&view.ended));
    page.pair("time", &format!("{started} to {ended}"));
    page.pair("usage", &words::usage(&view.usage));
}

fn findings(page: &mut Page, view: &View) {
    let listed = order::listed(view);
    let (open, other): (Vec<_>, Vec<_>) =
        listed.into_iter().partition(|one| one.finding.fate.is_open());
    let widths = Widths::of(&view.findings);
    let rest = if open.is_empty() { "Findings" } else { "Other findings" };
    for (title, list) in [("Left open", open), (rest, other)] {
        if !list.is_empty() {
            page.section(title);
        }
        for one in list {
            show_finding(page, &one, &widths);
        }
    }
}

/// The columns of the first line of a finding.
struct Widths {
    id: usize,
    category: usize,
}

impl Widths {
    /// An id of unusual length does not push all others to the right.
    const LONGEST_ID: usize = 10;

    fn of(findings: &[Finding]) -> Self {
        let widest = |of: fn(&Finding) -> usize| findings.iter().map(of).max().unwrap_or(0);
        Self {
            id: widest(|one| columns_of(one.id.as_str())).min(Self::LONGEST_ID),
            category: widest(|one| columns_of(one.category.word())),
        }
    }
}

fn show_finding(page: &mut Page, one: &Listed<'_>, widths: &Widths) {
    let finding = one.finding;
    page.line(&format!(
        "  {}  {:8}  {:11}  {}  {}",
        pad(&inert::one_line(finding.id.as_str()), widths.id),
        finding.shown_severity(),
        finding.fate.word(),
        pad(finding.category.word(), widths.category),
        inert::one_line(&finding.place.to_string()),
    ));
    let indent = widths.id + 4;
    let mut say = |text: &str| page.wrapped("", indent, text);
    say(&inert::one_line(&finding.description));
    if let Some(earlier) = one.repeats {
        say(&format!("likely the same as {}", inert::one_line(earlier.as_str())));
    }
    if let Some(earlier) = &finding.reopens {
        say(&format!("reported again after {} was fixed", inert::one_line(earlier.as_str())));
    }
    if let Fate::Skipped { reason } = &finding.fate {
        say(&format!("skipped because: {}", inert::one_line(reason)));
    }
    if let Some(vote) = &finding.vote {
        say(&votes(finding, vote));
    }
    if finding.fate.is_open() || finding.fate == Fate::Undecided {
        say(&format!("to do: {}", inert::one_line(&finding.recommendation)));
        evidence(page, indent, &finding.evidence);
    }
}

fn votes(finding: &Finding, vote: &Vote) -> String {
    let Vote { confirmed, false_positive, verdict, final_severity, decision_severity, .. } = vote;
    let mut said = format!("votes: {confirmed} yes, {false_positive} no ({})", verdict.word());
    if finding.shown_severity() != finding.severity {
        said.push_str(&format!("; SEEK rated it {}", finding.severity));
    }
    if let Some(decisive) = decision_severity.filter(|_| decision_severity != final_severity) {
        said.push_str(&format!("; {decisive} in the decision"));
    }
    said
}

fn evidence(page: &mut Page, indent: usize, text: &str) {
    let lines = inert::lines(text);
    let before = " ".repeat(indent);
    for line in lines.iter().take(EVIDENCE_LINES) {
        page.line(&format!("{before}| {}", cut(line, WIDTH - indent - 2)));
    }
    if lines.len() > EVIDENCE_LINES {
        let more = words::count(lines.len() - EVIDENCE_LINES, "more line");
        page.line(&format!("{before}| … {more}"));
    }
}

fn show_cycle(page: &mut Page, cycle: &Cycle) {
    page.section(&format!("Cycle {}", cycle.number));
    page.pair("findings", &proceedings::seek(cycle));
    page.pair("validators", &proceedings::validators(cycle));
    for one in cycle.validators.iter().filter(|one| proceedings::is_worth_a_line(one)) {
        let (label, word) = (inert::one_line(&one.label), one.answer.word());
        let mut said = format!("{label}  {word}");
        if let Some(note) = proceedings::about_validator(one) {
            said.push_str(&format!(": {note}"));
        }
        page.wrapped("", LABEL + 2, &said);
    }
    for (index, line) in cycle.verification.iter().enumerate() {
        let label = if index == 0 { "  verification" } else { "" };
        page.line(&format!("{}{}", pad(label, LABEL + 2), inert::one_line(line)));
    }
    if let Some(decision) = &cycle.decision {
        page.pair("decision", &proceedings::decision(decision));
    }
}

fn said(page: &mut Page, title: &str, text: Option<&str>) {
    let lines = inert::lines(text.unwrap_or_default());
    if lines.is_empty() {
        return;
    }
    page.section(title);
    for line in lines {
        if line.is_empty() {
            page.line("  |");
        }
        let indent = line.len() - line.trim_start_matches(' ').len();
        for part in wrap(&line, WIDTH - 4 - indent.min(WIDTH / 2)) {
            page.line(&format!("  | {}{part}", " ".repeat(indent.min(WIDTH / 2))));
        }
    }
}

fn endings(page: &mut Page, view: &View) {
    let warnings = view.warnings.iter().map(|warning| inert::one_line(warning)).collect();
    list(page, "Warnings", warnings);
    list(page, "Raw replies kept", view.kept_replies.iter().map(words::kept_reply).collect());
    list(page, "Snapshots", view.snapshots.iter().map(words::snapshot).collect());
}

fn list(page: &mut Page, title: &str, entries: Vec<String>) {
    if !entries.is_empty() {
        page.section(title);
    }
    for entry in entries {
        page.wrapped("  -", 4, &entry);
    }
}
