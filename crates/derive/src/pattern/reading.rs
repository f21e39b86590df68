//! What the items of a pattern become, and whose they are.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Ident, Path, Visibility};

use super::given::Given;
use super::{ReturnedType, Said};
use crate::entity::last_span;
use crate::given_values::{GivenValues, NamedValue};
use crate::key_path::{KeyPath, moved};

/// A pattern as far as its items are concerned, also one whose attributes have a fault.
pub(super) struct Reader<'a> {
    pub(super) ident: &'a Ident,
    pub(super) visibility: &'a Visibility,
    pub(super) key: &'a KeyPath,
    pub(super) table: &'a Path,
    pub(super) said: &'a Said,
    pub(super) given: &'a [Given<'a>],
}

/// The implementations that say whose the items are, which item is named, and what items become.
pub(super) fn of(reader: &Reader<'_>) -> TokenStream {
    let (key, ident) = (reader.key, reader.ident);
    let scope = match reader.said.across_tenants {
        Some(_) => quote!(AcrossTenants),
        None => quote!(WithinTenant),
    };
    let named_item = named_item(reader);
    let sharding = sharding(reader);
    let values = reader.values().implementation();
    let items = match reader.said.returns.as_slice() {
        [] => TokenStream::new(),
        [one] => reader.read_items(&one.whole(), None),
        several => several_items(reader, several),
    };
    quote! {
        #[automatically_derived]
        impl #key::declare::#scope for #ident {}
        #named_item
        #sharding
        #values
        #items
    }
}

/// Whether it is one Query: all that it returns has one partition key, so that either every entity is spread over shards or none.
fn sharding(reader: &Reader<'_>) -> TokenStream {
    let (key, ident) = (reader.key, reader.ident);
    let source = reader.said.index.as_ref().unwrap_or(reader.table);
    let entities: Vec<&Path> = reader.said.returns.iter().map(|returned| &returned.entity).collect();
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #key::declare::OneQuery for #ident
        where
            #(for<'any> #entities: #key::declare::Unsharded<'any, #source>,)*
        {
        }
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #key::declare::FansOut for #ident
        where
            #(for<'any> #entities: #key::declare::Sharded<'any, #source>,)*
        {
        }
    }
}

/// One GetItem on the table for one entity names an item of it.
fn named_item(reader: &Reader<'_>) -> Option<TokenStream> {
    let (key, ident, said) = (reader.key, reader.ident, reader.said);
    match (said.get_item, &said.index, said.returns.as_slice()) {
        (Some(_), None, [ReturnedType { entity, .. }]) => {
            let named = quote_spanned!(last_span(entity)=> type Entity = #entity;);
            Some(quote! {
                #[automatically_derived]
                impl #key::declare::NamesItem for #ident { #named }
            })
        }
        _ => None,
    }
}

/// An enum with a variant for each type that is returned.
fn several_items(reader: &Reader<'_>, returned: &[ReturnedType]) -> TokenStream {
    let Reader { ident, visibility, key, .. } = reader;
    let item = format_ident!("{}Item", ident.unraw(), span = ident.span());
    let variants: Vec<&Ident> = returned.iter().filter_map(ReturnedType::name).collect();
    let types: Vec<&Path> = returned.iter().map(ReturnedType::read_as).collect();
    let about = format!(" What an item of [`{ident}`] is.");
    let abouts = variants.iter().map(|variant| format!(" A [`{variant}`]."));
    let names = variants.iter().map(|variant| variant.unraw().to_string());
    let reading = reader.read_items(&quote!(#item), Some(&item));
    quote! {
        #key::with_serde! {
            #[doc = #about]
            // Whoever sees the pattern may see less of what it returns, and may use only some of it.
            #[allow(dead_code, private_interfaces, clippy::large_enum_variant)]
            #visibility enum #item {
                #(#[doc = #abouts] #variants(#types)),*
            }

            #[automatically_derived]
            impl ::core::clone::Clone for #item
            where
                #(for<'any> #types: #key::declare::CloneItem<'any>,)*
            {
                fn clone(&self) -> Self {
                    match self {
                        #(#item::#variants(item) =>
                            #item::#variants(#key::declare::CloneItem::clone_item(item)),)*
                    }
                }
            }

            #[automatically_derived]
            impl ::core::fmt::Debug for #item
            where
                #(for<'any> &'any #types: ::core::fmt::Debug,)*
            {
                fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    match self {
                        #(#item::#variants(item) => formatter.debug_tuple(#names).field(&item).finish(),)*
                    }
                }
            }

            #[automatically_derived]
            impl ::core::cmp::PartialEq for #item
            where
                #(for<'any> &'any #types: ::core::cmp::PartialEq,)*
            {
                fn eq(&self, other: &Self) -> bool {
                    match (self, other) {
                        #((#item::#variants(item), #item::#variants(other)) => item == other,)*
                        _ => false,
                    }
                }
            }
        }
        #reading
    }
}

impl Reader<'_> {
    /// What requests are given as values: what a filter uses, and, in an index that may be keyed by attributes, all.
    fn values(&self) -> GivenValues<'_> {
        let is_sent =
            |given: &&Given<'_>| self.said.index.is_some() || self.said.filter.expression.uses(&given.name);
        let values = self.given.iter().filter(is_sent);
        GivenValues {
            key: self.key,
            ident: self.ident,
            values: values
                .map(|given| NamedValue { name: &given.name, ident: given.ident, ty: given.ty })
                .collect(),
        }
    }

    /// Reads each entity as the type that is returned of it, in a variant of the enum if there is one.
    ///
    /// The bounds are for every lifetime, so that a type without serde is no fault until the pattern is read.
    fn read_items(&self, item: &TokenStream, variants_of: Option<&Ident>) -> TokenStream {
        let Reader { ident, key, table, said, .. } = self;
        let types = said.returns.iter().map(ReturnedType::whole);
        let values = self.values();
        let values = values.bounds();
        // Whether it can be seen where the pattern can be seen is reported at its name.
        let span = said.returns.first().map_or_else(Span::call_site, |returned| last_span(&returned.entity));
        let item_type = quote_spanned!(span=> type Item = #item;);
        let arms = said.returns.iter().map(|returned| {
            let (entity, ty) = (&returned.entity, returned.whole());
            let span = last_span(entity);
            let shape = quote_spanned!(span=> <#entity as #key::declare::Entity<#table>>::SHAPE);
            let read = quote!(<#ty as #key::declare::Deserialize<'de>>::deserialize(item));
            let read = match (variants_of, returned.name()) {
                (Some(item), Some(variant)) => quote!(#read.map(#item::#variant)),
                _ => read,
            };
            quote! {
                if discriminator == const { #shape.discriminator } {
                    return ::core::option::Option::Some(#read);
                }
            }
        });
        quote! {
            #key::with_serde! {
                #[automatically_derived]
                impl #key::declare::ReadItems for #ident
                where
                    #(for<'any> #types: #key::declare::Deserialize<'any>,)*
                    #values
                {
                    #item_type

                    fn read<'de, KeywrightSource: #key::declare::Deserializer<'de>>(
                        discriminator: &str,
                        item: KeywrightSource,
                    ) -> ::core::option::Option<::core::result::Result<Self::Item, KeywrightSource::Error>> {
                        #(#arms)*
                        ::core::option::Option::None
                    }
                }
            }
        }
    }
}

impl ReturnedType {
    /// The type that an item becomes, as if it stood where its name is.
    fn whole(&self) -> TokenStream {
        let path = self.read_as();
        moved(quote!(#path), last_span(path))
    }
}
