//! The way back for what has no content: pipes, sockets, and the repositories inside of the tree.

use std::collections::BTreeSet;

use crate::WorktreeError;
use crate::disk::Disk;
use crate::left_out::{LeftOut, Why};
use crate::open::Session;

impl Session<'_> {
    /// Removes the pipes and sockets made since; devices and repositories made since stay, and
    /// those that are gone stay away.
    pub(crate) fn restore_beside(
        &self,
        beside: &LeftOut,
        present: &LeftOut,
        touched: &mut BTreeSet<Vec<u8>>,
        stay: &mut BTreeSet<Vec<u8>>,
    ) -> Result<(), WorktreeError> {
        let mut disk = Disk::open(self.root)?;
        let is_new = |path: &&[u8], why| !beside.has(path, why) && !beside.ignored(path);
        for path in present.of(Why::Special).filter(|path| is_new(path, Why::Special)) {
            let removed = disk.remove_special(path)?;
            if removed { &mut *touched } else { &mut *stay }.insert(path.to_vec());
        }
        let made = present.of(Why::Repository).filter(|path| is_new(path, Why::Repository));
        stay.extend(made.map(<[u8]>::to_vec));
        for why in [Why::Special, Why::Repository] {
            let is_gone = |path: &&[u8]| !present.has(path, why) && !present.ignored(path);
            stay.extend(beside.of(why).filter(is_gone).map(<[u8]>::to_vec));
        }
        Ok(())
    }
}
