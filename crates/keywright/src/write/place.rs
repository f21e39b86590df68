//! Under which of its keys an item lies, where its design lists numbers of shards that items were written with earlier.
//!
//! An item is the one under the first of its keys where there is one: that of the present number, then those of the earlier ones.
//! A new item is put under the present number's key. One that is there stays where it is, so that a page that is read meanwhile
//! neither misses it nor finds it twice. Nothing comes to be under an earlier number's key, which is why a key that was once seen
//! to be empty stays so, and no transaction is needed.
//!
//! An item of one key is written as any other: none of this costs it anything.

use std::future::Future;

use super::attempt::{Attempt, stored_item};
use crate::error::{ServiceError, WriteError};
use crate::item::{Attributes, ItemKeys, KeyAttributes};
use crate::retry::Deadline;
use crate::store::Shared;

/// How often a write is begun again because its item came or went between a look and the write.
pub(super) const MOST_ROUNDS: usize = 8;

/// The first of these keys under which an item is stored, and the item as it is stored.
pub(crate) async fn first_stored<'k>(
    shared: &Shared,
    entity: &'static str,
    deadline: Deadline,
    keys: &[&'k KeyAttributes],
) -> Result<Option<(&'k KeyAttributes, Attributes)>, ServiceError> {
    for &key in keys {
        if let Some(item) = stored_item(shared, entity, key, deadline).await? {
            return Ok(Some((key, item)));
        }
    }
    Ok(None)
}

/// Makes a write that needs an item, under the key where the item lies; and that key, unless there is none.
///
/// Most items lie under the present number's key, so that one is tried first, without a look.
pub(super) async fn where_it_lies<'k, Output, Made>(
    shared: &Shared,
    entity: &'static str,
    deadline: Deadline,
    keys: &'k ItemKeys,
    mut make: impl FnMut(KeyAttributes) -> Made,
) -> Result<(Attempt<Output>, &'k KeyAttributes), WriteError>
where
    Made: Future<Output = Result<Attempt<Output>, WriteError>>,
{
    let mut key = &keys.now;
    for _ in 0..MOST_ROUNDS {
        let attempt = make(key.clone()).await?;
        if keys.earlier.is_empty() || !matches!(attempt, Attempt::Failed(None)) {
            return Ok((attempt, key));
        }
        // The present key comes last: an item that left an earlier one, and is there again, is there.
        match first_stored(shared, entity, deadline, &keys.present_last()).await? {
            Some((found, _)) => key = found,
            None => return Ok((attempt, key)),
        }
    }
    Err(WriteError::Contended { entity })
}
