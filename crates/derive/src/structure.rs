//! Which structs the derives take, and why not the others.

use proc_macro2::Span;
use syn::{Data, DeriveInput, Error, Field, Fields, GenericParam, Result};

/// What a derive makes of a struct, as its refusals call it.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    Table,
    Entity,
    Projection,
    Pattern,
    PatternList,
    Condition,
    Update,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Role::Table => "a table",
            Role::Entity => "an entity",
            Role::Projection => "a projection",
            Role::Pattern => "an access pattern",
            Role::PatternList => "a list of patterns",
            Role::Condition => "a condition",
            Role::Update => "an update",
        }
    }

    fn form(self) -> &'static str {
        match self {
            Role::Table | Role::PatternList => "a struct without fields, such as `struct App;`",
            Role::Entity | Role::Projection => "a struct with named fields",
            Role::Pattern | Role::Condition => "a struct whose named fields are what the caller gives",
            Role::Update => "a struct whose named fields are what changes",
        }
    }
}

/// The fields of a struct that is not generic and whose fields have names.
pub(crate) fn named_fields(input: &DeriveInput, role: Role) -> Result<Vec<&Field>> {
    refuse_generics(input, role)?;
    match &fields_of(input, role)? {
        Fields::Named(fields) => Ok(fields.named.iter().collect()),
        Fields::Unit if matches!(role, Role::Pattern | Role::Condition | Role::Update) => Ok(Vec::new()),
        Fields::Unit => Err(Error::new(
            input.ident.span(),
            format!("{} is {}: its fields are the attributes of its items", role.name(), role.form()),
        )),
        Fields::Unnamed(fields) => Err(Error::new_spanned(
            fields,
            format!(
                "{} is {}: attributes are called as the fields are, so give the fields names",
                role.name(),
                role.form()
            ),
        )),
    }
}

/// Refuses everything but a struct without fields and without generics.
pub(crate) fn refuse_fields(input: &DeriveInput, role: Role) -> Result<()> {
    refuse_generics(input, role)?;
    match fields_of(input, role)? {
        Fields::Unit => Ok(()),
        fields => Err(Error::new_spanned(
            fields,
            format!("{} is {}: it is a name, and nothing is ever stored in it", role.name(), role.form()),
        )),
    }
}

fn fields_of(input: &DeriveInput, role: Role) -> Result<&Fields> {
    match &input.data {
        Data::Struct(data) => Ok(&data.fields),
        Data::Enum(data) => Err(Error::new(
            data.enum_token.span,
            match role {
                Role::Entity => {
                    "an entity is a struct with named fields. Give each variant an entity of its own: the \
                                 table's discriminator tells their items apart"
                        .to_owned()
                }
                _ => format!("{} is {}, not an enum", role.name(), role.form()),
            },
        )),
        Data::Union(data) => {
            Err(Error::new(data.union_token.span, format!("{} is {}, not a union", role.name(), role.form())))
        }
    }
}

fn refuse_generics(input: &DeriveInput, role: Role) -> Result<()> {
    let refused = input.generics.params.first();
    let (span, what) = match refused {
        Some(GenericParam::Lifetime(lifetime)) => (
            lifetime.lifetime.apostrophe,
            "a lifetime. It outlives the request that it came from, so let it own its values: `String`, not `&str`",
        ),
        Some(GenericParam::Type(parameter)) => (
            parameter.ident.span(),
            "a type parameter. Its keys are compared with those of the others while the program is compiled, for which \
             every type must be known. Write a struct for each type",
        ),
        Some(GenericParam::Const(parameter)) => (
            parameter.ident.span(),
            "a constant parameter. Its keys are compared with those of the others while the program is compiled, for \
             which every value must be known. Write a struct for each value",
        ),
        None => match &input.generics.where_clause {
            Some(clause) => (clause.where_token.span, "a `where` clause, since it is not generic"),
            None => return Ok(()),
        },
    };
    Err(Error::new(span, format!("{} cannot have {what}", role.name())))
}

/// The place of the struct's name.
pub(crate) fn place(input: &DeriveInput) -> Span {
    input.ident.span()
}
