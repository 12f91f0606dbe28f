//! Answers inside the envelopes of agent command lines (D4).

use tribunal_verdict::{
    Class, EnvelopeName, Extraction, Note, Tier, Wanted, answer_text, extract, unwrap_text,
};

const F1: &str = r#"{"validated":[{"finding_id":"F1","verdict":"confirmed"}]}"#;

fn ballot(raw: &str) -> Extraction<'static> {
    extract(raw.as_bytes(), &Wanted::any_entry("validated")).into_owned()
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("text")
}

/// Every shape that an envelope has; `TEXT` stands for the final text as a JSON string.
const ENVELOPES: &[(EnvelopeName, &str)] = &[
    (
        EnvelopeName::Claude,
        r#"{"type":"result","subtype":"success","is_error":false,"num_turns":3,"result":TEXT}"#,
    ),
    (
        EnvelopeName::Claude,
        r#"Loading {plugins} ...
{"type":"system","subtype":"init","session_id":"s"}
noise {}
{"type":"assistant","message":{"content":[{"type":"text","text":"Let me {look}."}]}}
{"type":"result","subtype":"success","is_error":false,"result":TEXT}"#,
    ),
    (
        EnvelopeName::Claude,
        r#"[{"type":"system","subtype":"init","session_id":"s"},
{"type":"assistant","message":{"content":[{"type":"text","text":"Let me {look}."}]}},
{"type":"result","subtype":"success","is_error":false,"result":TEXT}]"#,
    ),
    (
        EnvelopeName::Codex,
        r#"{"type":"thread.started","thread_id":"t1"}
{"type":"item.completed","item":{"id":"i0","type":"reasoning","text":"check {braces}"}}
{"type":"error","message":"Reconnecting... 1/5"}
{"type":"item.completed","item":{"id":"i1","type":"agent_message","text":TEXT}}
{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":5}}
"#,
    ),
    (
        EnvelopeName::Pi,
        r#"{"type":"agent_start"}
{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"Hm."}]}}
{"type":"agent_end","messages":[{"role":"user","content":[{"type":"text","text":"{}"}]},{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":TEXT}],"stopReason":"stop"}]}
"#,
    ),
    (EnvelopeName::Gemini, r#"{"response":TEXT,"stats":{"tools":{"totalCalls":2}}}"#),
    (
        EnvelopeName::Gemini,
        r#"Loaded cached credentials.
File tool.zip has been cached
{
  "response": TEXT,
  "stats": {
    "tools": {}
  }
}
"#,
    ),
    (
        EnvelopeName::Gemini,
        r#"{"type":"init","session_id":"s","model":"m"}
{"type":"message","role":"assistant","content":"Let me look.","delta":true}
{"type":"tool_use","tool_name":"read"}
{"type":"message","role":"assistant","content":TEXT,"delta":true}
{"type":"result","status":"success","stats":{}}"#,
    ),
    (
        EnvelopeName::Opencode,
        r#"{"type":"step_start","part":{}}
{"type":"text","part":{"text":"Let me look."}}
{"type":"step_start","part":{}}
{"type":"text","part":{"text":TEXT}}
{"type":"step_finish","part":{"reason":"stop"}}
"#,
    ),
    (
        EnvelopeName::Copilot,
        r#"{"type":"assistant.message_delta","data":{"deltaContent":"x"}}
{"type":"assistant.message","data":{"content":TEXT}}
{"type":"result","sessionId":"s","exitCode":0,"usage":{}}
"#,
    ),
    (EnvelopeName::JsonString, "TEXT"),
];

fn envelopes(text: &str) -> impl Iterator<Item = (EnvelopeName, String)> {
    let text = quoted(text);
    ENVELOPES.iter().map(move |(name, shape)| (*name, shape.replace("TEXT", &text)))
}

#[test]
fn the_tiers_run_on_the_inner_text() {
    for (inner, tier) in [
        (F1.to_owned(), Tier::Strict),
        (format!("```json\n{F1}\n```"), Tier::Unfenced),
        (format!("Checked.\n\n```json\n{F1}\n```"), Tier::Scanned),
    ] {
        for (name, text) in envelopes(&inner) {
            let found = ballot(&text);
            assert_eq!((found.json(), found.tier()), (Some(F1), Some(tier)), "{text}");
            assert_eq!(found.notes, [Note::Envelope(name)], "{text}");
        }
    }
}

#[test]
fn an_envelope_may_be_fenced_or_have_other_line_ends() {
    for (name, text) in envelopes(F1).filter(|(name, _)| *name != EnvelopeName::JsonString) {
        for text in [format!("```json\n{text}\n```"), text.replace('\n', "\r\n")] {
            let found = ballot(&text);
            assert_eq!(found.json(), Some(F1), "{text}");
            assert_eq!(found.notes, [Note::Envelope(name)], "{text}");
        }
    }
}

#[test]
fn silence_in_an_envelope_is_empty_and_prose_unparseable() {
    for (inner, class) in
        [("", Class::Empty), (" \n", Class::Empty), ("No JSON.", Class::Unparseable)]
    {
        for (_, text) in envelopes(inner) {
            let found = ballot(&text);
            assert_eq!((found.class(), found.agent_error()), (class, None), "{text}");
        }
    }
}

#[test]
fn the_final_text_is_taken_out_for_prose() {
    for inner in ["All is well.", "See {\"a\":1}", F1] {
        for (_, text) in envelopes(inner) {
            assert_eq!(answer_text(text.as_bytes()), inner, "{text}");
        }
        assert_eq!(answer_text(format!("\u{FEFF}{inner}\x1b[0m\n").as_bytes()), inner);
    }
}

#[test]
fn prose_that_quotes_an_envelope_stays_prose() {
    let event = r#"{"type":"result","is_error":true,"result":"boom"}"#;
    let prose = format!("The log has\n{event}\nwhich is wrong.");
    assert_eq!(answer_text(prose.as_bytes()), prose);
    let found = ballot(&format!("{prose}\n{F1}"));
    assert_eq!((found.json(), found.agent_error()), (Some(F1), None));
}

#[test]
fn an_object_made_by_a_schema_goes_before_the_text() {
    let text = format!(
        r#"{{"type":"result","subtype":"success","is_error":false,"result":"Returned it.","structured_output":{F1}}}"#
    );
    assert_eq!(ballot(&text).json(), Some(F1));
    assert_eq!(ballot(&format!("banner\n{text}")).json(), Some(F1));
    assert_eq!(answer_text(text.as_bytes()), "Returned it.");
    let silent = text.replace("Returned it.", "");
    assert_eq!(answer_text(silent.as_bytes()), F1);
}

#[test]
fn a_text_is_unwrapped_once() {
    let inner = quoted(F1);
    let found = ballot(&quoted(&inner));
    assert_eq!(found.class(), Class::Unparseable);
}

#[track_caller]
fn check_error(text: &str, message: &str) {
    let found = ballot(text);
    assert_eq!((found.class(), found.agent_error()), (Class::Unparseable, Some(message)), "{text}");
    let prose = unwrap_text(text.as_bytes());
    assert_eq!((prose.text.as_str(), prose.agent_error()), ("", Some(message)), "{text}");
}

#[test]
fn an_envelope_that_reports_an_error_is_no_answer() {
    check_error(
        r#"{"type":"result","subtype":"success","is_error":true,"result":"API Error: 401"}"#,
        "API Error: 401",
    );
    check_error(
        &format!(
            r#"{{"type":"result","subtype":"success","is_error":true,"result":{}}}"#,
            quoted(F1)
        ),
        F1,
    );
    check_error(r#"{"type":"result","subtype":"error_max_turns"}"#, "error_max_turns");
    check_error(r#"[{"type":"result","is_error":true}]"#, "no reason given");
    check_error(
        "{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"turn.failed\",\"error\":{\"message\":\"stream cut\"}}",
        "stream cut",
    );
    check_error(
        "{\"type\":\"turn.started\"}\n{\"type\":\"error\",\"message\":\"quota\"}\n",
        "quota",
    );
    check_error(
        r#"{"type":"agent_end","messages":[{"role":"assistant","content":[],"stopReason":"error","errorMessage":"HTTP 500"}]}"#,
        "HTTP 500",
    );
    check_error(
        r#"{"type":"error","sessionID":"s","error":{"name":"APIError","data":{"message":"no key","statusCode":401}}}"#,
        "no key",
    );
    check_error(
        "{\"type\":\"assistant.message\",\"data\":{\"content\":\"x\"}}\n{\"type\":\"result\",\"sessionId\":\"s\",\"exitCode\":1}",
        "1",
    );
    check_error(
        r#"{"session_id":"s","error":{"type":"E","message":"bad key","code":1}}"#,
        "bad key",
    );
}

#[test]
fn a_stream_that_is_cut_off_says_so() {
    let start = r#"{"type":"thread.started","thread_id":"t"}"#;
    check_error(
        &format!("{start}\n{{\"type\":\"turn.started\"}}"),
        "its events end before an answer",
    );
    let item = format!(
        r#"{{"type":"item.completed","item":{{"type":"agent_message","text":{}}}}}"#,
        quoted(F1)
    );
    let found = ballot(&format!("{start}\n{item}\n{{\"type\":\"item.comp"));
    assert_eq!(found.json(), Some(F1));
    assert_eq!(found.notes, [Note::Envelope(EnvelopeName::Codex), Note::Unfinished]);
}

#[test]
fn the_key_in_an_event_that_is_cut_off_is_no_answer() {
    let text = format!(
        "{}\n{{\"type\":\"item.completed\",\"item\":{{\"seen\":{F1},\"x",
        r#"{"type":"thread.started","thread_id":"t"}"#
    );
    check_error(&text, "its events end before an answer");
}

#[test]
fn the_last_answer_of_a_stream_counts() {
    let item = |text: &str| {
        let text = quoted(text);
        format!(r#"{{"type":"item.completed","item":{{"type":"agent_message","text":{text}}}}}"#)
    };
    let end = r#"{"type":"turn.completed"}"#;
    let text = [item("{\"validated\":[]}"), item(F1), end.to_owned()].join("\n");
    assert_eq!(ballot(&text).json(), Some(F1));
}

#[test]
fn an_ordinary_object_is_no_envelope() {
    for text in [
        r#"{"type":"error","message":"a log line"}"#,
        r#"{"type":"text","value":1}"#,
        r#"{"type":"result","ok":true}"#,
        r#"{"response":"ok"}"#,
        r#"{"type":"message","role":"assistant","content":"x"}"#,
        r#"{"type":"init"}"#,
        r#"{"type":1,"result":"x"}"#,
    ] {
        let found = ballot(text);
        assert_eq!((found.json(), found.tier()), (Some(text), Some(Tier::Strict)));
        assert_eq!(found.notes, []);
        assert_eq!(answer_text(text.as_bytes()), text);
    }
}
