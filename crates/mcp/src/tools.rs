//! The tools, as clients see them.

use rmcp::model::{Tool as Shown, ToolAnnotations};
use tribunal_phase::review_loop::{Tool, call_schema, status_schema};

use crate::wire::schema_object;

/// What a client is told of a tool.
struct Row {
    tool: Tool,
    title: &'static str,
    about: &'static str,
    /// It changes nothing.
    read_only: bool,
    /// The same call once more changes nothing more.
    idempotent: bool,
}

const ROWS: [Row; 5] = [
    Row {
        tool: Tool::Start,
        title: "Start a review loop",
        about: "Starts a review loop on this work tree: review and simplification alternate until a \
                review is clean, a pass changes nothing, or the rounds are spent. Give test_command \
                whenever the project has tests: Tribunal runs it itself and refuses a clean review until \
                it passes. Then review, and call audit_review.",
        read_only: false,
        idempotent: false,
    },
    Row {
        tool: Tool::Review,
        title: "Record a review",
        about: "Records the verdict of a review: verdict=clean without findings, or \
                verdict=changes_requested with the number of findings. When the status shows hunks, basis \
                is required: one claim for each hunk, by its name. Changes nothing in the code.",
        read_only: false,
        idempotent: true,
    },
    Row {
        tool: Tool::Simplify,
        title: "Record a simplify pass",
        about: "Records one pass over the code that answers the findings and preserves behaviour. Call it \
                after the edits are on the disk: changed=true with the files you edited, or changed=false \
                when nothing is left to change. Git must see each named file changed.",
        read_only: false,
        idempotent: true,
    },
    Row {
        tool: Tool::Stop,
        title: "Stop the review loop",
        about: "Ends the review loop by hand; it counts as stopped, not as clean.",
        read_only: false,
        idempotent: false,
    },
    Row {
        tool: Tool::Status,
        title: "Show the review loop",
        about: "Shows the phase, the round, the next tool, the state of the tests, and the changes that \
                the next review has to look at. Changes nothing.",
        read_only: true,
        idempotent: true,
    },
];

/// All tools with their schemas.
pub(crate) fn shown() -> Vec<Shown> {
    ROWS.iter()
        .map(|row| {
            let hints = ToolAnnotations::with_title(row.title)
                .read_only(row.read_only)
                .destructive(false)
                .idempotent(row.idempotent)
                // It looks at the work tree and nowhere else.
                .open_world(false);
            Shown::new(row.tool.name(), row.about, schema_object(call_schema(row.tool)))
                .with_title(row.title)
                .with_raw_output_schema(schema_object(status_schema()))
                .with_annotations(hints)
        })
        .collect()
}

/// The tool of a name.
pub(crate) fn named(name: &str) -> Option<Tool> {
    Tool::ALL.into_iter().find(|tool| tool.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_a_row_and_names_only_tools_that_there_are() {
        let shown = shown();
        let names: Vec<&str> = shown.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names, Tool::ALL.map(Tool::name));
        for tool in &shown {
            let about = tool.description.as_deref().unwrap_or_default();
            let words = about.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            for word in words.filter(|word| word.starts_with("audit_")) {
                assert!(named(word).is_some(), "{word}");
            }
            let hints = tool.annotations.as_ref().expect("every tool has hints");
            let is_status = tool.name == Tool::Status.name();
            assert_eq!(hints.read_only_hint, Some(is_status), "{}", tool.name);
        }
    }
}
