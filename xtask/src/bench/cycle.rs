//! `bench cycle`: what a cycle costs beside the bare agents that it starts.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::measure::{Cost, Place, median, middle, time};
use crate::failure::Failure;
use crate::process::{self, cargo};

const N_ROUNDS: usize = 7;
/// The file with the planted fault.
const FILE: &str = "cart.py";
const FAULT: &str = "except: pass";
/// What a cycle with agents that answer at once may take.
const INSTANT_TARGET: Duration = Duration::from_millis(250);
/// What three validators of one second may take, up to the start of the fixer.
const VALIDATORS_TARGET: Duration = Duration::from_millis(1100);

/// `$1` tribunal, `$2` the scripted agent, `$3` its scenario.
const TRIBUNAL: &str =
    "\"$1\" audit . -c min_cycles=1 -c max_cycles=1 --agent-command \"'$2' '$3'\"";

/// The same calls in the same order, without anything around them.
const BARE: &str = r#"
call() {
  TRIBUNAL_ROLE=$1 TRIBUNAL_STEP=$2 TRIBUNAL_CYCLE=1 TRIBUNAL_CALL=main/$2/1 "$agent" "$scenario" </dev/null
}
agent=$2 scenario=$3
call seeker seek
for n in 1 2 3; do call validator "validate-agent-$n" & done
wait
call fixer fix
call summarizer summary
call summarizer self-improvement"#;

/// The programs that are measured.
struct Programs {
    tribunal: PathBuf,
    agent: PathBuf,
}

/// How fast the agents answer.
#[derive(Clone, Copy)]
enum Pace {
    Instant,
    /// Validators take a second.
    SlowValidators,
}

/// What one kind of agents cost in all rounds.
#[derive(Default)]
struct Figures {
    tribunal: Vec<Cost>,
    bare: Vec<Cost>,
    /// First start of a validator to the start of the fixer.
    validators: Vec<Duration>,
    n_agents: usize,
}

/// Measures both kinds of agents, round by round in turn, and prints the medians.
pub(super) fn run(root: &Path) -> Result<(), Failure> {
    let programs = build(root)?;
    let mut figures = [Figures::default(), Figures::default()];
    for _ in 0..N_ROUNDS {
        for (figures, pace) in figures.iter_mut().zip([Pace::Instant, Pace::SlowValidators]) {
            round(&programs, pace, figures)?;
        }
    }
    let [instant, slow] = figures;
    show("a cycle with instant agents", &instant, Some(INSTANT_TARGET));
    show("a cycle with three validators of 1 s", &slow, None);
    let validators = middle(slow.validators);
    println!(
        "  first validator's start to the fixer's start: {}, target {}",
        shown(validators),
        shown(VALIDATORS_TARGET)
    );
    Ok(())
}

fn build(root: &Path) -> Result<Programs, Failure> {
    let packages = ["--package", "tribunal", "--package", "tribunal-test-support"];
    process::run(cargo(root, &["build", "--quiet", "--release", "--bins"]).args(packages))?;
    let folder = process::target_folder(root)?.join("release");
    Ok(Programs { tribunal: folder.join("tribunal"), agent: folder.join("scripted-agent") })
}

/// Runs tribunal and the bare agents once, each in a fresh repository.
fn round(programs: &Programs, pace: Pace, figures: &mut Figures) -> Result<(), Failure> {
    for text in [TRIBUNAL, BARE] {
        let scratch = tempfile::tempdir().map_err(Failure::at("a temporary folder"))?;
        let scenario = plant(scratch.path(), pace)?;
        let place = Place { folder: &scratch.path().join("repository"), scratch: scratch.path() };
        let cost = time(text, &[&programs.tribunal, &programs.agent, &scenario], &place)?;
        if text == BARE {
            figures.bare.push(cost);
            continue;
        }
        figures.tribunal.push(cost);
        let stamps = stamps(&scratch.path().join("agents.jsonl"))?;
        figures.n_agents = stamps.iter().filter(|stamp| stamp.event == Moment::Start).count();
        figures.validators.extend(validators(&stamps));
    }
    Ok(())
}

/// Makes a repository with a fault in it, and the scenario of it.
fn plant(scratch: &Path, pace: Pace) -> Result<PathBuf, Failure> {
    let repository = scratch.join("repository");
    std::fs::create_dir(&repository).map_err(Failure::at(&repository))?;
    write(
        &repository.join(FILE),
        &format!("def price(cart):\n    try:\n        return cart['price']\n    {FAULT}\n"),
    )?;
    for arguments in [
        &["init", "--quiet", "-b", "main"][..],
        &["add", "."],
        &["-c", "user.name=bench", "-c", "user.email=bench@example.org", "commit", "-qm", "start"],
    ] {
        process::run(Command::new("git").current_dir(&repository).args(arguments))?;
    }
    let scenario = scratch.join("scenario.json");
    let acts = match pace {
        Pace::Instant => json!([]),
        Pace::SlowValidators => json!([{ "role": "validator", "act": { "slow": 1000 } }]),
    };
    let text = json!({
        "log": scratch.join("agents.jsonl"),
        "faults": [{
            "id": "F1",
            "category": "error_swallowing",
            "severity": "high",
            "file": FILE,
            "find": FAULT,
            "replace": "except KeyError: raise",
        }],
        "acts": acts,
    });
    write(&scenario, &text.to_string())?;
    Ok(scenario)
}

fn write(place: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(place, text).map_err(Failure::at(place))
}

/// A line of the scripted agent's log.
#[derive(Deserialize)]
struct Stamp {
    role: Role,
    event: Moment,
    monotonic_nanos: u64,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Role {
    Validator,
    Fixer,
    #[serde(other)]
    Other,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Moment {
    Start,
    Stop,
}

fn stamps(log: &Path) -> Result<Vec<Stamp>, Failure> {
    let text = std::fs::read_to_string(log).map_err(Failure::at(log))?;
    text.lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::Broken(format!("{}: {error}", log.display())))
}

/// From the first start of a validator to the start of the fixer; `None` without a fixer.
fn validators(stamps: &[Stamp]) -> Option<Duration> {
    let start = |role: Role| {
        let starts = stamps.iter().filter(|stamp| stamp.event == Moment::Start);
        starts.filter(|stamp| stamp.role == role).map(|stamp| stamp.monotonic_nanos).min()
    };
    Some(Duration::from_nanos(start(Role::Fixer)?.saturating_sub(start(Role::Validator)?)))
}

fn show(title: &str, figures: &Figures, target: Option<Duration>) {
    let (tribunal, bare) = (median(&figures.tribunal), median(&figures.bare));
    let target = target.map_or(String::new(), |target| format!("   target {}", shown(target)));
    let ratio =
        |ours: Duration, theirs: Duration| ours.as_secs_f64() / theirs.as_secs_f64().max(0.001);
    println!("{title} ({N_ROUNDS} rounds, {} agents; medians)", figures.n_agents);
    println!("  {:<22}{:>9}{:>9}", "", "wall", "CPU");
    println!(
        "  {:<22}{:>9}{:>9}{target}",
        "tribunal audit",
        shown(tribunal.wall),
        shown(tribunal.cpu)
    );
    println!("  {:<22}{:>9}{:>9}", "the same agents, bare", shown(bare.wall), shown(bare.cpu));
    println!(
        "  {:<22}{:>8.1}x{:>8.1}x",
        "ratio",
        ratio(tribunal.wall, bare.wall),
        ratio(tribunal.cpu, bare.cpu)
    );
}

fn shown(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_validators_take_from_the_first_start_to_the_fixer() {
        let stamp = |role, event, monotonic_nanos| Stamp { role, event, monotonic_nanos };
        let mut log = vec![
            stamp(Role::Other, Moment::Start, 1),
            stamp(Role::Validator, Moment::Start, 20),
            stamp(Role::Validator, Moment::Start, 10),
            stamp(Role::Validator, Moment::Stop, 50),
        ];
        assert_eq!(validators(&log), None);
        log.push(stamp(Role::Fixer, Moment::Start, 60));
        assert_eq!(validators(&log), Some(Duration::from_nanos(50)));
    }

    #[test]
    fn the_scratch_repository_holds_the_fault_and_the_scenario_names_it() {
        let scratch = tempfile::tempdir().expect("a temporary folder");
        let scenario = plant(scratch.path(), Pace::Instant).expect("git works");
        let text = std::fs::read_to_string(scratch.path().join("repository").join(FILE));
        assert!(text.expect("it was written").contains(FAULT));
        let scenario = std::fs::read_to_string(scenario).expect("it was written");
        assert!(scenario.contains(FAULT) && scenario.contains("agents.jsonl"), "{scenario}");
    }
}
