//! Handshakes, versions, tools, and what is no request at all.

use serde_json::{Value, json};

use crate::ground::{Ground, check_schema};
use crate::raw::Raw;

fn fresh(ground: &Ground) -> Raw {
    Raw::start(&ground.sandbox, ground.repo.root(), &[])
}

const NAMES: [&str; 5] =
    ["audit_loop_start", "audit_review", "audit_simplify", "audit_loop_stop", "audit_loop_status"];

#[track_caller]
fn check_tools(listed: &Value) {
    let tools = listed["result"]["tools"].as_array().expect("a list of tools");
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap_or("")).collect();
    assert_eq!(names, NAMES);
    let published = [
        include_str!("../../schemas/loop-start.json"),
        include_str!("../../schemas/review.json"),
        include_str!("../../schemas/simplification.json"),
        include_str!("../../schemas/loop-stop.json"),
        include_str!("../../schemas/loop-query.json"),
    ];
    let status: Value =
        serde_json::from_str(include_str!("../../schemas/loop-status.json")).expect("JSON");
    for (tool, schema) in tools.iter().zip(published) {
        let schema: Value = serde_json::from_str(schema).expect("JSON");
        assert_eq!(tool["inputSchema"], schema, "{}", tool["name"]);
        assert_eq!(tool["outputSchema"], status, "{}", tool["name"]);
        assert_eq!(tool["inputSchema"]["type"], "object");
    }
    let hints = |at: usize| &tools[at]["annotations"];
    for (at, read_only, idempotent) in
        [(0, false, false), (1, false, true), (2, false, true), (3, false, false), (4, true, true)]
    {
        assert_eq!(hints(at)["readOnlyHint"], read_only, "{}", NAMES[at]);
        assert_eq!(hints(at)["idempotentHint"], idempotent, "{}", NAMES[at]);
        assert_eq!(hints(at)["destructiveHint"], false, "{}", NAMES[at]);
    }
}

#[test]
fn every_older_version_is_answered_in_its_own() {
    let ground = Ground::new();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut raw = fresh(&ground);
        let hello = raw.shake_hands(version);
        assert_eq!(hello["protocolVersion"], version);
        assert_eq!(hello["serverInfo"]["name"], "tribunal");
        assert!(hello["capabilities"]["tools"].is_object(), "{hello}");
        let listed = raw.request("tools/list", json!({}));
        check_tools(&listed);
        assert_eq!(raw.status()["phase"], "idle");
        assert_eq!(raw.request("ping", json!({}))["result"], json!({}));
        assert_eq!(raw.close(), Some(0));
    }
}

/// The version without handshakes and sessions: each request says who asks, and which version.
#[test]
fn the_stateless_version_needs_no_handshake() {
    let ground = Ground::new();
    let mut raw = fresh(&ground);
    raw.without_a_handshake();
    let found = raw.request("server/discover", json!({}));
    let versions = &found["result"]["supportedVersions"];
    assert!(versions.as_array().is_some_and(|all| all.contains(&json!("2026-07-28"))), "{found}");
    check_tools(&raw.request("tools/list", json!({})));
    let begun = raw.call("audit_loop_start", &json!({"scope": "src"}));
    assert_eq!(begun["phase"], "review");
    assert_eq!(raw.close(), Some(0));
    let mut later = fresh(&ground);
    later.without_a_handshake();
    later.request("server/discover", json!({}));
    assert_eq!(
        later.status()["run"],
        begun["run"],
        "the handle is the work tree's, not the wire's"
    );
}

#[test]
fn what_is_no_request_breaks_nothing() {
    let ground = Ground::new();
    let mut raw = ground.client();
    raw.say_line("this is no JSON");
    raw.say_line("");
    raw.say(&json!({"jsonrpc": "2.0", "method": "notifications/unheard-of"}));
    let unknown = raw.request("no/such", json!({}));
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    let id = raw.send_call("no_such_tool", &json!({}));
    let answer = raw.answer(id);
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    check_schema(&raw.status());
    assert_eq!(raw.close(), Some(0));
}

#[test]
fn a_client_that_never_speaks_leaves_no_server() {
    let ground = Ground::new();
    assert_eq!(fresh(&ground).close(), Some(0));
}

#[test]
fn outside_of_a_repository_the_server_runs_and_each_call_says_why_not() {
    let ground = Ground::new();
    let mut raw = ground.client_at(ground.sandbox.root());
    for (tool, arguments) in
        [("audit_loop_status", json!({})), ("audit_loop_start", json!({"scope": "src"}))]
    {
        let id = raw.send_call(tool, &arguments);
        let result = raw.answer(id)["result"].clone();
        assert_eq!(result["isError"], true, "{result}");
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains("no git repository"), "{text}");
    }
}

#[test]
fn what_the_server_prints_without_serving() {
    let ground = Ground::new();
    let run = |arguments: &[&str]| {
        ground.sandbox.tribunal(&["mcp"]).args(arguments).dir(ground.repo.root()).run()
    };
    for client in ["claude-code", "claude-code-hook", "codex", "gemini", "pi", "vscode"] {
        let outcome = run(&["--print-config", client]);
        outcome.expect_code(0);
        assert!(outcome.stdout.contains("tribunal"), "{client}: {}", outcome.stdout);
    }
    for json in ["vscode", "claude-code-hook"] {
        let text = run(&["--print-config", json]).stdout;
        assert!(serde_json::from_str::<Value>(&text).is_ok(), "{text}");
    }
    let unknown = run(&["--print-config", "emacs"]);
    unknown.expect_code(2);
    assert!(unknown.stderr.contains("there are claude-code, "), "{}", unknown.stderr);

    run(&["--write-skills", "skills"]).expect_code(0);
    let skill = ground.repo.read("skills/code-review/SKILL.md");
    assert!(skill.starts_with("---\nname: code-review\n"), "{skill}");
    run(&["--write-skills", "skills"]).expect_code(0);
    ground.repo.append("skills/code-review/SKILL.md", "mine\n");
    let kept = run(&["--write-skills", "skills"]);
    kept.expect_code(2);
    assert!(kept.stderr.contains("is there with another text"), "{}", kept.stderr);
    assert!(ground.repo.read("skills/code-review/SKILL.md").ends_with("mine\n"));
}
