//! What the fixes of a run were, cycle by cycle: judged, and shared out among the findings.

use std::collections::BTreeMap;

use tribunal_finding::{FindingId, Place, read_findings};
use tribunal_phase::{FrameId, SnapshotId};
use tribunal_recipe::{Datum, StepKind};
use tribunal_verify::{Judgement, Share, shares};

use crate::context::Context;
use crate::definition::Loaded;
use crate::memory::Memory;
use crate::native::BuiltIn;
use crate::trail::Trail;

/// The fixes of one cycle.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mended {
    /// The cycle.
    pub(crate) cycle: u32,
    /// The state before the first fix.
    pub(crate) before: SnapshotId,
    /// The state after the last.
    pub(crate) after: SnapshotId,
    /// What was held to be true of each finding.
    pub(crate) judgement: Judgement,
    /// What of the change is whose fix.
    pub(crate) shares: Vec<Share>,
}

/// The cycles in which anything was fixed or should have been, in order.
pub(crate) fn mended(loaded: &Loaded, memory: &Memory, trail: &Trail) -> Vec<Mended> {
    let mut contexts: Vec<&Context> = memory.past.iter().chain(&memory.contexts).collect();
    contexts.sort_by_key(|context| context.frame);
    let cycles = contexts.into_iter().filter_map(|context| {
        let (before, after) = span(trail, context.frame)?;
        let judgement: Judgement =
            serde_json::from_str(&judged(loaded, context)?.to_json()).ok()?;
        let shares = shares(&judgement, &places(context));
        Some(Mended { cycle: context.cycle, before, after, judgement, shares })
    });
    cycles.collect()
}

/// The states around the writes of one cycle.
fn span(trail: &Trail, frame: FrameId) -> Option<(SnapshotId, SnapshotId)> {
    let mut writes = trail.writes.iter().filter(|write| write.call.frame == frame);
    let first = writes.next()?;
    Some((first.before, writes.next_back().unwrap_or(first).left))
}

/// What the recipe's verification gave in a cycle.
fn judged<'c>(loaded: &Loaded, context: &'c Context) -> Option<&'c Datum> {
    let output = loaded.recipe.all_steps().find_map(|step| match &step.kind {
        StepKind::Uses { name, .. } if BuiltIn::named(name) == Some(BuiltIn::VerifyFixes) => {
            step.output.as_deref()
        }
        _ => None,
    });
    context.values.get(output?)
}

/// Where the findings of a cycle are, and those that it was left by earlier ones.
fn places(context: &Context) -> BTreeMap<FindingId, Place> {
    let mut places = BTreeMap::new();
    let audited = context.values.get("audit_findings").unwrap_or(&Datum::Null);
    for field in ["findings", "carried"] {
        let list = audited.field(field).cloned().unwrap_or(Datum::Null);
        let report = Datum::map([("findings", list)]);
        // What the reader of the contract wrote is read back whole.
        let findings = read_findings(&report.to_json()).map(|(findings, _)| findings);
        for finding in findings.unwrap_or_default() {
            places.insert(finding.id, finding.place);
        }
    }
    places
}
