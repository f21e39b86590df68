//! A wrapper for handlers: the work is done once, and everybody gets its answer.

use std::future::Future;

use keywright_key::Components;
use keywright_key::declare::{self, Table};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::OnceError;
use super::take::{Claim, Claimed};

/// The answer of work that is done once.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
///
/// use keywright::Once;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "evt_1".to_owned() };
/// # let (lease, kept) = (Duration::from_secs(30), Duration::from_secs(4 * 86_400));
/// let mut replies = Vec::new();
/// for _ in 0..2 {
///     replies.push(match acme.claim(&event, lease, kept).run(async || Ok::<u64, std::fmt::Error>(7)).await? {
///         Once::Ran(receipt) => (receipt, "now"),
///         Once::Replayed(receipt) => (receipt, "before"), // `Idempotent-Replayed: true`
///     });
/// }
/// assert_eq!(replies, [(7, "now"), (7, "before")]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Once<Answer> {
    /// The work was done now.
    Ran(Answer),
    /// The work had been done, and gave this.
    Replayed(Answer),
}

impl<Answer> Once<Answer> {
    /// The answer, whenever the work was done.
    ///
    /// ```
    /// use keywright::Once;
    ///
    /// assert_eq!(Once::Replayed(7).into_answer(), 7);
    /// ```
    pub fn into_answer(self) -> Answer {
        match self {
            Once::Ran(answer) | Once::Replayed(answer) => answer,
        }
    }
}

impl<TableType, ClaimType> Claim<'_, TableType, ClaimType>
where
    TableType: Table,
    ClaimType: declare::Claim<TableType> + Components + Serialize,
{
    /// Does the work if nobody has, and stores its answer; else gives the stored one. Work that fails gives the claim back, so that
    /// the next try does it again: an answer that is final, a refusal included, is an `Ok`.
    ///
    /// The lease is longer than the work takes at most: give the work a time limit below it. Whoever takes the claim over when it is over
    /// does the work a second time.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::Once;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "evt_1".to_owned() };
    /// let (lease, kept) = (Duration::from_secs(30), Duration::from_secs(4 * 86_400));
    /// let body = r#"{"amount":12}"#;
    ///
    /// let charge = || async { Ok::<u64, std::io::Error>(7) }; // the number of the receipt
    /// let first = acme.claim(&event, lease, kept).of_request(body).run(charge).await?;
    /// let again = acme.claim(&event, lease, kept).of_request(body).run(charge).await?;
    /// assert_eq!((first, again), (Once::Ran(7), Once::Replayed(7)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`OnceError`]: somebody else is at it, the work failed, its answer could not be stored, or the claim was not taken.
    pub async fn run<Answer, Failure, Running>(
        self,
        work: impl FnOnce() -> Running,
    ) -> Result<Once<Answer>, OnceError<Answer, Failure>>
    where
        Answer: Serialize + DeserializeOwned,
        Running: Future<Output = Result<Answer, Failure>>,
    {
        let held = match self.send::<Answer>().await.map_err(OnceError::Claim)? {
            Claimed::New(held) => held,
            Claimed::InProgress { until } => return Err(OnceError::InProgress { until }),
            Claimed::Done(answer) => return Ok(Once::Replayed(answer)),
        };
        match work().await {
            Ok(answer) => match held.complete(&answer).await {
                Ok(()) => Ok(Once::Ran(answer)),
                Err(source) => Err(OnceError::NotStored { answer, source }),
            },
            Err(failure) => {
                if held.give_back().await.is_err() {
                    tracing::warn!("a claim was not given back; it is free when its lease is over");
                }
                Err(OnceError::Work(failure))
            }
        }
    }
}
