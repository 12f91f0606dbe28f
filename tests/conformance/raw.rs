//! A client without a library: one JSON text a line, as the specification has it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tribunal_test_support::{Sandbox, binary, wait_until};

use crate::ground::check_schema;

const PATIENCE: Duration = Duration::from_secs(30);

/// A server, and the wire to it; killed when dropped.
pub(crate) struct Raw {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
    /// What every request carries in `_meta`.
    meta: Option<Value>,
}

impl Raw {
    pub(crate) fn start(sandbox: &Sandbox, folder: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(binary("tribunal"))
            .arg("mcp")
            .args(arguments)
            .env_clear()
            .envs(sandbox.environment())
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the server starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("its output was asked for");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                // The test may have ended.
                if sender.send(line.expect("stdout is text")).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin, lines, next: 0, meta: None }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The handshake of the versions before 2026-07-28.
    pub(crate) fn shake_hands(&mut self, version: &str) -> Value {
        let client = json!({"name": "raw", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        let answer = self.request("initialize", params);
        self.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer["result"].clone()
    }

    /// From now on each request carries what version 2026-07-28 wants to know.
    pub(crate) fn without_a_handshake(&mut self) {
        self.meta = Some(json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }));
    }

    /// Sends a request and gives its number.
    pub(crate) fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.next += 1;
        if let Some(meta) = &self.meta {
            params["_meta"] = meta.clone();
        }
        let id = self.next;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.say_line(&message.to_string());
    }

    pub(crate) fn say_line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("the wire is open");
        writeln!(stdin, "{line}").expect("the server reads");
    }

    /// The next message; everything that is no JSON-RPC fails the test.
    pub(crate) fn hear(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("the server answers");
        let message: Value =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// The answer to a request; notifications on the way are passed over.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.hear();
            if message["id"] == id {
                return message;
            }
            assert!(message.get("method").is_some(), "nobody asked for {message}");
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    pub(crate) fn send_call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.send("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// A call that counts.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let id = self.send_call(tool, arguments);
        self.status_of(id, false)
    }

    /// A call that is refused.
    #[track_caller]
    pub(crate) fn refused(&mut self, tool: &str, arguments: &Value, said: &str) -> Value {
        let id = self.send_call(tool, arguments);
        let status = self.status_of(id, true);
        let refused = status["refused"].as_str().unwrap_or_else(|| panic!("{status}"));
        assert!(refused.contains(said), "{refused}, not {said}");
        status
    }

    /// The status that answers a call, checked against its schema; content and structured content agree.
    #[track_caller]
    pub(crate) fn status_of(&mut self, id: u64, is_refused: bool) -> Value {
        let answer = self.answer(id);
        let result = &answer["result"];
        assert_eq!(result["isError"].as_bool().unwrap_or(false), is_refused, "{answer}");
        let status = result["structuredContent"].clone();
        check_schema(&status);
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert_eq!(serde_json::from_str::<Value>(text).ok().as_ref(), Some(&status));
        status
    }

    #[track_caller]
    pub(crate) fn status(&mut self) -> Value {
        self.call("audit_loop_status", &json!({}))
    }

    /// Closes the wire and gives the exit code; nothing may be said any more.
    pub(crate) fn close(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.ended()
    }

    /// Waits for the end and gives the exit code.
    pub(crate) fn ended(&mut self) -> Option<i32> {
        let mut status = None;
        wait_until(
            || {
                status = self.child.try_wait().expect("a child of ours can be waited for");
                status.is_some()
            },
            PATIENCE,
            "the end of the server",
        );
        status.and_then(|status| status.code())
    }

    /// Kills the server at once.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("a child of ours can be killed");
        self.child.wait().expect("and waited for");
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // It has ended already, or the test has: neither minds a failure here.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
