//! What real agent programs printed, with a scripted model behind them: an answer, and a refusal of the
//! model (HTTP 401). Files are `AGENT-VERSION-WHAT.txt`; paths and ports are replaced.

use tribunal_verdict::{EnvelopeName, Note, Wanted, extract};

fn check(file: &str, raw: &str, envelope: EnvelopeName, expected: Result<&str, &str>) {
    let extraction = extract(raw.as_bytes(), &Wanted::any_entry("findings"));
    assert!(extraction.notes.contains(&Note::Envelope(envelope)), "{file}: {extraction:?}");
    assert!(!extraction.notes.contains(&Note::Unfinished), "{file}: {extraction:?}");
    match expected {
        Ok(json) => assert_eq!(extraction.json(), Some(json), "{file}"),
        Err(reason) => {
            assert_eq!(extraction.json(), None, "{file}");
            let said = extraction.agent_error().unwrap_or_default();
            assert!(said.starts_with(reason), "{file}: {said}");
        }
    }
}

macro_rules! recording {
    ($file:literal) => {
        ($file, include_str!(concat!("recordings/", $file, ".txt")))
    };
}

#[test]
fn the_last_word_of_each_agent_is_read_from_what_it_really_printed() {
    use EnvelopeName::{Claude, Codex, Copilot, Gemini, Opencode, Pi};
    let rows = [
        (recording!("claude-2.1.197-answer"), Claude),
        (recording!("codex-0.171.0-answer"), Codex),
        (recording!("copilot-1.0.102-answer"), Copilot),
        (recording!("gemini-0.61.0-answer"), Gemini),
        (recording!("opencode-1.18.33-answer"), Opencode),
        (recording!("pi-0.74.2-answer"), Pi),
        (recording!("qwen-0.24.4-answer"), Claude),
    ];
    for ((file, raw), envelope) in rows {
        check(file, raw, envelope, Ok(r#"{"findings":[]}"#));
    }
}

/// gemini has no row: in its JSON mode it prints nothing then, and ends with 145.
#[test]
fn a_refusal_of_the_model_is_an_error_in_its_own_words() {
    use EnvelopeName::{Claude, Codex, Copilot, Opencode, Pi};
    let rows = [
        (recording!("claude-2.1.197-refused"), Claude, "Failed to authenticate. API Error: 401"),
        (recording!("codex-0.171.0-refused"), Codex, "unexpected status 401 Unauthorized"),
        (recording!("copilot-1.0.102-refused"), Copilot, "Authentication failed with provider"),
        (recording!("opencode-1.18.33-refused"), Opencode, "scripted error 401"),
        (recording!("pi-0.74.2-refused"), Pi, "401 scripted error 401"),
        (recording!("qwen-0.24.4-refused"), Claude, "[API Error: 401 scripted error 401]"),
    ];
    for ((file, raw), envelope, reason) in rows {
        check(file, raw, envelope, Err(reason));
    }
}
