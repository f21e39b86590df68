//! What the rules see of a call: its operation, and of each of its members table, index and partition key.

use std::sync::Arc;

use keywright_api::{IndexName, Operation, Request, TableName, TransactAction, WriteRequest};
use keywright_expression::{Comparison, KeyCondition};
use keywright_item::{AttributeValue, Item};

use super::check::CheckedRule;
use super::rule::Fault;
use crate::catalog::Catalog;
use crate::clock::Timestamp;
use crate::index::Index;
use crate::table::Table;

/// A call that is not refused.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) operation: Operation,
    /// In the order of the request; of a call that is no batch or transaction, one. ListTables has none.
    pub(super) members: Vec<Member>,
    /// Whether it is a transaction with a client request token.
    pub(super) has_token: bool,
}

/// What a member of a call reads or writes.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: TableName,
    /// `None` for a table that is only created.
    pub(super) table: Option<Arc<Table>>,
    /// The index that it reads.
    pub(super) index: Option<IndexName>,
    /// The value of the partition key, in bytes: text as UTF-8, a number as it is written.
    pub(super) key: Option<Vec<u8>>,
}

impl Call {
    pub(super) fn of(request: &Request, catalog: &Catalog, now: Timestamp) -> Call {
        let tables = Tables { catalog, now };
        let mut has_token = false;
        let members = match request {
            Request::CreateTable(input) => vec![tables.member(&input.table_name, None)],
            Request::DescribeTable(input) => vec![tables.member(&input.table_name, None)],
            Request::UpdateTable(input) => vec![tables.member(&input.table_name, None)],
            Request::DeleteTable(input) => vec![tables.member(&input.table_name, None)],
            Request::ListTables(_) => Vec::new(),
            Request::PutItem(input) => vec![tables.member(&input.table_name, Some(&input.item))],
            Request::GetItem(input) => vec![tables.member(&input.table_name, Some(&input.key))],
            Request::UpdateItem(input) => vec![tables.member(&input.table_name, Some(&input.key))],
            Request::DeleteItem(input) => vec![tables.member(&input.table_name, Some(&input.key))],
            Request::Scan(input) => {
                vec![Member { index: input.index_name.clone(), ..tables.member(&input.table_name, None) }]
            }
            Request::Query(input) => {
                let member = tables.member(&input.table_name, None);
                let key = queried_key(&member, input.index_name.as_ref(), &input.key_condition);
                vec![Member { index: input.index_name.clone(), key, ..member }]
            }
            Request::BatchGetItem(input) => {
                let reads = |(name, keys): (&TableName, &Vec<Item>)| {
                    keys.iter().map(|key| tables.member(name, Some(key))).collect::<Vec<Member>>()
                };
                input.tables.iter().map(|table| (&table.table_name, &table.keys)).flat_map(reads).collect()
            }
            Request::BatchWriteItem(input) => {
                let writes = |(name, writes): &(TableName, Vec<WriteRequest>)| {
                    writes
                        .iter()
                        .map(|write| match write {
                            WriteRequest::Put(attributes) | WriteRequest::Delete(attributes) => {
                                tables.member(name, Some(attributes))
                            }
                        })
                        .collect::<Vec<Member>>()
                };
                input.tables.iter().flat_map(writes).collect()
            }
            Request::TransactGetItems(input) => {
                input.gets.iter().map(|get| tables.member(&get.table_name, Some(&get.key))).collect()
            }
            Request::TransactWriteItems(input) => {
                has_token = input.client_request.is_some();
                let actions = input.actions.iter();
                actions
                    .map(|action| tables.member(&action.table_name, Some(key_attributes(&action.action))))
                    .collect()
            }
        };
        Call { operation: request.operation(), members, has_token }
    }

    /// Its members that a rule looks at; `None` when the rule does not look at the call.
    pub(super) fn seen_by(&self, rule: &CheckedRule) -> Option<Vec<usize>> {
        let is_token_missing = rule.rule.fault == Fault::TransactionInProgress && !self.has_token;
        if !rule.operations.contains(&self.operation) || is_token_missing {
            return None;
        }
        let is_scoped = rule.table.is_some() || rule.index.is_some() || rule.rule.key_prefix.is_some();
        let members: Vec<usize> = self
            .members
            .iter()
            .enumerate()
            .filter(|(_, member)| member.is_seen_by(rule, self.operation))
            .map(|(place, _)| place)
            .collect();
        (!members.is_empty() || (self.members.is_empty() && !is_scoped)).then_some(members)
    }
}

impl Member {
    fn is_seen_by(&self, rule: &CheckedRule, operation: Operation) -> bool {
        let is_page = matches!(operation, Operation::Query | Operation::Scan);
        let of_table = rule.table.as_ref().is_none_or(|table| *table == self.name);
        let of_index = rule.index.as_ref().is_none_or(|index| match &self.index {
            Some(read) => read == index,
            None => !is_page && self.index_named(index).is_some(),
        });
        let prefix = rule.rule.key_prefix.as_deref();
        let of_key = prefix
            .is_none_or(|prefix| self.key.as_ref().is_some_and(|key| key.starts_with(prefix.as_bytes())));
        let can_be_behind = || self.read_index().is_some_and(|index| !index.is_local());
        let is_behind = !matches!(rule.rule.fault, Fault::IndexLag(_)) || can_be_behind();
        of_table && of_index && of_key && is_behind
    }

    /// The index that it reads.
    pub(super) fn read_index(&self) -> Option<&Index> {
        self.index_named(self.index.as_ref()?)
    }

    pub(super) fn index_named(&self, name: &IndexName) -> Option<&Index> {
        self.table.as_ref()?.indexes.iter().find(|index| index.definition.name == *name)
    }
}

/// Finds the tables of a call.
struct Tables<'catalog> {
    catalog: &'catalog Catalog,
    now: Timestamp,
}

impl Tables<'_> {
    /// A member with the partition key of these attributes.
    fn member(&self, name: &TableName, attributes: Option<&Item>) -> Member {
        let table = self.catalog.table(name, self.now).cloned();
        let key = table.as_ref().zip(attributes).and_then(|(table, attributes)| {
            attributes.get(&table.key_schema.partition_key.name).and_then(key_bytes)
        });
        Member { name: name.clone(), table, index: None, key }
    }
}

/// The value that a Query asks of the partition key of its table or index; of several attributes, of the first.
fn queried_key(member: &Member, index: Option<&IndexName>, condition: &KeyCondition) -> Option<Vec<u8>> {
    let attribute = match index {
        None => &member.table.as_ref()?.key_schema.partition_key,
        Some(name) => member.index_named(name)?.definition.key_schema.partition_key.first()?,
    };
    let (_, comparison) = condition.conditions.iter().find(|(name, _)| *name == attribute.name)?;
    match comparison {
        Comparison::Equal(value) => key_bytes(value),
        _ => None,
    }
}

/// Attributes among which those of the key are.
const fn key_attributes(action: &TransactAction) -> &Item {
    match action {
        TransactAction::Put(attributes)
        | TransactAction::Update { key: attributes, .. }
        | TransactAction::Delete(attributes)
        | TransactAction::ConditionCheck(attributes) => attributes,
    }
}

fn key_bytes(value: &AttributeValue) -> Option<Vec<u8>> {
    match value {
        AttributeValue::S(text) => Some(text.clone().into_bytes()),
        AttributeValue::N(number) => Some(number.to_string().into_bytes()),
        AttributeValue::B(binary) => Some(binary.clone()),
        _ => None,
    }
}
