//! Conditions and filters with their operators.

/// A condition or a filter, as the text of an expression whose names and values are numbered.
///
/// `#0` is the first of `attributes`, `:0` the first of `given`: a data layer gives both their placeholders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpressionShape<'a> {
    /// The expression: `#0 = :0 AND attribute_exists(#1)`; empty if there is none.
    pub text: &'a str,
    /// The attributes that it names, by the names that items store, each once.
    pub attributes: &'a [&'a str],
    /// The given values that it uses, by the names of the fields, each once.
    pub given: &'a [&'a str],
}

/// A condition on the items of one entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConditionShape<'a> {
    /// What the code calls it.
    pub name: &'a str,
    /// The entity.
    pub entity: &'a str,
    /// What must hold.
    pub expression: ExpressionShape<'a>,
}

impl ExpressionShape<'_> {
    /// No expression.
    pub const NONE: ExpressionShape<'static> = ExpressionShape { text: "", attributes: &[], given: &[] };
}
