//! The member of an entity or a pattern that a rule of the key crate is about, so that its finding points at the right word.
//!
//! Those rules say which entity or pattern is wrong, and no more. Where one can be about several members, as a key in the
//! table or in an index, its finding points at the whole.

/// The member that the rule with this code is about, if it is always the same one.
pub(super) fn of_rule(code: &str) -> Option<&'static str> {
    MEMBERS.iter().find(|(rule, _)| *rule == code).map(|(_, member)| *member)
}

const MEMBERS: &[(&str, &str)] = &[
    ("KW0204", "discriminator"),
    ("KW0208", "attributes"),
    ("KW0209", "shards"),
    ("KW0210", "attributes"),
    ("KW0211", "attributes"),
    ("KW0301", "given"),
    ("KW0302", "sort_key"),
    ("KW0303", "sort_key"),
    ("KW0304", "sort_key"),
    ("KW0305", "returns"),
    ("KW0306", "returns"),
    ("KW0307", "consistency"),
    ("KW0308", "returns"),
    ("KW0309", "given"),
    ("KW0310", "sort_key"),
    ("KW0311", "returns"),
    ("KW0312", "given"),
    ("KW0313", "operation"),
    ("KW0314", "filter"),
    ("KW0404", "given"),
];

#[cfg(test)]
mod tests {
    use keywright_key::rule::RULES;

    use super::MEMBERS;

    #[test]
    fn every_member_is_that_of_a_rule_of_the_key_crate() {
        for (code, _) in MEMBERS {
            assert!(RULES.iter().any(|rule| rule.code == *code), "{code}");
        }
    }
}
