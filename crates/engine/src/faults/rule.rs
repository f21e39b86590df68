//! One rule as its author writes it: what happens, to which calls, and how often.

use std::fmt::{self, Display, Formatter, Write};
use std::time::Duration;

use keywright_api::{Operation, ThrottlingLimit};

/// A rule: a fault, the calls that it looks at, and which of those it befalls; all of them at first.
///
/// `Display` is the rule in the words of a fault file. The rule's decisions depend on this text.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub(super) fault: Fault,
    pub(super) operations: Vec<Operation>,
    pub(super) table: Option<String>,
    pub(super) index: Option<String>,
    pub(super) key_prefix: Option<String>,
    pub(super) when: When,
}

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fault {
    /// So large a share of a batch's members, rounded up, is not processed and comes back in the answer; which ones is drawn.
    /// BatchGetItem and BatchWriteItem only.
    ///
    /// Where nothing of the batch is left to be processed, the service refuses it by throttling, and so does this.
    Unprocessed {
        /// Above 0, up to 1.
        share: f64,
    },
    /// The call exceeds a limit of throughput. Members of a batch come back unprocessed, members of a transaction cancel it.
    Throttle(ThrottlingLimit),
    /// Another transaction on the item is not over: a `TransactionConflictException` for PutItem, UpdateItem and DeleteItem, a
    /// cancellation for transactions.
    TransactionConflict,
    /// The transaction with this client request token is not over. TransactWriteItems with a token only.
    TransactionInProgress,
    /// A global index answers as it was so long ago, on the engine's clock. Query and Scan on global indexes only; tables and
    /// local indexes are never behind.
    IndexLag(Duration),
    /// An `InternalServerError` (500).
    InternalServerError(Moment),
    /// The connection is closed without an answer.
    CutConnection(Moment),
    /// The call takes so much longer, on the engine's clock. A call that is delayed before it is carried out is carried out
    /// even if nobody waits for its answer any more, unless the engine is closed by then.
    Delay(Moment, Duration),
}

/// On which side of the commit something goes wrong. To a read, its reading is the commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Moment {
    /// Nothing has happened.
    BeforeCommit,
    /// Everything has happened, and the client is not told. A refusal, such as of a condition, is not told either.
    AfterCommit,
}

/// Which of the calls that a rule looks at it befalls.
#[derive(Debug, Clone, PartialEq)]
pub enum When {
    /// All of them.
    Always,
    /// This share of them, above 0 and up to 1; each is drawn.
    Share(f64),
    /// Those with this share of all partition keys, above 0 and up to 1: always the same keys, in whatever order calls come.
    ShareOfKeys(f64),
    /// The calls of these numbers, counted from 1.
    Calls(Vec<u64>),
    /// Those whose number is a multiple of this one.
    Every(u64),
    /// The first so many.
    First(u64),
}

impl Rule {
    /// The fault befalls every call that it can befall.
    pub const fn new(fault: Fault) -> Rule {
        Rule { fault, operations: Vec::new(), table: None, index: None, key_prefix: None, when: When::Always }
    }

    /// Looks at calls of this operation, and of others that are named so.
    #[must_use]
    pub fn operation(mut self, operation: Operation) -> Rule {
        if !self.operations.contains(&operation) {
            self.operations.push(operation);
        }
        self
    }

    /// Looks only at this table. Of a call with several members, at those of this table.
    #[must_use]
    pub fn table(mut self, name: impl Into<String>) -> Rule {
        self.table = Some(name.into());
        self
    }

    /// Looks only at this index: at a Query or Scan of it, and at writes to a table that has it, whether or not they change one
    /// of its entries.
    #[must_use]
    pub fn index(mut self, name: impl Into<String>) -> Rule {
        self.index = Some(name.into());
        self
    }

    /// Looks only at partition keys that begin so: of what is written or read, and of the index's own where an index is queried.
    /// A number begins as it is written in an answer, binary as the bytes of this text.
    #[must_use]
    pub fn key_prefix(mut self, prefix: impl Into<String>) -> Rule {
        self.key_prefix = Some(prefix.into());
        self
    }

    /// Befalls only these of the calls that it looks at.
    #[must_use]
    pub fn when(mut self, when: When) -> Rule {
        self.when = when;
        self
    }
}

impl Fault {
    /// The operations to which the service does this.
    pub fn operations(self) -> &'static [Operation] {
        use Operation::{
            BatchGetItem, BatchWriteItem, DeleteItem, GetItem, PutItem, Query, Scan, TransactGetItems,
            TransactWriteItems, UpdateItem,
        };
        match self {
            Fault::Unprocessed { .. } => &[BatchGetItem, BatchWriteItem],
            Fault::Throttle(_) => &[
                PutItem,
                GetItem,
                UpdateItem,
                DeleteItem,
                Query,
                Scan,
                BatchGetItem,
                BatchWriteItem,
                TransactGetItems,
                TransactWriteItems,
            ],
            Fault::TransactionConflict => {
                &[PutItem, UpdateItem, DeleteItem, TransactGetItems, TransactWriteItems]
            }
            Fault::TransactionInProgress => &[TransactWriteItems],
            Fault::IndexLag(_) => &[Query, Scan],
            Fault::InternalServerError(_) | Fault::CutConnection(_) | Fault::Delay(..) => Operation::ALL,
        }
    }
}

impl Display for Rule {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.fault.fmt(formatter)?;
        match self.operations.as_slice() {
            [] => {}
            [operation] => write!(formatter, ", operation = {:?}", operation.name())?,
            operations => {
                let names: Vec<&str> = operations.iter().map(|operation| operation.name()).collect();
                write!(formatter, ", operations = {names:?}")?;
            }
        }
        for (key, value) in [("table", &self.table), ("index", &self.index), ("key_prefix", &self.key_prefix)]
        {
            if let Some(value) = value {
                write!(formatter, ", {key} = {}", Quoted(value))?;
            }
        }
        self.when.fmt(formatter)
    }
}

/// A text as TOML writes it.
struct Quoted<'text>(&'text str);

impl Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(formatter, "\\{character}")?,
                control if control.is_control() => write!(formatter, "\\u{:04X}", u32::from(control))?,
                other => formatter.write_char(other)?,
            }
        }
        formatter.write_char('"')
    }
}

impl Display for Fault {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unprocessed { share } => write!(formatter, "unprocessed = {share}"),
            Fault::Throttle(limit) => write!(formatter, "throttle = {:?}", limit.wire_name()),
            Fault::TransactionConflict => formatter.write_str("transaction = \"conflict\""),
            Fault::TransactionInProgress => formatter.write_str("transaction = \"in-progress\""),
            Fault::IndexLag(lag) => write!(formatter, "index_lag_ms = {}", lag.as_millis()),
            Fault::InternalServerError(moment) => write!(formatter, "internal_server_error = \"{moment}\""),
            Fault::CutConnection(moment) => write!(formatter, "cut_connection = \"{moment}\""),
            Fault::Delay(Moment::BeforeCommit, delay) => {
                write!(formatter, "delay_before_commit_ms = {}", delay.as_millis())
            }
            Fault::Delay(Moment::AfterCommit, delay) => {
                write!(formatter, "delay_after_commit_ms = {}", delay.as_millis())
            }
        }
    }
}

impl Display for Moment {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Moment::BeforeCommit => "before-commit",
            Moment::AfterCommit => "after-commit",
        })
    }
}

impl Display for When {
    /// Begins with a comma, since it ends a rule; nothing for all calls.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            When::Always => Ok(()),
            When::Share(share) => write!(formatter, ", share = {share}"),
            When::ShareOfKeys(share) => write!(formatter, ", share_of_keys = {share}"),
            When::Calls(calls) => match calls.as_slice() {
                [call] => write!(formatter, ", call = {call}"),
                calls => write!(formatter, ", calls = {calls:?}"),
            },
            When::Every(count) => write!(formatter, ", every = {count}"),
            When::First(count) => write!(formatter, ", first = {count}"),
        }
    }
}
