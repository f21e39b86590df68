//! The keys that seal cursors.

use std::error::Error;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// A secret of 32 bytes that seals cursors.
///
/// ```
/// use keywright::{CursorKey, CursorKeyProblem};
///
/// /// The key that a secret store keeps, made once by `openssl rand -base64 32`; without it the program does not start.
/// fn cursor_key(kept: Option<&str>) -> Result<CursorKey, CursorKeyProblem> {
///     CursorKey::from_base64(kept.unwrap_or_default())
/// }
/// assert!(cursor_key(std::env::var("NO_SUCH_SECRET").ok().as_deref()).is_err());
/// ```
#[derive(Clone)]
pub struct CursorKey {
    bytes: [u8; CursorKey::BYTES],
}

/// The keys of a store: one seals, several are accepted, so that a key can be replaced without refusing what clients hold.
///
/// ```
/// use keywright::{CursorKey, CursorKeys};
///
/// let old = CursorKey::generate()?;
/// let new = CursorKey::generate()?;
/// let keys = CursorKeys::new(new).accepting(old); // drop the old one when its last cursor has expired
/// # Ok::<(), keywright::CursorKeyProblem>(())
/// ```
#[derive(Clone, Debug)]
pub struct CursorKeys {
    sealing: CursorKey,
    accepted: Vec<CursorKey>,
}

/// Why there is no such key.
///
/// ```
/// use keywright::{CursorKey, CursorKeyProblem};
///
/// assert_eq!(CursorKey::from_base64("too short").err(), Some(CursorKeyProblem::Text));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CursorKeyProblem {
    /// The text is not base64 of 32 bytes.
    Text,
    /// The system gives no random bytes.
    Randomness,
}

impl CursorKey {
    /// How long a key is.
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// use keywright::{CursorKey, CursorKeys};
    ///
    /// # let mut secret_file: &[u8] = &[7; 32];
    /// let mut bytes = [0; CursorKey::BYTES];
    /// secret_file.read_exact(&mut bytes)?;
    /// let keys = CursorKeys::new(CursorKey::new(bytes));
    /// assert_eq!(CursorKey::BYTES, 32);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub const BYTES: usize = 32;

    /// The key of these bytes, which must come from a generator for secrets and be kept like one.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{CursorKey, CursorKeys, Store};
    /// # let store = store().await?;
    /// # let secret = [7; CursorKey::BYTES];
    /// # let page_size = std::num::NonZeroU32::MIN;
    /// # acme(&store)?.batch_put(&[member(1, "ada"), member(1, "bob")]).send().await?;
    /// // Processes that are given the same bytes go on where another one ended.
    /// let process = || {
    ///     let keys = CursorKeys::new(CursorKey::new(secret));
    ///     Store::<App>::builder(store.client().clone(), keys).open_unchecked()
    /// };
    /// let page = acme(&process())?.query(TeamWithMembers { team_id: 1 }).limit(page_size).page().await?;
    /// let next = page.next.ok_or("there is another member")?;
    /// let rest = acme(&process())?.query(TeamWithMembers { team_id: 1 }).after(next).page().await?;
    /// assert_eq!(rest.items.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn new(bytes: [u8; CursorKey::BYTES]) -> CursorKey {
        CursorKey { bytes }
    }

    /// A key from its base64 text, as a secret store keeps it; with or without padding, in either alphabet.
    ///
    /// ```
    /// use keywright::{CursorKey, CursorKeyProblem};
    ///
    /// CursorKey::from_base64("+/+/+/+/+/+/+/+/+/+/+/+/+/+/+/+/+/+/+/+/+/8=")?; // `openssl rand -base64 32`
    /// CursorKey::from_base64("-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_8")?; // of URLs, without padding
    /// assert_eq!(CursorKey::from_base64("c2hvcnQ=").err(), Some(CursorKeyProblem::Text)); // 5 bytes
    /// # Ok::<(), CursorKeyProblem>(())
    /// ```
    ///
    /// # Errors
    /// When the text is not base64 of 32 bytes.
    pub fn from_base64(text: &str) -> Result<CursorKey, CursorKeyProblem> {
        let bytes = STANDARD
            .decode(text)
            .or_else(|_| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')))
            .map_err(|_| CursorKeyProblem::Text)?;
        Ok(CursorKey { bytes: bytes.try_into().map_err(|_| CursorKeyProblem::Text)? })
    }

    /// A new key. Cursors that it seals are refused by every other process, and after a restart.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{CursorKey, CursorKeys, ReadError, Store};
    /// # let store = store().await?;
    /// # let page_size = std::num::NonZeroU32::MIN;
    /// # acme(&store)?.batch_put(&[member(1, "ada"), member(1, "bob")]).send().await?;
    /// let page = acme(&store)?.query(TeamWithMembers { team_id: 1 }).limit(page_size).page().await?;
    /// let next = page.next.ok_or("there is another member")?;
    /// // A process that is started again has another key, and refuses what it gave before.
    /// let keys = CursorKeys::new(CursorKey::generate()?);
    /// let restarted = Store::<App>::builder(store.client().clone(), keys).open_unchecked();
    /// let refused = acme(&restarted)?.query(TeamWithMembers { team_id: 1 }).after(next).page().await;
    /// assert!(matches!(refused, Err(ReadError::Cursor(_))));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn generate() -> Result<CursorKey, CursorKeyProblem> {
        let mut bytes = [0; CursorKey::BYTES];
        getrandom::fill(&mut bytes).map_err(|_| CursorKeyProblem::Randomness)?;
        Ok(CursorKey { bytes })
    }

    pub(super) const fn bytes(&self) -> &[u8; CursorKey::BYTES] {
        &self.bytes
    }
}

impl CursorKeys {
    /// One key, which seals and is accepted.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{CursorKey, CursorKeys, Store};
    /// # let store = store().await?;
    /// # let page_size = std::num::NonZeroU32::MIN;
    /// # let key = CursorKey::generate()?;
    /// // The key comes from a secret store: see `CursorKey`.
    /// let store = Store::<App>::in_memory(CursorKeys::new(key)).await?;
    /// # acme(&store)?.batch_put(&[member(1, "ada"), member(1, "bob")]).send().await?;
    /// let page = acme(&store)?.query(TeamWithMembers { team_id: 1 }).limit(page_size).page().await?;
    /// let next = page.next.ok_or("there is another member")?; // sealed by the key, and accepted by it
    /// assert_eq!(acme(&store)?.query(TeamWithMembers { team_id: 1 }).after(next).page().await?.items.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn new(sealing: CursorKey) -> CursorKeys {
        CursorKeys { sealing, accepted: Vec::new() }
    }

    /// The same, and what `key` sealed is accepted too.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{CursorKey, CursorKeys, Store};
    /// # let store = store().await?;
    /// # let page_size = std::num::NonZeroU32::MIN;
    /// # let (old, new) = (CursorKey::generate()?, CursorKey::generate()?);
    /// # acme(&store)?.batch_put(&[member(1, "ada"), member(1, "bob")]).send().await?;
    /// let process = |keys| Store::<App>::builder(store.client().clone(), keys).open_unchecked();
    /// let before = process(CursorKeys::new(old.clone()));
    /// let after = process(CursorKeys::new(new).accepting(old));
    /// let page = acme(&before)?.query(TeamWithMembers { team_id: 1 }).limit(page_size).page().await?;
    /// let next = page.next.ok_or("there is another member")?;
    /// let rest = acme(&after)?.query(TeamWithMembers { team_id: 1 }).after(next).page().await?;
    /// assert_eq!(rest.items.len(), 1); // the client notices nothing
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn accepting(mut self, key: CursorKey) -> CursorKeys {
        self.accepted.push(key);
        self
    }

    pub(super) const fn sealing(&self) -> &CursorKey {
        &self.sealing
    }

    pub(super) fn accepted(&self) -> impl Iterator<Item = &CursorKey> {
        std::iter::once(&self.sealing).chain(&self.accepted)
    }
}

impl fmt::Debug for CursorKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CursorKey(..)")
    }
}

impl fmt::Display for CursorKeyProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            CursorKeyProblem::Text => {
                "a cursor key is base64 of 32 bytes: make one with `openssl rand -base64 32`"
            }
            CursorKeyProblem::Randomness => "the system gives no random bytes",
        })
    }
}

impl Error for CursorKeyProblem {}
