//! KW0101: a template's text must be readable. `TemplateShape::of` enforces it where the text is parsed.

use super::{Check, Rule, Severity};

/// What the rule is.
pub static RULE: Rule = Rule {
    code: "KW0101",
    name: "template-text",
    title: "A key template that cannot be read",
    severity: Severity::Error,
    finds: "A template with an unclosed brace, an unknown modifier, text after a component, two components without a \
            delimiter between them, a field that is named twice, or literal text that sorts where only the end of a \
            component may.",
    hurts: "Keys that do not say where a value ends cannot be told apart: `{tenant}{id}` writes `t1x` for tenant `t` \
            with id `1x` and for tenant `t1` with id `x`. A brace that was meant as a component and is literal text \
            gives every item one key, and the last write wins.",
    example: "[entity.admission]\nsort_key = \"admission#${timestamp}#{room}\"",
    instead: "Write literal text and `{field}` components, joined by the delimiter: `admission#{timestamp}#{room}`. A \
             component ends at the delimiter or at the end of the key.",
    check: Check::Text,
};
