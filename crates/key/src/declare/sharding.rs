//! Whether a pattern is one Query, or one for each shard of its key.
//!
//! An entity says for each of its keys whether it is spread over shards; a pattern is what the entities that it returns are.

use super::AccessPattern;

/// An entity whose key in a source, which is a table or an index, is not spread over shards.
///
/// The lifetime is for the derive of patterns, whose bounds must be for every one: a bound without parameters has to hold, or it
/// does not compile.
pub trait Unsharded<'any, Source> {}

/// An entity whose key in a source is spread over shards, now or earlier.
pub trait Sharded<'any, Source> {}

/// A pattern whose key is not spread over shards: a page of it is one Query.
#[diagnostic::on_unimplemented(
    message = "the key of `{Self}` is spread over shards, so a page of it is one Query for each shard",
    label = "fans out",
    note = "read it by `query_sharded`, or `lookup_sharded` where it reads across tenants: it says that it fans out, merges the \
            shards in the order of the sort key, and has one cursor"
)]
pub trait OneQuery: AccessPattern {}

/// A pattern whose key is spread over shards: a page of it is one Query for each shard.
#[diagnostic::on_unimplemented(
    message = "the key of `{Self}` is not spread over shards",
    label = "one Query is enough",
    note = "read it by `query`, or `lookup` where it reads across tenants"
)]
pub trait FansOut: AccessPattern {}

/// An entity whose key in the table is its tenant's, so that a write by the key alone never meets somebody else's item.
#[diagnostic::on_unimplemented(
    message = "the key of `{Self}` does not hold the tenant, and a batch has no conditions that would keep other tenants' items",
    label = "may lie where another tenant's item is",
    note = "put each with `tenant.put(..)`, which asks whose item is there"
)]
pub trait KeyOfTenant<TableType> {}
