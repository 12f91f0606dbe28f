//! Which rules a call is about: `--only` and `--skip`, by rule or by category.

use tribunal_finding::Category;

use crate::catalog::Catalog;
use crate::fault::Fault;
use crate::rule::Rule;

/// What the words of a command line leave of the rules.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Selection {
    /// Rule ids and categories; empty for all.
    pub(crate) only: Vec<String>,
    /// Rule ids and categories; stronger than `only`.
    pub(crate) skip: Vec<String>,
}

impl Selection {
    /// Refuses words that are neither a rule nor a category.
    ///
    /// Rules of other linters, `ruff::E722`, are not known here and are taken as they are.
    pub(crate) fn check(&self, catalog: &Catalog) -> Result<(), Fault> {
        let known = |word: &str| {
            word.contains("::") || word.parse::<Category>().is_ok() || catalog.rule(word).is_some()
        };
        match self.only.iter().chain(&self.skip).find(|word| !known(word)) {
            None => Ok(()),
            Some(word) => Err(Fault::Usage(format!(
                "`{word}` is neither a rule (`tribunal rules list`) nor a category ({}){}",
                Category::ALL.map(Category::word).join(", "),
                nearest(word, catalog)
            ))),
        }
    }

    pub(crate) fn holds(&self, rule: &Rule) -> bool {
        self.holds_id(&rule.id, rule.category)
    }

    pub(crate) fn holds_id(&self, id: &str, category: Category) -> bool {
        let named = |word: &String| word == id || word.parse::<Category>() == Ok(category);
        (self.only.is_empty() || self.only.iter().any(named)) && !self.skip.iter().any(named)
    }
}

/// `; did you mean …?`, where something is near enough.
fn nearest(word: &str, catalog: &Catalog) -> String {
    let ids = catalog.all().map(|rule| rule.id.as_str());
    let near = |known: &&str| strsim::damerau_levenshtein(word, known);
    let found = ids.chain(Category::ALL.map(Category::word)).min_by_key(near);
    match found.filter(|known| near(known) <= known.len().div_ceil(3)) {
        Some(known) => format!("; did you mean `{known}`?"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(only: &[&str], skip: &[&str], expected: bool) {
        let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect();
        let selection = Selection { only: words(only), skip: words(skip) };
        let catalog = Catalog::embedded();
        selection.check(&catalog).expect("known words");
        let rule = catalog.rule("js-empty-catch").expect("a rule");
        assert_eq!(selection.holds(rule), expected, "{selection:?}");
    }

    #[test]
    fn rules_are_chosen_by_id_and_by_category() {
        check(&[], &[], true);
        check(&["js-empty-catch"], &[], true);
        check(&["error_swallowing", "security"], &[], true);
        check(&["security"], &[], false);
        check(&[], &["error_swallowing"], false);
        check(&["js-empty-catch"], &["js-empty-catch"], false);
        check(&["ruff::E722"], &[], false);
    }

    #[test]
    fn a_word_that_names_nothing_is_refused() {
        let selection = Selection { only: vec!["js-emty-catch".to_owned()], skip: Vec::new() };
        let fault = selection.check(&Catalog::embedded()).expect_err("unknown");
        let fault = fault.to_string();
        assert!(fault.contains("`js-emty-catch` is neither a rule"), "{fault}");
        assert!(fault.ends_with("did you mean `js-empty-catch`?"), "{fault}");
    }
}
