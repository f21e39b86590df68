//! TransactWriteItems: writes and checks of which either all take effect or none does.
//!
//! Order of refusal: request shape, expressions and items (in `api`); every table; key values that are empty or too
//! long; keys and updates that do not fit their table, by a cancellation that says so of each; two actions on one item;
//! the client request token; conditions, and updates that do not fit their item, by a cancellation; the size of all items
//! together. Every condition is decided on the items as they were before the transaction. Transactions are decided one
//! after another, so that none conflicts with another, and none is in progress when its token comes again.

use std::collections::HashSet;
use std::sync::Arc;

use keywright_api::{
    CancellationReason, CapacityBreakdown, CapacityKind, CapacityUnits, ClientRequest, Consistency, Error,
    MAX_TRANSACTION_BYTES, Response, ReturnConsumedCapacity, ReturnItemCollectionMetrics, TableName,
    TransactAction, TransactWrite, TransactWriteItemsInput, TransactWriteItemsOutput, UpdateReturnValues,
    Validation,
};
use keywright_expression::Update;
use keywright_item::{Item, StoredItem};

use super::transaction::{self, UNITS_FACTOR};
use super::update_item;
use crate::capacity::{self, CapacityByTable};
use crate::condition::{ConditionFailed, WriteCondition};
use crate::group::{Change, Group, ItemChange};
use crate::idempotency::{TokenChange, TokenRecord};
use crate::item_collection;
use crate::key_schema::PrimaryKey;
use crate::state::State;
use crate::table::Table;

/// A TransactWriteItems that waits for its decision.
#[derive(Debug)]
pub(crate) struct TransactWriteItems {
    actions: Vec<PreparedAction>,
    client_request: Option<ClientRequest>,
    return_consumed_capacity: ReturnConsumedCapacity,
    return_item_collection_metrics: ReturnItemCollectionMetrics,
}

#[derive(Debug)]
struct PreparedAction {
    table: Arc<Table>,
    key: Vec<u8>,
    effect: Effect,
    condition: WriteCondition,
}

/// What an action does to its item.
#[derive(Debug)]
enum Effect {
    Put(StoredItem),
    Update {
        key_attributes: Item,
        update: Update,
    },
    Delete,
    /// Nothing, but its condition must hold.
    Check,
}

pub(crate) fn prepare(input: TransactWriteItemsInput, state: &State) -> Result<TransactWriteItems, Error> {
    let catalog = state.catalog();
    let now = state.clock.now();
    let mut actions = Vec::with_capacity(input.actions.len());
    for action in input.actions {
        actions.push((catalog.active_table(&action.table_name, now)?, action));
    }
    let actions = actions.into_iter().map(|(table, action)| PreparedAction::new(table, action)).collect();
    let actions = transaction::all_valid(actions)?;
    let mut keys = HashSet::with_capacity(actions.len());
    if !actions.iter().all(|action| keys.insert(action.key.as_slice())) {
        return Err(Validation::SeveralActionsOnItem.into());
    }
    Ok(TransactWriteItems {
        actions,
        client_request: input.client_request,
        return_consumed_capacity: input.return_consumed_capacity,
        return_item_collection_metrics: input.return_item_collection_metrics,
    })
}

impl PreparedAction {
    fn new(table: &Arc<Table>, write: TransactWrite) -> Result<PreparedAction, Validation> {
        let schema = &table.key_schema;
        let storage_key = |key: PrimaryKey<'_>| key.storage_key(table.number);
        let (key, effect) = match write.action {
            TransactAction::Put(item) => {
                let key = storage_key(PrimaryKey::of_item(table, &item)?);
                (key, Effect::Put(StoredItem::encode(&item)))
            }
            TransactAction::Update { key: key_attributes, update } => {
                let key = storage_key(PrimaryKey::exact(schema, &key_attributes)?);
                update_item::check_key_attributes(table, &update)?;
                (key, Effect::Update { key_attributes, update })
            }
            TransactAction::Delete(key) => (storage_key(PrimaryKey::exact(schema, &key)?), Effect::Delete),
            TransactAction::ConditionCheck(key) => {
                (storage_key(PrimaryKey::exact(schema, &key)?), Effect::Check)
            }
        };
        let condition = WriteCondition { condition: write.condition, on_failure: write.on_condition_failure };
        Ok(PreparedAction { table: Arc::clone(table), key, effect, condition })
    }

    /// The item as the action leaves it; of a check, as it is.
    fn decide(self, before: Option<StoredItem>) -> Result<Decided, CancellationReason> {
        let PreparedAction { table, key, effect, condition } = self;
        condition.check(before.as_ref())?;
        let after = match effect {
            Effect::Put(item) => Some(item),
            Effect::Update { key_attributes, update } => {
                let (after, _) = update_item::apply(
                    &table,
                    Some(&update),
                    before.as_ref(),
                    key_attributes,
                    UpdateReturnValues::None,
                )?;
                Some(after)
            }
            Effect::Delete => None,
            Effect::Check => return Ok(Decided::Checked { table, item: before }),
        };
        Ok(Decided::Written(ItemChange { table, key, before, after }))
    }
}

/// An action that can take effect.
enum Decided {
    Written(ItemChange),
    Checked { table: Arc<Table>, item: Option<StoredItem> },
}

impl Decided {
    fn table(&self) -> &Table {
        match self {
            Decided::Written(change) => &change.table,
            Decided::Checked { table, .. } => table,
        }
    }

    /// What it consumes: of its table twice as much as alone, of the table's indexes the same.
    fn consumed(&self) -> CapacityBreakdown {
        let mut consumed = match self {
            Decided::Written(change) => change.consumed(),
            Decided::Checked { item, .. } => capacity::write_units(item.as_ref(), None).into(),
        };
        consumed.table = consumed.table * UNITS_FACTOR;
        consumed
    }

    /// What reading it costs, in the larger of its images.
    fn read_units(&self) -> CapacityUnits {
        let (before, after) = match self {
            Decided::Written(change) => (change.before.as_ref(), change.after.as_ref()),
            Decided::Checked { item, .. } => (item.as_ref(), None),
        };
        let size_bytes = before.into_iter().chain(after).map(StoredItem::size_bytes).max().unwrap_or(0);
        capacity::read_units(size_bytes, Consistency::Strong) * UNITS_FACTOR
    }

    fn written_bytes(&self) -> usize {
        match self {
            Decided::Written(change) => change.after.as_ref().map_or(0, StoredItem::size_bytes),
            Decided::Checked { .. } => 0,
        }
    }
}

impl TransactWriteItems {
    pub(crate) fn decide(self, group: &Group<'_>) -> Result<(Change, Response), Error> {
        let TransactWriteItems {
            actions,
            client_request,
            return_consumed_capacity,
            return_item_collection_metrics,
        } = self;
        let recorded = match &client_request {
            Some(request) => group.token(&request.token)?,
            None => None,
        };
        if let (Some(request), Some(record)) = (&client_request, &recorded)
            && !record.is_over(group.now())
        {
            return replay(request, record, return_consumed_capacity);
        }

        let decided = decide_all(actions, group)?;
        if decided.iter().map(Decided::written_bytes).sum::<usize>() > MAX_TRANSACTION_BYTES {
            return Err(Validation::TransactionTooLarge.into());
        }
        let mut capacity = CapacityByTable::new(return_consumed_capacity);
        for action in &decided {
            capacity.add(&action.table().name, || action.consumed());
        }
        let token = client_request.map(|request| TokenChange {
            token: request.token,
            record: TokenRecord::new(group.now(), request.fingerprint, read_units(&decided)),
            replaced: recorded.map(|record| record.expires_at),
        });
        let consumed_capacity = capacity.report_transaction(CapacityKind::Write);
        let items: Vec<ItemChange> = decided
            .into_iter()
            .filter_map(|action| match action {
                Decided::Written(change) => Some(change),
                Decided::Checked { .. } => None,
            })
            .collect();
        let output = TransactWriteItemsOutput {
            consumed_capacity,
            item_collection_metrics: item_collection::metrics_by_table(
                group,
                &items,
                return_item_collection_metrics,
            )?,
        };
        Ok((Change { items, token, ..Change::default() }, output.into()))
    }
}

/// Decides every action on its item as it is before the transaction. One that cannot take effect cancels all of them.
fn decide_all(actions: Vec<PreparedAction>, group: &Group<'_>) -> Result<Vec<Decided>, Error> {
    let mut decided = Vec::with_capacity(actions.len());
    let mut reasons = Vec::with_capacity(actions.len());
    for action in actions {
        group.catalog().check_active(&action.table, group.now())?;
        let before = group.item(&action.table, &action.key)?;
        match action.decide(before) {
            Ok(action) => {
                decided.push(action);
                reasons.push(CancellationReason::None);
            }
            Err(reason) => reasons.push(reason),
        }
    }
    if decided.len() < reasons.len() { Err(Error::TransactionCanceled { reasons }) } else { Ok(decided) }
}

/// What reading the items of the transaction costs, by table.
fn read_units(decided: &[Decided]) -> Vec<(TableName, CapacityUnits)> {
    let mut tables: Vec<(TableName, CapacityUnits)> = Vec::new();
    for action in decided {
        let name = &action.table().name;
        match tables.iter_mut().find(|(held, _)| held == name) {
            Some((_, sum)) => *sum = *sum + action.read_units(),
            None => tables.push((name.clone(), action.read_units())),
        }
    }
    tables
}

/// The answer to a transaction that was carried out already: nothing more happens, and its items count as read.
fn replay(
    request: &ClientRequest,
    record: &TokenRecord,
    return_consumed_capacity: ReturnConsumedCapacity,
) -> Result<(Change, Response), Error> {
    if request.fingerprint != record.fingerprint {
        return Err(Error::IdempotentParameterMismatch);
    }
    let mut capacity = CapacityByTable::new(return_consumed_capacity);
    for (table, units) in &record.read_units {
        capacity.add(table, || *units);
    }
    let consumed_capacity = capacity.report_transaction(CapacityKind::Read);
    Ok((
        Change::default(),
        TransactWriteItemsOutput { consumed_capacity, item_collection_metrics: None }.into(),
    ))
}

impl From<ConditionFailed> for CancellationReason {
    fn from(ConditionFailed { item }: ConditionFailed) -> CancellationReason {
        CancellationReason::ConditionalCheckFailed { item }
    }
}
