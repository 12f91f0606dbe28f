//! Words that tools print when something around the code is wrong.

use super::TroubleKind;

/// A kind of trouble and what lines about it hold, in lower case.
const MARKS: &[(TroubleKind, &[&str])] = &[
    (
        TroubleKind::DiskFull,
        &[
            "no space left on device",
            "enospc",
            "disk quota exceeded",
            "not enough space on the disk",
        ],
    ),
    (
        TroubleKind::ToolMissing,
        &[
            "command not found",
            "error: no such command: `",
            "is not installed for the toolchain",
            "executable file not found in $path",
            "is not recognized as an internal or external command",
            "could not determine executable to run",
            "npm error missing script",
            "npm err! missing script",
            "linker `cc` not found",
            "cannot be built because it requires rustc",
            "requires rustc 1.",
            "unable to locate a java runtime",
            "java_home is not set",
            "a compatible .net sdk was not found",
        ],
    ),
    (
        TroubleKind::PackageMissing,
        &[
            "you're using offline mode (--offline)",
            "could not find gem ",
            "bundler::gemnotfound",
            "unchecked dependencies for environment",
            "failed to open stream: no such file or directory in vendor/autoload.php",
            "module lookup disabled by goproxy=off",
            "library stubs not installed for ",
            "the target may not be installed",
            "npm error code enotcached",
        ],
    ),
    (
        TroubleKind::Network,
        &[
            "could not resolve host",
            "temporary failure in name resolution",
            "name or service not known",
            "nodename nor servname provided",
            "getaddrinfo ",
            "enotfound",
            "eai_again",
            "network is unreachable",
            "no route to host",
            "connection timed out",
            "connection refused",
            "connection reset by peer",
            "econnrefused",
            "econnreset",
            "etimedout",
            "tls handshake timeout",
            "dial tcp",
            "max retries exceeded with url",
            "spurious network error",
            "failed to download from `",
            "could not transfer artifact",
            "unable to load the service index",
        ],
    ),
    (
        TroubleKind::Quota,
        &[
            "too many requests",
            "rate limit exceeded",
            "rate limited",
            "quota exceeded",
            "usage limit reached",
            "status code 429",
            "http 429",
        ],
    ),
    (TroubleKind::Forbidden, &["listen eperm", "bind: operation not permitted"]),
];

/// The kind of trouble that a line speaks of.
///
/// Where the other side of a network is this machine, the code may have to start it: then it is none.
pub(super) fn kind(line: &str) -> Option<TroubleKind> {
    let line = line.to_ascii_lowercase();
    if is_shell_without_tool(&line) || is_python_without_tool(&line) {
        return Some(TroubleKind::ToolMissing);
    }
    let holds = |words: &&str| line.contains(*words);
    let (kind, _) = MARKS.iter().find(|(_, marks)| marks.iter().any(&holds))?;
    let is_local = ["127.0.0.1", "localhost", "[::1]"].iter().any(holds);
    let is_own = is_local && matches!(kind, TroubleKind::Network | TroubleKind::Quota);
    (!is_own).then_some(*kind)
}

/// `sh: 1: ruff: not found`; `make: ruff: No such file or directory`;
/// `make: *** [Makefile:2: lint] Error 127`
fn is_shell_without_tool(line: &str) -> bool {
    let is_shell = line.starts_with("sh: ") || line.starts_with("/bin/sh: ");
    let is_make = line.starts_with("make: ") || line.starts_with("make[");
    (is_shell && line.ends_with(": not found"))
        || (is_make
            && (line.ends_with(": no such file or directory") || line.ends_with(" error 127")))
}

/// `/usr/bin/python3: No module named pytest`: what `python -m` says.
fn is_python_without_tool(line: &str) -> bool {
    let said = line.split_once(": no module named ");
    said.is_some_and(|(program, module)| {
        let program = program.rsplit(['/', '\\']).next().unwrap_or(program);
        program.starts_with("python") && !module.contains([' ', '\''])
    })
}
