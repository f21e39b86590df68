//! A counter of one tenant is nothing to another.

use keywright::{Added, ReadError, WriteError};

use crate::application::{ForeignCount, HOSTILE_IDS, Live, organization, tenant, views};
use crate::arm::on_every_arm;

#[tokio::test]
async fn the_same_counter_of_two_tenants_is_two_whatever_the_ids_are() {
    on_every_arm(|arm| async move {
        let store = arm.store::<Live>().await;
        let mut number = 0_i64;
        for owner in HOSTILE_IDS {
            for page in HOSTILE_IDS {
                number += 1;
                let _ = tenant(&store, owner).add(&views(owner, page), number).send().await.unwrap();
            }
        }
        number = 0;
        for owner in HOSTILE_IDS {
            for page in HOSTILE_IDS {
                number += 1;
                let count = tenant(&store, owner).count(&views(owner, page)).await.unwrap();
                assert_eq!(count, number, "{owner:?} {page:?}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_counter_of_another_tenant_is_not_counted_and_not_read() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let (acme, globex) = (tenant(&store, "acme"), tenant(&store, "globex"));
        let foreign = globex.add(&views("acme", "prices"), 1).send().await;
        assert!(matches!(foreign, Err(WriteError::Foreign(_))), "{foreign:?}");
        let _ = acme.add(&views("acme", "prices"), 7).send().await.unwrap();
        // Whose a counter is that is read is the handle's, whatever the value says.
        assert_eq!(globex.count(&views("acme", "prices")).await.unwrap(), 0);
    })
    .await;
}

#[tokio::test]
async fn a_counter_without_the_tenant_in_its_key_is_its_first_tenants() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let count =
            |tenant: &str| ForeignCount { organization_id: organization(tenant), name: "n".to_owned() };
        let (acme, globex) = (tenant(&store, "acme"), tenant(&store, "globex"));
        assert_eq!(acme.add(&count("acme"), 1).send().await.unwrap(), Added::Done { count: Some(1) });
        for by in [1, -1] {
            let foreign = globex.add(&count("globex"), by).send().await;
            assert!(matches!(foreign, Err(WriteError::Foreign(_))), "{foreign:?}");
        }
        assert!(matches!(globex.count(&count("globex")).await, Err(ReadError::Item(_))));
        assert_eq!(acme.count(&count("acme")).await.unwrap(), 1);
    })
    .await;
}
