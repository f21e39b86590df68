//! Filters: `filter(role = wanted, points >= least, exists(nickname))`.
//!
//! A filter is part of the pattern, so that what it looks at is known while the program is compiled.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, Result};

use crate::expression::{Clause, Expression, Use};
use crate::option;

/// What a pattern leaves out after reading.
#[derive(Default)]
pub(super) struct Filter {
    /// Where it is, if there is one.
    pub(super) span: Option<Span>,
    pub(super) expression: Expression,
}

/// A clause of a filter.
struct FilterClause(Clause);

impl Parse for FilterClause {
    fn parse(input: ParseStream<'_>) -> Result<FilterClause> {
        Clause::read(input, Use::Filter).map(FilterClause)
    }
}

impl Filter {
    /// Reads the value of the option.
    pub(super) fn read(option: &Ident, input: ParseStream<'_>) -> Result<Filter> {
        let clauses: Vec<FilterClause> = option::list(option, input)?;
        let clauses = clauses.into_iter().map(|FilterClause(clause)| clause).collect();
        Ok(Filter { span: Some(option.span()), expression: Expression { clauses } })
    }
}
