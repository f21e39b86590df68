//! What the caller of a pattern gives: its fields.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{Error, Field, Ident, Result, Type};

use super::Said;
use crate::option::{self, Faults, Options};

const OPTIONS: Options = Options { owner: "access_pattern", once: &["attribute"], repeated: &[] };

/// A field of a pattern.
pub(super) struct Given<'a> {
    /// As the code calls it.
    pub(super) ident: &'a Ident,
    /// Its type.
    pub(super) ty: &'a Type,
    /// As templates and bounds call it: the attribute it is compared with, or its own name.
    pub(super) name: String,
    /// The attribute it is compared with in keys; nothing if only the filter uses it.
    pub(super) attribute: Option<String>,
}

/// Reads the fields of a pattern whose options have been read.
pub(super) fn read<'a>(fields: &[&'a Field], said: &Said) -> Result<Vec<Given<'a>>> {
    let mut faults = Faults::default();
    let mut all = Vec::new();
    for field in fields {
        let Some(ident) = &field.ident else { continue };
        let mut name = ident.unraw().to_string();
        faults.take(OPTIONS.read(&field.attrs, &mut |option, input| {
            name = option::text(option, input)?.value();
            Ok(())
        }));
        if let Type::Reference(reference) = &field.ty {
            faults.add(Error::new(
                reference.and_token.span,
                "a pattern owns what it is given, since pages are read with it later. Use the type that the entity has",
            ));
        }
        let attribute = said
            .condition
            .as_ref()
            .and_then(|condition| condition.compared_with(&name))
            .or_else(|| (!is_for_filter_only(said, &name)).then(|| name.clone()));
        all.push(Given { ident, ty: &field.ty, name, attribute });
    }
    faults.into_result(all)
}

/// Whether the filter uses it, and the condition on the sort key does not.
///
/// A partition key may use it too, which cannot be seen here; then it is compared by its kind.
fn is_for_filter_only(said: &Said, name: &str) -> bool {
    said.filter.expression.uses(name)
        && !said.condition.as_ref().is_some_and(|condition| condition.names(name))
}

impl Given<'_> {
    /// Where its type is.
    pub(super) fn type_span(&self) -> Span {
        self.ty.span()
    }
}
