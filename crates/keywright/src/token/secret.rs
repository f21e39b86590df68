//! The secret of a token, and its hash.

use std::error::Error;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The secret of a token: 256 random bits. It is shown by [`TokenSecret::reveal`] and by nothing else.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenSecret([u8; SECRET_BYTES]);

/// The SHA-256 of a [`TokenSecret`], as 43 characters: a component of keys by which a token is found without storing its secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TokenHash(String);

keywright_key::component_newtype!(TokenHash(String));

/// A text that is no secret of a token.
///
/// ```
/// use keywright::{InvalidSecret, TokenSecret};
///
/// assert_eq!(TokenSecret::parse("too short").err(), Some(InvalidSecret));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSecret;

const SECRET_BYTES: usize = 32;

impl TokenSecret {
    /// A new one, of the system's randomness.
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "without the system's randomness a secret could be guessed, and none may be given away"
    )]
    pub fn generate() -> TokenSecret {
        let mut bytes = [0_u8; SECRET_BYTES];
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
        TokenSecret(bytes)
    }

    /// The secret that a text is, as [`TokenSecret::reveal`] gave it.
    ///
    /// # Errors
    /// When it is no secret: nothing needs to be looked up.
    pub fn parse(text: &str) -> Result<TokenSecret, InvalidSecret> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| InvalidSecret)?;
        bytes.try_into().map(TokenSecret).map_err(|_| InvalidSecret)
    }

    /// The secret as 43 characters that can stand in a link.
    #[must_use]
    pub fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Its hash.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash(URL_SAFE_NO_PAD.encode(Sha256::digest(self.0)))
    }
}

impl TokenHash {
    /// The hash as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for TokenSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TokenSecret(..)")
    }
}

impl fmt::Display for InvalidSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("it is no secret of a token: those have 43 characters, as they were given away")
    }
}

impl Error for InvalidSecret {}
