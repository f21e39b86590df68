//! One winner a claim, and one answer, whatever becomes of answers on their way.

use std::time::Duration;

use futures_util::future::join_all;
use keywright::{ClaimError, Claimed, ServiceProblem, WriteError};

use super::{faults, seeds};
use crate::application::{event, tenant};
use crate::arm::with_faults;

const KEPT: Duration = Duration::from_secs(4 * 24 * 60 * 60);

/// Nobody knows what became of a try, or it had no effect: the caller tries again later.
fn is_told(error: &ClaimError) -> bool {
    match error {
        ClaimError::Write(WriteError::Unknown { .. }) => true,
        ClaimError::Write(WriteError::Service(error)) => error.problem() == ServiceProblem::Throttled,
        _ => false,
    }
}

#[tokio::test]
async fn of_a_hundred_one_at_most_wins_and_its_answer_is_everybodys() {
    for seed in seeds() {
        let arm = with_faults(faults(seed, 0.08));
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        // Pauses between tries move the clock: no lease is over before the end.
        let lease = Duration::from_secs(24 * 60 * 60);
        let claims = join_all((0..100_u32).map(|caller| {
            let claim = acme.claim(&event, lease, KEPT);
            async move { (caller, claim.send::<u32>().await) }
        }));

        let mut winners = Vec::new();
        for (caller, claimed) in claims.await {
            match claimed {
                Ok(Claimed::New(held)) => winners.push((caller, held)),
                Ok(Claimed::InProgress { .. }) => {}
                Ok(Claimed::Done(answer)) => panic!("seed {seed}: nobody answered {answer}"),
                Err(error) => assert!(is_told(&error), "seed {seed}: {error}"),
            }
        }
        assert!(winners.len() <= 1, "seed {seed}: {} won", winners.len());
        let Some((winner, held)) = winners.pop() else { continue };
        let completed = held.complete(&winner).await;
        assert!(
            completed.as_ref().is_ok() || completed.as_ref().is_err_and(is_told),
            "seed {seed}: {completed:?}"
        );
        for _ in 0..20 {
            match acme.claim(&event, lease, KEPT).send::<u32>().await {
                Ok(Claimed::Done(answer)) => assert_eq!(answer, winner, "seed {seed}"),
                Ok(Claimed::InProgress { .. }) => {
                    assert!(completed.is_err(), "seed {seed}: it was completed")
                }
                Ok(Claimed::New(_)) => panic!("seed {seed}: it has a winner"),
                Err(error) => assert!(is_told(&error), "seed {seed}: {error}"),
            }
        }
    }
}

/// Workers die at every point of their work. However often a claim changes hands, one answer is stored, and everybody who was told
/// that theirs was is the one whose answer it is.
#[tokio::test]
async fn one_answer_is_stored_though_leases_run_out_under_their_holders() {
    for seed in seeds() {
        let arm = with_faults(faults(seed, 0.08));
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let event = event("acme", "e1");
        let lease = Duration::from_secs(5);
        let mut sleeping = Vec::new();
        let mut stored = Vec::new();
        let mut seen = Vec::new();
        for worker in 0..30_u32 {
            match acme.claim(&event, lease, KEPT).send::<u32>().await {
                Ok(Claimed::New(held)) => sleeping.push((worker, held)),
                Ok(Claimed::InProgress { .. }) => {}
                Ok(Claimed::Done(answer)) => seen.push(answer),
                Err(error) => assert!(is_told(&error), "seed {seed}: {error}"),
            }
            // Every third time the one who sleeps longest wakes, long after its lease.
            if worker % 3 == 2 && !sleeping.is_empty() {
                let (worker, held) = sleeping.remove(0);
                match held.complete(&worker).await {
                    Ok(()) => stored.push(worker),
                    Err(ClaimError::Lost { .. }) => {}
                    Err(error) => assert!(is_told(&error), "seed {seed}: {error}"),
                }
            }
            arm.advance(Duration::from_secs(2));
        }
        assert!(stored.len() <= 1, "seed {seed}: {stored:?} were told that theirs was stored");
        seen.dedup();
        assert!(seen.len() <= 1, "seed {seed}: {seen:?} were seen");
        if let (Some(stored), Some(seen)) = (stored.first(), seen.first()) {
            assert_eq!(stored, seen, "seed {seed}");
        }
    }
}
