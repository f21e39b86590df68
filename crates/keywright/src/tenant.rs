//! The tenant: the only door to items that tenants share.
//!
//! A handle has one tenant, and no operation takes another beside it. Every key that is rendered through it holds the tenant's
//! id, or is a declared deviation whose items are verified when they are read.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::{Table, Tenanted, Unshared};
use keywright_key::{ComponentValue, Components, Filling, KeyComponent, Tenancy};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::item::read_value;
use crate::store::{Shared, Store};

/// A tenant of a table: the door to its items, and to nobody else's. It is cheap to clone.
///
/// Keys are rendered with its id; no pattern, condition or update takes a tenant. What is written must be the tenant's, and what is read is
/// compared once more.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// let acme = store.tenant(&OrganizationId("acme".to_owned()))?;
/// let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
/// acme.put(&team(1, "Analysts")).send().await?;
///
/// assert!(globex.get(TeamById { team_id: 1 }).await?.is_none());
/// assert!(globex.put(&team(1, "Ours now")).send().await.is_err()); // nothing was sent
/// # Ok(())
/// # }
/// ```
///
/// A pattern whose key does not hold the tenant is no query of it:
///
/// ```compile_fail,E0277
/// # use applications::teams::*;
/// async fn find(acme: keywright::Tenant<App>) {
///     acme.query(ShareByToken { token: "7hx0".to_owned() });
/// }
/// ```
pub struct Tenant<TableType> {
    shared: Arc<Shared>,
    identity: Arc<Identity>,
    table: PhantomData<fn() -> TableType>,
}

/// Whose items a handle reaches.
#[derive(Debug)]
pub(crate) enum Identity {
    /// Everybody's: the table is not shared.
    Unshared,
    /// Anybody's: what is found is not known to be the caller's.
    Anybody,
    /// One tenant's.
    Tenant {
        /// The tenant attribute.
        attribute: &'static str,
        /// The id as a component of keys.
        component: ComponentValue<'static>,
        /// The id as items store it.
        stored: AttributeValue,
    },
}

/// A value that is no tenant's id: [`Store::tenant`] gives no handle for it.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::InvalidTenant;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// let nobody = store.tenant(&OrganizationId(String::new()));
/// assert_eq!(nobody.err(), Some(InvalidTenant::Empty));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidTenant {
    /// It is empty, so it would be nobody's.
    Empty,
    /// It cannot be stored.
    Value {
        /// Why.
        reason: String,
    },
}

impl<TableType: Tenanted> Store<TableType> {
    /// The door to the items of one tenant.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::InvalidTenant;
    /// # let store = store().await?;
    /// // The id is that of the session, and never one that a request brings.
    /// let acme = store.tenant(&OrganizationId("acme".to_owned()))?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// assert!(acme.get(TeamById { team_id: 1 }).await?.is_some());
    ///
    /// let nobody = store.tenant(&OrganizationId(String::new()));
    /// assert!(matches!(nobody, Err(InvalidTenant::Empty)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidTenant`] for an id that is empty, cannot be stored, or is stored as another one than keys hold: there is no tenant who is
    /// nobody, and no two who are one.
    pub fn tenant(&self, id: &TableType::TenantId) -> Result<Tenant<TableType>, InvalidTenant>
    where
        TableType::TenantId: Serialize + DeserializeOwned,
    {
        let component = owned(id.to_value());
        if matches!(&component, ComponentValue::Text(text) if text.is_empty())
            || matches!(&component, ComponentValue::Bytes(bytes) if bytes.is_empty())
        {
            return Err(InvalidTenant::Empty);
        }
        let stored: AttributeValue = serde_dynamo::to_attribute_value(id)
            .map_err(|error| InvalidTenant::Value { reason: error.to_string() })?;
        let read_back = read_value::<TableType::TenantId>(stored.clone());
        if !read_back.is_ok_and(|id| owned(id.to_value()) == component) {
            let reason = "what is stored of it is another id than the one that its keys hold: give its type one form in both";
            return Err(InvalidTenant::Value { reason: reason.to_owned() });
        }
        let Tenancy::Attribute(attribute) = TableType::SHAPE.tenancy else {
            unreachable!("a table that is `Tenanted` names its tenant attribute")
        };
        Ok(Tenant::new(self.shared(), Identity::Tenant { attribute, component, stored }))
    }
}

impl<TableType: Unshared> Store<TableType> {
    /// The door to the items of a table that tenants do not share.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use serde::{Deserialize, Serialize};
    /// use keywright::{AccessPattern, CursorKey, CursorKeys, Entity, Store, Table};
    ///
    /// #[derive(Table)]
    /// #[table(entities(Country), patterns(CountryByCode))]
    /// struct Atlas; // it names no tenant attribute
    ///
    /// #[derive(Entity, Serialize, Deserialize)]
    /// #[entity(table = Atlas, partition_key = "COUNTRY#{code}", sort_key = "COUNTRY")]
    /// struct Country {
    ///     code: String,
    ///     name: String,
    /// }
    ///
    /// #[derive(AccessPattern)]
    /// #[access_pattern(table = Atlas, get_item, returns(Country), sort_key_equals = "COUNTRY")]
    /// struct CountryByCode {
    ///     code: String,
    /// }
    ///
    /// let atlas = Store::<Atlas>::in_memory(CursorKeys::new(CursorKey::generate()?)).await?.items();
    /// atlas.put(&Country { code: "IS".to_owned(), name: "Iceland".to_owned() }).send().await?;
    /// let found = atlas.get(CountryByCode { code: "IS".to_owned() }).await?.ok_or("it was just stored")?;
    /// assert_eq!(found.name, "Iceland");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// A table with a tenant attribute has no such door:
    ///
    /// ```compile_fail,E0277
    /// # use applications::teams::*;
    /// fn everything(store: keywright::Store<App>) {
    ///     store.items();
    /// }
    /// ```
    pub fn items(&self) -> Tenant<TableType> {
        Tenant::new(self.shared(), Identity::Unshared)
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// A handle for reading across tenants, whose items are given to nobody unverified.
    pub(crate) fn anybody(store: &Store<TableType>) -> Tenant<TableType> {
        Tenant::new(store.shared(), Identity::Anybody)
    }

    fn new(shared: &Arc<Shared>, identity: Identity) -> Tenant<TableType> {
        Tenant { shared: Arc::clone(shared), identity: Arc::new(identity), table: PhantomData }
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    pub(crate) fn identity(&self) -> &Identity {
        &self.identity
    }

    pub(crate) const fn shared_handle(&self) -> &Arc<Shared> {
        &self.shared
    }

    pub(crate) const fn identity_handle(&self) -> &Arc<Identity> {
        &self.identity
    }
}

impl Identity {
    /// What fills templates: the tenant, and beside it what `given` holds.
    pub(crate) fn beside<'g, Given: Components + ?Sized>(
        &'g self,
        given: &'g Given,
    ) -> WithTenant<'g, Given> {
        WithTenant { identity: self, given }
    }

    /// Whether whose an item is remains to be decided.
    pub(crate) const fn is_anybody(&self) -> bool {
        matches!(self, Identity::Anybody)
    }

    /// Whether the other one's items may be written together with these: the same tenant's, perhaps of another table, or those of a
    /// table that tenants do not share. A tenant is the attribute and the id: the user 42 is not the organization 42.
    pub(crate) fn is_or_unshared(&self, other: &Identity) -> bool {
        match (self, other) {
            (_, Identity::Unshared) => true,
            (
                Identity::Tenant { attribute: own_attribute, stored: own, .. },
                Identity::Tenant { attribute: other_attribute, stored: other, .. },
            ) => own_attribute == other_attribute && own == other,
            (Identity::Unshared | Identity::Anybody, _) | (_, Identity::Anybody) => false,
        }
    }

    /// Whether an item with this tenant attribute is the tenant's.
    pub(crate) fn owns(&self, value: &AttributeValue) -> bool {
        match self {
            Identity::Unshared => true,
            Identity::Anybody => false,
            Identity::Tenant { stored, .. } => stored == value,
        }
    }
}

/// The tenant beside what a pattern was given. The tenant's own attribute is never taken from the pattern.
pub(crate) struct WithTenant<'g, Given: ?Sized> {
    identity: &'g Identity,
    given: &'g Given,
}

impl<Given: Components + ?Sized> Components for WithTenant<'_, Given> {
    fn filling(&self, field: &str) -> Filling<'_> {
        match self.identity {
            Identity::Tenant { attribute, component, .. } if *attribute == field => {
                Filling::Value(component.clone())
            }
            Identity::Tenant { .. } | Identity::Unshared | Identity::Anybody => self.given.filling(field),
        }
    }
}

fn owned(value: ComponentValue<'_>) -> ComponentValue<'static> {
    match value {
        ComponentValue::Text(text) => ComponentValue::Text(Cow::Owned(text.into_owned())),
        ComponentValue::Bytes(bytes) => ComponentValue::Bytes(Cow::Owned(bytes.into_owned())),
        ComponentValue::Unsigned(number, size) => ComponentValue::Unsigned(number, size),
        ComponentValue::Signed(number, size) => ComponentValue::Signed(number, size),
        ComponentValue::Timestamp(timestamp) => ComponentValue::Timestamp(timestamp),
        ComponentValue::Ulid(bits) => ComponentValue::Ulid(bits),
        ComponentValue::Uuid(bits) => ComponentValue::Uuid(bits),
        ComponentValue::Boolean(boolean) => ComponentValue::Boolean(boolean),
        // A word renders as itself, as text of the same bytes does.
        ComponentValue::Enum { words, index } => {
            ComponentValue::Text(Cow::Owned(words.get(index).copied().unwrap_or_default().to_owned()))
        }
    }
}

impl<TableType> Clone for Tenant<TableType> {
    fn clone(&self) -> Tenant<TableType> {
        Tenant { shared: Arc::clone(&self.shared), identity: Arc::clone(&self.identity), table: PhantomData }
    }
}

impl<TableType> fmt::Debug for Tenant<TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tenant").field("table", &self.shared.table_name).finish_non_exhaustive()
    }
}

impl fmt::Display for InvalidTenant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidTenant::Empty => {
                formatter.write_str("the tenant's id is empty: an item belongs to somebody, or to nobody")
            }
            InvalidTenant::Value { reason } => {
                write!(formatter, "the tenant's id cannot be stored: {reason}")
            }
        }
    }
}

impl Error for InvalidTenant {}
