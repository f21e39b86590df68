//! No more permits than there are, whatever becomes of answers.

use std::time::Duration;

use futures_util::future::join_all;
use keywright::{Rate, ServiceProblem, Taken, WriteError};

use super::{faults, seeds};
use crate::application::{call_limit, tenant};
use crate::arm::with_faults;

#[tokio::test]
async fn a_bucket_gives_no_more_than_it_has_and_no_less_than_nobody_knows_of() {
    for seed in seeds() {
        let arm = with_faults(faults(seed, 0.05));
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let ada = call_limit("acme", "ada");
        // Pauses between tries move the clock, and no permit comes back meanwhile.
        let rate = Rate::new(20, Duration::from_secs(10 * 365 * 24 * 60 * 60)).unwrap();
        let (mut allowed, mut unknown, mut refused) = (0, 0, 0);
        for taken in join_all((0..60).map(|_| acme.take(&ada, rate, 1))).await {
            match taken {
                Ok(Taken::Allowed { .. }) => allowed += 1,
                Ok(Taken::Refused { .. }) => refused += 1,
                Err(WriteError::Unknown { .. }) => unknown += 1,
                Err(WriteError::Service(error)) => assert_eq!(error.problem(), ServiceProblem::Throttled),
                Err(error) => panic!("seed {seed}: {error}"),
            }
        }
        assert!(allowed <= 20, "seed {seed}: {allowed} allowed");
        assert!(refused == 0 || allowed + unknown >= 20, "seed {seed}: {allowed} allowed, {unknown} unknown");
    }
}
