//! Expressions of requests: names and values with their placeholders.
//!
//! Every name is a placeholder, so that no attribute's name is ever a reserved word. Each part of a request has a letter of its
//! own: keys `k`, filters `f`, projections `p`, conditions `c`, updates `u`, the tenant `t`, and what a caller adds itself `x`; where
//! a request has several parts of one kind, each has a number behind its letter.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::ExpressionShape;
use keywright_key::declare::GivenValues;

use crate::item::{ValueProblem, checked};

/// The names and values of one request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placeholders {
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
}

/// A given value that cannot be sent.
#[derive(Debug)]
pub(crate) struct GivenProblem {
    pub(crate) given: String,
    pub(crate) reason: String,
}

impl Placeholders {
    /// The placeholder `#{placeholder}` of an attribute's name.
    pub(crate) fn name(&mut self, placeholder: &str, attribute: &str) -> String {
        let placeholder = format!("#{placeholder}");
        self.names.insert(placeholder.clone(), attribute.to_owned());
        placeholder
    }

    /// The placeholder `:{placeholder}` of a value.
    pub(crate) fn value(&mut self, placeholder: &str, value: AttributeValue) -> String {
        let placeholder = format!(":{placeholder}");
        self.values.insert(placeholder.clone(), value);
        placeholder
    }

    /// The text of a condition or filter with placeholders that begin with `part`; none if it is empty.
    pub(crate) fn expression<Given: GivenValues>(
        &mut self,
        part: &str,
        shape: ExpressionShape<'static>,
        given: &Given,
    ) -> Result<Option<String>, GivenProblem> {
        if shape.text.is_empty() {
            return Ok(None);
        }
        for (place, attribute) in shape.attributes.iter().enumerate() {
            self.name(&format!("{part}{place}"), attribute);
        }
        for (place, name) in shape.given.iter().enumerate() {
            let value = given_value(given, name)?;
            if matches!(value, AttributeValue::Null(_)) {
                let reason = "nothing is compared with `None` or with a set without members, since neither is ever stored: ask whether \
                              the attribute exists";
                return Err(GivenProblem { given: (*name).to_owned(), reason: reason.to_owned() });
            }
            self.value(&format!("{part}{place}"), value);
        }
        // `#` and `:` stand for nothing else in the text of a shape.
        Ok(Some(shape.text.replace('#', &format!("#{part}")).replace(':', &format!(":{part}"))))
    }

    /// Takes the names as a request wants them: none rather than an empty map.
    pub(crate) fn take_names(&mut self) -> Option<HashMap<String, String>> {
        (!self.names.is_empty()).then(|| std::mem::take(&mut self.names))
    }

    /// Takes the values as a request wants them: none rather than an empty map.
    pub(crate) fn take_values(&mut self) -> Option<HashMap<String, AttributeValue>> {
        (!self.values.is_empty()).then(|| std::mem::take(&mut self.values))
    }
}

/// A given value as the client takes it.
pub(crate) fn given_value<Given: GivenValues>(
    given: &Given,
    name: &str,
) -> Result<AttributeValue, GivenProblem> {
    let problem = |path: &str, reason| GivenProblem { given: format!("{name}{path}"), reason };
    match given.serialize_given(name, serde_dynamo::Serializer) {
        Some(Ok(value)) => checked(value).map_err(|ValueProblem { path, reason }| problem(&path, reason)),
        Some(Err(error)) => Err(problem("", error.to_string())),
        None => Err(problem("", "it is not among the values that the derive wrote".to_owned())),
    }
}

/// Both must hold.
pub(crate) fn and(one: Option<String>, other: Option<String>) -> Option<String> {
    match (one, other) {
        (Some(one), Some(other)) => Some(format!("({one}) AND ({other})")),
        (one, other) => one.or(other),
    }
}
