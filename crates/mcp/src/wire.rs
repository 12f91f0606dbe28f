//! Between JSON-RPC and calls.

use std::sync::Arc;

use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use schemars::Schema;
use serde_json::Value;
use tribunal_phase::review_loop::{Answer, Call, Tool, Unreadable, read_call};
use tribunal_runner::RunError;
use tribunal_runner::review_loop::Answered;

/// Arguments as they came, and what they were read as.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) tool: Tool,
    pub(crate) read: Result<Call, Unreadable>,
    /// The arguments' JSON, for the record of a call that cannot be read.
    pub(crate) text: String,
}

/// Reads the arguments of a call.
pub(crate) fn request(tool: Tool, arguments: Option<JsonObject>) -> Request {
    let arguments = arguments.unwrap_or_default(); // no arguments: all of them left out
    let text = Value::Object(arguments.clone()).to_string();
    Request { tool, read: read_call(tool, arguments), text }
}

/// A schema, as tools carry it.
pub(crate) fn schema_object(schema: Schema) -> Arc<JsonObject> {
    match schema.to_value() {
        Value::Object(object) => Arc::new(object),
        // `true` allows everything, and so does an empty object.
        _ => Arc::default(),
    }
}

/// How the loop stands, as structured content; a refusal is an error that the model sees.
pub(crate) fn result(answered: Result<Answered, RunError>) -> CallToolResult {
    match answered {
        Ok(Answered { answer, status }) => {
            let value = serde_json::to_value(&status).expect("a status is plain data");
            match answer {
                Answer::Accepted | Answer::Repeated => CallToolResult::structured(value),
                Answer::Refused(_) => CallToolResult::structured_error(value),
            }
        }
        Err(error) => CallToolResult::error(vec![ContentBlock::text(format!("error: {error}"))]),
    }
}
