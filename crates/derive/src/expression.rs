//! Filters and conditions: `role = wanted, points >= least, exists(nickname)`. All of them must hold.
//!
//! What is compared is given by the fields of a struct, so that each use is one and the same expression, which is known while
//! the program is compiled.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Error, Ident, Result, Token, parenthesized};

use crate::key_path::KeyPath;
use crate::nearest::nearest;
use crate::option::Name;

/// Functions of an attribute alone, and of an attribute and a given value, with what DynamoDB calls them.
const OF_ATTRIBUTE: &[(&str, &str)] =
    &[("exists", "attribute_exists"), ("not_exists", "attribute_not_exists")];
const WITH_VALUE: &[(&str, &str)] = &[("begins_with", "begins_with"), ("contains", "contains")];

/// What an expression is, as its refusals call it.
#[derive(Clone, Copy)]
pub(crate) enum Use {
    Filter,
    Condition,
}

/// Clauses that must all hold.
#[derive(Default)]
pub(crate) struct Expression {
    pub(crate) clauses: Vec<Clause>,
}

/// One clause.
pub(crate) struct Clause {
    /// What it looks at.
    pub(crate) attribute: Name,
    test: Test,
}

/// What holds of an attribute.
enum Test {
    /// It compares like this with a given value.
    Compared(&'static str, Ident),
    /// A function of it alone holds.
    Function(&'static str),
    /// A function of it and a given value holds.
    FunctionWith(&'static str, Ident),
}

impl Expression {
    /// The attributes that it looks at, with repetitions.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = &Name> {
        self.clauses.iter().map(|clause| &clause.attribute)
    }

    /// The fields that it uses, with repetitions.
    pub(crate) fn given(&self) -> impl Iterator<Item = &Ident> {
        self.clauses.iter().filter_map(Clause::given)
    }

    /// Whether it uses the field.
    pub(crate) fn uses(&self, field: &str) -> bool {
        self.given().any(|given| given.unraw() == field)
    }

    /// The expression of its shape.
    pub(crate) fn shape(&self, key: &KeyPath) -> TokenStream {
        let (mut attributes, mut given) = (Vec::new(), Vec::new());
        let texts: Vec<String> = self
            .clauses
            .iter()
            .map(|clause| {
                let attribute = format!("#{}", place_of(&mut attributes, clause.attribute.text.clone()));
                let mut value =
                    |field: &Ident| format!(":{}", place_of(&mut given, field.unraw().to_string()));
                match &clause.test {
                    Test::Compared(operator, field) => format!("{attribute} {operator} {}", value(field)),
                    Test::Function(function) => format!("{function}({attribute})"),
                    Test::FunctionWith(function, field) => {
                        format!("{function}({attribute}, {})", value(field))
                    }
                }
            })
            .collect();
        let text = texts.join(" AND ");
        quote! {
            #key::ExpressionShape {
                text: #text,
                attributes: &[#(#attributes),*],
                given: &[#(#given),*],
            }
        }
    }
}

/// The place of a name in the list, to which it is added if it is not there.
fn place_of(names: &mut Vec<String>, name: String) -> usize {
    names.iter().position(|known| *known == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

impl Clause {
    /// Reads one clause.
    pub(crate) fn read(input: ParseStream<'_>, used: Use) -> Result<Clause> {
        if input.peek(Ident::peek_any) && input.peek2(syn::token::Paren) {
            return function(input, used);
        }
        let attribute: Name = input.parse()?;
        let operator = operator(input, used)?;
        Ok(Clause { attribute, test: Test::Compared(operator, field(input, used)?) })
    }

    /// The field that it uses, if it uses one.
    pub(crate) fn given(&self) -> Option<&Ident> {
        match &self.test {
            Test::Compared(_, given) | Test::FunctionWith(_, given) => Some(given),
            Test::Function(_) => None,
        }
    }

    /// The field that it compares the whole attribute with, if it does.
    pub(crate) fn compared(&self) -> Option<&Ident> {
        match &self.test {
            Test::Compared(_, given) => Some(given),
            Test::Function(_) | Test::FunctionWith(..) => None,
        }
    }
}

fn operator(input: ParseStream<'_>, used: Use) -> Result<&'static str> {
    if input.peek(Token![<=]) {
        input.parse::<Token![<=]>()?;
        Ok("<=")
    } else if input.peek(Token![>=]) {
        input.parse::<Token![>=]>()?;
        Ok(">=")
    } else if input.peek(Token![<]) && input.peek2(Token![>]) {
        input.parse::<Token![<]>()?;
        input.parse::<Token![>]>()?;
        Ok("<>")
    } else if input.peek(Token![<]) {
        input.parse::<Token![<]>()?;
        Ok("<")
    } else if input.peek(Token![>]) {
        input.parse::<Token![>]>()?;
        Ok(">")
    } else if input.peek(Token![=]) && !input.peek(Token![==]) {
        input.parse::<Token![=]>()?;
        Ok("=")
    } else {
        let (what, owner) = (used.name(), used.owner());
        Err(input.error(format!(
            "{what} compares an attribute with a field of {owner} by `=`, `<>`, `<`, `<=`, `>` or `>=`: \
             `role = wanted_role`"
        )))
    }
}

fn function(input: ParseStream<'_>, used: Use) -> Result<Clause> {
    let word = input.call(Ident::parse_any)?;
    let name = word.to_string();
    let content;
    parenthesized!(content in input);
    let of_attribute = OF_ATTRIBUTE.iter().find(|(known, _)| *known == name);
    let with_value = WITH_VALUE.iter().find(|(known, _)| *known == name);
    let test = match (of_attribute, with_value) {
        (Some((_, function)), _) => {
            let attribute = content.parse()?;
            Clause { attribute, test: Test::Function(function) }
        }
        (None, Some((_, function))) => {
            let attribute = content.parse()?;
            content.parse::<Token![,]>().map_err(|_| {
                content.error(format!("`{name}` takes an attribute and a field of {}", used.owner()))
            })?;
            Clause { attribute, test: Test::FunctionWith(function, field(&content, used)?) }
        }
        (None, None) => return Err(Error::new(word.span(), unknown_function(&name, used))),
    };
    if !content.is_empty() {
        return Err(content.error(format!("`{name}` takes nothing more")));
    }
    Ok(test)
}

fn unknown_function(name: &str, used: Use) -> String {
    let known: Vec<&str> = OF_ATTRIBUTE.iter().chain(WITH_VALUE).map(|(known, _)| *known).collect();
    let advice = match nearest(name, &known) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "it has `exists`, `not_exists`, `begins_with` and `contains`".to_owned(),
    };
    format!("{} has no function `{name}`: {advice}", used.name())
}

fn field(input: ParseStream<'_>, used: Use) -> Result<Ident> {
    input.call(Ident::parse_any).map_err(|_| {
        let owner = used.owner();
        input.error(format!(
            "here a field of {owner} is expected: values are given by the caller, so that each use of {owner} is one and \
             the same request"
        ))
    })
}

impl Use {
    fn name(self) -> &'static str {
        match self {
            Use::Filter => "a filter",
            Use::Condition => "a condition",
        }
    }

    fn owner(self) -> &'static str {
        match self {
            Use::Filter => "the pattern",
            Use::Condition => "the condition",
        }
    }
}
