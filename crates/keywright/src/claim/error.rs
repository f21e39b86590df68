//! Why a claim was not taken, or its answer not stored.

use std::error::Error;
use std::fmt;

use keywright_key::Timestamp;

use crate::error::{ItemError, WriteError};

/// Why a claim was not taken, or its answer not stored.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
///
/// use keywright::{ClaimError, Claimed};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "key_1".to_owned() };
/// # let (lease, kept) = (Duration::from_secs(30), Duration::from_secs(4 * 86_400));
/// let charge = |body: &str| acme.claim(&event, lease, kept).of_request(body).send::<u64>();
/// if let Claimed::New(held) = charge("12 EUR").await? {
///     held.complete(&7).await?;
/// }
/// let status = match charge("95 EUR").await {
///     Ok(_) => 200,
///     Err(ClaimError::AnotherRequest { .. }) => 422, // one idempotency key, used for two requests
///     Err(_) => 500,
/// };
/// assert_eq!(status, 422);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ClaimError {
    /// The key was claimed for another request: whoever sent it used one idempotency key twice.
    AnotherRequest {
        /// The claim's entity.
        entity: &'static str,
    },
    /// The lease ran out, and somebody else holds the claim now, or it is gone. Nothing was stored.
    Lost {
        /// The claim's entity.
        entity: &'static str,
    },
    /// The stored answer is not what it should be: it was written by another version of the program.
    Answer(ItemError),
    /// A write had no effect, or nobody knows whether it had.
    Write(WriteError),
}

/// Why [`Claim::run`](crate::Claim::run) gives no answer.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
///
/// use keywright::{Once, OnceError};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "evt_1".to_owned() };
/// # let (lease, kept) = (Duration::from_secs(30), Duration::from_secs(4 * 86_400));
/// let failed = acme.claim(&event, lease, kept).run(async || Err::<u64, _>("the bank does not answer")).await;
/// let status = match &failed {
///     Ok(_) => 200,
///     Err(OnceError::InProgress { .. }) => 409, // somebody else is at it
///     Err(OnceError::Work(_)) => 502,           // the claim is given back
///     Err(OnceError::NotStored { .. } | OnceError::Claim(_)) => 500,
/// };
/// assert_eq!(status, 502);
/// let again = acme.claim(&event, lease, kept).run(async || Ok::<u64, &str>(7)).await;
/// assert!(matches!(again, Ok(Once::Ran(7))));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub enum OnceError<Answer, Failure> {
    /// Somebody else does the work at this moment.
    InProgress {
        /// When the claim is free if whoever does it is dead: until then, try again later.
        until: Timestamp,
    },
    /// The work failed. The claim was given back, so that the next try does the work again.
    Work(Failure),
    /// The work was done, and its answer could not be stored: the next try may do it again.
    NotStored {
        /// What the work gave.
        answer: Answer,
        /// Why it is not stored.
        source: ClaimError,
    },
    /// The claim was not taken, and nothing was done.
    Claim(ClaimError),
}

impl fmt::Display for ClaimError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClaimError::AnotherRequest { entity } => write!(
                formatter,
                "this `{entity}` was claimed for another request: a new request needs a key of its own"
            ),
            ClaimError::Lost { entity } => write!(
                formatter,
                "the lease of this `{entity}` ran out and it was taken over: nothing was stored. Give the work a longer lease, or \
                 renew it"
            ),
            ClaimError::Answer(error) => error.fmt(formatter),
            ClaimError::Write(error) => error.fmt(formatter),
        }
    }
}

impl Error for ClaimError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ClaimError::AnotherRequest { .. } | ClaimError::Lost { .. } => None,
            ClaimError::Answer(error) => error.source(),
            ClaimError::Write(error) => error.source(),
        }
    }
}

impl From<WriteError> for ClaimError {
    fn from(error: WriteError) -> ClaimError {
        ClaimError::Write(error)
    }
}

impl<Answer, Failure: fmt::Display> fmt::Display for OnceError<Answer, Failure> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OnceError::InProgress { until } => {
                write!(formatter, "somebody else is at it: try again later, after {until} at the latest")
            }
            OnceError::Work(failure) => failure.fmt(formatter),
            OnceError::NotStored { source, .. } => {
                write!(formatter, "the work was done, but its answer was not stored: {source}")
            }
            OnceError::Claim(error) => error.fmt(formatter),
        }
    }
}

impl<Answer: fmt::Debug, Failure: Error + 'static> Error for OnceError<Answer, Failure> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            OnceError::InProgress { .. } => None,
            OnceError::Work(failure) => failure.source(),
            OnceError::NotStored { source, .. } => Some(source),
            OnceError::Claim(error) => error.source(),
        }
    }
}
