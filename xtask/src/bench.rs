//! `cargo xtask bench NAME`: figures beside a peer measured in the same run.

use std::path::Path;

use crate::failure::Failure;

mod cycle;
mod inspector;
mod mcp;
mod measure;
mod verdict;

/// A bench, by name.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn(&Path) -> Result<(), Failure>,
}

const BENCHES: &[Bench] = &[
    Bench {
        name: "cycle",
        about: "a whole cycle with instant agents, and with three validators of 1 s",
        run: cycle::run,
    },
    Bench {
        name: "inspector",
        about: "the inspector's seeker beside ast-grep with the same rules",
        run: inspector::run,
    },
    Bench {
        name: "mcp",
        about: "the MCP server's start, and a thousand status calls",
        run: mcp::run,
    },
    Bench {
        name: "verdict",
        about: "extraction and vote beside their peers; writes docs/benchmarks.md",
        run: verdict::run,
    },
];

/// Runs the bench that the argument names; without one lists them.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    match arguments {
        [] => {
            print!("{}", listing());
            Ok(())
        }
        [name] => {
            let bench = BENCHES.iter().find(|bench| bench.name == name);
            let bench = bench.ok_or_else(|| {
                Failure::Usage(format!("no bench is called `{name}`\n\n{}", listing()))
            })?;
            (bench.run)(root)
        }
        _ => Err(Failure::Usage("usage: cargo xtask bench NAME".to_owned())),
    }
}

fn listing() -> String {
    let rows = BENCHES.iter().map(|bench| format!("  {:<12} {}\n", bench.name, bench.about));
    format!("Benches:\n{}", rows.collect::<String>())
}
