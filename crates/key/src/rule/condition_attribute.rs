//! KW0316: a condition asks for attributes that its entity has.

use super::changing::has_none_called;
use super::not_projected::is_key_attribute;
use super::{Check, Rule, Severity};
use crate::message::Message;
use crate::shape::{ConditionShape, TableShape};
use crate::text;

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0316",
    name: "condition-attribute",
    title: "A condition on an attribute that the entity does not have",
    severity: Severity::Error,
    finds: "A condition that names an attribute which is neither one of the entity's nor a key attribute of the table nor \
            its discriminator.",
    hurts: "What no item has compares with nothing: the condition always fails, or, as `not_exists`, always holds.",
    example: "#[derive(Condition)]\n#[condition(table = App, of = Account, balanse >= least)]\nstruct HasBalance { least: \
              u64 }",
    instead: "Correct the name: conditions use the names that items store.",
    check: Check::Condition(check),
};

/// What is wrong with the condition, if something is.
#[must_use]
pub const fn check<'a>(table: &TableShape<'a>, condition: &ConditionShape<'a>) -> Option<Message> {
    let Some(entity) = table.entity(condition.entity) else { return None };
    let mut rest = condition.expression.attributes;
    while let [attribute, later @ ..] = rest {
        if entity.attribute(attribute).is_none()
            && !text::equal(table.discriminator, attribute)
            && !is_key_attribute(table, None, attribute)
        {
            let message = Message::new(&RULE).name(condition.name).say(" asks for ").name(attribute);
            return Some(has_none_called(message, entity, attribute));
        }
        rest = later;
    }
    None
}

enforced!(Condition);
