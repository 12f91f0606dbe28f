//! The SDK's own client drives a whole loop.

use std::process::Stdio;

use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::{RoleClient, RunningService};
use rmcp::{ClientLifecycleMode, ClientServiceExt as _};
use serde_json::Value;
use tribunal_test_support::binary;

use crate::ground::{
    Ground, changed, changes, check_schema, clean, standing, unchanged, with_tests,
};

type Client = RunningService<RoleClient, ()>;

async fn call(client: &Client, tool: &str, arguments: Value) -> Value {
    let Value::Object(arguments) = arguments else { panic!("{arguments} is no object") };
    let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
    let result = client.call_tool(params).await.expect("the call is answered");
    let status = result.structured_content.expect("every answer is structured");
    check_schema(&status);
    status
}

/// Drives a loop with a client of this lifecycle; the server ends with the client.
fn check(ground: &Ground, mode: ClientLifecycleMode, steps: &[(&str, Value)], expected: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let mut server = tokio::process::Command::new(binary("tribunal"))
            .arg("mcp")
            .env_clear()
            .envs(ground.sandbox.environment())
            .current_dir(ground.repo.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the server starts");
        let (stdout, stdin) = (server.stdout.take(), server.stdin.take());
        let wire = (stdout.expect("asked for"), stdin.expect("asked for"));
        let client = ().serve_with_lifecycle(wire, mode).await.expect("they understand each other");
        assert_eq!(client.list_all_tools().await.expect("a list").len(), 5);
        let mut status = Value::Null;
        for (tool, arguments) in steps {
            if *tool == "audit_simplify" && arguments["changed"] == true {
                ground.edit("one more");
            }
            status = call(&client, tool, arguments.clone()).await;
        }
        assert_eq!(standing(&status), expected);
        client.cancel().await.expect("it lets go");
        let ended = server.wait().await.expect("a child of ours can be waited for");
        assert!(ended.success(), "{ended}");
    });
}

fn modes() -> [ClientLifecycleMode; 2] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [ClientLifecycleMode::Initialize, ClientLifecycleMode::Discover { preferred_versions }]
}

#[test]
fn it_reaches_each_of_the_four_gates_with_either_lifecycle() {
    let start = |rounds: u32| ("audit_loop_start", with_tests(rounds));
    let review = ("audit_review", changes());
    let pass = ("audit_simplify", changed());
    let rows = [
        (
            vec![start(2), review.clone(), pass.clone(), ("audit_review", clean())],
            "done 1 passed review_clean",
        ),
        (
            vec![start(2), review.clone(), ("audit_simplify", unchanged())],
            "done 0 unverified nothing_left",
        ),
        (vec![start(1), review.clone(), pass, review], "done 1 passed budget_exhausted"),
        (vec![start(2), ("audit_loop_stop", serde_json::json!({}))], "done 0 unverified stopped"),
    ];
    for (steps, expected) in rows {
        for mode in modes() {
            check(&Ground::new(), mode, &steps, expected);
        }
    }
}
