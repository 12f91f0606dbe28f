//! The findings of a run, each with what was voted and what became of it.

use std::collections::BTreeMap;

use tribunal_finding::{Fate as Became, Finding, FindingId, History, Verdict, read_findings};
use tribunal_recipe::Datum;
use tribunal_report as report;
use tribunal_vote::{Entry, Ruling, Tally};

use super::Seen;
use crate::context::Context;

impl Seen<'_> {
    /// Each finding once: what is reported again while it is open or undecided keeps the name and
    /// the cycle that it had, with the latest vote and fate (D20).
    pub(super) fn findings(&self) -> Vec<report::Finding> {
        let mut shown: Vec<report::Finding> = Vec::new();
        let mut places: BTreeMap<FindingId, usize> = BTreeMap::new();
        let fates = self.fates();
        for context in &self.contexts {
            let tally = tally(context);
            let votes: BTreeMap<&FindingId, &Entry> =
                tally.iter().flat_map(Tally::entries).map(|entry| (entry.id(), entry)).collect();
            let audit_findings = context.values.get("audit_findings");
            for finding in list(audit_findings) {
                let id = finding.id.clone();
                let vote = votes.get(&id).map(|entry| vote(entry));
                let fate = fates.get(&id).filter(|(cycle, _)| *cycle >= context.cycle);
                let fate = fate.map_or(report::Fate::Undecided, |(_, fate)| fate.clone());
                let mut later = shown_finding(context.cycle, finding, vote, fate);
                let known =
                    replaced(audit_findings, &id).and_then(|earlier| places.get(&earlier).copied());
                let earlier = known.filter(|place| is_undone(&shown[*place].fate));
                later.reopens =
                    known.filter(|_| earlier.is_none()).map(|place| shown[place].id.clone());
                match earlier {
                    Some(place) => {
                        let report::Finding { id, cycle, .. } = shown[place].clone();
                        shown[place] = report::Finding { id, cycle, ..later };
                    }
                    None => shown.push(later),
                }
                places.insert(id, earlier.unwrap_or(shown.len() - 1));
            }
        }
        shown
    }

    /// The last word on each finding, with its cycle.
    fn fates(&self) -> BTreeMap<FindingId, (u32, report::Fate)> {
        let entries = self.history().entries.into_iter();
        entries.map(|entry| (entry.finding_id, (entry.cycle, shown_fate(entry.fate)))).collect()
    }

    /// The longest history that any frame holds.
    fn history(&self) -> History {
        self.contexts
            .iter()
            .filter_map(|context| {
                let value = context.values.get("cycle_history")?;
                serde_json::from_str::<History>(&value.to_json()).ok()
            })
            .max_by_key(|history| history.entries.len())
            .unwrap_or_default()
    }
}

fn shown_fate(became: Became) -> report::Fate {
    match became {
        Became::Fixed => report::Fate::Fixed,
        Became::Skipped { reason } => report::Fate::Skipped { reason },
        Became::Phantom => report::Fate::Phantom,
        Became::Unaccounted => report::Fate::Unaccounted,
        Became::Open => report::Fate::Open,
        Became::Rejected => report::Fate::Rejected,
        Became::Unconfirmed => report::Fate::Unconfirmed,
    }
}

fn shown_finding(
    cycle: u32,
    finding: Finding,
    vote: Option<report::Vote>,
    fate: report::Fate,
) -> report::Finding {
    report::Finding {
        id: finding.id,
        cycle,
        category: finding.category,
        severity: finding.severity,
        place: finding.place,
        description: finding.description,
        evidence: finding.evidence,
        recommendation: finding.recommendation,
        vote,
        fate,
        reopens: None,
    }
}

fn list(audit_findings: Option<&Datum>) -> Vec<Finding> {
    // What the contract's reader wrote is read back whole; null means that SEEK was not heard.
    let json = audit_findings.map(Datum::to_json).unwrap_or_default();
    read_findings(&json).map(|(findings, _)| findings).unwrap_or_default()
}

/// The earlier finding that a re-report stands for.
fn replaced(audit_findings: Option<&Datum>, id: &FindingId) -> Option<FindingId> {
    FindingId::new(audit_findings?.get(&["reopens", id.as_str()])?.as_text()?)
}

/// Whether nothing has become of a finding yet; one that was fixed and comes back is another.
fn is_undone(fate: &report::Fate) -> bool {
    matches!(fate, report::Fate::Open | report::Fate::Unconfirmed)
}

fn tally(context: &Context) -> Option<Tally> {
    Tally::read(&context.values.get("validated_findings")?.to_json()).ok()
}

fn vote(entry: &Entry) -> report::Vote {
    let confirmed = match entry.ruling() {
        Ruling::Confirmed(confirmed) => Some(confirmed),
        Ruling::FalsePositive | Ruling::Unconfirmed => None,
    };
    report::Vote {
        verdict: match entry.verdict() {
            Verdict::Confirmed => report::Verdict::Confirmed,
            Verdict::FalsePositive => report::Verdict::FalsePositive,
            Verdict::Unconfirmed => report::Verdict::Unconfirmed,
        },
        confirmed: entry.votes().confirmed,
        false_positive: entry.votes().false_positive,
        final_severity: confirmed.map(tribunal_vote::Confirmed::final_severity),
        decision_severity: confirmed.map(tribunal_vote::Confirmed::decision_severity),
        reasoning: Some(entry.reasoning().to_owned())
            .filter(|text| !text.is_empty())
            .into_iter()
            .collect(),
    }
}
