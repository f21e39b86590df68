//! The secret of a token, and its hash.

use std::error::Error;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The secret of a token: 256 random bits. It is shown by [`TokenSecret::reveal`] and by nothing else.
///
/// ```
/// use keywright::TokenSecret;
///
/// let secret = TokenSecret::generate();
/// assert_eq!(format!("{secret:?}"), "TokenSecret(..)"); // it can be in what is logged
/// assert_eq!(secret.reveal().len(), 43);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TokenSecret([u8; SECRET_BYTES]);

/// The SHA-256 of a [`TokenSecret`], as 43 characters: a component of keys by which a token is found without storing its secret.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::time::Duration;
/// use keywright::TokenSecret;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let secret = TokenSecret::generate();
/// let organization_id = OrganizationId("acme".to_owned());
/// let reset = PasswordReset { token: secret.hash(), organization_id, user_id: "ada".to_owned() };
/// acme.issue(&reset, &secret, Duration::from_secs(3600)).await?;
///
/// let request = acme.get_request(&PasswordResetByToken { token: secret.hash() })?;
/// let key = request.key().and_then(|key| key.get("pk")).and_then(|value| value.as_s().ok());
/// assert_eq!(key, Some(&format!("RESET#{}", secret.hash().as_str()))); // who reads the table has no secret
/// # Ok(())
/// # }
/// ```
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
    ///
    /// ```
    /// use keywright::TokenSecret;
    ///
    /// let (ada, bob) = (TokenSecret::generate(), TokenSecret::generate());
    /// assert_ne!(ada, bob); // 256 bits: nobody ever has another's
    /// ```
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
    /// ```
    /// use keywright::{InvalidSecret, TokenSecret};
    ///
    /// let secret = TokenSecret::generate();
    /// let link = format!("https://example.com/reset/{}", secret.reveal());
    /// let brought = link.rsplit('/').next().unwrap_or_default();
    /// assert_eq!(TokenSecret::parse(brought)?, secret);
    /// assert!(TokenSecret::parse(&brought[..42]).is_err()); // a link that a mail program cut off
    /// # Ok::<(), InvalidSecret>(())
    /// ```
    ///
    /// # Errors
    /// When it is no secret: nothing needs to be looked up.
    pub fn parse(text: &str) -> Result<TokenSecret, InvalidSecret> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| InvalidSecret)?;
        bytes.try_into().map(TokenSecret).map_err(|_| InvalidSecret)
    }

    /// The secret as 43 characters that can stand in a link.
    ///
    /// ```
    /// use keywright::TokenSecret;
    ///
    /// let text = TokenSecret::generate().reveal();
    /// assert_eq!(text.len(), 43);
    /// assert!(text.chars().all(|character| character.is_ascii_alphanumeric() || "-_".contains(character)));
    /// ```
    #[must_use]
    pub fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Its hash.
    ///
    /// ```
    /// use keywright::TokenSecret;
    ///
    /// let secret = TokenSecret::generate();
    /// let again = TokenSecret::parse(&secret.reveal())?;
    /// assert_eq!(again.hash(), secret.hash()); // by which the token is found
    /// assert_ne!(secret.hash().as_str(), secret.reveal());
    /// # Ok::<(), keywright::InvalidSecret>(())
    /// ```
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash(URL_SAFE_NO_PAD.encode(Sha256::digest(self.0)))
    }
}

impl TokenHash {
    /// The hash as text.
    ///
    /// ```
    /// use keywright::TokenSecret;
    ///
    /// // The same for everybody who has the secret: 32 bytes of nothing.
    /// let secret = TokenSecret::parse(&"A".repeat(43))?;
    /// assert_eq!(secret.hash().as_str(), "Zmh6rfhivXdsj8GLjp-OIAiXFIVu4jOzkCpZHQ1fKSU");
    /// # Ok::<(), keywright::InvalidSecret>(())
    /// ```
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
