//! What the service, or the way to it, answered instead of a result.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::ThrottlingReason;
use aws_sdk_dynamodb::types::error::{
    ProvisionedThroughputExceededException, RequestLimitExceeded, ThrottlingException,
    TransactionCanceledException,
};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;

use super::write::write_key;
use crate::item::KeyAttributes;
use crate::store::Shared;

/// A call that the service refused, or that did not get an answer.
///
/// Its message holds the service's name for the failure and not its text, which can quote values; the text is in
/// [`source`](std::error::Error::source).
///
/// ```
/// use keywright::ServiceError;
///
/// fn log(error: &ServiceError) {
///     println!("{:?}, {}", error.problem(), error.code().unwrap_or("no answer"));
///     println!("{} {}", error.subject().unwrap_or("several"), error.key().unwrap_or_default()); // `Member ORG#acme / TEAM#1`
///     for reason in error.throttling_reasons() {
///         println!("{reason}"); // `TableWriteKeyRangeThroughputExceeded`: one key is hot
///     }
/// }
/// ```
#[derive(Clone)]
pub struct ServiceError {
    problem: ServiceProblem,
    told: Arc<Told>,
}

/// What is known of a failed call. Apart from the error, which is in every result of a call, so that those are small.
#[derive(Clone)]
struct Told {
    code: Option<String>,
    throttling_reasons: Vec<String>,
    /// What was written or read.
    subject: Option<&'static str>,
    key: Option<String>,
    source: Arc<dyn Error + Send + Sync>,
}

/// What kind of failure it is: what a caller can do about it.
///
/// ```
/// use keywright::ServiceProblem;
///
/// /// What an HTTP handler answers.
/// fn status(problem: ServiceProblem) -> u16 {
///     match problem {
///         ServiceProblem::Throttled | ServiceProblem::Conflict | ServiceProblem::Unanswered => 503,
///         _ => 500,
///     }
/// }
/// # assert_eq!(status(ServiceProblem::Throttled), 503);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServiceProblem {
    /// Capacity, a quota or a hot key: the call had no effect, and there are no more retries.
    Throttled,
    /// A transaction that is not over, or a write in another region, has the item: the call had no effect, and there are no more retries.
    Conflict,
    /// The request is wrong, or the table is not what the program expects.
    Refused,
    /// The caller may not do this.
    Denied,
    /// The service failed, or the answer was lost: whether a write had effect is not known.
    Unanswered,
}

/// The codes of refusals for want of capacity.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html>
const THROTTLED: &[&str] = &[
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "LimitExceededException",
];

/// The codes of refusals because somebody else is at work on the item.
const CONFLICT: &[&str] =
    &["TransactionConflictException", "TransactionInProgressException", "ReplicatedWriteConflictException"];

/// The code of a cancelled transaction, which says of each item why.
const CANCELLED: &str = "TransactionCanceledException";

const DENIED: &[&str] = &[
    "AccessDeniedException",
    "UnrecognizedClientException",
    "MissingAuthenticationTokenException",
    "MissingAuthenticationToken",
    "InvalidSignatureException",
    "IncompleteSignatureException",
    "ExpiredTokenException",
];

impl ServiceProblem {
    /// Whether the same call may be answered later: a throttle, a conflict, or no answer.
    pub(crate) const fn is_passing(self) -> bool {
        match self {
            ServiceProblem::Throttled | ServiceProblem::Conflict | ServiceProblem::Unanswered => true,
            ServiceProblem::Refused | ServiceProblem::Denied => false,
        }
    }
}

impl ServiceError {
    pub(crate) fn new<Failure>(error: SdkError<Failure, HttpResponse>) -> ServiceError
    where
        Failure: ProvideErrorMetadata + Error + Send + Sync + 'static,
    {
        let code = error.as_service_error().and_then(ProvideErrorMetadata::code).map(str::to_owned);
        let status = error.raw_response().map(|response| response.status().as_u16());
        let cause = error.as_service_error().and_then(Error::source);
        let problem = match (&code, status) {
            (Some(code), _) if code == CANCELLED => problem_of_cancellation(cause),
            (Some(code), _) if CONFLICT.contains(&code.as_str()) => ServiceProblem::Conflict,
            (Some(code), _) if THROTTLED.contains(&code.as_str()) => ServiceProblem::Throttled,
            (Some(code), _) if DENIED.contains(&code.as_str()) => ServiceProblem::Denied,
            (Some(_), Some(400..=499)) => ServiceProblem::Refused,
            _ if matches!(error, SdkError::ConstructionFailure(_)) => ServiceProblem::Refused,
            _ => ServiceProblem::Unanswered,
        };
        let throttling_reasons = cause.map(throttling_reasons).unwrap_or_default();
        let source = Arc::new(error);
        let told = Told { code, throttling_reasons, subject: None, key: None, source };
        ServiceError { problem, told: Arc::new(told) }
    }

    /// The same of a call that wrote this entity, or read by this access pattern.
    pub(crate) fn about(mut self, subject: &'static str) -> ServiceError {
        Arc::make_mut(&mut self.told).subject = Some(subject);
        self
    }

    /// The same of a call about the item under this key.
    pub(crate) fn of_item(mut self, shared: &Shared, key: &KeyAttributes) -> ServiceError {
        Arc::make_mut(&mut self.told).key = shared.key_in_errors(key);
        self
    }

    /// What kind of failure it is.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::PutItem;
    /// # use keywright_api::ThrottlingLimit;
    /// # use keywright_embedded::engine::faults::{Fault, Rule};
    /// use keywright::{ServiceProblem, WriteError};
    /// # let rule = Rule::new(Fault::Throttle(ThrottlingLimit::KeyRangeThroughput)).operation(PutItem);
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// match acme.put(&team(1, "Analysts")).send().await {
    ///     Err(WriteError::Service(error)) => assert_eq!(error.problem(), ServiceProblem::Throttled), // later, perhaps
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn problem(&self) -> ServiceProblem {
        self.problem
    }

    /// The entity that was written, or the access pattern that was read; none of a call about several, or about the table.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::PutItem;
    /// # use keywright_api::ThrottlingLimit;
    /// # use keywright_embedded::engine::faults::{Fault, Rule};
    /// use keywright::WriteError;
    /// # let rule = Rule::new(Fault::Throttle(ThrottlingLimit::AccountLimit)).operation(PutItem);
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// match acme.put(&team(1, "Analysts")).send().await {
    ///     Err(WriteError::Service(error)) => assert_eq!(error.subject(), Some("Team")),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn subject(&self) -> Option<&'static str> {
        self.told.subject
    }

    /// The key of the item that was written, unless the store keeps keys out of errors; none of a read by a pattern.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::PutItem;
    /// # use keywright_embedded::engine::faults::{Fault, Rule};
    /// use keywright::{ServiceProblem, WriteError};
    /// # let rule = Rule::new(Fault::TransactionConflict).operation(PutItem);
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// match acme.put(&team(1, "Analysts")).send().await {
    ///     Err(WriteError::Service(error)) => {
    ///         assert_eq!(error.problem(), ServiceProblem::Conflict); // a transaction has the item
    ///         assert_eq!(error.key(), Some("ORG#acme / TEAM#00000000000000000001"));
    ///     }
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.told.key.as_deref()
    }

    /// The service's own name for it: `ResourceNotFoundException`.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{CursorKey, CursorKeys, ReadError, ServiceProblem, Store};
    /// # let store = store().await?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// // The name of a table that is not there.
    /// let store = Store::<App>::builder(store.client().clone(), keys).table_name("Apps").open_unchecked();
    /// # let acme = acme(&store)?;
    /// match acme.get(TeamById { team_id: 1 }).await {
    ///     Err(ReadError::Service(error)) => {
    ///         assert_eq!((error.problem(), error.code()), (ServiceProblem::Refused, Some("ResourceNotFoundException")));
    ///     }
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.told.code.as_deref()
    }

    /// Why it was throttled, as the service names it: `TableWriteKeyRangeThroughputExceeded` is a hot key, `TableReadAccountLimitExceeded` a
    /// quota. Empty if it was not throttled, or the engine gives no reasons.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::GetItem;
    /// # use keywright_api::ThrottlingLimit;
    /// # use keywright_embedded::engine::faults::{Fault, Rule};
    /// use keywright::ReadError;
    /// # let rule = Rule::new(Fault::Throttle(ThrottlingLimit::KeyRangeThroughput)).operation(GetItem);
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// match acme.get(TeamById { team_id: 1 }).await {
    ///     // The key is hot.
    ///     Err(ReadError::Service(error)) => assert_eq!(error.throttling_reasons(), ["TableReadKeyRangeThroughputExceeded"]),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html>
    #[must_use]
    pub fn throttling_reasons(&self) -> &[String] {
        &self.told.throttling_reasons
    }
}

/// What a cancelled transaction was cancelled for: it may be made again if every item that has a reason was throttled or had a conflict.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html#API_TransactWriteItems_Errors>
fn problem_of_cancellation(cause: Option<&(dyn Error + 'static)>) -> ServiceProblem {
    let Some(cancelled) = cause.and_then(|cause| cause.downcast_ref::<TransactionCanceledException>()) else {
        return ServiceProblem::Refused;
    };
    let mut problem = ServiceProblem::Refused;
    for reason in cancelled.cancellation_reasons() {
        match reason.code() {
            None | Some("None") => {}
            Some("TransactionConflict") if problem != ServiceProblem::Throttled => {
                problem = ServiceProblem::Conflict;
            }
            Some("TransactionConflict") => {}
            Some("ProvisionedThroughputExceeded" | "ThrottlingError") => problem = ServiceProblem::Throttled,
            Some(_) => return ServiceProblem::Refused,
        }
    }
    problem
}

fn throttling_reasons(cause: &(dyn Error + 'static)) -> Vec<String> {
    let reasons = if let Some(cause) = cause.downcast_ref::<ProvisionedThroughputExceededException>() {
        cause.throttling_reasons()
    } else if let Some(cause) = cause.downcast_ref::<ThrottlingException>() {
        cause.throttling_reasons()
    } else if let Some(cause) = cause.downcast_ref::<RequestLimitExceeded>() {
        cause.throttling_reasons()
    } else {
        &[]
    };
    reasons.iter().filter_map(ThrottlingReason::reason).map(str::to_owned).collect()
}

impl fmt::Display for ServiceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.problem {
            ServiceProblem::Throttled => "the call was throttled",
            ServiceProblem::Conflict => "somebody else is writing the item",
            ServiceProblem::Refused => "the call was refused",
            ServiceProblem::Denied => "the caller may not do this",
            ServiceProblem::Unanswered => "the service did not answer",
        };
        if let Some(subject) = self.told.subject {
            write!(formatter, "`{subject}`: ")?;
        }
        match (self.code(), self.throttling_reasons()) {
            (Some(code), []) => write!(formatter, "{what} ({code})"),
            (Some(code), reasons) => write!(formatter, "{what} ({code}: {})", reasons.join(", ")),
            (None, _) => formatter.write_str(what),
        }?;
        write_key(formatter, self.key())
    }
}

impl fmt::Debug for ServiceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The source holds the response, and with it items.
        formatter
            .debug_struct("ServiceError")
            .field("problem", &self.problem)
            .field("code", &self.told.code)
            .field("throttling_reasons", &self.told.throttling_reasons)
            .field("subject", &self.told.subject)
            .field("key", &self.told.key)
            .finish_non_exhaustive()
    }
}

impl Error for ServiceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.told.source)
    }
}
