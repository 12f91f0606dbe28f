//! From an address and a checksum to a folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use super::Package;
use crate::failure::Failure;
use crate::process;

/// How long a download may take, in seconds.
const DEADLINE: &str = "120";

/// The unpacked package below `folder`.
///
/// A folder under the package's name is complete: it gets the name after its content. A kept
/// archive is used again, and what does not have the checksum is removed.
pub(super) fn unpacked(package: &Package, folder: &Path) -> Result<PathBuf, Failure> {
    let place = place(package, folder);
    if place.is_dir() {
        return Ok(place);
    }
    let archive = archive(package, &folder.join("archives"))?;
    let scratch = tempfile::tempdir_in(folder).map_err(Failure::at(folder))?;
    let content = scratch.path().join("content");
    std::fs::create_dir(&content).map_err(Failure::at(&content))?;
    // Every archive holds one folder, which each registry names in its own way.
    process::run(
        Command::new("tar")
            .arg("-xzf")
            .arg(&archive)
            .arg("-C")
            .arg(&content)
            .args(["--strip-components=1", "--no-same-owner"]),
    )?;
    match std::fs::rename(&content, &place) {
        // Somebody else was faster, with the same content.
        Err(_) if place.is_dir() => Ok(place),
        renamed => renamed.map(|()| place.clone()).map_err(Failure::at(&place)),
    }
}

/// Where the package is unpacked.
pub(super) fn place(package: &Package, folder: &Path) -> PathBuf {
    folder.join(format!("{}-{}", package.name, package.version))
}

/// Whether the package's registry answers.
pub(super) fn answers(package: &Package) -> bool {
    let arguments = ["--fail", "--silent", "--head", "--max-time", "20", package.url];
    process::works(Command::new("curl").args(arguments))
}

/// The package's archive, fetched where it is not kept yet; its checksum is compared in any case.
fn archive(package: &Package, folder: &Path) -> Result<PathBuf, Failure> {
    std::fs::create_dir_all(folder).map_err(Failure::at(folder))?;
    let name = package.url.rsplit('/').next().unwrap_or(package.name);
    let place = folder.join(name);
    if !place.is_file() {
        download(package, &place)?;
    }
    let found = checksum(&place)?;
    if found == package.sha256 {
        return Ok(place);
    }
    std::fs::remove_file(&place).map_err(Failure::at(&place))?;
    Err(Failure::Broken(format!(
        "{package}: {} has sha256 {found}, expected {}; the file is removed",
        package.url, package.sha256
    )))
}

/// Fetches the archive to `place`, which appears only when it is whole.
fn download(package: &Package, place: &Path) -> Result<(), Failure> {
    let absent = |why: &str| {
        Failure::Broken(format!(
            "{package}: {why}; run this again with curl and a network, or put {} into {}",
            package.url,
            place.parent().unwrap_or(place).display()
        ))
    };
    if !process::installed("curl") {
        return Err(absent("curl is not installed"));
    }
    let part = tempfile::NamedTempFile::new_in(place.parent().unwrap_or(place))
        .map_err(Failure::at(place))?;
    let output = Command::new("curl")
        .args(["--fail", "--silent", "--show-error", "--location", "--proto", "=https"])
        .args(["--retry", "2", "--max-time", DEADLINE, "--output"])
        .arg(part.path())
        .arg(package.url)
        .output()
        .map_err(Failure::at("curl"))?;
    if !output.status.success() {
        return Err(absent(String::from_utf8_lossy(&output.stderr).trim()));
    }
    part.persist(place).map(drop).map_err(|error| Failure::at(place)(error.error))
}

fn checksum(place: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(place).map_err(Failure::at(place))?;
    Ok(Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::{Purpose, Registry};

    /// A package whose address leads nowhere: what is unpacked was kept.
    const KEPT: Package = Package {
        name: "kept",
        version: "1.0.0",
        registry: Registry::Npm,
        purpose: Purpose::Reading,
        url: "https://127.0.0.1:9/kept-1.0.0.tgz",
        sha256: "",
    };

    /// Whether tar is there; the tests of this file say so and end where it is not.
    fn has_tar() -> bool {
        let has = process::installed("tar");
        if !has {
            eprintln!("tar: not installed, skipped");
        }
        has
    }

    /// Packs a file `a.js` into the folder of kept archives, below a folder as npm names it.
    fn keep(folder: &Path) -> PathBuf {
        let archives = folder.join("archives");
        let source = folder.join("package");
        std::fs::create_dir_all(&archives).expect("a folder");
        std::fs::create_dir_all(&source).expect("a folder");
        std::fs::write(source.join("a.js"), "a;\n").expect("written");
        let archive = archives.join("kept-1.0.0.tgz");
        let mut tar = Command::new("tar");
        process::run(tar.arg("-czf").arg(&archive).arg("-C").arg(folder).arg("package"))
            .expect("packed");
        archive
    }

    #[test]
    fn a_kept_archive_is_unpacked_once_and_needs_no_network() {
        if !has_tar() {
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let archive = keep(folder.path());
        let sum: &'static str = checksum(&archive).expect("read").leak();
        let package = Package { sha256: sum, ..KEPT };
        let place = unpacked(&package, folder.path()).expect("unpacked");
        assert_eq!(std::fs::read_to_string(place.join("a.js")).expect("read"), "a;\n");
        std::fs::remove_file(archive).expect("removed");
        assert_eq!(unpacked(&package, folder.path()).expect("still there"), place);
    }

    #[test]
    fn an_archive_with_another_checksum_is_removed_and_named() {
        if !has_tar() {
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let archive = keep(folder.path());
        let failure = unpacked(&KEPT, folder.path()).expect_err("another checksum").to_string();
        assert!(failure.starts_with("kept 1.0.0: https://127.0.0.1:9/"), "{failure}");
        assert!(!archive.exists() && !folder.path().join("kept-1.0.0").exists());
    }

    #[test]
    fn without_a_network_the_failure_says_what_to_put_where() {
        let folder = tempfile::tempdir().expect("a folder");
        let failure = unpacked(&KEPT, folder.path()).expect_err("nobody listens there").to_string();
        assert!(failure.contains("or put https://127.0.0.1:9/kept-1.0.0.tgz into "), "{failure}");
    }
}
