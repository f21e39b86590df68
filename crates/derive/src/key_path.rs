//! Where the generated code finds the key crate.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

/// The path that the option `crate` gives, or that of the key crate itself.
#[derive(Clone, Default)]
pub(crate) struct KeyPath {
    given: Option<Path>,
}

impl KeyPath {
    /// The path of the option, if it is given.
    pub(crate) fn new(given: Option<&Path>) -> KeyPath {
        KeyPath { given: given.cloned() }
    }

    /// The path as if it stood at `span`: a call is reported where it begins, and it begins with this path.
    pub(crate) fn at(&self, span: Span) -> TokenStream {
        match &self.given {
            // `$crate` and the like mean what they mean where they were written.
            Some(path) => moved(path.to_token_stream(), span),
            None => quote_spanned!(span=> ::keywright_key),
        }
    }
}

impl ToTokens for KeyPath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match &self.given {
            Some(path) => path.to_tokens(tokens),
            None => tokens.extend(quote!(::keywright_key)),
        }
    }
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
