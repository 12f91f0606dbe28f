//! Modules that could not be imported, and whose they are.

use std::collections::BTreeSet;

use super::Known;

/// A module that a line says is missing.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Module<'a> {
    name: &'a str,
    language: Language,
    /// The package that asks for it is an installed one.
    asked_by_package: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Python,
    JavaScript,
    Go,
    Ruby,
}

/// What stands before the name of a missing module.
const SENTENCES: &[(&str, Language)] = &[
    ("ModuleNotFoundError: No module named ", Language::Python),
    ("ImportError: No module named ", Language::Python),
    ("Cannot find implementation or library stub for module named ", Language::Python),
    ("Cannot find package ", Language::JavaScript),
    ("Cannot find module ", Language::JavaScript),
    ("Cannot find type definition file for ", Language::JavaScript),
    ("Failed to resolve import ", Language::JavaScript),
    ("Module not found: Error: Can't resolve ", Language::JavaScript),
    ("cannot find module providing package ", Language::Go),
    ("no required module provides package ", Language::Go),
    ("cannot load such file -- ", Language::Ruby),
];

/// The module that a line says is missing.
pub(super) fn module(line: &str) -> Option<Module<'_>> {
    let (rest, language) = SENTENCES.iter().find_map(|(sentence, language)| {
        line.split_once(*sentence).map(|(_, rest)| (rest, *language))
    })?;
    let name = match rest.chars().next()? {
        quote @ ('\'' | '"' | '`') => rest[1..].split(quote).next()?,
        _ => rest.split([' ', ':', ';', ',']).next()?,
    };
    let asked_by_package = ["/node_modules/", "/site-packages/", "/gems/"]
        .iter()
        .any(|folder| rest.contains(folder) && !name.contains(folder));
    (!name.is_empty()).then_some(Module { name, language, asked_by_package })
}

impl Module<'_> {
    /// Whether the code is to blame: the module is the project's own, or nobody declared it.
    pub(super) fn is_own(&self, known: &Known) -> bool {
        if self.asked_by_package {
            return false;
        }
        if self.is_path() {
            return true;
        }
        let package = self.package();
        if known.own.contains(package) {
            return true;
        }
        known.declared.as_ref().is_some_and(|declared| !self.is_declared(declared))
    }

    /// Whether it is named by a place in the project.
    fn is_path(&self) -> bool {
        match self.language {
            Language::Python => self.name.starts_with('.'),
            Language::JavaScript => {
                self.name.starts_with(['.', '/', '#', '~'])
                    || self.name.starts_with("@/")
                    || self.name.starts_with("file:")
                    || [".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx"]
                        .iter()
                        .any(|end| self.name.ends_with(end) && self.name.contains('/'))
                        && !self.name.starts_with('@')
            }
            Language::Go => false,
            Language::Ruby => self.name.starts_with(['.', '/']),
        }
    }

    /// The package that the module is part of.
    fn package(&self) -> &str {
        match self.language {
            Language::Python => self.name.split('.').next().unwrap_or(self.name),
            Language::JavaScript => {
                let parts = if self.name.starts_with('@') { 2 } else { 1 };
                let end = self.name.match_indices('/').nth(parts - 1).map(|(at, _)| at);
                &self.name[..end.unwrap_or(self.name.len())]
            }
            Language::Go => self.name,
            Language::Ruby => self.name.split('/').next().unwrap_or(self.name),
        }
    }

    fn is_declared(&self, declared: &BTreeSet<String>) -> bool {
        let package = self.package();
        let is_one = |name: &str| match self.language {
            Language::Python => provides(&canonical(name), &canonical(package)),
            Language::JavaScript => {
                name == package || name.strip_prefix("@types/") == Some(package)
            }
            Language::Go => package == name || package.starts_with(&format!("{name}/")),
            Language::Ruby => canonical(name) == canonical(package),
        };
        declared.iter().any(|name| is_one(name))
    }
}

fn canonical(name: &str) -> String {
    name.to_ascii_lowercase().replace(['_', '.'], "-")
}

/// Packages of Python whose module is called otherwise.
const MODULES: &[(&str, &str)] = &[
    ("beautifulsoup4", "bs4"),
    ("pillow", "pil"),
    ("scikit-learn", "sklearn"),
    ("scikit-image", "skimage"),
    ("opencv-python", "cv2"),
    ("opencv-python-headless", "cv2"),
    ("gitpython", "git"),
    ("attrs", "attr"),
    ("protobuf", "google"),
    ("setuptools", "pkg-resources"),
    ("pytest-mock", "pytest-mock"),
    ("mysqlclient", "mysqldb"),
    ("psycopg2-binary", "psycopg2"),
];

/// Whether a package of Python holds a module, as far as names tell: `PyYAML` holds `yaml`,
/// `python-dateutil` holds `dateutil`.
fn provides(package: &str, module: &str) -> bool {
    package == module
        || MODULES.contains(&(package, module))
        || package.strip_prefix("python-") == Some(module)
        || package.strip_prefix("py") == Some(module)
        || package.strip_suffix("-python") == Some(module)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(&str, bool)>) {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let known = Known {
            declared: Some(names(&["left-pad", "PyYAML", "@scope/kit", "example.org/a", "rspec"])),
            own: names(&["sums", "workspace-member"]),
            ended_before: false,
        };
        let read = module(line);
        let read = read.as_ref().map(|module| (module.package(), module.is_own(&known)));
        assert_eq!(read, expected, "{line}");
    }

    #[test]
    fn a_declared_package_is_not_the_codes_fault() {
        check("E   ModuleNotFoundError: No module named 'yaml.nodes'", Some(("yaml", false)));
        check("Error: Cannot find module 'left-pad/lib'", Some(("left-pad", false)));
        check("Cannot find package '@scope/kit' imported from a.mjs", Some(("@scope/kit", false)));
        check("a.go:3:8: no required module provides package example.org/a/b; to add it:", {
            Some(("example.org/a/b", false))
        });
        check("cannot load such file -- rspec/core (LoadError)", Some(("rspec", false)));
    }

    #[test]
    fn what_the_project_has_or_nobody_declared_is() {
        check("ModuleNotFoundError: No module named 'sums.more'", Some(("sums", true)));
        check("ModuleNotFoundError: No module named 'reqests'", Some(("reqests", true)));
        check("Cannot find module './gone' or its corresponding type", Some((".", true)));
        check("Cannot find module 'src/gone.mjs' imported from src/sums.mjs", Some(("src", true)));
        check("Cannot find module 'workspace-member'", Some(("workspace-member", true)));
        check("Failed to resolve import \"@/gone\" from \"src/a.ts\"", Some(("@/gone", true)));
    }

    #[test]
    fn what_an_installed_package_misses_is_not_the_codes_fault() {
        check(
            "Cannot find package 'gone' imported from /p/node_modules/kit/index.js",
            Some(("gone", false)),
        );
    }

    #[test]
    fn other_lines_name_no_module() {
        check("ImportError: cannot import name 'add' from 'sums'", None);
        check("Cannot find name 'y'", None);
    }
}
