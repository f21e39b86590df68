//! Sharded counters: spread when they are written, complete when they are read, whatever their number of shards was.

use keywright::{Added, Entity, Store, Table};
use serde::{Deserialize, Serialize};

use super::stored;
use crate::application::{OrganizationId, organization, tenant, views};
use crate::arm::on_every_arm;

#[tokio::test]
async fn a_count_is_spread_over_its_shards_and_added_up() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let page = views("acme", "prices");
        for _ in 0..60 {
            assert_eq!(acme.add(&page, 2).send().await.unwrap(), Added::Done { count: None });
        }
        let _ = acme.add(&page, -5).send().await.unwrap();
        assert_eq!(acme.count(&page).await.unwrap(), 115);
        assert_eq!(acme.count(&views("acme", "price")).await.unwrap(), 0);
        let items = stored(&arm, &store, "ORG#acme#VIEWS#prices#").await;
        // That 60 increments miss a shard has a chance of 1 to 3,000.
        assert!((6..=8).contains(&items.len()), "{items:?}");
    })
    .await;
}

/// One table at three times of its life: without shards, with three, and with 250 of which some were three.
macro_rules! at_a_time {
    ($table:ident, $counter:ident, $($shards:tt)*) => {
        #[derive(Table)]
        #[table(tenant = "organization_id", entities($counter))]
        struct $table;

        #[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
        #[entity(
            table = $table,
            partition_key = "ORG#{organization_id}#HITS",
            sort_key = "HITS",
            discriminator = "hits",
            purpose = "approximate-counter"
            $($shards)*
        )]
        struct $counter {
            organization_id: OrganizationId,
        }
    };
}

at_a_time!(First, FirstHits,);
at_a_time!(Second, SecondHits, , shards = 3, earlier_shards(1));
at_a_time!(Third, ThirdHits, , shards = 250, earlier_shards(1, 3));

/// Whoever raised the number of shards from 3 to 250 saw the count fall to what had been counted since.
#[tokio::test]
async fn the_number_of_shards_is_raised_without_losing_a_count() {
    on_every_arm(|arm| async move {
        let first: Store<First> = arm.store().await;
        let same = |name: &str| name.to_owned();
        let second = arm.builder::<Second>().table_name(same(first.table_name())).open().await.unwrap();
        let third = arm.builder::<Third>().table_name(same(first.table_name())).open().await.unwrap();
        let id = organization("acme");
        let first_tenant = first.tenant(&id).unwrap();
        for _ in 0..5 {
            let _ = first_tenant.add(&FirstHits { organization_id: id.clone() }, 1).send().await.unwrap();
        }
        let second_tenant = second.tenant(&id).unwrap();
        for _ in 0..20 {
            let _ = second_tenant.add(&SecondHits { organization_id: id.clone() }, 10).send().await.unwrap();
        }
        assert_eq!(second_tenant.count(&SecondHits { organization_id: id.clone() }).await.unwrap(), 205);
        let third_tenant = third.tenant(&id).unwrap();
        for _ in 0..30 {
            let _ = third_tenant.add(&ThirdHits { organization_id: id.clone() }, 100).send().await.unwrap();
        }
        assert_eq!(third_tenant.count(&ThirdHits { organization_id: id }).await.unwrap(), 3205);
        // 251 items at most, a hundred in a call.
        assert_eq!(third.usage().reads["ThirdHits"].requests, 3);
    })
    .await;
}
