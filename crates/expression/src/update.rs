//! Updates: text → parsed → bound → applied to an item.

mod apply;
mod bind;

use std::fmt;
use std::sync::Arc;

use keywright_item::{AttributeValue, Item, NumberError};

use crate::document::Attributes;
use crate::parser::parse_update;
use crate::path::Path;
use crate::placeholders::Placeholders;
use crate::projection::Projection;
use crate::refusal::Refusal;
use crate::syntax::{ParsedAction, SetValue};

const MEMBER: &str = "UpdateExpression";

/// The text of an `UpdateExpression`, parsed.
///
/// ```
/// use keywright_expression::{DeclaredPlaceholders, UpdateExpression};
/// use keywright_item::{AttributeValue, Item, Number};
///
/// let mut declared = DeclaredPlaceholders::default();
/// declared.declare_value(":one", Ok(AttributeValue::N(Number::from(1_i64))));
/// declared.declare_value(":zero", Ok(AttributeValue::N(Number::ZERO)));
/// let placeholders = declared.check()?;
///
/// let update = UpdateExpression::parse("SET visits = if_not_exists(visits, :zero) + :one")?.bind(&placeholders)?;
/// placeholders.check_all_used()?;
///
/// let key: Item = [("pk".to_owned(), AttributeValue::S("ORG#1".to_owned()))].into_iter().collect();
/// let first = update.apply(None, &key)?.item;
/// let second = update.apply(Some(&first), &key)?;
/// assert_eq!(second.item.get("visits"), Some(&AttributeValue::N(Number::from(2_i64))));
/// assert_eq!(second.old_image().get("visits"), Some(&AttributeValue::N(Number::from(1_i64))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateExpression<'text> {
    actions: Vec<ParsedAction<'text>>,
}

/// Changes to an item, with every placeholder replaced; no two touch the same path.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    actions: Vec<Action>,
    origin: Origin,
}

/// Which member of a request an update comes from. It decides the text for a value of a wrong type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Expression,
    AttributeUpdates,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Action {
    pub(crate) target: Path,
    pub(crate) change: Change,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    Set(SetValue<Operand>),
    Remove,
    /// Adds a number, members of a set, or (of `AttributeUpdates`) elements of a list.
    Add(Arc<AttributeValue>),
    /// Takes members out of a set.
    Delete(Arc<AttributeValue>),
}

/// An operand of SET; it reads the item as it was before the update.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operand {
    Path(Path),
    /// Shared by all operands that the placeholder stands for.
    Value(Arc<AttributeValue>),
    IfNotExists(Path, Box<Operand>),
    ListAppend(Box<Operand>, Box<Operand>),
}

/// An item after an update.
#[derive(Debug, Clone, PartialEq)]
pub struct Updated<'update> {
    /// The item.
    pub item: Item,
    update: &'update Update,
    before: Option<&'update Item>,
}

/// Why an update does not fit an item. `Display` is the service's text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UpdateRefusal {
    /// A path goes through what is no map or list, or does not exist.
    InvalidPath,
    /// An operand reads an attribute that does not exist.
    MissingAttribute,
    /// An operand has a type that its operation does not take.
    OperandType,
    /// The same, in the legacy `AttributeUpdates`.
    LegacyTypeMismatch,
    /// A sum or difference is no number that an attribute can hold.
    Number(NumberError),
    /// A value would lie more than 32 levels deep.
    TooDeep,
    /// The values that it sets are larger than any item.
    TooLarge,
}

impl<'text> UpdateExpression<'text> {
    /// Parses the text and checks all of it that needs no placeholders.
    pub fn parse(text: &'text str) -> Result<Self, Refusal> {
        let actions = parse_update(text).map_err(|fault| Refusal::new(MEMBER, fault))?;
        Ok(Self { actions })
    }

    /// Replaces the placeholders, checks the operands, and refuses paths that overlap.
    ///
    /// Of several faults the service names the first undefined name, else the first undefined value, else paths that
    /// overlap, else paths that conflict, else a value that ADD or DELETE does not take, else the first call or sum
    /// with wrong operands.
    pub fn bind(&self, placeholders: &Placeholders) -> Result<Update, Refusal> {
        let actions =
            bind::bind(&self.actions, placeholders).map_err(|fault| Refusal { member: MEMBER, fault })?;
        Ok(Update { actions, origin: Origin::Expression })
    }
}

impl Update {
    pub(crate) const fn new(actions: Vec<Action>, origin: Origin) -> Self {
        Self { actions, origin }
    }

    /// The names of the attributes of the item that the update changes or changes something in, in the order of the
    /// text; one that occurs twice comes twice.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.actions.iter().map(|action| action.target.attribute.as_str())
    }

    /// The names of the attributes that the update looks into with a path of several steps, be it to change or to read
    /// something there, in the order of the text.
    pub fn nested_attributes(&self) -> impl Iterator<Item = &str> {
        let mut paths = Vec::new();
        for action in &self.actions {
            paths.push(&action.target);
            if let Change::Set(value) = &action.change {
                value.operands().for_each(|operand| operand.collect_paths(&mut paths));
            }
        }
        paths.into_iter().filter(|path| !path.steps.is_empty()).map(|path| path.attribute.as_str())
    }

    /// The attributes that the update sets as a whole to a value whose type is known without the item, with that type as
    /// on the wire, in the order of the text. So is the type of a sum (`N`) and of joined lists (`L`).
    pub fn known_types(&self) -> impl Iterator<Item = (&str, &'static str)> {
        let whole = self.actions.iter().filter(|action| action.target.steps.is_empty());
        whole.filter_map(|action| {
            let type_name = match &action.change {
                Change::Set(SetValue::Operand(operand)) => operand.known_type()?,
                Change::Set(SetValue::Sum(..) | SetValue::Difference(..)) => "N",
                Change::Add(value) | Change::Delete(value) => value.type_name(),
                Change::Remove => return None,
            };
            Some((action.target.attribute.as_str(), type_name))
        })
    }

    /// The attributes that the update sets as a whole to a value of the request, with that value.
    pub fn set_values(&self) -> impl Iterator<Item = (&str, &AttributeValue)> {
        let whole = self.actions.iter().filter(|action| action.target.steps.is_empty());
        whole.filter_map(|action| match &action.change {
            Change::Set(SetValue::Operand(Operand::Value(value))) => {
                Some((action.target.attribute.as_str(), value.as_ref()))
            }
            _ => None,
        })
    }

    /// Applies the update: to the item, or where there is none, to an item of the key's attributes.
    ///
    /// Every operand reads the item as it was before the update, and every index of a list counts its elements as they
    /// were; an element that is set beyond the end is appended.
    ///
    /// # Errors
    /// [`UpdateRefusal`]: of several, that of the first operand in the order of the text, else that of the first target.
    pub fn apply<'update>(
        &'update self,
        before: Option<&'update Item>,
        key: &Item,
    ) -> Result<Updated<'update>, UpdateRefusal> {
        let item = apply::apply(self, before.unwrap_or(key))?;
        Ok(Updated { item, update: self, before })
    }
}

impl Updated<'_> {
    /// What the update touched, as it was before: `UPDATED_OLD`. Of a map or list only the touched parts are there.
    #[must_use]
    pub fn old_image(&self) -> Item {
        self.before.map_or_else(Item::new, |before| touched(&self.update.actions, before))
    }

    /// What the update set, as it is now: `UPDATED_NEW`. Paths count the elements of a list as they are now, as the
    /// service does: of an element that was set far beyond the end there is nothing.
    #[must_use]
    pub fn new_image(&self) -> Item {
        touched(self.update.actions.iter().filter(|action| action.change != Change::Remove), &self.item)
    }
}

fn touched<'update>(actions: impl IntoIterator<Item = &'update Action>, item: &Item) -> Item {
    let paths: Vec<&Path> = actions.into_iter().map(|action| &action.target).collect();
    Projection::of(&paths).take(Attributes::Decoded(item))
}

impl Operand {
    /// The type as on the wire; of `if_not_exists` that of its second operand, as the service has it.
    fn known_type(&self) -> Option<&'static str> {
        match self {
            Self::Path(_) => None,
            Self::Value(value) => Some(value.type_name()),
            Self::IfNotExists(_, otherwise) => otherwise.known_type(),
            Self::ListAppend(..) => Some("L"),
        }
    }

    fn collect_paths<'operand>(&'operand self, paths: &mut Vec<&'operand Path>) {
        match self {
            Self::Path(path) => paths.push(path),
            Self::Value(_) => {}
            Self::IfNotExists(path, otherwise) => {
                paths.push(path);
                otherwise.collect_paths(paths);
            }
            Self::ListAppend(first, second) => {
                first.collect_paths(paths);
                second.collect_paths(paths);
            }
        }
    }
}

impl fmt::Display for UpdateRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidPath => formatter
                .write_str("The document path provided in the update expression is invalid for update"),
            Self::MissingAttribute => formatter
                .write_str("The provided expression refers to an attribute that does not exist in the item"),
            Self::OperandType => {
                formatter.write_str("An operand in the update expression has an incorrect data type")
            }
            Self::LegacyTypeMismatch => formatter.write_str("Type mismatch for attribute to update"),
            Self::Number(error) => error.fmt(formatter),
            Self::TooLarge => formatter.write_str("Item size to update has exceeded the maximum allowed size"),
            Self::TooDeep => formatter.write_str(
                "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond \
                 supported limit",
            ),
        }
    }
}

impl std::error::Error for UpdateRefusal {}
