//! Export and erasure of one tenant never reach another's, whatever their ids are.

use super::export::export;
use super::{MOST, one_of_each};
use crate::application::*;
use crate::arm::in_process_alone;
use crate::hostile::{Names, stored_items, with_hostile_names};

async fn nothing_crosses(Names { mine, theirs, token, .. }: Names) {
    let (mine, theirs) = (mine.as_str(), theirs.as_str());
    let arm = in_process_alone();
    let store = arm.store::<App>().await;
    let (me, them) = (tenant(&store, mine), tenant(&store, theirs));
    let later = arm.now_seconds() + 1000;
    one_of_each(&me, mine, &format!("{token}m"), later).await;
    one_of_each(&them, theirs, &format!("{token}t"), later).await;
    let (before, table) = (stored_items(&arm, store.table_name(), theirs).await, store.table_name());
    assert_eq!(before.len(), 5);

    let exported = export(&store, &me).await;
    assert_eq!(exported.len(), 5, "{mine:?}, {theirs:?}");
    let theirs_exported = export(&store, &them).await;
    assert!(exported.iter().all(|line| !theirs_exported.contains(line)));

    let plan = store.maintenance("a test").erasure(&me, MOST).plan().await.unwrap();
    assert_eq!(plan.items(), 5);
    assert_eq!(plan.carry_out().await.unwrap().items, 5);

    assert!(stored_items(&arm, table, mine).await.is_empty());
    assert_eq!(stored_items(&arm, table, theirs).await, before, "{mine:?}, {theirs:?}");
}

#[test]
fn export_and_erasure_of_one_tenant_never_reach_another_whatever_the_ids_are() {
    with_hostile_names(60, nothing_crosses);
}
