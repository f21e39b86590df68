//! A claim as an action of a transaction: that the work is done, together with what the work writes.

use std::fmt;
use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::Components;
use keywright_key::declare::{self, Table};
use serde::Serialize;

use super::take::{Claim, time_to_live};
use crate::error::WriteError;
use crate::expression::Placeholders;
use crate::item::kept::{ANSWER, OWNER, stored};
use crate::item::{encode, size_bytes};
use crate::tenant::Tenant;
use crate::time::{Moment, milliseconds};
use crate::write::{Change, PreparedWrite, WriteMark};

/// That a claim is done, as an action of a [transaction](crate::Transaction): [`Tenant::mark_done`].
///
/// What else is in the transaction happens once for this claim: the second time, the mark's condition does not hold.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "evt_1".to_owned() };
/// for is_first in [true, false] {
///     let mut transaction = acme.transaction();
///     let marked = transaction.add(acme.mark_done(&event, Duration::from_secs(4 * 86_400)));
///     transaction.add(acme.put(&member(1, "ada")));
///     let transacted = transaction.send().await?;
///     assert_eq!(transacted.is_done(), is_first);
///     if let Some(canceled) = transacted.canceled() {
///         assert!(matches!(canceled.reason(&marked)?, keywright::Reason::ConditionFailed { .. }));
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is marked before the transaction is sent"]
pub struct ClaimMark<'c, TableType, ClaimType> {
    claim: Claim<'c, TableType, ClaimType>,
}

impl<TableType, ClaimType> ClaimMark<'_, TableType, ClaimType>
where
    TableType: Table,
    ClaimType: declare::Claim<TableType> + Components + Serialize,
{
    pub(crate) const fn handle(&self) -> &Tenant<TableType> {
        &self.claim.tenant
    }

    pub(crate) fn action(self, mark: WriteMark) -> Result<PreparedWrite, WriteError> {
        let (claim, entity) = (self.claim, ClaimType::SHAPE);
        let now = milliseconds(mark.since_epoch);
        let moment = Moment { now, ..claim.tenant.shared().moment() };
        let encoded = encode::<TableType, ClaimType>(&claim.tenant, claim.claim, None, &mark)?;
        let mut item = encoded.attributes;
        item.insert(time_to_live(&entity).to_owned(), stored(moment.later_seconds(claim.keep_for)));
        item.insert(OWNER.to_owned(), mark.write_id.value());
        // The answer of work that gives nothing.
        item.insert(ANSWER.to_owned(), AttributeValue::Null(true));
        let mut placeholders = Placeholders::default();
        let condition = Some(claim.condition(&mut placeholders, moment));
        let size_bytes = size_bytes(&item);
        let change = Change::Put { item, size_bytes };
        let (entity, key, earlier) = (entity.name, encoded.keys.now, Vec::new());
        Ok(PreparedWrite { entity, key, earlier, of_one: None, change, condition, placeholders, mark })
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// That a claim is done, as an action of a transaction, and kept for as long: what is in the transaction happens once for it. Its answer is
    /// nothing, `()`.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use keywright::Claimed;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id: "evt_1".to_owned() };
    /// # let (lease, kept) = (Duration::from_secs(30), Duration::from_secs(4 * 86_400));
    /// # let balance = Balance { organization_id: OrganizationId("acme".to_owned()) };
    /// for _ in 0..2 {
    ///     let mut transaction = acme.transaction();
    ///     transaction.add(acme.mark_done(&event, kept));
    ///     transaction.add(acme.add(&balance, 12));
    ///     let _ = transaction.send().await?; // delivered twice
    /// }
    /// assert_eq!(acme.count(&balance).await?, 12);
    /// assert!(matches!(acme.claim(&event, lease, kept).send::<()>().await?, Claimed::Done(())));
    /// # Ok(())
    /// # }
    /// ```
    pub fn mark_done<'c, ClaimType>(
        &self,
        claim: &'c ClaimType,
        keep_for: Duration,
    ) -> ClaimMark<'c, TableType, ClaimType>
    where
        ClaimType: declare::Claim<TableType>,
    {
        ClaimMark { claim: self.claim(claim, Duration::ZERO, keep_for) }
    }
}

impl<TableType, ClaimType> fmt::Debug for ClaimMark<'_, TableType, ClaimType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ClaimMark").field("keep_for", &self.claim.keep_for).finish_non_exhaustive()
    }
}
