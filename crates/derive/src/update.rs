//! `#[derive(Update)]`: a struct as a change of a stored item; its fields are the new values.

mod change;
mod output;

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::{DeriveInput, Error, Ident, Path, Result};

use crate::key_path::KeyPath;
use crate::option::{self, Faults, Name, Options};
use crate::structure::{Role, named_fields, place};
use change::Change;

const OPTIONS: Options =
    Options { owner: "update", once: &["table", "of", "remove", "crate"], repeated: &[] };

/// Everything that the attributes say, checked for its form.
struct Update<'a> {
    ident: &'a Ident,
    key: KeyPath,
    table: Path,
    entity: Path,
    changes: Vec<Change<'a>>,
    removals: Vec<Name>,
}

/// The options as they were given.
#[derive(Default)]
struct Said {
    table: Option<Path>,
    entity: Option<Path>,
    crate_path: Option<Path>,
    removals: Vec<Name>,
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
    let (table, entity) = match (&said.table, &said.entity) {
        (Some(table), Some(entity)) => (table.clone(), entity.clone()),
        (None, _) => {
            let advice = "say in which table the item is: `table = App`";
            return Err(Error::new(place(input), format!("`{name}` has no `table`: {advice}")));
        }
        (_, None) => {
            let advice = "say of which entity the item is: `of = Task`";
            return Err(Error::new(place(input), format!("`{name}` has no `of`: {advice}")));
        }
    };
    if changes.is_empty() && said.removals.is_empty() {
        return Err(Error::new(
            place(input),
            format!(
                "`{name}` changes nothing: give it a field for each new value, or say `remove(nickname)`"
            ),
        ));
    }
    let removals = std::mem::take(&mut said.removals);
    let key = KeyPath::new(said.crate_path.as_ref());
    Ok(Update { ident: &input.ident, key, table, entity, changes, removals })
}

impl Said {
    fn read(&mut self, input: &DeriveInput) -> Result<()> {
        OPTIONS.read(&input.attrs, &mut |option, input| {
            match option.to_string().as_str() {
                "table" => self.table = Some(option::path(option, input)?),
                "of" => self.entity = Some(option::path(option, input)?),
                "remove" => self.removals = option::list(option, input)?,
                "crate" => self.crate_path = Some(option::path(option, input)?),
                other => unreachable!("the list of options has no `{other}`"),
            }
            Ok(())
        })
    }
}
