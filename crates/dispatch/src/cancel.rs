//! Asking running children to end.

use std::future;

use tokio::sync::watch;

/// The hand that cancels; clones share one count.
#[derive(Debug, Clone)]
pub struct Canceller(watch::Sender<u32>);

/// What a call listens to; clones share one count.
#[derive(Debug, Clone)]
pub struct Cancel(watch::Receiver<u32>);

impl Canceller {
    /// A canceller and what listens to it.
    #[must_use]
    pub fn new() -> (Self, Cancel) {
        let (sender, receiver) = watch::channel(0);
        (Self(sender), Cancel(receiver))
    }

    /// Asks once more: the first time children get TERM and their grace, the second time KILL.
    pub fn cancel(&self) {
        self.0.send_modify(|times| *times = times.saturating_add(1));
    }

    /// Another listener.
    #[must_use]
    pub fn listener(&self) -> Cancel {
        Cancel(self.0.subscribe())
    }
}

impl Cancel {
    /// One that is never cancelled.
    #[must_use]
    pub fn never() -> Self {
        Canceller::new().1
    }

    /// How often it was cancelled.
    #[must_use]
    pub fn times(&self) -> u32 {
        *self.0.borrow()
    }

    /// Waits until it was cancelled more than `seen` times, and says how often.
    pub async fn beyond(&mut self, seen: u32) -> u32 {
        // Copied out at once: the guard must not live through an await.
        let times = self.0.wait_for(|times| *times > seen).await.map(|times| *times);
        match times {
            Ok(times) => times,
            // Nobody is left who could cancel.
            Err(_) => future::pending().await,
        }
    }
}
