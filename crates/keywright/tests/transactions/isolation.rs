//! One tenant cannot reach another by a transaction: whatever their ids are, whatever is asked.

use keywright::{RawExpression, Reason, Tenant, Transaction, TransactionError};

use crate::application::*;
use crate::arm::in_process_alone;
use crate::hostile::{Names, SECRET, stored_items, with_hostile_names};

async fn nothing_crosses(names: Names) {
    let arm = in_process_alone();
    let store = arm.store::<App>().await;
    let (mine, theirs) = (tenant(&store, &names.mine), tenant(&store, &names.theirs));
    let expires_at = arm.now_seconds() + 1000;
    let their_team = Team { name: SECRET.to_owned(), ..team(&names.theirs, &names.team) };
    let their_member =
        Member { role: SECRET.to_owned(), points: 7, ..member(&names.theirs, &names.team, &names.user) };
    let their_document = Document { title: SECRET.to_owned(), ..document(&names.theirs, 1) };
    let mut begun = theirs.transaction();
    begun.add(theirs.put(&their_team).if_absent());
    begun.add(theirs.put(&their_member));
    begun.add(theirs.put(&share_token(&names.theirs, &names.token, expires_at)));
    begun.add(theirs.put(&their_document));
    assert!(begun.send().await.unwrap().is_done());
    let before = stored_items(&arm, store.table_name(), &names.theirs).await;
    assert_eq!(before.len(), 4);

    conditions_fail_and_show_nothing(&mine, &names, expires_at).await;
    their_actions_are_refused(&mine, &theirs, &names).await;

    let after = stored_items(&arm, store.table_name(), &names.theirs).await;
    assert_eq!(before, after, "what is theirs has changed");
}

/// The reason of the one action that a transaction has, which failed on nothing that may be shown.
async fn fails_on_nothing_shown<Action: keywright::TransactionAction<Table = App>>(
    mine: &Tenant<App>,
    action: Action,
) where
    Action::Entity:
        keywright::key::declare::Entity<App> + serde::de::DeserializeOwned + std::fmt::Debug + PartialEq,
{
    let mut transaction = mine.transaction();
    let action = transaction.add(action);
    let canceled = transaction.send().await.unwrap().canceled().unwrap();
    let reason = canceled.reason(&action).unwrap();
    assert_eq!(reason, Reason::ConditionFailed { current: None });
    assert!(!format!("{canceled} {canceled:?} {reason:?}").contains(SECRET));
}

/// Names of theirs where mine would be, and the key that holds no tenant.
async fn conditions_fail_and_show_nothing(mine: &Tenant<App>, names: &Names, expires_at: u64) {
    let by_id = || MemberById { team_id: names.team.clone(), user_id: names.user.clone() };
    let by_token = || ShareByToken { token: names.token.clone() };
    let all = || RawExpression::new("attribute_exists(pk) OR attribute_not_exists(pk)").unwrap();
    let token = share_token(&names.mine, &names.token, expires_at);
    fails_on_nothing_shown(mine, mine.update(by_id(), Award { points: 1 })).await;
    fails_on_nothing_shown(mine, mine.delete(by_id()).if_present()).await;
    fails_on_nothing_shown(mine, mine.check(by_id()).if_present()).await;
    fails_on_nothing_shown(mine, mine.check(by_id()).when(&HasPoints { least: 0 })).await;
    fails_on_nothing_shown(mine, mine.check(DocumentById { document_id: 1 }).if_version(1)).await;
    fails_on_nothing_shown(mine, mine.put(&token)).await;
    fails_on_nothing_shown(mine, mine.put(&token).if_absent()).await;
    fails_on_nothing_shown(mine, mine.put(&token).if_present()).await;
    fails_on_nothing_shown(mine, mine.put(&token).when_raw(all())).await;
    fails_on_nothing_shown(mine, mine.update(by_token(), EndShare { expires_at: 1 })).await;
    fails_on_nothing_shown(mine, mine.update(by_token(), EndShare { expires_at: 1 }).when_raw(all())).await;
    fails_on_nothing_shown(mine, mine.delete(by_token())).await;
    fails_on_nothing_shown(mine, mine.delete(by_token()).when_raw(all())).await;
    fails_on_nothing_shown(mine, mine.check(by_token()).if_present()).await;
    fails_on_nothing_shown(mine, mine.check(by_token()).when_raw(all())).await;
    // That there is something under a key without a tenant is what an insert there finds out; what it is it does not.
    fails_on_nothing_shown(mine, mine.check(by_token()).if_absent()).await;
}

async fn their_actions_are_refused(mine: &Tenant<App>, theirs: &Tenant<App>, names: &Names) {
    let refused = async |transaction: Transaction| {
        let error = transaction.send().await.unwrap_err();
        assert!(!format!("{error} {error:?}").contains(SECRET));
        error
    };
    let mut their_entity = mine.transaction();
    their_entity.add(mine.put(&team(&names.theirs, &names.team)));
    assert!(matches!(refused(their_entity).await, TransactionError::Action { .. }));
    let mut their_handle = mine.transaction();
    their_handle.add(theirs.delete(TeamById { team_id: names.team.clone() }));
    assert!(matches!(refused(their_handle).await, TransactionError::AnotherTenant(_)));
    let mut their_check = mine.transaction();
    their_check.add(mine.put(&team(&names.mine, &names.team)));
    their_check.add(theirs.check(DocumentById { document_id: 1 }).if_version(1));
    assert!(matches!(refused(their_check).await, TransactionError::AnotherTenant(_)));

    // Mine beside theirs: the same names, and two items.
    let mut beside = mine.transaction();
    beside.add(mine.put(&member(&names.mine, &names.team, &names.user)).if_absent());
    beside.add(mine.put(&document(&names.mine, 1)).if_absent());
    assert!(beside.send().await.unwrap().is_done());
}

#[test]
fn nothing_of_one_tenant_is_reached_by_a_transaction_of_another_whatever_the_ids_are() {
    with_hostile_names(60, nothing_crosses);
}
