//! Whether tenants share a table, what a tenant is known by, and which patterns stay within one.

use std::marker::PhantomData;

use super::{AccessPattern, Table};
use crate::component::KeyComponent;

/// A table that tenants share.
#[diagnostic::on_unimplemented(
    message = "no tenant attribute is declared for table `{Self}`",
    label = "nobody's items and everybody's",
    note = "add `tenant = \"..\"` to `#[table(..)]`, or open the table without a tenant"
)]
pub trait Tenanted: Table {
    /// What a tenant is known by: the type of the tenant attribute.
    type TenantId: KeyComponent;
}

/// A table that tenants do not share.
#[diagnostic::on_unimplemented(
    message = "tenants share table `{Self}`",
    label = "name the tenant whose items are meant",
    note = "items of a shared table are reached through a tenant only"
)]
pub trait Unshared: Table {}

/// A pattern whose key holds the tenant: what it finds is the tenant's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` reads across tenants",
    label = "its key does not hold the tenant",
    note = "what it finds must be verified: look it up, then verify each item against a tenant"
)]
pub trait WithinTenant: AccessPattern {}

/// A pattern whose key is a declared deviation: what it finds may be anybody's.
#[diagnostic::on_unimplemented(
    message = "the key of `{Self}` holds the tenant",
    label = "nothing to verify",
    note = "read it through the tenant's handle"
)]
pub trait AcrossTenants: AccessPattern {}

/// An entity with a key that holds an attribute, found by the hash of its name: if it is the tenant's, the entity says what
/// tenants are known by.
///
/// An entity implements it for what it implements [`Component`](super::Component) for, which says the name.
#[diagnostic::on_unimplemented(
    message = "no key of `{Self}` holds the tenant, so it does not say what a tenant is known by",
    label = "holds the tenant in no key",
    note = "list an entity first whose key has the tenant, or say the type: `tenant(organization_id: OrganizationId)`"
)]
pub trait HoldsTenant<const FIELD: u64> {
    /// The type of the attribute.
    type TenantId;
}

/// A type that is the one by which the table knows tenants.
#[diagnostic::on_unimplemented(
    message = "the tenant is `{Self}` in this entity, and `{Declared}` for the table",
    label = "must be `{Declared}` here too: a tenant has one id in all entities",
    note = "the table takes the type from its first entity, unless it says one: `tenant(organization_id: OrganizationId)`"
)]
pub trait SameTenant<Declared> {}

impl<Type> SameTenant<Type> for Type {}

/// Stands for an entity where a table says itself of which type tenants are.
pub struct TenantIs<TenantId>(PhantomData<TenantId>);

impl<TenantId, const FIELD: u64> HoldsTenant<FIELD> for TenantIs<TenantId> {
    type TenantId = TenantId;
}

/// Compares the tenants of two entities, for entities that need not hold it in a key.
///
/// A function of the type itself is found before that of a trait, so the two get the first if keys of both hold the tenant.
pub struct Tenants<First, Other, const FIELD: u64>(PhantomData<(First, Other)>);

impl<First: HoldsTenant<FIELD>, Other: HoldsTenant<FIELD>, const FIELD: u64> Tenants<First, Other, FIELD> {
    /// Compiles only if they have one type.
    pub fn are_the_same()
    where
        Other::TenantId: SameTenant<First::TenantId>,
    {
    }
}

/// What [`Tenants`] says where one of the two does not hold the tenant in a key.
pub trait NotInKey {
    /// Nothing to compare.
    fn are_the_same() {}
}

impl<First, Other, const FIELD: u64> NotInKey for Tenants<First, Other, FIELD> {}
