//! The server, and what is said to it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::failure::Failure;

/// What `/proc` counts processor time in.
const TICK: Duration = Duration::from_millis(10);

/// A server and the wire to it; killed when dropped.
pub(super) struct Server {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next: u64,
}

impl Server {
    pub(super) fn start(
        program: &Path,
        scratch: &Path,
        repository: &Path,
    ) -> Result<Self, Failure> {
        let mut command = Command::new(program);
        command.arg("mcp").current_dir(repository).stdin(Stdio::piped()).stdout(Stdio::piped());
        for (name, folder) in
            [("HOME", "home"), ("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config")]
        {
            command.env(name, scratch.join(folder));
        }
        let mut child = command.spawn().map_err(Failure::at(program))?;
        let wire = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = wire.ok_or_else(|| Failure::Broken("no pipes".to_owned()))?;
        let mut server = Self { child, stdin, stdout: BufReader::new(stdout), next: 0 };
        let client = json!({"name": "bench", "version": "1"});
        let hello =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        server.request("initialize", &hello)?;
        server.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(server)
    }

    fn say(&mut self, message: &Value) -> Result<(), Failure> {
        writeln!(self.stdin, "{message}").map_err(Failure::at("the wire to the server"))
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value, Failure> {
        self.next += 1;
        let id = self.next;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let mut line = String::new();
        self.stdout.read_line(&mut line).map_err(Failure::at("the wire to the server"))?;
        let answer: Value = serde_json::from_str(&line)
            .map_err(|error| Failure::Broken(format!("{error}: {line}")))?;
        if answer["id"] == id && answer.get("error").is_none() {
            return Ok(answer["result"].clone());
        }
        Err(Failure::Broken(format!("{method} was answered by {line}")))
    }

    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Result<(), Failure> {
        let result = self.request("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        if result["structuredContent"]["phase"] == "review" {
            return Ok(());
        }
        Err(Failure::Broken(format!("{tool} was answered by {result}")))
    }

    /// Processor time of the server so far, in whole ticks.
    pub(super) fn processor_time(&self) -> Result<Duration, Failure> {
        let path = format!("/proc/{}/stat", self.child.id());
        let text = std::fs::read_to_string(&path).map_err(Failure::at(&path))?;
        ticks(&text)
            .map(|ticks| TICK * ticks)
            .ok_or_else(|| Failure::Broken(format!("{path} says `{text}`")))
    }
}

/// User and system time in a line of `/proc/PID/stat`: fields 14 and 15; the name of the program, in
/// brackets, may hold blanks.
fn ticks(stat: &str) -> Option<u32> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(11);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some(user + system)
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has ended already where this fails.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_stands_behind_the_name() {
        let line = "77 (a) b) S 1 77 77 0 -1 4194304 100 0 0 0 12 30 0 0 20 0 1 0 5 6";
        assert_eq!(ticks(line), Some(42));
        assert_eq!(ticks("77 (a"), None);
    }
}
