//! Writes, by names of theirs, and on keys that hold no tenant.

use keywright::{Condition, Conditional, Old, RawExpression, Upserted, WriteError};

use super::Both;
use crate::application::*;

/// A share token that lasts so long.
#[derive(Condition)]
#[condition(table = App, of = ShareToken, expires_at >= least)]
struct Lasts {
    least: u64,
}

/// Holds for everything.
const LASTS: Lasts = Lasts { least: 0 };

fn all() -> RawExpression {
    RawExpression::new("attribute_exists(pk) OR attribute_not_exists(pk)").unwrap()
}

pub(super) async fn touch_nothing(both: &Both) {
    names_of_theirs_are_names_of_mine(both).await;
    puts_on_their_key_fail(both).await;
    updates_and_deletes_on_their_key_fail(both).await;
    mine_lies_beside_theirs(both).await;
}

async fn names_of_theirs_are_names_of_mine(both: &Both) {
    let mine = &both.mine;
    let award = || mine.update(both.by_id(), Award { points: 1 });
    for update in [award(), award().when(&HasPoints { least: 0 }), award().when_raw(all())] {
        let update = both.hear("update", update.send().await).unwrap();
        assert!(matches!(update, Conditional::Failed { current: None }));
    }
    let update = both.hear("update.returning_old", award().returning_old().send().await).unwrap();
    assert!(matches!(update, Conditional::Failed { current: None }));
    let role = ChangeRole { role: "lead".to_owned() };
    let update = mine.update(both.by_id(), role).may_repeat().send().await;
    assert!(matches!(both.hear("update.may_repeat", update).unwrap(), Conditional::Failed { current: None }));
    let delete = mine.delete(both.by_id()).when(&HasPoints { least: 0 }).send().await;
    assert!(matches!(both.hear("delete.when", delete).unwrap(), Conditional::Failed { current: None }));
    let delete = mine.delete(both.by_id()).returning_old().send().await;
    assert_eq!(both.hear("delete.returning_old", delete).unwrap().old, Old::Nothing);
    let delete = mine.delete(both.by_id()).may_repeat().send().await;
    both.hear("delete.may_repeat", delete).unwrap();
    let team = TeamById { team_id: both.names.team.clone() };
    both.hear("delete", mine.delete(team).send().await).unwrap();
    both.hear("delete.request", mine.delete(both.by_id()).request()).unwrap();
    let by_number = || DocumentById { document_id: 1 };
    let count = mine.update(by_number(), CountViews { views: 1 }).if_version(1).send().await;
    assert!(matches!(both.hear("update.if_version", count).unwrap(), Conditional::Failed { current: None }));
    let delete = mine.delete(by_number()).if_version(1).send().await;
    assert!(matches!(both.hear("delete.if_version", delete).unwrap(), Conditional::Failed { current: None }));
    let gone = mine.delete(InvitationById { invitation_id: 1 }).if_present().send().await;
    assert!(both.hear("delete.if_present", gone).unwrap().done().is_none());

    // An entity of theirs through my handle. The error may not even show what I gave.
    let theirs = team_of_theirs(both);
    assert!(matches!(both.hear("put", mine.put(&theirs).send().await), Err(WriteError::Foreign(_))));
    let versioned = document(&both.names.theirs, 1);
    let put = mine.put(&versioned).if_version(1).send().await;
    assert!(matches!(both.hear("put.if_version", put), Err(WriteError::Foreign(_))));
    assert!(matches!(both.hear("put.request", mine.put(&theirs).request()), Err(WriteError::Foreign(_))));
}

fn team_of_theirs(both: &Both) -> Team {
    team(&both.names.theirs, &both.names.team)
}

/// The key of a share token is a deviation, which holds no tenant.
async fn puts_on_their_key_fail(both: &Both) {
    let mine = &both.mine;
    let token = share_token(&both.names.mine, &both.names.token, both.later);
    let etag = both.theirs.get(both.by_token()).await.unwrap().unwrap().etag().unwrap();
    both.told.take_spans();

    for put in [mine.put(&token), mine.put(&token).may_repeat()] {
        assert!(matches!(both.hear("put", put.send().await), Err(WriteError::Foreign(_))));
    }
    for put in [mine.put(&token), mine.put(&token).may_repeat()] {
        let put = both.hear("put.returning_old", put.returning_old().send().await);
        assert!(matches!(put, Err(WriteError::Foreign(_))));
    }
    let puts = || {
        [
            ("put.if_absent", mine.put(&token).if_absent()),
            ("put.if_present", mine.put(&token).if_present()),
            ("put.if_match", mine.put(&token).if_match(&etag)),
            ("put.when", mine.put(&token).when(&LASTS)),
            ("put.when_raw", mine.put(&token).when_raw(all())),
            ("put.may_repeat", mine.put(&token).may_repeat().if_absent()),
        ]
    };
    for (operation, put) in puts() {
        let put = both.hear(operation, put.send().await).unwrap();
        assert!(matches!(put, Conditional::Failed { current: None }), "{operation}");
    }
    for (operation, put) in puts() {
        let put = both.hear(operation, put.returning_old().send().await).unwrap();
        assert!(matches!(put, Conditional::Failed { current: None }), "{operation}");
    }
    let first = mine.update(both.by_token(), EndShare { expires_at: 1 }).or_insert(&token).await;
    assert!(matches!(both.hear("or_insert", first), Err(WriteError::Foreign(_))));
}

async fn updates_and_deletes_on_their_key_fail(both: &Both) {
    let mine = &both.mine;
    let etag = both.theirs.get(both.by_token()).await.unwrap().unwrap().etag().unwrap();
    both.told.take_spans();
    let end = || mine.update(both.by_token(), EndShare { expires_at: 1 });
    let updates = || {
        [
            ("update", end()),
            ("update.if_match", end().if_match(&etag)),
            ("update.when", end().when(&LASTS)),
            ("update.when_raw", end().when_raw(all())),
            ("update.may_repeat", end().may_repeat()),
        ]
    };
    for (operation, update) in updates() {
        let update = both.hear(operation, update.send().await).unwrap();
        assert!(matches!(update, Conditional::Failed { current: None }), "{operation}");
    }
    for (operation, update) in updates() {
        let update = both.hear(operation, update.returning_old().send().await).unwrap();
        assert!(matches!(update, Conditional::Failed { current: None }), "{operation}");
    }
    let delete = || mine.delete(both.by_token());
    for delete in [delete(), delete().may_repeat()] {
        assert!(matches!(both.hear("delete", delete.send().await), Err(WriteError::Foreign(_))));
    }
    let deleted = both.hear("delete.returning_old", delete().returning_old().send().await);
    assert!(matches!(deleted, Err(WriteError::Foreign(_))));
    let deletes = || {
        [
            ("delete.if_present", delete().if_present()),
            ("delete.if_match", delete().if_match(&etag)),
            ("delete.when", delete().when(&LASTS)),
            ("delete.when_raw", delete().when_raw(all())),
        ]
    };
    for (operation, delete) in deletes() {
        let delete = both.hear(operation, delete.send().await).unwrap();
        assert!(matches!(delete, Conditional::Failed { current: None }), "{operation}");
    }
    for (operation, delete) in deletes() {
        let delete = both.hear(operation, delete.returning_old().send().await).unwrap();
        assert!(matches!(delete, Conditional::Failed { current: None }), "{operation}");
    }
}

/// The same names, and two items.
async fn mine_lies_beside_theirs(both: &Both) {
    let mine = &both.mine;
    let beside = member(&both.names.mine, &both.names.team, &both.names.user);
    let put = both.hear("put.if_absent", mine.put(&beside).if_absent().send().await).unwrap();
    assert!(put.is_done());
    let etag = put.done().unwrap().etag();
    assert_eq!(*both.hear("get", mine.get(both.by_id()).await).unwrap().unwrap(), beside);
    let counted = mine.update(both.by_id(), Award { points: 1 }).if_match(&etag).send().await;
    assert_eq!(both.hear("update.if_match", counted).unwrap().done().unwrap().item.points, 1);
    let first = document(&both.names.mine, 1);
    let count = mine.update(DocumentById { document_id: 1 }, CountViews { views: 1 }).or_insert(&first).await;
    let count = both.hear("or_insert", count).unwrap();
    assert!(matches!(count, Conditional::Done(Upserted::Inserted(_))));
}

/// An item of theirs whose time is over is gone for me as it is for them: I find nothing, and its key is free.
pub(super) async fn reveal_nothing_of_what_is_over(both: &Both) {
    let (mine, theirs) = (&both.mine, &both.theirs);
    let past = both.arm.now_seconds() - 1;
    let token = share_token(&both.names.mine, &both.names.token, both.later);
    let lay = async || {
        let over = theirs.put(&share_token(&both.names.theirs, &both.names.token, past)).request().unwrap();
        let put = both.arm.client().put_item().table_name(both.store.table_name()).set_item(over.item);
        put.send().await.unwrap();
        both.told.take_spans();
    };
    lay().await;
    assert!(both.hear("get", mine.get(both.by_token()).await).unwrap().is_none());
    assert!(both.hear("lookup_item", both.store.lookup_item(both.by_token()).await).unwrap().is_none());
    let put =
        both.hear("put.if_present", mine.put(&token).if_present().returning_old().send().await).unwrap();
    assert!(matches!(put, Conditional::Failed { current: None }));
    let end = mine.update(both.by_token(), EndShare { expires_at: both.later }).send().await;
    assert!(matches!(both.hear("update", end).unwrap(), Conditional::Failed { current: None }));

    let put = both.hear("put.returning_old", mine.put(&token).returning_old().send().await).unwrap();
    assert!(put.old == Old::Nothing && put.old.item().is_none());
    lay().await;
    let put = mine.put(&token).if_absent().returning_old().send().await;
    assert_eq!(both.hear("put.if_absent", put).unwrap().done().unwrap().old, Old::Nothing);
    lay().await;
    let delete = both.hear("delete.returning_old", mine.delete(both.by_token()).returning_old().send().await);
    assert_eq!(delete.unwrap().old, Old::Nothing);
    lay().await;
    let upsert = mine.update(both.by_token(), EndShare { expires_at: 1 }).or_insert(&token).await;
    assert!(matches!(both.hear("or_insert", upsert).unwrap(), Conditional::Done(Upserted::Inserted(_))));
}
