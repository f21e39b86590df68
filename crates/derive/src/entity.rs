//! `#[derive(Entity)]`: a struct as one kind of item.

mod index;
mod managed;
mod output;
mod purpose;
mod reservation;
mod sharding;

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt;
use syn::{DeriveInput, Error, Ident, LitInt, LitStr, Path, Result};

use crate::key_path::KeyPath;
use crate::option::{self, Faults, Options};
use crate::stored_field::{StoredFields, stored_fields};
use crate::structure::{Role, named_fields, place};
use crate::template::Template;
use index::IndexEntry;
use managed::ManagedFields;
pub(crate) use output::{last_span, of_this_table};
use purpose::Purpose;

const OPTIONS: Options = Options {
    owner: "entity",
    once: &[
        "table",
        "partition_key",
        "sort_key",
        "discriminator",
        "shards",
        "earlier_shards",
        "deviation",
        "purpose",
        "count",
        "ttl",
        "unique",
        "reservation_of",
        "crate",
    ],
    repeated: &["index"],
};

/// Everything that the attributes say, checked for its form.
struct Entity<'a> {
    ident: &'a Ident,
    key: KeyPath,
    table: Path,
    discriminator: String,
    keys: Keys,
    deviation: Option<LitStr>,
    indexes: Vec<IndexEntry>,
    fields: StoredFields<'a>,
    /// The fields that the data layer looks at or writes itself.
    managed: ManagedFields,
    /// What it is there for, if that is not data.
    purpose: Option<Purpose>,
    /// The reservations that its items have.
    unique: Vec<Path>,
    /// The entity whose reservation it is.
    reservation_of: Option<Path>,
}

/// The templates of one key.
struct Keys {
    partition_key: Template,
    sort_key: Option<Template>,
    shards: Shards,
}

/// The numbers of shards of one key.
#[derive(Default)]
struct Shards {
    count: Option<LitInt>,
    earlier: Vec<LitInt>,
}

/// The implementations and rules of an entity; on a fault of an attribute, the fault.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut given = Given::default();
    match Entity::read(input, &mut given) {
        Ok(entity) => output::of(&entity),
        Err(error) => output::stand_in(input, &given, &error),
    }
}

/// The options as they were given.
#[derive(Default)]
struct Given {
    table: Option<Path>,
    crate_path: Option<Path>,
    partition_key: Option<LitStr>,
    sort_key: Option<LitStr>,
    discriminator: Option<LitStr>,
    deviation: Option<LitStr>,
    shards: Shards,
    indexes: Vec<IndexEntry>,
    purpose: purpose::Said,
    unique: Vec<Path>,
    reservation_of: Option<Path>,
}

impl<'a> Entity<'a> {
    fn read(input: &'a DeriveInput, given: &mut Given) -> Result<Entity<'a>> {
        let mut faults = Faults::default();
        faults.take(given.read(input));
        let fields = faults.take(named_fields(input, Role::Entity));
        let fields = fields.and_then(|fields| faults.take(stored_fields(&input.attrs, &fields)));
        if let Some(fields) = &fields {
            faults.take(fields.refuse_in_keys(|name| given.names(name)));
        }
        let mut managed = ManagedFields::default();
        if let Some(fields) = &fields {
            faults.take(managed.read(fields, |name| given.names(name)));
        }
        let purpose = faults.take(Purpose::read(&given.purpose, &managed)).flatten();
        let (table, partition_key, fields) =
            match (given.table.clone(), given.partition_key.clone(), fields, faults.into_result(())) {
                (Some(table), Some(partition_key), Some(fields), Ok(())) => (table, partition_key, fields),
                (_, _, _, Err(error)) => return Err(error),
                (None, ..) => {
                    return Err(missing(
                        input,
                        "table",
                        "say in which table the entity is stored: `table = App`",
                    ));
                }
                (_, _, _, Ok(())) => {
                    return Err(missing(
                        input,
                        "partition_key",
                        "give the template of its partition key: `partition_key = \"ORG#{organization_id}\"`",
                    ));
                }
            };
        let name = input.ident.unraw().to_string();
        Ok(Entity {
            ident: &input.ident,
            key: KeyPath::new(given.crate_path.as_ref()),
            table,
            discriminator: given.discriminator.as_ref().map_or_else(|| snake_case(&name), LitStr::value),
            keys: Keys {
                partition_key: Template { literal: partition_key },
                sort_key: given.sort_key.clone().map(|literal| Template { literal }),
                shards: std::mem::take(&mut given.shards),
            },
            deviation: given.deviation.clone(),
            indexes: std::mem::take(&mut given.indexes),
            fields,
            managed,
            purpose,
            unique: std::mem::take(&mut given.unique),
            reservation_of: given.reservation_of.clone(),
        })
    }

    /// Whether some key is rendered from the attribute.
    fn is_in_key(&self, name: &str) -> bool {
        self.keys.names(name) || self.indexes.iter().any(|index| index.names(name))
    }

    /// The attribute that says when an item expires, and where that is said.
    fn time_to_live(&self) -> Option<(&str, Span)> {
        let of_field = self.managed.time_to_live.as_ref().map(|(name, span)| (name.as_str(), *span));
        let of_purpose = self.purpose.as_ref().and_then(|purpose| purpose.time_to_live.as_ref());
        of_field.or(of_purpose.map(|attribute| (attribute.name.as_str(), attribute.span)))
    }

    /// Whether it is in an index that is keyed by attributes, which only the table names.
    fn has_attribute_index(&self) -> bool {
        self.indexes.iter().any(IndexEntry::is_of_attributes)
    }
}

impl Keys {
    fn is_sharded(&self) -> bool {
        self.shards.count.is_some() || !self.shards.earlier.is_empty()
    }

    fn names(&self, name: &str) -> bool {
        self.partition_key.names(name) || self.sort_key.as_ref().is_some_and(|template| template.names(name))
    }
}

impl Given {
    fn read(&mut self, input: &DeriveInput) -> Result<()> {
        OPTIONS.read(&input.attrs, &mut |option, input| {
            match option.to_string().as_str() {
                "table" => self.table = Some(option::path(option, input)?),
                "partition_key" => self.partition_key = Some(option::text(option, input)?),
                "sort_key" => self.sort_key = Some(option::text(option, input)?),
                "discriminator" => self.discriminator = Some(option::text(option, input)?),
                "deviation" => self.deviation = Some(option::text(option, input)?),
                "purpose" => self.purpose.purpose = Some(option::text(option, input)?),
                "count" => self.purpose.count = Some(option::text(option, input)?),
                "ttl" => self.purpose.time_to_live = Some(option::text(option, input)?),
                "shards" => self.shards.count = Some(read_shards(option::number(option, input)?)?),
                "earlier_shards" => self.shards.earlier = read_earlier(option::list(option, input)?)?,
                "index" => self.indexes.push(option::within(option, input, IndexEntry::read)?),
                "unique" => self.unique = option::list(option, input)?,
                "reservation_of" => self.reservation_of = Some(option::path(option, input)?),
                "crate" => self.crate_path = Some(option::path(option, input)?),
                other => unreachable!("the list of options has no `{other}`"),
            }
            Ok(())
        })
    }

    fn names(&self, name: &str) -> bool {
        [&self.partition_key, &self.sort_key]
            .into_iter()
            .flatten()
            .any(|literal| Template { literal: literal.clone() }.names(name))
            || self.indexes.iter().any(|index| index.names(name))
    }
}

impl Shards {
    /// Whether items are spread, now or earlier. A number that cannot be read was refused before.
    fn spread(&self) -> bool {
        let mut numbers = self.count.iter().chain(&self.earlier);
        numbers.any(|number| number.base10_parse::<u16>().is_ok_and(|number| number > 1))
    }
}

/// A number of shards, from 1 to the most there can be.
fn read_shards(number: LitInt) -> Result<LitInt> {
    match number.base10_parse::<u16>().map(keywright_key::Shards::new) {
        Ok(Ok(_)) => Ok(number),
        _ => Err(Error::new(number.span(), keywright_key::InvalidShards::Count.text())),
    }
}

fn read_earlier(numbers: Vec<LitInt>) -> Result<Vec<LitInt>> {
    numbers.into_iter().map(read_shards).collect()
}

fn missing(input: &DeriveInput, option: &str, advice: &str) -> Error {
    Error::new(place(input), format!("`{}` has no `{option}`: {advice}", input.ident.unraw()))
}

/// `TeamMember` is stored as `team_member`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let characters: Vec<char> = name.chars().collect();
    for (place, character) in characters.iter().enumerate() {
        let begins_word = character.is_uppercase()
            && place > 0
            && (characters.get(place - 1).is_some_and(|before| !before.is_uppercase() && *before != '_')
                || characters.get(place - 1).is_some_and(|before| before.is_uppercase())
                    && characters.get(place + 1).is_some_and(|after| after.is_lowercase()));
        if begins_word {
            snake.push('_');
        }
        snake.extend(character.to_lowercase());
    }
    snake
}
