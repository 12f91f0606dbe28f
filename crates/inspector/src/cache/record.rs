//! A scan as one line of JSON.

use serde::{Deserialize, Serialize};
use tribunal_finding::Severity;

use crate::catalog::Catalog;
use crate::hit::Hit;
use crate::source::SourceFile;
use crate::survey::Seen;

/// What is kept of a scanned file; rewrites are not, because only the fixer needs them.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    hits: Vec<KeptHit>,
    followed: Vec<(String, usize)>,
}

#[derive(Serialize, Deserialize)]
struct KeptHit {
    rule: String,
    severity: Severity,
    line: Option<u32>,
    evidence: String,
    detail: Option<String>,
    in_test: bool,
    remark: Option<String>,
    intent: Option<String>,
    suppressed: Option<String>,
}

impl Kept {
    pub(super) fn of(seen: &Seen) -> Self {
        let hit = |hit: &Hit| KeptHit {
            rule: hit.rule.id.clone(),
            severity: hit.severity,
            line: hit.line,
            evidence: hit.evidence.clone(),
            detail: hit.detail.clone(),
            in_test: hit.in_test,
            remark: hit.remark.clone(),
            intent: hit.intent.clone(),
            suppressed: hit.suppressed.clone(),
        };
        let followed = seen.followed.iter().map(|(rule, count)| (rule.id.clone(), *count));
        Self { hits: seen.hits.iter().map(hit).collect(), followed: followed.collect() }
    }

    /// `None` for what cannot be written, which then is not kept.
    pub(super) fn written(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }

    pub(super) fn read(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }

    /// `None` when a rule is not there any more.
    pub(super) fn seen<'r>(self, file: &SourceFile, catalog: &'r Catalog) -> Option<Seen<'r>> {
        let hit = |kept: KeptHit| {
            Some(Hit {
                rule: catalog.rule(&kept.rule)?,
                severity: kept.severity,
                line: kept.line,
                evidence: kept.evidence,
                detail: kept.detail,
                in_test: kept.in_test,
                remark: kept.remark,
                intent: kept.intent,
                suppressed: kept.suppressed,
                rewrite: None,
            })
        };
        let followed = |(rule, count): (String, usize)| Some((catalog.rule(&rule)?, count));
        Some(Seen {
            path: file.path.clone(),
            surroundings: file.surroundings,
            hits: self.hits.into_iter().map(hit).collect::<Option<_>>()?,
            followed: self.followed.into_iter().map(followed).collect::<Option<_>>()?,
        })
    }
}
