//! Where the generated code finds the key crate: at the path that the option `crate` gives; without it, where the manifest of
//! the user's package says.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Path;

/// The path of the key crate.
#[derive(Clone)]
pub(crate) enum KeyPath {
    /// The one that the option gives.
    Given(Path),
    /// The one that fits the user's package.
    Found(TokenStream),
}

impl KeyPath {
    /// The path of the option, or the one that fits the user's package.
    pub(crate) fn new(given: Option<&Path>) -> KeyPath {
        given.map_or_else(|| KeyPath::Found(of_package()), |path| KeyPath::Given(path.clone()))
    }

    /// The path as if it stood at `span`: a call is reported where it begins, and it begins with this path.
    pub(crate) fn at(&self, span: Span) -> TokenStream {
        match self {
            // `$crate` and the like mean what they mean where they were written.
            KeyPath::Given(path) => moved(path.to_token_stream(), span),
            KeyPath::Found(path) => written_at(path, span),
        }
    }
}

impl Default for KeyPath {
    fn default() -> KeyPath {
        KeyPath::new(None)
    }
}

impl ToTokens for KeyPath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            KeyPath::Given(path) => path.to_tokens(tokens),
            KeyPath::Found(path) => path.to_tokens(tokens),
        }
    }
}

/// The key crate itself if the package depends on it, else the one in the data layer.
///
/// The key crate comes first: a package of entities may depend on it alone, and on the data layer only in its tests.
fn of_package() -> TokenStream {
    if let Ok(FoundCrate::Name(name)) = crate_name("keywright-key") {
        let name = Ident::new(&name, Span::call_site());
        return quote!(::#name);
    }
    match crate_name("keywright") {
        Ok(FoundCrate::Name(name)) => {
            let name = Ident::new(&name, Span::call_site());
            quote!(::#name::key)
        }
        // Tests and examples of the data layer, which is a crate of its own to them.
        Ok(FoundCrate::Itself) => quote!(::keywright::key),
        // Built by something else than cargo.
        Err(_) => quote!(::keywright_key),
    }
}

/// The words and signs of a path as if the user had written them at `span`.
fn written_at(path: &TokenStream, span: Span) -> TokenStream {
    path.clone()
        .into_iter()
        .map(|mut token| {
            token.set_span(span);
            token
        })
        .collect()
}

/// The tokens with their meaning, as if they stood at `span`.
pub(crate) fn moved(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| {
            let mut token = match token {
                TokenTree::Group(group) => {
                    TokenTree::Group(Group::new(group.delimiter(), moved(group.stream(), span)))
                }
                other => other,
            };
            token.set_span(token.span().located_at(span));
            token
        })
        .collect()
}
