//! Two wire formats of models: chat completions and responses, plain and streamed.

use serde_json::{Value, json};

use super::{Asked, Turn};

/// A way of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wire {
    /// `POST …/chat/completions`.
    Chat,
    /// `POST …/responses`.
    Responses,
}

impl Wire {
    pub(super) fn of(url: &str) -> Option<Self> {
        let path = url.split('?').next().unwrap_or(url);
        match path.rsplit('/').next() {
            Some("completions") => Some(Self::Chat),
            Some("responses") => Some(Self::Responses),
            _ => None,
        }
    }
}

/// A request, read.
pub(super) struct Question {
    pub(super) asked: Asked,
    pub(super) tools: Vec<Tool>,
    pub(super) is_streamed: bool,
}

/// A tool that is offered.
pub(super) struct Tool {
    name: String,
    /// The names of its arguments, with their schemas.
    arguments: Value,
}

/// Programs that write files, and shells, by the names that agents give them.
const WRITERS: [&str; 4] = ["write", "write_file", "create_file", "create"];
const SHELLS: [&str; 5] = ["bash", "shell", "shell_command", "exec_command", "run_shell_command"];

pub(super) fn question(wire: Wire, body: &str) -> serde_json::Result<Question> {
    let body: Value = serde_json::from_str(body)?;
    let messages = match wire {
        Wire::Chat => &body["messages"],
        Wire::Responses => &body["input"],
    };
    let (mut prompt, mut results) = (String::new(), Vec::new());
    for message in messages.as_array().into_iter().flatten() {
        let (role, kind) = (message["role"].as_str(), message["type"].as_str().unwrap_or(""));
        if role == Some("tool") || kind.ends_with("_output") {
            let said =
                if message["output"].is_null() { &message["content"] } else { &message["output"] };
            results.push(text(said));
        } else if role == Some("user") {
            prompt += &text(&message["content"]);
            prompt.push('\n');
        }
    }
    let tools: Vec<Tool> =
        body["tools"].as_array().into_iter().flatten().filter_map(tool).collect();
    let names = tools.iter().map(|tool| tool.name.clone()).collect();
    let asked = Asked { prompt, tools: names, results, key: None };
    Ok(Question { asked, tools, is_streamed: body["stream"] == true })
}

fn tool(offered: &Value) -> Option<Tool> {
    let function = if offered["function"].is_null() { offered } else { &offered["function"] };
    let arguments = function["parameters"]["properties"].clone();
    Some(Tool { name: function["name"].as_str()?.to_owned(), arguments })
}

/// The text of a content field: a string, a part, or a list of parts.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text).collect::<Vec<_>>().join("\n"),
        Value::Object(part) => part.get("text").map_or_else(|| content.to_string(), text),
        _ => String::new(),
    }
}

/// What the model hands out.
enum Item {
    Text(String),
    Call { name: String, arguments: String },
}

/// The body of an answer, and its content type.
pub(super) fn reply(
    wire: Wire,
    turn: &Turn,
    tools: &[Tool],
    is_streamed: bool,
) -> (&'static str, String) {
    let item = item(turn, tools);
    let (events, whole) = match wire {
        Wire::Chat => chat(&item),
        Wire::Responses => responses(&item),
    };
    if is_streamed {
        ("text/event-stream", events)
    } else {
        ("application/json", whole.to_string())
    }
}

/// The first event of a stream that goes no further.
pub(super) fn beginning(wire: Wire) -> String {
    let begun = match wire {
        Wire::Chat => chat(&Item::Text("half an".to_owned())).0,
        Wire::Responses => responses(&Item::Text("half an".to_owned())).0,
    };
    begun.split_inclusive("\n\n").take(1).collect()
}

fn item(turn: &Turn, tools: &[Tool]) -> Item {
    let offered = |names: &[&str]| {
        tools.iter().find(|tool| names.contains(&tool.name.to_lowercase().as_str()))
    };
    match turn {
        Turn::Write { path, content } => match offered(&WRITERS) {
            Some(tool) => {
                let file = if tool.arguments["file_path"].is_null() { "path" } else { "file_path" };
                call(tool, &json!({ file: path, "content": content }))
            }
            None => {
                run(offered(&SHELLS), &format!("printf %s {} > {}", quoted(content), quoted(path)))
            }
        },
        Turn::Run(command) => run(offered(&SHELLS), command),
        Turn::Say(text) => Item::Text(text.clone()),
        Turn::Refuse(_) | Turn::Drop | Turn::Hang => Item::Text(String::new()),
    }
}

fn run(shell: Option<&Tool>, command: &str) -> Item {
    let Some(tool) = shell else { return Item::Text("no tool was offered".to_owned()) };
    let name = if tool.arguments["cmd"].is_null() { "command" } else { "cmd" };
    if tool.arguments[name]["type"] == "array" {
        return call(tool, &json!({ name: ["bash", "-c", command] }));
    }
    call(tool, &json!({ name: command }))
}

fn call(tool: &Tool, arguments: &Value) -> Item {
    Item::Call { name: tool.name.clone(), arguments: arguments.to_string() }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn chat(item: &Item) -> (String, Value) {
    let (message, reason) = match item {
        Item::Text(text) => (json!({ "role": "assistant", "content": text }), "stop"),
        Item::Call { name, arguments } => {
            let function = json!({ "name": name, "arguments": arguments });
            let call =
                json!({ "index": 0, "id": "call_1", "type": "function", "function": function });
            let message = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
            (message, "tool_calls")
        }
    };
    let usage = json!({ "prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050 });
    let head =
        |object: &str| json!({ "id": "c1", "object": object, "created": 1, "model": "scripted" });
    let with = |mut head: Value, choice: Value, usage: Option<&Value>| {
        head["choices"] = json!([choice]);
        if let Some(usage) = usage {
            head["usage"] = usage.clone();
        }
        head
    };
    let part = |delta: &Value, reason: Option<&str>| json!({ "index": 0, "delta": delta, "finish_reason": reason });
    let chunk = "chat.completion.chunk";
    let first = with(head(chunk), part(&message, None), None);
    let last = with(head(chunk), part(&json!({}), Some(reason)), Some(&usage));
    let events = format!("data: {first}\n\ndata: {last}\n\ndata: [DONE]\n\n");
    let choice = json!({ "index": 0, "message": message, "finish_reason": reason });
    (events, with(head("chat.completion"), choice, Some(&usage)))
}

fn responses(item: &Item) -> (String, Value) {
    let item = match item {
        Item::Text(text) => json!({
            "type": "message", "id": "m1", "role": "assistant", "status": "completed",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }],
        }),
        Item::Call { name, arguments } => json!({
            "type": "function_call", "id": "f1", "call_id": "call_1", "name": name,
            "arguments": arguments,
        }),
    };
    let usage = json!({ "input_tokens": 1000, "output_tokens": 50, "total_tokens": 1050 });
    let whole = json!({
        "id": "r1", "object": "response", "created_at": 1, "model": "scripted",
        "status": "completed", "output": [item], "usage": usage,
    });
    let begun = json!({
        "id": "r1", "object": "response", "created_at": 1, "model": "scripted",
        "status": "in_progress", "output": [],
    });
    let events = [
        json!({ "type": "response.created", "response": begun }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": item }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
        json!({ "type": "response.completed", "response": whole }),
    ];
    let mut text = String::new();
    for event in &events {
        let kind = event["type"].as_str().unwrap_or_default();
        text += &format!("event: {kind}\ndata: {event}\n\n");
    }
    (text, whole)
}
