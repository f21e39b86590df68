//! A claim of one tenant is nothing to another.

use keywright::{ClaimError, Claimed, WriteError};

use super::{KEPT, LEASE, held};
use crate::application::{ForeignEvent, HOSTILE_IDS, event, organization, tenant};
use crate::arm::on_every_arm;

#[tokio::test]
async fn the_same_id_of_two_tenants_is_two_claims_whatever_the_ids_are() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let mut number = 0_u32;
        for owner in HOSTILE_IDS {
            for id in HOSTILE_IDS {
                let worker =
                    tenant(&store, owner).claim(&event(owner, id), LEASE, KEPT).send().await.unwrap();
                let worker = held(worker).unwrap_or_else(|| panic!("{owner:?} has {id:?} already"));
                worker.complete(&number).await.unwrap();
                number += 1;
            }
        }
        number = 0;
        for owner in HOSTILE_IDS {
            for id in HOSTILE_IDS {
                let again = tenant(&store, owner).claim(&event(owner, id), LEASE, KEPT).send::<u32>().await;
                assert!(
                    matches!(again.unwrap(), Claimed::Done(answer) if answer == number),
                    "{owner:?} {id:?}"
                );
                number += 1;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_claim_of_another_tenant_is_refused_before_anything_is_sent() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let foreign = tenant(&store, "acme").claim(&event("globex", "e1"), LEASE, KEPT).send::<u32>().await;
        assert!(matches!(foreign, Err(ClaimError::Write(WriteError::Foreign(_)))), "{foreign:?}");
        assert!(store.usage().writes.is_empty());
    })
    .await;
}

/// An expired claim of another tenant was in the way for as long as the service had not deleted it.
#[tokio::test]
async fn a_claim_without_the_tenant_in_its_key_shows_nothing_of_another_tenants() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let event = |tenant: &str| ForeignEvent {
            organization_id: organization(tenant),
            event_id: "evt_1".to_owned(),
        };
        let (of_acme, of_globex) = (event("acme"), event("globex"));
        let acme = tenant(&store, "acme").claim(&of_acme, LEASE, KEPT).send().await.unwrap();
        let globex = || tenant(&store, "globex").claim(&of_globex, LEASE, KEPT).send::<String>();
        let acme = held(acme).unwrap();
        for _ in 0..2 {
            let error = globex().await.unwrap_err();
            assert!(matches!(error, ClaimError::Write(WriteError::Foreign(_))), "{error}");
            arm.advance(LEASE * 2);
        }
        acme.complete(&"acme's".to_owned()).await.unwrap();
        if !arm.advance(KEPT * 2) {
            return;
        }
        // It is gone for everybody, and globex's from then on.
        assert!(held(globex().await.unwrap()).is_some());
        let again = tenant(&store, "acme").claim(&of_acme, LEASE, KEPT).send::<String>().await.unwrap_err();
        assert!(matches!(again, ClaimError::Write(WriteError::Foreign(_))), "{again}");
    })
    .await;
}
