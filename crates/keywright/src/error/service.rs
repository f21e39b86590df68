//! What the service, or the way to it, answered instead of a result.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;

/// A call that the service refused, or that did not get an answer.
///
/// Its message holds the service's name for the failure and not its text, which can quote values; the text is in
/// [`source`](std::error::Error::source).
#[derive(Clone)]
pub struct ServiceError {
    problem: ServiceProblem,
    code: Option<String>,
    source: Arc<dyn Error + Send + Sync>,
}

/// What kind of failure it is: what a caller can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServiceProblem {
    /// Capacity, a quota or a hot key: the call had no effect, and the client's own retries are used up.
    Throttled,
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
    "TransactionConflictException",
    "TransactionInProgressException",
];

const DENIED: &[&str] = &[
    "AccessDeniedException",
    "UnrecognizedClientException",
    "MissingAuthenticationTokenException",
    "MissingAuthenticationToken",
    "InvalidSignatureException",
    "IncompleteSignatureException",
    "ExpiredTokenException",
];

impl ServiceError {
    pub(crate) fn new<Failure>(error: SdkError<Failure, HttpResponse>) -> ServiceError
    where
        Failure: ProvideErrorMetadata + Error + Send + Sync + 'static,
    {
        let code = error.as_service_error().and_then(ProvideErrorMetadata::code).map(str::to_owned);
        let status = error.raw_response().map(|response| response.status().as_u16());
        let problem = match (&code, status) {
            (Some(code), _) if THROTTLED.contains(&code.as_str()) => ServiceProblem::Throttled,
            (Some(code), _) if DENIED.contains(&code.as_str()) => ServiceProblem::Denied,
            (Some(_), Some(400..=499)) => ServiceProblem::Refused,
            _ if matches!(error, SdkError::ConstructionFailure(_)) => ServiceProblem::Refused,
            _ => ServiceProblem::Unanswered,
        };
        ServiceError { problem, code, source: Arc::new(error) }
    }

    /// What kind of failure it is.
    #[must_use]
    pub const fn problem(&self) -> ServiceProblem {
        self.problem
    }

    /// The service's own name for it: `ResourceNotFoundException`.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }
}

impl fmt::Display for ServiceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.problem {
            ServiceProblem::Throttled => "the call was throttled",
            ServiceProblem::Refused => "the call was refused",
            ServiceProblem::Denied => "the caller may not do this",
            ServiceProblem::Unanswered => "the service did not answer",
        };
        match &self.code {
            Some(code) => write!(formatter, "{what} ({code})"),
            None => formatter.write_str(what),
        }
    }
}

impl fmt::Debug for ServiceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The source holds the response, and with it items.
        formatter
            .debug_struct("ServiceError")
            .field("problem", &self.problem)
            .field("code", &self.code)
            .finish_non_exhaustive()
    }
}

impl Error for ServiceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.source)
    }
}
