//! `#[derive(Projection)]`: a struct as some of the attributes of an entity.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{DeriveInput, Error, Path, Result};

use crate::key_path::{KeyPath, moved};
use crate::option::{self, Faults, Options};
use crate::stored_field::stored_fields;
use crate::structure::{Role, named_fields, place};

const OPTIONS: Options = Options { owner: "projection", once: &["of", "crate"], repeated: &[] };

/// The implementation of a projection; on a fault of an attribute, the fault.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut of = None;
    expand(input, &mut of).unwrap_or_else(|error| {
        let fault = error.to_compile_error();
        match of.filter(|_| input.generics.params.is_empty()) {
            Some(entity) => {
                let (key, ident) = (KeyPath::default(), &input.ident);
                quote! {
                    #fault
                    #[automatically_derived]
                    impl #key::declare::ProjectionOf<#entity> for #ident {
                        const ATTRIBUTES: &'static [&'static str] = &[];
                    }
                }
            }
            None => fault,
        }
    })
}

fn expand(input: &DeriveInput, of: &mut Option<Path>) -> Result<TokenStream> {
    let mut crate_path = None;
    let mut faults = Faults::default();
    faults.take(OPTIONS.read(&input.attrs, &mut |option, input| {
        let path = Some(option::path(option, input)?);
        if option == "of" {
            *of = path;
        } else {
            crate_path = path;
        }
        Ok(())
    }));
    let fields = faults
        .take(named_fields(input, Role::Projection))
        .and_then(|fields| faults.take(stored_fields(&input.attrs, &fields)));
    let Some(fields) = fields else { return faults.into_result(TokenStream::new()) };
    faults.into_result(())?;
    let Some(entity) = of else {
        return Err(Error::new(
            place(input),
            format!("`{}` has no `of`: say whose attributes it has: `of = Member`", input.ident.unraw()),
        ));
    };
    let (key, ident) = (KeyPath::new(crate_path.as_ref()), &input.ident);
    let names = fields.fields.iter().map(|field| &field.name);
    let checks = fields.fields.iter().map(|field| {
        let ty = field.ty;
        let hash = keywright_key::declare::field(&field.name);
        let key = key.at(field.ident.span());
        let entity = moved(quote!(#entity), field.ident.span());
        quote_spanned! {field.ident.span()=>
            const _: () = #key::declare::same_attribute::<#entity, #hash, #ty>();
        }
    });
    Ok(quote! {
        #[automatically_derived]
        impl #key::declare::ProjectionOf<#entity> for #ident {
            const ATTRIBUTES: &'static [&'static str] = &[#(#names),*];
        }
        #(#checks)*
    })
}
