//! Entities are stored, read by their patterns, and gone when they are deleted.

use std::num::NonZeroU32;

use crate::application::*;
use keywright::Conditional;

#[tokio::test]
async fn a_team_is_read_with_its_members_and_never_with_those_of_team_ten() {
    let store = store().await;
    let acme = tenant(&store, "acme");
    for entity in ["1", "10"] {
        acme.put(&team("acme", entity)).send().await.unwrap();
        acme.put(&member("acme", entity, "ada")).send().await.unwrap();
    }

    let page = acme.query(TeamWithMembers { team_id: "1".to_owned() }).page().await.unwrap();

    assert!(!page.has_more());
    let items = page.into_items().unwrap();
    assert_eq!(items.len(), 2);
    assert!(matches!(&items[0], TeamWithMembersItem::Team(found) if *found == team("acme", "1")));
    assert!(matches!(&items[1], TeamWithMembersItem::Member(found) if *found == member("acme", "1", "ada")));
}

#[tokio::test]
async fn an_insert_of_what_is_there_says_what_is_there() {
    let store = store().await;
    let acme = tenant(&store, "acme");
    let team = team("acme", "1");
    assert!(acme.put(&team).if_absent().send().await.unwrap().is_done());

    let second =
        acme.put(&Team { name: "Another".to_owned(), ..team.clone() }).if_absent().send().await.unwrap();

    let Conditional::Failed { current: Some(current) } = second else { panic!("{second:?}") };
    assert_eq!(*current, team);
}

#[tokio::test]
async fn pages_go_on_where_the_cursor_says() {
    let store = store().await;
    let acme = tenant(&store, "acme");
    for user in ["ada", "bob", "cyd"] {
        acme.put(&member("acme", "1", user)).send().await.unwrap();
    }
    let two = NonZeroU32::new(2).unwrap();
    let pattern = || TeamWithMembers { team_id: "1".to_owned() };

    let first = acme.query(pattern()).limit(two).page().await.unwrap();
    assert_eq!(first.items.len(), 2);
    let cursor = first.next.unwrap();
    let second = acme.query(pattern()).limit(two).after(cursor.clone()).page().await.unwrap();
    assert_eq!(second.items.len(), 1);

    let other = tenant(&store, "other");
    let foreign = other.query(pattern()).after(cursor).page().await;
    assert!(foreign.is_err());
}

#[tokio::test]
async fn a_share_token_of_another_tenant_is_neither_read_nor_replaced() {
    let store = store().await;
    let (acme, other) = (tenant(&store, "acme"), tenant(&store, "other"));
    let token = |organization: &str| ShareToken {
        token: "t1".to_owned(),
        organization_id: OrganizationId(organization.to_owned()),
        expires_at: u64::MAX >> 12,
    };
    acme.put(&token("acme")).send().await.unwrap();

    assert!(other.put(&token("other")).send().await.is_err());
    assert!(other.get(ShareByToken { token: "t1".to_owned() }).await.is_err());
    let found = store.lookup_item(ShareByToken { token: "t1".to_owned() }).await.unwrap().unwrap();
    assert!(found.verify(&other).is_err());
    let found = store.lookup_item(ShareByToken { token: "t1".to_owned() }).await.unwrap().unwrap();
    assert_eq!(*found.verify(&acme).unwrap(), token("acme"));
    assert!(other.delete(ShareByToken { token: "t1".to_owned() }).send().await.is_err());
    assert!(acme.get(ShareByToken { token: "t1".to_owned() }).await.unwrap().is_some());
}
