//! Waiting for another call on the same work tree.

use std::time::{Duration, Instant};

use tribunal_journal::{JournalError, JournalErrorKind};

/// How long a call waits for another one on the same work tree.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long it waits between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// Waits for a lock, as long as a call has patience.
pub(super) async fn when_free<T>(
    mut take: impl FnMut() -> Result<T, JournalError>,
) -> Result<T, JournalError> {
    let since = Instant::now();
    loop {
        match take() {
            Err(JournalError {
                kind: JournalErrorKind::Locked(_) | JournalErrorKind::TreeLocked,
                ..
            }) if since.elapsed() < PATIENCE => tokio::time::sleep(PAUSE).await,
            taken => return taken,
        }
    }
}
