//! What `/proc` tells about processes.

use std::fs;
use std::io;

use rustix::process::{Pid, getpid};

use crate::Marker;

/// Every process but ourselves.
pub(crate) fn all() -> Vec<Pid> {
    let ourselves = getpid();
    let entries = match fs::read_dir("/proc") {
        Ok(entries) => entries,
        Err(error) => {
            tracing::warn!(%error, "without /proc nothing that was left behind can be found");
            return Vec::new();
        }
    };
    // An entry that cannot be read is of a process that ended meanwhile.
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    numbers.filter_map(Pid::from_raw).filter(|pid| *pid != ourselves).collect()
}

/// The value of the marker variable in a process's environment.
///
/// `None` for a process without one, a zombie, another user's, and one that ended meanwhile.
pub(crate) fn marker_of(pid: Pid) -> Option<Vec<u8>> {
    let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).ok()?;
    let mut entries = environment.split(|byte| *byte == 0);
    entries.find_map(|entry| {
        let value = entry.strip_prefix(Marker::VARIABLE.as_bytes())?.strip_prefix(b"=")?;
        Some(value.to_vec())
    })
}

/// Whether a process is a child of ours, dead or alive.
pub(crate) fn is_child(pid: Pid) -> bool {
    // `pid (name) state parent …`, where the name may hold blanks and brackets.
    let stat = fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    let parent = stat.ok().and_then(|stat| {
        let after_name = stat.iter().rposition(|byte| *byte == b')')? + 1;
        let fields = std::str::from_utf8(&stat[after_name..]).ok()?;
        fields.split_ascii_whitespace().nth(1)?.parse::<i32>().ok()
    });
    parent == Some(getpid().as_raw_nonzero().get())
}

/// Our children, dead or alive.
pub(crate) fn children() -> Vec<Pid> {
    // Some kernels are built without these lists.
    listed_children().unwrap_or_else(|_| all().into_iter().filter(|pid| is_child(*pid)).collect())
}

/// Our children as the kernel lists them for each of our threads.
fn listed_children() -> io::Result<Vec<Pid>> {
    let mut children = Vec::new();
    for thread in fs::read_dir("/proc/self/task")? {
        let list = match fs::read_to_string(thread?.path().join("children")) {
            Ok(list) => list,
            // Either the thread has ended, or there are no such lists; the main thread tells.
            Err(_) if fs::exists("/proc/thread-self/children")? => continue,
            Err(error) => return Err(error),
        };
        let numbers = list.split_ascii_whitespace().filter_map(|number| number.parse().ok());
        children.extend(numbers.filter_map(Pid::from_raw));
    }
    Ok(children)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_children_are_found_and_nobody_else() {
        let mut child = std::process::Command::new("sleep")
            .arg("1000")
            .env(Marker::VARIABLE, "r1/a")
            .spawn()
            .expect("sleep is there");
        let pid = Pid::from_child(&child);
        assert_eq!(marker_of(pid), Some(b"r1/a".to_vec()));
        assert!(is_child(pid) && children().contains(&pid) && all().contains(&pid));
        assert!(!is_child(Pid::INIT) && !all().contains(&getpid()));
        child.kill().expect("it can be killed");
        child.wait().expect("it can be waited for");
        assert!(!is_child(pid) && marker_of(pid).is_none());
    }
}
