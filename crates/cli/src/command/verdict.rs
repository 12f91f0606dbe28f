//! `tribunal verdict extract`.

use std::io::Read as _;
use std::path::Path;

use tribunal_runner::single::extract_verdict;

use crate::args::VerdictCommand;
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::front::print;

pub(crate) fn run(command: VerdictCommand) -> Result<ExitStatus, Failure> {
    let VerdictCommand::Extract { key, file } = command;
    let raw = match file.as_deref() {
        None => stdin()?,
        Some(path) if path == Path::new("-") => stdin()?,
        Some(path) => fs_err::read(path).map_err(|error| Failure::usage(error.to_string()))?,
    };
    let extracted = extract_verdict(&raw, &key);
    let text = serde_json::to_string(&extracted).expect("an extraction is plain data");
    print(&text)?;
    Ok(ExitStatus::Holds)
}

fn stdin() -> Result<Vec<u8>, Failure> {
    let mut raw = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut raw)
        .map_err(|error| Failure::environment(format!("standard input: {error}")))?;
    Ok(raw)
}
