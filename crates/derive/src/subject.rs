//! What a condition and an update are about: an entity of a table.

use syn::ext::IdentExt;
use syn::{DeriveInput, Error, Ident, Path, Result};

use crate::key_path::KeyPath;
use crate::structure::place;

/// The options `table`, `of` and `crate`, as far as they were given.
#[derive(Default)]
pub(crate) struct Subject {
    table: Option<Path>,
    entity: Option<Path>,
    crate_path: Option<Path>,
}

impl Subject {
    /// Whether an option with this name is one of these.
    pub(crate) fn has_option(word: &Ident) -> bool {
        ["table", "of", "crate"].iter().any(|option| word == option)
    }

    /// Where the value of one of these options is kept.
    pub(crate) fn place(&mut self, option: &Ident) -> &mut Option<Path> {
        match option.to_string().as_str() {
            "table" => &mut self.table,
            "of" => &mut self.entity,
            _ => &mut self.crate_path,
        }
    }

    /// The path by which code names the key crate.
    pub(crate) fn key(&self) -> KeyPath {
        KeyPath::new(self.crate_path.as_ref())
    }

    /// The table and the entity, if both were given.
    pub(crate) fn given(&self) -> Option<(&Path, &Path)> {
        self.table.as_ref().zip(self.entity.as_ref())
    }

    /// The table and the entity. `of` is the advice where the entity is missing.
    pub(crate) fn whole(&self, input: &DeriveInput, of: &str) -> Result<(Path, Path)> {
        let missing = |option: &str, advice: &str| {
            Error::new(place(input), format!("`{}` has no `{option}`: {advice}", input.ident.unraw()))
        };
        let table = self
            .table
            .clone()
            .ok_or_else(|| missing("table", "say in which table the item is: `table = App`"))?;
        let entity = self.entity.clone().ok_or_else(|| missing("of", of))?;
        Ok((table, entity))
    }
}
