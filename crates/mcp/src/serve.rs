//! The server as a program.

use std::io;
use std::time::Duration;

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio_pipes;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tribunal_runner::review_loop::Loops;

use crate::server::Server;

/// How long calls that are at work have for ending their children.
const GRACE: Duration = Duration::from_secs(8);

/// Serves one client on standard input and output until it goes away, or a signal comes; gives the
/// signal's number.
///
/// A test command that is running then is ended with all it started; its call is void, and the loop can
/// be gone on with.
///
/// # Errors
/// The system refuses a runtime or signals, or what the client says first is no beginning.
pub fn serve(loops: Loops) -> io::Result<Option<i32>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (loops, hang_up) = loops.with_hang_up();
    let ended = runtime.block_on(async {
        let ended = until_the_end(loops).await;
        hang_up.now(GRACE).await;
        ended
    });
    // Nobody waits for a read of standard input that cannot be ended.
    runtime.shutdown_background();
    ended
}

async fn until_the_end(loops: Loops) -> io::Result<Option<i32>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    tokio::select! {
        served = to_one_client(loops) => served.map(|()| None),
        number = next(&mut interrupt, SignalKind::interrupt()) => Ok(Some(number)),
        number = next(&mut terminate, SignalKind::terminate()) => Ok(Some(number)),
        number = next(&mut hang_up, SignalKind::hangup()) => Ok(Some(number)),
    }
}

async fn to_one_client(loops: Loops) -> io::Result<()> {
    match Server::new(loops).serve(stdio_pipes()).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        // A client that goes away without a word is no fault.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(error)),
    }
}

async fn next(signal: &mut Signal, kind: SignalKind) -> i32 {
    match signal.recv().await {
        Some(()) => kind.as_raw_value(),
        None => std::future::pending().await,
    }
}
