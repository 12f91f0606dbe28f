//! What speaks for a command.

use super::listing::{Place, is_placeholder};

/// One thing that has to be there.
#[derive(Debug, Clone, Copy)]
pub(super) enum When {
    /// One of these files, in the folder itself.
    File(&'static [&'static str]),
    /// One of these files, in the folder or in one above it.
    Above(&'static [&'static str]),
    /// A file in the folder itself whose name ends so.
    Ending(&'static [&'static str]),
    /// A file in the folder itself whose name begins and ends so.
    Beside(&'static str, &'static str),
    /// A file anywhere below whose name begins and ends so.
    Below(&'static str, &'static str),
    /// A folder of this name.
    Folder(&'static str),
    /// One of these files has a line that begins so.
    Line(&'static [&'static str], &'static str),
    /// One of these files holds this text.
    Text(&'static [&'static str], &'static str),
    /// `package.json` has one of these scripts, and it is no placeholder.
    Script(&'static [&'static str]),
    /// A package below has one of these scripts, and this is the root of a workspace.
    MemberScript(&'static [&'static str]),
    /// `package.json` declares this package.
    Package(&'static str),
    /// `deno.json` has one of these tasks.
    Task(&'static [&'static str]),
    /// `composer.json` has one of these scripts.
    ComposerScript(&'static [&'static str]),
    /// The Makefile has one of these targets.
    Target(&'static [&'static str]),
    /// The justfile has one of these recipes.
    Recipe(&'static [&'static str]),
}

/// That a condition holds: the name that a command may need, and what was seen.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) name: Option<&'static str>,
    pub(super) why: String,
}

impl Seen {
    fn plain(why: String) -> Option<Self> {
        Some(Self { name: None, why })
    }

    fn named(name: &'static str, why: String) -> Option<Self> {
        Some(Self { name: Some(name), why })
    }
}

pub(super) const MAKEFILES: &[&str] = &["GNUmakefile", "makefile", "Makefile"];
pub(super) const JUSTFILES: &[&str] = &["justfile", "Justfile", ".justfile"];

impl When {
    /// What was seen, if it holds.
    pub(super) fn holds(self, place: &Place<'_>) -> Option<Seen> {
        match self {
            Self::File(names) => {
                let name = names.iter().find(|name| place.has(name))?;
                Seen::plain((*name).to_owned())
            }
            Self::Above(names) => {
                let name = names.iter().find(|name| place.upwards().any(|up| up.has(name)))?;
                Seen::plain((*name).to_owned())
            }
            Self::Ending(ends) => {
                let is_one =
                    |path: &&str| !path.contains('/') && ends.iter().any(|end| path.ends_with(end));
                Seen::plain(place.below().find(is_one)?.to_owned())
            }
            Self::Beside(start, end) => {
                let mut beside = place.below().filter(|path| !path.contains('/'));
                Seen::plain(beside.find(|path| is_named(path, start, end))?.to_owned())
            }
            Self::Below(start, end) => {
                Seen::plain(place.below().find(|path| is_named(path, start, end))?.to_owned())
            }
            Self::Folder(name) => {
                let is_in =
                    |path: &str| path.split_once('/').is_some_and(|(first, _)| first == name);
                place.below().any(is_in).then_some(())?;
                Seen::plain(format!("{name}/"))
            }
            Self::Line(files, start) => {
                let has =
                    |text: &str| text.lines().any(|line| line.trim_start().starts_with(start));
                text_with(place, files, has, start)
            }
            Self::Text(files, words) => text_with(place, files, |text| text.contains(words), words),
            Self::Script(names) => {
                let name = script(place, names)?;
                Seen::named(name, format!("package.json has the script `{name}`"))
            }
            Self::MemberScript(names) => member_script(place, names),
            Self::Package(name) => {
                let package = place.package_json()?;
                package.packages().any(|declared| declared == name).then_some(())?;
                Seen::plain(format!("package.json declares {name}"))
            }
            Self::Task(names) => {
                let tasks = place.deno_json()?.tasks;
                let name = names.iter().copied().find(|name| tasks.contains_key(*name))?;
                Seen::named(name, format!("deno.json has the task `{name}`"))
            }
            Self::ComposerScript(names) => {
                let scripts = place.composer_json()?.scripts;
                let name = names.iter().copied().find(|name| scripts.contains_key(*name))?;
                Seen::named(name, format!("composer.json has the script `{name}`"))
            }
            Self::Target(names) => entry(place, MAKEFILES, names, "target", is_target),
            Self::Recipe(names) => entry(place, JUSTFILES, names, "recipe", is_recipe),
        }
    }
}

/// Whether the name of a file begins and ends so.
fn is_named(path: &str, start: &str, end: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with(start) && name.ends_with(end)
}

/// The first of the scripts that the folder's package has, placeholders apart.
fn script(place: &Place<'_>, names: &[&'static str]) -> Option<&'static str> {
    let scripts = place.package_json()?.scripts;
    let has = |name: &&str| scripts.get(*name).is_some_and(|script| !is_placeholder(script));
    names.iter().copied().find(has)
}

/// The same for a member of the workspace whose root the folder is.
fn member_script(place: &Place<'_>, names: &[&'static str]) -> Option<Seen> {
    if place.package_json()?.workspaces.is_none() && !place.has("pnpm-workspace.yaml") {
        return None;
    }
    let mut members = place.below().filter_map(|path| path.strip_suffix("/package.json"));
    members.find_map(|member| {
        let folder = place.path(member);
        let name = script(&place.listing.place(&folder), names)?;
        Seen::named(name, format!("{member}/package.json has the script `{name}`"))
    })
}

fn text_with(
    place: &Place<'_>,
    files: &[&'static str],
    has: impl Fn(&str) -> bool,
    words: &str,
) -> Option<Seen> {
    let file = files.iter().find(|file| place.text(file).is_some_and(&has))?;
    Seen::plain(format!("{file} has `{words}`"))
}

fn entry(
    place: &Place<'_>,
    files: &[&'static str],
    names: &[&'static str],
    kind: &str,
    is_entry: fn(&str, &str) -> bool,
) -> Option<Seen> {
    let file = files.iter().find(|file| place.has(file))?;
    let text = place.text(file)?;
    let name = names.iter().copied().find(|name| text.lines().any(|line| is_entry(line, name)))?;
    Seen::named(name, format!("{file} has the {kind} `{name}`"))
}

/// `test: build` and `test check:`, not `test := 1`.
fn is_target(line: &str, name: &str) -> bool {
    let Some((targets, rest)) = line.split_once(':') else { return false };
    !line.starts_with(char::is_whitespace)
        && !rest.starts_with('=')
        && !rest.starts_with(":=")
        && targets.split_whitespace().any(|target| target == name)
}

/// `test *ARGS: build` and `@test:`, not `test := "1"`.
fn is_recipe(line: &str, name: &str) -> bool {
    let line = line.strip_prefix('@').unwrap_or(line);
    let Some(rest) = line.strip_prefix(name) else { return false };
    let Some((parameters, rest)) = rest.split_once(':') else { return false };
    (parameters.is_empty() || parameters.starts_with(' ')) && !rest.starts_with('=')
}
