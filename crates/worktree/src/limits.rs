//! How much a snapshot takes.

/// Limits on untracked files (`snapshot_max`, D12); tracked files have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one untracked file.
    pub untracked_file: u64,
    /// Bytes of all untracked files together.
    pub untracked_in_all: u64,
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self { untracked_file: u64::MAX, untracked_in_all: u64::MAX };
}

impl Default for Limits {
    /// 64 MiB a file, 2 GiB in all.
    fn default() -> Self {
        Self { untracked_file: 64 << 20, untracked_in_all: 2 << 30 }
    }
}
