//! Problems of a recipe or settings file, shown at their places in its text.

use std::fmt::Write as _;
use std::ops::Range;

use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report, Severity};
use tribunal_recipe::Problem;
use tribunal_report::{inert_line, inert_masked};

/// Bytes of a line that are shown; a longer one is named by its place alone.
const LONGEST_LINE: usize = 500;

/// How bad problems are.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Level {
    Error,
    Warning,
}

/// All problems of a text with their places in it.
///
/// The text is anybody's: nothing of it can act on a terminal.
pub(crate) fn render(origin: &str, text: &str, problems: &[Problem], level: Level) -> String {
    // Lines stay whole: an id that was broken at its hyphen could not be searched for. A program that
    // uses this crate may have set its own handler; that one stays.
    let _ = miette::set_hook(Box::new(|_| {
        Box::new(miette::MietteHandlerOpts::new().wrap_lines(false).build())
    }));
    let shown = inert_masked(text);
    let mut rendered = String::new();
    for problem in problems {
        let mut message = match &problem.step {
            Some(step) => format!("step `{step}`: {}", problem.message),
            None => problem.message.clone(),
        };
        let place = problem.span.as_ref().filter(|span| longest_line(text, span) <= LONGEST_LINE);
        if let (Some(span), None) = (&problem.span, place) {
            message = format!("{origin}:{}: {message}", line_and_column(text, span.start));
        }
        let mut diagnostic =
            MietteDiagnostic::new(inert_line(&message)).with_severity(match level {
                Level::Error => Severity::Error,
                Level::Warning => Severity::Warning,
            });
        if let Some(remedy) = &problem.remedy {
            diagnostic = diagnostic.with_help(inert_line(remedy));
        }
        if let Some(span) = place {
            diagnostic = diagnostic.with_label(LabeledSpan::at(span.clone(), "here"));
        }
        let source = NamedSource::new(inert_line(origin), shown.clone());
        let report = Report::from(diagnostic).with_source_code(source);
        // Writing into a String cannot fail.
        let _ = write!(rendered, "{report:?}");
    }
    rendered.trim_end().to_owned()
}

/// The longest of the lines that would be shown: those of the place, the one before and the one after.
fn longest_line(text: &str, span: &Range<usize>) -> usize {
    let before = text[..span.start].rfind('\n').unwrap_or(0);
    let start = text[..before].rfind('\n').map_or(0, |at| at + 1);
    let after = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at + 1);
    let end = text[after..].find('\n').map_or(text.len(), |at| after + at);
    text[start..end].split('\n').map(str::len).max().unwrap_or(0)
}

fn line_and_column(text: &str, at: usize) -> String {
    let before = &text[..at];
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.rsplit('\n').next().unwrap_or("").chars().count();
    format!("{line}:{column}")
}

#[cfg(test)]
mod tests {
    use tribunal_recipe::{Source, Strictness, load};

    use super::*;

    fn shown(text: &str) -> String {
        let source = Source { name: "r.yaml".to_owned(), text: text.to_owned() };
        let problems = load(&source, Strictness::Strict, &[]).expect_err(text);
        render("r.yaml", text, &problems, Level::Error)
    }

    #[test]
    fn nothing_of_a_text_acts_on_a_terminal() {
        let text = "name: r\nx: \u{202e} # \u{feff}\nsteps:\n  - {id: s, command: ls}\n";
        let said = shown(text);
        assert!(said.contains("unknown key") && said.contains("r.yaml:2:1"), "{said}");
        let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!said.contains(acts), "{said:?}");
    }

    #[test]
    fn a_line_that_nobody_reads_is_named_by_its_place() {
        let long = format!("name: r\nstepz: [{}]\n", "x, ".repeat(10_000));
        let said = shown(&long);
        assert!(said.len() < 1000, "{} bytes", said.len());
        assert!(said.contains("r.yaml:2:1: unknown key `stepz`"), "{said}");
    }
}
