//! `#[derive(Update)]`: a struct as a change of a stored item; its fields are the new values.

mod change;
mod output;

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::{DeriveInput, Error, Ident, Path, Result};

use crate::key_path::KeyPath;
use crate::option::{self, Faults, Name, Options};
use crate::structure::{Role, named_fields, place};
use crate::subject::Subject;
use change::Change;

const OPTIONS: Options =
    Options { owner: "update", once: &["table", "of", "remove", "unique", "crate"], repeated: &[] };

/// Everything that the attributes say, checked for its form.
struct Update<'a> {
    ident: &'a Ident,
    key: KeyPath,
    table: Path,
    entity: Path,
    changes: Vec<Change<'a>>,
    removals: Vec<Name>,
    kind: Kind,
}

/// Whether reservations change with it.
#[derive(Clone, Copy, Default)]
enum Kind {
    #[default]
    Plain,
    Unique,
}

/// The options as they were given.
#[derive(Default)]
struct Said {
    subject: Subject,
    removals: Vec<Name>,
    kind: Kind,
}

/// The implementations and rules of an update; on a fault of an attribute, the fault.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut said = Said::default();
    match read(input, &mut said) {
        Ok(update) => output::of(&update),
        Err(error) => output::stand_in(input, &said, &error),
    }
}

fn read<'a>(input: &'a DeriveInput, said: &mut Said) -> Result<Update<'a>> {
    let mut faults = Faults::default();
    faults.take(said.read(input));
    let fields = faults.take(named_fields(input, Role::Update)).unwrap_or_default();
    let changes = faults.take(change::read(&fields)).unwrap_or_default();
    faults.into_result(())?;
    let name = input.ident.unraw();
    let (table, entity) = said.subject.whole(input, "say of which entity the item is: `of = Task`")?;
    if changes.is_empty() && said.removals.is_empty() {
        return Err(Error::new(
            place(input),
            format!(
                "`{name}` changes nothing: give it a field for each new value, or say `remove(nickname)`"
            ),
        ));
    }
    let removals = std::mem::take(&mut said.removals);
    let key = said.subject.key();
    Ok(Update { ident: &input.ident, key, table, entity, changes, removals, kind: said.kind })
}

impl Said {
    fn read(&mut self, input: &DeriveInput) -> Result<()> {
        OPTIONS.read(&input.attrs, &mut |option, input| {
            if option == "remove" {
                self.removals = option::list(option, input)?;
            } else if option == "unique" {
                self.kind = Kind::Unique;
            } else {
                *self.subject.place(option) = Some(option::path(option, input)?);
            }
            Ok(())
        })
    }
}
