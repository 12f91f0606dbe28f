//! From flags and settings to what the embedded inspector goes by.

use std::io::Write as _;

use tribunal_runner::{Agents, InspectorOptions, RunError, read_rules};

use crate::args::RuleChoice;
use crate::failure::Failure;
use crate::settings::{InspectorSetting, Settings};

/// What the inspector goes by in a run: flags before the repository's settings, those before the
/// user's, list by list. Where nobody asks it, no rule is read.
pub(crate) fn inspector(
    choice: &RuleChoice,
    settings: &Settings,
    agents: &Agents,
) -> Result<InspectorOptions, Failure> {
    if !agents.include_inspector() {
        return match choice.flag() {
            None => Ok(InspectorOptions::default()),
            Some(flag) => Err(Failure::usage(format!(
                "{flag}: chooses among the rules of the inspector, and this run does not ask it"
            ))),
        };
    }
    let rules = settings.rules.iter().map(|folder| read_rules(folder));
    let rules = rules.collect::<Result<_, _>>().map_err(RunError::from)?;
    Ok(InspectorOptions {
        only: chosen(&choice.only, settings, |setting| setting.only.as_ref()),
        skip: chosen(&choice.skip, settings, |setting| setting.skip.as_ref()),
        linters: chosen(&[], settings, |setting| setting.linters.as_ref()),
        rules,
    })
}

fn chosen<T: Clone>(
    flags: &[T],
    settings: &Settings,
    list: impl Fn(&InspectorSetting) -> Option<&Vec<T>>,
) -> Vec<T> {
    if !flags.is_empty() {
        return flags.to_vec();
    }
    let files = [&settings.repository.inspector, &settings.user.inspector];
    files.into_iter().find_map(list).cloned().unwrap_or_default()
}

/// Says on standard error that a repository has rules that are not used.
pub(crate) fn tell_untrusted_rules(settings: &Settings) {
    let Some(folder) = &settings.untrusted_rules else { return };
    // A closed standard error takes the line away, nothing else.
    let _ = writeln!(
        anstream::stderr(),
        "{}: not used, because this repository is not trusted\n  remedy: look at the rules, then run \
         `tribunal trust`",
        folder.display()
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::SettingsFile;

    fn file(only: Option<&[&str]>) -> SettingsFile {
        let only = only.map(|words| words.iter().map(ToString::to_string).collect());
        let inspector = InspectorSetting { only, ..InspectorSetting::default() };
        SettingsFile { inspector, ..SettingsFile::default() }
    }

    #[test]
    fn the_nearest_list_replaces_the_others() {
        let check = |flags: &[&str], repository, user, expected: &[&str]| {
            let flags: Vec<String> = flags.iter().map(ToString::to_string).collect();
            let settings =
                Settings { repository: file(repository), user: file(user), ..Settings::default() };
            assert_eq!(chosen(&flags, &settings, |setting| setting.only.as_ref()), expected);
        };
        check(&["a", "b"], Some(&["c"]), Some(&["d"]), &["a", "b"]);
        check(&[], Some(&["c"]), Some(&["d"]), &["c"]);
        check(&[], Some(&[]), Some(&["d"]), &[]);
        check(&[], None, Some(&["d"]), &["d"]);
        check(&[], None, None, &[]);
    }
}
