//! Conditions on the sort key.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Ident, LitStr, Result, Token, parenthesized};

use crate::key_path::KeyPath;
use crate::option::{self, Name, Options};
use crate::template::{Template, Templates};

const BOUNDS: Options =
    Options { owner: "sort_key_range", once: &["from", "after", "until", "through"], repeated: &[] };

const TESTS: Options = Options {
    owner: "sort_key_attributes",
    once: &["starts_with", "from", "after", "until", "through"],
    repeated: &[],
};

/// A condition on the sort key.
pub(super) enum Condition {
    Equals(Template),
    StartsWith(Template),
    Range(Template, Range),
    Attributes(Span, Vec<AttributeTest>),
}

/// From where to where.
#[derive(Default)]
pub(super) struct Range {
    from: Option<Bound>,
    to: Option<Bound>,
}

/// One side of a range: the field that gives it, and whether it belongs to the range.
struct Bound {
    given: String,
    /// The variant of the key crate's `BoundShape`.
    variant: &'static str,
}

/// A condition on one attribute of a multi-attribute key.
pub(super) struct AttributeTest {
    attribute: Name,
    test: Test,
}

enum Test {
    Equal,
    StartsWith(String),
    Range(Range),
}

impl Condition {
    /// Reads the value of an option whose name begins with `sort_key_`.
    pub(super) fn read(option: &Ident, input: ParseStream<'_>) -> Result<Condition> {
        match option.to_string().as_str() {
            "sort_key_equals" => Ok(Condition::Equals(Template { literal: option::text(option, input)? })),
            "sort_key_starts_with" => {
                Ok(Condition::StartsWith(Template { literal: option::text(option, input)? }))
            }
            "sort_key_range" => option::within(option, input, |content| {
                let literal: LitStr = content.parse().map_err(|_| {
                    content.error(
                        "here the sort key up to the component that is ranged over is expected: \
                         `sort_key_range(\"LOG#{at}\", from = since, until = end)`",
                    )
                })?;
                if !content.is_empty() {
                    content.parse::<Token![,]>()?;
                }
                let mut range = Range::default();
                BOUNDS.read_list(content, &mut Vec::new(), &mut |option, input| range.read(option, input))?;
                Ok(Condition::Range(Template { literal }, range))
            }),
            "sort_key_attributes" => Ok(Condition::Attributes(option.span(), option::list(option, input)?)),
            other => unreachable!("the list of options has no `{other}`"),
        }
    }

    /// Where it was written.
    pub(super) fn span(&self) -> Span {
        match self {
            Condition::Equals(template) | Condition::StartsWith(template) | Condition::Range(template, _) => {
                template.span()
            }
            Condition::Attributes(span, _) => *span,
        }
    }

    /// Which attribute the given value `name` is compared with by a range or a prefix; nothing if by none of them.
    pub(super) fn compared_with(&self, name: &str) -> Option<String> {
        match self {
            Condition::Equals(_) | Condition::StartsWith(_) => None,
            Condition::Range(template, range) if range.gives(name) => template.last_field(),
            Condition::Range(..) => None,
            Condition::Attributes(_, tests) => {
                tests.iter().find(|test| test.test.gives(name)).map(|test| test.attribute.text.clone())
            }
        }
    }

    /// Whether the condition itself names `name` as a component or an attribute.
    pub(super) fn names(&self, name: &str) -> bool {
        match self {
            Condition::Equals(template) | Condition::StartsWith(template) => template.names(name),
            Condition::Range(template, _) => {
                template.names(name) && template.last_field().as_deref() != Some(name)
            }
            Condition::Attributes(_, tests) => {
                tests.iter().any(|test| test.attribute.text == name && matches!(test.test, Test::Equal))
            }
        }
    }

    /// The expression of its shape.
    pub(super) fn shape(&self, key: &KeyPath, templates: &mut Templates<'_>) -> TokenStream {
        let condition = match self {
            Condition::Equals(template) => {
                let template = templates.shape(template);
                quote!(Equals(#template))
            }
            Condition::StartsWith(template) => {
                let template = templates.shape(template);
                quote!(StartsWith(#template))
            }
            Condition::Range(template, range) => {
                let (template, range) = (templates.shape(template), range.shape(key));
                quote!(Range { template: #template, range: #range })
            }
            Condition::Attributes(_, tests) => {
                let tests = tests.iter().map(|test| test.shape(key));
                quote!(Attributes(&[#(#tests),*]))
            }
        };
        quote!(#key::SortKeyCondition::#condition)
    }
}

impl Range {
    fn read(&mut self, option: &Ident, input: ParseStream<'_>) -> Result<()> {
        let variant = if option == "from" || option == "through" { "Including" } else { "Excluding" };
        let bound = Bound { given: option::word(option, input)?.unraw().to_string(), variant };
        let (side, both) = if option == "from" || option == "after" {
            (&mut self.from, "`from` or `after`")
        } else {
            (&mut self.to, "`until` or `through`")
        };
        if side.is_some() {
            return Err(Error::new(option.span(), format!("a range has one such bound: keep {both}")));
        }
        *side = Some(bound);
        Ok(())
    }

    fn gives(&self, name: &str) -> bool {
        [&self.from, &self.to].into_iter().flatten().any(|bound| bound.given == name)
    }

    fn shape(&self, key: &KeyPath) -> TokenStream {
        let bound = |bound: &Option<Bound>| match bound {
            None => quote!(#key::BoundShape::Open),
            Some(Bound { given, variant }) => {
                let variant = Ident::new(variant, Span::call_site());
                quote!(#key::BoundShape::#variant(#given))
            }
        };
        let (from, to) = (bound(&self.from), bound(&self.to));
        quote!(#key::RangeShape { from: #from, to: #to })
    }
}

impl Parse for AttributeTest {
    fn parse(input: ParseStream<'_>) -> Result<AttributeTest> {
        let attribute: Name = input.parse()?;
        if !input.peek(syn::token::Paren) {
            return Ok(AttributeTest { attribute, test: Test::Equal });
        }
        let content;
        parenthesized!(content in input);
        let (mut prefix, mut range, mut has_range) = (None, Range::default(), None);
        TESTS.read_list(&content, &mut Vec::new(), &mut |option, input| {
            if option == "starts_with" {
                prefix = Some(option::word(option, input)?.unraw().to_string());
                Ok(())
            } else {
                has_range = Some(option.span());
                range.read(option, input)
            }
        })?;
        let test = match (prefix, has_range) {
            (Some(_), Some(span)) => {
                return Err(Error::new(
                    span,
                    "an attribute starts with something or lies in a range: keep one",
                ));
            }
            (Some(prefix), None) => Test::StartsWith(prefix),
            (None, _) => Test::Range(range),
        };
        Ok(AttributeTest { attribute, test })
    }
}

impl Test {
    fn gives(&self, name: &str) -> bool {
        match self {
            Test::Equal => false,
            Test::StartsWith(given) => given == name,
            Test::Range(range) => range.gives(name),
        }
    }
}

impl AttributeTest {
    fn shape(&self, key: &KeyPath) -> TokenStream {
        let attribute = &self.attribute.text;
        let test = match &self.test {
            Test::Equal => quote!(Equal),
            Test::StartsWith(given) => quote!(BeginsWith(#given)),
            Test::Range(range) => {
                let range = range.shape(key);
                quote!(Range(#range))
            }
        };
        quote!(#key::AttributeCondition { attribute: #attribute, test: #key::AttributeTest::#test })
    }
}
