//! Fencing holds whatever becomes of answers, and leases end under their holders.

use std::time::Duration;

use keywright::{LockError, Locked, ServiceProblem, Transacted, TransactionError, WriteError};

use super::{faults, seeds};
use crate::application::{NoteById, job, note, tenant};
use crate::arm::with_faults;

fn is_told(error: &WriteError) -> bool {
    match error {
        WriteError::Unknown { .. } => true,
        WriteError::Service(error) => error.problem() == ServiceProblem::Throttled,
        _ => false,
    }
}

/// Ten workers sleep and wake in an order from the seed. Each writes its token: what is stored never goes back.
#[tokio::test]
async fn what_a_lock_protects_is_never_written_by_one_whose_lock_another_has_taken() {
    for seed in seeds() {
        let arm = with_faults(faults(seed, 0.06));
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let billing = job("acme", "billing");
        let lease = Duration::from_secs(10);
        let mut holders = Vec::new();
        let (mut highest_token, mut highest_stored, mut refused) = (0, 0, 0);
        for step in 0..60_u64 {
            match acme.lock(&billing, lease).send().await {
                Ok(Locked::Held(held)) => {
                    assert!(held.token().number() > highest_token, "seed {seed}: a token came twice");
                    highest_token = held.token().number();
                    holders.push(held);
                }
                Ok(Locked::Taken { .. }) => {}
                Err(error) => assert!(is_told(&error), "seed {seed}: {error}"),
            }
            arm.advance(Duration::from_secs(4));
            if holders.is_empty() {
                continue;
            }
            let place = usize::try_from((step * 7 + seed) % holders.len() as u64).unwrap();
            let token = holders[place].token().number();
            let mut transaction = acme.transaction();
            transaction.add(holders[place].check());
            let written = note("acme", "text", token);
            transaction.add(acme.put(&written));
            match transaction.send().await {
                Ok(Transacted::Done(_)) => {
                    assert!(token >= highest_stored, "seed {seed}: {token} after {highest_stored}")
                }
                Ok(Transacted::Canceled(_)) => refused += 1,
                Err(TransactionError::Unknown { .. } | TransactionError::Service(_)) => {}
                Err(error) => panic!("seed {seed}: {error}"),
            }
            let stored = loop {
                match acme.get(NoteById { note_id: 1 }).await {
                    Ok(stored) => break stored.map_or(0, |note| note.fence),
                    Err(_) => continue,
                }
            };
            assert!(stored >= highest_stored, "seed {seed}: {stored} was stored over {highest_stored}");
            highest_stored = stored;
            if step % 5 == 4 {
                match holders[place].renew(lease).await {
                    Ok(()) => {
                        assert_eq!(token, highest_token, "seed {seed}: renewed by one who was replaced")
                    }
                    Err(LockError::Lost { .. }) => {
                        drop(holders.remove(place));
                    }
                    Err(LockError::Write(error)) => assert!(is_told(&error), "seed {seed}: {error}"),
                    Err(error) => panic!("seed {seed}: {error}"),
                }
            }
        }
        assert!(refused > 0 && highest_token > 3, "seed {seed}: {refused} refused, token {highest_token}");
    }
}
