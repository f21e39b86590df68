//! How the values of a pattern, a condition or an update reach requests: `GivenValues`.
//!
//! Nothing of it is written into a program without serde.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Ident, Type};

use crate::key_path::KeyPath;

/// The values that a struct gives.
pub(crate) struct GivenValues<'a> {
    pub(crate) key: &'a KeyPath,
    pub(crate) ident: &'a Ident,
    pub(crate) values: Vec<NamedValue<'a>>,
}

/// One of them.
pub(crate) struct NamedValue<'a> {
    /// What shapes call it.
    pub(crate) name: &'a str,
    /// The field.
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
}

impl GivenValues<'_> {
    /// The implementation.
    pub(crate) fn implementation(&self) -> TokenStream {
        let (key, ident, bounds) = (self.key, self.ident, self.bounds());
        let arms = self.values.iter().map(|NamedValue { name, ident, .. }| {
            quote! {
                #name => ::core::option::Option::Some(#key::declare::Serialize::serialize(&&self.#ident, target)),
            }
        });
        let fields = self.values.iter().map(|value| value.ident);
        quote! {
            // A program without serde reads no value, and is not told so.
            const _: fn(&#ident) = |_given| {
                #(let _ = &_given.#fields;)*
            };
            #key::with_serde! {
                #[automatically_derived]
                impl #key::declare::GivenValues for #ident
                where
                    #bounds
                {
                    fn serialize_given<KeywrightTarget: #key::declare::Serializer>(
                        &self,
                        name: &str,
                        target: KeywrightTarget,
                    ) -> ::core::option::Option<
                        ::core::result::Result<KeywrightTarget::Ok, KeywrightTarget::Error>,
                    > {
                        // Without any value.
                        let _ = &target;
                        match name {
                            #(#arms)*
                            _ => ::core::option::Option::None,
                        }
                    }
                }
            }
        }
    }

    /// What must hold for it. The bounds are for every lifetime, so that a type that serde cannot write is no fault until it
    /// is sent.
    pub(crate) fn bounds(&self) -> TokenStream {
        let key = self.key;
        let bounds = self.values.iter().map(|NamedValue { ty, .. }| {
            quote_spanned!(ty.span()=> for<'any> &'any #ty: #key::declare::Serialize,)
        });
        bounds.collect()
    }
}
