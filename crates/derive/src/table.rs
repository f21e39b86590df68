//! `#[derive(Table)]`: a struct as a table, with its indexes as types.

mod index;
mod output;
mod tenancy;

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::{DeriveInput, Error, Ident, LitChar, LitStr, Path, Result, Visibility};

use crate::key_path::KeyPath;
use crate::nearest::nearest;
use crate::option::{self, Faults, Options};
use crate::structure::{Role, place, refuse_fields};
use index::IndexDeclaration;
pub(crate) use output::pattern_shapes;
use tenancy::Tenant;

const OPTIONS: Options = Options {
    owner: "table",
    once: &[
        "tenant",
        "partition_key",
        "sort_key",
        "entities",
        "patterns",
        "ttl",
        "stream",
        "discriminator",
        "delimiter",
        "timestamp",
        "letter_case",
        "crate",
    ],
    repeated: &["index"],
};

/// Everything that the attributes say, checked for its form.
struct Table<'a> {
    ident: &'a Ident,
    visibility: &'a Visibility,
    key: KeyPath,
    partition_key: Option<LitStr>,
    sort_key: Option<LitStr>,
    tenant: Option<Tenant>,
    entities: Vec<Path>,
    patterns: Vec<Path>,
    indexes: Vec<IndexDeclaration>,
    time_to_live: Option<LitStr>,
    /// The variant of the key crate's `StreamView`.
    stream: Option<Ident>,
    discriminator: Option<LitStr>,
    delimiter: Option<LitChar>,
    /// The variant of the key crate's `TimestampFormat`.
    timestamp: Option<Ident>,
    /// The variant of the key crate's `LetterCase`.
    letter_case: Option<Ident>,
}

/// The implementations and rules of a table; on a fault of an attribute, the fault.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut table = Table {
        ident: &input.ident,
        visibility: &input.vis,
        key: KeyPath::default(),
        partition_key: None,
        sort_key: None,
        tenant: None,
        entities: Vec::new(),
        patterns: Vec::new(),
        indexes: Vec::new(),
        time_to_live: None,
        stream: None,
        discriminator: None,
        delimiter: None,
        timestamp: None,
        letter_case: None,
    };
    let mut faults = Faults::default();
    faults.take(refuse_fields(input, Role::Table));
    faults.take(table.read(input));
    match faults.into_result(()) {
        Ok(()) => output::of(&table),
        Err(error) => output::stand_in(input, &table, &error),
    }
}

impl Table<'_> {
    fn read(&mut self, input: &DeriveInput) -> Result<()> {
        OPTIONS.read(&input.attrs, &mut |option, input| {
            match option.to_string().as_str() {
                "tenant" => self.tenant = Some(Tenant::read(option, input)?),
                "partition_key" => self.partition_key = Some(option::text(option, input)?),
                "sort_key" => self.sort_key = Some(option::text(option, input)?),
                "entities" => self.entities = option::list(option, input)?,
                "patterns" => self.patterns = option::list(option, input)?,
                "ttl" => self.time_to_live = Some(option::text(option, input)?),
                "stream" => self.stream = Some(one_of(STREAM_VIEWS, &option::text(option, input)?)?),
                "discriminator" => self.discriminator = Some(option::text(option, input)?),
                "delimiter" => self.delimiter = Some(read_delimiter(option::character(option, input)?)?),
                "timestamp" => self.timestamp = Some(one_of(TIMESTAMPS, &option::text(option, input)?)?),
                "letter_case" => {
                    self.letter_case = Some(one_of(LETTER_CASES, &option::text(option, input)?)?)
                }
                "index" => self.indexes.push(option::within(option, input, IndexDeclaration::read)?),
                "crate" => self.key = KeyPath::new(Some(&option::path(option, input)?)),
                other => unreachable!("the list of options has no `{other}`"),
            }
            Ok(())
        })?;
        if let Some(tenant) = &self.tenant {
            tenant.check(&self.entities)?;
        }
        if self.sort_key.is_some() && self.partition_key.is_none() {
            return Err(Error::new(
                place(input),
                format!(
                    "`{}` names its sort key and not its partition key: name both, or neither for `pk` and `sk`",
                    input.ident.unraw()
                ),
            ));
        }
        Ok(())
    }
}

const STREAM_VIEWS: &[(&str, &str)] = &[
    ("keys-only", "KeysOnly"),
    ("old-image", "OldImage"),
    ("new-image", "NewImage"),
    ("new-and-old-images", "NewAndOldImages"),
];

const TIMESTAMPS: &[(&str, &str)] = &[
    ("seconds", "Seconds"),
    ("milliseconds", "Milliseconds"),
    ("microseconds", "Microseconds"),
    ("nanoseconds", "Nanoseconds"),
    ("date", "Date"),
    ("unix-seconds", "UnixSeconds"),
    ("unix-milliseconds", "UnixMilliseconds"),
];

const LETTER_CASES: &[(&str, &str)] = &[("upper", "Upper"), ("lower", "Lower")];

/// The variant that a text names.
fn one_of(known: &[(&str, &str)], text: &LitStr) -> Result<Ident> {
    let written = text.value();
    if let Some((_, variant)) = known.iter().find(|(name, _)| *name == written) {
        return Ok(Ident::new(variant, text.span()));
    }
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let advice = match nearest(&written, &names) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!(
            "there is {}",
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        ),
    };
    Err(Error::new(text.span(), format!("there is no `{written}`: {advice}")))
}

fn read_delimiter(character: LitChar) -> Result<LitChar> {
    match keywright_key::Delimiter::new(character.value()) {
        Ok(_) => Ok(character),
        Err(error) => Err(Error::new(character.span(), error.text())),
    }
}
