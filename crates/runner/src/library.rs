//! Where recipes and rules come from.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

mod rules;

pub use rules::read_rules;

/// A recipe's text and where it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecipeText {
    /// The name it was asked for by.
    pub name: String,
    /// `built in`, or its path.
    pub origin: String,
    /// The text.
    pub text: String,
    /// Whether a recipe of the repository stands in for the built-in one of the same name.
    pub shadows: bool,
}

/// A recipe or rule file that could not be found or read.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// Nothing has that name.
    #[error("no recipe `{name}`; looked at {}", looked_at.join(", "))]
    NotFound {
        /// The name.
        name: String,
        /// Where it was looked for.
        looked_at: Vec<String>,
    },
    /// It is there and cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// More than any recipe has, and any rule.
const MAX_BYTES: u64 = 1_000_000;

/// Recipes that Tribunal brings along.
const BUILT_IN: [(&str, &str); 1] = [(
    "quality-audit-cycle",
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../recipes/quality-audit-cycle.yaml")),
)];

/// Recipes by name: those of a trusted repository first, then the built-in ones.
#[derive(Debug, Clone, Default)]
pub struct Library {
    /// `.tribunal/recipes` of a repository that is trusted; `None` where none is.
    pub folder: Option<PathBuf>,
}

impl Library {
    /// Finds a recipe by its name, or by its path when it has a `/` or ends in `.yaml`.
    ///
    /// # Errors
    /// Nothing has that name, or the file cannot be read.
    pub fn find(&self, name: &str) -> Result<RecipeText, LibraryError> {
        if name.contains('/') || name.ends_with(".yaml") || name.ends_with(".yml") {
            return read(name, Path::new(name), false);
        }
        let built_in = BUILT_IN.iter().find(|(known, _)| *known == name);
        let mut looked_at = vec!["the built-in recipes".to_owned()];
        if let Some(folder) = &self.folder {
            let path = folder.join(format!("{name}.yaml"));
            if path.is_file() {
                return read(name, &path, built_in.is_some());
            }
            looked_at.insert(0, path.display().to_string());
        }
        match built_in {
            Some((name, text)) => Ok(RecipeText {
                name: (*name).to_owned(),
                origin: "built in".to_owned(),
                text: (*text).to_owned(),
                shadows: false,
            }),
            None => Err(LibraryError::NotFound { name: name.to_owned(), looked_at }),
        }
    }

    /// All recipes there are, by name.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn list(&self) -> Result<Vec<RecipeText>, LibraryError> {
        let mut names: Vec<String> = BUILT_IN.iter().map(|(name, _)| (*name).to_owned()).collect();
        if let Some(folder) = self.folder.as_deref().filter(|folder| folder.is_dir()) {
            let unreadable = |source| LibraryError::Unreadable { path: folder.to_owned(), source };
            for entry in std::fs::read_dir(folder).map_err(unreadable)? {
                let path = entry.map_err(unreadable)?.path();
                if path.extension().is_some_and(|extension| extension == "yaml")
                    && let Some(stem) = path.file_stem().and_then(|stem| stem.to_str())
                {
                    names.push(stem.to_owned());
                }
            }
        }
        names.sort_unstable();
        names.dedup();
        names.iter().map(|name| self.find(name)).collect()
    }
}

fn read(name: &str, path: &Path, shadows: bool) -> Result<RecipeText, LibraryError> {
    let text = text_of(path).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => LibraryError::NotFound {
            name: name.to_owned(),
            looked_at: vec![path.display().to_string()],
        },
        _ => LibraryError::Unreadable { path: path.to_owned(), source },
    })?;
    let (name, origin) = (name.to_owned(), path.display().to_string());
    Ok(RecipeText { name, origin, text, shadows })
}

/// The text of a file, or of a pipe; what never ends is not read to its end.
fn text_of(path: &Path) -> std::io::Result<String> {
    let invalid = |why: String| std::io::Error::new(std::io::ErrorKind::InvalidData, why);
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(invalid(format!("is longer than {MAX_BYTES} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
        invalid(format!("line {line} is no UTF-8 text"))
    })
}
