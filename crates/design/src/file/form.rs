//! What may stand in the file: forms of values, keys and sections, as data.
//!
//! The tables in `keys` are made of these. The check of a file, its suggestions, the schema for editors and the reference
//! page all look at the same tables.

use serde_spanned::Spanned;
use toml::de::DeValue;

use crate::words::Vocabulary;

/// A part of the file that has keys: `[pattern.NAME]`, or a table within one.
pub(crate) struct Section {
    /// What messages call it: "a pattern".
    pub(crate) called: &'static str,
    /// Its keys, in the order in which they are explained.
    pub(crate) keys: &'static [Key],
}

/// A key of a section.
pub(crate) struct Key {
    /// Its name.
    pub(crate) name: &'static str,
    /// What may stand there.
    pub(crate) form: Form,
    /// Whether it must be there, and what its absence means.
    pub(crate) need: Need,
    /// What it means, in a sentence or two.
    pub(crate) meaning: &'static str,
    /// A line for each form that it has.
    pub(crate) examples: &'static [&'static str],
    /// What other tools call it: whoever writes that is told the name.
    pub(crate) also: &'static [&'static str],
}

/// Whether a key must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// It must.
    Required,
    /// It may be left out, which means this.
    Optional(&'static str),
}

/// What may stand at a key.
pub(crate) enum Form {
    /// A text of that form.
    Text(&'static TextForm),
    /// One of these words.
    Word(&'static dyn Vocabulary),
    /// One of these words, with a `?` after it or not.
    OptionalWord(&'static dyn Vocabulary),
    /// One of these words, or a text that is not just a word.
    WordOrText(&'static dyn Vocabulary),
    /// A whole number.
    Whole {
        /// At least.
        least: u64,
        /// At most; `u64::MAX` is no limit.
        most: u64,
    },
    /// A number from 0 up.
    Rate,
    /// A share of a whole.
    Share(Lowest),
    /// `true` alone.
    True,
    /// `false` alone.
    False,
    /// `true` or `false`.
    Boolean,
    /// A list of at least one element.
    List {
        /// What its elements are.
        of: &'static Form,
        /// Whether an element may stand in it twice.
        twice: Twice,
    },
    /// A table with the section's keys.
    Table(&'static Section),
    /// A table whose keys are names.
    Map {
        /// What the names are.
        names: &'static TextForm,
        /// What stands at each.
        of: &'static Form,
    },
    /// One of several.
    OneOf(&'static [Form]),
}

/// Where a share begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lowest {
    /// At 0.
    Zero,
    /// Above 0.
    AboveZero,
}

/// Whether an element may stand in a list twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Twice {
    /// It may.
    Allowed,
    /// It may not.
    Refused,
}

/// A form of text.
pub(crate) struct TextForm {
    /// What messages call it: "the name of an attribute".
    pub(crate) called: &'static str,
    /// Whether any text has the form, so that only an empty one has not.
    pub(crate) is_free: bool,
    /// Whether a text has the form; if not, what to write instead.
    pub(crate) check: fn(&str) -> Result<(), &'static str>,
    /// The regular expression of texts that pass, for editors. It may let more pass.
    pub(crate) pattern: Option<&'static str>,
}

/// The form that a value can have, of those that its key takes.
pub(super) struct Chosen {
    /// The form.
    pub(super) form: &'static Form,
    /// The sections that could have stood in its place.
    pub(super) siblings: Vec<&'static Section>,
}

impl Section {
    /// The key of that name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

impl Key {
    /// A key that must be there.
    pub(super) const fn required(
        name: &'static str,
        form: Form,
        meaning: &'static str,
        examples: &'static [&'static str],
    ) -> Key {
        Key { name, form, need: Need::Required, meaning, examples, also: &[] }
    }

    /// A key that may be left out, which means `absent`.
    pub(super) const fn optional(
        name: &'static str,
        form: Form,
        absent: &'static str,
        meaning: &'static str,
        examples: &'static [&'static str],
    ) -> Key {
        Key { name, form, need: Need::Optional(absent), meaning, examples, also: &[] }
    }

    /// The same key, which other tools call one of `names`.
    pub(super) const fn also(self, names: &'static [&'static str]) -> Key {
        Key {
            name: self.name,
            form: self.form,
            need: self.need,
            meaning: self.meaning,
            examples: self.examples,
            also: names,
        }
    }
}

impl Form {
    /// A whole number of at least `least`.
    pub(super) const fn from(least: u64) -> Form {
        Form::Whole { least, most: u64::MAX }
    }

    /// A list in which nothing stands twice.
    pub(super) const fn list(of: &'static Form) -> Form {
        Form::List { of, twice: Twice::Refused }
    }

    /// The form that `value` can have: itself, or the one of several. None if the value fits nothing: by its type, or since it
    /// is a table with the keys of none of several sections.
    pub(super) fn of_value(&'static self, value: &DeValue<'_>) -> Option<Chosen> {
        let Form::OneOf(forms) = self else {
            return self.takes_type_of(value).then_some(Chosen { form: self, siblings: Vec::new() });
        };
        let fitting: Vec<&'static Form> = forms.iter().filter(|form| form.takes_type_of(value)).collect();
        // Of several sections the one whose keys were written; of those that are alike the first.
        let best = fitting.iter().rev().max_by_key(|form| form.keys_in_common(value)).copied()?;
        if fitting.len() > 1 && best.keys_in_common(value) == 0 {
            return None;
        }
        let others = fitting.into_iter().filter(|form| !std::ptr::eq(*form, best));
        let siblings = others.filter_map(|form| match form {
            Form::Table(section) => Some(*section),
            _ => None,
        });
        let chosen = best.of_value(value)?;
        Some(Chosen { siblings: siblings.collect(), ..chosen })
    }

    /// Whether a list can have the form.
    pub(super) fn takes_list(&self) -> bool {
        match self {
            Form::List { .. } => true,
            Form::OneOf(forms) => forms.iter().any(Form::takes_list),
            _ => false,
        }
    }

    fn takes_type_of(&self, value: &DeValue<'_>) -> bool {
        match self {
            Form::Text(_) | Form::Word(_) | Form::OptionalWord(_) | Form::WordOrText(_) => {
                matches!(value, DeValue::String(_))
            }
            Form::Whole { .. } => matches!(value, DeValue::Integer(_)),
            Form::Rate | Form::Share(_) => matches!(value, DeValue::Integer(_) | DeValue::Float(_)),
            Form::True => matches!(value, DeValue::Boolean(true)),
            Form::False => matches!(value, DeValue::Boolean(false)),
            Form::Boolean => matches!(value, DeValue::Boolean(_)),
            Form::List { .. } => matches!(value, DeValue::Array(_)),
            Form::Table(_) | Form::Map { .. } => matches!(value, DeValue::Table(_)),
            Form::OneOf(forms) => forms.iter().any(|form| form.takes_type_of(value)),
        }
    }

    fn keys_in_common(&self, value: &DeValue<'_>) -> usize {
        match (self, value) {
            (Form::Table(section), DeValue::Table(table)) => {
                let is_written = |name: &&str| table.contains_key(*name);
                section
                    .keys
                    .iter()
                    .filter(|key| is_written(&key.name) || key.also.iter().any(is_written))
                    .count()
            }
            _ => 0,
        }
    }
}

/// The entries of a table of the file, in the order of the file.
pub(super) fn entries<'f, 't>(
    table: &'f toml::de::DeTable<'t>,
) -> Vec<(&'f Spanned<toml::de::DeString<'t>>, &'f Spanned<DeValue<'t>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
