//! The facts of a design as borrowed data: derives write them as constants, programs build them from a file.
//!
//! All of them are plain data that can be copied. `new` takes what every one has, `with_*` the rest, both in constants.
//! Names in shapes are names of attributes as items store them, of entities, indexes and patterns as the code calls them.

mod attribute;
mod deviation;
mod entity;
mod expression;
mod index;
mod pattern;
mod purpose;
mod shards;
mod sort_key_condition;
mod stamp;
mod table;
mod update;

pub use attribute::{AttributeKind, AttributeShape, Presence};
pub use deviation::{DeviationShape, KeyPlace};
pub use entity::{EntityShape, IndexEntryShape, IndexKey, KeyShape};
pub use expression::{ConditionShape, ExpressionShape};
pub use index::{IndexKeys, IndexReach, IndexShape, Projection};
pub use pattern::{
    Consistency, FilterShape, GivenShape, PatternShape, ReadOperation, ReturnShape, Returned, TenantScope,
};
pub use purpose::Purpose;
pub use shards::{InvalidShards, Shards};
pub use sort_key_condition::{AttributeCondition, AttributeTest, BoundShape, RangeShape, SortKeyCondition};
pub use stamp::{StampForm, StampShape};
pub use table::{AttributeType, KeyAttribute, StreamView, TableShape, Tenancy};
pub use update::{ChangeAction, ChangeShape, UpdateKind, UpdateShape};
