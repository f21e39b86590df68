//! What a field must be to hold a stamp.

use crate::shape::StampForm;
use crate::timestamp::Timestamp;

/// A type in which the data layer can say when an item was written: `u64` and `i64`, in seconds or milliseconds since 1970, and
/// [`Timestamp`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no stamp",
    label = "the data layer does not know how to write a time into it",
    note = "a stamp is a `u64` or an `i64`, in seconds or milliseconds since 1970, or a `Timestamp` of the key crate"
)]
pub trait Stamp {
    /// Whether it is a text; if not, it is a number.
    const IS_TEXT: bool;
}

impl Stamp for u64 {
    const IS_TEXT: bool = false;
}

impl Stamp for i64 {
    const IS_TEXT: bool = false;
}

impl Stamp for Timestamp {
    const IS_TEXT: bool = true;
}

impl<Inside: Stamp> Stamp for Option<Inside> {
    const IS_TEXT: bool = Inside::IS_TEXT;
}

/// A stamp that is not there before an item was stored.
#[diagnostic::on_unimplemented(
    message = "a stamp of the first write is an `Option`, not `{Self}`",
    label = "nobody knows it before the item is stored",
    note = "write `Option<{Self}>`: `None` is stamped when the item is stored, and `Some`, of an item that was read, is kept"
)]
pub trait NotYetStamped: Stamp {}

impl<Inside: Stamp> NotYetStamped for Option<Inside> {}

/// Compiles only if the type can hold the stamp of the first write.
pub const fn is_not_yet_stamped<Type: NotYetStamped>() {}

/// The form of a stamp of this type, where it is a number `number`.
#[must_use]
pub const fn stamp_form<Type: Stamp>(number: StampForm) -> StampForm {
    if Type::IS_TEXT { StampForm::Text } else { number }
}
