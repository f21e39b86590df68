//! Whether tenants share a table, and which patterns stay within one.

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
