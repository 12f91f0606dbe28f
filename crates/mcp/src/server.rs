//! The server: a tool call in, how the loop stands out.

use std::sync::Arc;
use std::time::Duration;

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig,
    Tool as Shown,
};
use rmcp::service::{RequestContext, RoleServer};
use tokio::runtime::Handle;
use tribunal_phase::review_loop::{Answer, Call, LoopStatus};
use tribunal_runner::RunError;
use tribunal_runner::review_loop::{Answered, Loops};

use crate::tools::{named, shown};
use crate::wire::{Request, request, result};

/// Is told of every state that a call led to, after it is on record.
pub type OnStateChange = Arc<dyn Fn(&LoopStatus) + Send + Sync>;

/// How often a client that wants to know is told that a call is still at work.
const PROGRESS: Duration = Duration::from_secs(5);

const INSTRUCTIONS: &str = "Tribunal runs a review loop that cannot be talked out of its rules. Begin \
    with audit_loop_start, then alternate audit_review and audit_simplify as each answer says \
    (expected_tool) until phase is done. A refused call says what is expected instead. The skills \
    code-review and code-simplification say how to do either phase well.";

/// A server over the loops of a work tree.
///
/// Calls on one work tree are answered one after another, those that change nothing at any time. A
/// client that gives up on a call and makes it again gets the answer of the first.
#[derive(Clone)]
pub struct Server {
    loops: Loops,
    on_state_change: OnStateChange,
    tools: Arc<Vec<Shown>>,
}

impl Server {
    /// A server over these loops, and so over their machine.
    pub fn new(loops: Loops) -> Self {
        Self { loops, on_state_change: Arc::new(|_| {}), tools: Arc::new(shown()) }
    }

    /// Has an observer told of every state that a call led to. It is called between the record and the
    /// answer, and should not take long.
    #[must_use]
    pub fn on_state_change(mut self, observer: OnStateChange) -> Self {
        self.on_state_change = observer;
        self
    }

    async fn carry_out(
        &self,
        request: Request,
        context: &RequestContext<RoleServer>,
    ) -> Result<Answered, RunError> {
        if let Ok(Call::Status(call)) = &request.read {
            let status = self.loops.status(call.run.as_deref())?;
            return Ok(Answered { answer: Answer::Accepted, status });
        }
        // git's work and the wait for locks are not for the thread that speaks with the client.
        let (loops, handle) = (self.loops.clone(), Handle::current());
        let mut work = tokio::task::spawn_blocking(move || {
            handle.block_on(async {
                match request.read {
                    Ok(call) => loops.call(call).await,
                    Err(why) => loops.refuse(request.tool, &request.text, &why).await,
                }
            })
        });
        let token = context.meta.get_progress_token();
        let mut told = 0.0;
        let answered = loop {
            tokio::select! {
                answered = &mut work => break answered,
                () = tokio::time::sleep(PROGRESS), if token.is_some() => {
                    told += 1.0;
                    if let Some(token) = &token {
                        let progress = ProgressNotificationParam::new(token.clone(), told);
                        // A client that has gone away is noticed elsewhere.
                        drop(context.peer.notify_progress(progress).await);
                    }
                }
            }
        };
        let answered = answered.map_err(|error| RunError::Child(error.to_string()))??;
        if answered.answer == Answer::Accepted {
            (self.on_state_change)(&answered.status);
        }
        Ok(answered)
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("tribunal", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(server)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = named(&call.name) else {
            let message = format!("no tool is called `{}`", call.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let request = request(tool, call.arguments);
        Ok(result(self.carry_out(request, &context).await).into())
    }

    fn get_tool(&self, name: &str) -> Option<Shown> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }
}
