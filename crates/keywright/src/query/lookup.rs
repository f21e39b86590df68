//! Reads across tenants: by a key that is a declared deviation.
//!
//! What they find may be anybody's. A lookup through a tenant gives the tenant's items and an error for each other one; a lookup
//! without one gives items that must be verified before they can be used.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;

use aws_sdk_dynamodb::operation::query::QueryInput;
use keywright_key::Components;
use keywright_key::declare::{AcrossTenants, NamesItem, OneQuery, ReadItems, Table};

use super::{Page, Query};
use crate::cursor::Cursor;
use crate::error::{ForeignItem, ForeignPlace, ReadError};
use crate::item::{Decoded, Origin};
use crate::raw::RawExpression;
use crate::store::Store;
use crate::stored::Stored;
use crate::tenant::Tenant;

/// An item of a table that is not known to be the caller's.
///
/// Nothing of it can be seen before it is verified: by [`Unverified::verify`] where the caller's tenant is known, by [`Unverified::as_bearer`]
/// where having the value that found it is the right to see it.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
/// # acme.put(&ShareToken {
/// #     token: "7hx0".to_owned(), organization_id: OrganizationId("acme".to_owned()), team_id: 1, expires_at: 4_102_444_800,
/// # }).send().await?;
/// let by_token = || ShareByToken { token: "7hx0".to_owned() };
/// let found = store.lookup_item(by_token()).await?.ok_or("there is such a link")?;
/// assert!(found.verify(&globex).is_err());
///
/// let found = store.lookup_item(by_token()).await?.ok_or("there is such a link")?;
/// assert_eq!(found.verify(&acme)?.team_id, 1);
/// # Ok(())
/// # }
/// ```
pub struct Unverified<TableType, Item> {
    item: Stored<Item>,
    origin: Origin,
    table: PhantomData<fn() -> TableType>,
}

/// An access pattern that is about to be read across tenants. Nothing is sent before [`Lookup::page`].
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::num::NonZeroU32;
///
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let found = store.lookup(ShareByToken { token: "7hx0".to_owned() }).limit(NonZeroU32::MIN).page().await?;
/// for unverified in found.into_items()? {
///     let mine = unverified.verify(&acme)?; // an error for everybody else's
///     println!("{}", mine.team_id);
/// }
/// # Ok(())
/// # }
/// ```
///
/// It is no [`Query`], and gives none away: a query gives its items as they are, and these may be anybody's.
///
/// ```compile_fail,E0599
/// # use applications::teams::*;
/// # use std::num::NonZeroU32;
/// async fn everybodys(store: keywright::Store<App>) {
///     let _ = store.lookup(ShareByToken { token: "7hx0".to_owned() }).all(NonZeroU32::MIN).await;
/// }
/// # fn main() {}
/// ```
#[must_use = "nothing is read before a page is asked for"]
pub struct Lookup<Pattern: ReadItems> {
    query: Query<Pattern>,
}

impl<TableType: Table, Item> Unverified<TableType, Item> {
    /// The item, if it is this tenant's.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let organization_id = OrganizationId("acme".to_owned());
    /// # acme.put(&ShareToken { token: "7hx0".to_owned(), organization_id, team_id: 1, expires_at: 4_102_444_800 }).send().await?;
    /// // A caller of globex has a link of acme's.
    /// let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
    /// let found = store.lookup_item(ShareByToken { token: "7hx0".to_owned() }).await?.ok_or("there is such a link")?;
    /// match found.verify(&globex) {
    ///     Ok(share) => return Err(format!("team {} is not globex's", share.team_id).into()),
    ///     Err(foreign) => assert_eq!(foreign.entity(), "ShareToken"), // 404, as if there were none
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The handle is one of the item's own table. That of another one may have the same id and mean somebody else by it, and a table that
    /// tenants do not share has nobody to compare with:
    ///
    /// ```compile_fail,E0308
    /// # use applications::teams::*;
    /// # use keywright::key::declare::Unshared;
    /// # use keywright::{ForeignItem, Store, Unverified};
    /// fn team_of<Live: Unshared>(live: &Store<Live>, found: Unverified<App, ShareToken>) -> Result<u64, ForeignItem> {
    ///     Ok(found.verify(&live.items())?.team_id)
    /// }
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// [`ForeignItem`] if it is somebody else's, or nobody's; that is an event, too.
    pub fn verify(self, tenant: &Tenant<TableType>) -> Result<Stored<Item>, ForeignItem> {
        let Origin { entity, owner } = self.origin;
        if owner.is_some_and(|owner| tenant.identity().owns(&owner)) {
            return Ok(self.item);
        }
        tracing::error!(
            entity,
            "an item was looked up that is not the tenant's; it was not given to the caller"
        );
        Err(ForeignItem::new(entity, ForeignPlace::Read))
    }

    /// The item, whosever it is, because whoever has the value that found it may see it: a share link. The reason is in an event.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # let organization_id = OrganizationId("acme".to_owned());
    /// # acme.put(&ShareToken { token: "7hx0".to_owned(), organization_id, team_id: 1, expires_at: 4_102_444_800 }).send().await?;
    /// // Somebody without an account opens a link: it says whose team they see.
    /// let found = store.lookup_item(ShareByToken { token: "7hx0".to_owned() }).await?.ok_or("there is no such link")?;
    /// let share = found.as_bearer("who has a share link may see the team");
    /// let owner = store.tenant(&share.organization_id)?;
    /// let team = owner.get(TeamById { team_id: share.team_id }).await?.ok_or("the team is gone")?;
    /// assert_eq!(team.name, "Analysts");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn as_bearer(self, reason: &'static str) -> Stored<Item> {
        tracing::info!(entity = self.origin.entity, reason, "an item was given to the bearer of its key");
        self.item
    }

    const fn new(item: Stored<Item>, origin: Origin) -> Unverified<TableType, Item> {
        Unverified { item, origin, table: PhantomData }
    }
}

impl<Pattern: ReadItems> Lookup<Pattern> {
    /// Highest sort key first: as [`Query::backward`].
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// let share = || ShareByToken { token: "7hx0".to_owned() };
    /// let request = store.lookup(share()).backward().request()?.ok_or("some key can lie there")?;
    /// assert_eq!(request.scan_index_forward(), Some(false));
    /// let request = store.lookup(share()).request()?.ok_or("some key can lie there")?;
    /// assert_eq!(request.scan_index_forward(), None); // the default: lowest first
    /// # Ok(())
    /// # }
    /// ```
    pub fn backward(self) -> Lookup<Pattern> {
        Lookup { query: self.query.backward() }
    }

    /// Goes on after the page that gave this cursor: as [`Query::after`].
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU32;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let organization_id = OrganizationId("acme".to_owned());
    /// # acme.put(&ShareToken { token: "7hx0".to_owned(), organization_id, team_id: 1, expires_at: 4_102_444_800 }).send().await?;
    /// let share = || ShareByToken { token: "7hx0".to_owned() };
    /// let first = store.lookup(share()).limit(NonZeroU32::MIN).page().await?;
    /// let cursor = first.next.ok_or("DynamoDB does not say that the last item was the last")?;
    /// let second = store.lookup(share()).after(cursor).page().await?;
    /// assert_eq!((first.items.len(), second.items.len(), second.next), (1, 0, None));
    /// # Ok(())
    /// # }
    /// ```
    pub fn after(self, cursor: Cursor) -> Lookup<Pattern> {
        Lookup { query: self.query.after(cursor) }
    }

    /// At most this many items in a page: as [`Query::limit`].
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU32;
    /// # let store = store().await?;
    /// const TWENTY: NonZeroU32 = NonZeroU32::new(20).unwrap();
    /// let lookup = store.lookup(ShareByToken { token: "7hx0".to_owned() }).limit(TWENTY);
    /// assert_eq!(lookup.request()?.ok_or("some key can lie there")?.limit(), Some(20));
    /// # Ok(())
    /// # }
    /// ```
    pub fn limit(self, items: NonZeroU32) -> Lookup<Pattern> {
        Lookup { query: self.query.limit(items) }
    }

    /// Leaves out more after reading than the pattern does: as [`Query::and_filter`].
    ///
    /// Everybody's items are asked, and which of them are found tells the answer; so it is for what the pattern itself leaves out. Let no caller
    /// choose what is asked here before it is known whose items they may see.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::RawExpression;
    /// # let store = store().await?;
    /// let lasting = RawExpression::new("expires_at > :least")?.value("least", &4_000_000_000_u64)?;
    /// let lookup = store.lookup(ShareByToken { token: "7hx0".to_owned() }).and_filter(lasting).backward();
    /// let request = lookup.request()?.ok_or("some key can lie there")?;
    /// assert_eq!(request.scan_index_forward(), Some(false));
    /// assert!(lookup.page().await?.items.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn and_filter(self, filter: RawExpression) -> Lookup<Pattern> {
        Lookup { query: self.query.filtered(filter) }
    }
}

impl<TableType, Pattern> Lookup<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + Components,
{
    /// The request that would be sent first, for a look at it: as [`Query::request`].
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use aws_sdk_dynamodb::types::AttributeValue;
    /// # let store = store().await?;
    /// let lookup = store.lookup(ShareByToken { token: "7hx0".to_owned() });
    /// let request = lookup.request()?.ok_or("some key can lie there")?;
    /// let partition_key = request.expression_attribute_values().and_then(|values| values.get(":k0"));
    /// assert_eq!(partition_key, Some(&AttributeValue::S("SHARE#7hx0".to_owned()))); // no tenant is in it
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When a key or a value cannot be written, and when the cursor is refused.
    pub fn request(&self) -> Result<Option<QueryInput>, ReadError> {
        self.query.request()
    }

    /// One page of items that are to be verified.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let organization_id = OrganizationId("acme".to_owned());
    /// # acme.put(&ShareToken { token: "7hx0".to_owned(), organization_id, team_id: 1, expires_at: 4_102_444_800 }).send().await?;
    /// let page = store.lookup(ShareByToken { token: "7hx0".to_owned() }).page().await?;
    /// let mut teams = Vec::new();
    /// for found in page.into_items()? {
    ///     teams.push(found.verify(&acme)?.team_id); // there is no other way to see what was found
    /// }
    /// assert_eq!(teams, [1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] as for [`Query::page`].
    pub async fn page(&self) -> Result<Page<Unverified<TableType, Pattern::Item>>, ReadError> {
        self.query.page_of(Unverified::new).await
    }
}

impl<TableType: Table> Store<TableType> {
    /// A read across tenants by a key that is a declared deviation, where the caller's tenant is not known yet. What it finds is to be verified.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let organization_id = OrganizationId("acme".to_owned());
    /// # acme.put(&ShareToken { token: "7hx0".to_owned(), organization_id, team_id: 1, expires_at: 4_102_444_800 }).send().await?;
    /// // The request has a token and no account: the store is asked, and not a tenant of it.
    /// let found = store.lookup(ShareByToken { token: "7hx0".to_owned() }).page().await?;
    /// assert_eq!(found.items.len(), 1);
    /// let found = store.lookup(ShareByToken { token: "guessed".to_owned() }).page().await?;
    /// assert!(found.items.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn lookup<Pattern>(&self, pattern: Pattern) -> Lookup<Pattern>
    where
        Pattern: ReadItems<Table = TableType> + AcrossTenants + OneQuery + Components,
    {
        Lookup { query: Query::new(Tenant::anybody(self), pattern) }
    }

    /// The one item that a deviation's key names, to be verified; none if it is not there, or if its time is over.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let share = |token: &str, expires_at: u64| {
    ///     let organization_id = OrganizationId("acme".to_owned());
    ///     ShareToken { token: token.to_owned(), organization_id, team_id: 1, expires_at }
    /// };
    /// acme.put(&share("7hx0", 4_102_444_800)).send().await?; // until the year 2100
    /// acme.put(&share("old", 1)).send().await?; // its time is over, whether or not it is still stored
    ///
    /// assert!(store.lookup_item(ShareByToken { token: "7hx0".to_owned() }).await?.is_some());
    /// assert!(store.lookup_item(ShareByToken { token: "old".to_owned() }).await?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] as for [`Tenant::get`].
    pub async fn lookup_item<Pattern>(
        &self,
        pattern: Pattern,
    ) -> Result<Option<Unverified<TableType, Pattern::Item>>, ReadError>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + AcrossTenants + Components,
    {
        let anybody = Tenant::anybody(self);
        Ok(match anybody.read_item(&pattern).await? {
            Some(Decoded::Item(item, origin)) => Some(Unverified::new(item, origin)),
            Some(Decoded::Skipped | Decoded::Expired) | None => None,
        })
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// A read across tenants for this one: an item of another tenant is an error in its place and an event, and never data.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// // A link of acme's, if it is one: what is somebody else's is an error in its place.
    /// let found = acme.lookup(ShareByToken { token: "7hx0".to_owned() }).page().await?;
    /// assert!(found.items.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn lookup<Pattern>(&self, pattern: Pattern) -> Query<Pattern>
    where
        Pattern: ReadItems<Table = TableType> + AcrossTenants + OneQuery + Components,
    {
        Query::new(self.clone(), pattern)
    }
}

impl<TableType, Item> fmt::Debug for Unverified<TableType, Item> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Unverified").field("entity", &self.origin.entity).finish_non_exhaustive()
    }
}

impl<Pattern: ReadItems> fmt::Debug for Lookup<Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Lookup").field("query", &self.query).finish()
    }
}
