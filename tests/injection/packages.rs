//! The untouched packages that faults are planted in.

use std::fs;
use std::path::{Path, PathBuf};

use crate::language::Language;

/// An unpacked release, and the parts of it that are worth planting in.
struct Package {
    folder: &'static str,
    parts: &'static [&'static str],
    /// Its public items have documentation, nearly all of them.
    documented: bool,
}

const fn package(folder: &'static str, parts: &'static [&'static str]) -> Package {
    Package { folder, parts, documented: false }
}

const fn documented(folder: &'static str, parts: &'static [&'static str]) -> Package {
    Package { folder, parts, documented: true }
}

const PACKAGES: [Package; 9] = [
    package("ripgrep-14.1.1", &["crates", "tests", "build.rs", "GUIDE.md", "README.md", "FAQ.md"]),
    package("hyperfine-1.19.0", &["src", "tests", "README.md"]),
    documented("requests-2.32.3", &["src", "tests", "README.md"]),
    package("flask-3.1.0", &["src", "tests", "README.md"]),
    package("express-4.21.2", &["lib", "index.js", "Readme.md"]),
    documented("commander-12.1.0", &["lib", "index.js", "esm.mjs", "Readme.md"]),
    package("rxjs-7.8.1", &["src", "README.md"]),
    package("wandb-0.17.9", &["core/cmd", "core/internal", "core/pkg"]),
    package("bats-1.11.1", &["bin", "lib", "libexec", "install.sh", "uninstall.sh", "README.md"]),
];

/// A file of a package that sketches can be put into, or that comes along unchanged.
#[derive(Debug, Clone)]
pub(super) struct PackageFile {
    /// Relative to the folder that holds all packages.
    pub(super) path: String,
    pub(super) language: Language,
    pub(super) text: String,
    /// Whether public items of its package have documentation.
    pub(super) documented: bool,
}

/// The source files of all packages, in a fixed order.
///
/// `Err` names a package that is not unpacked below `folder`.
pub(super) fn files(folder: &Path) -> Result<Vec<PackageFile>, &'static str> {
    let mut files = Vec::new();
    for package in &PACKAGES {
        let place = folder.join(package.folder);
        if !place.is_dir() {
            return Err(package.folder);
        }
        for part in package.parts {
            collect(folder, &place.join(part), package.documented, &mut files);
        }
    }
    Ok(files)
}

/// Where `cargo xtask packages` unpacks.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("packages")
}

fn collect(top: &Path, place: &Path, documented: bool, files: &mut Vec<PackageFile>) {
    if place.is_dir() {
        let entries = fs::read_dir(place).expect("an unpacked folder can be read");
        let mut places: Vec<PathBuf> =
            entries.map(|entry| entry.expect("an entry can be read").path()).collect();
        places.sort();
        for place in places {
            collect(top, &place, documented, files);
        }
        return;
    }
    let path = place.strip_prefix(top).expect("it is below the top").to_str();
    // What is not text has no lines to plant between.
    let (Some(path), Ok(text)) = (path, fs::read_to_string(place)) else { return };
    // What a program wrote is not read for faults.
    let is_generated = text.lines().take(8).any(|line| line.contains("DO NOT EDIT"));
    if let Some(language) = Language::of(path, &text).filter(|_| !is_generated) {
        files.push(PackageFile { path: path.to_owned(), language, text, documented });
    }
}
