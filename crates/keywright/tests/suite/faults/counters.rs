//! Several clients at once: what they were told adds up to what is stored.

use keywright::{Conditional, Tenant, WriteError};

use super::{faults, number, seeds, stored};
use crate::application::*;
use crate::arm::with_faults;

const SORT_KEY: &str = "DOC#00000000000000000001";
const CLIENTS: usize = 4;
const WRITES: usize = 10;

fn by_id() -> DocumentById {
    DocumentById { document_id: 1 }
}

/// What one client was told.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    done: i64,
    unknown: i64,
}

/// Adds one to the views, by an update that adds.
async fn count_by_add(acme: Tenant<App>) -> Told {
    let mut told = Told::default();
    for _ in 0..WRITES {
        match acme.update(by_id(), CountViews { views: 1 }).send().await {
            Ok(outcome) => told.done += i64::from(outcome.is_done()),
            Err(WriteError::Unknown { .. }) => told.unknown += 1,
            Err(WriteError::Service(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
    told
}

/// Adds one to the views, by a put of what was read, if nobody wrote in between.
async fn count_by_version(acme: Tenant<App>) -> Told {
    let mut told = Told::default();
    for _ in 0..WRITES {
        let Ok(Some(read)) = acme.get(by_id()).await else { continue };
        let next = Document { views: read.views + 1, ..read.clone().into_item() };
        match acme.put(&next).if_version(read.version).send().await {
            Ok(Conditional::Done(_)) => told.done += 1,
            Ok(Conditional::Failed { .. }) | Err(WriteError::Service(_)) => {}
            Err(WriteError::Unknown { .. }) => told.unknown += 1,
            Err(error) => panic!("{error}"),
        }
    }
    told
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_views_are_those_that_clients_were_told_of_and_no_more_than_those_that_they_were_not() {
    for seed in seeds().take(60) {
        let arm = with_faults(faults(seed, 0.06));
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        while acme.put(&document("acme", 1)).send().await.is_err() {}
        let first = stored(&arm, store.table_name(), SORT_KEY).await.unwrap();
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| match client % 2 {
                0 => tokio::spawn(count_by_add(acme.clone())),
                _ => tokio::spawn(count_by_version(acme.clone())),
            })
            .collect();
        let mut told = Told::default();
        for client in clients {
            let of_client = client.await.unwrap();
            told.done += of_client.done;
            told.unknown += of_client.unknown;
        }

        let last = stored(&arm, store.table_name(), SORT_KEY).await.unwrap();
        let views = number(&last, "views");
        assert!(
            (told.done..=told.done + told.unknown).contains(&views),
            "seed {seed}: {told:?}, {views} views"
        );
        let versions = number(&last, "version") - number(&first, "version");
        assert_eq!(versions, views, "seed {seed}: one version for each write that had effect");
    }
}
