//! One application at several times: events of topics, in more and more shards.
//!
//! Each module is the program of a time, with the numbers of shards that it has then. All of them open one table.

use keywright::key::component_newtype;
use keywright::{Conditional, Cursor, ReadError, Store, WriteError};
use serde::{Deserialize, Serialize};

use crate::arm::Arm;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OrganizationId(pub(crate) String);
component_newtype!(OrganizationId(String));

/// An event, as every time's program has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) topic: String,
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) author: String,
    pub(crate) day: u64,
    pub(crate) body: String,
    pub(crate) expires_at: Option<u64>,
}

pub(crate) fn row(topic: &str, id: &str) -> Row {
    Row {
        topic: topic.to_owned(),
        id: id.to_owned(),
        text: format!("about {id}"),
        author: "ada".to_owned(),
        day: 7,
        body: String::new(),
        expires_at: None,
    }
}

/// What is read of a topic, of an author, or of a topic by text.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) of: Of,
    pub(crate) limit: Option<u32>,
    pub(crate) backward: bool,
    pub(crate) after: Option<Cursor>,
}

#[derive(Clone, Debug)]
pub(crate) enum Of {
    /// The events of a topic, by id.
    Topic(String),
    /// Those of them with this text.
    Saying(String, String),
    /// Those of them with ids from one to another.
    Between(String, String, String),
    /// The one with this id, by a query.
    Id(String, String),
    /// The events of an author by day, in a global index.
    Author(String),
    /// Those of them since a day.
    AuthorSince(String, u64),
    /// The events of a topic by text, in a local index.
    Texts(String),
}

impl Reading {
    pub(crate) fn of(of: Of) -> Reading {
        Reading { of, limit: None, backward: false, after: None }
    }

    pub(crate) fn topic(topic: &str) -> Reading {
        Reading::of(Of::Topic(topic.to_owned()))
    }

    pub(crate) fn limit(self, limit: u32) -> Reading {
        Reading { limit: Some(limit), ..self }
    }

    pub(crate) fn backward(self) -> Reading {
        Reading { backward: true, ..self }
    }

    pub(crate) fn after(self, after: Option<Cursor>) -> Reading {
        Reading { after, ..self }
    }
}

/// A page: for each item its topic, id and text, or the error in its place.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) items: Vec<Result<(String, String, String), String>>,
    pub(crate) next: Option<Cursor>,
    pub(crate) items_read: u64,
    pub(crate) read_units: f64,
}

impl Found {
    pub(crate) fn ids(&self) -> Vec<&str> {
        self.items.iter().map(|item| item.as_ref().unwrap().1.as_str()).collect()
    }
}

/// The program of a time, for one tenant.
pub(crate) trait Program: Sized {
    /// The names of its two writes and all of its reads in the usage.
    async fn create(arm: &Arm) -> Self;
    async fn open(arm: &Arm, table: &str, tenant: &str) -> Self;
    fn table(&self) -> &str;
    fn usage(&self) -> keywright::Usage;
    async fn put(&self, row: &Row) -> Result<(), WriteError>;
    async fn insert(&self, row: &Row) -> Result<Conditional<(), ()>, WriteError>;
    async fn replace(&self, row: &Row) -> Result<bool, WriteError>;
    async fn edit(&self, topic: &str, id: &str, text: &str) -> Result<bool, WriteError>;
    async fn edit_or_insert(&self, row: &Row) -> Result<bool, WriteError>;
    async fn delete(&self, topic: &str, id: &str) -> Result<Option<f64>, WriteError>;
    async fn delete_if_present(&self, topic: &str, id: &str) -> Result<bool, WriteError>;
    async fn get(&self, topic: &str, id: &str) -> Result<Option<String>, ReadError>;
    async fn page(&self, reading: &Reading) -> Result<Found, ReadError>;
    async fn put_all(&self, rows: &[Row]) -> Result<u64, keywright::BatchError>;
    async fn get_all(&self, topic: &str, ids: &[&str]) -> Vec<Option<String>>;
    async fn delete_all(&self, topic: &str, ids: &[&str]) -> Result<u64, keywright::BatchError>;

    /// Everything that is read, page by page, each by the cursor of the one before.
    async fn pages(&self, reading: Reading) -> Vec<(String, String, String)> {
        let mut found = Vec::new();
        let mut reading = reading;
        loop {
            let page = self.page(&reading).await.unwrap();
            found.extend(page.items.into_iter().map(Result::unwrap));
            reading.after = page.next;
            if reading.after.is_none() {
                return found;
            }
        }
    }

    async fn ids(&self, reading: Reading) -> Vec<String> {
        self.pages(reading).await.into_iter().map(|(_, id, _)| id).collect()
    }
}

macro_rules! read {
    ($method:ident, $tenant:expr, $pattern:expr, $reading:expr, $item:ident => $told:expr) => {{
        let mut query = $tenant.$method($pattern);
        if let Some(limit) = $reading.limit {
            query = query.limit(limit.try_into().unwrap());
        }
        if $reading.backward {
            query = query.backward();
        }
        if let Some(cursor) = $reading.after.clone() {
            query = query.after(cursor);
        }
        let page = query.page().await?;
        let items = page.items.into_iter().map(|item| match item {
            Ok($item) => Ok($told),
            Err(error) => Err(error.to_string()),
        });
        let (next, items_read, read_units) = (page.next, page.items_read, page.read_units);
        Ok(Found { items: items.collect(), next, items_read, read_units })
    }};
}

macro_rules! program {
    ($(#[$about:meta])* $name:ident, $query:ident, { $($shards:tt)* }) => {
        $(#[$about])*
        pub(crate) mod $name {
            use keywright::{AccessPattern, Entity, Projection, Table, Tenant, Update, Upserted};

            use super::*;

            #[derive(Table)]
            #[table(
                tenant = "organization_id",
                entities(Event),
                patterns(EventsOfTopic, EventsSaying, EventsBetween, EventById, EventsWithId, EventsOfAuthor, EventsSince, Texts),
                index(ByDay, project(text, expires_at)),
                index(ByText, local, sort_key = "text_key"),
                ttl = "expires_at"
            )]
            pub(crate) struct Feed;

            #[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
            #[entity(
                table = Feed,
                partition_key = "ORG#{organization_id}#TOPIC#{topic}",
                sort_key = "EVENT#{id}",
                index(
                    ByDay,
                    partition_key = "ORG#{organization_id}#AUTHOR#{author}",
                    sort_key = "DAY#{day}",
                    $($shards)*
                ),
                index(ByText, sort_key = "TEXT#{text}"),
                $($shards)*
            )]
            pub(crate) struct Event {
                pub(crate) organization_id: OrganizationId,
                pub(crate) topic: String,
                pub(crate) id: String,
                pub(crate) text: String,
                pub(crate) author: String,
                pub(crate) day: u64,
                pub(crate) body: String,
                #[entity(ttl)]
                pub(crate) expires_at: Option<u64>,
            }

            #[derive(AccessPattern)]
            #[access_pattern(table = Feed, returns(Event), sort_key_starts_with = "EVENT")]
            pub(crate) struct EventsOfTopic {
                pub(crate) topic: String,
            }

            #[derive(AccessPattern)]
            #[access_pattern(table = Feed, returns(Event), sort_key_starts_with = "EVENT", filter(text = text))]
            pub(crate) struct EventsSaying {
                pub(crate) topic: String,
                pub(crate) text: String,
            }

            #[derive(AccessPattern)]
            #[access_pattern(table = Feed, returns(Event), sort_key_range("EVENT#{id}", from = from, through = until))]
            pub(crate) struct EventsBetween {
                pub(crate) topic: String,
                pub(crate) from: String,
                pub(crate) until: String,
            }

            #[derive(AccessPattern)]
            #[access_pattern(table = Feed, get_item, returns(Event), sort_key_equals = "EVENT#{id}")]
            pub(crate) struct EventById {
                pub(crate) topic: String,
                pub(crate) id: String,
            }

            #[derive(AccessPattern)]
            #[access_pattern(table = Feed, returns(Event), sort_key_equals = "EVENT#{id}")]
            pub(crate) struct EventsWithId {
                pub(crate) topic: String,
                pub(crate) id: String,
            }

            #[derive(AccessPattern)]
            #[access_pattern(table = Feed, index = ByDay, returns(Event as Told))]
            pub(crate) struct EventsOfAuthor {
                pub(crate) author: String,
            }

            #[derive(AccessPattern)]
            #[access_pattern(table = Feed, index = ByDay, returns(Event as Told), sort_key_range("DAY#{day}", from = since))]
            pub(crate) struct EventsSince {
                pub(crate) author: String,
                pub(crate) since: u64,
            }

            #[derive(AccessPattern)]
            #[access_pattern(table = Feed, index = ByText, returns(Event as Said), sort_key_starts_with = "TEXT")]
            pub(crate) struct Texts {
                pub(crate) topic: String,
            }

            #[derive(Clone, Debug, PartialEq, Projection, Deserialize)]
            #[projection(of = Event)]
            pub(crate) struct Told {
                pub(crate) topic: String,
                pub(crate) id: String,
                pub(crate) text: String,
            }

            #[derive(Clone, Debug, PartialEq, Projection, Deserialize)]
            #[projection(of = Event)]
            pub(crate) struct Said {
                pub(crate) topic: String,
                pub(crate) id: String,
                pub(crate) text: String,
            }

            #[derive(Update)]
            #[update(table = Feed, of = Event)]
            pub(crate) struct Edit {
                pub(crate) text: String,
            }

            pub(crate) struct Handle {
                pub(crate) store: Store<Feed>,
                pub(crate) tenant: Tenant<Feed>,
                organization: String,
            }

            impl Handle {
                pub(crate) fn event(&self, row: &Row) -> Event {
                    let Row { topic, id, text, author, day, body, expires_at } = row.clone();
                    let organization_id = OrganizationId(self.organization.clone());
                    Event { organization_id, topic, id, text, author, day, body, expires_at }
                }

                fn named(topic: &str, id: &str) -> EventById {
                    EventById { topic: topic.to_owned(), id: id.to_owned() }
                }
            }

            impl Program for Handle {
                async fn create(arm: &Arm) -> Handle {
                    let store = arm.store::<Feed>().await;
                    let tenant = store.tenant(&OrganizationId("acme".to_owned())).unwrap();
                    Handle { store, tenant, organization: "acme".to_owned() }
                }

                async fn open(arm: &Arm, table: &str, tenant: &str) -> Handle {
                    let store = arm.builder::<Feed>().table_name(table).open().await.unwrap();
                    let organization = tenant.to_owned();
                    let tenant = store.tenant(&OrganizationId(tenant.to_owned())).unwrap();
                    Handle { store, tenant, organization }
                }

                fn table(&self) -> &str {
                    self.store.table_name()
                }

                fn usage(&self) -> keywright::Usage {
                    self.store.usage()
                }

                async fn put(&self, row: &Row) -> Result<(), WriteError> {
                    self.tenant.put(&self.event(row)).send().await.map(|_| ())
                }

                async fn insert(&self, row: &Row) -> Result<Conditional<(), ()>, WriteError> {
                    Ok(match self.tenant.put(&self.event(row)).if_absent().send().await? {
                        Conditional::Done(_) => Conditional::Done(()),
                        Conditional::Failed { current } => {
                            assert!(current.is_none_or(|current| current.id == row.id));
                            Conditional::Failed { current: None }
                        }
                    })
                }

                async fn replace(&self, row: &Row) -> Result<bool, WriteError> {
                    Ok(self.tenant.put(&self.event(row)).if_present().send().await?.is_done())
                }

                async fn edit(&self, topic: &str, id: &str, text: &str) -> Result<bool, WriteError> {
                    let update = self.tenant.update(Handle::named(topic, id), Edit { text: text.to_owned() });
                    Ok(update.send().await?.is_done())
                }

                async fn edit_or_insert(&self, row: &Row) -> Result<bool, WriteError> {
                    let update = self.tenant.update(Handle::named(&row.topic, &row.id), Edit { text: row.text.clone() });
                    let done = update.or_insert(&self.event(row)).await?.done().unwrap();
                    Ok(matches!(done, Upserted::Updated(_)))
                }

                async fn delete(&self, topic: &str, id: &str) -> Result<Option<f64>, WriteError> {
                    Ok(self.tenant.delete(Handle::named(topic, id)).send().await?.write_units)
                }

                async fn delete_if_present(&self, topic: &str, id: &str) -> Result<bool, WriteError> {
                    Ok(self.tenant.delete(Handle::named(topic, id)).if_present().send().await?.is_done())
                }

                async fn get(&self, topic: &str, id: &str) -> Result<Option<String>, ReadError> {
                    let event = self.tenant.get(Handle::named(topic, id)).await?;
                    Ok(event.map(|event| event.text.clone()))
                }

                async fn page(&self, reading: &Reading) -> Result<Found, ReadError> {
                    let Reading { of, .. } = reading;
                    let tenant = &self.tenant;
                    match of.clone() {
                        Of::Topic(topic) => read!($query, tenant, EventsOfTopic { topic }, reading,
                            event => (event.topic, event.id, event.text)),
                        Of::Saying(topic, text) => read!($query, tenant, EventsSaying { topic, text }, reading,
                            event => (event.topic, event.id, event.text)),
                        Of::Between(topic, from, until) => read!(
                            $query, tenant, EventsBetween { topic, from, until }, reading,
                            event => (event.topic, event.id, event.text)),
                        Of::Id(topic, id) => read!($query, tenant, EventsWithId { topic, id }, reading,
                            event => (event.topic, event.id, event.text)),
                        Of::Author(author) => read!($query, tenant, EventsOfAuthor { author }, reading,
                            event => (event.topic, event.id, event.text)),
                        Of::AuthorSince(author, since) => read!($query, tenant, EventsSince { author, since }, reading,
                            event => (event.topic, event.id, event.text)),
                        Of::Texts(topic) => read!($query, tenant, Texts { topic }, reading,
                            event => (event.topic, event.id, event.text)),
                    }
                }

                async fn put_all(&self, rows: &[Row]) -> Result<u64, keywright::BatchError> {
                    let events: Vec<Event> = rows.iter().map(|row| self.event(row)).collect();
                    Ok(self.tenant.batch_put(&events).send().await?.calls)
                }

                async fn get_all(&self, topic: &str, ids: &[&str]) -> Vec<Option<String>> {
                    let read = self.tenant.batch_get(ids.iter().map(|id| Handle::named(topic, id))).send().await.unwrap();
                    let items = read.into_items().unwrap().into_iter();
                    items.map(|event| event.map(|event| event.text.clone())).collect()
                }

                async fn delete_all(&self, topic: &str, ids: &[&str]) -> Result<u64, keywright::BatchError> {
                    let gone = ids.iter().map(|id| Handle::named(topic, id));
                    Ok(self.tenant.batch_write().delete_all(gone).send().await?.calls)
                }
            }
        }
    };
}

program! {
    /// Before there were shards.
    plain, query, {}
}
program! {
    /// Three shards; what was written before lies under the key without one.
    three, query_sharded, { shards = 3, earlier_shards(1) }
}
program! {
    /// Ten shards, and everything that was before.
    ten, query_sharded, { shards = 10, earlier_shards(3, 1) }
}
program! {
    /// The number lowered again: what is in the other shards is still found, since their number is listed.
    two, query_sharded, { shards = 2, earlier_shards(10, 3, 1) }
}
program! {
    /// Ten shards from the beginning.
    ten_alone, query_sharded, { shards = 10 }
}
