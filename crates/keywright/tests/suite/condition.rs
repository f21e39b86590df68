//! Conditions: that one does not hold is an outcome, and shows what is there.

use keywright::{Conditional, ETag};

use crate::application::*;
use crate::arm::on_every_arm;

fn ada() -> MemberById {
    MemberById { team_id: "1".to_owned(), user_id: "ada".to_owned() }
}

#[tokio::test]
async fn points_are_taken_only_from_who_has_them() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        acme.put(&Member { points: 5, ..member("acme", "1", "ada") }).send().await.unwrap();
        let take = || acme.update(ada(), Award { points: -3 }).when(&HasPoints { least: 3 }).send();

        assert!(take().await.unwrap().is_done());
        let second = take().await.unwrap();

        let Conditional::Failed { current: Some(current) } = second else { panic!("{second:?}") };
        assert_eq!(current.points, 2);
    })
    .await;
}

#[tokio::test]
async fn an_entity_tag_keeps_what_somebody_else_wrote_in_between() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        acme.put(&member("acme", "1", "ada")).send().await.unwrap();
        let read = acme.get(ada()).await.unwrap().unwrap().etag().unwrap();
        assert!(acme.update(ada(), ChangeRole { role: "lead".to_owned() }).send().await.unwrap().is_done());

        let late = Member { role: "guest".to_owned(), ..member("acme", "1", "ada") };
        assert!(!acme.put(&late).if_match(&read).send().await.unwrap().is_done());
        assert!(!acme.delete(ada()).if_match(&read).send().await.unwrap().is_done());

        let now = acme.get(ada()).await.unwrap().unwrap();
        assert_eq!(now.role, "lead");
        let tag = ETag::parse(&now.etag().unwrap().to_string()).unwrap();
        assert!(acme.delete(ada()).if_match(&tag).send().await.unwrap().is_done());
    })
    .await;
}

#[tokio::test]
async fn the_tag_of_a_deleted_item_never_fits_the_one_that_was_made_again() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let written = acme.put(&member("acme", "1", "ada")).send().await.unwrap();
        acme.delete(ada()).send().await.unwrap();
        acme.put(&member("acme", "1", "ada")).send().await.unwrap();

        let outcome = acme.delete(ada()).if_match(&written.etag()).send().await.unwrap();

        assert!(!outcome.is_done());
        assert!(acme.get(ada()).await.unwrap().is_some());
    })
    .await;
}
