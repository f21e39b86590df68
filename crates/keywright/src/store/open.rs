//! Opening: the rules hold, and the live table is the one that the program was written for.

use std::error::Error;
use std::fmt;

use aws_sdk_dynamodb::types::{
    KeySchemaElement, KeyType, Projection as SdkProjection, ProjectionType, StreamViewType, TableDescription,
    TableStatus, TimeToLiveStatus,
};
use aws_smithy_async::rt::sleep::AsyncSleep;
use keywright_key::declare::Table;
use keywright_key::rule::{self, Severity};
use keywright_key::{KeyAttribute, Message, Projection, StreamView, TableShape};

use super::capability::Capability;
use super::create::{keys, view_type};
use super::{Store, StoreBuilder};
use crate::error::ServiceError;

/// Why a store does not open. Its text says what to do about each thing.
///
/// ```
/// # use applications::teams::*;
/// use keywright::{CursorKeys, OpenError, Store};
///
/// async fn start(client: aws_sdk_dynamodb::Client, keys: CursorKeys) -> Result<Store<App>, OpenError> {
///     let opened = Store::with_client(client, keys).await;
///     if let Err(OpenError::Differs(differences)) = &opened {
///         for difference in differences {
///             eprintln!("{difference}"); // what differs, and what to do about it
///         }
///     }
///     opened
/// }
/// # fn main() { let _ = start; }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The design breaks rules that the compiler does not check over all pairs of entities.
    Design(Vec<Message>),
    /// The engine cannot do what the design needs.
    Lacks(Vec<&'static str>),
    /// The live table is not what the program was written for: each difference, and what to do.
    Differs(Vec<Difference>),
    /// The service refused, or did not answer.
    Service(ServiceError),
    /// The engine in this process does not open.
    Engine(Box<dyn Error + Send + Sync>),
}

/// How a live table differs from the design.
///
/// ```
/// # use applications::teams::*;
/// use keywright::{Difference, OpenError};
///
/// /// Whether the table lacks nothing but indexes: those can be added while the old program runs.
/// fn lacks_indexes_only(error: &OpenError) -> bool {
///     let OpenError::Differs(differences) = error else { return false };
///     differences.iter().all(|difference| matches!(difference, Difference::NoIndex { .. }))
/// }
/// # fn main() { let _ = lacks_indexes_only; }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// There is no such table.
    NoTable {
        /// The name that was asked for.
        table: String,
    },
    /// A key of the table is another.
    TableKey {
        /// What the design says.
        expected: String,
        /// What the table has.
        found: String,
    },
    /// The time to live looks at another attribute.
    TimeToLive {
        /// What the design says.
        expected: Option<&'static str>,
        /// What the table has.
        found: Option<String>,
    },
    /// The stream carries something else, or there is none.
    Stream {
        /// What the design says, as the service names it: `NEW_AND_OLD_IMAGES`.
        expected: String,
        /// What the table has.
        found: Option<String>,
    },
    /// The table lacks an index.
    NoIndex {
        /// The index.
        index: &'static str,
    },
    /// A key of an index is another.
    IndexKey {
        /// The index.
        index: &'static str,
        /// What the design says.
        expected: String,
        /// What the table has.
        found: String,
    },
    /// An index does not project what is read from it.
    IndexProjection {
        /// The index.
        index: &'static str,
        /// The attributes that it lacks; all of them if empty.
        missing: Vec<&'static str>,
    },
}

/// How often a table that is being created is looked at.
const POLL: std::time::Duration = std::time::Duration::from_millis(200);
/// After how many looks waiting ends: five minutes.
const MOST_POLLS: usize = 1500;

impl<TableType: Table> StoreBuilder<TableType> {
    /// The store, once the design was verified and the live table compared with it: its key, the keys and projections of the indexes that
    /// the program knows, its time to live, and its stream if the design has one. What the table has beyond that is not looked at.
    ///
    /// ```
    /// # use applications::teams::*;
    /// use keywright::{Difference, OpenError, Store};
    /// # use keywright::{CursorKey, CursorKeys};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let client = store().await?.client().clone();
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// let opened = Store::<App>::builder(client, keys).table_name("misspelt").open().await;
    /// let Err(OpenError::Differs(differences)) = opened else { return Err("there is no such table".into()) };
    /// assert_eq!(differences, [Difference::NoTable { table: "misspelt".to_owned() }]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`OpenError`] says everything that differs, not only the first.
    pub async fn open(self) -> Result<Store<TableType>, OpenError> {
        let table = TableType::SHAPE;
        let broken: Vec<Message> = rule::verify(&table)
            .into_iter()
            .filter(|message| message.rule().severity == Severity::Error)
            .collect();
        if !broken.is_empty() {
            return Err(OpenError::Design(broken));
        }
        let lacking = self.capabilities.lacking(&table);
        if !lacking.is_empty() {
            return Err(OpenError::Lacks(lacking));
        }
        let differences = match self.describe().await? {
            Some(description) => {
                let mut differences = compare(&table, &description);
                differences.extend(self.stream().and_then(|view| compare_stream(view, &description)));
                differences.extend(self.compare_time_to_live(&table).await?);
                differences
            }
            None => vec![Difference::NoTable { table: self.table_name.clone() }],
        };
        if differences.is_empty() { Ok(self.open_unchecked()) } else { Err(OpenError::Differs(differences)) }
    }

    /// What the stream is to carry, where the design has one and the engine can.
    pub(super) fn stream(&self) -> Option<StreamView> {
        TableType::SHAPE.stream.filter(|_| self.capabilities.streams == Capability::Present)
    }

    async fn describe(&self) -> Result<Option<TableDescription>, OpenError> {
        match self.client.describe_table().table_name(&self.table_name).send().await {
            Ok(output) => Ok(output.table),
            Err(error) => {
                let error = ServiceError::new(error);
                if error.code() == Some("ResourceNotFoundException") {
                    return Ok(None);
                }
                Err(OpenError::Service(error))
            }
        }
    }

    /// Whether what the table deletes by is what the design says.
    async fn compare_time_to_live(
        &self,
        table: &TableShape<'static>,
    ) -> Result<Option<Difference>, ServiceError> {
        if self.capabilities.time_to_live == Capability::Absent {
            return Ok(None);
        }
        let output = self.client.describe_time_to_live().table_name(&self.table_name).send().await;
        let description = output.map_err(ServiceError::new)?.time_to_live_description;
        let found = description.and_then(|description| {
            let status = description.time_to_live_status?;
            let is_on = matches!(status, TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling);
            description.attribute_name.filter(|_| is_on)
        });
        let expected = table.time_to_live;
        Ok((found.as_deref() != expected).then_some(Difference::TimeToLive { expected, found }))
    }

    pub(super) async fn wait_until_active(&self) -> Result<(), ServiceError> {
        let sleep = self.client.config().sleep_impl();
        for _ in 0..MOST_POLLS {
            let output = self.client.describe_table().table_name(&self.table_name).send().await;
            let output = output.map_err(ServiceError::new)?;
            let status = output.table.and_then(|table| table.table_status);
            if status == Some(TableStatus::Active) {
                return Ok(());
            }
            if let Some(sleep) = &sleep {
                sleep.sleep(POLL).await;
            }
        }
        Ok(())
    }
}

/// Whether the stream carries what it is to carry.
fn compare_stream(view: StreamView, live: &TableDescription) -> Option<Difference> {
    let specification = live.stream_specification().filter(|stream| stream.stream_enabled());
    let found = specification.and_then(|stream| stream.stream_view_type());
    let expected = view_type(view);
    (found != Some(&expected)).then(|| Difference::Stream {
        expected: expected.as_str().to_owned(),
        found: found.map(StreamViewType::as_str).map(str::to_owned),
    })
}

/// Everything in which a table differs from its shape.
fn compare(table: &TableShape<'static>, live: &TableDescription) -> Vec<Difference> {
    let mut differences = Vec::new();
    let expected = expected_key(&[table.partition_key], table.sort_key.as_slice());
    let found = found_key(live, live.key_schema());
    if expected != found {
        differences.push(Difference::TableKey { expected, found });
    }
    for index in table.indexes {
        let global = live
            .global_secondary_indexes()
            .iter()
            .map(|live| (live.index_name(), live.key_schema(), live.projection()));
        let local = live
            .local_secondary_indexes()
            .iter()
            .map(|live| (live.index_name(), live.key_schema(), live.projection()));
        let Some((_, live_schema, live_projection)) =
            global.chain(local).find(|(name, ..)| *name == Some(index.name))
        else {
            differences.push(Difference::NoIndex { index: index.name });
            continue;
        };
        let (partition_key, sort_key) = keys(index);
        let expected = expected_key(&partition_key, &sort_key);
        let found = found_key(live, live_schema);
        if expected != found {
            differences.push(Difference::IndexKey { index: index.name, expected, found });
        }
        if let Some(missing) = missing_projection(index.projection, live_projection) {
            differences.push(Difference::IndexProjection { index: index.name, missing });
        }
    }
    differences
}

/// `pk (String), sk (String)`
fn expected_key(partition_key: &[KeyAttribute<'static>], sort_key: &[KeyAttribute<'static>]) -> String {
    let named =
        |attribute: &KeyAttribute<'static>| format!("{} ({:?})", attribute.name, attribute.attribute_type);
    let partition: Vec<String> = partition_key.iter().map(named).collect();
    let sort: Vec<String> = sort_key.iter().map(named).collect();
    written(&partition, &sort)
}

fn found_key(live: &TableDescription, schema: &[KeySchemaElement]) -> String {
    let named = |element: &KeySchemaElement| {
        let attribute_type = live
            .attribute_definitions()
            .iter()
            .find(|definition| definition.attribute_name() == element.attribute_name())
            .map_or("unknown", |definition| match definition.attribute_type().as_str() {
                "S" => "String",
                "N" => "Number",
                "B" => "Binary",
                _ => "unknown",
            });
        format!("{} ({attribute_type})", element.attribute_name())
    };
    let of = |key_type: KeyType| -> Vec<String> {
        schema.iter().filter(|element| *element.key_type() == key_type).map(named).collect()
    };
    written(&of(KeyType::Hash), &of(KeyType::Range))
}

fn written(partition: &[String], sort: &[String]) -> String {
    if sort.is_empty() {
        format!("partition key {}", partition.join(", "))
    } else {
        format!("partition key {}, sort key {}", partition.join(", "), sort.join(", "))
    }
}

/// What an index lacks of what it should project; none if it has everything.
fn missing_projection(
    expected: Projection<'static>,
    live: Option<&SdkProjection>,
) -> Option<Vec<&'static str>> {
    let live_type = live.and_then(SdkProjection::projection_type);
    if live_type == Some(&ProjectionType::All) {
        return None;
    }
    match expected {
        Projection::KeysOnly => None,
        Projection::All { .. } => Some(Vec::new()),
        Projection::Include(names) => {
            let held = live.map(SdkProjection::non_key_attributes).unwrap_or_default();
            let missing: Vec<&'static str> =
                names.iter().copied().filter(|name| !held.iter().any(|held| held == name)).collect();
            (!missing.is_empty()).then_some(missing)
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::NoTable { table } => write!(
                formatter,
                "there is no table `{table}` in this account and region: create it, or give the name that it has there"
            ),
            Difference::TableKey { expected, found } => write!(
                formatter,
                "the table has {found}, and the program was written for {expected}: the key of a table never changes, so \
                 either the name is another table's, or the items must be moved to a new table"
            ),
            Difference::TimeToLive { expected, found } => write!(
                formatter,
                "the time to live of the table looks at {}, and the program was written for {}: items would {}; change it by \
                 UpdateTimeToLive",
                found.as_deref().map_or("nothing".to_owned(), |name| format!("`{name}`")),
                expected.map_or("none".to_owned(), |name| format!("`{name}`")),
                if expected.is_some() {
                    "stay after their time"
                } else {
                    "go that nothing in the program expects to go"
                },
            ),
            Difference::Stream { expected, found } => write!(
                formatter,
                "the stream of the table carries {}, and the program was written for {expected}: who reads the stream would miss what \
                 it needs; {}",
                found.as_deref().unwrap_or("nothing, for there is none"),
                if found.is_some() {
                    "a view never changes, so switch the stream off and on again by UpdateTable, and let its readers begin anew"
                } else {
                    "switch it on by UpdateTable"
                },
            ),
            Difference::NoIndex { index } => {
                write!(formatter, "the table has no index `{index}`: add it, and wait until it is backfilled")
            }
            Difference::IndexKey { index, expected, found } => write!(
                formatter,
                "index `{index}` has {found}, and the program was written for {expected}: build a second index with another \
                 name, then switch, then drop this one"
            ),
            Difference::IndexProjection { index, missing } if missing.is_empty() => write!(
                formatter,
                "index `{index}` does not project everything: a projection never changes, so build a second index with \
                 another name, then switch, then drop this one"
            ),
            Difference::IndexProjection { index, missing } => write!(
                formatter,
                "index `{index}` does not project `{}`: a projection never changes, so build a second index with another name, \
                 then switch, then drop this one",
                missing.join("`, `")
            ),
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Design(messages) => {
                formatter.write_str("the design does not hold")?;
                messages.iter().try_for_each(|message| write!(formatter, "\n- {message}"))
            }
            OpenError::Lacks(lacking) => {
                write!(formatter, "the engine cannot do what the design needs: {}", lacking.join(", "))
            }
            OpenError::Differs(differences) => {
                formatter.write_str("the live table is not the one that this program was written for")?;
                differences.iter().try_for_each(|difference| write!(formatter, "\n- {difference}"))
            }
            OpenError::Service(error) => error.fmt(formatter),
            OpenError::Engine(error) => write!(formatter, "the engine does not open: {error}"),
        }
    }
}

impl Error for OpenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            OpenError::Design(_) | OpenError::Lacks(_) | OpenError::Differs(_) => None,
            OpenError::Service(error) => error.source(),
            OpenError::Engine(error) => error.source(),
        }
    }
}

impl From<ServiceError> for OpenError {
    fn from(error: ServiceError) -> OpenError {
        OpenError::Service(error)
    }
}
