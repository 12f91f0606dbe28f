//! Progress on standard error.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tribunal_report::inert_line;
use tribunal_runner::Notice;

/// Tells what a run does; a moving line only on a terminal.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    /// Steps that are at work, with their agents.
    working: Vec<(String, String)>,
    cycle: u32,
    verbose: bool,
}

impl Progress {
    pub(crate) fn new(verbose: bool) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, working: Vec::new(), cycle: 0, verbose }
    }

    pub(crate) fn tell(&mut self, notice: Notice) {
        match notice {
            Notice::Started { run, recipe, origin, shadows } => {
                self.line(&format!("run {run}: {recipe} ({origin})"));
                if shadows {
                    self.line("this repository's own recipe stands in for the built-in one");
                }
            }
            Notice::Cycle { number } => self.cycle = number,
            Notice::Launched { cycle, step, agent, attempt } => {
                let agent = agent.unwrap_or_else(|| "bash".to_owned());
                let again =
                    if attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
                self.line(&format!("[cycle {cycle}] {step}: asking {agent}{again}"));
                self.working.push((step, agent));
                self.show();
            }
            Notice::Ended { step, how, wall, .. } => {
                self.working.retain(|(known, _)| *known != step);
                let seconds = Duration::from_millis(wall).as_secs_f64();
                self.line(&format!("[cycle {}] {step}: {how} ({seconds:.1} s)", self.cycle));
                self.show();
            }
            Notice::Computed { cycle, step } => {
                if self.verbose {
                    self.line(&format!("[cycle {cycle}] {step}: computed"));
                }
            }
            Notice::Result(text) => {
                let cycle = self.cycle;
                text.lines().for_each(|line| self.line(&format!("[cycle {cycle}] {line}")));
            }
            Notice::Warning(text) | Notice::Fatal(text) => {
                text.lines().for_each(|line| self.line(line));
            }
        }
    }

    /// Takes the moving line away.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn show(&self) {
        let Some(bar) = &self.bar else { return };
        if self.working.is_empty() {
            bar.disable_steady_tick();
            bar.set_message("");
            return;
        }
        let steps: Vec<_> =
            self.working.iter().map(|(step, agent)| format!("{step} ({agent})")).collect();
        bar.set_message(format!("[cycle {}] {}", self.cycle, steps.join(", ")));
        bar.enable_steady_tick(Duration::from_millis(120));
    }

    fn line(&self, text: &str) {
        // The seed indents the list of raw outputs; blanks in front are all that survives of a line.
        let indent = text.len() - text.trim_start_matches(' ').len();
        let text = format!("{}{}", &text[..indent], inert_line(text));
        match &self.bar {
            Some(bar) => bar.println(text),
            // A closed standard error takes the progress away, never the run.
            None => drop(writeln!(stderr(), "{text}")),
        }
    }
}
