//! Filters: `filter(role = wanted, points >= least, exists(nickname))`.
//!
//! A filter is part of the pattern, so that what it looks at is known while the program is compiled.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Ident, Result, Token, parenthesized};

use crate::nearest::nearest;
use crate::option::{self, Name};

/// Functions of an attribute alone, and of an attribute and a given value.
const OF_ATTRIBUTE: &[&str] = &["exists", "not_exists"];
const WITH_VALUE: &[&str] = &["begins_with", "contains"];

/// What a pattern leaves out after reading; all conditions must hold.
#[derive(Default)]
pub(super) struct Filter {
    /// Where it is, if there is one.
    pub(super) span: Option<Span>,
    /// The attributes that it looks at, with repetitions.
    pub(super) attributes: Vec<Name>,
    /// The fields of the pattern that it uses, with repetitions.
    pub(super) given: Vec<String>,
}

/// One condition of a filter.
struct Clause {
    attribute: Name,
    given: Option<String>,
}

impl Filter {
    /// Reads the value of the option.
    pub(super) fn read(option: &Ident, input: ParseStream<'_>) -> Result<Filter> {
        let clauses: Vec<Clause> = option::list(option, input)?;
        let given = clauses.iter().filter_map(|clause| clause.given.clone()).collect();
        let attributes = clauses.into_iter().map(|clause| clause.attribute).collect();
        Ok(Filter { span: Some(option.span()), attributes, given })
    }

    /// Whether it uses the given value.
    pub(super) fn uses(&self, given: &str) -> bool {
        self.given.iter().any(|name| name == given)
    }
}

impl Parse for Clause {
    fn parse(input: ParseStream<'_>) -> Result<Clause> {
        if input.peek(Ident::peek_any) && input.peek2(syn::token::Paren) {
            return function(input);
        }
        let attribute: Name = input.parse()?;
        if input.peek(Token![<=]) {
            input.parse::<Token![<=]>()?;
        } else if input.peek(Token![>=]) {
            input.parse::<Token![>=]>()?;
        } else if input.peek(Token![<]) && input.peek2(Token![>]) {
            input.parse::<Token![<]>()?;
            input.parse::<Token![>]>()?;
        } else if input.peek(Token![<]) {
            input.parse::<Token![<]>()?;
        } else if input.peek(Token![>]) {
            input.parse::<Token![>]>()?;
        } else if input.peek(Token![=]) && !input.peek(Token![==]) {
            input.parse::<Token![=]>()?;
        } else {
            return Err(input.error(
                "a filter compares an attribute with a field of the pattern by `=`, `<>`, `<`, `<=`, `>` or `>=`: \
                 `role = wanted_role`",
            ));
        }
        Ok(Clause { attribute, given: Some(field(input)?) })
    }
}

fn function(input: ParseStream<'_>) -> Result<Clause> {
    let function = input.call(Ident::parse_any)?;
    let name = function.to_string();
    let content;
    parenthesized!(content in input);
    let known: Vec<&str> = OF_ATTRIBUTE.iter().chain(WITH_VALUE).copied().collect();
    if !known.contains(&name.as_str()) {
        let advice = match nearest(&name, &known) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "it has `exists`, `not_exists`, `begins_with` and `contains`".to_owned(),
        };
        return Err(Error::new(function.span(), format!("a filter has no function `{name}`: {advice}")));
    }
    let attribute: Name = content.parse()?;
    let given = if WITH_VALUE.contains(&name.as_str()) {
        content
            .parse::<Token![,]>()
            .map_err(|_| content.error(format!("`{name}` takes an attribute and a field of the pattern")))?;
        Some(field(&content)?)
    } else {
        None
    };
    if !content.is_empty() {
        return Err(content.error(format!("`{name}` takes nothing more")));
    }
    Ok(Clause { attribute, given })
}

fn field(input: ParseStream<'_>) -> Result<String> {
    match input.call(Ident::parse_any) {
        Ok(field) => Ok(field.unraw().to_string()),
        Err(_) => Err(input.error(
            "here a field of the pattern is expected: values are given by the caller, so that each use of the pattern is \
             one and the same request",
        )),
    }
}
