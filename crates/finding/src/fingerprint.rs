//! What stays of a finding when lines move and evidence is quoted another way.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Finding;
use crate::fold::fold;

/// Two findings with one fingerprint are the same fault seen twice, or the same fault in two places
/// of one file: category, path and folded evidence are equal (D18).
///
/// Line numbers, white space and quotes do not matter. Where the evidence is blank the description
/// stands in for it, since otherwise all such findings of a file would be one. 16 hexadecimal digits
/// of a SHA-256.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The fingerprint of a finding.
    pub fn of(finding: &Finding) -> Self {
        let file = &finding.place.file;
        let mut text = fold(&finding.evidence, file);
        if text.is_empty() {
            text = fold(&finding.description, file);
        }
        let mut hash = Sha256::new();
        // Neither of the first two parts holds the byte that ends it, so no two triples give one text.
        hash.update(finding.category.word());
        hash.update([0]);
        hash.update(file.replace('\0', ""));
        hash.update([0]);
        hash.update(text);
        let digest = hash.finalize();
        Self(digest[..8].iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The 16 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Category, FindingId, Place, Severity};

    fn finding(category: Category, file: &str, evidence: &str, description: &str) -> Finding {
        Finding {
            id: FindingId::new("F1").expect("an id"),
            category,
            severity: Severity::High,
            place: Place { file: file.to_owned(), line: Some(3) },
            description: description.to_owned(),
            evidence: evidence.to_owned(),
            recommendation: String::new(),
        }
    }

    #[test]
    fn category_path_and_evidence_tell_findings_apart_and_nothing_else_does() {
        let base = finding(Category::Security, "a.rs", "x(1)", "what");
        let print = Fingerprint::of(&base);
        assert_eq!(print.as_str().len(), 16);
        let mut moved = base.clone();
        moved.place.line = Some(90);
        moved.severity = Severity::Low;
        moved.id = FindingId::new("c2-F9").expect("an id");
        moved.description = "said otherwise".to_owned();
        moved.recommendation = "do it".to_owned();
        assert_eq!(Fingerprint::of(&moved), print);
        for other in [
            finding(Category::Reliability, "a.rs", "x(1)", "what"),
            finding(Category::Security, "b.rs", "x(1)", "what"),
            finding(Category::Security, "a.rs", "x(2)", "what"),
        ] {
            assert_ne!(Fingerprint::of(&other), print);
        }
    }

    #[test]
    fn without_evidence_the_description_stands_in() {
        let of =
            |description| Fingerprint::of(&finding(Category::TestGaps, "a.rs", " \n", description));
        assert_eq!(of("no test of `f`"), of("no test of f"));
        assert_ne!(of("no test of f"), of("no test of g"));
    }
}
