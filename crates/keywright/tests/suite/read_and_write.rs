//! Entities are stored, read by their patterns, and gone when they are deleted.

use std::num::NonZeroU32;

use keywright::{Conditional, ReadError};

use crate::application::*;
use crate::arm::on_every_arm;

fn whole_team(team_id: &str) -> TeamWithMembers {
    TeamWithMembers { team_id: team_id.to_owned() }
}

#[tokio::test]
async fn a_team_is_read_with_its_members_and_never_with_those_of_team_ten() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        for team_id in ["1", "10"] {
            acme.put(&team("acme", team_id)).send().await.unwrap();
            acme.put(&member("acme", team_id, "ada")).send().await.unwrap();
        }

        let page = acme.query(whole_team("1")).page().await.unwrap();

        assert!(!page.has_more());
        let items = page.into_items().unwrap();
        assert_eq!(items.len(), 2);
        assert!(matches!(&items[0], TeamWithMembersItem::Team(found) if *found == team("acme", "1")));
        assert!(
            matches!(&items[1], TeamWithMembersItem::Member(found) if *found == member("acme", "1", "ada"))
        );
    })
    .await;
}

#[tokio::test]
async fn an_insert_of_what_is_there_says_what_is_there() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let team = team("acme", "1");
        assert!(acme.put(&team).if_absent().send().await.unwrap().is_done());

        let another = Team { name: "Another".to_owned(), ..team.clone() };
        let second = acme.put(&another).if_absent().send().await.unwrap();

        let Conditional::Failed { current: Some(current) } = second else { panic!("{second:?}") };
        assert_eq!(*current, team);
    })
    .await;
}

#[tokio::test]
async fn pages_go_on_where_the_cursor_says_and_for_nobody_else() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let (acme, other) = (tenant(&store, "acme"), tenant(&store, "other"));
        for user_id in ["ada", "bob", "cyd"] {
            acme.put(&member("acme", "1", user_id)).send().await.unwrap();
            other.put(&member("other", "1", user_id)).send().await.unwrap();
        }
        let two = NonZeroU32::new(2).unwrap();

        let first = acme.query(whole_team("1")).limit(two).page().await.unwrap();
        assert_eq!(first.items.len(), 2);
        let cursor = first.next.unwrap();
        let second = acme.query(whole_team("1")).limit(two).after(cursor.clone()).page().await.unwrap();
        assert_eq!(second.items.len(), 1);

        for refused in [
            other.query(whole_team("1")).after(cursor.clone()).page().await,
            acme.query(whole_team("2")).after(cursor.clone()).page().await,
            acme.query(whole_team("1")).backward().after(cursor).page().await,
        ] {
            assert!(matches!(refused, Err(ReadError::Cursor(_))), "{refused:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_share_token_of_another_tenant_is_neither_read_nor_replaced_nor_deleted() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let (acme, other) = (tenant(&store, "acme"), tenant(&store, "other"));
        let expires_at = arm.now_seconds() + 1000;
        let token = |organization: &str| share_token(organization, "t1", expires_at);
        let by_token = || ShareByToken { token: "t1".to_owned() };
        acme.put(&token("acme")).send().await.unwrap();

        assert!(other.put(&token("other")).send().await.is_err());
        assert!(other.get(by_token()).await.is_err());
        assert!(other.delete(by_token()).send().await.is_err());
        let insert = other.put(&token("other")).if_absent().send().await.unwrap();
        assert!(matches!(insert, Conditional::Failed { current: None }), "{insert:?}");

        let found = store.lookup_item(by_token()).await.unwrap().unwrap();
        assert!(found.verify(&other).is_err());
        let found = store.lookup_item(by_token()).await.unwrap().unwrap();
        assert_eq!(*found.verify(&acme).unwrap(), token("acme"));
        assert_eq!(*acme.get(by_token()).await.unwrap().unwrap(), token("acme"));
    })
    .await;
}

#[tokio::test]
async fn an_entity_of_another_tenant_is_refused_before_anything_is_sent() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");

        assert!(acme.put(&team("other", "1")).send().await.is_err());

        assert!(tenant(&store, "other").get(TeamById { team_id: "1".to_owned() }).await.unwrap().is_none());
        assert!(store.usage().writes.is_empty());
    })
    .await;
}
