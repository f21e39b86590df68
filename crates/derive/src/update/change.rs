//! The fields of an update: what happens to which attribute.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Error, Field, Ident, Result, Type};

use crate::key_path::KeyPath;
use crate::option::{self, Faults, Options};
use crate::stored_field::inside_option;

const OPTIONS: Options = Options {
    owner: "update",
    once: &["add", "subtract", "set_if_absent", "append", "delete_from", "attribute"],
    repeated: &[],
};

/// A field of an update.
pub(super) struct Change<'a> {
    /// As the code calls it.
    pub(super) ident: &'a Ident,
    pub(super) ty: &'a Type,
    /// Its own name, as shapes call it.
    pub(super) name: String,
    /// The attribute that it changes.
    pub(super) attribute: String,
    action: Action,
}

/// What happens to the attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Set,
    SetIfAbsent,
    Add,
    Subtract,
    Append,
    DeleteFrom,
}

/// Reads the fields of an update.
pub(super) fn read<'a>(fields: &[&'a Field]) -> Result<Vec<Change<'a>>> {
    let mut faults = Faults::default();
    let mut changes = Vec::new();
    for field in fields {
        let Some(ident) = &field.ident else { continue };
        let name = ident.unraw().to_string();
        let mut change = Change { ident, ty: &field.ty, attribute: name.clone(), name, action: Action::Set };
        faults.take(OPTIONS.read(&field.attrs, &mut |option, input| {
            if option == "attribute" {
                change.attribute = option::text(option, input)?.value();
                return Ok(());
            }
            if change.action != Action::Set {
                return Err(Error::new(
                    option.span(),
                    "one thing happens to an attribute in an update: keep the one that is meant",
                ));
            }
            change.action = Action::named(option);
            Ok(())
        }));
        changes.push(change);
    }
    faults.into_result(changes)
}

impl Action {
    fn named(option: &Ident) -> Action {
        match option.to_string().as_str() {
            "add" => Action::Add,
            "subtract" => Action::Subtract,
            "set_if_absent" => Action::SetIfAbsent,
            "append" => Action::Append,
            "delete_from" => Action::DeleteFrom,
            other => unreachable!("the list of options has no `{other}`"),
        }
    }

    /// The variant of the key crate's `ChangeAction`.
    fn variant(self) -> TokenStream {
        match self {
            Action::Set => quote!(Set),
            Action::SetIfAbsent => quote!(SetIfAbsent),
            Action::Add => quote!(Add),
            Action::Subtract => quote!(Subtract),
            Action::Append => quote!(Append),
            Action::DeleteFrom => quote!(DeleteFrom),
        }
    }
}

impl Change<'_> {
    /// Whether the attribute is known to have the field's value afterwards.
    pub(super) fn is_set(&self) -> bool {
        self.action == Action::Set
    }

    /// The type of a value: what is in the `Option`, if the field is one.
    pub(super) fn value_type(&self) -> &Type {
        inside_option(self.ty).unwrap_or(self.ty)
    }

    /// The expression of its shape, where the trait that says what cannot fill a component is in scope.
    pub(super) fn shape(&self, key: &KeyPath) -> TokenStream {
        let Change { attribute, name, ty, .. } = self;
        let action = self.action.variant();
        let presence = if inside_option(ty).is_some() {
            quote!(#key::Presence::Sometimes)
        } else {
            quote!(#key::declare::KindOf::<#ty>::PRESENCE)
        };
        quote! {
            #key::ChangeShape {
                attribute: #attribute,
                given: #name,
                action: #key::ChangeAction::#action,
                presence: #presence,
            }
        }
    }
}
