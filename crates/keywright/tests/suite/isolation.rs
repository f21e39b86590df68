//! One tenant cannot reach another: whatever their ids are, whatever is asked.
//!
//! Two tenants with hostile ids store items under the same hostile names. Then one of them uses every public operation with names
//! that were made to fit the other's keys. Nothing of the other's is read, written, counted or revealed, in errors neither.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{Conditional, Cursor, Stored};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::application::*;
use crate::arm::{Arm, in_process_alone};

/// What stands in every value of the other tenant: if it is seen anywhere, something leaked.
const SECRET: &str = "the other tenant's secret";

/// Pieces of ids that have broken keys somewhere: delimiters, what escapes are made of, prefixes of one another, letter case,
/// characters whose order differs between encodings, combining ones, control characters, and names of this design.
const PIECES: &[&str] = &[
    "a",
    "A",
    "b",
    "1",
    "10",
    "#",
    "$",
    "$23",
    "%",
    "\\",
    "/",
    ".",
    "..",
    "*",
    "?",
    " ",
    "\u{0}",
    "\u{7f}",
    "\n",
    "é",
    "e\u{301}",
    "\u{ff61}",
    "\u{10002}",
    "\u{202e}",
    "ORG",
    "ORG#",
    "TEAM#",
    "#TEAM#1",
    "MEMBER",
    "#MEMBER#",
    "SHARE#",
    "${organization_id}",
    "{team_id}",
    "default",
    "null",
    "\"",
    "'",
    ")",
    " OR attribute_exists(pk)",
];

fn hostile() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 1..4).prop_map(|pieces| pieces.concat())
}

/// Everything that a tenant has, by key, as it is stored.
async fn stored_items(arm: &Arm, table: &str, owner: &str) -> BTreeMap<String, String> {
    let output = arm.client().scan().table_name(table).send().await.unwrap();
    assert!(output.last_evaluated_key.is_none(), "the test keeps tables small");
    output
        .items
        .unwrap_or_default()
        .into_iter()
        .filter(|item| item["organization_id"] == AttributeValue::S(owner.to_owned()))
        .map(|item| {
            let key = format!("{:?} {:?}", item["pk"], item["sk"]);
            let attributes: BTreeMap<String, AttributeValue> = item.into_iter().collect();
            (key, format!("{attributes:?}"))
        })
        .collect()
}

fn reveals(told: &impl std::fmt::Debug) -> bool {
    format!("{told:?}").contains(SECRET)
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

    // Theirs: the same names, and a secret in every value.
    let their_team = Team { name: SECRET.to_owned(), ..team(&names.theirs, &names.team) };
    let their_member =
        Member { role: SECRET.to_owned(), points: 7, ..member(&names.theirs, &names.team, &names.user) };
    theirs.put(&their_team).send().await.unwrap();
    theirs.put(&their_member).send().await.unwrap();
    theirs.put(&share_token(&names.theirs, &names.token, expires_at)).send().await.unwrap();
    let before = stored_items(&arm, store.table_name(), &names.theirs).await;
    assert_eq!(before.len(), 3);
    let their_cursor = {
        let page = theirs
            .query(TeamWithMembers { team_id: names.team.clone() })
            .limit(1.try_into().unwrap())
            .page()
            .await
            .unwrap();
        page.next.unwrap()
    };

    reads_find_nothing(&mine, &names, &their_cursor).await;
    writes_touch_nothing(&mine, &names, expires_at).await;
    let found = store.lookup_item(ShareByToken { token: names.token.clone() }).await.unwrap().unwrap();
    assert!(!reveals(&found));
    assert!(found.verify(&mine).is_err());

    let after = stored_items(&arm, store.table_name(), &names.theirs).await;
    assert_eq!(before, after, "what is theirs has changed");
}

async fn reads_find_nothing(mine: &keywright::Tenant<App>, names: &Names, their_cursor: &Cursor) {
    // Names that would complete a key of mine to one of theirs if components were not escaped.
    let team_ids = [
        names.team.clone(),
        format!("{}#{}", names.theirs, names.team),
        format!("#{}", names.theirs),
        names.theirs.clone(),
    ];
    for team_id in team_ids {
        let pattern = || TeamWithMembers { team_id: team_id.clone() };
        let page = mine.query(pattern()).page().await;
        assert!(!reveals(&page));
        assert!(page.is_ok_and(|page| page.items.is_empty()));
        let gone_on = mine.query(pattern()).after(their_cursor.clone()).page().await;
        assert!(!reveals(&gone_on));
        assert!(gone_on.is_err(), "a cursor of theirs was accepted");
        assert!(mine.get(TeamById { team_id: team_id.clone() }).await.unwrap().is_none());
        let named = MemberById { team_id, user_id: names.user.clone() };
        assert!(mine.get(named).await.unwrap().is_none());
    }
    let memberships = mine.query(MembershipsOfUser { user_id: names.user.clone() }).page().await.unwrap();
    assert!(memberships.items.is_empty());
    let share = mine.get(ShareByToken { token: names.token.clone() }).await;
    assert!(!reveals(&share));
    assert!(share.is_err());
}

async fn writes_touch_nothing(mine: &keywright::Tenant<App>, names: &Names, expires_at: u64) {
    let by_id = || MemberById { team_id: names.team.clone(), user_id: names.user.clone() };
    let by_token = || ShareByToken { token: names.token.clone() };

    let update = mine.update(by_id(), Award { points: 1 }).send().await.unwrap();
    assert!(matches!(update, Conditional::Failed { current: None }));
    let delete = mine.delete(by_id()).if_present().send().await.unwrap();
    assert!(matches!(delete, Conditional::Failed { current: None }));
    mine.delete(by_id()).send().await.unwrap();
    mine.delete(TeamById { team_id: names.team.clone() }).send().await.unwrap();

    // An entity of theirs through my handle, and mine in their place.
    assert!(mine.put(&team(&names.theirs, &names.team)).send().await.is_err());
    let token = share_token(&names.mine, &names.token, expires_at);
    assert!(mine.put(&token).send().await.is_err());
    let insert = mine.put(&token).if_absent().send().await.unwrap();
    assert!(!reveals(&insert));
    assert!(matches!(insert, Conditional::Failed { current: None }));
    assert!(mine.delete(by_token()).send().await.is_err());
    let delete = mine.delete(by_token()).if_present().send().await.unwrap();
    assert!(matches!(delete, Conditional::Failed { current: None }));

    // Mine beside theirs: the same names, and two items.
    let beside = member(&names.mine, &names.team, &names.user);
    assert!(mine.put(&beside).if_absent().send().await.unwrap().is_done());
    let read: Option<Stored<Member>> = mine.get(by_id()).await.unwrap();
    assert_eq!(*read.unwrap(), beside);
    let counted = mine.update(by_id(), Award { points: 1 }).send().await.unwrap().done().unwrap();
    assert_eq!(counted.item.points, 1);
}

#[test]
fn nothing_of_one_tenant_is_reached_by_another_whatever_the_ids_are() {
    let cases = if std::env::var_os("KEYWRIGHT_LONG").is_some() { 5_000 } else { 100 };
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
