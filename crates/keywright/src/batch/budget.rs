//! How long a batch is tried, how much of it at once, and how far it is.

use std::fmt;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Mutex;
use std::time::Duration;

/// How long a batch is tried: what is left then is in its error.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::num::NonZeroU32;
/// use std::time::Duration;
///
/// use keywright::BatchBudget;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let patient = BatchBudget { tries: const { NonZeroU32::new(20).unwrap() }, overall: Duration::from_secs(600) };
/// let teams: Vec<Team> = (1..=30).map(|number| team(number, "Imported")).collect();
/// acme.batch_put(&teams).budget(patient).send().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchBudget {
    /// How often each member is sent at most.
    pub tries: NonZeroU32,
    /// For how long something is sent at most, on the client's clock; the first call is made whatever it is, and what is under way at its end
    /// is waited for. Of a stream, for how long each
    /// member is, from when it is taken.
    pub overall: Duration,
}

/// How far a batch is, after an answer or the lack of one.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::BatchProgress;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let teams: Vec<Team> = (1..=30).map(|number| team(number, "Imported")).collect();
/// let mut told = Vec::new();
/// acme.batch_put(&teams).on_progress(|progress: BatchProgress| told.push((progress.done, progress.total))).send().await?;
/// assert_eq!(told.last(), Some(&(30, 30)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchProgress {
    /// Members for which the service answered.
    pub done: usize,
    /// All members; of a stream, those that were taken from it so far.
    pub total: usize,
    /// Calls that were made.
    pub calls: u64,
    /// How often a member had to be sent again, of all members together.
    pub sent_again: u64,
}

impl Default for BatchBudget {
    /// 10 tries and two minutes: with pauses that begin at 50 ms and double, ten tries take about 25 seconds at most.
    fn default() -> BatchBudget {
        BatchBudget { tries: NonZeroU32::MIN.saturating_add(9), overall: Duration::from_secs(120) }
    }
}

/// What is told of progress; locked while it is, so that batches can be shared between threads.
pub(super) type OnProgress<'p> = Mutex<Box<dyn FnMut(BatchProgress) + Send + 'p>>;

/// How a batch is carried out.
pub(super) struct Settings<'p> {
    pub(super) budget: BatchBudget,
    pub(super) in_flight: NonZeroUsize,
    pub(super) on_progress: Option<OnProgress<'p>>,
}

impl Default for Settings<'_> {
    /// Four calls at once.
    fn default() -> Self {
        Settings {
            budget: BatchBudget::default(),
            in_flight: NonZeroUsize::MIN.saturating_add(3),
            on_progress: None,
        }
    }
}

impl fmt::Debug for Settings<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Settings")
            .field("budget", &self.budget)
            .field("in_flight", &self.in_flight)
            .finish_non_exhaustive()
    }
}
