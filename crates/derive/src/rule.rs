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
        let is_readable = &self.is_readable;
        let (shapes, enforced) = (self.shapes(), self.enforced(rule, span));
        quote_spanned! {span=>
            const _: () = if #is_readable {
                #shapes
                #enforced
            };
        }
    }

    /// The rule, reported at the word of the first step that breaks it, or at `otherwise` if only the whole shape does.
    pub(crate) fn stepwise(&self, rule: &str, steps: &[Step], otherwise: Span) -> TokenStream {
        let [_, ..] = steps else { return self.at(rule, otherwise) };
        let (key, is_readable) = (self.key, &self.is_readable);
        let (shapes, arguments) = (self.shapes(), self.arguments());
        let step = if self.shape.is_some() { quote!(keywright_shape) } else { quote!(keywright_table) };
        let steps = steps.iter().map(|Step { shape, span }| {
            let enforced = self.enforced(rule, *span);
            quote! {
                {
                    let #step = #shape;
                    #enforced
                }
            }
        });
        let enforced = self.enforced(rule, otherwise);
        let rule = format_ident!("{rule}");
        quote! {
            const _: () = if #is_readable {
                #shapes
                if #key::rule::#rule::check(#arguments).is_some() {
                    #(#steps)*
                    #enforced
                }
            };
        }
    }

    /// The rule of updates, reported at the first of the changes that breaks it.
    pub(crate) fn at_changes(&self, rule: &str, changes: &[Span]) -> TokenStream {
        let (key, is_readable) = (self.key, &self.is_readable);
        let (shapes, arguments) = (self.shapes(), self.arguments());
        let rule = format_ident!("{rule}");
        let changes = changes.iter().enumerate().map(|(place, span)| {
            let key = self.key.at(*span);
            quote_spanned!(*span=> #key::rule::#rule::enforce_change(#arguments, #place);)
        });
        quote! {
            const _: () = if #is_readable {
                #shapes
                if #key::rule::#rule::check(#arguments).is_some() {
                    #(#changes)*
                }
            };
        }
    }

    /// The shapes as variables: a reference to a constant would be a constant of its own, and the compiler would go through
    /// the whole table again for each.
    fn shapes(&self) -> TokenStream {
        let table = &self.table;
        let shape = self.shape.iter();
        quote! {
            let keywright_table = #table;
            #(let keywright_shape = #shape;)*
        }
    }

    fn enforced(&self, rule: &str, span: Span) -> TokenStream {
        let (key, rule, arguments) = (self.key.at(span), format_ident!("{rule}"), self.arguments());
        quote_spanned!(span=> #key::rule::#rule::enforce(#arguments);)
    }

    fn arguments(&self) -> TokenStream {
        if self.shape.is_some() {
            quote!(&keywright_table, &keywright_shape)
        } else {
            quote!(&keywright_table)
        }
    }
}
