//! Lists the rule files, so that a new rule is a new file and nothing else.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=rules");
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let mut source = String::from("&[\n");
    for folder in sorted(&rules)? {
        let name = folder.file_name().unwrap_or_default().display();
        writeln!(source, "    ({:?}, &[", name.to_string())?;
        for file in sorted(&folder)? {
            let Some(id) = file.to_str().and_then(rule_id) else { continue };
            let examples = file.with_file_name(format!("{id}.examples.yml"));
            writeln!(
                source,
                "        RuleFile {{ id: {id:?}, yaml: include_str!({file:?}), examples: include_str!({examples:?}) }},"
            )?;
        }
        source.push_str("    ]),\n");
    }
    source.push(']');
    fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("rule_files.rs"), source)?;
    Ok(())
}

/// `ID` of `…/ID.yml`; `None` for examples and whatever else lies there.
fn rule_id(path: &str) -> Option<&str> {
    let stem = path.rsplit('/').next()?.strip_suffix(".yml")?;
    (!stem.ends_with(".examples")).then_some(stem)
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    paths.sort();
    Ok(paths)
}
