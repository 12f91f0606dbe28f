//! `cargo fuzz run --sanitizer none settings`: faults lie in the text, and line ends mean nothing.

#![no_main]

#[path = "../../crates/cli/src/settings/file.rs"]
mod file;

use file::SettingsFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match SettingsFile::parse(text) {
    Ok(settings) => {
        assert!(settings.fix_attempts.is_none_or(|whole| whole.0 > 0));
        if !text.contains('\r') {
            let read = SettingsFile::parse(&text.replace('\n', "\r\n"));
            assert_eq!(read, Ok(settings), "line ends matter");
        }
    }
    Err(problem) => {
        let span = problem.span.clone().unwrap_or(0..0);
        assert!(text.get(span.clone()).is_some(), "{span:?} is no place in {text:?}: {problem}");
    }
});
