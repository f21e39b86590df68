//! Batches, transactions and snapshots: the same names, among other members.

use futures_util::{StreamExt, stream};
use keywright::{BatchChange, BatchError, Reason, SnapshotError};

use super::Both;
use crate::application::*;

pub(super) async fn reach_nothing(both: &Both) {
    batches_reach_nothing(both).await;
    transactions_reach_nothing(both).await;
    snapshots_show_nothing(both).await;
}

async fn batches_reach_nothing(both: &Both) {
    let mine = &both.mine;
    let found = both.hear("batch_get", mine.batch_get([both.by_id()]).send().await).unwrap();
    assert!(matches!(found.items.as_slice(), [Ok(None)]));
    let found = both.hear("batch_get", mine.batch_get([both.by_token()]).send().await).unwrap();
    assert!(found.items.iter().all(Result::is_err));
    assert!(matches!(both.hear("into_items", found.into_items()), Err(BatchError::Item(_))));
    let mut found = mine.batch_get_stream(stream::iter([both.by_token()]));
    let first = found.next().await.unwrap();
    assert!(both.hear("batch_get_stream", first).is_err());

    let theirs = || document(&both.names.theirs, 1);
    let put = both.hear("batch_put", mine.batch_put(&[theirs()]).send().await);
    assert!(matches!(put, Err(BatchError::Member { .. })));
    let put = both.hear("batch_write", mine.batch_write().put(&theirs()).send().await);
    assert!(matches!(put, Err(BatchError::Member { .. })));
    let changes = stream::iter([BatchChange::put(theirs())]);
    let put = both.hear("batch_write_stream", mine.batch_write_stream(changes).send().await);
    assert!(put.is_err());
    both.hear("batch_write", mine.batch_write().delete(both.by_id()).send().await).unwrap();
    let changes = stream::iter([BatchChange::delete(both.by_id())]);
    both.hear("batch_write_stream", mine.batch_write_stream(changes).send().await).unwrap();
}

async fn transactions_reach_nothing(both: &Both) {
    let mine = &both.mine;
    let token = share_token(&both.names.mine, &both.names.token, both.later);
    for resumes in [false, true] {
        let mut transaction = mine.transaction();
        if resumes {
            transaction = mine.resume_transaction(transaction.token());
        }
        let put = transaction.add(mine.put(&token).if_absent());
        let canceled = both.hear("transaction", transaction.send().await).unwrap().canceled().unwrap();
        let reason = both.hear("reason", canceled.reason(&put)).unwrap();
        assert_eq!(reason, Reason::ConditionFailed { current: None });
    }
    let mut transaction = mine.transaction();
    let check = transaction.add(mine.check(both.by_token()).if_present());
    transaction.add(mine.delete(both.by_id()));
    let canceled = both.hear("check", transaction.send().await).unwrap().canceled().unwrap();
    let reason = both.hear("reason", canceled.reason(&check)).unwrap();
    assert_eq!(reason, Reason::ConditionFailed { current: None });
    let mut transaction = mine.transaction();
    transaction.add(both.theirs.check(both.by_token()).if_present());
    transaction.add(mine.delete(both.by_id()));
    assert!(both.hear("transaction", transaction.send().await).is_err());
}

async fn snapshots_show_nothing(both: &Both) {
    let mut snapshot = both.mine.snapshot();
    let (share, member) = (snapshot.get(both.by_token()), snapshot.get(both.by_id()));
    let read = both.hear("snapshot", snapshot.send().await).unwrap();
    assert!(matches!(both.hear("item", read.item(&share)), Err(SnapshotError::Item(_))));
    assert!(both.hear("item", read.item(&member)).unwrap().is_none());
    let mut snapshot = both.mine.snapshot();
    snapshot.get(both.by_id());
    snapshot.get_through(&both.theirs, both.by_token());
    assert!(both.hear("get_through", snapshot.send().await).is_err());
}
