//! Keys: cases that users of other layers reported, where two items had one key, or one prefix found another's items.

use keywright::{InvalidTenant, ReadError};

use crate::application::*;
use crate::arm::on_every_arm;

/// Keys were joined by `#` without a look at the parts: tenant `t#1` with item `x` had the key of tenant `t` with item `1#x`, and
/// the second write replaced the first tenant's item. (floci #3800, dynavec #140, dynamodb-admin #382)
#[tokio::test]
async fn parts_that_hold_the_delimiter_make_two_keys_of_two_items() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let pairs = [
            ("t#1", "x", "t", "1#x"),
            ("t", "1#TEAM#x", "t#1", "x"),
            ("A#", "B", "A", "#B"),
            ("a,b", "c", "a", "b,c"),
            ("50%", "25", "50", "%25"),
            (r"a\", "b", "a", r"\b"),
            ("a$23", "b", "a#", "b"),
        ];
        for (one, one_team, other, other_team) in pairs {
            let items = [(one, one_team), (other, other_team)];
            for (organization, team_id) in items {
                let team =
                    Team { name: format!("{organization} / {team_id}"), ..team(organization, team_id) };
                tenant(&store, organization).put(&team).send().await.unwrap();
            }
            for (organization, team_id) in items {
                let named = TeamById { team_id: team_id.to_owned() };
                let found = tenant(&store, organization).get(named).await.unwrap().unwrap();
                assert_eq!(found.name, format!("{organization} / {team_id}"));
            }
        }
    })
    .await;
}

/// `begins_with(sk, "TEAM#1")` also found team 10 and its members. (camunda #56448, hfs #447)
#[tokio::test]
async fn a_prefix_ends_where_its_last_part_ends() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let teams = ["1", "10", "1#", "1$", "1 ", "1\u{0}", "1\u{10ffff}", "11"];
        for team_id in teams {
            acme.put(&team("acme", team_id)).send().await.unwrap();
            acme.put(&member("acme", team_id, "ada")).send().await.unwrap();
        }
        for team_id in teams {
            let pattern = TeamWithMembers { team_id: team_id.to_owned() };
            let found = acme.query(pattern).all(100.try_into().unwrap()).await.unwrap();
            assert_eq!(found.len(), 2, "{team_id:?}: {found:?}");
        }
    })
    .await;
}

/// A tenant id that was empty meant everybody, or a tenant called `default`; ids that differed by a slash or by letter case were
/// one tenant. (amplify-data #719, mt-dynamo #229 and #343, strands-dynamodb-storage #34)
#[tokio::test]
async fn every_tenant_id_is_a_tenant_of_its_own_and_nobody_is_none() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let refused = store.tenant(&OrganizationId(String::new()));
        assert!(matches!(refused, Err(InvalidTenant::Empty)), "{refused:?}");

        let ids = ["a", "/a/", "a/", "A", "a ", "default", "a#", "a\u{301}", "á", "TEAM#1", "ORG#a"];
        for id in ids {
            tenant(&store, id).put(&team(id, "1")).if_absent().send().await.unwrap().done().unwrap();
        }
        for id in ids {
            let found = tenant(&store, id).get(TeamById { team_id: "1".to_owned() }).await.unwrap().unwrap();
            assert_eq!(found.organization_id.0, id);
        }
    })
    .await;
}

/// DynamoDB refuses a key that is too long after the request has been paid for by a round trip; others cut it.
#[tokio::test]
async fn a_key_that_cannot_be_written_is_refused_before_anything_is_sent() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");

        assert!(acme.put(&team("acme", &"x".repeat(1100))).send().await.is_err());
        assert!(acme.put(&team("acme", "")).send().await.is_err());
        let long = "x".repeat(2100);
        assert!(tenant(&store, &long).put(&team(&long, "1")).send().await.is_err());
        assert!(acme.get(TeamById { team_id: String::new() }).await.is_err());

        assert!(store.usage().writes.is_empty() && store.usage().reads.is_empty());
    })
    .await;
}

/// A second table with an index of the name and the keys that one of [`App`] has, and other things in it.
mod notes {
    use keywright::{AccessPattern, Entity, Table};
    use serde::{Deserialize, Serialize};

    use crate::application::OrganizationId;

    #[derive(Table)]
    #[table(
        tenant = "organization_id",
        entities(Note),
        patterns(NotesOfUser),
        index(ByUser, project_all = "a list shows whole notes")
    )]
    pub(super) struct Notes;

    #[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
    #[entity(
        table = Notes,
        partition_key = "ORG#{organization_id}",
        sort_key = "NOTE#{note_id}",
        index(ByUser, partition_key = "ORG#{organization_id}#USER#{user_id}", sort_key = "{note_id}")
    )]
    pub(super) struct Note {
        pub(super) organization_id: OrganizationId,
        pub(super) note_id: u64,
        pub(super) user_id: String,
    }

    #[derive(AccessPattern)]
    #[access_pattern(table = Notes, index = ByUser, returns(Note))]
    pub(super) struct NotesOfUser {
        pub(super) user_id: String,
    }
}

/// What an index is was kept by its name alone, so that the second table of a tenant with an index of that name was read as the
/// first one's. (mt-dynamo #343)
#[tokio::test]
async fn two_tables_of_one_tenant_have_an_index_of_one_name_each() {
    on_every_arm(|arm| async move {
        let (app, notes) = (arm.store::<App>().await, arm.store::<notes::Notes>().await);
        let organization_id = OrganizationId("acme".to_owned());
        let (of_app, of_notes) = (tenant(&app, "acme"), notes.tenant(&organization_id).unwrap());
        let user_id = || "ada".to_owned();
        for number in [1, 2, 3] {
            let joined = Member { joined_at: number, ..member("acme", &number.to_string(), "ada") };
            of_app.put(&joined).send().await.unwrap();
        }
        for note_id in [1, 2] {
            let note = notes::Note { organization_id: organization_id.clone(), note_id, user_id: user_id() };
            of_notes.put(&note).send().await.unwrap();
        }
        let memberships = || of_app.query(MembershipsOfUser { user_id: user_id() });
        let notes = || of_notes.query(notes::NotesOfUser { user_id: user_id() });

        let found = memberships().all(100.try_into().unwrap()).await.unwrap();
        let teams: Vec<&str> = found.iter().map(|found| found.team_id.as_str()).collect();
        assert_eq!(teams, ["1", "2", "3"]);
        let found = notes().all(100.try_into().unwrap()).await.unwrap();
        assert_eq!(found.iter().map(|found| found.note_id).collect::<Vec<_>>(), [1, 2]);

        // Nor does a cursor of one open in the other, though the place that it names is in both.
        let cursor = memberships().limit(1.try_into().unwrap()).page().await.unwrap().next.unwrap();
        assert!(matches!(notes().after(cursor).page().await, Err(ReadError::Cursor(_))));
    })
    .await;
}
