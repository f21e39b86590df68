//! `#[derive(Condition)]`: a struct as what must hold of a stored item for a write to happen.

mod output;

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{DeriveInput, Error, Field, Ident, Path, Result, Token};

use crate::expression::{Clause, Expression, Use};
use crate::key_path::KeyPath;
use crate::nearest::nearest;
use crate::option::{self, Faults};
use crate::structure::{Role, named_fields, place};
use crate::subject::Subject;
pub(crate) use output::same_value;

/// Everything that the attributes say, checked for its form.
struct Condition<'a> {
    ident: &'a Ident,
    key: KeyPath,
    table: Path,
    entity: Path,
    expression: Expression,
    fields: Vec<&'a Field>,
}

/// The options as they were given, and the clauses among them.
#[derive(Default)]
struct Said {
    subject: Subject,
    expression: Expression,
}

/// The implementations and rules of a condition; on a fault of an attribute, the fault.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut said = Said::default();
    match read(input, &mut said) {
        Ok(condition) => output::of(&condition),
        Err(error) => output::stand_in(input, &said, &error),
    }
}

fn read<'a>(input: &'a DeriveInput, said: &mut Said) -> Result<Condition<'a>> {
    let mut faults = Faults::default();
    faults.take(said.read(input));
    let fields = faults.take(named_fields(input, Role::Condition)).unwrap_or_default();
    faults.into_result(())?;
    let name = input.ident.unraw();
    let (table, entity) = said.subject.whole(input, "say of which entity it is asked: `of = Account`")?;
    if said.expression.clauses.is_empty() {
        return Err(Error::new(
            place(input),
            format!(
                "`{name}` asks for nothing: say what must hold: `balance >= least`, or `exists(nickname)`"
            ),
        ));
    }
    check_fields(&name, &said.expression, &fields)?;
    let expression = std::mem::take(&mut said.expression);
    let key = said.subject.key();
    Ok(Condition { ident: &input.ident, key, table, entity, expression, fields })
}

/// Refuses what is asked for and is no field, and fields that nothing asks for.
fn check_fields(condition: &Ident, expression: &Expression, fields: &[&Field]) -> Result<()> {
    let mut faults = Faults::default();
    let named: Vec<&Ident> = fields.iter().filter_map(|field| field.ident.as_ref()).collect();
    for given in expression.given() {
        if named.iter().any(|field| field.unraw() == given.unraw()) {
            continue;
        }
        let names: Vec<String> = named.iter().map(|field| field.unraw().to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let advice = match nearest(&given.unraw().to_string(), &names) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "what it compares with is given by its fields".to_owned(),
        };
        faults.add(Error::new(
            given.span(),
            format!("`{condition}` has no field `{}`: {advice}", given.unraw()),
        ));
    }
    for field in named {
        if !expression.uses(&field.unraw().to_string()) {
            faults.add(Error::new(
                field.span(),
                format!(
                    "nothing is compared with `{}`: use it in the condition, or leave it out",
                    field.unraw()
                ),
            ));
        }
    }
    faults.into_result(())
}

impl Said {
    fn read(&mut self, input: &DeriveInput) -> Result<()> {
        let mut faults = Faults::default();
        for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("condition")) {
            faults.take(attribute.parse_args_with(|input: ParseStream<'_>| self.read_list(input)));
        }
        faults.into_result(())
    }

    /// Reads options and clauses until the end. A clause on an attribute that is called as an option is puts it in quotes.
    fn read_list(&mut self, input: ParseStream<'_>) -> Result<()> {
        let mut faults = Faults::default();
        while !input.is_empty() {
            let read = match option_ahead(input) {
                Some(option) => self.read_option(&option, input),
                None => {
                    Clause::read(input, Use::Condition).map(|clause| self.expression.clauses.push(clause))
                }
            };
            if let Err(error) = read {
                faults.add(error);
                option::skip_to_comma(input)?;
            }
            if input.is_empty() {
                break;
            }
            if !input.peek(Token![,]) {
                faults.add(input.error("here a comma is expected, before what must hold too"));
                option::skip_to_comma(input)?;
                if input.is_empty() {
                    break;
                }
            }
            input.parse::<Token![,]>()?;
        }
        faults.into_result(())
    }

    fn read_option(&mut self, option: &Ident, input: ParseStream<'_>) -> Result<()> {
        input.call(Ident::parse_any)?;
        let place = self.subject.place(option);
        if place.is_some() {
            return Err(Error::new(
                option.span(),
                format!("`{option}` is given twice: keep the one that is meant"),
            ));
        }
        *place = Some(option::path(option, input)?);
        Ok(())
    }
}

/// The option that comes next, if one does.
fn option_ahead(input: ParseStream<'_>) -> Option<Ident> {
    let word = input.fork().call(Ident::parse_any).ok()?;
    (Subject::has_option(&word) && input.peek2(Token![=]) && !input.peek2(Token![==])).then_some(word)
}
