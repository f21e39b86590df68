//! `#[derive(AccessPattern)]`: a struct as one Query or one GetItem; its fields are what the caller gives.

mod condition;
mod filter;
mod given;
mod output;
mod reading;

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{DeriveInput, Error, Ident, Path, Result, Token, Visibility};

use crate::key_path::KeyPath;
use crate::option::{self, Faults, Options};
use crate::structure::{Role, named_fields, place};
use condition::Condition;
use filter::Filter;
use given::Given;

const OPTIONS: Options = Options {
    owner: "access_pattern",
    once: &[
        "table",
        "index",
        "returns",
        "skips",
        "get_item",
        "sort_key_equals",
        "sort_key_starts_with",
        "sort_key_range",
        "sort_key_attributes",
        "filter",
        "consistency",
        "across_tenants",
        "listed_in",
        "crate",
    ],
    repeated: &[],
};

/// Everything that the attributes say, checked for its form.
struct Pattern<'a> {
    ident: &'a Ident,
    visibility: &'a Visibility,
    key: KeyPath,
    table: Path,
    said: Said,
    given: Vec<Given<'a>>,
}

/// The options as they were given.
#[derive(Default)]
struct Said {
    table: Option<Path>,
    crate_path: Option<Path>,
    listed_in: Option<Path>,
    index: Option<Path>,
    returns: Vec<ReturnedType>,
    /// Where `returns` is.
    returns_span: Option<Span>,
    skips: Vec<Path>,
    /// Where `get_item` is.
    get_item: Option<Span>,
    condition: Option<Condition>,
    filter: Filter,
    /// Where strong consistency is asked for.
    strong: Option<Span>,
    /// Where it says that what it finds may be anybody's.
    across_tenants: Option<Span>,
}

/// `Member`, or `Member as MemberSummary`.
struct ReturnedType {
    entity: Path,
    projection: Option<Path>,
}

impl Parse for ReturnedType {
    fn parse(input: ParseStream<'_>) -> Result<ReturnedType> {
        let entity = input.parse()?;
        let projection = if input.peek(Token![as]) {
            input.parse::<Token![as]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        Ok(ReturnedType { entity, projection })
    }
}

/// The implementations and rules of a pattern; on a fault of an attribute, the fault.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut said = Said::default();
    let mut faults = Faults::default();
    faults.take(said.read(input));
    faults.take(said.check_returns());
    let fields = faults.take(named_fields(input, Role::Pattern));
    let given = fields.and_then(|fields| faults.take(given::read(&fields, &said)));
    if let Err(error) = faults.into_result(()) {
        return output::stand_in(input, &said, &error);
    }
    match (said.table.clone(), given) {
        (_, _) if said.returns.is_empty() => {
            let error =
                missing(input, "returns", "name the entities that it returns: `returns(Team, Member)`");
            output::stand_in(input, &said, &error)
        }
        (Some(table), Some(given)) => {
            let key = KeyPath::new(said.crate_path.as_ref());
            output::of(&Pattern { ident: &input.ident, visibility: &input.vis, key, table, said, given })
        }
        _ => {
            let error =
                missing(input, "table", "say which table it reads, also through an index: `table = App`");
            output::stand_in(input, &said, &error)
        }
    }
}

impl Said {
    /// Refuses two returned types of one name, and keeps the first: an item is told by its name.
    fn check_returns(&mut self) -> Result<()> {
        let mut faults = Faults::default();
        let mut names: Vec<Ident> = Vec::new();
        self.returns.retain(|returned| {
            let Some(name) = returned.name() else { return true };
            let is_new = !names.contains(name);
            if is_new {
                names.push(name.clone());
            } else {
                faults.add(Error::new(
                    name.span(),
                    format!(
                        "two of what the pattern returns are called `{name}`, and its items are told apart by the names. \
                         Return each once, or import one under another name"
                    ),
                ));
            }
            is_new
        });
        faults.into_result(())
    }

    fn read(&mut self, input: &DeriveInput) -> Result<()> {
        OPTIONS.read(&input.attrs, &mut |option, input| {
            match option.to_string().as_str() {
                "table" => self.table = Some(option::path(option, input)?),
                "index" => self.index = Some(option::path(option, input)?),
                "returns" => {
                    self.returns_span = Some(option.span());
                    self.returns = option::list(option, input)?;
                }
                "skips" => self.skips = option::list(option, input)?,
                "get_item" => self.get_item = Some(option.span()),
                "filter" => self.filter = Filter::read(option, input)?,
                "across_tenants" => self.across_tenants = Some(option.span()),
                "consistency" => self.strong = read_consistency(&option::word(option, input)?)?,
                "listed_in" => self.listed_in = Some(option::path(option, input)?),
                "crate" => self.crate_path = Some(option::path(option, input)?),
                _ => {
                    let condition = Condition::read(option, input)?;
                    if self.condition.is_some() {
                        return Err(Error::new(
                            option.span(),
                            "a pattern has one condition on the sort key: keep the one that is meant",
                        ));
                    }
                    self.condition = Some(condition);
                }
            }
            Ok(())
        })
    }
}

impl ReturnedType {
    /// The type that an item becomes.
    fn read_as(&self) -> &Path {
        self.projection.as_ref().unwrap_or(&self.entity)
    }

    /// Its name, as the variant of an item is called.
    fn name(&self) -> Option<&Ident> {
        self.read_as().segments.last().map(|segment| &segment.ident)
    }
}

fn read_consistency(word: &Ident) -> Result<Option<Span>> {
    match word.to_string().as_str() {
        "strong" => Ok(Some(word.span())),
        "eventual" => Ok(None),
        _ => Err(Error::new(word.span(), format!("a read is `strong` or `eventual`, not `{word}`"))),
    }
}

fn missing(input: &DeriveInput, option: &str, advice: &str) -> Error {
    Error::new(place(input), format!("`{}` has no `{option}`: {advice}", input.ident.unraw()))
}
