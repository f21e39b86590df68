//! What `#[serde(..)]` says about how a struct is stored: read where it changes names, refused where this crate could no
//! longer tell what an item holds.
//!
//! An option that is not known here is refused too, since it may change what is stored.

mod letter_case;

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Error, Expr, LitStr, Result, Token};

pub(crate) use letter_case::FieldCase;

use crate::option::Faults;

/// What serde does with the names of a struct's fields.
#[derive(Default)]
pub(crate) struct Container {
    /// The case that names are stored in, if that is not the fields'.
    pub(crate) case: Option<FieldCase>,
}

/// What serde does with a field.
#[derive(Default)]
pub(crate) struct StoredAs {
    /// The stored name, if it is not the field's.
    pub(crate) rename: Option<String>,
    /// Where it says that the field is never stored.
    pub(crate) skip: Option<Span>,
    /// Whether some items lack it: `skip_serializing_if`.
    pub(crate) is_left_out: bool,
    /// Where it gives other names by which older items are read.
    pub(crate) alias: Option<Span>,
    /// Where it gives a function of the user's that writes the value, as whatever it likes.
    pub(crate) written_by_function: Option<Span>,
}

impl Container {
    /// Reads the options of a struct.
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Container> {
        let mut container = Container::default();
        each_option(attributes, |meta, option| {
            match option {
                "rename_all" => {
                    let name = one_name(meta)?;
                    container.case = Some(FieldCase::parse(&name.value()).ok_or_else(|| {
                        Error::new(name.span(), format!("serde has no `rename_all = \"{}\"`", name.value()))
                    })?);
                    Ok(())
                }
                // The name of the struct is not stored, and there are no generics to bound.
                "rename" | "default" | "crate" | "expecting" | "bound" => skip_value(meta),
                "deny_unknown_fields" => Err(meta.error(
                    "items hold more than the fields: their keys, the discriminator, and what newer versions of the \
                     program added. Leave `deny_unknown_fields` out",
                )),
                "transparent" => Err(meta.error(
                    "an item is a map of attributes, and `transparent` would store the one field in its place. Leave it \
                     out",
                )),
                "tag" | "content" | "untagged" => Err(meta.error(format!(
                    "the table's discriminator says which entity an item is, so `{option}` is not needed. Leave it out"
                ))),
                "from" | "try_from" | "into" | "remote" => Err(meta.error(format!(
                    "with `{option}` items hold the attributes of another type, which cannot be seen here. Derive \
                     `Entity` for that type"
                ))),
                _ => Err(unknown(meta, option)),
            }
        })?;
        Ok(container)
    }
}

impl StoredAs {
    /// Reads the options of a field.
    pub(crate) fn read(attributes: &[Attribute]) -> Result<StoredAs> {
        let mut stored = StoredAs::default();
        each_option(attributes, |meta, option| {
            match option {
            "rename" => {
                stored.rename = Some(one_name(meta)?.value());
                Ok(())
            }
            "skip" => {
                stored.skip = Some(span_of(meta));
                Ok(())
            }
            "skip_serializing_if" => {
                stored.is_left_out = true;
                skip_value(meta)
            }
            "alias" => {
                stored.alias = Some(span_of(meta));
                skip_value(meta)
            }
            "with" | "serialize_with" => {
                stored.written_by_function = Some(span_of(meta));
                skip_value(meta)
            }
            "default" | "deserialize_with" | "bound" | "borrow" => skip_value(meta),
            "flatten" => Err(meta.error(
                "`flatten` puts attributes into the item that cannot be seen here, so no rule could look at them. Name \
                 each as a field, or store the struct as one attribute by leaving `flatten` out",
            )),
            "skip_serializing" => Err(meta.error(
                "a field that is read and never written is lost with the next put. Write `skip` if it is not stored at \
                 all",
            )),
            "skip_deserializing" => Err(meta.error(
                "a field that is written and never read is overwritten by its default with the next put. Write `skip` if \
                 it is not stored at all",
            )),
            "getter" => Err(meta.error("`getter` belongs to `remote`, whose attributes cannot be seen here")),
            _ => Err(unknown(meta, option)),
        }
        })?;
        Ok(stored)
    }
}

fn each_option(
    attributes: &[Attribute],
    mut take: impl FnMut(&ParseNestedMeta<'_>, &str) -> Result<()>,
) -> Result<()> {
    let mut faults = Faults::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        let read = attribute.parse_nested_meta(|meta| {
            let option = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            match take(&meta, &option) {
                Ok(()) => Ok(()),
                Err(error) => {
                    faults.add(error);
                    skip_value(&meta)
                }
            }
        });
        faults.take(read);
    }
    faults.into_result(())
}

/// The one name of `rename = ".."`, or of `rename(serialize = "..", deserialize = "..")` where both are the same.
fn one_name(meta: &ParseNestedMeta<'_>) -> Result<LitStr> {
    if meta.input.peek(Token![=]) {
        return meta.value()?.parse();
    }
    let mut names: Vec<LitStr> = Vec::new();
    meta.parse_nested_meta(|side| {
        names.push(side.value()?.parse()?);
        Ok(())
    })?;
    match names.as_slice() {
        [one, other] if one.value() == other.value() => Ok(one.clone()),
        _ => Err(meta.error(
            "an attribute has one name: it is written and read under the same, or what was written is never found again. \
             Give one name for both",
        )),
    }
}

fn skip_value(meta: &ParseNestedMeta<'_>) -> Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        meta.parse_nested_meta(|side| {
            if side.input.peek(Token![=]) {
                side.value()?.parse::<Expr>()?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn span_of(meta: &ParseNestedMeta<'_>) -> Span {
    meta.path.get_ident().map_or_else(Span::call_site, syn::Ident::span)
}

fn unknown(meta: &ParseNestedMeta<'_>, option: &str) -> Error {
    meta.error(format!(
        "`serde({option})` is not known here, and it may change what is stored. Leave it out, or store the struct by a \
         type without it"
    ))
}
