//! What an entity becomes: its shape, the types of its attributes, what fills its keys, and the rules it is held to.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{DeriveInput, Error, Ident, Path};

use super::index::{EntryKey, IndexEntry};
use super::{Entity, Given, Keys, Purpose, Shards, reservation, sharding};
use crate::key_path::KeyPath;
use crate::rule::{Enforcement, Step};
use crate::stored_field::stored_fields;
use crate::structure::{Role, named_fields};
use crate::template::{Template, Templates};

/// Everything that is generated for an entity.
pub(super) fn of(entity: &Entity<'_>) -> TokenStream {
    let implementations = implementations(entity);
    let rules = rules(entity);
    quote!(#implementations #rules)
}

/// What stands in for an entity whose attributes have a fault, so that the fault is all that is reported.
pub(super) fn stand_in(input: &DeriveInput, given: &Given, error: &Error) -> TokenStream {
    let fault = error.to_compile_error();
    let Some(table) = given.table.as_ref().filter(|_| input.generics.params.is_empty()) else {
        return fault;
    };
    let (key, ident) = (KeyPath::new(given.crate_path.as_ref()), &input.ident);
    let name = ident.unraw().to_string();
    let fields = named_fields(input, Role::Entity).unwrap_or_default();
    let stored = stored_fields(&input.attrs, &fields).unwrap_or_default();
    let components = stored.fields.iter().filter(|field| given.names(&field.name)).map(|field| {
        let (name, ty) = (&field.name, field.inside_option().unwrap_or(field.ty));
        component(&key, ident, name, &quote!(#ty))
    });
    let sharding = sharding::stand_in(&key, ident);
    let (is_data, is_deletable) = (is_data(&key, table, ident), is_deletable(&key, table, ident));
    quote! {
        #fault
        #(#components)*
        #sharding
        #is_data
        #is_deletable
        #[automatically_derived]
        impl #key::declare::Entity<#table> for #ident {
            const SHAPE: #key::EntityShape<'static> = #key::EntityShape::new(
                #name,
                #name,
                #key::KeyShape::partition_only(
                    #key::TemplateShape::of("unreadable", <#table as #key::declare::Table>::FORMAT),
                ),
                &[],
            );
            const IS_READABLE: bool = false;
        }
        #[automatically_derived]
        impl #key::declare::Unreserved<#table> for #ident {}
    }
}

fn implementations(entity: &Entity<'_>) -> TokenStream {
    let Entity { ident, key, table, discriminator, .. } = entity;
    let name = ident.unraw().to_string();
    let mut templates = Templates::new(key, table);
    let key_shape = key_shape(key, &entity.keys, &mut templates);
    let indexes: Vec<TokenStream> =
        entity.indexes.iter().map(|entry| index_entry(key, entry, &mut templates)).collect();
    let attributes = entity.fields.fields.iter().map(|field| field.shape(key));
    let deviations = deviations(entity);
    let indexed_by = entity.indexes.iter().map(|entry| &entry.index);
    let time_to_live = entity.time_to_live().into_iter().map(|(name, _)| name);
    let purpose = entity.purpose.iter().map(|purpose| purpose.shape(key));
    let kept_attributes = entity.purpose.iter().map(|purpose| purpose.attributes(key));
    let is_data = entity.purpose.is_none().then(|| is_data(key, table, ident));
    let is_deletable =
        entity.purpose.as_ref().is_none_or(Purpose::is_deletable).then(|| is_deletable(key, table, ident));
    let of_purpose = entity
        .purpose
        .iter()
        .map(|purpose| purpose.implementations(key, table, ident, entity.keys.is_sharded()));
    let version = entity.managed.version.iter().map(|(name, _)| name);
    let created = entity.managed.created.iter().map(|stamp| stamp.shape(key));
    let updated = entity.managed.updated.iter().map(|stamp| stamp.shape(key));
    let reservations = reservation::implementations(entity);
    let unique = reservation::names(entity).into_iter();
    let reservation_of = reservation::owner(entity).into_iter();
    let not_yet_stamped = entity.managed.created.iter().map(|stamp| stamp.is_not_yet_stamped(key));
    let (constants, are_readable, reports) =
        (templates.constants(), templates.are_readable(), templates.reports());
    let types = types_of_attributes(entity);
    let filling = filling(entity);
    let sharding = sharding::of(entity);
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use #key::declare::Opaque as _;
            #constants
            const KEYWRIGHT_ATTRIBUTES: &[#key::AttributeShape<'static>] = &[#(#attributes,)* #(#kept_attributes)*];
            const KEYWRIGHT_INDEXES: &[#key::IndexEntryShape<'static>] = &[#(#indexes),*];
            const KEYWRIGHT_DEVIATIONS: &[#key::DeviationShape<'static>] = &[#(#deviations),*];

            #[automatically_derived]
            impl #key::declare::Entity<#table> for #ident {
                const SHAPE: #key::EntityShape<'static> =
                    #key::EntityShape::new(#name, #discriminator, #key_shape, KEYWRIGHT_ATTRIBUTES)
                        .with_indexes(KEYWRIGHT_INDEXES)
                        .with_deviations(KEYWRIGHT_DEVIATIONS)
                        #(.with_time_to_live(#time_to_live))*
                        #(.with_version(#version))*
                        #(.with_created(#created))*
                        #(.with_updated(#updated))*
                        #(.with_purpose(#purpose))*
                        #(.with_unique(#unique))*
                        #(.with_reservation_of(#reservation_of))*;
                const IS_READABLE: bool = #are_readable;
            }
        };
        #(
            #[automatically_derived]
            impl #key::declare::IndexedBy<#indexed_by> for #ident {}
        )*
        #(#not_yet_stamped)*
        #is_data
        #is_deletable
        #(#of_purpose)*
        #sharding
        #reservations
        #types
        #filling
        #reports
    }
}

/// That its items are put as they are.
fn is_data(key: &KeyPath, table: &Path, ident: &Ident) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl #key::declare::Data<#table> for #ident {}
    }
}

/// That its items may be deleted.
fn is_deletable(key: &KeyPath, table: &Path, ident: &Ident) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl #key::declare::Deletable<#table> for #ident {}
    }
}

fn key_shape(key: &KeyPath, keys: &Keys, templates: &mut Templates<'_>) -> TokenStream {
    rendered_key(key, &keys.partition_key, keys.sort_key.as_ref(), &keys.shards, templates)
}

fn rendered_key(
    key: &KeyPath,
    partition_key: &Template,
    sort_key: Option<&Template>,
    shards: &Shards,
    templates: &mut Templates<'_>,
) -> TokenStream {
    let partition_key = templates.shape(partition_key);
    let shape = match sort_key {
        Some(sort_key) => {
            let sort_key = templates.shape(sort_key);
            quote!(#key::KeyShape::new(#partition_key, #sort_key))
        }
        None => quote!(#key::KeyShape::partition_only(#partition_key)),
    };
    if shards.count.is_none() && shards.earlier.is_empty() {
        return shape;
    }
    let count = shards.count.as_ref().map_or_else(|| quote!(1), |count| quote!(#count));
    let earlier = &shards.earlier;
    quote!(#shape.with_shards(#key::Shards::of(#count, &[#(#earlier),*])))
}

fn index_entry(key: &KeyPath, entry: &IndexEntry, templates: &mut Templates<'_>) -> TokenStream {
    let index = &entry.index;
    let index_key = match &entry.key {
        EntryKey::Global { partition_key, sort_key, shards } => {
            let shape = rendered_key(key, partition_key, sort_key.as_ref(), shards, templates);
            quote!(Global(#shape))
        }
        EntryKey::Local { sort_key } => {
            let sort_key = templates.shape(sort_key);
            quote!(Local { sort_key: #sort_key })
        }
        EntryKey::Attributes => quote!(Attributes),
    };
    quote! {
        #key::IndexEntryShape {
            index: <#index as #key::declare::Index>::SHAPE.name,
            key: #key::IndexKey::#index_key,
        }
    }
}

fn deviations(entity: &Entity<'_>) -> Vec<TokenStream> {
    let key = &entity.key;
    let of_table = entity
        .deviation
        .iter()
        .map(|reason| quote!(#key::DeviationShape { key: #key::KeyPlace::Table, reason: #reason }));
    let of_indexes = entity.indexes.iter().filter_map(|entry| {
        let (index, reason) = (&entry.index, entry.deviation.as_ref()?);
        Some(quote! {
            #key::DeviationShape {
                key: #key::KeyPlace::Index(<#index as #key::declare::Index>::SHAPE.name),
                reason: #reason,
            }
        })
    });
    of_table.chain(of_indexes).collect()
}

/// The types that patterns and projections are compared with.
fn types_of_attributes(entity: &Entity<'_>) -> TokenStream {
    let Entity { ident, key, .. } = entity;
    let all_are_components = entity.has_attribute_index();
    let fields = &entity.fields.fields;
    fields
        .iter()
        .enumerate()
        // Of two fields with one stored name, which a rule reports, the first is compared.
        .filter(|(place, field)| !fields.iter().take(*place).any(|earlier| earlier.name == field.name))
        .map(|(_, field)| {
            let (name, ty) = (&field.name, field.ty);
            let hash = keywright_key::declare::field(name);
            let component = if entity.is_in_key(name) {
                let of_field = quote_spanned!(field.type_span()=> <#ty as #key::KeyField>::Component);
                Some(of_field)
            } else if all_are_components {
                // Which of them the index is keyed by is the table's to say.
                let inside = field.inside_option().unwrap_or(ty);
                Some(quote!(#inside))
            } else {
                None
            };
            let component =
                component.map(|component_type| self::component(key, ident, name, &component_type));
            // What a function of the user's writes cannot be changed or compared by itself.
            let value = field.stored.written_by_function.is_none().then(|| {
                let value = field.inside_option().unwrap_or(ty);
                quote! {
                    #[automatically_derived]
                    #[diagnostic::do_not_recommend]
                    impl #key::declare::AttributeValue<#hash, #value> for #ident {}
                }
            });
            quote! {
                #[automatically_derived]
                #[diagnostic::do_not_recommend]
                impl #key::declare::Attribute<#hash, #ty> for #ident {}
                #value
                #component
            }
        })
        .collect()
}

/// The type of one component, for patterns and tenants to be compared with.
fn component(key: &KeyPath, entity: &Ident, name: &str, component_type: &TokenStream) -> TokenStream {
    let hash = keywright_key::declare::field(name);
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #key::declare::Component<#hash> for #entity {
            type Type = #component_type;
            const NAME: &'static str = #name;
        }
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #key::declare::HoldsTenant<#hash> for #entity {
            type TenantId = #component_type;
        }
    }
}

/// What fills the components of the entity's keys.
fn filling(entity: &Entity<'_>) -> TokenStream {
    let Entity { ident, key, .. } = entity;
    let arms = entity.fields.fields.iter().filter(|field| entity.is_in_key(&field.name)).map(|field| {
        let (name, member, ty) = (&field.name, field.ident, field.ty);
        quote!(#name => #key::declare::KindOf::<#ty>::filling(&self.#member),)
    });
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use #key::declare::Opaque as _;

            #[automatically_derived]
            impl #key::Components for #ident {
                fn filling(&self, field: &str) -> #key::Filling<'_> {
                    match field {
                        #(#arms)*
                        _ => #key::Filling::Unknown,
                    }
                }
            }
        };
    }
}

fn rules(entity: &Entity<'_>) -> TokenStream {
    let Entity { ident, key, table, .. } = entity;
    let table_shape = quote!(<#table as #key::declare::Table>::SHAPE);
    let shape = quote!(<#ident as #key::declare::Entity<#table>>::SHAPE);
    let enforcement = Enforcement {
        key,
        table: table_shape,
        shape: Some(shape.clone()),
        is_readable: quote!(<#table as #key::declare::Table>::IS_READABLE),
    };
    let partition_span = entity.keys.partition_key.span();
    let sort_span = entity.keys.sort_key.as_ref().map_or(partition_span, Template::span);
    let sharded_span = entity.keys.shards.count.as_ref().map_or(partition_span, |count| count.span());

    // The partition key alone, then the whole key of the table, then each index.
    let partition_only = Step {
        shape: quote! {
            #key::EntityShape {
                key: #key::KeyShape { sort_key: ::core::option::Option::None, ..keywright_shape.key },
                indexes: &[],
                ..keywright_shape
            }
        },
        span: partition_span,
    };
    let whole_key = |span: Span| Step { shape: quote!(keywright_shape.with_indexes(&[])), span };
    let indexes = || {
        entity.indexes.iter().enumerate().map(|(place, entry)| {
            let count = place + 1;
            let entries = quote!(keywright_shape.indexes.split_at(#count).0);
            Step { shape: quote!(keywright_shape.with_indexes(#entries)), span: entry.index.span() }
        })
    };
    let by_template = || {
        let mut steps = vec![Step { shape: partition_only.shape.clone(), span: partition_only.span }];
        steps.push(whole_key(sort_span));
        steps.extend(indexes());
        steps
    };
    let by_key = |span: Span| std::iter::once(whole_key(span)).chain(indexes()).collect::<Vec<_>>();

    let mut rules = TokenStream::new();
    let table_span = last_span(table);
    rules.extend(enforcement.at("entity_not_listed", table_span));
    for rule in ["unknown_field", "component_form", "optional_component", "key_too_long"] {
        rules.extend(enforcement.stepwise(rule, &by_template(), partition_span));
    }
    for rule in ["key_schema", "tenant_missing"] {
        rules.extend(enforcement.stepwise(rule, &by_key(partition_span), partition_span));
    }
    rules.extend(enforcement.at("same_key", sort_span));
    rules.extend(enforcement.at("tenant_place", partition_span));
    for rule in ["same_discriminator", "reserved_attribute", "same_attribute"] {
        rules.extend(enforcement.at(rule, ident.span()));
    }
    if entity.keys.shards.count.is_some() || entity.indexes.iter().any(IndexEntry::is_sharded) {
        rules.extend(enforcement.stepwise("sharded_without_sort_key", &by_key(sharded_span), sharded_span));
    }
    if let Some((_, span)) = entity.time_to_live() {
        rules.extend(enforcement.at("time_to_live", span));
        rules.extend(enforcement.at("time_to_live_type", span));
    }
    if let Some(purpose) = &entity.purpose {
        rules.extend(enforcement.at("expiry_of_purpose", purpose.span()));
        rules.extend(enforcement.at("sharded_purpose", purpose.span()));
    }
    if let Some((_, span)) = &entity.managed.version {
        rules.extend(enforcement.at("version", *span));
    }
    let reasons =
        entity.deviation.iter().chain(entity.indexes.iter().filter_map(|entry| entry.deviation.as_ref()));
    let deviations: Vec<Step> = reasons
        .enumerate()
        .map(|(place, reason)| {
            let count = place + 1;
            let deviations = quote!(keywright_shape.deviations.split_at(#count).0);
            Step { shape: quote!(keywright_shape.with_deviations(#deviations)), span: reason.span() }
        })
        .collect();
    if !deviations.is_empty() {
        rules.extend(enforcement.stepwise("deviation", &deviations, ident.span()));
    }
    for span in reservation::spans(entity) {
        rules.extend(enforcement.at("reservation", span));
    }
    rules.extend(entity.indexes.iter().map(|entry| of_this_table(key, table, &entry.index)));
    rules
}

/// Compiles only if the index is one of the table.
pub(crate) fn of_this_table(key: &KeyPath, table: &Path, index: &Path) -> TokenStream {
    let call = quote_spanned!(last_span(index)=> keywright_index_of_this_table::<#index>());
    quote! {
        const _: () = {
            const fn keywright_index_of_this_table<
                KeywrightIndex: #key::declare::Index<Table = #table>,
            >() {}
            #call
        };
    }
}

/// The place of the last word of a path: `App` in `model::App`.
pub(crate) fn last_span(path: &Path) -> Span {
    path.segments.last().map_or_else(|| path.span(), |segment| segment.ident.span())
}
