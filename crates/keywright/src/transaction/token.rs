//! The token that makes a transaction happen once.

use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::write::{WriteId, WriteMark};

/// What makes one transaction happen once, however often it is sent: 128 random bits and the time at which it was begun, as 30
/// characters.
///
/// The service remembers the token of a transaction that had effect for ten minutes after its first request was answered, and answers the same
/// request with the same token without doing it again. The ids, the stamps and the present of the transaction's writes follow from the
/// token, so that the request that is made from it in another process is the same one.
///
/// A token is one transaction's and never another's: keep it beside what asked for the transaction, until that is answered.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::TransactionToken;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let token = acme.transaction().token();
/// let kept = token.to_string();
/// assert_eq!(kept.len(), 30);
/// assert_eq!(kept.parse::<TransactionToken>()?, token);
/// # Ok(())
/// # }
/// ```
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html#DDB-TransactWriteItems-request-ClientRequestToken>
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TransactionToken {
    bits: u128,
    /// Since the beginning of 1970.
    begun_milliseconds: u64,
}

/// A text that is no token of a transaction.
///
/// ```
/// use keywright::{InvalidToken, TransactionToken};
///
/// assert_eq!("no token".parse::<TransactionToken>(), Err(InvalidToken));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidToken;

/// The bytes of a token: its bits, and 48 bits of milliseconds.
const BYTES: usize = 22;
const BITS_BYTES: usize = 16;

impl TransactionToken {
    /// For how long after its beginning a transaction can be sent again: nine of the ten minutes for which the service remembers tokens, so that clocks
    /// may differ by one.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{TransactionError, TransactionToken};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// assert_eq!(TransactionToken::GOOD_FOR.as_secs(), 540);
    ///
    /// let kept = "A".repeat(30); // stored long ago
    /// let token: TransactionToken = kept.parse()?;
    /// let mut late = acme.resume_transaction(token);
    /// late.add(acme.put(&team(1, "Analysts")));
    /// assert!(matches!(late.send().await, Err(TransactionError::TokenOver(over)) if over == token));
    /// # Ok(())
    /// # }
    /// ```
    pub const GOOD_FOR: Duration = Duration::from_secs(9 * 60);

    #[expect(
        clippy::expect_used,
        reason = "without the system's randomness two transactions could be taken for one, and nothing may be written"
    )]
    pub(super) fn new(since_epoch: Duration) -> TransactionToken {
        let mut bits = [0_u8; BITS_BYTES];
        getrandom::fill(&mut bits).expect("the system gives random bytes");
        let milliseconds = u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX);
        TransactionToken {
            bits: u128::from_be_bytes(bits),
            begun_milliseconds: milliseconds & 0xffff_ffff_ffff,
        }
    }

    /// When its transaction was begun, since the beginning of 1970, in whole milliseconds.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::SystemTime;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let before = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    /// let begun = acme.transaction().token().begun();
    /// assert!(begun.as_millis() >= before.as_millis());
    /// assert_eq!(begun.subsec_nanos() % 1_000_000, 0); // in whole milliseconds
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn begun(&self) -> Duration {
        Duration::from_millis(self.begun_milliseconds)
    }

    /// Whether the service may have forgotten it by now.
    pub(super) fn is_over(&self, now: Duration) -> bool {
        now >= self.begun().saturating_add(TransactionToken::GOOD_FOR)
    }

    /// The id and the time of the write at this position.
    pub(super) fn mark(&self, position: usize) -> WriteMark {
        let bits = self.bits.wrapping_add(position as u128);
        WriteMark { write_id: WriteId::of_bits(bits), since_epoch: self.begun() }
    }
}

impl FromStr for TransactionToken {
    type Err = InvalidToken;

    fn from_str(text: &str) -> Result<TransactionToken, InvalidToken> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| InvalidToken)?;
        let bytes: [u8; BYTES] = bytes.try_into().map_err(|_| InvalidToken)?;
        let number = |bytes: &[u8]| bytes.iter().fold(0_u128, |sum, byte| (sum << 8) | u128::from(*byte));
        let (bits, milliseconds) = bytes.split_at(BITS_BYTES);
        let begun_milliseconds = u64::try_from(number(milliseconds)).map_err(|_| InvalidToken)?;
        Ok(TransactionToken { bits: number(bits), begun_milliseconds })
    }
}

impl fmt::Display for TransactionToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = Vec::with_capacity(BYTES);
        bytes.extend(self.bits.to_be_bytes());
        bytes.extend(self.begun_milliseconds.to_be_bytes().into_iter().skip(2));
        formatter.write_str(&URL_SAFE_NO_PAD.encode(bytes))
    }
}

impl fmt::Debug for TransactionToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "TransactionToken({self})")
    }
}

impl fmt::Display for InvalidToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(
            "this is no token of a transaction: it is the text that `Transaction::token` gives, 30 characters",
        )
    }
}

impl Error for InvalidToken {}
