//! What a table becomes: its shape with everything that it lists, a type for each index, and the rules it is held to.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{DeriveInput, Error, Path};

use super::index::{DeclaredKeys, DeclaredProjection, IndexDeclaration, TypedName};
use super::{Table, tenancy};
use crate::entity::last_span;
use crate::key_path::KeyPath;
use crate::rule::{Enforcement, Step};

/// Everything that is generated for a table.
pub(super) fn of(table: &Table<'_>) -> TokenStream {
    let Table { ident, key, .. } = table;
    let indexes = table.indexes.iter().map(|index| index_type(table, index));
    let implementation = implementation(table);
    let readers = std::iter::once(*ident)
        .chain(table.indexes.iter().filter(|index| index.is_local()).map(|index| &index.ident));
    let tenancy = tenancy::of(table);
    let rules = rules(table);
    quote! {
        #implementation
        #tenancy
        #(#indexes)*
        #(
            #[automatically_derived]
            impl #key::declare::ConsistentReads for #readers {}
        )*
        #rules
    }
}

/// What stands in for a table whose attributes have a fault, so that the fault is all that is reported.
pub(super) fn stand_in(input: &DeriveInput, table: &Table<'_>, error: &Error) -> TokenStream {
    let fault = error.to_compile_error();
    if !input.generics.params.is_empty() {
        return fault;
    }
    let Table { ident, key, .. } = table;
    let indexes = table.indexes.iter().map(|index| index_type(table, index));
    let name = ident.unraw().to_string();
    let tenancy = tenancy::stand_in(table);
    quote! {
        #fault
        #tenancy
        #[automatically_derived]
        impl #key::declare::Table for #ident {
            const FORMAT: #key::KeyFormat = #key::KeyFormat::STANDARD;
            const SHAPE: #key::TableShape<'static> = #key::TableShape::new(#name);
            const IS_READABLE: bool = false;
        }
        #(#indexes)*
    }
}

fn implementation(table: &Table<'_>) -> TokenStream {
    let Table { ident, key, entities, patterns, .. } = table;
    let name = ident.unraw().to_string();
    let keys = table.partition_key.iter().map(|partition_key| {
        let sort_key = match &table.sort_key {
            Some(name) => quote!(::core::option::Option::Some(#key::KeyAttribute::string(#name))),
            None => quote!(::core::option::Option::None),
        };
        quote!(.with_key(#key::KeyAttribute::string(#partition_key), #sort_key))
    });
    let discriminator = table.discriminator.iter();
    let tenant = table.tenant.iter().map(|tenant| &tenant.attribute.text);
    let time_to_live = table.time_to_live.iter();
    let stream = table.stream.iter();
    let indexes = table.indexes.iter().map(|index| &index.ident);
    let delimiter = table.delimiter.iter();
    let timestamp = table.timestamp.iter();
    let letter_case = table.letter_case.iter();
    let entity_shapes = entities
        .iter()
        .map(|entity| quote_spanned!(last_span(entity)=> &<#entity as #key::declare::Entity<#ident>>::SHAPE));
    let pattern_shapes = pattern_shapes(key, &quote!(#ident), patterns);
    quote! {
        const _: () = {
            const KEYWRIGHT_INDEXES: &[#key::IndexShape<'static>] =
                &[#(<#indexes as #key::declare::Index>::SHAPE),*];
            const KEYWRIGHT_ENTITIES: &[&#key::EntityShape<'static>] = &[#(#entity_shapes),*];
            #pattern_shapes

            #[automatically_derived]
            impl #key::declare::Table for #ident {
                const FORMAT: #key::KeyFormat = #key::KeyFormat::STANDARD
                    #(.with_delimiter(#key::Delimiter::of(#delimiter)))*
                    #(.with_timestamp(#key::TimestampFormat::#timestamp))*
                    #(.with_letter_case(#key::LetterCase::#letter_case))*;
                const SHAPE: #key::TableShape<'static> = #key::TableShape::new(#name)
                    #(#keys)*
                    .with_format(<#ident as #key::declare::Table>::FORMAT)
                    #(.with_discriminator(#discriminator))*
                    #(.with_tenant(#tenant))*
                    #(.with_time_to_live(#time_to_live))*
                    #(.with_stream(#key::StreamView::#stream))*
                    .with_indexes(KEYWRIGHT_INDEXES)
                    .with_entities(KEYWRIGHT_ENTITIES)
                    .with_patterns(KEYWRIGHT_PATTERNS);
                const IS_READABLE: bool = true
                    #(&& <#entities as #key::declare::Entity<#ident>>::IS_READABLE)*
                    #(&& <#patterns as #key::declare::AccessPattern>::IS_READABLE)*;
            }
            // A table is a name: this is the one value that is ever made of it.
            const _: #ident = #ident;
        };
    }
}

/// The constant with the shapes of the patterns that are listed; compiles only if they read the table.
pub(crate) fn pattern_shapes(key: &KeyPath, table: &TokenStream, patterns: &[Path]) -> TokenStream {
    if patterns.is_empty() {
        return quote!(const KEYWRIGHT_PATTERNS: &[&#key::PatternShape<'static>] = &[];);
    }
    let shapes = patterns
        .iter()
        .map(|pattern| quote_spanned!(last_span(pattern)=> keywright_pattern_of_this_table::<#pattern>()));
    quote! {
        const fn keywright_pattern_of_this_table<KeywrightPattern>() -> &'static #key::PatternShape<'static>
        where
            KeywrightPattern: #key::declare::AccessPattern<Table = #table>,
        {
            &KeywrightPattern::SHAPE
        }
        const KEYWRIGHT_PATTERNS: &[&#key::PatternShape<'static>] = &[#(#shapes),*];
    }
}

fn index_type(table: &Table<'_>, index: &IndexDeclaration) -> TokenStream {
    let Table { ident: table_ident, visibility, key, .. } = table;
    let ident = &index.ident;
    let name = index.name.as_ref().map_or_else(|| ident.unraw().to_string(), syn::LitStr::value);
    let about = format!(" The {} index `{name}` of [`{table_ident}`].", index.reach());
    let shape = match &index.keys {
        DeclaredKeys::Rendered { partition_key, sort_key } => {
            let sort_key = match sort_key {
                Some(sort_key) => quote!(::core::option::Option::Some(#key::KeyAttribute::string(#sort_key))),
                None => quote!(::core::option::Option::None),
            };
            quote!(#key::IndexShape::global(#name, #key::KeyAttribute::string(#partition_key), #sort_key))
        }
        DeclaredKeys::Local { sort_key } => {
            let partition_key =
                table.partition_key.as_ref().map_or_else(|| "pk".to_owned(), syn::LitStr::value);
            quote! {
                #key::IndexShape::local(
                    #name,
                    #key::KeyAttribute::string(#partition_key),
                    #key::KeyAttribute::string(#sort_key),
                )
            }
        }
        DeclaredKeys::Attributes { partition_key, sort_key } => {
            let partition_key = partition_key.iter().map(|attribute| attribute.shape(key));
            let sort_key = sort_key.iter().map(|attribute| attribute.shape(key));
            quote!(#key::IndexShape::multi_attribute(#name, &[#(#partition_key),*], &[#(#sort_key),*]))
        }
    };
    let projection = match &index.projection {
        DeclaredProjection::KeysOnly => quote!(#key::Projection::KeysOnly),
        DeclaredProjection::Include(names) => {
            let names = names.iter().map(|name| &name.text);
            quote!(#key::Projection::Include(&[#(#names),*]))
        }
        DeclaredProjection::All { reason } => quote!(#key::Projection::All { reason: #reason }),
    };
    quote! {
        #[doc = #about]
        #[allow(dead_code)]
        #visibility struct #ident;

        #[automatically_derived]
        impl #key::declare::Index for #ident {
            type Table = #table_ident;
            const SHAPE: #key::IndexShape<'static> = #shape.with_projection(#projection);
        }
    }
}

impl IndexDeclaration {
    fn is_local(&self) -> bool {
        matches!(self.keys, DeclaredKeys::Local { .. })
    }

    fn reach(&self) -> &'static str {
        if self.is_local() { "local" } else { "global" }
    }
}

impl TypedName {
    fn shape(&self, key: &KeyPath) -> TokenStream {
        let constructor = format_ident!("{}", self.attribute_type);
        let name = &self.name.text;
        quote!(#key::KeyAttribute::#constructor(#name))
    }
}

fn rules(table: &Table<'_>) -> TokenStream {
    let Table { ident, key, .. } = table;
    let shape = quote!(<#ident as #key::declare::Table>::SHAPE);
    let enforcement = Enforcement {
        key,
        table: shape,
        shape: None,
        is_readable: quote!(<#ident as #key::declare::Table>::IS_READABLE),
    };
    let steps: Vec<Step> = table
        .indexes
        .iter()
        .enumerate()
        .map(|(place, index)| {
            let count = place + 1;
            let shape = quote!(keywright_table.with_indexes(keywright_table.indexes.split_at(#count).0));
            Step { shape, span: index.ident.span() }
        })
        .collect();
    if steps.is_empty() {
        TokenStream::new()
    } else {
        enforcement.stepwise("index_schema", &steps, ident.span())
    }
}
