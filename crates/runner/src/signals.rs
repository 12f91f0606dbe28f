//! Signals that ask a run to end in order.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::error::RunError;

/// SIGINT, SIGTERM and SIGHUP, as events.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Signals {
    pub(crate) fn new() -> Result<Self, RunError> {
        let listen = |kind| {
            signal(kind).map_err(|source| RunError::Io {
                what: "listening for signals",
                path: std::path::PathBuf::from("(process)"),
                source,
            })
        };
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hang_up: listen(SignalKind::hangup())?,
        })
    }

    /// The number of the next signal.
    pub(crate) async fn next(&mut self) -> i32 {
        tokio::select! {
            Some(()) = self.interrupt.recv() => SignalKind::interrupt().as_raw_value(),
            Some(()) = self.terminate.recv() => SignalKind::terminate().as_raw_value(),
            Some(()) = self.hang_up.recv() => SignalKind::hangup().as_raw_value(),
            else => std::future::pending().await,
        }
    }
}
