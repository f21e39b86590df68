//! The fields that the data layer looks at or writes itself: time to live, version, and stamps.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Error, Ident, Result, Token};

use crate::key_path::{KeyPath, moved};
use crate::option::{self, Faults, Options};
use crate::stored_field::{StoredField, StoredFields};

const OPTIONS: Options =
    Options { owner: "entity", once: &["ttl", "version", "created", "updated"], repeated: &[] };

/// What fields say of themselves, at most one each.
#[derive(Default)]
pub(super) struct ManagedFields {
    /// The stored name of the field that says when an item expires, and where that is said.
    pub(super) time_to_live: Option<(String, Span)>,
    /// The stored name of the field that counts versions, and where that is said.
    pub(super) version: Option<(String, Span)>,
    /// The field that says when an item was stored first.
    pub(super) created: Option<StampField>,
    /// The field that says when an item was written last.
    pub(super) updated: Option<StampField>,
}

/// A field that says when an item was written.
pub(super) struct StampField {
    name: String,
    /// The field's type, as tokens.
    ty: TokenStream,
    type_span: Span,
    /// The variant of the key crate's `StampForm`, if the field is a number.
    number: Ident,
}

impl ManagedFields {
    /// Reads the options of all fields; `is_in_key` says whether a key is rendered from an attribute.
    pub(super) fn read(&mut self, fields: &StoredFields<'_>, is_in_key: impl Fn(&str) -> bool) -> Result<()> {
        let mut faults = Faults::default();
        for field in &fields.fields {
            faults.take(OPTIONS.read(field.attributes, &mut |option, input| {
                let name = &field.name;
                match option.to_string().as_str() {
                    "ttl" => once(&mut self.time_to_live, option, (name.clone(), option.span())),
                    "version" => once(&mut self.version, option, (name.clone(), option.span())),
                    "created" => {
                        let stamp = StampField::read(option, input, field, is_in_key(name))?;
                        once(&mut self.created, option, stamp)
                    }
                    "updated" => {
                        let stamp = StampField::read(option, input, field, is_in_key(name))?;
                        once(&mut self.updated, option, stamp)
                    }
                    other => unreachable!("the list of options has no `{other}`"),
                }
            }));
        }
        faults.into_result(())
    }
}

fn once<Said>(place: &mut Option<Said>, option: &Ident, said: Said) -> Result<()> {
    if place.is_some() {
        return Err(Error::new(
            option.span(),
            format!("another field is the `{option}` already: an entity has one"),
        ));
    }
    *place = Some(said);
    Ok(())
}

impl StampField {
    fn read(
        option: &Ident,
        input: ParseStream<'_>,
        field: &StoredField<'_>,
        is_in_key: bool,
    ) -> Result<StampField> {
        let number = if input.peek(Token![=]) {
            let unit = option::text(option, input)?;
            match unit.value().as_str() {
                "seconds" => Ident::new("Seconds", unit.span()),
                "milliseconds" => Ident::new("Milliseconds", unit.span()),
                other => {
                    return Err(Error::new(
                        unit.span(),
                        format!("a stamp counts `seconds` or `milliseconds`, not `{other}`"),
                    ));
                }
            }
        } else {
            Ident::new("Seconds", option.span())
        };
        if is_in_key {
            return Err(Error::new(
                option.span(),
                format!(
                    "`{}` is in a key, which is rendered before the item is stamped: give the key a time of your own",
                    field.name
                ),
            ));
        }
        if field.stored.written_by_function.is_some() {
            return Err(Error::new(
                option.span(),
                "a stamp is written by the data layer, and `serialize_with` would write it in another form: leave one of the \
                 two out",
            ));
        }
        let ty = field.ty;
        Ok(StampField { name: field.name.clone(), ty: quote!(#ty), type_span: ty.span(), number })
    }

    /// The expression of its shape.
    pub(super) fn shape(&self, key: &KeyPath) -> TokenStream {
        let StampField { name, ty, number, .. } = self;
        let key = key.at(self.type_span);
        let form =
            quote_spanned!(self.type_span=> #key::declare::stamp_form::<#ty>(#key::StampForm::#number));
        quote!(#key::StampShape::new(#name, #form))
    }

    /// Compiles only if the field need not be there before the item is stored.
    pub(super) fn is_not_yet_stamped(&self, key: &KeyPath) -> TokenStream {
        let (ty, span) = (moved(self.ty.clone(), self.type_span), self.type_span);
        let key = key.at(span);
        quote_spanned!(span=> const _: () = #key::declare::is_not_yet_stamped::<#ty>();)
    }
}
