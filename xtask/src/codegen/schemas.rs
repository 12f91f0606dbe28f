//! JSON Schemas of the contracts, from the types that read them.

use std::path::Path;

use schemars::Schema;
use tribunal_check::diagnosis_schema;
use tribunal_finding::{findings_schema, history_schema};
use tribunal_phase::review_loop::{Tool, call_schema, status_schema};
use tribunal_verify::{fix_report_schema, judgement_schema};
use tribunal_vote::{ballot_schema, tally_schema};

use super::{Generated, Generator};
use crate::failure::Failure;

pub(super) const GENERATOR: Generator =
    Generator { name: "JSON Schemas", folder: "schemas", produce };

/// A contract: its schema goes to `schemas/NAME.json`.
struct Contract {
    name: &'static str,
    schema: fn() -> Schema,
}

const CONTRACTS: &[Contract] = &[
    Contract { name: "apply", schema: tribunal_report::apply_schema },
    Contract { name: "ballot", schema: ballot_schema },
    Contract { name: "diagnosis", schema: diagnosis_schema },
    Contract { name: "findings", schema: findings_schema },
    Contract { name: "findings-file", schema: tribunal_report::schema },
    Contract { name: "fix-report", schema: fix_report_schema },
    Contract { name: "history", schema: history_schema },
    Contract { name: "judgement", schema: judgement_schema },
    Contract { name: "loop-query", schema: || call_schema(Tool::Status) },
    Contract { name: "loop-start", schema: || call_schema(Tool::Start) },
    Contract { name: "loop-status", schema: status_schema },
    Contract { name: "loop-stop", schema: || call_schema(Tool::Stop) },
    Contract { name: "review", schema: || call_schema(Tool::Review) },
    Contract { name: "run-diff", schema: tribunal_report::run_diff_schema },
    Contract { name: "simplification", schema: || call_schema(Tool::Simplify) },
    Contract { name: "tally", schema: tally_schema },
    Contract { name: "undo", schema: tribunal_report::undo_schema },
];

fn produce(_root: &Path) -> Result<Vec<Generated>, Failure> {
    CONTRACTS
        .iter()
        .map(|Contract { name, schema }| {
            let text = serde_json::to_string_pretty(&schema())
                .map_err(|error| Failure::Broken(format!("the schema of {name}: {error}")))?;
            Ok(Generated { path: format!("schemas/{name}.json"), text: text + "\n" })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_says_which_contract_it_is() {
        for Generated { path, text } in produce(Path::new("")).expect("schemas are plain JSON") {
            let name = path.trim_start_matches("schemas/").trim_end_matches(".json");
            assert!(text.contains(&format!("\"title\": \"{name}\"")), "{path}\n{text}");
        }
    }
}
