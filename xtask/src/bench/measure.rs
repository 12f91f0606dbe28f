//! Wall and processor time of a command, and medians of several rounds.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::failure::Failure;

/// What one run cost; the processor time of all children that were waited for is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cost {
    pub wall: Duration,
    pub cpu: Duration,
}

/// Runs a bash text with its arguments and gives what that cost, to the millisecond.
///
/// bash's own `time` is what measures: the start of bash is not in the figures. stdout and stderr of
/// the text go to `log`, which is shown when it fails.
pub(super) fn time(text: &str, arguments: &[&Path], place: &Place<'_>) -> Result<Cost, Failure> {
    let script =
        format!("TIMEFORMAT='%3R %3U %3S'\nrun() {{\n{text}\n}}\ntime run \"$@\" >\"$LOG\" 2>&1");
    let log = place.scratch.join("log");
    let mut command = Command::new("bash");
    command.args(["-c", &script, "bench"]).args(arguments).current_dir(place.folder);
    for (name, folder) in
        [("HOME", "home"), ("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config")]
    {
        command.env(name, place.scratch.join(folder));
    }
    command
        .env("LOG", &log)
        .env("LC_ALL", "C")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    let output = command.output().map_err(Failure::at("bash"))?;
    if !output.status.success() {
        let said = std::fs::read_to_string(&log).map_err(Failure::at(&log))?;
        return Err(Failure::Broken(format!(
            "the measured command failed: {}\n{said}",
            output.status
        )));
    }
    let times = String::from_utf8_lossy(&output.stderr);
    parse(&times).ok_or_else(|| Failure::Broken(format!("bash's `time` said `{}`", times.trim())))
}

/// Where a measured command runs.
pub(super) struct Place<'a> {
    /// The current directory.
    pub folder: &'a Path,
    /// Holds home, state and settings of the run.
    pub scratch: &'a Path,
}

/// Reads `wall user system` in seconds.
fn parse(line: &str) -> Option<Cost> {
    let seconds: Vec<Duration> = line
        .split_whitespace()
        .map(|word| word.parse().ok().and_then(|number| Duration::try_from_secs_f64(number).ok()))
        .collect::<Option<_>>()?;
    let [wall, user, system] = seconds[..] else { return None };
    Some(Cost { wall, cpu: user + system })
}

/// The median of each part.
pub(super) fn median(costs: &[Cost]) -> Cost {
    let of = |part: fn(&Cost) -> Duration| middle(costs.iter().map(part).collect());
    Cost { wall: of(|cost| cost.wall), cpu: of(|cost| cost.cpu) }
}

/// The middle one; of an even number the upper of the two.
pub(super) fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default() // no round: no time
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(wall: u64, cpu: u64) -> Cost {
        Cost { wall: Duration::from_millis(wall), cpu: Duration::from_millis(cpu) }
    }

    #[test]
    fn a_loop_costs_processor_time_and_a_wait_does_not() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = Place { folder: folder.path(), scratch: folder.path() };
        let busy = "for ((i = 0; i < 100000; i++)); do :; done";
        let busy = time(busy, &[], &place).expect("bash runs");
        let idle = time("read -rt 0.2 <> <(:) || :", &[], &place).expect("bash runs");
        assert!(busy.cpu > idle.cpu, "{busy:?} {idle:?}");
        assert!(idle.wall >= Duration::from_millis(150), "{idle:?}");
    }

    #[test]
    fn a_command_that_fails_is_shown() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = Place { folder: folder.path(), scratch: folder.path() };
        let failure = time("echo why; return 3", &[], &place).expect_err("it returns 3");
        assert!(failure.to_string().ends_with("exit status: 3\nwhy\n"), "{failure}");
    }

    #[test]
    fn times_are_read_and_the_middle_is_taken() {
        assert_eq!(parse("0.250 0.100 0.050\n"), Some(cost(250, 150)));
        assert_eq!(parse("bash: no"), None);
        assert_eq!(median(&[cost(9, 1), cost(1, 5), cost(4, 3)]), cost(4, 3));
    }
}
