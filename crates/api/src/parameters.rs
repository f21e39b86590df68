//! Which members of a request exclude or need each other: expressions, their placeholders, and the legacy members.

use keywright_expression::DeclaredPlaceholders;

use crate::Validation;

/// The members of one operation that carry conditions and projections, in the order of the service's messages.
pub(crate) struct Parameters {
    /// The expressions.
    pub(crate) expressions: &'static [&'static str],
    /// The expressions that can use values.
    pub(crate) using_values: &'static [&'static str],
    /// The legacy members that expressions replace.
    pub(crate) legacy: &'static [&'static str],
}

impl Parameters {
    /// Refuses a mixture of both kinds, then names, then values that no expression of the request could use.
    pub(crate) fn check(
        &self,
        has: impl Fn(&str) -> bool,
        placeholders: &DeclaredPlaceholders,
    ) -> Result<(), Validation> {
        let present = |members: &[&'static str]| -> Vec<&'static str> {
            members.iter().copied().filter(|member| has(member)).collect()
        };
        let expressions = present(self.expressions);
        let legacy = present(self.legacy);
        if !expressions.is_empty() && !legacy.is_empty() {
            return Err(Validation::MixedParameters { legacy, expressions });
        }
        if placeholders.has_names() && expressions.is_empty() {
            return Err(Validation::NamesWithoutExpression);
        }
        if placeholders.has_values() && present(self.using_values).is_empty() {
            return Err(Validation::ValuesWithoutExpression { expressions: self.using_values });
        }
        Ok(())
    }
}
