//! ConditionCheck: asks something of an item that a transaction does not write.

use std::fmt;

use keywright_key::Components;
use keywright_key::declare::{Condition, Entity, GivenValues, NamesItem, ReadItems, Table};

use super::condition::{Conditions, NO_VERSION, unsendable};
use super::mark::WriteMark;
use super::prepared::{Change, PreparedWrite};
use crate::error::WriteError;
use crate::etag::ETagMatch;
use crate::item::ItemKeys;
use crate::raw::RawExpression;
use crate::tenant::Tenant;

/// An item that a [transaction](crate::Transaction) is to ask: [`Tenant::check`], then what must hold for it.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// // A member joins a team only if the team is there at that moment.
/// let mut join = acme.transaction();
/// let in_team = join.add(acme.check(TeamById { team_id: 1 }).if_present());
/// join.add(acme.put(&member(1, "ada")).if_absent());
/// let canceled = join.send().await?.canceled().ok_or("there is no team yet")?;
/// assert_eq!(canceled.reason(&in_team)?, keywright::Reason::ConditionFailed { current: None });
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is asked before the transaction is sent"]
pub struct Check<Pattern: ReadItems> {
    tenant: Tenant<Pattern::Table>,
    pattern: Pattern,
}

/// What must hold for an item that a transaction does not write.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{ConditionalCheck, Transaction, TransactionAction};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # acme.put(&team(1, "Analysts")).send().await?;
/// /// What a transaction asks of the team, whatever else it does.
/// fn is_there(acme: &keywright::Tenant<App>) -> ConditionalCheck<TeamById> {
///     acme.check(TeamById { team_id: 1 }).if_present()
/// }
///
/// /// Adds anything that a transaction can do.
/// fn add(to: &mut Transaction, action: impl TransactionAction) {
///     to.add(action);
/// }
/// let mut join = acme.transaction();
/// add(&mut join, is_there(&acme));
/// add(&mut join, acme.put(&member(1, "ada")).if_absent());
/// assert!(join.send().await?.is_done());
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is asked before the transaction is sent"]
pub struct ConditionalCheck<Pattern: ReadItems> {
    check: Check<Pattern>,
    conditions: Result<Conditions, WriteError>,
}

impl<TableType, Pattern> Check<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
{
    /// The item is there, and its time is not over.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut join = acme.transaction();
    /// let is_team = join.add(acme.check(TeamById { team_id: 1 }).if_present());
    /// join.add(acme.put(&member(1, "ada")).if_absent());
    /// let canceled = join.send().await?.canceled().ok_or("there is no team")?;
    /// assert_eq!(canceled.reason(&is_team)?, keywright::Reason::ConditionFailed { current: None });
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_present(self) -> ConditionalCheck<Pattern> {
        self.with(Ok(Conditions::there()))
    }

    /// No item has the key. An item whose time is over is none.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&invitation("eve@example.org", 1)).send().await?; // its time was over in 1970
    ///
    /// // Whoever has an invitation joins by accepting it, and in no other way.
    /// let mut join = acme.transaction();
    /// join.add(acme.check(InvitationById { email: "eve@example.org".to_owned() }).if_absent());
    /// join.add(acme.put(&member(1, "eve")).if_absent());
    /// assert!(join.send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_absent(self) -> ConditionalCheck<Pattern> {
        self.with(Ok(Conditions::absent()))
    }

    /// The item is in the state that was read: nothing was written in between. Of several states, or any, where that is what a client's
    /// `If-Match` says: see [`ETagMatch`].
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let read = acme.put(&team(1, "Analysts")).send().await?.etag();
    /// acme.update(TeamById { team_id: 1 }, Rename { name: "Testers".to_owned() }).send().await?;
    ///
    /// // Ada chose the team by its name, and it has another one by now.
    /// let mut join = acme.transaction();
    /// join.add(acme.check(TeamById { team_id: 1 }).if_match(&read));
    /// join.add(acme.put(&member(1, "ada")).if_absent());
    /// assert!(!join.send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_match(self, states: impl Into<ETagMatch>) -> ConditionalCheck<Pattern> {
        self.with(Conditions::none().in_state(&Pattern::Entity::SHAPE, &states.into()))
    }

    /// The item has this version.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?; // version 1
    /// let mut join = acme.transaction();
    /// let seen = join.add(acme.check(TeamById { team_id: 1 }).if_version(7));
    /// join.add(acme.put(&member(1, "ada")));
    /// match join.send().await?.canceled().ok_or("it is another version")?.reason(&seen)? {
    ///     keywright::Reason::ConditionFailed { current: Some(team) } => assert_eq!(team.version, 1),
    ///     other => return Err(format!("{other:?}").into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn if_version(self, version: u64) -> ConditionalCheck<Pattern> {
        const {
            assert!(Pattern::Entity::SHAPE.version.is_some(), "{}", NO_VERSION);
        }
        self.with(Ok(Conditions::none().has_version(&Pattern::Entity::SHAPE, version)))
    }

    /// The item is there and this holds for it.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&Member { points: 30, ..member(1, "ada") }).send().await?;
    /// let ada = MemberById { team_id: 1, user_id: "ada".to_owned() };
    ///
    /// // A second team is founded by somebody with points, which are not spent by it.
    /// let mut found = acme.transaction();
    /// found.add(acme.check(ada).when(&HasPoints { least: 20 }));
    /// found.add(acme.put(&team(2, "Testers")).if_absent());
    /// assert!(found.send().await?.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn when<Asked>(self, asked: &Asked) -> ConditionalCheck<Pattern>
    where
        Asked: Condition<Table = TableType, Entity = Pattern::Entity> + GivenValues,
    {
        let conditions = Conditions::none()
            .holds(asked)
            .map_err(|problem| unsendable(&self.tenant, &self.pattern, problem));
        self.with(conditions)
    }

    /// The item is there and this expression of the caller's own holds for it.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::RawExpression;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// let closed = RawExpression::new("begins_with(#name, :closed)")?.name("name", "name").value("closed", &"Closed: ")?;
    ///
    /// let mut leave = acme.transaction();
    /// leave.add(acme.check(TeamById { team_id: 1 }).when_raw(closed));
    /// leave.add(acme.delete(MemberById { team_id: 1, user_id: "ada".to_owned() }));
    /// assert!(!leave.send().await?.is_done()); // the team is not closed
    /// # Ok(())
    /// # }
    /// ```
    pub fn when_raw(self, expression: RawExpression) -> ConditionalCheck<Pattern> {
        self.with(Ok(Conditions::none().holds_raw(expression)))
    }

    const fn with(self, conditions: Result<Conditions, WriteError>) -> ConditionalCheck<Pattern> {
        ConditionalCheck { check: self, conditions }
    }
}

impl<TableType, Pattern> ConditionalCheck<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
{
    pub(crate) const fn handle(&self) -> &Tenant<TableType> {
        &self.check.tenant
    }

    pub(crate) fn action(self, mark: WriteMark) -> Result<PreparedWrite, WriteError> {
        let (table, entity) = (TableType::SHAPE, Pattern::Entity::SHAPE);
        let tenant = &self.check.tenant;
        let ItemKeys { now: key, earlier } = tenant.named_keys(&self.check.pattern)?;
        let conditions = self.conditions?.fenced(&entity, tenant.identity());
        let (condition, placeholders) = conditions.write(&table, &entity, mark.seconds());
        let (entity, change) = (entity.name, Change::Check);
        PreparedWrite { entity, key, earlier, of_one: None, change, condition, placeholders, mark }
            .under_one_key()
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// The item that a pattern names, to be asked by a transaction that does not write it.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// let mut join = acme.transaction();
    /// let asked = join.add(acme.check(TeamById { team_id: 1 }).if_present());
    /// let added = join.add(acme.put(&member(1, "ada")));
    /// let committed = join.send().await?.done().ok_or("the team is there")?;
    /// // The member was written, and of the team nothing was.
    /// assert!(committed.etag(&added).is_some() && committed.etag(&asked).is_none());
    /// let team = acme.get(TeamById { team_id: 1 }).await?.ok_or("it is there")?;
    /// assert_eq!(team.version, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn check<Pattern>(&self, pattern: Pattern) -> Check<Pattern>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    {
        Check { tenant: self.clone(), pattern }
    }
}

impl<Pattern: ReadItems> fmt::Debug for Check<Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Check").field("pattern", &Pattern::SHAPE.name).finish_non_exhaustive()
    }
}

impl<Pattern: ReadItems> fmt::Debug for ConditionalCheck<Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.check.fmt(formatter)
    }
}
