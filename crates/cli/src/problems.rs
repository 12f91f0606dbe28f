//! Problems of a recipe, shown at their places.

use std::fmt::Write as _;

use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};
use tribunal_recipe::Problem;
use tribunal_runner::RecipeText;

/// How bad the problems of a recipe are.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Level {
    Error,
    Warning,
}

/// All problems of a recipe with their places in its text.
pub(crate) fn render(text: &RecipeText, problems: &[Problem], level: Level) -> String {
    // Lines stay whole: an id that was broken at its hyphen could not be searched for. A program that
    // uses this crate may have set its own handler; that one stays.
    let _ = miette::set_hook(Box::new(|_| {
        Box::new(miette::MietteHandlerOpts::new().wrap_lines(false).build())
    }));
    let mut rendered = String::new();
    for problem in problems {
        let message = match &problem.step {
            Some(step) => format!("step `{step}`: {}", problem.message),
            None => problem.message.clone(),
        };
        let mut diagnostic = MietteDiagnostic::new(message).with_severity(match level {
            Level::Error => miette::Severity::Error,
            Level::Warning => miette::Severity::Warning,
        });
        if let Some(remedy) = &problem.remedy {
            diagnostic = diagnostic.with_help(remedy.clone());
        }
        if let Some(span) = &problem.span {
            diagnostic = diagnostic.with_label(LabeledSpan::at(span.clone(), "here"));
        }
        let source = NamedSource::new(&text.origin, text.text.clone());
        let report = Report::from(diagnostic).with_source_code(source);
        // Writing into a String cannot fail.
        let _ = write!(rendered, "{report:?}");
    }
    rendered.trim_end().to_owned()
}
