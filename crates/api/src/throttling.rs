//! Throttling: which limit of which resource was exceeded, and the exception that says so.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-diagnosing-workflow.html>

use crate::wire::{ObjectWriter, write_array};
use crate::{BillingMode, CapacityKind};

/// Why a request was throttled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Throttling {
    /// The exception that the request is refused with.
    pub exception: ThrottlingException,
    /// The limits that were exceeded, at least one.
    pub reasons: Vec<ThrottlingReason>,
}

/// The exceptions by which the service throttles. An SDK tries all of them again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ThrottlingException {
    /// `ProvisionedThroughputExceededException`
    ProvisionedThroughputExceeded,
    /// `ThrottlingException`
    Throttling,
    /// `RequestLimitExceeded`
    RequestLimitExceeded,
}

/// One limit that was exceeded.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html>
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThrottlingReason {
    /// What it is a limit of.
    pub resource: ThrottledResource,
    /// Whether reads or writes exceeded it.
    pub capacity: CapacityKind,
    /// The limit.
    pub limit: ThrottlingLimit,
    /// How the resource's capacity is paid for.
    pub billing_mode: BillingMode,
}

/// What a limit is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ThrottledResource {
    /// The table with this Amazon Resource Name.
    Table(String),
    /// The global secondary index with this Amazon Resource Name.
    Index(String),
}

/// A limit of throughput.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ThrottlingLimit {
    /// What one partition gives: the key is hot.
    KeyRangeThroughput,
    /// What a table or index has in provisioned mode.
    ProvisionedThroughput,
    /// What its owner allows a table or index in on-demand mode.
    MaxOnDemandThroughput,
    /// What the account allows a table in on-demand mode.
    AccountLimit,
}

impl Throttling {
    /// The refusal of an operation of its own, by one limit.
    pub fn of_request(reason: ThrottlingReason) -> Self {
        Self { exception: reason.exception(), reasons: vec![reason] }
    }

    /// The refusal of a batch of which nothing can be processed; `None` without a reason.
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html>: by provisioned
    /// throughput it is a ProvisionedThroughputExceededException, by every other limit a ThrottlingException.
    pub fn of_batch(reasons: Vec<ThrottlingReason>) -> Option<Self> {
        let is_provisioned =
            |reason: &ThrottlingReason| reason.limit == ThrottlingLimit::ProvisionedThroughput;
        let exception = match reasons.iter().all(is_provisioned) {
            true => ThrottlingException::ProvisionedThroughputExceeded,
            false => ThrottlingException::Throttling,
        };
        (!reasons.is_empty()).then_some(Self { exception, reasons })
    }

    /// The message, which is that of the first reason.
    pub(crate) fn message(&self) -> &'static str {
        self.reasons.first().map_or(ON_DEMAND_TABLE, ThrottlingReason::message)
    }

    /// Writes the reasons; the name of the member is up to the exception.
    pub(crate) fn write_reasons(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(match self.exception {
            ThrottlingException::Throttling => b"\"throttlingReasons\":".as_slice(),
            _ => b"\"ThrottlingReasons\":",
        });
        write_array(out, &self.reasons, |reason, out| {
            let mut object = ObjectWriter::open(out);
            object.string("reason", &reason.name());
            object.string("resource", reason.resource.arn());
            object.close();
        });
    }
}

impl ThrottlingException {
    /// The value of `__type`, with its prefix.
    pub(crate) const fn wire_name(self) -> &'static str {
        match self {
            Self::ProvisionedThroughputExceeded => {
                "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"
            }
            Self::Throttling => "com.amazonaws.dynamodb.v20120810#ThrottlingException",
            Self::RequestLimitExceeded => "com.amazonaws.dynamodb.v20120810#RequestLimitExceeded",
        }
    }
}

impl ThrottlingReason {
    /// The name on the wire, such as `TableWriteKeyRangeThroughputExceeded`.
    pub fn name(&self) -> String {
        let resource = match self.resource {
            ThrottledResource::Table(_) => "Table",
            ThrottledResource::Index(_) => "Index",
        };
        let capacity = match self.capacity {
            CapacityKind::Read => "Read",
            CapacityKind::Write => "Write",
        };
        format!("{resource}{capacity}{}", self.limit.wire_name())
    }

    /// The exception of an operation that this alone throttles.
    const fn exception(&self) -> ThrottlingException {
        match (self.limit, self.billing_mode) {
            (ThrottlingLimit::ProvisionedThroughput, _)
            | (ThrottlingLimit::KeyRangeThroughput, BillingMode::Provisioned { .. }) => {
                ThrottlingException::ProvisionedThroughputExceeded
            }
            (ThrottlingLimit::KeyRangeThroughput, BillingMode::OnDemand)
            | (ThrottlingLimit::MaxOnDemandThroughput, _) => ThrottlingException::Throttling,
            (ThrottlingLimit::AccountLimit, _) => ThrottlingException::RequestLimitExceeded,
        }
    }

    /// The code that a cancelled transaction says of a member.
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html>
    pub(crate) const fn cancellation_code(&self) -> &'static str {
        match self.exception() {
            ThrottlingException::ProvisionedThroughputExceeded => "ProvisionedThroughputExceeded",
            _ => "ThrottlingError",
        }
    }

    pub(crate) const fn message(&self) -> &'static str {
        match (self.exception(), self.limit, &self.resource) {
            (_, ThrottlingLimit::MaxOnDemandThroughput, _) => {
                "Throughput exceeds the maximum OnDemandThroughput configured on table or index"
            }
            (ThrottlingException::RequestLimitExceeded, ..) => {
                "Throughput exceeds the current throughput limit for your account. Please contact AWS Support at \
                 https://aws.amazon.com/support to request a limit increase"
            }
            (ThrottlingException::ProvisionedThroughputExceeded, _, ThrottledResource::Table(_)) => {
                "The level of configured provisioned throughput for the table was exceeded. Consider increasing your \
                 provisioning level with the UpdateTable API."
            }
            (ThrottlingException::ProvisionedThroughputExceeded, _, ThrottledResource::Index(_)) => {
                "The level of configured provisioned throughput for one or more global secondary indexes of the table was \
                 exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes \
                 with the UpdateTable API"
            }
            (ThrottlingException::Throttling, _, ThrottledResource::Table(_)) => ON_DEMAND_TABLE,
            (ThrottlingException::Throttling, _, ThrottledResource::Index(_)) => {
                "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is \
                 automatically scaling your index so please try again shortly."
            }
        }
    }
}

impl ThrottledResource {
    /// The Amazon Resource Name.
    pub fn arn(&self) -> &str {
        match self {
            Self::Table(arn) | Self::Index(arn) => arn,
        }
    }
}

impl ThrottlingLimit {
    /// Every limit.
    pub const ALL: [Self; 4] = [
        Self::KeyRangeThroughput,
        Self::ProvisionedThroughput,
        Self::MaxOnDemandThroughput,
        Self::AccountLimit,
    ];

    /// The end of a reason's name on the wire, such as `KeyRangeThroughputExceeded`.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::KeyRangeThroughput => "KeyRangeThroughputExceeded",
            Self::ProvisionedThroughput => "ProvisionedThroughputExceeded",
            Self::MaxOnDemandThroughput => "MaxOnDemandThroughputExceeded",
            Self::AccountLimit => "AccountLimitExceeded",
        }
    }
}

const ON_DEMAND_TABLE: &str = "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically \
    scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: \
    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
