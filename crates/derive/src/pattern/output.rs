//! What a pattern becomes: its shape, what it fills keys with, and the rules it is held to.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{DeriveInput, Error};

use super::reading::Reader;
use super::{Pattern, ReturnedType, Said, reading};
use crate::entity::{last_span, of_this_table};
use crate::key_path::{KeyPath, moved};
use crate::rule::{Enforcement, Step};
use crate::template::Templates;

/// Everything that is generated for a pattern.
pub(super) fn of(pattern: &Pattern<'_>) -> TokenStream {
    let implementation = implementation(pattern);
    let filling = filling(pattern);
    let types = same_types(pattern);
    let rules = rules(pattern);
    let reading = reading::of(&Reader {
        ident: pattern.ident,
        visibility: pattern.visibility,
        key: &pattern.key,
        table: &pattern.table,
        said: &pattern.said,
        given: &pattern.given,
    });
    quote!(#implementation #filling #types #reading #rules)
}

/// What stands in for a pattern whose attributes have a fault, so that the fault is all that is reported.
pub(super) fn stand_in(input: &DeriveInput, said: &Said, error: &Error) -> TokenStream {
    let fault = error.to_compile_error();
    let Some(table) = said.table.as_ref().filter(|_| input.generics.params.is_empty()) else {
        return fault;
    };
    let (key, ident) = (KeyPath::new(said.crate_path.as_ref()), &input.ident);
    let name = ident.unraw().to_string();
    let reading = reading::of(&Reader { ident, visibility: &input.vis, key: &key, table, said, given: &[] });
    quote! {
        #fault
        #reading
        #[automatically_derived]
        impl #key::declare::AccessPattern for #ident {
            type Table = #table;
            type Source = #table;
            const SHAPE: #key::PatternShape<'static> = #key::PatternShape::query(#name, &[], &[]);
            const IS_READABLE: bool = false;
        }
    }
}

fn implementation(pattern: &Pattern<'_>) -> TokenStream {
    let Pattern { ident, key, table, said, .. } = pattern;
    let name = ident.unraw().to_string();
    let mut templates = Templates::new(key, table);
    let condition = said.condition.as_ref().map(|condition| condition.shape(key, &mut templates));
    let condition = condition.iter();
    let constructor = if said.get_item.is_some() { quote!(get_item) } else { quote!(query) };
    let returns = said.returns.iter().map(|returned| return_shape(pattern, returned));
    let skips = said.skips.iter().map(
        |entity| quote_spanned!(last_span(entity)=> <#entity as #key::declare::Entity<#table>>::SHAPE.name),
    );
    let given = pattern.given.iter().map(|given| {
        let (name, ty) = (&given.name, given.ty);
        match given.attribute {
            Some(_) => {
                let key = key.at(given.type_span());
                quote_spanned!(given.type_span()=> #key::GivenShape::of::<#ty>(#name))
            }
            None => quote! {
                #key::GivenShape {
                    name: #name,
                    kind: match #key::declare::KindOf::<#ty>::KIND {
                        #key::AttributeKind::Component(kind) => ::core::option::Option::Some(kind),
                        _ => ::core::option::Option::None,
                    },
                }
            },
        }
    });
    let index = said.index.iter();
    let source = said.index.as_ref().unwrap_or(table);
    let consistency = said.strong.iter().map(|_| quote!(.with_consistency(#key::Consistency::Strong)));
    let expression = &said.filter.expression;
    let filter = said.filter.span.iter().map(|_| {
        let attributes = expression.attributes().map(|name| &name.text);
        let given = expression.given().map(|given| given.unraw().to_string());
        quote!(.with_filter(#key::FilterShape { attributes: &[#(#attributes),*], given: &[#(#given),*] }))
    });
    let filter_expression = said.filter.span.iter().map(|_| {
        let shape = expression.shape(key);
        quote!(const FILTER: #key::ExpressionShape<'static> = #shape;)
    });
    let tenants = match said.across_tenants {
        Some(_) => quote!(AcrossTenants),
        None => quote!(WithinTenant),
    };
    let (constants, are_readable, reports) =
        (templates.constants(), templates.are_readable(), templates.reports());
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use #key::declare::Opaque as _;
            #constants
            const KEYWRIGHT_RETURNS: &[#key::ReturnShape<'static>] = &[#(#returns),*];
            const KEYWRIGHT_SKIPS: &[&str] = &[#(#skips),*];
            const KEYWRIGHT_GIVEN: &[#key::GivenShape<'static>] = &[#(#given),*];

            #[automatically_derived]
            impl #key::declare::AccessPattern for #ident {
                type Table = #table;
                type Source = #source;
                const SHAPE: #key::PatternShape<'static> =
                    #key::PatternShape::#constructor(#name, KEYWRIGHT_RETURNS, KEYWRIGHT_GIVEN)
                        .with_skips(KEYWRIGHT_SKIPS)
                        #(.with_index(<#index as #key::declare::Index>::SHAPE.name))*
                        #(.with_sort_key(#condition))*
                        #(#consistency)*
                        #(#filter)*
                        .with_tenants(#key::TenantScope::#tenants);
                #(#filter_expression)*
                const IS_READABLE: bool = #are_readable;
            }
        };
        #reports
    }
}

fn return_shape(pattern: &Pattern<'_>, returned: &ReturnedType) -> TokenStream {
    let Pattern { key, table, .. } = pattern;
    let entity = &returned.entity;
    let name = quote_spanned!(last_span(entity)=> <#entity as #key::declare::Entity<#table>>::SHAPE.name);
    match &returned.projection {
        None => quote!(#key::ReturnShape::whole(#name)),
        Some(projection) => {
            let attributes = quote_spanned! {last_span(projection)=>
                <#projection as #key::declare::ProjectionOf<#entity>>::ATTRIBUTES
            };
            quote!(#key::ReturnShape::only(#name, #attributes))
        }
    }
}

/// What fills the components of the pattern's keys.
fn filling(pattern: &Pattern<'_>) -> TokenStream {
    let Pattern { ident, key, .. } = pattern;
    let arms = pattern.given.iter().filter(|given| given.attribute.is_some()).map(|given| {
        let (name, member, ty) = (&given.name, given.ident, given.ty);
        quote!(#name => #key::declare::KindOf::<#ty>::filling(&self.#member),)
    });
    let for_filter = pattern.given.iter().filter(|given| given.attribute.is_none()).map(|given| given.ident);
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use #key::declare::Opaque as _;

            #[automatically_derived]
            impl #key::Components for #ident {
                fn filling(&self, field: &str) -> #key::Filling<'_> {
                    // What only the filter uses fills no key.
                    #(let _ = &self.#for_filter;)*
                    match field {
                        #(#arms)*
                        _ => #key::Filling::Unknown,
                    }
                }
            }
        };
    }
}

/// Compiles only if what is given has the type of what it is compared with.
fn same_types(pattern: &Pattern<'_>) -> TokenStream {
    let Pattern { key, said, .. } = pattern;
    let mut comparisons = TokenStream::new();
    for given in &pattern.given {
        let Some(attribute) = &given.attribute else { continue };
        let ty = given.ty;
        let hash = keywright_key::declare::field(attribute);
        let key = key.at(given.type_span());
        for ReturnedType { entity, .. } in &said.returns {
            let entity = moved(quote!(#entity), given.type_span());
            let component = quote_spanned!(given.type_span()=> <#entity as #key::declare::Component<#hash>>);
            comparisons.extend(quote_spanned! {given.type_span()=>
                const _: () = {
                    #key::declare::same_type::<#ty, #component::Type>();
                    #key::rule::component_type::enforce_name(#attribute, #component::NAME)
                };
            });
        }
    }
    comparisons
}

fn rules(pattern: &Pattern<'_>) -> TokenStream {
    let Pattern { ident, key, table, said, given, .. } = pattern;
    let lister = match &said.listed_in {
        Some(list) => quote!(<#list as #key::declare::PatternList<#table>>),
        None => quote!(<#table as #key::declare::Table>),
    };
    let shape = quote!(<#ident as #key::declare::AccessPattern>::SHAPE);
    let enforcement = Enforcement {
        key,
        table: quote!(#lister::SHAPE),
        shape: Some(shape),
        is_readable: quote!(#lister::IS_READABLE),
    };
    let returns_span = said.returns_span.unwrap_or_else(|| ident.span());
    let condition_span = said.condition.as_ref().map(super::Condition::span);
    let steps = Steps { key };
    let returned: Vec<Span> = said.returns.iter().map(|returned| last_span(&returned.entity)).collect();
    let fields: Vec<Span> = given.iter().map(|given| given.ident.span()).collect();

    let mut rules = TokenStream::new();
    let listing_span = last_span(said.listed_in.as_ref().unwrap_or(table));
    rules.extend(enforcement.at("pattern_not_listed", listing_span));
    let skipped: Vec<Span> = said.skips.iter().map(last_span).collect();
    let filtered: Vec<Span> = said.filter.expression.attributes().map(|name| name.span).collect();
    let filter_span = said.filter.span.unwrap_or(returns_span);
    let mut names = steps.of_returns(&returned);
    names.extend(steps.of_skips(&skipped));
    names.extend(steps.of_filter(&filtered));
    rules.extend(enforcement.stepwise("unknown_name", &names, filter_span));
    rules.extend(enforcement.stepwise("partition_key_given", &steps.of_returns(&returned), returns_span));
    rules.extend(enforcement.at("entity_not_named", condition_span.unwrap_or(returns_span)));
    if let Some(span) = condition_span {
        for rule in ["sort_key_given", "sort_key_boundary", "attributes_left_to_right"] {
            rules.extend(enforcement.at(rule, span));
        }
        if matches!(said.condition, Some(super::Condition::Range(..) | super::Condition::Attributes(..))) {
            rules.extend(enforcement.at("sort_key_range", span));
        }
    }
    if said.returns.len() > 1 {
        rules.extend(enforcement.stepwise("several_partitions", &steps.of_returns(&returned), returns_span));
    }
    if !given.is_empty() {
        for rule in ["unused_argument", "tenant_argument"] {
            rules.extend(enforcement.stepwise(rule, &steps.of_given(&fields), ident.span()));
        }
    }
    if let Some(index) = &said.index {
        rules.extend(of_this_table(key, table, index));
        rules.extend(enforcement.stepwise("not_in_index", &steps.of_returns(&returned), returns_span));
        let mut attributes = steps.of_returns(&returned);
        attributes.extend(steps.of_filter(&filtered));
        rules.extend(enforcement.stepwise("not_projected", &attributes, filter_span));
    }
    if let Some(span) = said.get_item {
        rules.extend(enforcement.at("whole_key", span));
    }
    match said.across_tenants {
        Some(span) => rules.extend(enforcement.at("tenant_scope", span)),
        None => {
            rules.extend(enforcement.stepwise("tenant_scope", &steps.of_returns(&returned), returns_span));
        }
    }
    if let Some(span) = said.strong {
        rules.extend(enforcement.at("consistent_read", span));
    }
    if let Some(span) = said.filter.span {
        rules.extend(enforcement.stepwise("filter_on_key", &steps.of_filter(&filtered), span));
        rules.extend(enforcement.at("component_type", span));
    }
    rules
}

/// The pattern's shape up to each word.
struct Steps<'a> {
    key: &'a KeyPath,
}

impl Steps<'_> {
    /// Up to each returned entity, without skips and filter.
    fn of_returns(&self, returned: &[Span]) -> Vec<Step> {
        let key = self.key;
        self.up_to_each(returned, |count| {
            quote! {
                #key::PatternShape {
                    returns: keywright_shape.returns.split_at(#count).0,
                    skips: &[],
                    filter: #key::FilterShape::NONE,
                    ..keywright_shape
                }
            }
        })
    }

    /// Up to each skipped entity, without filter.
    fn of_skips(&self, skipped: &[Span]) -> Vec<Step> {
        let key = self.key;
        self.up_to_each(skipped, |count| {
            quote! {
                #key::PatternShape {
                    skips: keywright_shape.skips.split_at(#count).0,
                    filter: #key::FilterShape::NONE,
                    ..keywright_shape
                }
            }
        })
    }

    /// Up to each given value.
    fn of_given(&self, fields: &[Span]) -> Vec<Step> {
        let key = self.key;
        self.up_to_each(
            fields,
            |count| quote!(#key::PatternShape { given: keywright_shape.given.split_at(#count).0, ..keywright_shape }),
        )
    }

    /// Up to each attribute of the filter.
    fn of_filter(&self, attributes: &[Span]) -> Vec<Step> {
        let key = self.key;
        self.up_to_each(attributes, |count| {
            quote! {
                #key::PatternShape {
                    filter: #key::FilterShape {
                        attributes: keywright_shape.filter.attributes.split_at(#count).0,
                        given: &[],
                    },
                    ..keywright_shape
                }
            }
        })
    }

    fn up_to_each(&self, words: &[Span], shape: impl Fn(usize) -> TokenStream) -> Vec<Step> {
        words.iter().enumerate().map(|(place, span)| Step { shape: shape(place + 1), span: *span }).collect()
    }
}
