//! A token is used once, and who used it is told, whatever becomes of answers.

use std::time::Duration;

use futures_util::future::join_all;
use keywright::{Consumed, ServiceProblem, TokenSecret, WriteError};

use super::{faults, seeds};
use crate::application::{Reset, ResetByToken, organization, tenant};
use crate::arm::with_faults;

#[tokio::test]
async fn of_many_one_at_most_is_told_that_the_token_is_its_own() {
    let mut winners = 0;
    for seed in seeds() {
        let arm = with_faults(faults(seed, 0.06));
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let secret = TokenSecret::generate();
        let reset =
            Reset { token: secret.hash(), organization_id: organization("acme"), user_id: "ada".to_owned() };
        let year = Duration::from_secs(365 * 24 * 60 * 60);
        while acme.issue(&reset, &secret, year).await.is_err() {}
        let by_token = || ResetByToken { token: secret.hash() };
        let used = join_all((0..40).map(|_| acme.consume(by_token(), &secret))).await;
        let mut of_seed = 0;
        for used in used {
            match used {
                Ok(Consumed::Done(_)) => of_seed += 1,
                Ok(Consumed::Before) => {}
                Ok(Consumed::Unknown) => panic!("seed {seed}: it was issued"),
                Err(WriteError::Unknown { .. }) => {}
                Err(WriteError::Service(error)) => assert_eq!(error.problem(), ServiceProblem::Throttled),
                Err(error) => panic!("seed {seed}: {error}"),
            }
        }
        assert!(of_seed <= 1, "seed {seed}: {of_seed} used it");
        winners += of_seed;
    }
    assert!(winners > 20, "{winners} winners");
}
