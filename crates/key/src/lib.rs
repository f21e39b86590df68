//! Key templates that cannot collide, and the rules of a design that hold at compile time.
//!
//! Everything here is pure: no input or output, no clock, no randomness, and no other crate unless a feature brings in
//! the types of one. Shapes are plain borrowed data; rules are constant functions over them, so that the compiler and a
//! running program say the same words about the same fault.

mod bytes;
mod component;
mod delimiter;
mod format;
mod key_role;
mod message;
mod nearest;
mod set;
mod shape;
mod template;
mod text;
mod timestamp;

pub mod declare;
pub mod rule;

pub use bytes::Bytes;
pub use component::{
    ComponentKind, ComponentValue, Components, Filling, FormProblem, IntegerSize, KeyComponent, KeyField,
    Precision, RenderProblem, TimestampValue, ValueRefusal,
};
pub use delimiter::{Delimiter, DelimiterError};
pub use format::{KeyFormat, LetterCase, TimestampFormat};
pub use key_role::KeyRole;
pub use message::Message;
pub use nearest::Nearest;
pub use set::{Set, SetMember};
pub use shape::{
    AttributeCondition, AttributeKind, AttributeShape, AttributeTest, AttributeType, BoundShape,
    ChangeAction, ChangeShape, ConditionShape, Consistency, DeviationShape, EntityShape, ExpressionShape,
    FilterShape, GivenShape, IndexEntryShape, IndexKey, IndexKeys, IndexReach, IndexShape, InvalidShards,
    KeyAttribute, KeyPlace, KeyShape, PatternShape, Presence, Projection, Purpose, RangeShape, ReadOperation,
    ReturnShape, Returned, Shards, SortKeyCondition, StampForm, StampShape, StreamView, TableShape, Tenancy,
    TenantScope, UpdateKind, UpdateShape,
};
pub use template::{
    ComponentPlace, DecodeError, DecodeProblem, DecodedKey, KeyTemplate, Modifier, RenderError, Segment,
    SortKeyBounds, TemplateError, TemplateProblem, TemplateRefusal, TemplateShape,
};
pub use timestamp::{InvalidTimestamp, Timestamp};
