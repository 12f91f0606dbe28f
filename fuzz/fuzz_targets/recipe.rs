//! `cargo fuzz run --sanitizer none recipe`: faults lie in the text, and line ends mean nothing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tribunal_recipe::{Loaded, Problem, Source, StepKind, Strictness, load};

fuzz_target!(|text: &str| {
    let strict = read(text, Strictness::Strict);
    let lenient = read(text, Strictness::Lenient);
    match (&strict, &lenient) {
        (Ok(strict), Ok(lenient)) => assert_eq!(steps(strict), steps(lenient)),
        (Ok(_), Err(problems)) => panic!("leniency refuses: {problems:?}"),
        (Err(_), _) => {}
    }
    if let Ok(loaded) = &strict
        && !text.contains('\r')
    {
        let read = read(&text.replace('\n', "\r\n"), Strictness::Strict);
        let read = read.unwrap_or_else(|problems| panic!("line ends matter: {problems:?}"));
        assert_eq!(steps(loaded), steps(&read), "line ends matter");
    }
});

fn read(text: &str, strictness: Strictness) -> Result<Loaded, Vec<Problem>> {
    let source = Source { name: "fuzz".to_owned(), text: text.to_owned() };
    let read = load(&source, strictness, &["added-step"]);
    let problems = match &read {
        Ok(loaded) => &loaded.warnings,
        Err(problems) => problems,
    };
    assert!(read.is_ok() || !problems.is_empty(), "a refusal has a reason");
    let mut last = 0;
    for problem in problems {
        let span = problem.span.clone().unwrap_or(0..0);
        assert!(text.get(span.clone()).is_some(), "{span:?} is no place in {text:?}: {problem}");
        assert!(last <= span.start, "in the order of the text");
        last = span.start;
    }
    read
}

/// What the steps are, without their places.
fn steps(loaded: &Loaded) -> Vec<(String, String)> {
    let what = |kind: &StepKind| match kind {
        StepKind::Bash { script } => script.source().to_owned(),
        other => format!("{:?}", std::mem::discriminant(other)),
    };
    loaded.recipe.all_steps().map(|step| (step.id.clone(), what(&step.kind))).collect()
}
