//! Key templates as texts in attributes. They are parsed by the key crate, in constants, where the table's delimiter is
//! known; here only the names between braces are read, which are the same under every delimiter.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, LitStr, Path};

use crate::key_path::KeyPath;

/// A template as it was written.
#[derive(Clone)]
pub(crate) struct Template {
    pub(crate) literal: LitStr,
}

impl Template {
    /// The fields that it names, from left to right.
    pub(crate) fn fields(&self) -> Vec<String> {
        let text = self.literal.value();
        text.split('{')
            .skip(1)
            .filter_map(|rest| rest.split('}').next())
            .filter_map(|component| component.split(':').next())
            .map(str::to_owned)
            .collect()
    }

    /// Whether it names `field`.
    pub(crate) fn names(&self, field: &str) -> bool {
        self.fields().iter().any(|name| name == field)
    }

    /// The last field that it names.
    pub(crate) fn last_field(&self) -> Option<String> {
        self.fields().pop()
    }

    /// Where it was written.
    pub(crate) fn span(&self) -> Span {
        self.literal.span()
    }
}

/// Templates of one derive, each parsed once into a constant of its own.
///
/// A text that is no template stops the compilation at its literal, and there only: what is made of it takes another
/// text in its place, and rules that would stumble over that keep silent.
pub(crate) struct Templates<'a> {
    key: &'a KeyPath,
    table: &'a Path,
    parsed: Vec<(Ident, Template)>,
}

impl<'a> Templates<'a> {
    pub(crate) fn new(key: &'a KeyPath, table: &'a Path) -> Templates<'a> {
        Templates { key, table, parsed: Vec::new() }
    }

    /// The expression of a template's shape, where [`Templates::constants`] are in scope.
    pub(crate) fn shape(&mut self, template: &Template) -> TokenStream {
        let name = format_ident!("KEYWRIGHT_TEMPLATE_{}", self.parsed.len());
        let (key, table) = (self.key, self.table);
        let shape = quote! {
            match #name {
                ::core::result::Result::Ok(template) => template,
                ::core::result::Result::Err(_) => #key::TemplateShape::of(
                    "unreadable",
                    <#table as #key::declare::Table>::FORMAT,
                ),
            }
        };
        self.parsed.push((name, template.clone()));
        shape
    }

    /// The constants that the shapes are made of.
    pub(crate) fn constants(&self) -> TokenStream {
        let (key, table) = (self.key, self.table);
        let (names, literals) = self.names_and_literals();
        quote! {
            #(
                const #names: ::core::result::Result<#key::TemplateShape<'static>, #key::TemplateError> =
                    #key::TemplateShape::parse(#literals, <#table as #key::declare::Table>::FORMAT);
            )*
        }
    }

    /// The expression that says whether all of them could be read.
    pub(crate) fn are_readable(&self) -> TokenStream {
        let (names, _) = self.names_and_literals();
        quote!(true #(&& #names.is_ok())*)
    }

    /// What reports, at its literal, a template that cannot be read.
    pub(crate) fn reports(&self) -> TokenStream {
        let table = self.table;
        self.parsed
            .iter()
            .map(|(_, template)| {
                let literal = &template.literal;
                let key = self.key.at(template.span());
                quote_spanned! {template.span()=>
                    const _: #key::TemplateShape<'static> =
                        #key::TemplateShape::of(#literal, <#table as #key::declare::Table>::FORMAT);
                }
            })
            .collect()
    }

    fn names_and_literals(&self) -> (Vec<&Ident>, Vec<&LitStr>) {
        self.parsed.iter().map(|(name, template)| (name, &template.literal)).unzip()
    }
}
