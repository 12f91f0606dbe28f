//! The report for people who read it in a browser or an editor.

use crate::cycle::Cycle;
use crate::escape::{fenced, inline, quotation};
use crate::finding::{Fate, Finding, Vote};
use crate::order::{self, Listed};
use crate::view::View;
use crate::{Totals, inert, proceedings, result, words};

/// Writes the whole report in GitHub's Markdown: everything that the view holds, without HTML.
pub fn markdown(view: &View) -> String {
    let mut page = String::new();
    head(&mut page, view);
    left_open(&mut page, view);
    findings(&mut page, view);
    for cycle in &view.cycles {
        show_cycle(&mut page, cycle);
    }
    if let Some(proof) = &view.proof {
        let lines = proof.lines().into_iter().map(|line| inline(&line));
        let command = format!("check: {}", inline(&proof.command));
        list(&mut page, "Proof", std::iter::once(command).chain(lines));
    }
    said(&mut page, "Summary", view.summary.as_deref());
    said(&mut page, "Self-improvement", view.self_improvement.as_deref());
    list(&mut page, "Warnings", view.warnings.iter().map(|text| inline(text)));
    let kept = view.kept_replies.iter().map(|kept| inline(&words::kept_reply(kept)));
    list(&mut page, "Raw replies kept", kept);
    let snapshots = view.snapshots.iter().map(|snapshot| inline(&words::snapshot(snapshot)));
    list(&mut page, "Snapshots", snapshots);
    inert::without_commands(&page)
}

fn line(page: &mut String, text: &str) {
    page.push_str(text);
    page.push('\n');
}

fn heading(page: &mut String, level: usize, title: &str) {
    line(page, &format!("\n{} {title}\n", "#".repeat(level)));
}

fn row(page: &mut String, cells: &[&str]) {
    line(page, &format!("| {} |", cells.join(" | ")));
}

fn head(page: &mut String, view: &View) {
    let (recipe, target) = (inline(&view.recipe.name), inline(&view.target));
    line(page, &format!("# {recipe} on {target}: {}\n", result::state(&view.outcome)));
    for sentence in result::sentences(view) {
        line(page, &format!("{}\n", inline(&sentence)));
    }
    if let Some(resume) = view.resume() {
        line(page, "Resume with:\n");
        line(page, &fenced(resume));
    }
    if let Some(isolated) = view.waiting() {
        line(
            page,
            &format!("Its changes are in {}. Bring them over with:\n", inline(&isolated.worktree)),
        );
        line(page, &fenced(&isolated.apply));
    }
    let (version, origin) = (inline(&view.recipe.version), inline(&view.recipe.origin));
    line(page, &format!("- recipe: {recipe} {version} ({origin})"));
    line(page, &format!("- run: {}", inline(&view.run)));
    line(page, &format!("- time: {} to {}", inline(&view.started), inline(&view.ended)));
    line(page, &format!("- usage: {}", inline(&words::usage(&view.usage))));
}

fn left_open(page: &mut String, view: &View) {
    let open = order::left_open(view);
    let entries = open.iter().map(|finding| {
        let (id, description) = (inline(finding.id.as_str()), inline(&finding.description));
        let place = inline(&finding.place.to_string());
        let severity = finding.shown_severity();
        format!("{id} ({severity}, {}) {place}: {description}", finding.fate.word())
    });
    list(page, "Left open", entries);
}

fn findings(page: &mut String, view: &View) {
    let listed = order::listed(view);
    if listed.is_empty() {
        return;
    }
    heading(page, 2, "Findings");
    let totals = Totals::of(&view.findings);
    let (severities, fates) =
        (words::listed(&totals.by_severity.rows()), words::listed(&totals.by_fate.rows()));
    line(page, &format!("{}: {severities}; {fates}.\n", words::count(totals.findings, "finding")));
    row(page, &["id", "severity", "category", "place", "what", "votes", "fate"]);
    row(page, &["---"; 7]);
    for Listed { finding, .. } in &listed {
        let votes = finding.vote.as_ref();
        let votes = votes.map(|vote| format!("{} yes, {} no", vote.confirmed, vote.false_positive));
        row(
            page,
            &[
                &inline(finding.id.as_str()),
                finding.shown_severity().word(),
                finding.category.word(),
                &inline(&finding.place.to_string()),
                &inline(&finding.description),
                votes.as_deref().unwrap_or("not counted"),
                finding.fate.word(),
            ],
        );
    }
    for one in &listed {
        show_finding(page, one);
    }
}

fn show_finding(page: &mut String, one: &Listed<'_>) {
    let finding = one.finding;
    let id = inline(finding.id.as_str());
    heading(page, 3, &format!("{id}: {}, {}", finding.shown_severity(), finding.fate.word()));
    line(page, &format!("{}\n", inline(&finding.description)));
    let place = inline(&finding.place.to_string());
    let (category, cycle) = (finding.category, finding.cycle);
    line(page, &format!("- place: {place} ({category}, cycle {cycle})"));
    if let Some(vote) = &finding.vote {
        line(page, &format!("- votes: {}", votes(finding, vote)));
    }
    if let Fate::Skipped { reason } = &finding.fate {
        line(page, &format!("- skipped because: {}", inline(reason)));
    }
    if let Some(earlier) = one.repeats {
        line(page, &format!("- likely the same as {}", inline(earlier.as_str())));
    }
    if let Some(earlier) = &finding.reopens {
        line(page, &format!("- reported again after {} was fixed", inline(earlier.as_str())));
    }
    line(page, &format!("- to do: {}", inline(&finding.recommendation)));
    line(page, &format!("\nEvidence:\n\n{}", fenced(&finding.evidence).trim_end()));
    for reason in finding.vote.iter().flat_map(|vote| &vote.reasoning) {
        let quoted = quotation(reason);
        if !quoted.is_empty() {
            line(page, &format!("\nReasoning:\n\n{}", quoted.trim_end()));
        }
    }
}

fn votes(finding: &Finding, vote: &Vote) -> String {
    let Vote { confirmed, false_positive, verdict, final_severity, decision_severity, .. } = vote;
    let mut said = format!("{confirmed} yes, {false_positive} no ({})", verdict.word());
    said.push_str(&format!("; SEEK rated it {}", finding.severity));
    if let Some(severity) = final_severity {
        said.push_str(&format!(", the vote {severity}"));
    }
    if let Some(severity) = decision_severity {
        said.push_str(&format!(", the decision counts {severity}"));
    }
    said
}

fn show_cycle(page: &mut String, cycle: &Cycle) {
    heading(page, 2, &format!("Cycle {}", cycle.number));
    line(page, &format!("- findings: {}", inline(&proceedings::seek(cycle))));
    line(page, &format!("- validators: {}", proceedings::validators(cycle)));
    for one in cycle.validators.iter().filter(|one| proceedings::is_worth_a_line(one)) {
        let note = proceedings::about_validator(one);
        let note = note.map(|note| format!(": {}", inline(&note))).unwrap_or_default();
        line(page, &format!("  - {} {}{note}", inline(&one.label), one.answer.word()));
    }
    if let Some(decision) = &cycle.decision {
        line(page, &format!("- decision: {}", inline(&proceedings::decision(decision))));
    }
    if !cycle.verification.is_empty() {
        let lines = cycle.verification.join("\n");
        line(page, &format!("\nVerification:\n\n{}", fenced(&lines).trim_end()));
    }
}

fn said(page: &mut String, title: &str, text: Option<&str>) {
    let quoted = quotation(text.unwrap_or_default());
    if !quoted.is_empty() {
        heading(page, 2, title);
        line(page, quoted.trim_end());
    }
}

fn list(page: &mut String, title: &str, entries: impl Iterator<Item = String>) {
    let mut entries = entries.peekable();
    if entries.peek().is_some() {
        heading(page, 2, title);
    }
    for entry in entries {
        line(page, &format!("- {entry}"));
    }
}
