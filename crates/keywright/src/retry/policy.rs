//! How often, how long and after which pauses calls are made again.

use std::num::NonZeroU32;
use std::time::Duration;

use aws_sdk_dynamodb::Client;

use super::jitter::Jitter;

/// How calls are made again that had no effect, or whose effect twice is the same as once: throttled ones, conflicts with transactions,
/// reads and some writes that were not answered.
///
/// A store takes tries and pauses from its client until it is given a policy by [`StoreBuilder::retries`](crate::StoreBuilder::retries).
///
/// ```
/// # use applications::teams::App;
/// use std::num::NonZeroU32;
/// use std::time::Duration;
///
/// use aws_sdk_dynamodb::Client;
/// use keywright::{CursorKeys, OpenError, RetryPolicy, Store};
///
/// /// Somebody waits for the answer: better an early error than a late one.
/// async fn open(client: Client, keys: CursorKeys) -> Result<Store<App>, OpenError> {
///     let hasty = RetryPolicy {
///         tries: const { NonZeroU32::new(4).unwrap() },
///         overall: Duration::from_secs(2),
///         attempt_timeout: Duration::from_millis(500),
///         ..RetryPolicy::default()
///     };
///     Store::builder(client, keys).retries(hasty).open().await
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// How often a call is made at most.
    pub tries: NonZeroU32,
    /// The longest pause before the second try. It doubles with each further one; the pause that is made is drawn between nothing and that.
    pub first_pause: Duration,
    /// What pauses do not grow beyond.
    pub longest_pause: Duration,
    /// How long after its beginning a call is made again at most, on the client's clock, with everything that it asks for: a write, the read
    /// that says what became of it, the requests of a page. A try that is under way then is waited for, no longer than `attempt_timeout`.
    /// A page that is not full by then ends with what it has, and a cursor.
    pub overall: Duration,
    /// How long one try may take, on the client's clock; then it counts as not answered. By a client that cannot sleep, as long as it takes.
    pub attempt_timeout: Duration,
    /// How many retries the store makes while nothing succeeds, all its callers and clones together. Each success that needed a retry gives
    /// it back, and five that needed none give one. To a batch, a success is one of whichever of its calls follows.
    pub reserve: u32,
    /// By how much pauses are shortened.
    pub jitter: Jitter,
}

impl Default for RetryPolicy {
    /// Three tries as the SDK makes them, pauses of up to 50 and 100 ms, 10 seconds for each try, 30 for all, and a reserve of 100 retries.
    fn default() -> RetryPolicy {
        RetryPolicy {
            tries: NonZeroU32::MIN.saturating_add(2),
            first_pause: Duration::from_millis(50),
            longest_pause: Duration::from_secs(20),
            overall: Duration::from_secs(30),
            attempt_timeout: Duration::from_secs(10),
            reserve: 100,
            jitter: Jitter::System,
        }
    }
}

impl RetryPolicy {
    /// The default with what a client says of tries, pauses and time limits.
    pub(crate) fn of(client: &Client) -> RetryPolicy {
        let default = RetryPolicy::default();
        let config = client.config();
        let retry = config.retry_config();
        let timeout = config.timeout_config();
        RetryPolicy {
            tries: retry.map_or(default.tries, |retry| {
                NonZeroU32::new(retry.max_attempts()).unwrap_or(NonZeroU32::MIN)
            }),
            // The SDK begins with a second, which is what throttles of a whole account ask for and not those of DynamoDB.
            first_pause: retry
                .map_or(default.first_pause, |retry| retry.initial_backoff().min(default.first_pause)),
            longest_pause: retry.map_or(default.longest_pause, |retry| retry.max_backoff()),
            attempt_timeout: timeout
                .and_then(|timeout| timeout.operation_attempt_timeout().or(timeout.read_timeout()))
                .unwrap_or(default.attempt_timeout),
            ..default
        }
    }
}
