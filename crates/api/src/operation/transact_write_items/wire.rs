//! The members of a TransactWriteItems as they were sent, and their checks.

use keywright_expression::{DeclaredPlaceholders, ExpressionKind};
use keywright_item::Item;
use keywright_item::json::{Checked, ObjectType, Reader, SerializationError};

use super::fingerprint::{ActionText, RequestFingerprint};
use super::{ClientRequest, TransactAction, TransactWrite, TransactWriteItemsInput};
use crate::constraint::Constraints;
use crate::operation::item_write::{ON_CONDITION_FAILURE, parse_condition, parse_update};
use crate::operation::put_item::check_size;
use crate::operation::transaction::{MAX_TRANSACTION_BYTES, Members, check_members};
use crate::parameters::Parameters;
use crate::wire::{
    RETURN_CONSUMED_CAPACITY, RETURN_ITEM_COLLECTION_METRICS, read_body, read_names, read_values,
};
use crate::{ReturnValuesOnConditionCheckFailure, TableName, Validation};

const MEMBER: &str = "TransactWriteItem";

const LONGEST_TOKEN: usize = 36;

/// The members as they were sent.
#[derive(Default)]
pub(super) struct Wire {
    transact_items: Option<Members<MemberWire>>,
    client_request_token: Option<String>,
    return_consumed_capacity: Option<String>,
    return_item_collection_metrics: Option<String>,
}

/// A member: its actions, of which there should be one.
#[derive(Debug, Default)]
struct MemberWire {
    actions: Vec<ActionWire>,
}

/// An action as it was sent.
#[derive(Debug)]
struct ActionWire {
    kind: Kind,
    table_name: Option<String>,
    attributes: Option<Checked<Item>>,
    condition_expression: Option<String>,
    update_expression: Option<String>,
    placeholders: DeclaredPlaceholders,
    on_condition_failure: Option<String>,
}

/// The kind of an action, as the member's name says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    ConditionCheck,
    Put,
    Delete,
    Update,
}

/// What is left of an action after the constraints.
struct Constrained {
    kind: Kind,
    table_name: TableName,
    attributes: Checked<Item>,
    condition_expression: Option<String>,
    update_expression: Option<String>,
    placeholders: DeclaredPlaceholders,
    on_condition_failure: ReturnValuesOnConditionCheckFailure,
}

impl Wire {
    pub(super) fn read(body: &[u8]) -> Result<Self, SerializationError> {
        let mut wire = Self::default();
        read_body(body, |name, reader| {
            match name {
                "TransactItems" => {
                    wire.transact_items = Members::read(reader, MEMBER, MemberWire::read_action)?;
                }
                "ClientRequestToken" => wire.client_request_token = reader.optional(Reader::string)?,
                "ReturnConsumedCapacity" => {
                    wire.return_consumed_capacity = reader.optional(Reader::string)?;
                }
                "ReturnItemCollectionMetrics" => {
                    wire.return_item_collection_metrics = reader.optional(Reader::string)?;
                }
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(wire)
    }

    pub(super) fn check(self) -> Result<TransactWriteItemsInput, Validation> {
        let mut constraints = Constraints::default();
        if let Some(token) = &self.client_request_token {
            constraints.text_length("clientRequestToken", token, 1, LONGEST_TOKEN);
        }
        let return_consumed_capacity = constraints.one_of(
            "returnConsumedCapacity",
            self.return_consumed_capacity.as_deref(),
            &RETURN_CONSUMED_CAPACITY,
        );
        let return_item_collection_metrics = constraints.one_of(
            "returnItemCollectionMetrics",
            self.return_item_collection_metrics.as_deref(),
            &RETURN_ITEM_COLLECTION_METRICS,
        );
        let members =
            check_members(self.transact_items, MEMBER, &mut constraints, MemberWire::check_constraints);
        constraints.check()?;

        let actions = members.into_iter().map(only_action).collect::<Result<Vec<_>, Validation>>()?;
        let mut fingerprint = RequestFingerprint::default();
        let actions = actions
            .into_iter()
            .map(|action| action.check(&mut fingerprint))
            .collect::<Result<Vec<_>, Validation>>()?;
        if put_bytes(&actions) > MAX_TRANSACTION_BYTES {
            return Err(Validation::TransactionTooLarge);
        }
        Ok(TransactWriteItemsInput {
            actions,
            client_request: self.client_request_token.map(|token| ClientRequest { token, fingerprint }),
            return_consumed_capacity: return_consumed_capacity.unwrap_or_default(),
            return_item_collection_metrics: return_item_collection_metrics.unwrap_or_default(),
        })
    }
}

fn only_action(actions: Vec<Constrained>) -> Result<Constrained, Validation> {
    let mut actions = actions.into_iter();
    match (actions.next(), actions.next()) {
        (Some(action), None) => Ok(action),
        (None, _) => Err(Validation::NoTransactionAction),
        (Some(_), Some(_)) => Err(Validation::SeveralTransactionActions),
    }
}

/// The bytes of what is known to be written.
fn put_bytes(actions: &[TransactWrite]) -> usize {
    let size_bytes = |action: &TransactWrite| match &action.action {
        TransactAction::Put(item) => item.size_bytes(),
        TransactAction::Update { .. } | TransactAction::Delete(_) | TransactAction::ConditionCheck(_) => 0,
    };
    actions.iter().map(size_bytes).sum()
}

impl MemberWire {
    fn read_action(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<(), SerializationError> {
        let Some(kind) = Kind::named(name) else { return reader.skip() };
        let action = reader.optional(|reader| ActionWire::read(kind, reader))?;
        self.actions.retain(|action| action.kind != kind);
        self.actions.extend(action);
        Ok(())
    }

    fn check_constraints(self, path: &str, constraints: &mut Constraints) -> Option<Vec<Constrained>> {
        Some(
            self.actions
                .into_iter()
                .filter_map(|action| action.check_constraints(path, constraints))
                .collect(),
        )
    }
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "ConditionCheck" => Self::ConditionCheck,
            "Put" => Self::Put,
            "Delete" => Self::Delete,
            "Update" => Self::Update,
            _ => return None,
        })
    }

    const fn name(self) -> &'static str {
        match self {
            Self::ConditionCheck => "ConditionCheck",
            Self::Put => "Put",
            Self::Delete => "Delete",
            Self::Update => "Update",
        }
    }

    /// How the service names the member in its list of constraints.
    const fn path(self) -> &'static str {
        match self {
            Self::ConditionCheck => "conditionCheck",
            Self::Put => "put",
            Self::Delete => "delete",
            Self::Update => "update",
        }
    }

    const fn parameters(self) -> Parameters {
        const CONDITION: &[&str] = &["ConditionExpression"];
        const UPDATE: &[&str] = &["UpdateExpression", "ConditionExpression"];
        let expressions = match self {
            Self::Update => UPDATE,
            Self::ConditionCheck | Self::Put | Self::Delete => CONDITION,
        };
        Parameters { expressions, using_values: expressions, legacy: &[] }
    }
}

impl ActionWire {
    fn read(kind: Kind, reader: &mut Reader<'_>) -> Result<Self, SerializationError> {
        let mut action = Self {
            kind,
            table_name: None,
            attributes: None,
            condition_expression: None,
            update_expression: None,
            placeholders: DeclaredPlaceholders::default(),
            on_condition_failure: None,
        };
        let attributes = if kind == Kind::Put { "Item" } else { "Key" };
        reader.object(ObjectType::Structure(kind.name()), |name, reader| {
            match name {
                "TableName" => action.table_name = reader.optional(Reader::string)?,
                "ConditionExpression" => action.condition_expression = reader.optional(Reader::string)?,
                "UpdateExpression" if kind == Kind::Update => {
                    action.update_expression = reader.optional(Reader::string)?;
                }
                "ExpressionAttributeNames" => read_names(reader, &mut action.placeholders)?,
                "ExpressionAttributeValues" => read_values(reader, &mut action.placeholders)?,
                "ReturnValuesOnConditionCheckFailure" => {
                    action.on_condition_failure = reader.optional(Reader::string)?;
                }
                name if name == attributes => action.attributes = reader.optional(Reader::attribute_map)?,
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(action)
    }

    fn check_constraints(self, member: &str, constraints: &mut Constraints) -> Option<Constrained> {
        let path = |name: &str| format!("{member}.{}.{name}", self.kind.path());
        let attributes_path = path(if self.kind == Kind::Put { "item" } else { "key" });
        let attributes = constraints.required(&attributes_path, self.attributes);
        let table_name = constraints.table_name_at(&path("tableName"), self.table_name);
        if self.kind == Kind::ConditionCheck {
            constraints.required(&path("conditionExpression"), self.condition_expression.as_ref());
        }
        if self.kind == Kind::Update {
            constraints.required(&path("updateExpression"), self.update_expression.as_ref());
        }
        let on_condition_failure = constraints.one_of(
            &path("returnValuesOnConditionCheckFailure"),
            self.on_condition_failure.as_deref(),
            &ON_CONDITION_FAILURE,
        );
        Some(Constrained {
            kind: self.kind,
            table_name: table_name?,
            attributes: attributes?,
            condition_expression: self.condition_expression,
            update_expression: self.update_expression,
            placeholders: self.placeholders,
            on_condition_failure: on_condition_failure.unwrap_or_default(),
        })
    }
}

impl Constrained {
    fn has(&self, member: &str) -> bool {
        match member {
            "ConditionExpression" => self.condition_expression.is_some(),
            "UpdateExpression" => self.update_expression.is_some(),
            other => unreachable!("no action lists {other}"),
        }
    }

    /// Checks the action, and adds it to the fingerprint of the request.
    fn check(self, fingerprint: &mut RequestFingerprint) -> Result<TransactWrite, Validation> {
        self.kind.parameters().check(|member| self.has(member), &self.placeholders)?;
        let attributes = self.attributes?;
        if self.kind == Kind::Put {
            check_size(&attributes)?;
        }
        let placeholders = self.placeholders.check()?;
        let update = parse_update(self.update_expression.as_deref(), &placeholders)?;
        let condition =
            parse_condition(self.condition_expression.as_deref(), ExpressionKind::Condition, &placeholders)?;
        placeholders.check_all_used()?;
        *fingerprint = fingerprint.and(&ActionText {
            kind: self.kind.name(),
            table_name: &self.table_name,
            attributes: &attributes,
            update: self.update_expression.as_deref(),
            condition: self.condition_expression.as_deref(),
            placeholders: &placeholders,
            on_condition_failure: self.on_condition_failure,
        });
        let action = match (self.kind, update) {
            (Kind::Put, _) => TransactAction::Put(attributes),
            (Kind::Delete, _) => TransactAction::Delete(attributes),
            (Kind::ConditionCheck, _) => TransactAction::ConditionCheck(attributes),
            (Kind::Update, Some(update)) => TransactAction::Update { key: attributes, update },
            (Kind::Update, None) => unreachable!("the constraints require the update expression"),
        };
        Ok(TransactWrite {
            table_name: self.table_name,
            action,
            condition,
            on_condition_failure: self.on_condition_failure,
        })
    }
}
