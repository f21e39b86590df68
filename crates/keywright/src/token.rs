//! Tokens that are used once: a link that resets a password, an invitation, a download.
//!
//! The secret is given away and never stored: the item holds its SHA-256. Using it is one conditional update, which one of many wins; the item stays
//! until it expires, so that a try whose answer was lost is recognised.

mod secret;

use std::time::Duration;

use aws_sdk_dynamodb::types::{
    AttributeValue, ReturnConsumedCapacity, ReturnValue, ReturnValuesOnConditionCheckFailure,
};
use keywright_key::Components;
use keywright_key::declare::{self, Entity, NamesItem, ReadItems, Table};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tracing::Instrument;

pub use secret::{InvalidSecret, TokenHash, TokenSecret};

use crate::error::{ForeignItem, ForeignPlace, ItemError, ItemProblem, WriteError};
use crate::expression::Placeholders;
use crate::item::kept::{SECRET, USED_AT, number, stored};
use crate::item::{
    Attributes, Decoder, Encoded, ItemKeys, WRITE_ID_ATTRIBUTE, encode, size_bytes, stamp_value,
};
use crate::retry::Deadline;
use crate::stored::Stored;
use crate::tenant::Tenant;
use crate::time::{Moment, milliseconds};
use crate::trace;
use crate::write::{Attempt, Fence, Leaves, Repeat, Target, WriteMark, Written};

/// What became of using a token.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::time::Duration;
/// # use keywright::TokenSecret;
/// use keywright::Consumed;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # let (organization_id, secret) = (OrganizationId("acme".to_owned()), TokenSecret::generate());
/// # let reset = PasswordReset { token: secret.hash(), organization_id, user_id: "ada".to_owned() };
/// # acme.issue(&reset, &secret, Duration::from_secs(3600)).await?;
/// # let reset = || PasswordResetByToken { token: secret.hash() };
/// # assert!(matches!(acme.consume(reset(), &secret).await?, Consumed::Done(_)));
///
/// // The link was used, and somebody clicks on it once more.
/// let answer = match acme.consume(reset(), &secret).await? {
///     Consumed::Done(reset) => format!("{} may choose a new password", reset.user_id),
///     Consumed::Before => "this link was used".to_owned(),
///     Consumed::Unknown => "this link is not valid".to_owned(),
/// };
/// assert_eq!(answer, "this link was used");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "whether the token was good is said here"]
pub enum Consumed<Token> {
    /// It was good, and is used up now.
    Done(Stored<Token>),
    /// It was used before.
    Before,
    /// There is no such token: it never was, its time is over, another was issued in its place, or the secret is another one. Which of
    /// these is nobody's business who has not the secret.
    Unknown,
}

impl<TableType: Table> Tenant<TableType> {
    /// Stores a token that is good for `valid_for`, in place of one with the same key. The secret is [`TokenSecret::generate`]'s, and goes to whoever is
    /// to use it; its hash is stored.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::{Consumed, TokenSecret};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let secret = TokenSecret::generate();
    /// let reset = PasswordReset {
    ///     token: secret.hash(),
    ///     organization_id: OrganizationId("acme".to_owned()),
    ///     user_id: "ada".to_owned(),
    /// };
    /// acme.issue(&reset, &secret, Duration::from_secs(3600)).await?;
    /// let link = format!("https://example.com/reset/{}", secret.reveal());
    ///
    /// // Who clicks on it brings the secret, and no tenant.
    /// let secret = TokenSecret::parse(link.rsplit('/').next().unwrap_or_default())?;
    /// let by_token = || PasswordResetByToken { token: secret.hash() };
    /// let found = store.lookup_item(by_token()).await?.ok_or("no such link")?;
    /// let reset = found.as_bearer("who has the link may reset the password");
    /// let tenant = store.tenant(&reset.organization_id)?;
    /// assert!(matches!(tenant.consume(by_token(), &secret).await?, Consumed::Done(_)));
    /// assert_eq!(tenant.consume(by_token(), &secret).await?, Consumed::Before);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing was stored, or when that is not known.
    pub async fn issue<TokenType>(
        &self,
        token: &TokenType,
        secret: &TokenSecret,
        valid_for: Duration,
    ) -> Result<Written, WriteError>
    where
        TokenType: declare::SingleUseToken<TableType> + Components + Serialize,
    {
        let (table, entity, shared) = (TableType::SHAPE, TokenType::SHAPE, self.shared());
        let mark = WriteMark::now(shared);
        let Encoded { mut attributes, keys: ItemKeys { now: key, .. }, write_id, .. } =
            encode::<TableType, TokenType>(self, token, None, &mark)?;
        let moment = Moment { now: milliseconds(mark.since_epoch), ..shared.moment() };
        let time_to_live = entity.time_to_live.unwrap_or_default();
        attributes.insert(time_to_live.to_owned(), stored(moment.later_seconds(valid_for)));
        attributes.insert(SECRET.to_owned(), AttributeValue::S(secret.hash().as_str().to_owned()));
        let put_bytes = size_bytes(&attributes);
        let mut placeholders = Placeholders::default();
        let condition = Fence::of(&entity, self.identity()).map(|tenant| {
            let key = placeholders.name("key", table.partition_key.name);
            let expiry = placeholders.name("expiry", time_to_live);
            let now = placeholders.value("now", stored(mark.seconds()));
            let owner = tenant.write(&mut placeholders);
            format!("attribute_not_exists({key}) OR {expiry} <= {now} OR {owner}")
        });
        let builder = shared
            .calls
            .put_item()
            .table_name(&shared.table_name)
            .set_item(Some(attributes))
            .set_condition_expression(condition)
            .set_expression_attribute_names(placeholders.take_names())
            .set_expression_attribute_values(placeholders.take_values())
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let (entity_name, leaves, deadline) = (entity.name, Leaves::Item, Deadline::of_call(shared));
        let target = Target { shared, key: &key, write_id: &write_id, entity: entity_name, leaves, deadline };
        let span = trace::put(shared, entity.name);
        let attempt = target.attempt(Repeat::Harmful, || builder.clone().send()).instrument(span).await?;
        let write_units = match attempt {
            Attempt::Done(output) | Attempt::DoneAgain(output) => {
                let units = output.consumed_capacity.and_then(|units| units.capacity_units);
                target.count(units, Some(put_bytes));
                units
            }
            Attempt::Landed(_) => None,
            // All that was asked is that nobody else's item is there.
            Attempt::Failed(_) => return Err(ForeignItem::new(entity.name, ForeignPlace::Replaced).into()),
        };
        Ok(Written { write_id: mark.write_id, write_units })
    }

    /// Uses the token that a pattern names, if the secret is its own: of many callers one has `Done`, also where answers are lost.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::{Consumed, TokenSecret};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let secret = TokenSecret::generate();
    /// # let organization_id = OrganizationId("acme".to_owned());
    /// # let reset = PasswordReset { token: secret.hash(), organization_id, user_id: "ada".to_owned() };
    /// acme.issue(&reset, &secret, Duration::from_secs(3600)).await?;
    ///
    /// let reset = || PasswordResetByToken { token: secret.hash() };
    /// let guessed = TokenSecret::generate();
    /// assert_eq!(acme.consume(reset(), &guessed).await?, Consumed::Unknown); // and the token is as good as before
    /// assert!(matches!(acme.consume(reset(), &secret).await?, Consumed::Done(reset) if reset.user_id == "ada"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] when nothing was used, or when that is not known: then `Before`, the next time, may be of this call.
    pub async fn consume<Pattern>(
        &self,
        pattern: Pattern,
        secret: &TokenSecret,
    ) -> Result<Consumed<Pattern::Entity>, WriteError>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
        Pattern::Entity: declare::SingleUseToken<TableType> + DeserializeOwned,
    {
        let (entity, shared) = (Pattern::Entity::SHAPE, self.shared());
        let key = self.named_keys(&pattern)?.now;
        let mark = WriteMark::now(shared);
        let mut placeholders = Placeholders::default();
        let written = placeholders.name("write", WRITE_ID_ATTRIBUTE);
        let write_id = placeholders.value("write", mark.write_id.value());
        let used_at = placeholders.name("used", USED_AT);
        let now = placeholders.value("used", stored(milliseconds(mark.since_epoch)));
        let mut expression = format!("SET {written} = {write_id}, {used_at} = {now}");
        if let Some(updated) = entity.updated {
            let now = placeholders.value("updated", stamp_value(updated.form, mark.since_epoch));
            expression.push_str(&format!(", {} = {now}", placeholders.name("updated", updated.attribute)));
        }
        let hash = placeholders.value("secret", AttributeValue::S(secret.hash().as_str().to_owned()));
        let expiry = placeholders.name("expiry", entity.time_to_live.unwrap_or_default());
        let seconds = placeholders.value("now", stored(mark.seconds()));
        let mut condition = format!(
            "{} = {hash} AND attribute_not_exists({used_at}) AND {expiry} > {seconds}",
            placeholders.name("secret", SECRET)
        );
        if let Some(tenant) = Fence::of(&entity, self.identity()) {
            condition = format!("{condition} AND {}", tenant.write(&mut placeholders));
        }
        let builder = shared
            .calls
            .update_item()
            .table_name(&shared.table_name)
            .set_key(Some(key.clone()))
            .update_expression(expression)
            .condition_expression(condition)
            .set_expression_attribute_names(placeholders.take_names())
            .set_expression_attribute_values(placeholders.take_values())
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let (write_id, leaves, deadline) = (&mark.write_id, Leaves::Item, Deadline::of_call(shared));
        let target = Target { shared, key: &key, write_id, entity: entity.name, leaves, deadline };
        let span = trace::update(shared, entity.name);
        let attempt = target.attempt(Repeat::Harmless, || builder.clone().send()).instrument(span).await?;
        let item = match attempt {
            Attempt::Done(output) | Attempt::DoneAgain(output) => {
                target.count(output.consumed_capacity.and_then(|units| units.capacity_units), None);
                output.attributes
            }
            Attempt::Landed(item) => item,
            Attempt::Failed(item) => {
                return Ok(self.refused(item, secret, mark.seconds(), entity.time_to_live));
            }
        };
        let decoder = Decoder::<TableType>::new(shared, self.identity()).of_write();
        let used = decoder.entity(&entity, item.unwrap_or_default()).map_err(WriteError::Item)?;
        used.live().map(Consumed::Done).ok_or_else(|| {
            let problem = ItemProblem::AnotherEntity { expected: entity.name };
            WriteError::Item(ItemError::new("", None, problem))
        })
    }

    /// Why a token is not good, as far as whoever brings this secret may know.
    fn refused<Token>(
        &self,
        item: Option<Attributes>,
        secret: &TokenSecret,
        now_seconds: u64,
        time_to_live: Option<&'static str>,
    ) -> Consumed<Token> {
        let Some(item) = item else { return Consumed::Unknown };
        let is_foreign = Decoder::<TableType>::new(self.shared(), self.identity()).is_foreign(&item);
        let has_secret =
            matches!(item.get(SECRET), Some(AttributeValue::S(hash)) if *hash == secret.hash().as_str());
        let is_over = time_to_live
            .and_then(|name| number(&item, name))
            .is_none_or(|expires_at| expires_at <= now_seconds);
        let is_used = item.contains_key(USED_AT);
        if has_secret && is_used && !is_over && !is_foreign { Consumed::Before } else { Consumed::Unknown }
    }
}
