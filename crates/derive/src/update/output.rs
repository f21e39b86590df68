//! What an update becomes: its shape, the values that it gives, what it fills keys with, and the rules it is held to.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{DeriveInput, Error};

use super::{Kind, Said, Update};
use crate::condition::same_value;
use crate::entity::last_span;
use crate::given_values::{GivenValues, NamedValue};
use crate::rule::Enforcement;

/// The rules that look at each change.
const RULES: &[&str] = &[
    "key_changed",
    "index_key_incomplete",
    "managed_attribute",
    "changed_twice",
    "component_computed",
    "required_removed",
    "action_type",
    "reservation_update",
];

/// Everything that is generated for an update.
pub(super) fn of(update: &Update<'_>) -> TokenStream {
    let implementation = implementation(update);
    let Update { ident, key, entity, changes, .. } = update;
    let values =
        changes.iter().map(|change| NamedValue { name: &change.name, ident: change.ident, ty: change.ty });
    let values = GivenValues { key, ident, values: values.collect() }.implementation();
    let filling = filling(update);
    let types = changes
        .iter()
        .map(|change| same_value(key, entity, &change.attribute, change.value_type(), change.ty.span()));
    let rules = rules(update);
    quote!(#implementation #values #filling #(#types)* #rules)
}

/// What stands in for an update whose attributes have a fault, so that the fault is all that is reported.
pub(super) fn stand_in(input: &DeriveInput, said: &Said, error: &Error) -> TokenStream {
    let fault = error.to_compile_error();
    let (Some((table, entity)), true) = (said.subject.given(), input.generics.params.is_empty()) else {
        return fault;
    };
    let update = Update {
        ident: &input.ident,
        key: said.subject.key(),
        table: table.clone(),
        entity: entity.clone(),
        changes: Vec::new(),
        removals: Vec::new(),
        kind: said.kind,
    };
    let implementation = implementation(&update);
    let filling = filling(&update);
    let values = GivenValues { key: &update.key, ident: update.ident, values: Vec::new() }.implementation();
    quote!(#fault #implementation #filling #values)
}

fn implementation(update: &Update<'_>) -> TokenStream {
    let Update { ident, key, table, entity, changes, removals, kind } = update;
    let (kind, marker) = match kind {
        Kind::Plain => (quote!(Plain), quote!(PlainUpdate)),
        Kind::Unique => (quote!(Unique), quote!(UniqueUpdate)),
    };
    let name = ident.unraw().to_string();
    let entity_type = quote_spanned!(last_span(entity)=> type Entity = #entity;);
    let entity_name =
        quote_spanned!(last_span(entity)=> <#entity as #key::declare::Entity<#table>>::SHAPE.name);
    let changes = changes.iter().map(|change| change.shape(key));
    let removals = removals.iter().map(|removal| &removal.text);
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use #key::declare::Opaque as _;
            const KEYWRIGHT_CHANGES: &[#key::ChangeShape<'static>] = &[
                #(#changes,)*
                #(#key::ChangeShape {
                    attribute: #removals,
                    given: "",
                    action: #key::ChangeAction::Remove,
                    presence: #key::Presence::Always,
                },)*
            ];

            #[automatically_derived]
            impl #key::declare::Update for #ident {
                type Table = #table;
                #entity_type
                const SHAPE: #key::UpdateShape<'static> = #key::UpdateShape {
                    name: #name,
                    entity: #entity_name,
                    changes: KEYWRIGHT_CHANGES,
                    kind: #key::UpdateKind::#kind,
                };
            }

            #[automatically_derived]
            impl #key::declare::#marker for #ident {}
        };
    }
}

/// What fills the components of index keys afterwards, as far as the update says.
fn filling(update: &Update<'_>) -> TokenStream {
    let Update { ident, key, changes, removals, .. } = update;
    let set = changes.iter().filter(|change| change.is_set()).map(|change| {
        let (attribute, member, ty) = (&change.attribute, change.ident, change.ty);
        quote!(#attribute => #key::declare::KindOf::<#ty>::filling(&self.#member),)
    });
    let removed = removals.iter().map(|removal| &removal.text);
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use #key::declare::Opaque as _;

            #[automatically_derived]
            impl #key::Components for #ident {
                // What is changed twice is reported.
                #[allow(unreachable_patterns)]
                fn filling(&self, field: &str) -> #key::Filling<'_> {
                    match field {
                        #(#set)*
                        #(#removed => #key::Filling::Absent,)*
                        _ => #key::Filling::Unknown,
                    }
                }
            }
        };
    }
}

fn rules(update: &Update<'_>) -> TokenStream {
    let Update { ident, key, table, changes, removals, .. } = update;
    let shape = quote!(<#ident as #key::declare::Update>::SHAPE);
    let enforcement = Enforcement {
        key,
        table: quote!(<#table as #key::declare::Table>::SHAPE),
        shape: Some(shape.clone()),
        is_readable: quote!(<#table as #key::declare::Table>::IS_READABLE),
    };
    let spans: Vec<Span> = changes
        .iter()
        .map(|change| change.ident.span())
        .chain(removals.iter().map(|removal| removal.span))
        .collect();
    let mut rules: TokenStream = RULES.iter().map(|rule| enforcement.at_changes(rule, &spans)).collect();
    if !removals.is_empty() {
        // What is set has been compared with the entity by its type.
        let count = changes.len();
        let removed = quote! {
            #key::UpdateShape { changes: #shape.changes.split_at(#count).1, ..#shape }
        };
        let enforcement = Enforcement { shape: Some(removed), ..enforcement };
        let spans: Vec<Span> = removals.iter().map(|removal| removal.span).collect();
        rules.extend(enforcement.at_changes("update_attribute", &spans));
    }
    rules
}
