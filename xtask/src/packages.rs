//! `cargo xtask packages [NAME…]`: public packages of fixed content, to try the inspector on.
//!
//! Each is fetched once from its registry, held against its checksum and unpacked below the target
//! folder as `packages/NAME-VERSION`. Nothing of them is in the repository.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::process;

mod fetch;
mod specimen;

#[cfg(test)]
pub(crate) use specimen::finding;
pub(crate) use specimen::{Finding, Specimen, State, tribunal};

/// Where a package comes from, and so how it is built and tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Registry {
    /// crates.io.
    Crates,
    /// The Python Package Index; a source distribution.
    PyPi,
    /// The npm registry.
    Npm,
}

/// What a package is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Its findings are judged by people, and it must work after an audit.
    Audit,
    /// It is more code to look at, in another language.
    Reading,
}

/// A release of a package, by content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Package {
    pub name: &'static str,
    pub version: &'static str,
    pub registry: Registry,
    pub purpose: Purpose,
    /// The archive, on the public host of the registry.
    pub url: &'static str,
    /// Of the archive, as 64 hex digits.
    pub sha256: &'static str,
}

const PACKAGES: &[Package] = &[
    Package {
        name: "ripgrep",
        version: "14.1.1",
        registry: Registry::Crates,
        purpose: Purpose::Audit,
        url: "https://static.crates.io/crates/ripgrep/ripgrep-14.1.1.crate",
        sha256: "f77b8032dc584527975f34aa5a897d0ef5a785573fda778771a614ff9da501d9",
    },
    Package {
        name: "hyperfine",
        version: "1.19.0",
        registry: Registry::Crates,
        purpose: Purpose::Audit,
        url: "https://static.crates.io/crates/hyperfine/hyperfine-1.19.0.crate",
        sha256: "1b9ed60550a9126c3f4ab05528d8b89bd130c4fa2735f0b902c5271a4e44f51e",
    },
    Package {
        name: "requests",
        version: "2.32.3",
        registry: Registry::PyPi,
        purpose: Purpose::Audit,
        url: "https://files.pythonhosted.org/packages/63/70/2bf7780ad2d390a8d301ad0b550f1581eadbd9a20f896afe06353c2a2913/requests-2.32.3.tar.gz",
        sha256: "55365417734eb18255590a9ff9eb97e9e1da868d4ccd6402399eaf68af20a760",
    },
    Package {
        name: "flask",
        version: "3.1.0",
        registry: Registry::PyPi,
        purpose: Purpose::Audit,
        url: "https://files.pythonhosted.org/packages/89/50/dff6380f1c7f84135484e176e0cac8690af72fa90e932ad2a0a60e28c69b/flask-3.1.0.tar.gz",
        sha256: "5f873c5184c897c8d9d1b05df1e3d01b14910ce69607a117bd3277098a5836ac",
    },
    Package {
        name: "express",
        version: "4.21.2",
        registry: Registry::Npm,
        purpose: Purpose::Audit,
        url: "https://registry.npmjs.org/express/-/express-4.21.2.tgz",
        sha256: "fc43a91e7dc7affb53c6ad7123a4f35485ed3c45226ae7a3847b7738e783e008",
    },
    Package {
        name: "commander",
        version: "12.1.0",
        registry: Registry::Npm,
        purpose: Purpose::Audit,
        url: "https://registry.npmjs.org/commander/-/commander-12.1.0.tgz",
        sha256: "56affc6ddafe486f94b428ae2823d059cf60d4dae2f33eaaf1b1ec4306f73173",
    },
    // It ships its TypeScript sources.
    Package {
        name: "rxjs",
        version: "7.8.1",
        registry: Registry::Npm,
        purpose: Purpose::Reading,
        url: "https://registry.npmjs.org/rxjs/-/rxjs-7.8.1.tgz",
        sha256: "c532167725ab7d085123209156c93cef22f2479cb9c8527060f1cd903aa9d149",
    },
    // Its largest part is written in Go.
    Package {
        name: "wandb",
        version: "0.17.9",
        registry: Registry::PyPi,
        purpose: Purpose::Reading,
        url: "https://files.pythonhosted.org/packages/88/d6/35047e0fb68c380f04cefb552dfc02c89fc187ff5aa35ed1edb0c5ef1851/wandb-0.17.9.tar.gz",
        sha256: "744e27c17636c8f8bdce05c7fe9d17b4814a4196cff313b97b3bf92e7593d2ce",
    },
    // It is written in bash.
    Package {
        name: "bats",
        version: "1.11.1",
        registry: Registry::Npm,
        purpose: Purpose::Reading,
        url: "https://registry.npmjs.org/bats/-/bats-1.11.1.tgz",
        sha256: "1d8a88fc70bc5a518c7cf17e5201b80b24e9475be95abe6508b3197a64b73365",
    },
];

impl Package {
    /// The first 8 digits of the checksum: what is drawn from the package is drawn by them.
    pub(crate) fn seed(&self) -> &'static str {
        &self.sha256[..8]
    }
}

/// Fetches and unpacks the packages that the arguments name, or all of them.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    for package in named(arguments)? {
        let place = unpacked(root, package)?;
        let place = place.strip_prefix(root).unwrap_or(&place).display();
        println!("{package} from {}: {place}", package.registry);
    }
    Ok(())
}

/// The package, unpacked; it is fetched where it is not there yet.
pub(crate) fn unpacked(root: &Path, package: &Package) -> Result<PathBuf, Failure> {
    fetch::unpacked(package, &folder(root)?)
}

/// Whether every package is unpacked already.
pub(crate) fn are_here(root: &Path) -> Result<bool, Failure> {
    let folder = folder(root)?;
    Ok(PACKAGES.iter().all(|package| fetch::place(package, &folder).is_dir()))
}

/// Whether the registries can be asked; without curl nobody knows.
pub(crate) fn registries_answer() -> bool {
    PACKAGES.first().is_some_and(fetch::answers)
}

fn folder(root: &Path) -> Result<PathBuf, Failure> {
    Ok(process::target_folder(root)?.join("packages"))
}

/// The packages that audits are tried on, of these names; without a name all of them.
pub(crate) fn audited(names: &[String]) -> Result<Vec<&'static Package>, Failure> {
    let chosen = named(names)?;
    Ok(chosen.into_iter().filter(|package| package.purpose == Purpose::Audit).collect())
}

/// The packages of these names, in the order of the table; without a name all of them.
pub(crate) fn named(names: &[String]) -> Result<Vec<&'static Package>, Failure> {
    if let Some(name) = names.iter().find(|name| PACKAGES.iter().all(|known| known.name != **name))
    {
        let known: Vec<&str> = PACKAGES.iter().map(|package| package.name).collect();
        return Err(Failure::Usage(format!(
            "no package is called `{name}`; there are {}",
            known.join(", ")
        )));
    }
    let is_meant =
        |package: &&Package| names.is_empty() || names.iter().any(|name| name == package.name);
    Ok(PACKAGES.iter().filter(is_meant).collect())
}

impl std::fmt::Display for Package {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

impl std::fmt::Display for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Crates => "crates.io",
            Self::PyPi => "PyPI",
            Self::Npm => "npm",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_the_release_on_the_registry_s_public_host() {
        for Package { name, version, registry, url, sha256, .. } in PACKAGES {
            let host = match registry {
                Registry::Crates => "https://static.crates.io/crates/",
                Registry::PyPi => "https://files.pythonhosted.org/packages/",
                Registry::Npm => "https://registry.npmjs.org/",
            };
            assert!(url.starts_with(host), "{url}");
            assert!(url.contains(&format!("/{name}-{version}.")), "{url}");
            assert!(sha256.len() == 64 && sha256.bytes().all(|b| b.is_ascii_hexdigit()), "{name}");
        }
    }

    #[test]
    fn names_choose_and_an_unknown_one_lists_the_known() {
        let names = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let chosen = named(&names(&["flask", "ripgrep"])).expect("both are there");
        assert_eq!(
            chosen.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["ripgrep 14.1.1", "flask 3.1.0"]
        );
        assert_eq!(named(&[]).expect("all").len(), PACKAGES.len());
        let failure = named(&names(&["flask", "flusk"])).expect_err("there is no such package");
        assert!(
            failure.to_string().starts_with("no package is called `flusk`; there are ripgrep,")
        );
    }
}
