//! What a transaction sends, and what is found out before it is sent.

use aws_sdk_dynamodb::operation::transact_write_items::builders::TransactWriteItemsFluentBuilder;
use aws_sdk_dynamodb::types::{
    ConditionCheck, Delete, Put, ReturnConsumedCapacity, TransactWriteItem, Update,
};

use super::Transaction;
use super::action::TransactedAction;
use super::error::TransactionError;
use super::name::ActionName;
use crate::item::{self, ItemKey};
use crate::store::Shared;
use crate::write::Change;

/// The most actions.
///
/// Source of both: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html#limits-dynamodb-transactions>
pub(super) const MOST_ACTIONS: usize = 100;
/// The most bytes of all items together. What updates leave is not known here: the service says if that is too much.
const MOST_BYTES: usize = 4 * 1024 * 1024;

impl Transaction {
    /// Everything that can be known before anything is sent.
    pub(super) fn check(&self) -> Result<(), TransactionError> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        if self.token.is_over(self.shared.clock.since_epoch()) {
            return Err(TransactionError::TokenOver(self.token));
        }
        if let Some(beyond) = self.actions.get(MOST_ACTIONS) {
            let first_beyond = beyond.name.clone();
            return Err(TransactionError::TooMany { actions: self.actions.len(), first_beyond });
        }
        self.check_items()?;
        self.check_size()
    }

    fn check_items(&self) -> Result<(), TransactionError> {
        let members = self.actions.iter().map(|action| (&*action.shared, &action.key, &action.name));
        let twice = same_items(members);
        if twice.is_empty() { Ok(()) } else { Err(TransactionError::SameItem(twice)) }
    }

    fn check_size(&self) -> Result<(), TransactionError> {
        let size_bytes = |action: &TransactedAction| match action.write.change {
            Change::Put { size_bytes, .. } => size_bytes,
            Change::Update { .. } | Change::Delete | Change::Check => 0,
        };
        let mut sum = 0;
        let mut first_beyond = None;
        for action in &self.actions {
            sum += size_bytes(action);
            if sum > MOST_BYTES {
                first_beyond.get_or_insert_with(|| action.name.clone());
            }
        }
        match first_beyond {
            None => Ok(()),
            Some(first_beyond) => Err(TransactionError::TooLarge { size_bytes: sum, first_beyond }),
        }
    }

    pub(super) fn builder(&self) -> TransactWriteItemsFluentBuilder {
        self.shared
            .calls
            .transact_write_items()
            .set_transact_items(Some(self.actions.iter().map(TransactedAction::request).collect()))
            .client_request_token(self.token.to_string())
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
    }
}

/// The names of members that are of an item of an earlier one, behind that one's name.
pub(super) fn same_items<'m>(
    members: impl Iterator<Item = (&'m Shared, &'m ItemKey, &'m ActionName)>,
) -> Vec<(ActionName, ActionName)> {
    let members: Vec<_> = members.collect();
    let items = members.iter().map(|(shared, key, _)| (shared.table_name.as_str(), *key));
    let twice = item::keys_given_twice(items);
    let name = |place: usize| members.get(place).map(|(_, _, name)| (*name).clone());
    twice.into_iter().filter_map(|(first, again)| name(first).zip(name(again))).collect()
}

impl TransactedAction {
    fn request(&self) -> TransactWriteItem {
        let table = self.shared.table_name.as_str();
        let write = self.write.clone();
        let on_failure = write.on_failure();
        let mut placeholders = write.placeholders;
        let (names, values) = (placeholders.take_names(), placeholders.take_values());
        let item = TransactWriteItem::builder();
        let built = match write.change {
            Change::Put { item: attributes, .. } => Put::builder()
                .table_name(table)
                .set_item(Some(attributes))
                .set_condition_expression(write.condition)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values)
                .set_return_values_on_condition_check_failure(on_failure)
                .build()
                .map(|put| item.put(put)),
            Change::Update { expression } => Update::builder()
                .table_name(table)
                .set_key(Some(write.key))
                .update_expression(expression)
                .set_condition_expression(write.condition)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values)
                .set_return_values_on_condition_check_failure(on_failure)
                .build()
                .map(|update| item.update(update)),
            Change::Delete => Delete::builder()
                .table_name(table)
                .set_key(Some(write.key))
                .set_condition_expression(write.condition)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values)
                .set_return_values_on_condition_check_failure(on_failure)
                .build()
                .map(|delete| item.delete(delete)),
            Change::Check => ConditionCheck::builder()
                .table_name(table)
                .set_key(Some(write.key))
                .set_condition_expression(write.condition)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values)
                .set_return_values_on_condition_check_failure(on_failure)
                .build()
                .map(|check| item.condition_check(check)),
        };
        match built {
            Ok(item) => item.build(),
            Err(_) => unreachable!("every member that the client's builder asks for is given just before"),
        }
    }
}
