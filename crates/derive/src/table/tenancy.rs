//! Who shares the table: `tenant = "organization_id"`, or `tenant(organization_id: OrganizationId)`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::parse::ParseStream;
use syn::{Error, Ident, Path, Result, Token, Type};

use super::Table;
use crate::entity::last_span;
use crate::key_path::moved;
use crate::option::{self, Name};

/// The attribute that says whose an item is, and what tenants are known by, if that is said.
pub(super) struct Tenant {
    pub(super) attribute: Name,
    id: Option<Type>,
}

impl Tenant {
    /// Reads the value of the option.
    pub(super) fn read(option: &Ident, input: ParseStream<'_>) -> Result<Tenant> {
        if !input.peek(syn::token::Paren) {
            let text = option::text(option, input)?;
            return Ok(Tenant { attribute: Name { text: text.value(), span: text.span() }, id: None });
        }
        option::within(option, input, |content| {
            let attribute = content.parse()?;
            content.parse::<Token![:]>().map_err(|_| {
                Error::new(
                    option.span(),
                    "`tenant` takes the attribute and the type that tenants are known by: \
                     `tenant(organization_id: OrganizationId)`",
                )
            })?;
            Ok(Tenant { attribute, id: Some(content.parse()?) })
        })
    }

    /// Refuses a tenant whose type nothing says.
    pub(super) fn check(&self, entities: &[Path]) -> Result<()> {
        if self.id.is_some() || !entities.is_empty() {
            return Ok(());
        }
        Err(Error::new(
            self.attribute.span,
            "no entity is listed that says what a tenant is known by: list an entity first whose key has the tenant, or say \
             the type: `tenant(organization_id: OrganizationId)`",
        ))
    }
}

/// What says whether tenants share the table.
pub(super) fn of(table: &Table<'_>) -> TokenStream {
    match &table.tenant {
        Some(tenant) => {
            let implementation = tenanted(table, tenant);
            let comparisons = table.entities.iter().map(|entity| same_tenant(table, tenant, entity));
            quote!(#implementation #(#comparisons)*)
        }
        None => {
            let (key, ident) = (&table.key, table.ident);
            quote! {
                #[automatically_derived]
                impl #key::declare::Unshared for #ident {}
            }
        }
    }
}

/// What stands in where the table's attributes have a fault: as much as can be known.
pub(super) fn stand_in(table: &Table<'_>) -> TokenStream {
    table.tenant.as_ref().map(|tenant| tenanted(table, tenant)).unwrap_or_default()
}

fn tenanted(table: &Table<'_>, tenant: &Tenant) -> TokenStream {
    let hash = keywright_key::declare::field(&tenant.attribute.text);
    // All of it stands at the first entity, where it is reported that no key of it has the tenant.
    let span = table.entities.first().filter(|_| tenant.id.is_none()).map_or_else(Span::call_site, last_span);
    let key = table.key.at(span);
    let id = match (&tenant.id, table.entities.first()) {
        (Some(id), _) => quote!(#id),
        (None, Some(first)) => {
            let first = moved(quote!(#first), span);
            quote_spanned!(span=> <#first as #key::declare::HoldsTenant<#hash>>::TenantId)
        }
        // Reported already.
        (None, None) => return TokenStream::new(),
    };
    let ident = moved(table.ident.to_token_stream(), span);
    quote_spanned! {span=>
        #[automatically_derived]
        impl #key::declare::Tenanted for #ident {
            type TenantId = #id;
        }
    }
}

/// Compiles only if the tenant has the table's type in the entity, if a key of it has the tenant.
fn same_tenant(table: &Table<'_>, tenant: &Tenant, entity: &Path) -> TokenStream {
    let span: Span = last_span(entity);
    let hash = keywright_key::declare::field(&tenant.attribute.text);
    let (key, entity) = (table.key.at(span), moved(quote!(#entity), span));
    let declared = match (&tenant.id, table.entities.first()) {
        (Some(id), _) => quote!(#key::declare::TenantIs<#id>),
        (None, first) => quote!(#first),
    };
    let declared = moved(declared, span);
    quote_spanned! {span=>
        const _: fn() = || {
            #[allow(unused_imports)]
            use #key::declare::NotInKey as _;
            #key::declare::Tenants::<#declared, #entity, #hash>::are_the_same();
        };
    }
}
