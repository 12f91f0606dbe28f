//! What one call says to an agent besides the prompt.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Slot;

/// What one call says in its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asking<'a> {
    /// The mark around data blocks in the prompt, the same for a whole run.
    pub data_mark: &'a str,
    /// The word of the role.
    pub role: &'a str,
    /// Which validator it is; `None` for every other role.
    pub validator: Option<u32>,
    /// Whether the role may change files.
    pub may_write: bool,
    /// The cycle, from 1.
    pub cycle: u32,
    /// The model; the agent's own choice without one.
    pub model: Option<&'a str>,
    /// What is audited, relative to the working directory.
    pub target: &'a str,
    /// Where results are written; `None` where nothing is.
    pub output_dir: Option<&'a str>,
    /// The line count above which a module is reported.
    pub module_loc_limit: u32,
    /// What is looked for.
    pub rules: RuleChoice<'a>,
}

/// Which structural rules a call goes by; an agent without rules is not told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RuleChoice<'a> {
    /// Folders of rules that are no part of the agent.
    pub folders: &'a [PathBuf],
    /// Rules and categories that alone are looked for; all, when there are none.
    pub only: &'a [String],
    /// Rules and categories that are left out.
    pub skip: &'a [String],
    /// External linters that may be run, by name.
    pub linters: &'a [&'a str],
    /// Where what was learned of unchanged files is kept between calls.
    pub cache: Option<&'a Path>,
}

impl Asking<'_> {
    /// What it says for a slot, one word after the other.
    pub(super) fn words(&self, slot: Slot) -> Vec<OsString> {
        let rules = &self.rules;
        match slot {
            Slot::DataMark => vec![self.data_mark.into()],
            Slot::Role => vec![self.role.into()],
            Slot::Validator => {
                self.validator.iter().map(|number| number.to_string().into()).collect()
            }
            Slot::Cycle => vec![self.cycle.to_string().into()],
            Slot::Model => self.model.iter().map(Into::into).collect(),
            Slot::Target => vec![self.target.into()],
            Slot::OutputDir => self.output_dir.iter().map(Into::into).collect(),
            Slot::ModuleLocLimit => vec![self.module_loc_limit.to_string().into()],
            Slot::Rules => rules.folders.iter().map(Into::into).collect(),
            Slot::Only => rules.only.iter().map(Into::into).collect(),
            Slot::Skip => rules.skip.iter().map(Into::into).collect(),
            Slot::Linters => rules.linters.iter().map(Into::into).collect(),
            Slot::Cache => rules.cache.iter().map(Into::into).collect(),
        }
    }
}
