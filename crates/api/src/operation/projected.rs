//! The members with which a read says which parts of its items it wants: ProjectionExpression, or AttributesToGet.

use keywright_expression::legacy;
use keywright_expression::{Placeholders, Projection, ProjectionExpression};
use keywright_item::json::{Reader, SerializationError};

use crate::Validation;
use crate::constraint::Constraints;
use crate::legacy::AttributesToGet;

/// The members as they were sent.
#[derive(Debug, Default)]
pub(super) struct WireProjection {
    expression: Option<String>,
    attributes_to_get: Option<AttributesToGet>,
}

impl WireProjection {
    pub(super) fn read_expression(&mut self, reader: &mut Reader<'_>) -> Result<(), SerializationError> {
        self.expression = reader.optional(Reader::string)?;
        Ok(())
    }

    pub(super) fn read_attributes_to_get(
        &mut self,
        reader: &mut Reader<'_>,
    ) -> Result<(), SerializationError> {
        self.attributes_to_get = AttributesToGet::read(reader)?;
        Ok(())
    }

    /// Whether the request has this one of both members.
    pub(super) fn has(&self, member: &str) -> bool {
        match member {
            "ProjectionExpression" => self.expression.is_some(),
            "AttributesToGet" => self.attributes_to_get.is_some(),
            other => unreachable!("{other} is no member that projects"),
        }
    }

    /// The member that the request has, where it has one; the service lets none have both.
    pub(super) fn member(&self) -> Option<&'static str> {
        ["ProjectionExpression", "AttributesToGet"].into_iter().find(|member| self.has(member))
    }

    pub(super) fn check_constraints(&self, constraints: &mut Constraints) {
        if let Some(names) = &self.attributes_to_get {
            names.check(constraints);
        }
    }

    /// The projection of AttributesToGet, if that is there.
    pub(super) fn legacy(&mut self) -> Result<Option<Projection>, Validation> {
        let Some(names) = self.attributes_to_get.take() else { return Ok(None) };
        Ok(Some(legacy::attributes_to_get(names.into_names())?))
    }

    /// The projection of ProjectionExpression, if that is there.
    pub(super) fn bind(&self, placeholders: &Placeholders) -> Result<Option<Projection>, Validation> {
        let Some(text) = self.expression.as_deref() else { return Ok(None) };
        Ok(Some(ProjectionExpression::parse(text)?.bind(placeholders)?))
    }
}
