//! The indexes of a table: `index(ByUser, project(role))`.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Ident, LitStr, Result, Token};

use crate::entity::snake_case;
use crate::option::{self, Name, Options};

const OPTIONS: Options = Options {
    owner: "index",
    once: &["name", "local", "partition_key", "sort_key", "project", "project_all"],
    repeated: &[],
};

/// One index of a table.
pub(super) struct IndexDeclaration {
    /// The type that is made for it.
    pub(super) ident: Ident,
    /// What the table calls it; as the type is called, if nothing is said.
    pub(super) name: Option<LitStr>,
    pub(super) keys: DeclaredKeys,
    pub(super) projection: DeclaredProjection,
}

/// What an index is keyed by.
pub(super) enum DeclaredKeys {
    /// Two attributes, or one, that entities render a template into.
    Rendered { partition_key: String, sort_key: Option<String> },
    /// The partition key of the table, and a sort key that entities render a template into.
    Local { sort_key: String },
    /// Attributes that entities have anyway.
    Attributes { partition_key: Vec<TypedName>, sort_key: Vec<TypedName> },
}

/// What an index holds beside the keys.
pub(super) enum DeclaredProjection {
    KeysOnly,
    Include(Vec<Name>),
    All { reason: LitStr },
}

/// A key attribute with what it holds: `year: number`.
pub(super) struct TypedName {
    pub(super) name: Name,
    /// The function of the key crate's `KeyAttribute` that makes it.
    pub(super) attribute_type: &'static str,
}

/// A part of a key: one name for a rendered attribute, or a list of the entities' own.
enum Part {
    Rendered(LitStr),
    Attributes(Ident, Vec<TypedName>),
}

impl Parse for TypedName {
    fn parse(input: ParseStream<'_>) -> Result<TypedName> {
        let name: Name = input.parse()?;
        if !input.peek(Token![:]) {
            return Ok(TypedName { name, attribute_type: "string" });
        }
        input.parse::<Token![:]>()?;
        let word: Ident = input.call(Ident::parse_any)?;
        let attribute_type = match word.to_string().as_str() {
            "string" => "string",
            "number" => "number",
            "binary" => "binary",
            _ => {
                return Err(Error::new(
                    word.span(),
                    format!("a key attribute is a `string`, a `number` or `binary`, not `{word}`"),
                ));
            }
        };
        Ok(TypedName { name, attribute_type })
    }
}

impl IndexDeclaration {
    /// Reads what stands between the parentheses.
    pub(super) fn read(input: ParseStream<'_>) -> Result<IndexDeclaration> {
        let ident: Ident = input.parse().map_err(|_| {
            input.error("here the name of the index is expected: a type of that name is made for it")
        })?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        let (mut name, mut local, mut partition_key, mut sort_key) = (None, None, None, None);
        let (mut project, mut project_all) = (None, None);
        OPTIONS.read_list(input, &mut Vec::new(), &mut |option, input| {
            match option.to_string().as_str() {
                "name" => name = Some(option::text(option, input)?),
                "local" => local = Some(option.span()),
                "partition_key" => partition_key = Some(read_part(option, input)?),
                "sort_key" => sort_key = Some(read_part(option, input)?),
                "project" => project = Some((option.span(), option::list::<Name>(option, input)?)),
                "project_all" => project_all = Some(option::text(option, input)?),
                other => unreachable!("the list of options has no `{other}`"),
            }
            Ok(())
        })?;
        let projection = match (project, project_all) {
            (Some((span, _)), Some(_)) => {
                return Err(Error::new(
                    span,
                    "`project_all` projects everything already: keep one of the two",
                ));
            }
            (Some((_, names)), None) => DeclaredProjection::Include(names),
            (None, Some(reason)) => DeclaredProjection::All { reason },
            (None, None) => DeclaredProjection::KeysOnly,
        };
        let keys = read_keys(&ident, local.is_some(), partition_key, sort_key)?;
        Ok(IndexDeclaration { ident, name, keys, projection })
    }
}

fn read_part(option: &Ident, input: ParseStream<'_>) -> Result<Part> {
    if input.peek(Token![=]) {
        return Ok(Part::Rendered(option::text(option, input)?));
    }
    if input.peek(syn::token::Paren) {
        return Ok(Part::Attributes(option.clone(), option::list(option, input)?));
    }
    Err(Error::new(
        option.span(),
        format!(
            "`{option}` takes the attribute that entities render their key into, `{option} = \"..\"`, or the attributes \
             that they have anyway, `{option}(..)`"
        ),
    ))
}

fn read_keys(
    index: &Ident,
    is_local: bool,
    partition_key: Option<Part>,
    sort_key: Option<Part>,
) -> Result<DeclaredKeys> {
    let own_name = |suffix: &str| format!("{}_{suffix}", snake_case(&index.unraw().to_string()));
    match (is_local, partition_key, sort_key) {
        (true, Some(Part::Rendered(name)), _) => Err(Error::new(
            name.span(),
            "a local index has the partition key of its table: leave `partition_key` out",
        )),
        (true, Some(Part::Attributes(option, _)), _) | (true, None, Some(Part::Attributes(option, _))) => {
            Err(Error::new(
                option.span(),
                "only a global index can be keyed by attributes: leave `local` out, or name one attribute that entities \
                 render their sort key into",
            ))
        }
        (true, None, Some(Part::Rendered(name))) => Ok(DeclaredKeys::Local { sort_key: name.value() }),
        (true, None, None) => Ok(DeclaredKeys::Local { sort_key: own_name("sk") }),
        (false, None, None) => {
            Ok(DeclaredKeys::Rendered { partition_key: own_name("pk"), sort_key: Some(own_name("sk")) })
        }
        (false, Some(Part::Rendered(name)), None) => {
            Ok(DeclaredKeys::Rendered { partition_key: name.value(), sort_key: None })
        }
        (false, Some(Part::Rendered(name)), Some(Part::Rendered(sort_key))) => {
            Ok(DeclaredKeys::Rendered { partition_key: name.value(), sort_key: Some(sort_key.value()) })
        }
        (false, Some(Part::Attributes(_, partition_key)), None) => {
            Ok(DeclaredKeys::Attributes { partition_key, sort_key: Vec::new() })
        }
        (false, Some(Part::Attributes(_, partition_key)), Some(Part::Attributes(_, sort_key))) => {
            Ok(DeclaredKeys::Attributes { partition_key, sort_key })
        }
        (false, Some(Part::Attributes(option, _)), Some(Part::Rendered(_)))
        | (false, Some(Part::Rendered(_)), Some(Part::Attributes(option, _))) => Err(Error::new(
            option.span(),
            "one part of the key is rendered and the other is made of attributes: let both be one or the other",
        )),
        (false, None, Some(Part::Rendered(name))) => Err(Error::new(
            name.span(),
            "the index names its sort key and not its partition key: name both, or neither, or say `local`",
        )),
        (false, None, Some(Part::Attributes(option, _))) => Err(Error::new(
            option.span(),
            "the index names the attributes of its sort key and not those of its partition key: add `partition_key(..)`",
        )),
    }
}
