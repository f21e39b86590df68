//! An item whose time is over is gone, though it is still stored.

use std::time::Duration;

use keywright::Conditional;

use crate::application::*;
use crate::arm::on_every_arm;

fn by_token() -> ShareByToken {
    ShareByToken { token: "t1".to_owned() }
}

#[tokio::test]
async fn a_token_whose_time_is_over_is_gone_and_can_be_minted_again() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let over = share_token("acme", "t1", arm.now_seconds() - 1);
        acme.put(&over).send().await.unwrap();

        assert!(acme.get(by_token()).await.unwrap().is_none());
        assert!(store.lookup_item(by_token()).await.unwrap().is_none());
        let deleted = acme.delete(by_token()).if_present().send().await.unwrap();
        assert!(matches!(deleted, Conditional::Failed { current: None }), "{deleted:?}");

        let fresh = share_token("acme", "t1", arm.now_seconds() + 1000);
        assert!(acme.put(&fresh).if_absent().send().await.unwrap().is_done());
        assert_eq!(*acme.get(by_token()).await.unwrap().unwrap(), fresh);
    })
    .await;
}

#[tokio::test]
async fn a_token_is_there_until_the_second_in_which_its_time_is_over() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        acme.put(&share_token("acme", "t1", arm.now_seconds() + 60)).send().await.unwrap();

        if !arm.advance(Duration::from_secs(59)) {
            return;
        }
        assert!(acme.get(by_token()).await.unwrap().is_some());
        arm.advance(Duration::from_secs(1));
        assert!(acme.get(by_token()).await.unwrap().is_none());
    })
    .await;
}
