//! A model that plays a part, on loopback: real agent command lines ask it as they would ask any other.

mod wire;

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use tiny_http::{Header, Request, Response, Server, StatusCode};

use wire::Wire;

/// What the script sees of one request.
#[derive(Debug, Clone)]
pub struct Asked {
    /// All that the user side has said, agents' own preambles included.
    pub prompt: String,
    /// The tools that are offered, by name.
    pub tools: Vec<String>,
    /// What the tools of this conversation have answered so far.
    pub results: Vec<String>,
    /// The key that arrived.
    pub key: Option<String>,
}

/// What the model does when it is asked.
#[derive(Debug, Clone)]
pub enum Turn {
    /// Says this and is done.
    Say(String),
    /// Has a shell run this.
    Run(String),
    /// Has a file written, with a tool for that or else with a shell.
    Write {
        /// The file, absolute.
        path: String,
        /// What is in it afterwards.
        content: String,
    },
    /// Refuses with an HTTP status.
    Refuse(u16),
    /// Begins to answer, and the stream ends.
    Drop,
    /// Never answers.
    Hang,
}

/// The longest that a hanging answer keeps its connection, so that no test leaves a thread for ever.
const HANG: Duration = Duration::from_secs(120);

/// A running model; it ends with the test.
pub struct ScriptedModel {
    server: Arc<Server>,
    port: u16,
    asked: Receiver<Asked>,
}

impl ScriptedModel {
    /// Starts it; each request is answered by the script, several at a time.
    ///
    /// # Panics
    ///
    /// When loopback gives no port.
    #[must_use]
    pub fn start(script: impl Fn(&Asked) -> Turn + Send + Sync + 'static) -> Self {
        let server = Arc::new(Server::http("127.0.0.1:0").expect("loopback gives a port"));
        let port = server.server_addr().to_ip().expect("an address").port();
        let (sender, asked) = channel();
        let (script, listening) = (Arc::new(script), Arc::clone(&server));
        thread::spawn(move || {
            for request in listening.incoming_requests() {
                let (script, sender) = (Arc::clone(&script), sender.clone());
                thread::spawn(move || answer(request, &*script, &sender));
            }
        });
        Self { server, port, asked }
    }

    /// The address that agents are told, up to `/v1`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// What was asked since the last look, in the order of arrival.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.try_iter().collect()
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.server.unblock();
    }
}

impl fmt::Debug for ScriptedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedModel").field("port", &self.port).finish_non_exhaustive()
    }
}

fn answer(mut request: Request, script: &dyn Fn(&Asked) -> Turn, asked: &Sender<Asked>) {
    let Some(wire) = Wire::of(request.url()) else {
        // Agents look for lists of models and the like.
        return respond(request, 404, "application/json", "{}".to_owned());
    };
    let mut body = String::new();
    if request.as_reader().read_to_string(&mut body).is_err() {
        return;
    }
    let key = request.headers().iter().find(|header| header.field.equiv("authorization"));
    let key = key.map(|header| header.value.as_str().trim_start_matches("Bearer ").to_owned());
    let question = match wire::question(wire, &body) {
        Ok(question) => question,
        Err(error) => return respond(request, 400, "text/plain", error.to_string()),
    };
    let seen = Asked { key, ..question.asked };
    let turn = script(&seen);
    // A test that has ended asks for nothing any more.
    asked.send(seen).ok();
    match turn {
        Turn::Refuse(status) => {
            let text = r#"{"error":{"message":"scripted refusal","type":"scripted"}}"#.to_owned();
            respond(request, status, "application/json", text);
        }
        Turn::Drop => respond(request, 200, "text/event-stream", wire::beginning(wire)),
        Turn::Hang => {
            thread::park_timeout(HANG);
            drop(request);
        }
        Turn::Say(_) | Turn::Run(_) | Turn::Write { .. } => {
            let (kind, text) = wire::reply(wire, &turn, &question.tools, question.is_streamed);
            respond(request, 200, kind, text);
        }
    }
}

fn respond(request: Request, status: u16, kind: &str, text: String) {
    let kind = Header::from_bytes("Content-Type", kind).expect("a plain header");
    let response =
        Response::from_string(text).with_status_code(StatusCode(status)).with_header(kind);
    // An agent that was killed has closed its end.
    request.respond(response).ok();
}
