//! What a project says of itself that tells a missing package from a broken import.

use std::collections::BTreeSet;

use super::listing::{Listing, Place};
use crate::Known;

/// What the manifests above a folder declare, and the names of the project's own modules.
///
/// All manifests from the folder to the root count: a package of a workspace may rely on what its
/// root declares. Only names are read; a manifest that cannot be understood declares nothing.
pub fn known(listing: &Listing, folder: &str, ended_before: bool) -> Known {
    let mut declared: Option<BTreeSet<String>> = None;
    for place in listing.place(folder.trim_matches('/')).upwards() {
        for names in [node(&place), python(&place), go(&place), ruby(&place)].into_iter().flatten()
        {
            declared.get_or_insert_default().extend(names);
        }
    }
    let own = own(listing, declared.as_ref());
    Known { declared, own, ended_before }
}

/// Files and folders of Python at the top of the tree or of `src`, and the packages of a workspace.
/// A module further down counts unless a package of its name is declared: a test finds those beside
/// it.
fn own(listing: &Listing, declared: Option<&BTreeSet<String>>) -> BTreeSet<String> {
    let mut own = BTreeSet::new();
    for path in listing.paths() {
        if let Some(folder) = path.strip_suffix("package.json") {
            let place = listing.place(folder.trim_end_matches('/'));
            own.extend(place.package_json().map(|package| package.name));
        }
        if path.ends_with(".py") {
            let path = path.strip_prefix("src/").unwrap_or(path);
            let first = path.split('/').next().unwrap_or(path);
            own.insert(first.strip_suffix(".py").unwrap_or(first).to_owned());
            let name = path.rsplit('/').next().unwrap_or(path);
            let name = name.strip_suffix(".py").unwrap_or(name);
            if !declared.is_some_and(|declared| declared.contains(name)) {
                own.insert(name.to_owned());
            }
        }
    }
    own.remove("");
    own
}

fn node(place: &Place<'_>) -> Option<Vec<String>> {
    let package = place.package_json()?;
    Some(package.packages().map(str::to_owned).collect())
}

fn go(place: &Place<'_>) -> Option<Vec<String>> {
    let text = place.text("go.mod")?;
    let lines = text.lines().map(|line| line.trim().trim_start_matches("require "));
    let modules = lines.filter_map(|line| {
        let (module, version) = line.split_once(' ')?;
        version.starts_with('v').then(|| module.to_owned())
    });
    Some(modules.collect())
}

fn ruby(place: &Place<'_>) -> Option<Vec<String>> {
    let text = place.text("Gemfile")?;
    let gems = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("gem ")?.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        rest[1..].split(quote).next().map(str::to_owned)
    });
    Some(gems.collect())
}

fn python(place: &Place<'_>) -> Option<Vec<String>> {
    let mut names: Option<Vec<String>> = None;
    for file in place.below().filter(|path| !path.contains('/')) {
        let Some(text) = place.text(file) else { continue };
        let found = match file {
            "pyproject.toml" => pyproject(text),
            "setup.cfg" | "Pipfile" => text.lines().filter_map(requirement).collect(),
            _ if file.starts_with("requirements") => text.lines().filter_map(requirement).collect(),
            _ => continue,
        };
        names.get_or_insert_default().extend(found);
    }
    names
}

/// The quoted requirements of every array, and the keys of the tables of dependencies.
fn pyproject(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut in_table_of_needs = false;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with('[') && line.ends_with(']') && !line.contains('"') {
            in_table_of_needs = line.trim_end_matches(']').ends_with("dependencies");
            continue;
        }
        if in_table_of_needs {
            names.extend(requirement(line));
        }
        names.extend(line.split('"').skip(1).step_by(2).filter_map(requirement));
        names.extend(line.split('\'').skip(1).step_by(2).filter_map(requirement));
    }
    names
}

/// The name at the start of `requests[socks]>=2; python_version > "3"`.
fn requirement(line: &str) -> Option<String> {
    let line = line.trim();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let end = line.find(|c| !is_part(c)).unwrap_or(line.len());
    let starts_well = line.starts_with(|c: char| c.is_ascii_alphanumeric());
    starts_well.then(|| line[..end].to_owned())
}
