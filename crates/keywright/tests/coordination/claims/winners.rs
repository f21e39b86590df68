//! Of many who claim at once one gets it.

use futures_util::future::join_all;
use keywright::Claimed;

use super::{KEPT, LEASE, held};
use crate::application::{event, tenant};
use crate::arm::on_every_arm;

#[tokio::test]
async fn of_a_hundred_one_gets_the_claim_and_the_others_learn_until_when() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        let claims = join_all((0..100).map(|_| acme.claim(&event, LEASE, KEPT).send::<u32>())).await;

        let mut held = Vec::new();
        for claimed in claims {
            match claimed.unwrap() {
                Claimed::New(claim) => held.push(claim),
                Claimed::InProgress { until } => {
                    let seconds = u64::try_from(until.unix_milliseconds()).unwrap() / 1000;
                    assert!(seconds >= arm.now_seconds() + 25, "{until}");
                }
                Claimed::Done(answer) => panic!("nobody answered {answer}"),
            }
        }
        assert_eq!(held.len(), 1);
        held.pop().unwrap().complete(&7).await.unwrap();

        let again = join_all((0..100).map(|_| acme.claim(&event, LEASE, KEPT).send::<u32>())).await;
        assert!(again.into_iter().all(|claimed| matches!(claimed.unwrap(), Claimed::Done(7))));
    })
    .await;
}

#[tokio::test]
async fn a_claim_and_its_answer_cost_a_unit_each_and_a_replay_none_but_the_refused_one() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        held(acme.claim(&event, LEASE, KEPT).send().await.unwrap()).unwrap().complete(&7).await.unwrap();
        let usage = store.usage().writes["Event"];
        assert_eq!((usage.requests, usage.units, usage.items_put), (2, 2.0, 1));

        assert!(matches!(acme.claim(&event, LEASE, KEPT).send::<u32>().await.unwrap(), Claimed::Done(7)));
        assert_eq!(store.usage().writes["Event"].requests, 3);
    })
    .await;
}
