//! The keys that seal cursors.

use std::error::Error;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// A secret of 32 bytes that seals cursors.
///
/// ```
/// use keywright::CursorKey;
///
/// let kept = "c3VwZXJzZWNyZXRzdXBlcnNlY3JldHN1cGVyc2VjcmU="; // from a secret store
/// let key = CursorKey::from_base64(kept)?;
/// assert!(CursorKey::from_base64("too short").is_err());
/// # drop(key);
/// # Ok::<(), keywright::CursorKeyProblem>(())
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
    pub const BYTES: usize = 32;

    /// The key of these bytes, which must come from a generator for secrets and be kept like one.
    #[must_use]
    pub const fn new(bytes: [u8; CursorKey::BYTES]) -> CursorKey {
        CursorKey { bytes }
    }

    /// A key from its base64 text, as a secret store keeps it; with or without padding, in either alphabet.
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
    #[must_use]
    pub const fn new(sealing: CursorKey) -> CursorKeys {
        CursorKeys { sealing, accepted: Vec::new() }
    }

    /// The same, and what `key` sealed is accepted too.
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
