//! What a condition becomes: its shape, the values that it gives, and the rules it is held to.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{DeriveInput, Error, Path, Type};

use super::{Condition, Said};
use crate::entity::last_span;
use crate::given_values::{GivenValues, NamedValue};
use crate::key_path::{KeyPath, moved};
use crate::rule::{Enforcement, Step};

/// Everything that is generated for a condition.
pub(super) fn of(condition: &Condition<'_>) -> TokenStream {
    let Condition { ident, key, table, entity, expression, .. } = condition;
    let entity_type = quote_spanned!(last_span(entity)=> type Entity = #entity;);
    let shape = expression.shape(key);
    let types = same_values(condition);
    let rule = rule(condition);
    let names: Vec<String> = named(condition).map(|(name, _)| name).collect();
    let fields = condition.fields.iter().zip(&names).filter_map(|(field, name)| {
        let ident = field.ident.as_ref()?;
        Some(NamedValue { name, ident, ty: &field.ty })
    });
    let values = GivenValues { key, ident, values: fields.collect() }.implementation();
    quote! {
        #[automatically_derived]
        impl #key::declare::Condition for #ident {
            type Table = #table;
            #entity_type
            const SHAPE: #key::ExpressionShape<'static> = #shape;
        }
        #values
        #types
        #rule
    }
}

/// What stands in for a condition whose attributes have a fault, so that the fault is all that is reported.
pub(super) fn stand_in(input: &DeriveInput, said: &Said, error: &Error) -> TokenStream {
    let fault = error.to_compile_error();
    let (Some((table, entity)), true) = (said.subject.given(), input.generics.params.is_empty()) else {
        return fault;
    };
    let (key, ident) = (said.subject.key(), &input.ident);
    let entity_type = quote_spanned!(last_span(entity)=> type Entity = #entity;);
    let values = GivenValues { key: &key, ident, values: Vec::new() }.implementation();
    quote! {
        #fault
        #[automatically_derived]
        impl #key::declare::Condition for #ident {
            type Table = #table;
            #entity_type
            const SHAPE: #key::ExpressionShape<'static> = #key::ExpressionShape::NONE;
        }
        #values
    }
}

/// The fields with their names.
fn named<'a>(condition: &'a Condition<'_>) -> impl Iterator<Item = (String, &'a Type)> {
    condition
        .fields
        .iter()
        .filter_map(|field| field.ident.as_ref().map(|ident| (ident.unraw().to_string(), &field.ty)))
}

/// Compiles only if what is compared with an attribute has the type of its values.
fn same_values(condition: &Condition<'_>) -> TokenStream {
    let compared = condition.expression.clauses.iter().filter_map(|clause| {
        let given = clause.compared()?.unraw().to_string();
        let (_, ty) = named(condition).find(|(name, _)| *name == given)?;
        Some((&clause.attribute.text, ty))
    });
    compared
        .map(|(attribute, ty)| same_value(&condition.key, &condition.entity, attribute, ty, ty.span()))
        .collect()
}

/// Compiles only if values of the entity's attribute have this type; reported at `span`.
pub(crate) fn same_value(
    key: &KeyPath,
    entity: &Path,
    attribute: &str,
    ty: &Type,
    span: Span,
) -> TokenStream {
    let hash = keywright_key::declare::field(attribute);
    let (key, entity) = (key.at(span), moved(quote!(#entity), span));
    quote_spanned! {span=>
        const _: () = #key::declare::same_value::<#entity, #hash, #ty>();
    }
}

fn rule(condition: &Condition<'_>) -> TokenStream {
    let Condition { ident, key, table, entity, expression, .. } = condition;
    let name = ident.unraw().to_string();
    let entity_name =
        quote_spanned!(last_span(entity)=> <#entity as #key::declare::Entity<#table>>::SHAPE.name);
    let enforcement = Enforcement {
        key,
        table: quote!(<#table as #key::declare::Table>::SHAPE),
        shape: Some(quote! {
            #key::ConditionShape {
                name: #name,
                entity: #entity_name,
                expression: <#ident as #key::declare::Condition>::SHAPE,
            }
        }),
        is_readable: quote!(<#table as #key::declare::Table>::IS_READABLE),
    };
    let mut attributes: Vec<&str> = Vec::new();
    let mut steps = Vec::new();
    for attribute in expression.attributes() {
        if attributes.contains(&attribute.text.as_str()) {
            continue;
        }
        attributes.push(&attribute.text);
        let count = attributes.len();
        let shape = quote! {
            #key::ConditionShape {
                expression: #key::ExpressionShape {
                    attributes: keywright_shape.expression.attributes.split_at(#count).0,
                    ..keywright_shape.expression
                },
                ..keywright_shape
            }
        };
        steps.push(Step { shape, span: attribute.span });
    }
    enforcement.stepwise("condition_attribute", &steps, ident.span())
}
