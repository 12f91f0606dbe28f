//! A caller that goes away while its calls are at work.

use std::future;
use std::time::Duration;

use tokio::sync::watch;

/// SIGHUP: what the end of a caller is recorded as.
pub(super) const SIGNAL: i32 = 1;

/// The hand that ends the calls of loops whose caller has gone.
#[derive(Debug)]
pub struct HangUp(watch::Sender<bool>);

/// What calls listen to; each holds one until it has ended.
#[derive(Debug, Clone)]
pub(super) struct Gone(watch::Receiver<bool>);

pub(super) fn channel() -> (HangUp, Gone) {
    let (sender, receiver) = watch::channel(false);
    (HangUp(sender), Gone(receiver))
}

impl HangUp {
    /// Ends what is at work, and waits until it has ended or the time is over. A test command is ended
    /// with all it started; its call is void.
    pub async fn now(self, grace: Duration) {
        self.0.send_replace(true);
        // A call that only waits for a lock leaves nothing behind.
        let _ = tokio::time::timeout(grace, self.0.closed()).await;
    }
}

impl Gone {
    /// Waits for the caller's going.
    pub(super) async fn wait(&mut self) {
        if self.0.wait_for(|gone| *gone).await.is_err() {
            // Nobody is left who could say so.
            future::pending::<()>().await;
        }
    }
}
