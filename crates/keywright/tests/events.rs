//! Events: what somebody who runs the program is told, and nothing of anybody's items in it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what fails shows itself")]

#[path = "suite/told.rs"]
mod told;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{AccessPattern, CursorKey, CursorKeys, Entity, Store, Table, Tenant};
use serde::{Deserialize, Serialize};
use told::Told;
use tracing::Level;

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Invitation, Link),
    patterns(Invitations, InvitationsByAddress, LinkByToken),
    index(ByAddress, project(note, organization_id))
)]
struct App;

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "INVITATION#{invitation_id}",
    index(
        ByAddress,
        partition_key = "ADDRESS#{address}",
        sort_key = "INVITATION#{invitation_id}",
        deviation = "who signs in has an address and no tenant yet"
    )
)]
struct Invitation {
    organization_id: String,
    invitation_id: u64,
    address: String,
    note: String,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "LINK#{token}", sort_key = "LINK", deviation = "the token is the lookup value")]
struct Link {
    token: String,
    organization_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Invitation), sort_key_starts_with = "INVITATION")]
struct Invitations {}

#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByAddress, returns(Invitation), across_tenants)]
struct InvitationsByAddress {
    address: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, across_tenants, returns(Link), sort_key_equals = "LINK")]
struct LinkByToken {
    token: String,
}

/// The same table in an earlier program, which knows fewer entities, and reads a range in which there may be others.
mod earlier {
    use keywright::{AccessPattern, Entity, Table};
    use serde::{Deserialize, Serialize};

    #[derive(Table)]
    #[table(tenant = "organization_id", entities(Team, Badge), patterns(TeamsOnly))]
    pub(super) struct App;

    #[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
    #[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "THINGS#{team_id}")]
    pub(super) struct Team {
        pub(super) organization_id: String,
        pub(super) team_id: String,
    }

    #[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
    #[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "THINGS#{team_id}#BADGE#{badge_id}")]
    pub(super) struct Badge {
        pub(super) organization_id: String,
        pub(super) team_id: String,
        pub(super) badge_id: u64,
    }

    #[derive(AccessPattern)]
    #[access_pattern(table = App, returns(Team), skips(Badge), sort_key_starts_with = "THINGS")]
    pub(super) struct TeamsOnly {}
}

async fn store<TableType: keywright::key::declare::Table>() -> Store<TableType> {
    Store::in_memory(CursorKeys::new(CursorKey::generate().unwrap())).await.unwrap()
}

fn tenant(store: &Store<App>, id: &str) -> Tenant<App> {
    store.tenant(&id.to_owned()).unwrap()
}

fn invitation(organization: &str, note: &str) -> Invitation {
    let (organization_id, address) = (organization.to_owned(), "ada@example.com".to_owned());
    Invitation { organization_id, invitation_id: 7, address, note: note.to_owned() }
}

fn by_address() -> InvitationsByAddress {
    InvitationsByAddress { address: "ada@example.com".to_owned() }
}

/// Of a global index across tenants, and of a key in the table that holds none; found by a tenant, and found by nobody and verified.
#[tokio::test(flavor = "current_thread")]
async fn an_item_of_another_tenant_is_an_error_that_names_the_entity_and_nothing_else() {
    let store = store::<App>().await;
    let (acme, theirs) = (tenant(&store, "acme"), tenant(&store, "secret-tenant"));
    theirs.put(&invitation("secret-tenant", "a secret")).send().await.unwrap();
    let link = Link { token: "t".to_owned(), organization_id: "secret-tenant".to_owned() };
    theirs.put(&link).send().await.unwrap();
    let (told, _guard) = Told::listen();
    let by_token = || LinkByToken { token: "t".to_owned() };
    let found = "an item was found that is not known to be the tenant's; it was not given to the caller";
    let looked_up = "an item was looked up that is not the tenant's; it was not given to the caller";
    let event =
        |message: &str, entity: &str| vec![(Level::ERROR, format!("message={message} entity=\"{entity}\""))];

    assert!(acme.lookup(by_address()).page().await.unwrap().items[0].is_err());
    assert_eq!(told.take_events(), event(found, "Invitation"));
    assert!(acme.get(by_token()).await.is_err());
    assert_eq!(told.take_events(), event(found, "Link"));
    let unverified = store.lookup(by_address()).page().await.unwrap().into_items().unwrap().remove(0);
    assert_eq!(told.take_events(), []);
    let foreign = unverified.verify(&acme).unwrap_err();
    assert_eq!(told.take_events(), event(looked_up, "Invitation"));
    assert_eq!(foreign.entity(), "Invitation", "the pattern's name stood in it");
    let unverified = store.lookup_item(by_token()).await.unwrap().unwrap();
    assert_eq!(unverified.verify(&acme).unwrap_err().entity(), "Link");
    assert_eq!(told.take_events(), event(looked_up, "Link"));
    // Whoever has the value may see the item: that is told, with the reason.
    let unverified = store.lookup_item(by_token()).await.unwrap().unwrap();
    let _ = unverified.as_bearer("whoever has the link may see it");
    let bearer = "message=an item was given to the bearer of its key entity=\"Link\" reason=\"whoever has the link may see it\"";
    assert_eq!(told.take_events(), [(Level::INFO, bearer.to_owned())]);
}

/// Of entities that a later program has stored, in the table; what a pattern skips by its own words is no event.
#[tokio::test(flavor = "current_thread")]
async fn an_item_of_an_unknown_entity_is_skipped_and_told_and_one_that_the_pattern_skips_is_not() {
    let store = store::<earlier::App>().await;
    let acme = store.tenant(&"acme".to_owned()).unwrap();
    let (organization_id, team_id) = ("acme".to_owned(), "analysts".to_owned());
    let badge =
        earlier::Badge { organization_id: organization_id.clone(), team_id: team_id.clone(), badge_id: 7 };
    let team = earlier::Team { organization_id, team_id };
    acme.put(&team).send().await.unwrap();
    acme.put(&badge).send().await.unwrap();
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let later = store.client().put_item().table_name(store.table_name());
    let later = later.item("pk", text("ORG#acme")).item("sk", text("THINGS#analysts#SECRET"));
    let later = later.item("entity", text("secret-invention")).item("organization_id", text("acme"));
    later.send().await.unwrap();
    let (told, _guard) = Told::listen();

    let page = acme.query(earlier::TeamsOnly {}).page().await.unwrap();

    assert_eq!((page.items_read, page.into_items().unwrap()), (3, vec![team]));
    let skipped = "message=an item of an entity that this program does not know was skipped";
    assert_eq!(told.take_events(), [(Level::DEBUG, skipped.to_owned())]);
}

/// On both sides of 16 KB.
#[tokio::test(flavor = "current_thread")]
async fn a_large_item_is_told_with_its_entity_and_size() {
    let acme = tenant(&store::<App>().await, "acme");
    let (told, _guard) = Told::listen();
    let smallest = acme.put(&invitation("acme", "")).request().unwrap().item.unwrap();
    assert_eq!(told.take_events(), []);
    let size_of = |item: &std::collections::HashMap<String, AttributeValue>| -> usize {
        item.iter()
            .map(|(name, value)| {
                let value = match value {
                    AttributeValue::S(text) => text.len(),
                    // A number takes a byte, and one for each two digits.
                    AttributeValue::N(digits) => 1 + digits.len().div_ceil(2),
                    other => panic!("{other:?}"),
                };
                name.len() + value
            })
            .sum()
    };
    let room = 16 * 1024 - size_of(&smallest);

    acme.put(&invitation("acme", &"x".repeat(room))).send().await.unwrap();
    assert_eq!(told.take_events(), []);
    acme.put(&invitation("acme", &"x".repeat(room + 1))).send().await.unwrap();

    let large = "message=a large item: each KB of it costs a unit with every write entity=\"Invitation\" size_bytes=16385";
    assert_eq!(told.take_events(), [(Level::WARN, large.to_owned())]);
    assert!(told.take_spans().iter().all(|span| !span.contains("acme")));
}
