//! One tenant's batches never reach another's items.

use std::collections::BTreeSet;

use keywright::{BatchError, BatchItemError, ItemProblem, WriteError};

use crate::application::*;
use crate::arm::on_every_arm;

#[tokio::test]
async fn an_entity_of_another_tenant_among_many_is_refused_and_nothing_is_sent() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let mut documents: Vec<Document> = (0..60).map(|id| document("acme", id)).collect();
        documents[59] = document("globex", 59);

        let acme = tenant(&store, "acme");
        let error = acme.batch_put(&documents).send().await.unwrap_err();

        let BatchError::Member { member, source } = &error else { panic!("{error}") };
        assert!(matches!(**source, WriteError::Foreign(_)), "{error}");
        assert_eq!(member.position(), 59);
        assert!(store.usage().writes.is_empty());
        assert!(acme.get(DocumentById { document_id: 0 }).await.unwrap().is_none());
    })
    .await;
}

#[tokio::test]
async fn ids_that_were_made_to_fit_another_tenants_keys_reach_nothing_of_it() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let pairs = [
            ("t#1", "x", "t", "1#x"),
            ("t", "1#TEAM#x", "t#1", "x"),
            ("A#", "B", "A", "#B"),
            ("a$23", "b", "a#", "b"),
            ("a", "/b", "a/", "b"),
        ];
        for (victim, victims_team, attacker, attackers_team) in pairs {
            let secret = Team { name: "secret".to_owned(), ..team(victim, victims_team) };
            tenant(&store, victim).batch_put(&[secret]).send().await.unwrap();

            let other = tenant(&store, attacker);
            let named = |team_id: &str| TeamById { team_id: team_id.to_owned() };
            let teams = BTreeSet::from([attackers_team, victims_team, "none"]);
            let keys = || teams.iter().map(|team_id| named(team_id));
            let read = other.batch_get(keys()).send().await.unwrap();
            for found in read.into_items().unwrap().into_iter().flatten() {
                assert_eq!(found.organization_id.0, attacker);
            }
            other.batch_write().put(&team(attacker, attackers_team)).send().await.unwrap();
            other.batch_write().delete_all(keys()).send().await.unwrap();

            let kept = tenant(&store, victim).get(named(victims_team)).await.unwrap().unwrap();
            assert_eq!(kept.name, "secret");
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_deviations_key_finds_of_another_tenant_is_an_error_in_its_place() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let later = arm.now_seconds() + 3600;
        let acme = tenant(&store, "acme");
        acme.put(&share_token("acme", "ours", later)).send().await.unwrap();
        tenant(&store, "globex").put(&share_token("globex", "theirs", later)).send().await.unwrap();

        let keys = ["ours", "theirs", "nobodys"].map(|token| ShareByToken { token: token.to_owned() });
        let read = acme.batch_get(keys).send().await.unwrap();

        assert_eq!(read.items[0].as_ref().unwrap().as_ref().unwrap().token, "ours");
        let Err(BatchItemError::Item(error)) = &read.items[1] else { panic!("{read:?}") };
        assert!(matches!(error.problem(), ItemProblem::Foreign(_)), "{error}");
        assert!(!error.to_string().contains("globex"), "{error}");
        assert!(matches!(read.items[2], Ok(None)));
        assert!(matches!(read.into_items(), Err(BatchError::Item(_))));
    })
    .await;
}
