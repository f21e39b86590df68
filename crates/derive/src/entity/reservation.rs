//! Reservations: what an entity with `unique(..)` and one with `reservation_of = ..` implement.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Path;
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;

use super::{Entity, last_span};
use crate::condition::same_value;

/// The traits that say how an entity is written: by itself, with its reservations, or as one.
pub(super) fn implementations(entity: &Entity<'_>) -> TokenStream {
    let Entity { ident, key, table, unique, .. } = entity;
    if let Some(owner) = &entity.reservation_of {
        // What it has of its holder it has as the holder stores it.
        let types = entity.fields.fields.iter().map(|field| {
            let value = field.inside_option().unwrap_or(field.ty);
            same_value(key, owner, &field.name, value, field.ty.span())
        });
        return quote! {
            #[automatically_derived]
            impl #key::declare::Reservation<#table, #owner> for #ident {}
            #(#types)*
        };
    }
    if unique.is_empty() {
        return quote! {
            #[automatically_derived]
            impl #key::declare::Unreserved<#table> for #ident {}
        };
    }
    quote! {
        #key::with_serde! {
            #[automatically_derived]
            impl #key::declare::Reserving<#table> for #ident {
                fn visit_reservations<KeywrightVisitor: #key::declare::VisitReservation<#table, Self>>(
                    visitor: &mut KeywrightVisitor,
                ) -> ::core::result::Result<(), KeywrightVisitor::Error> {
                    #(visitor.visit::<#unique>()?;)*
                    ::core::result::Result::Ok(())
                }
            }
        }
    }
}

/// The names of its reservations, in their order, once, if it has some.
pub(super) fn names(entity: &Entity<'_>) -> Option<TokenStream> {
    let Entity { key, table, unique, .. } = entity;
    (!unique.is_empty()).then(|| quote!(&[#(<#unique as #key::declare::Entity<#table>>::SHAPE.name),*]))
}

/// The name of the entity whose reservation it is. It is not taken from that entity's shape, which is made of this one's name.
pub(super) fn owner(entity: &Entity<'_>) -> Option<String> {
    entity
        .reservation_of
        .as_ref()
        .and_then(|path| path.segments.last())
        .map(|last| last.ident.unraw().to_string())
}

/// Where the rule of reservations is reported.
pub(super) fn spans(entity: &Entity<'_>) -> Vec<Span> {
    let of = |path: &Path| last_span(path);
    match (&entity.reservation_of, entity.unique.first()) {
        (Some(owner), _) => vec![of(owner)],
        (None, Some(first)) => vec![of(first)],
        (None, None) => Vec::new(),
    }
}
