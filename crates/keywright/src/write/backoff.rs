//! How long to wait before a write is tried again: exponential, with full jitter, on the clock of the client.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html#Programming.Errors.RetryAndBackoff>

use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_smithy_async::rt::sleep::AsyncSleep;
use aws_smithy_types::retry::RetryConfig;

/// The tries of one call.
#[derive(Debug)]
pub(crate) struct Backoff<'c> {
    client: &'c Client,
    tries_left: u32,
    next: Duration,
    longest: Duration,
}

impl<'c> Backoff<'c> {
    /// As many tries as the client itself would make.
    pub(crate) fn new(client: &'c Client, retry: &RetryConfig) -> Backoff<'c> {
        Backoff {
            client,
            tries_left: retry.max_attempts().saturating_sub(1),
            next: retry.initial_backoff().min(Duration::from_millis(50)),
            longest: retry.max_backoff(),
        }
    }

    /// Waits for the next try; whether there is one.
    pub(crate) async fn wait(&mut self) -> bool {
        let Some(tries_left) = self.tries_left.checked_sub(1) else { return false };
        self.tries_left = tries_left;
        if let Some(sleep) = self.client.config().sleep_impl() {
            sleep.sleep(self.next.mul_f64(fraction())).await;
        }
        self.next = self.next.saturating_mul(2).min(self.longest);
        true
    }
}

/// A number from 0 to 1; 1 if the system gives no random bytes.
pub(crate) fn fraction() -> f64 {
    let mut bytes = [0_u8; 4];
    match getrandom::fill(&mut bytes) {
        Ok(()) => f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX),
        Err(_) => 1.0,
    }
}
