//! Opening: the rules hold, and the live table is the one that the program was written for.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use aws_sdk_dynamodb::types::{TableDescription, TableStatus, TimeToLiveStatus};
use aws_smithy_async::rt::sleep::AsyncSleep;
use keywright_key::declare::Table;
use keywright_key::rule::{self, Severity};
use keywright_key::{Message, StreamView, TableShape};

use super::capability::Capability;
use super::compare::{compare, compare_stream, unusable_table};
use super::difference::Difference;
use super::{Store, StoreBuilder};
use crate::error::ServiceError;
use crate::time::sleep_of;

/// Why a store does not open, or its table is not made. Its text says what to do about each thing.
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

/// How long it takes from one look at a table that is being created to the next.
const PAUSE: Duration = Duration::from_millis(200);
/// After how many looks waiting ends: five minutes.
const MOST_LOOKS: u32 = 1500;

/// Said of an engine that refuses DescribeTimeToLive, and of which nobody said that it does.
const UNDECLARED_TIME_TO_LIVE: &str = "time to live (for an engine that deletes no expired items, such as \
     `Capabilities::EMBEDDED`, say so by `StoreBuilder::capabilities`)";

impl<TableType: Table> StoreBuilder<TableType> {
    /// The store, once the design was verified and the live table compared with it: whether it can be used, its key, the keys and
    /// projections of the indexes that the program knows and whether they can be read, its time to live, and its stream if the design has
    /// one. What the table has beyond that is not looked at.
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
        let differences = match self.describe_usable().await? {
            Ok(description) => {
                let mut differences = compare(&table, &description);
                differences.extend(self.stream().and_then(|view| compare_stream(view, &description)));
                differences.extend(self.compare_time_to_live(&table).await?);
                differences
            }
            Err(difference) => vec![difference],
        };
        if differences.is_empty() { Ok(self.open_unchecked()) } else { Err(OpenError::Differs(differences)) }
    }

    /// What the stream is to carry, where the design has one and the engine can.
    pub(super) fn stream(&self) -> Option<StreamView> {
        TableType::SHAPE.stream.filter(|_| self.capabilities.streams == Capability::Present)
    }

    /// The table, or why it cannot be used.
    async fn describe_usable(&self) -> Result<Result<TableDescription, Difference>, OpenError> {
        let Some(description) = self.describe().await? else {
            return Ok(Err(Difference::NoTable { table: self.table_name.clone() }));
        };
        Ok(unusable_table(&description).map_or(Ok(description), Err))
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
    ) -> Result<Option<Difference>, OpenError> {
        if self.capabilities.time_to_live == Capability::Absent {
            return Ok(None);
        }
        let expected = table.time_to_live;
        let output = self.client.describe_time_to_live().table_name(&self.table_name).send().await;
        let description = match output.map_err(ServiceError::new) {
            Ok(output) => output.time_to_live_description,
            // An engine that does not know what it is has none.
            Err(error) if error.code() == Some("UnknownOperationException") => {
                return expected.map_or(Ok(None), |_| Err(OpenError::Lacks(vec![UNDECLARED_TIME_TO_LIVE])));
            }
            Err(error) => return Err(error.into()),
        };
        let found = description.and_then(|description| {
            let status = description.time_to_live_status?;
            let is_on = matches!(status, TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling);
            description.attribute_name.filter(|_| is_on)
        });
        Ok((found.as_deref() != expected).then_some(Difference::TimeToLive { expected, found }))
    }

    /// Waits until the table is active; without anything to sleep by there is no waiting, and it is looked at once. A table that was just
    /// created may not be seen at first, since DescribeTable reads eventually consistently.
    ///
    /// # Errors
    /// What it is instead when the time is over.
    pub(super) async fn wait_until_active(&self) -> Result<(), OpenError> {
        let sleep = sleep_of(&self.client);
        let mut looks = 1;
        loop {
            let description = self.describe().await?;
            let status = description.and_then(|description| description.table_status);
            if status == Some(TableStatus::Active) {
                return Ok(());
            }
            match &sleep {
                Some(sleep) if looks < MOST_LOOKS => sleep.sleep(PAUSE).await,
                Some(_) | None => return Err(OpenError::Differs(vec![self.not_active(status)])),
            }
            looks += 1;
        }
    }

    fn not_active(&self, status: Option<TableStatus>) -> Difference {
        match status {
            Some(status) => Difference::TableStatus { status: status.as_str().to_owned() },
            None => Difference::NoTable { table: self.table_name.clone() },
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
