//! Random items and random expressions, answered by a second evaluator that is as simple as it can be: it works on
//! decoded values only, knows nothing of tokens or stored bytes, and says what is refused in whole texts.

mod condition;
mod projection;
mod update;
mod values;

use std::fmt::Write;

use keywright_item::{AttributeValue, Item};
use proptest::prelude::*;

use values::{NAMES, attribute_value};

/// A document path of the model: names, and indexes of lists.
#[derive(Debug, Clone, PartialEq)]
struct ModelPath {
    attribute: &'static str,
    steps: Vec<ModelStep>,
}

#[derive(Debug, Clone, PartialEq)]
enum ModelStep {
    Name(&'static str),
    Index(usize),
}

/// Paths of which most lead somewhere in the item, some to a vacant place, and some just anywhere.
fn path(item: &Item) -> BoxedStrategy<ModelPath> {
    let (mut present, mut vacant) = (Vec::new(), Vec::new());
    for name in NAMES {
        let path = ModelPath { attribute: name, steps: Vec::new() };
        match item.get(name) {
            Some(value) => collect_paths(path, value, &mut present, &mut vacant),
            None => vacant.push(path),
        }
    }
    let step = prop_oneof![
        prop::sample::select(NAMES.to_vec()).prop_map(ModelStep::Name),
        (0_usize..4).prop_map(ModelStep::Index),
    ];
    let anywhere = (prop::sample::select(NAMES.to_vec()), prop::collection::vec(step, 0..3))
        .prop_map(|(attribute, steps)| ModelPath { attribute, steps })
        .boxed();
    let among = |paths: Vec<ModelPath>| {
        if paths.is_empty() { anywhere.clone() } else { prop::sample::select(paths).boxed() }
    };
    prop_oneof![8 => among(present), 3 => among(vacant), 1 => anywhere].boxed()
}

fn collect_paths(
    path: ModelPath,
    value: &AttributeValue,
    present: &mut Vec<ModelPath>,
    vacant: &mut Vec<ModelPath>,
) {
    let with = |step: ModelStep| {
        let mut path = path.clone();
        path.steps.push(step);
        path
    };
    match value {
        AttributeValue::M(map) => {
            for name in NAMES {
                let path = with(ModelStep::Name(name));
                match map.get(name) {
                    Some(value) => collect_paths(path, value, present, vacant),
                    None => vacant.push(path),
                }
            }
        }
        AttributeValue::L(list) => {
            for (index, value) in list.iter().enumerate() {
                collect_paths(with(ModelStep::Index(index)), value, present, vacant);
            }
            vacant.extend((list.len()..list.len() + 3).map(|index| with(ModelStep::Index(index))));
        }
        _ => {}
    }
    present.push(path);
}

impl ModelPath {
    fn resolve<'item>(&self, item: &'item Item) -> Option<&'item AttributeValue> {
        let mut value = item.get(self.attribute)?;
        for step in &self.steps {
            value = match (value, step) {
                (AttributeValue::M(map), ModelStep::Name(name)) => map.get(name)?,
                (AttributeValue::L(list), ModelStep::Index(index)) => list.get(*index)?,
                _ => return None,
            };
        }
        Some(value)
    }

    /// As the service prints it.
    fn shown(&self) -> String {
        let steps = self.steps.iter().map(|step| match step {
            ModelStep::Name(name) => format!(", {name}"),
            ModelStep::Index(index) => format!(", [{index}]"),
        });
        format!("[{}{}]", self.attribute, steps.collect::<String>())
    }
}

/// An expression being written: its text, and the placeholders that it uses.
#[derive(Default)]
struct Writer {
    text: String,
    names: Vec<(String, String)>,
    values: Vec<(String, AttributeValue)>,
    /// Decides by its bits where the text has a choice; it is turned with each.
    choices: u64,
}

impl Writer {
    fn new(choices: u64) -> Self {
        Self { choices, ..Self::default() }
    }

    fn choose(&mut self) -> bool {
        self.choices = self.choices.rotate_left(1);
        self.choices & 1 == 1
    }

    fn write(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn space(&mut self) {
        let space = if self.choose() { " " } else { "\t\n " };
        self.write(space);
    }

    fn value(&mut self, value: &AttributeValue) {
        let placeholder = format!(":v{}", self.values.len());
        self.write(&placeholder);
        self.values.push((placeholder, value.clone()));
    }

    fn name(&mut self, name: &str) {
        if self.choose() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            self.write(name);
            return;
        }
        let placeholder = format!("#n{}", self.names.len());
        self.write(&placeholder);
        self.names.push((placeholder, name.to_owned()));
    }

    fn path(&mut self, path: &ModelPath) {
        self.name(path.attribute);
        for step in &path.steps {
            match step {
                ModelStep::Name(name) => {
                    self.write(".");
                    self.name(name);
                }
                ModelStep::Index(index) => write!(self.text, "[{index}]").unwrap(),
            }
        }
    }

    /// Gives the text and its placeholders to `bind`.
    fn bind<Bound>(
        &self,
        bind: impl FnOnce(&str, crate::Names<'_>, crate::Values<'_>) -> Result<Bound, String>,
    ) -> Result<Bound, String> {
        let names: Vec<_> =
            self.names.iter().map(|(placeholder, name)| (placeholder.as_str(), name.as_str())).collect();
        let values: Vec<_> =
            self.values.iter().map(|(placeholder, value)| (placeholder.as_str(), value.clone())).collect();
        bind(&self.text, &names, &values)
    }
}

fn item() -> impl Strategy<Value = Item> {
    prop::collection::btree_map(prop::sample::select(NAMES.to_vec()), attribute_value(), 0..=NAMES.len())
        .prop_map(|attributes| attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Whether two paths can stand in one projection or update: neither lies within the other, and none takes for a list
/// what the other takes for a map.
fn apart(one: &ModelPath, other: &ModelPath) -> bool {
    one.attribute != other.attribute
        || one.steps.iter().zip(&other.steps).find(|(one, other)| one != other).is_some_and(|(one, other)| {
            matches!(
                (one, other),
                (ModelStep::Name(_), ModelStep::Name(_)) | (ModelStep::Index(_), ModelStep::Index(_))
            )
        })
}
