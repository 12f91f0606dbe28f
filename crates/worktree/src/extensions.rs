//! Repository extensions that libgit2 does not know and that change nothing here.

use std::sync::Once;

/// Has libgit2 open partial clones, whose missing objects are never asked for: what a snapshot needs
/// lies on disk, and what is not stored counts as unknown.
///
/// To be called before any repository is opened.
pub(crate) fn accept_partial_clones() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        #[expect(unsafe_code, reason = "libgit2 keeps the list in a static variable")]
        // SAFETY: this crate is the only user of libgit2; it writes the list here alone, once, and
        // libgit2 reads it when a repository is opened, which comes after.
        let set = unsafe { git2::opts::set_extensions(&["partialclone"]) };
        if let Err(error) = set {
            tracing::warn!(%error, "partial clones stay closed");
        }
    });
}
