//! Every event that a known agent command line prints and that says how its answer came out.
//!
//! Events that are not listed carry no answer and are passed over. An event claims the stream only
//! by members that no ordinary log line has.

use super::EnvelopeName::{Claude, Codex, Copilot, Gemini, Opencode, Pi};
use super::stream::Stream;
use crate::json::Json;

/// Reads one event; an object that is none of an agent's changes nothing.
pub(super) fn read<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    let [kind] = event.pick(["type"]);
    let Some(kind) = kind.and_then(Json::string) else { return gemini_object(stream, event) };
    match &*kind {
        "result" => result(stream, event),
        "system" => claude_start(stream, event),
        "assistant" => claude_message(stream, event),
        "thread.started" | "turn.started" => codex_start(stream),
        "item.completed" => codex_item(stream, event),
        "turn.completed" => codex_completed(stream),
        "turn.failed" => codex_failed(stream, event),
        "agent_start" => pi_start(stream),
        "message_end" => pi_message(stream, event),
        "agent_end" => pi_end(stream, event),
        "step_start" => opencode_step(stream, event),
        "text" => opencode_text(stream, event),
        "step_finish" => opencode_finish(stream, event),
        "assistant.turn_start" => copilot_turn(stream, event),
        "assistant.message" => copilot_message(stream, event),
        "session.error" => copilot_error(stream, event),
        "init" => gemini_start(stream, event),
        "message" => gemini_message(stream, event),
        "tool_use" | "tool_result" => gemini_tool(stream),
        "error" => error(stream, event),
        _ => {}
    }
}

/// The closing event of claude, gemini and copilot; all three call it `result`.
fn result<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    let [is_error, subtype, text, structured] =
        event.pick(["is_error", "subtype", "result", "structured_output"]);
    let [status, exit_code, error] = event.pick(["status", "exitCode", "error"]);
    let is_claude =
        is_error.or(subtype).or(structured).is_some() || text.is_some_and(Json::is_string);
    if is_claude && stream.claim(Claude) {
        let failed = is_error.is_some_and(is_true)
            || subtype.and_then(Json::string).is_some_and(|word| word.starts_with("error"));
        if failed {
            return stream.fail(&[text, message_of(error), error, subtype]);
        }
        match text {
            Some(text) if text.is_object() => stream.hand_over(text),
            Some(text) => stream.say(text),
            None => {}
        }
        if let Some(structured) = structured.filter(|value| value.is_object()) {
            stream.hand_over(structured);
        }
        stream.finish();
    } else if let Some(code) = exit_code.filter(|_| stream.is(Copilot)) {
        match code.get() {
            "0" => stream.finish(),
            // An error event before it says more than a number.
            _ if stream.has_failed() => {}
            _ => stream.fail(&[error, Some(code)]),
        }
    } else if let Some(status) = status.filter(|_| stream.is(Gemini)) {
        match status.string().as_deref() {
            Some("success") => stream.finish(),
            _ => stream.fail(&[message_of(error), error, Some(status)]),
        }
    }
}

fn claude_start<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    if let [Some(_)] = event.pick(["session_id"]) {
        stream.claim(Claude);
    }
}

fn claude_message<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    if let [Some(message)] = event.pick(["message"])
        && let [Some(content)] = message.pick(["content"])
        && stream.claim(Claude)
    {
        stream.say(content);
    }
}

fn codex_start(stream: &mut Stream<'_>) {
    stream.claim(Codex);
}

fn codex_item<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    if let [Some(item)] = event.pick(["item"])
        && stream.claim(Codex)
        && let [Some(kind), Some(text)] = item.pick(["type", "text"])
        && kind.string().as_deref() == Some("agent_message")
    {
        stream.say(text);
    }
}

fn codex_completed(stream: &mut Stream<'_>) {
    if stream.claim(Codex) {
        stream.finish();
    }
}

fn codex_failed<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    if stream.claim(Codex) {
        let [error] = event.pick(["error"]);
        stream.fail(&[message_of(error), error]);
    }
}

fn pi_start(stream: &mut Stream<'_>) {
    stream.claim(Pi);
}

fn pi_message<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    if let [Some(message)] = event.pick(["message"])
        && let [Some(role), Some(content)] = message.pick(["role", "content"])
        && role.string().as_deref() == Some("assistant")
        && stream.is(Pi)
    {
        stream.say(content);
    }
}

fn pi_end<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    let [Some(messages)] = event.pick(["messages"]) else { return };
    if !messages.is_array() || !stream.claim(Pi) {
        return;
    }
    stream.finish();
    for message in messages.elements() {
        let [role, content, reason, error] =
            message.pick(["role", "content", "stopReason", "errorMessage"]);
        if role.and_then(Json::string).as_deref() == Some("assistant") {
            match reason.and_then(Json::string).as_deref() {
                Some("error" | "aborted") => stream.fail(&[error, reason]),
                _ => stream.finish(),
            }
            if let Some(content) = content {
                stream.say(content);
            }
        }
    }
}

fn opencode_step<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    if let [Some(_)] = event.pick(["part"])
        && stream.claim(Opencode)
    {
        stream.start_over();
    }
}

fn opencode_text<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    if let [Some(part)] = event.pick(["part"])
        && let [Some(text)] = part.pick(["text"])
        && stream.claim(Opencode)
    {
        stream.say_more(text);
    }
}

fn opencode_finish<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    if let [Some(_)] = event.pick(["part"])
        && stream.claim(Opencode)
    {
        stream.finish();
    }
}

fn copilot_turn<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    if let [Some(turn)] = event.pick(["data"])
        && let [Some(_)] = turn.pick(["turnId"])
    {
        stream.claim(Copilot);
    }
}

fn copilot_error<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    if let [Some(error)] = event.pick(["data"])
        && stream.is(Copilot)
    {
        stream.fail(&[message_of(Some(error)), Some(error)]);
    }
}

fn copilot_message<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    if let [Some(message)] = event.pick(["data"])
        && let [Some(content)] = message.pick(["content"])
        && stream.claim(Copilot)
    {
        stream.say(content);
    }
}

/// The one object of `gemini --output-format json`; it has no `type`.
fn gemini_object<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    let [response, stats, session, error] =
        event.pick(["response", "stats", "session_id", "error"]);
    if stats.or(session).is_none() || response.or(error).is_none() || !stream.claim(Gemini) {
        return;
    }
    match (error, response) {
        (Some(error), _) => stream.fail(&[message_of(Some(error)), Some(error)]),
        (None, Some(response)) => {
            stream.say(response);
            stream.finish();
        }
        (None, None) => {}
    }
}

fn gemini_start<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    if let [Some(_)] = event.pick(["session_id"]) {
        stream.claim(Gemini);
    }
}

fn gemini_message<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    if let [Some(role), Some(content), delta] = event.pick(["role", "content", "delta"])
        && role.string().as_deref() == Some("assistant")
        && stream.is(Gemini)
    {
        // Gemini's closing event repeats no text: here the parts are all there is.
        if delta.is_some_and(is_true) { stream.say_more(content) } else { stream.say(content) }
    }
}

fn gemini_tool(stream: &mut Stream<'_>) {
    if stream.is(Gemini) {
        stream.start_over();
    }
}

fn error<'a>(stream: &mut Stream<'a>, event: Json<'a>) {
    let [message, error, session] = event.pick(["message", "error", "sessionID"]);
    let is_opencode = error.is_some() && session.is_some();
    if is_opencode && stream.claim(Opencode) {
        let [name, details] = error.map_or([None; 2], |error| error.pick(["name", "data"]));
        stream.fail(&[message_of(details), name, error]);
    } else if stream.is(Codex) {
        stream.fail(&[message]);
    }
}

fn message_of(error: Option<Json<'_>>) -> Option<Json<'_>> {
    let [message] = error?.pick(["message"]);
    message
}

fn is_true(value: Json<'_>) -> bool {
    value.get() == "true"
}
