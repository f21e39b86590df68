//! The cases of serde's `rename_all`, as serde applies them to fields, whose own names are in snake case.

/// A case that names are stored in.
#[derive(Clone, Copy)]
pub(crate) enum FieldCase {
    /// As the field is called: `lowercase` and `snake_case` change nothing in a field.
    Unchanged,
    Upper,
    Pascal,
    Camel,
    Kebab,
    UpperKebab,
}

impl FieldCase {
    /// The case that serde calls by this name.
    pub(crate) fn parse(name: &str) -> Option<FieldCase> {
        Some(match name {
            "lowercase" | "snake_case" => FieldCase::Unchanged,
            "UPPERCASE" | "SCREAMING_SNAKE_CASE" => FieldCase::Upper,
            "PascalCase" => FieldCase::Pascal,
            "camelCase" => FieldCase::Camel,
            "kebab-case" => FieldCase::Kebab,
            "SCREAMING-KEBAB-CASE" => FieldCase::UpperKebab,
            _ => return None,
        })
    }

    /// How a field of this name is stored.
    pub(crate) fn apply(self, field: &str) -> String {
        match self {
            FieldCase::Unchanged => field.to_owned(),
            FieldCase::Upper => field.to_ascii_uppercase(),
            FieldCase::Pascal => pascal(field),
            FieldCase::Camel => {
                let pascal = pascal(field);
                let mut characters = pascal.chars();
                characters.next().map_or_else(String::new, |first| {
                    first.to_ascii_lowercase().to_string() + characters.as_str()
                })
            }
            FieldCase::Kebab => field.replace('_', "-"),
            FieldCase::UpperKebab => field.to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn pascal(field: &str) -> String {
    field
        .split('_')
        .map(|word| {
            let mut characters = word.chars();
            characters.next().map_or_else(String::new, |first| {
                first.to_ascii_uppercase().to_string() + characters.as_str()
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::FieldCase;

    #[test]
    fn names_become_what_serde_makes_of_them() {
        for (case, stored) in [
            ("lowercase", "joined_at"),
            ("snake_case", "joined_at"),
            ("UPPERCASE", "JOINED_AT"),
            ("SCREAMING_SNAKE_CASE", "JOINED_AT"),
            ("PascalCase", "JoinedAt"),
            ("camelCase", "joinedAt"),
            ("kebab-case", "joined-at"),
            ("SCREAMING-KEBAB-CASE", "JOINED-AT"),
        ] {
            assert_eq!(FieldCase::parse(case).unwrap().apply("joined_at"), stored, "{case}");
        }
    }
}
