//! `KW01` to `KW04`: the key crate's rules, run on the design's shapes.

mod member;

use keywright_key::Message;
use keywright_key::rule::{
    Check as KeyCheck, RULES, Rule as KeyRule, Severity as KeySeverity, expiry_of_purpose,
};

use super::finding::Findings;
use super::rule::{Check, Rule, Severity};
use crate::facts::Facts;
use crate::place::Place;

/// The key crate's rules.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    RULES.iter().map(|rule| of_key(rule))
}

/// Runs one of them on every table, entity or pattern.
pub(super) fn check(check: KeyCheck, facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for (shape, table) in facts.shapes().tables().iter().zip(&facts.design().tables) {
        match check {
            // The reader runs it: a design with a template that does not parse is not read.
            KeyCheck::Text => {}
            // Programs say conditions and updates where they write; a design has none.
            KeyCheck::Condition(_) | KeyCheck::Update(_) => {}
            KeyCheck::Table(check) => report(findings, Place::table(&table.name), check(shape)),
            KeyCheck::Entity(check) => {
                let entities = facts.entities_of(&table.name);
                for (entity, entity_shape) in entities.zip(shape.entities) {
                    report(findings, Place::entity(&entity.name), check(shape, entity_shape));
                }
            }
            KeyCheck::Pattern(check) => {
                for pattern in facts.patterns_of(&table.name) {
                    if let Some(pattern_shape) = facts.pattern_shape(&pattern.name) {
                        report(findings, Place::pattern(&pattern.name), check(shape, pattern_shape));
                    }
                }
            }
        }
    }
}

fn report(findings: &mut Findings<'_>, place: Place, message: Option<Message>) {
    let Some(message) = message else { return };
    // In a file this is KW0801, which who means it can accept; and a lock that expires may be one that nothing is fenced by.
    if message.rule().code == expiry_of_purpose::RULE.code {
        return;
    }
    let text = message.as_str();
    let without_code = text.strip_prefix(message.rule().code).and_then(|rest| rest.strip_prefix(": "));
    let place = match member::of_rule(message.rule().code) {
        Some(member) => place.member(member),
        None => place,
    };
    findings.report(place, without_code.unwrap_or(text));
}

fn of_key(rule: &KeyRule) -> Rule {
    Rule {
        code: rule.code,
        name: rule.name,
        title: rule.title,
        severity: match rule.severity {
            KeySeverity::Error => Severity::Error,
            KeySeverity::Warning => Severity::Warning,
        },
        finds: rule.finds,
        hurts: rule.hurts,
        example: rule.example,
        instead: rule.instead,
        check: Check::Key(rule.check),
    }
}
