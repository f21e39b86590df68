//! Which keys of an entity are spread over shards, and whether the one in the table is its tenant's, as traits that patterns
//! and batches ask for.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::{Entity, Shards};
use crate::key_path::KeyPath;

/// What the entity is in its table and in each of its indexes.
pub(super) fn of(entity: &Entity<'_>) -> TokenStream {
    let Entity { ident, key, table, .. } = entity;
    let in_table = entity.keys.shards.spread();
    let sources = std::iter::once((table, in_table)).chain(entity.indexes.iter().map(|entry| {
        let spread = if entry.is_local() { in_table } else { entry.shards().is_some_and(Shards::spread) };
        (&entry.index, spread)
    }));
    let sources = sources.map(|(source, spread)| {
        let word = if spread { quote!(Sharded) } else { quote!(Unsharded) };
        quote! {
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl<'any> #key::declare::#word<'any, #source> for #ident {}
        }
    });
    let of_tenant = entity.deviation.is_none().then(|| {
        quote! {
            #[automatically_derived]
            impl #key::declare::KeyOfTenant<#table> for #ident {}
        }
    });
    quote!(#(#sources)* #of_tenant)
}

/// What stands in for it where its attributes have a fault: nothing more is reported because of it.
pub(super) fn stand_in(key: &KeyPath, ident: &Ident) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl<'any, KeywrightSource> #key::declare::Unsharded<'any, KeywrightSource> for #ident {}
        #[automatically_derived]
        impl<KeywrightTable> #key::declare::KeyOfTenant<KeywrightTable> for #ident {}
    }
}
