//! What patterns, conditions and updates are given, as values of requests.

use serde::Serializer;

/// The values that a pattern, a condition or an update was given.
///
/// Derives write it, so that the struct itself need not be serialized: its fields are, one by one, as the request needs them.
pub trait GivenValues {
    /// Serializes the value `name`; nothing if none has that name.
    fn serialize_given<Target: Serializer>(
        &self,
        name: &str,
        target: Target,
    ) -> Option<Result<Target::Ok, Target::Error>>;
}
