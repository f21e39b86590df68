//! One tenant cannot reach another by a transaction: whatever their ids are, whatever is asked.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{RawExpression, Reason, Tenant, Transaction, TransactionError};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::application::*;
use crate::arm::{Arm, in_process_alone};

/// What stands in every value of the other tenant: if it is seen anywhere, something leaked.
const SECRET: &str = "the other tenant's secret";

/// Pieces of ids that have broken keys somewhere.
const PIECES: &[&str] = &[
    "a",
    "A",
    "1",
    "10",
    "#",
    "$",
    "$23",
    "%",
    "/",
    "..",
    "*",
    " ",
    "\u{0}",
    "\n",
    "é",
    "e\u{301}",
    "\u{10002}",
    "ORG#",
    "TEAM#",
    "#MEMBER#",
    "SHARE#",
    "${organization_id}",
    "\"",
    ")",
    " OR attribute_exists(pk)",
];

fn hostile() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 1..4).prop_map(|pieces| pieces.concat())
}

/// Everything that a tenant has, by key, as it is stored.
async fn stored_items(arm: &Arm, table: &str, owner: &str) -> BTreeMap<String, String> {
    let output = arm.client().scan().table_name(table).send().await.unwrap();
    let items = output.items.unwrap_or_default().into_iter();
    items
        .filter(|item| item["organization_id"] == AttributeValue::S(owner.to_owned()))
        .map(|item| {
            let key = format!("{:?} {:?}", item["pk"], item["sk"]);
            let attributes: BTreeMap<String, AttributeValue> = item.into_iter().collect();
            (key, format!("{attributes:?}"))
        })
        .collect()
}

struct Names {
    mine: String,
    theirs: String,
    team: String,
    user: String,
    token: String,
}

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
    let cases = if std::env::var_os("KEYWRIGHT_LONG").is_some() { 3_000 } else { 60 };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let names = (hostile(), hostile(), hostile(), hostile(), hostile())
        .prop_filter("two tenants are two", |(mine, theirs, ..)| mine != theirs);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&names, |(mine, theirs, team, user, token)| {
            runtime.block_on(nothing_crosses(Names { mine, theirs, team, user, token }));
            Ok(())
        })
        .unwrap();
}
