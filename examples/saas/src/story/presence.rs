//! Who is looking: connections that expire, found by the organization through an index.

use super::moment::Moment;
use super::{Story, Told};
use crate::id::{ConnectionId, UserId};
use crate::live::{Connection, ConnectionById, ConnectionsOfOrganization};

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("Who is looking")?;
    let live = story.acme.live.clone();
    let now = Moment::now()?;
    let id = |name: &str| ConnectionId(format!("{name}-{}", story.day));
    let (ada, bob) = (id("ada"), id("bob"));
    for (connection_id, user) in [(&ada, "ada"), (&bob, "bob")] {
        let connection = Connection {
            connection_id: connection_id.clone(),
            organization_id: story.acme.id.clone(),
            user_id: UserId::from(user),
            connected_at: None,
            expires_at: now.plus_days(1)?.seconds(),
        };
        live.put(&connection).send().await?;
    }
    story.say("two browsers connect, each for a day at most")?;
    let open = live.query(ConnectionsOfOrganization).page().await?.items.len();
    story
        .say(format_args!("{open} browsers are told when a board changes, found by one Query on an index"))?;

    // API Gateway says that a connection closed, and nothing else. Whose it was is read, and compared, before it is deleted.
    let closed = ConnectionById { connection_id: bob };
    let found = story.stores.live.lookup_item(closed).await?.ok_or("it was open")?;
    let connection = found.verify(&live)?;
    let by_id = ConnectionById { connection_id: connection.connection_id.clone() };
    live.delete(by_id).send().await?;
    story.say(format_args!(
        "{} closes the browser: whose it was is verified, and it is deleted",
        connection.user_id.0
    ))?;
    let open = live.query(ConnectionsOfOrganization).page().await?.items.len();
    story.say(format_args!("{open} is left"))?;

    let of_globex = story.globex.live.delete(ConnectionById { connection_id: ada }).send().await;
    match of_globex {
        Ok(_) => return Err("globex closed a connection of acme".into()),
        Err(error) => story.say(format_args!("globex closes ada's: {error}"))?,
    }
    story.end()
}
