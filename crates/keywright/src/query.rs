//! Reads: one Query, or one GetItem.

mod excluded;
mod filled;
mod get;
mod key_condition;
mod lookup;
mod page;
mod pages;
mod partition;
mod position;
mod projection;
mod read_key;
mod sharded;
mod stream;

use std::fmt;
use std::num::NonZeroU32;

use aws_sdk_dynamodb::operation::query::QueryInput;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use keywright_key::declare::{OneQuery, ReadItems, Table, WithinTenant};
use keywright_key::rule::{filter_on_key, not_projected};
use keywright_key::{Components, Consistency, TenantScope};

use crate::cursor::Cursor;
use crate::error::ReadError;
use crate::expression::{GivenProblem, Placeholders, and};
use crate::raw::RawExpression;
use crate::tenant::{Identity, Tenant};
use key_condition::KeyCondition;
pub(crate) use projection::projection;
use read_key::ReadKey;

pub use lookup::{Lookup, Unverified};
pub use page::Page;
pub use pages::Pages;
pub use sharded::{FannedOut, FannedOutPages};
pub use stream::PageStream;

/// An access pattern that is about to be read through a tenant: [`Tenant::query`].
///
/// Nothing is sent before a page is asked for: one by [`Query::page`], one after the other by [`Query::pages`], everything up to a bound by
/// [`Query::all`].
///
/// ```
/// # use applications::teams::*;
/// # use std::num::NonZeroU32;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(1, "Analysts")).send().await?;
/// for user_id in ["ada", "bob"] {
///     acme.put(&member(1, user_id)).send().await?;
/// }
///
/// let page = acme.query(TeamWithMembers { team_id: 1 }).limit(TWO).page().await?;
/// assert_eq!(page.items.len(), 2);
/// let cursor = page.next.ok_or("there is more")?;
/// let rest = acme.query(TeamWithMembers { team_id: 1 }).after(cursor).page().await?;
/// assert!(matches!(rest.into_items()?.as_slice(), [TeamWithMembersItem::Member(bob)] if bob.user_id == "bob"));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read before a page is asked for"]
pub struct Query<Pattern: ReadItems> {
    tenant: Tenant<Pattern::Table>,
    pattern: Pattern,
    direction: Direction,
    limit: Option<NonZeroU32>,
    after: Option<Cursor>,
    raw_filters: Vec<RawExpression>,
}

/// In which order a Query reads.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let latest = acme.query(TeamWithMembers { team_id: 1 }).backward();
/// assert_eq!(latest.request()?.ok_or("some key can lie there")?.scan_index_forward(), Some(false));
/// # let _ = keywright::Direction::Backward;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Lowest sort key first.
    #[default]
    Forward,
    /// Highest sort key first: the same cost.
    Backward,
}

impl<Pattern: ReadItems> Query<Pattern> {
    fn new(tenant: Tenant<Pattern::Table>, pattern: Pattern) -> Query<Pattern> {
        Query {
            tenant,
            pattern,
            direction: Direction::default(),
            limit: None,
            after: None,
            raw_filters: Vec::new(),
        }
    }

    /// Highest sort key first: the latest, where the sort key ends with a time. It costs the same.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU32;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// for user_id in ["ada", "bob"] {
    ///     acme.put(&member(1, user_id)).send().await?;
    /// }
    /// let last = acme.query(TeamWithMembers { team_id: 1 }).backward().limit(NonZeroU32::MIN).page().await?.into_items()?;
    /// assert!(matches!(last.as_slice(), [TeamWithMembersItem::Member(bob)] if bob.user_id == "bob"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn backward(mut self) -> Query<Pattern> {
        self.direction = Direction::Backward;
        self
    }

    /// Goes on after the page that gave this cursor. Whether it is one of this read is found out before anything is sent.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU32;
    /// use keywright::{CursorError, ReadError};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # acme.put(&member(1, "ada")).send().await?;
    /// let first = acme.query(TeamWithMembers { team_id: 1 }).limit(NonZeroU32::MIN).page().await?;
    /// let cursor = first.next.ok_or("there is more")?;
    ///
    /// let next = acme.query(TeamWithMembers { team_id: 1 }).after(cursor.clone()).request()?.ok_or("some key can lie there")?;
    /// assert!(next.exclusive_start_key().is_some());
    /// let of_another_team = acme.query(TeamWithMembers { team_id: 2 }).after(cursor).request();
    /// assert!(matches!(of_another_team, Err(ReadError::Cursor(CursorError::Invalid))));
    /// # Ok(())
    /// # }
    /// ```
    pub fn after(mut self, cursor: Cursor) -> Query<Pattern> {
        self.after = Some(cursor);
        self
    }

    /// Leaves out more after reading than the pattern does, by an expression of the caller's own; given twice, both must hold. It
    /// saves no capacity.
    ///
    /// On a read across tenants through a tenant's handle it leaves out everything that is not the tenant's, too, as a filter of the pattern's
    /// own does: what is somebody else's must not be found out by asking for it. An index that cannot be asked for the tenant is filtered by
    /// nothing: there this does not compile.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::RawExpression;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// acme.put(&Member { points: 7, ..member(1, "ada") }).send().await?;
    /// acme.put(&member(1, "bob")).send().await?;
    ///
    /// let with_points = RawExpression::new("points > :least")?.value("least", &5)?;
    /// let page = acme.query(TeamWithMembers { team_id: 1 }).and_filter(with_points).page().await?;
    /// assert_eq!((page.items.len(), page.items_read), (1, 3)); // the team and bob are read, and paid for
    /// # Ok(())
    /// # }
    /// ```
    pub fn and_filter(self, filter: RawExpression) -> Query<Pattern> {
        const {
            not_projected::enforce_filter(&<Pattern::Table as Table>::SHAPE, &Pattern::SHAPE);
            filter_on_key::enforce_filter(&<Pattern::Table as Table>::SHAPE, &Pattern::SHAPE);
        }
        self.filtered(filter)
    }

    /// Adds a filter, where it need not be asked of one tenant's items.
    fn filtered(mut self, filter: RawExpression) -> Query<Pattern> {
        self.raw_filters.push(filter);
        self
    }

    /// At most this many items in a page, filtered ones not counted; whether there are more is said by the page.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU32;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # for user_id in ["ada", "bob"] { acme.put(&member(1, user_id)).send().await?; }
    /// const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();
    /// let page = acme.query(TeamWithMembers { team_id: 1 }).limit(TWO).page().await?;
    /// assert_eq!((page.items.len(), page.has_more()), (2, true)); // the team and ada; bob is left
    /// # Ok(())
    /// # }
    /// ```
    pub fn limit(mut self, items: NonZeroU32) -> Query<Pattern> {
        self.limit = Some(items);
        self
    }
}

impl<TableType, Pattern> Query<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + Components,
{
    /// The request that would be sent first, for a look at it; none if no key can lie in the range that was given.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let request = acme.query(TeamWithMembers { team_id: 1 }).request()?.ok_or("some key can lie there")?;
    /// assert_eq!(request.key_condition_expression(), Some("#k0 = :k0 AND #k1 BETWEEN :k1 AND :k2"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When a key or a value cannot be written, and when the cursor is refused.
    pub fn request(&self) -> Result<Option<QueryInput>, ReadError> {
        let Some(prepared) = self.prepare()? else { return Ok(None) };
        let start = self
            .after
            .as_ref()
            .map(|cursor| self.open_cursor(&self.context(&prepared), cursor))
            .transpose()?;
        match page::request(prepared, start, self.limit_of_items()).as_input().clone().build() {
            Ok(input) => Ok(Some(input)),
            Err(_) => unreachable!("`prepare` gives what a Query needs"),
        }
    }

    fn limit_of_items(&self) -> Option<usize> {
        self.limit.map(|limit| usize::try_from(limit.get()).unwrap_or(usize::MAX))
    }

    /// The request from its beginning; none if no key can lie in the range that was given.
    fn prepare(&self) -> Result<Option<QueryFluentBuilder>, ReadError> {
        let shape = Pattern::SHAPE;
        let mut placeholders = Placeholders::default();
        let given = |problem: GivenProblem| ReadError::Value {
            pattern: shape.name,
            given: problem.given,
            reason: problem.reason,
        };
        let read_key = ReadKey::of::<Pattern>();
        let Some(KeyCondition { text }) =
            KeyCondition::write(&read_key, &shape, self.tenant.identity(), &self.pattern, &mut placeholders)?
        else {
            return Ok(None);
        };
        let filter = self.filter(&mut placeholders).map_err(given)?;
        let projection = projection(&TableType::SHAPE, &shape, &mut placeholders);
        let backward = (self.direction == Direction::Backward).then_some(false);
        let consistent = (shape.consistency == Consistency::Strong).then_some(true);
        Ok(Some(
            self.tenant
                .shared()
                .calls
                .query()
                .table_name(&self.tenant.shared().table_name)
                .set_index_name(shape.index.map(str::to_owned))
                .key_condition_expression(text)
                .set_filter_expression(filter)
                .set_projection_expression(projection)
                .set_scan_index_forward(backward)
                .set_consistent_read(consistent)
                .set_expression_attribute_names(placeholders.take_names())
                .set_expression_attribute_values(placeholders.take_values()),
        ))
    }

    /// What the pattern asks, and what the caller does beside it, of the tenant's items only: of others', the errors in their places would
    /// say whether it holds.
    fn filter(&self, placeholders: &mut Placeholders) -> Result<Option<String>, GivenProblem> {
        let mut filter = placeholders.expression("f", Pattern::FILTER, &self.pattern)?;
        for (number, raw) in self.raw_filters.iter().enumerate() {
            filter = and(filter, Some(raw.clone().write(number, placeholders)));
        }
        Ok(match self.tenant.identity() {
            Identity::Tenant { attribute, stored, .. }
                if filter.is_some() && Pattern::SHAPE.tenants == TenantScope::AcrossTenants =>
            {
                let name = placeholders.name("t0", attribute);
                let value = placeholders.value("t0", stored.clone());
                and(filter, Some(format!("{name} = {value}")))
            }
            Identity::Tenant { .. } | Identity::Unshared | Identity::Anybody => filter,
        })
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// An access pattern of this tenant's items. A pattern whose key does not hold the tenant is read by [`Tenant::lookup`] or
    /// [`Store::lookup`](crate::Store::lookup), one whose key is spread over shards by [`Tenant::query_sharded`].
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use aws_sdk_dynamodb::types::AttributeValue;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    ///
    /// // The pattern says which team; whose it is, the handle does.
    /// assert_eq!(acme.query(TeamWithMembers { team_id: 1 }).page().await?.items.len(), 1);
    /// assert!(globex.query(TeamWithMembers { team_id: 1 }).page().await?.items.is_empty());
    /// let request = globex.query(TeamWithMembers { team_id: 1 }).request()?.ok_or("some key can lie there")?;
    /// let partition_key = request.expression_attribute_values().and_then(|values| values.get(":k0"));
    /// assert_eq!(partition_key, Some(&AttributeValue::S("ORG#globex".to_owned())));
    /// # Ok(())
    /// # }
    /// ```
    pub fn query<Pattern>(&self, pattern: Pattern) -> Query<Pattern>
    where
        Pattern: ReadItems<Table = TableType> + WithinTenant + OneQuery + Components,
    {
        Query::new(self.clone(), pattern)
    }
}

impl<Pattern: ReadItems> fmt::Debug for Query<Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Given values are keys, which need not be in logs.
        formatter
            .debug_struct("Query")
            .field("pattern", &Pattern::SHAPE.name)
            .field("direction", &self.direction)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}
