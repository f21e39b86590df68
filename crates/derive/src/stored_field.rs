//! The fields of an entity or a projection as items store them.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{Attribute, Error, Field, GenericArgument, Ident, PathArguments, Result, Type};

use crate::key_path::KeyPath;
use crate::option::Faults;
use crate::serde::{Container, StoredAs};

/// A field that is stored.
pub(crate) struct StoredField<'a> {
    /// As the code calls it.
    pub(crate) ident: &'a Ident,
    /// Its type.
    pub(crate) ty: &'a Type,
    /// Its attributes.
    pub(crate) attributes: &'a [Attribute],
    /// The name that items store.
    pub(crate) name: String,
    /// What serde does with it.
    pub(crate) stored: StoredAs,
}

/// The stored fields of a struct, and those that serde skips.
#[derive(Default)]
pub(crate) struct StoredFields<'a> {
    pub(crate) fields: Vec<StoredField<'a>>,
    pub(crate) skipped: Vec<(String, Span)>,
}

/// Reads fields with serde's names.
pub(crate) fn stored_fields<'a>(attributes: &[Attribute], fields: &[&'a Field]) -> Result<StoredFields<'a>> {
    let mut read = StoredFields::default();
    let mut faults = Faults::default();
    let container = faults.take(Container::read(attributes)).unwrap_or_default();
    for field in fields {
        let Some(ident) = &field.ident else { continue };
        let Some(stored) = faults.take(StoredAs::read(&field.attrs)) else { continue };
        let own = ident.unraw().to_string();
        let name = match (&stored.rename, container.case) {
            (Some(rename), _) => rename.clone(),
            (None, Some(case)) => case.apply(&own),
            (None, None) => own,
        };
        match stored.skip {
            Some(span) => read.skipped.push((name, span)),
            None => {
                read.fields.push(StoredField {
                    ident,
                    ty: &field.ty,
                    attributes: &field.attrs,
                    name,
                    stored,
                });
            }
        }
    }
    faults.into_result(read)
}

impl StoredFields<'_> {
    /// Refuses what serde must not do with a field that keys are made of.
    pub(crate) fn refuse_in_keys(&self, is_in_key: impl Fn(&str) -> bool) -> Result<()> {
        let mut faults = Faults::default();
        for (name, span) in &self.skipped {
            if is_in_key(name) {
                faults.add(Error::new(
                    *span,
                    format!("`{name}` is in a key, and `skip` leaves it out of the item: it could not be read back"),
                ));
            }
        }
        for field in &self.fields {
            if let Some(span) = field.stored.alias
                && is_in_key(&field.name)
            {
                faults.add(Error::new(
                    span,
                    format!(
                        "`{}` is in a key. Indexes, filters and projections look for one name, so items that store it \
                         under the alias would not be found: rewrite those items, then leave the alias out",
                        field.name
                    ),
                ));
            }
            if let Some(span) = field.stored.written_by_function
                && is_in_key(&field.name)
            {
                faults.add(Error::new(
                    span,
                    format!(
                        "`{}` is in a key, which is rendered of the value itself, and a function would store it in another \
                         form: the item would say one thing and its key another. Give the value a type of its own that \
                         serde writes so",
                        field.name
                    ),
                ));
            }
        }
        faults.into_result(())
    }
}

impl StoredField<'_> {
    /// The expression of the attribute's shape, where the trait that says what cannot fill a component is in scope.
    pub(crate) fn shape(&self, key: &KeyPath) -> TokenStream {
        let (name, ty) = (&self.name, self.ty);
        let field = self.ident.unraw().to_string();
        // A function of the user's may write anything.
        let kind = if self.stored.written_by_function.is_some() {
            quote!(#key::AttributeKind::Opaque)
        } else {
            quote!(#key::declare::KindOf::<#ty>::KIND)
        };
        let presence = if self.stored.is_left_out || self.inside_option().is_some() {
            quote!(#key::Presence::Sometimes)
        } else {
            quote!(#key::declare::KindOf::<#ty>::PRESENCE)
        };
        quote!(#key::AttributeShape { name: #name, field: #field, kind: #kind, presence: #presence })
    }

    /// What the `Option` holds, if the type is one.
    pub(crate) fn inside_option(&self) -> Option<&Type> {
        inside_option(self.ty)
    }

    /// Where its type is.
    pub(crate) fn type_span(&self) -> Span {
        self.ty.span()
    }
}

/// What the `Option` holds, if the type is one.
pub(crate) fn inside_option(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inside)) if last.ident == "Option" => Some(inside),
        _ => None,
    }
}
