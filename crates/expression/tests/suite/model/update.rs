//! Updates: written, refused and applied by the model.
//!
//! The model applies an update by building a new item from the old one, value by value, where the engine changes a copy
//! in place.

mod apply;

use keywright_item::{AttributeValue, Item, Number};
use proptest::prelude::*;

use super::projection::{clash, project};
use super::values::{any_set, attribute_value, number, scalar};
use super::{ModelPath, Writer, apart, item, path};
use apply::{edits, rebuilt};

#[derive(Debug, Clone)]
struct Action {
    target: ModelPath,
    change: Change,
}

#[derive(Debug, Clone)]
enum Change {
    Set(Operand),
    Arithmetic(Operand, &'static str, Operand),
    Remove,
    Add(AttributeValue),
    Delete(AttributeValue),
}

#[derive(Debug, Clone)]
enum Operand {
    Path(ModelPath),
    Value(AttributeValue),
    IfNotExists(Box<Operand>, Box<Operand>),
    ListAppend(Box<Operand>, Box<Operand>),
}

fn operand(item: &Item) -> BoxedStrategy<Operand> {
    let path = path(item);
    let leaf = prop_oneof![
        5 => path.clone().prop_map(Operand::Path),
        3 => scalar().prop_map(Operand::Value),
        2 => attribute_value().prop_map(Operand::Value),
        2 => prop::collection::vec(scalar(), 0..3).prop_map(|list| Operand::Value(AttributeValue::L(list))),
    ];
    leaf.prop_recursive(3, 6, 2, move |inner| {
        prop_oneof![
            3 => (path.clone(), inner.clone()).prop_map(|(path, otherwise)| {
                Operand::IfNotExists(Box::new(Operand::Path(path)), Box::new(otherwise))
            }),
            1 => (inner.clone(), inner.clone())
                .prop_map(|(path, otherwise)| Operand::IfNotExists(Box::new(path), Box::new(otherwise))),
            3 => (inner.clone(), inner)
                .prop_map(|(first, second)| Operand::ListAppend(Box::new(first), Box::new(second))),
        ]
    })
    .boxed()
}

/// An operand that often is a number.
fn addend(item: &Item) -> BoxedStrategy<Operand> {
    let zero = || Box::new(Operand::Value(AttributeValue::N(Number::ZERO)));
    prop_oneof![
        1 => path(item).prop_map(Operand::Path),
        3 => number().prop_map(Operand::Value),
        1 => operand(item),
        2 => path(item).prop_map(move |path| Operand::IfNotExists(Box::new(Operand::Path(path)), zero())),
    ]
    .boxed()
}

/// Actions in sections, in the order of the text.
fn actions(item: &Item) -> impl Strategy<Value = Vec<Action>> + use<> {
    let targets = |change: BoxedStrategy<Change>, most| {
        let action = (path(item), change).prop_map(|(target, change)| Action { target, change });
        prop::collection::vec(action, 0..=most)
    };
    let list = prop::collection::vec(scalar(), 0..3).prop_map(|list| Operand::Value(AttributeValue::L(list)));
    let set = prop_oneof![
        4 => scalar().prop_map(|value| Change::Set(Operand::Value(value))),
        2 => operand(item).prop_map(Change::Set),
        1 => (path(item), list).prop_map(|(path, list)| {
            Change::Set(Operand::ListAppend(Box::new(Operand::Path(path)), Box::new(list)))
        }),
        2 => (addend(item), prop::sample::select(vec!["+", "-"]), addend(item))
            .prop_map(|(left, operator, right)| Change::Arithmetic(left, operator, right)),
    ];
    let added = prop_oneof![4 => number(), 4 => any_set(), 1 => attribute_value()];
    let deleted = prop_oneof![8 => any_set(), 1 => attribute_value()];
    let sections = (
        targets(set.boxed(), 3),
        targets(Just(Change::Remove).boxed(), 3),
        targets(added.prop_map(Change::Add).boxed(), 1),
        targets(deleted.prop_map(Change::Delete).boxed(), 1),
    );
    (sections, 0_usize..4, prop::bool::weighted(0.2)).prop_filter_map(
        "an update has an action",
        |((set, remove, add, delete), order, keep_clashes)| {
            let mut sections = vec![set, remove, add, delete];
            sections.rotate_left(order);
            let mut actions: Vec<Action> = Vec::new();
            for action in sections.into_iter().flatten() {
                if keep_clashes || actions.iter().all(|other| apart(&other.target, &action.target)) {
                    actions.push(action);
                }
            }
            (!actions.is_empty()).then_some(actions)
        },
    )
}

impl Change {
    fn section(&self) -> &'static str {
        match self {
            Self::Set(_) | Self::Arithmetic(..) => "SET",
            Self::Remove => "REMOVE",
            Self::Add(_) => "ADD",
            Self::Delete(_) => "DELETE",
        }
    }

    fn operands(&self) -> Vec<&Operand> {
        match self {
            Self::Set(operand) => vec![operand],
            Self::Arithmetic(left, _, right) => vec![left, right],
            _ => Vec::new(),
        }
    }
}

fn write(actions: &[Action], writer: &mut Writer) {
    let mut section = "";
    for Action { target, change } in actions {
        if change.section() == section {
            writer.write(",");
        } else {
            section = change.section();
            writer.space();
            let section = if writer.choose() { section.to_owned() } else { section.to_ascii_lowercase() };
            writer.write(&section);
            writer.space();
        }
        writer.path(target);
        match change {
            Change::Set(operand) => {
                writer.write("=");
                operand.write(writer);
            }
            Change::Arithmetic(left, operator, right) => {
                let grouped = writer.choose();
                writer.write(if grouped { "=(" } else { " = " });
                left.write(writer);
                writer.write(operator);
                right.write(writer);
                writer.write(if grouped { ")" } else { " " });
            }
            Change::Remove => {}
            Change::Add(value) | Change::Delete(value) => {
                writer.write(" ");
                writer.value(value);
            }
        }
    }
}

impl Operand {
    fn write(&self, writer: &mut Writer) {
        let grouped = writer.choose();
        if grouped {
            writer.write("(");
        }
        match self {
            Self::Path(path) => writer.path(path),
            Self::Value(value) => writer.value(value),
            Self::IfNotExists(first, second) | Self::ListAppend(first, second) => {
                let name = if matches!(self, Self::ListAppend(..)) { "list_append" } else { "if_not_exists" };
                writer.write(name);
                writer.write(" (");
                first.write(writer);
                writer.write(" , ");
                second.write(writer);
                writer.write(")");
            }
        }
        if grouped {
            writer.write(")");
        }
    }

    fn refusal(&self) -> Option<String> {
        let (Self::IfNotExists(first, second) | Self::ListAppend(first, second)) = self else { return None };
        first.refusal().or_else(|| second.refusal()).or_else(|| match self {
            Self::ListAppend(..) => not_of("L", "list_append", [first, second]),
            _ if matches!(**first, Self::Path(_)) => None,
            _ => Some(
                "Operator or function requires a document path; operator or function: if_not_exists"
                    .to_owned(),
            ),
        })
    }

    fn value(&self, before: &Item) -> Result<AttributeValue, String> {
        match self {
            Self::Path(path) => path.resolve(before).cloned().ok_or_else(|| {
                "The provided expression refers to an attribute that does not exist in the item".to_owned()
            }),
            Self::Value(value) => Ok(value.clone()),
            Self::IfNotExists(path, otherwise) => path.value(before).or_else(|_| otherwise.value(before)),
            Self::ListAppend(first, second) => {
                let AttributeValue::L(mut list) = first.value(before)? else { return Err(wrong_type()) };
                let AttributeValue::L(more) = second.value(before)? else { return Err(wrong_type()) };
                list.extend(more);
                Ok(AttributeValue::L(list))
            }
        }
    }
}

fn wrong_type() -> String {
    "An operand in the update expression has an incorrect data type".to_owned()
}

fn not_of(expected: &str, operator: &str, operands: [&Operand; 2]) -> Option<String> {
    let found = operands.into_iter().find_map(|operand| match operand {
        Operand::Value(value) => Some(value.type_name()).filter(|found| *found != expected),
        _ => None,
    })?;
    Some(format!(
        "Incorrect operand type for operator or function; operator or function: {operator}, operand type: {found}"
    ))
}

/// Why the update is refused before there is an item.
fn refusal(actions: &[Action]) -> Option<String> {
    let targets: Vec<&ModelPath> = actions.iter().map(|action| &action.target).collect();
    clash(&targets)
        .or_else(|| {
            actions.iter().find_map(|action| {
                let (operator, value) = match &action.change {
                    Change::Add(value) => ("ADD", value),
                    Change::Delete(value) => ("DELETE", value),
                    _ => return None,
                };
                let found = match value.type_name() {
                    "SS" | "NS" | "BS" => return None,
                    "N" if operator == "ADD" => return None,
                    "N" => "NUMBER",
                    "S" => "STRING",
                    "B" => "BINARY",
                    "BOOL" => "BOOLEAN",
                    "NULL" => "NULL",
                    "M" => "MAP",
                    _ => "LIST",
                };
                Some(format!(
                    "Incorrect operand type for operator or function; operator: {operator}, operand type: {found}, \
                     typeSet: ALLOWED_FOR_{operator}_OPERAND"
                ))
            })
        })
        .or_else(|| {
            actions.iter().find_map(|action| {
                let operands = action.change.operands();
                operands.iter().find_map(|operand| operand.refusal()).or_else(|| match &action.change {
                    Change::Arithmetic(left, operator, right) => not_of("N", operator, [left, right]),
                    _ => None,
                })
            })
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn an_update_is_refused_or_applied_as_the_model_says(
        (first, actions) in item().prop_flat_map(|item| { let actions = actions(&item); (Just(item), actions) }),
        others in prop::collection::vec(item(), 0..2),
        choices in any::<u64>(),
    ) {
        let mut writer = Writer::new(choices);
        write(&actions, &mut writer);
        let bound = writer.bind(crate::update);
        let update = match (bound, refusal(&actions)) {
            (Err(refusal), expected) => {
                let expected = expected.map(|text| format!("Invalid UpdateExpression: {text}"));
                prop_assert_eq!(Some(refusal), expected, "{}", writer.text);
                return Ok(());
            }
            (Ok(_), Some(expected)) => {
                prop_assert!(false, "{} was not refused: {expected}", writer.text);
                return Ok(());
            }
            (Ok(update), None) => update,
        };
        for before in std::iter::once(&first).chain(&others) {
            let updated = update.apply(Some(before), &Item::new()).map_err(|refusal| refusal.to_string());
            let expected = edits(&actions, before).map(|edits| rebuilt(before, &edits));
            prop_assert_eq!(
                updated.as_ref().map(|updated| &updated.item), expected.as_ref(), "{} {:?}", writer.text, before
            );
            let (Ok(updated), Ok(expected)) = (updated, expected) else { continue };
            let all: Vec<_> = actions.iter().map(|action| &action.target).collect();
            let set: Vec<_> = actions
                .iter()
                .filter(|action| !matches!(action.change, Change::Remove))
                .map(|action| &action.target)
                .collect();
            prop_assert_eq!(updated.old_image(), project(&all, before));
            prop_assert_eq!(updated.new_image(), project(&set, &expected));
        }
    }
}
