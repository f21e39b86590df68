//! Tokens that are used once: hashed, by one, in time.

use std::time::Duration;

use futures_util::future::join_all;
use keywright::{Consumed, TokenSecret, WriteError};

use crate::application::{Live, PinReset, PinResetOfUser, Reset, ResetByToken, organization, tenant};
use crate::arm::on_every_arm;

const HOUR: Duration = Duration::from_secs(3600);

fn reset(tenant: &str, secret: &TokenSecret) -> Reset {
    Reset { token: secret.hash(), organization_id: organization(tenant), user_id: "ada".to_owned() }
}

fn by_token(secret: &TokenSecret) -> ResetByToken {
    ResetByToken { token: secret.hash() }
}

#[tokio::test]
async fn of_a_hundred_who_bring_a_token_one_uses_it() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let secret = TokenSecret::generate();
        acme.issue(&reset("acme", &secret), &secret, HOUR).await.unwrap();
        let used = join_all((0..100).map(|_| acme.consume(by_token(&secret), &secret))).await;
        let mut winners = 0;
        for used in used {
            match used.unwrap() {
                Consumed::Done(token) => {
                    assert_eq!(token.user_id, "ada");
                    winners += 1;
                }
                Consumed::Before => {}
                Consumed::Unknown => panic!("it was issued"),
            }
        }
        assert_eq!(winners, 1);
    })
    .await;
}

#[tokio::test]
async fn the_secret_is_not_stored_and_not_shown() {
    on_every_arm(|arm| async move {
        let store = arm.store::<Live>().await;
        let secret = TokenSecret::generate();
        tenant(&store, "acme").issue(&reset("acme", &secret), &secret, HOUR).await.unwrap();
        let scan = arm.client().scan().table_name(store.table_name()).send().await.unwrap();
        let stored = format!("{:?}", scan.items());
        assert!(stored.contains(secret.hash().as_str()) && !stored.contains(&secret.reveal()));
        assert!(!format!("{secret:?}").contains(&secret.reveal()));
        assert_eq!(TokenSecret::parse(&secret.reveal()).unwrap(), secret);
        for text in
            ["", "short", &secret.reveal()[1..], &format!("{}A", secret.reveal()), "!".repeat(43).as_str()]
        {
            assert!(TokenSecret::parse(text).is_err(), "{text}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_token_is_good_until_the_second_in_which_its_time_is_over() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let (in_time, late) = (TokenSecret::generate(), TokenSecret::generate());
        for secret in [&in_time, &late] {
            acme.issue(&reset("acme", secret), secret, HOUR).await.unwrap();
        }
        if !arm.advance(HOUR - Duration::from_secs(1)) {
            return;
        }
        assert!(matches!(acme.consume(by_token(&in_time), &in_time).await.unwrap(), Consumed::Done(_)));
        arm.advance(Duration::from_secs(1));
        assert_eq!(acme.consume(by_token(&late), &late).await.unwrap(), Consumed::Unknown);
        assert_eq!(acme.consume(by_token(&in_time), &in_time).await.unwrap(), Consumed::Unknown);
    })
    .await;
}

/// A second link was sent, and the first one, in a mailbox that somebody else reads, was still good.
#[tokio::test]
async fn a_token_that_takes_anothers_place_ends_it_and_another_secret_uses_neither() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let token = PinReset { organization_id: organization("acme"), user_id: "ada".to_owned() };
        let by_user = || PinResetOfUser { user_id: "ada".to_owned() };
        let (first, second) = (TokenSecret::generate(), TokenSecret::generate());
        assert_eq!(acme.consume(by_user(), &first).await.unwrap(), Consumed::Unknown);
        acme.issue(&token, &first, HOUR).await.unwrap();
        acme.issue(&token, &second, HOUR).await.unwrap();
        assert_eq!(acme.consume(by_user(), &first).await.unwrap(), Consumed::Unknown);
        assert!(matches!(acme.consume(by_user(), &second).await.unwrap(), Consumed::Done(_)));
        assert_eq!(acme.consume(by_user(), &first).await.unwrap(), Consumed::Unknown, "nor that it was used");
        assert_eq!(acme.consume(by_user(), &second).await.unwrap(), Consumed::Before);
    })
    .await;
}

#[tokio::test]
async fn a_token_of_another_tenant_is_not_used_and_not_replaced() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let (acme, globex) = (tenant(&store, "acme"), tenant(&store, "globex"));
        let secret = TokenSecret::generate();
        acme.issue(&reset("acme", &secret), &secret, HOUR).await.unwrap();
        assert_eq!(globex.consume(by_token(&secret), &secret).await.unwrap(), Consumed::Unknown);
        let replaced = globex.issue(&reset("globex", &secret), &secret, HOUR).await;
        assert!(matches!(replaced, Err(WriteError::Foreign(_))), "{replaced:?}");
        let foreign = globex.issue(&reset("acme", &secret), &secret, HOUR).await;
        assert!(matches!(foreign, Err(WriteError::Foreign(_))), "{foreign:?}");

        let found = store.lookup_item(by_token(&secret)).await.unwrap().unwrap();
        assert!(found.verify(&globex).is_err());
        assert!(matches!(acme.consume(by_token(&secret), &secret).await.unwrap(), Consumed::Done(_)));
        // What is over is in nobody's way.
        if arm.advance(HOUR) {
            globex.issue(&reset("globex", &secret), &secret, HOUR).await.unwrap();
            assert!(matches!(globex.consume(by_token(&secret), &secret).await.unwrap(), Consumed::Done(_)));
        }
    })
    .await;
}
