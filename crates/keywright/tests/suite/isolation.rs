//! One tenant cannot reach another: whatever their ids are, whatever is asked.
//!
//! Two tenants with hostile ids store items under the same hostile names. Then one of them uses every public operation with names
//! that were made to fit the other's keys. Nothing of the other's is read, written, counted or revealed, in errors neither.

use std::num::NonZeroU32;

use keywright::{Conditional, Cursor, RawExpression, Store, Stored, Tenant, Upserted, WriteError};

use crate::application::*;
use crate::arm::in_process_alone;
use crate::hostile::{Names, SECRET, stored_items, with_hostile_names};

/// More than anybody has here.
const MOST: NonZeroU32 = NonZeroU32::new(100).unwrap();

fn reveals(told: &impl std::fmt::Debug) -> bool {
    format!("{told:?}").contains(SECRET)
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
    let their_document = Document { title: SECRET.to_owned(), ..document(&names.theirs, 1) };
    theirs.put(&their_document).send().await.unwrap();
    let their_invitation =
        Invitation { note: SECRET.to_owned(), ..invitation(&names.theirs, 1, &names.user, expires_at) };
    theirs.put(&their_invitation).send().await.unwrap();
    let before = stored_items(&arm, store.table_name(), &names.theirs).await;
    assert_eq!(before.len(), 5);
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
    lookups_reveal_nothing(&store, &mine, &names).await;
    writes_touch_nothing(&mine, &names, expires_at).await;
    upserts_and_conditions_touch_nothing(&mine, &names, expires_at).await;
    let found = store.lookup_item(ShareByToken { token: names.token.clone() }).await.unwrap().unwrap();
    assert!(!reveals(&found));
    assert!(found.verify(&mine).is_err());

    let after = stored_items(&arm, store.table_name(), &names.theirs).await;
    assert_eq!(before, after, "what is theirs has changed");
}

async fn reads_find_nothing(mine: &Tenant<App>, names: &Names, their_cursor: &Cursor) {
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
        assert!(page.is_ok_and(|page| page.items.is_empty() && page.items_read == 0 && page.next.is_none()));
        assert!(mine.query(pattern()).backward().all(MOST).await.unwrap().is_empty());
        let raw =
            RawExpression::new("attribute_exists(entity) OR #t <> :t").unwrap().name("t", "organization_id");
        let raw = raw.value("t", &names.mine).unwrap();
        let filtered = mine.query(pattern()).and_filter(raw).page().await.unwrap();
        assert!(filtered.items.is_empty() && filtered.items_read == 0);
        let mut pages = mine.query(pattern()).limit(1.try_into().unwrap()).pages();
        while let Some(page) = pages.next().await.unwrap() {
            assert!(page.items.is_empty() && page.items_read == 0);
        }
        let gone_on = mine.query(pattern()).after(their_cursor.clone()).page().await;
        assert!(!reveals(&gone_on));
        assert!(gone_on.is_err(), "a cursor of theirs was accepted");
        assert!(mine.get(TeamById { team_id: team_id.clone() }).await.unwrap().is_none());
        let named = MemberById { team_id, user_id: names.user.clone() };
        assert!(mine.get(named).await.unwrap().is_none());
    }
    let memberships = mine.query(MembershipsOfUser { user_id: names.user.clone() }).page().await.unwrap();
    assert!(memberships.items.is_empty());
    assert!(mine.query(Documents {}).all(MOST).await.unwrap().is_empty());
    let titled = mine.query(DocumentsTitled { title: SECRET.to_owned() }).page().await.unwrap();
    assert!(titled.items.is_empty() && titled.items_read == 0);
    assert!(mine.query(Invitations {}).page().await.unwrap().items.is_empty());
    let share = mine.get(ShareByToken { token: names.token.clone() }).await;
    assert!(!reveals(&share));
    assert!(share.is_err());
}

/// What is looked up across tenants is an error and shows nothing of theirs, not even to whoever asks for it piece by piece.
async fn lookups_reveal_nothing(store: &Store<App>, mine: &Tenant<App>, names: &Names) {
    let by_address = || InvitationsByAddress { address: names.user.clone() };
    let page = mine.lookup(by_address()).page().await.unwrap();
    assert!(!reveals(&page) && page.items.iter().all(Result::is_err));
    assert!(page.items.iter().all(|item| item.as_ref().is_err_and(|error| error.key().is_none())));
    // Once a filter of the caller's own was asked of their items, too: the count of errors said whether it held.
    for guess in ["the other tenant's secret", "something else"] {
        let raw = RawExpression::new("note = :note").unwrap().value("note", &guess).unwrap();
        let page = mine.lookup(by_address()).and_filter(raw).page().await.unwrap();
        assert!(page.items.is_empty(), "{guess}");
    }
    let found = store.lookup(by_address()).page().await.unwrap();
    assert!(!reveals(&found));
    for found in found.into_items().unwrap() {
        let refused = found.verify(mine).unwrap_err();
        assert!(!reveals(&refused) && !refused.to_string().contains(SECRET));
    }
    assert!(!reveals(&(store, mine, store.usage())));
}

/// The key of a share token is a deviation, which holds no tenant: an update of theirs went through once, since only puts and deletes
/// asked whose item it was.
async fn upserts_and_conditions_touch_nothing(mine: &Tenant<App>, names: &Names, expires_at: u64) {
    let by_token = || ShareByToken { token: names.token.clone() };
    let end = || mine.update(by_token(), EndShare { expires_at: 1 });
    let all = || RawExpression::new("attribute_exists(pk) OR attribute_not_exists(pk)").unwrap();
    let token = share_token(&names.mine, &names.token, expires_at);

    for update in [end(), end().when_raw(all())] {
        let outcome = update.send().await.unwrap();
        assert!(matches!(outcome, Conditional::Failed { current: None }));
    }
    let upsert = end().or_insert(&token).await;
    assert!(matches!(&upsert, Err(WriteError::Foreign(_))), "{upsert:?}");
    assert!(!reveals(&upsert));
    for outcome in [
        mine.put(&token).when_raw(all()).send().await.unwrap().is_done(),
        mine.put(&token).if_present().send().await.unwrap().is_done(),
        mine.delete(by_token()).when_raw(all()).send().await.unwrap().is_done(),
    ] {
        assert!(!outcome);
    }
    // Names of theirs where a document or an invitation of mine would be.
    let count = mine.update(DocumentById { document_id: 1 }, CountViews { views: 1 });
    assert!(matches!(count.if_version(1).send().await.unwrap(), Conditional::Failed { current: None }));
    let count = mine.update(DocumentById { document_id: 1 }, CountViews { views: 1 });
    let first = document(&names.mine, 1);
    assert!(matches!(count.or_insert(&first).await.unwrap(), Conditional::Done(Upserted::Inserted(_))));
    assert!(
        mine.delete(InvitationById { invitation_id: 1 }).if_present().send().await.unwrap().done().is_none()
    );
    assert!(mine.put(&document(&names.theirs, 1)).if_version(1).send().await.is_err());
}

async fn writes_touch_nothing(mine: &Tenant<App>, names: &Names, expires_at: u64) {
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
    with_hostile_names(100, nothing_crosses);
}
