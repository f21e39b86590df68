//! What an engine can do: declared when a store is opened, and compared with what the design needs.

use keywright_key::{IndexKeys, TableShape};

/// What the engine behind a client can do, where engines differ.
///
/// A store of Amazon DynamoDB or of the embedded engine needs nothing said. For another engine start from
/// [`Capabilities::AMAZON_DYNAMODB`] and take away what it lacks.
///
/// ```
/// use keywright::{Capabilities, Capability};
///
/// let older = Capabilities { multi_attribute_keys: Capability::Absent, ..Capabilities::AMAZON_DYNAMODB };
/// # assert_ne!(older, Capabilities::AMAZON_DYNAMODB);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Global indexes whose keys are several attributes. A design that has one does not open without it.
    pub multi_attribute_keys: Capability,
    /// The item in the answer where a condition did not hold. Without it, the item is read: one request more.
    pub items_of_failed_conditions: Capability,
    /// Transactions with tokens. A design with reservations does not open without them, and a [transaction](crate::Transaction) and a [`Snapshot`](crate::Snapshot) are refused before
    /// anything is sent.
    pub transactions: Capability,
    /// A time to live that the service acts on. Without it, items whose time is over are gone for this layer, and stay stored.
    pub time_to_live: Capability,
    /// Streams of tables. Without them, nothing compares or creates the stream of a design.
    pub streams: Capability,
}

/// Whether an engine can do something.
///
/// ```
/// use keywright::{Capabilities, Capability};
///
/// assert_eq!(Capabilities::AMAZON_DYNAMODB.multi_attribute_keys, Capability::Present);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// It can.
    Present,
    /// It cannot.
    Absent,
}

impl Capabilities {
    /// Everything.
    ///
    /// ```
    /// use keywright::{Capabilities, Capability};
    ///
    /// let Capabilities { transactions, time_to_live, streams, .. } = Capabilities::AMAZON_DYNAMODB;
    /// assert_eq!([transactions, time_to_live, streams], [Capability::Present; 3]);
    /// ```
    pub const AMAZON_DYNAMODB: Capabilities = Capabilities {
        multi_attribute_keys: Capability::Present,
        items_of_failed_conditions: Capability::Present,
        transactions: Capability::Present,
        time_to_live: Capability::Present,
        streams: Capability::Present,
    };

    /// This project's engine, in process or served: it does not delete what expired yet, and has no streams yet.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright::{CursorKey, CursorKeys};
    /// use keywright::{Capabilities, Capability, Store};
    /// # let first = store().await?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// assert_eq!(Capabilities::EMBEDDED.time_to_live, Capability::Absent);
    ///
    /// // A second store of an engine in this process: its time to live is not compared with the design's.
    /// let builder = Store::<App>::builder(first.client().clone(), keys);
    /// assert!(builder.capabilities(Capabilities::EMBEDDED).open().await.is_ok());
    /// # Ok(())
    /// # }
    /// ```
    pub const EMBEDDED: Capabilities = Capabilities {
        time_to_live: Capability::Absent,
        streams: Capability::Absent,
        ..Capabilities::AMAZON_DYNAMODB
    };

    /// What a design needs and the engine lacks, as a message says it.
    pub(super) fn lacking(self, table: &TableShape<'static>) -> Vec<&'static str> {
        let has_attribute_index =
            table.indexes.iter().any(|index| matches!(index.keys, IndexKeys::Attributes { .. }));
        let has_reservations = table.entities.iter().any(|entity| !entity.unique.is_empty());
        let needed = [
            (has_attribute_index, self.multi_attribute_keys, "indexes whose keys are several attributes"),
            (has_reservations, self.transactions, "transactions, by which reservations are held"),
        ];
        needed
            .into_iter()
            .filter(|(is_needed, capability, _)| *is_needed && *capability == Capability::Absent)
            .map(|(.., name)| name)
            .collect()
    }
}
