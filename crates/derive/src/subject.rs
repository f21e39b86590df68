//! What a condition and an update are about: an entity of a table.

use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{DeriveInput, Error, Ident, Path, Result};

use crate::key_path::KeyPath;
use crate::option;
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

    /// Whether this option was given before.
    pub(crate) fn has(&self, option: &Ident) -> bool {
        match option.to_string().as_str() {
            "table" => self.table.is_some(),
            "of" => self.entity.is_some(),
            _ => self.crate_path.is_some(),
        }
    }

    /// Reads the value of one of these options.
    pub(crate) fn read(&mut self, option: &Ident, input: ParseStream<'_>) -> Result<()> {
        let path = Some(option::path(option, input)?);
        match option.to_string().as_str() {
            "table" => self.table = path,
            "of" => self.entity = path,
            _ => self.crate_path = path,
        }
        Ok(())
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
