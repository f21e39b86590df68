//! How a rule of the key crate is put into the user's program: one constant a rule, reported at the user's own word.
//!
//! A rule looks at a whole entity or pattern, and says the first thing that is wrong. To point at the word that it means,
//! the shape is given up in steps, each with one word more than the step before: the first step that breaks the rule
//! ends with the word. The steps are evaluated only when the rule is broken.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use crate::key_path::KeyPath;

/// The shape up to some word, and the word.
pub(crate) struct Step {
    /// An expression of the shape.
    pub(crate) shape: TokenStream,
    /// Where the word is.
    pub(crate) span: Span,
}

/// What a rule is enforced on.
pub(crate) struct Enforcement<'a> {
    /// The path of the key crate.
    pub(crate) key: &'a KeyPath,
    /// The expression of the table's shape.
    pub(crate) table: TokenStream,
    /// The expression of the shape of the entity or pattern; nothing for rules of the table itself.
    pub(crate) shape: Option<TokenStream>,
    /// The expression that says whether everything that rules look at could be read.
    pub(crate) is_readable: TokenStream,
}

impl Enforcement<'_> {
    /// The rule, reported at one word.
    pub(crate) fn at(&self, rule: &str, span: Span) -> TokenStream {
        let (key, is_readable) = (self.key.at(span), &self.is_readable);
        let rule = format_ident!("{rule}");
        let arguments = self.arguments(self.shape.as_ref());
        let enforced = quote_spanned!(span=> #key::rule::#rule::enforce(#arguments));
        quote_spanned! {span=> const _: () = if #is_readable { #enforced }; }
    }

    /// The rule, reported at the word of the first step that breaks it, or at `otherwise` if only the whole shape does.
    pub(crate) fn stepwise(&self, rule: &str, steps: &[Step], otherwise: Span) -> TokenStream {
        if steps.is_empty() {
            return self.at(rule, otherwise);
        }
        let (key, is_readable) = (self.key, &self.is_readable);
        let rule = format_ident!("{rule}");
        let whole = self.arguments(self.shape.as_ref());
        let steps = steps.iter().map(|step| {
            let arguments = self.arguments(Some(&step.shape));
            let key = key.at(step.span);
            let enforced = quote_spanned!(step.span=> #key::rule::#rule::enforce(#arguments));
            quote!(#enforced;)
        });
        let key_otherwise = key.at(otherwise);
        let enforced = quote_spanned!(otherwise=> #key_otherwise::rule::#rule::enforce(#whole));
        quote! {
            const _: () = if #is_readable && #key::rule::#rule::check(#whole).is_some() {
                #(#steps)*
                #enforced
            };
        }
    }

    fn arguments(&self, shape: Option<&TokenStream>) -> TokenStream {
        let table = &self.table;
        match (&self.shape, shape) {
            (Some(_), Some(shape)) => quote!(&#table, &#shape),
            // The table itself, or as much of it as a step gives.
            (None, Some(shape)) => quote!(&#shape),
            (_, None) => quote!(&#table),
        }
    }
}
