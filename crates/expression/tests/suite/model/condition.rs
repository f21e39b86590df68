//! Conditions: written, refused and evaluated by the model.

use std::cmp::Ordering;

use keywright_item::json::write_value;
use keywright_item::{AttributeValue, Item, Number, StoredItem};
use proptest::prelude::*;

use super::values::{any_set, attribute_value, scalar};
use super::{ModelPath, Writer, item, path};

#[derive(Debug, Clone)]
enum Model {
    And(Vec<Model>),
    Or(Vec<Model>),
    Not(Box<Model>),
    Compare(&'static str, Operand, Operand),
    Between(Operand, Operand, Operand),
    In(Operand, Vec<Operand>),
    /// A function and its operands.
    Call(&'static str, Vec<Operand>),
}

#[derive(Debug, Clone)]
enum Operand {
    Path(ModelPath),
    Value(AttributeValue),
    Size(Box<Operand>),
}

fn operand(item: &Item) -> BoxedStrategy<Operand> {
    let leaf = prop_oneof![
        6 => path(item).prop_map(Operand::Path),
        4 => scalar().prop_map(Operand::Value),
        2 => attribute_value().prop_map(Operand::Value),
        2 => present(item).prop_map(Operand::Value),
    ];
    prop_oneof![8 => leaf.clone(), 1 => leaf.prop_map(|operand| Operand::Size(Box::new(operand)))].boxed()
}

/// A value that is in the item, so that something is equal.
fn present(item: &Item) -> BoxedStrategy<AttributeValue> {
    let item = item.clone();
    (path(&item), scalar())
        .prop_map(move |(path, otherwise)| path.resolve(&item).cloned().unwrap_or(otherwise))
        .boxed()
}

fn condition(item: &Item) -> BoxedStrategy<Model> {
    let operand = || operand(item);
    let path = || path(item);
    let comparator = prop::sample::select(vec!["=", "<>", "<", "<=", ">", ">="]);
    let type_name =
        prop::sample::select(vec!["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS", "X"]);
    let leaf = prop_oneof![
        6 => (comparator.clone(), operand(), operand()).prop_map(|(comparator, left, right)| Model::Compare(comparator, left, right)),
        2 => (operand(), operand(), operand()).prop_map(|(subject, low, high)| Model::Between(subject, low, high)),
        2 => (operand(), prop::collection::vec(operand(), 1..4)).prop_map(|(subject, choices)| Model::In(subject, choices)),
        2 => path().prop_map(|path| Model::Call("attribute_exists", vec![Operand::Path(path)])),
        1 => operand().prop_map(|operand| Model::Call("attribute_not_exists", vec![operand])),
        2 => (path(), type_name).prop_map(|(path, name)| {
            Model::Call("attribute_type", vec![Operand::Path(path), Operand::Value(AttributeValue::S(name.to_owned()))])
        }),
        2 => (operand(), operand()).prop_map(|(first, second)| Model::Call("begins_with", vec![first, second])),
        2 => (any_set(), scalar()).prop_map(|(set, member)| {
            Model::Call("contains", vec![Operand::Value(set), Operand::Value(member)])
        }),
        3 => (comparator.clone(), operand(), 0_u64..5).prop_map(|(comparator, sized, size)| {
            let size = Operand::Value(AttributeValue::N(Number::from(size)));
            Model::Compare(comparator, Operand::Size(Box::new(sized)), size)
        }),
        3 => (operand(), operand()).prop_map(|(first, second)| Model::Call("contains", vec![first, second])),
    ];
    leaf.prop_recursive(4, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Model::And),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Model::Or),
            inner.prop_map(|condition| Model::Not(Box::new(condition))),
        ]
    })
    .boxed()
}

impl Model {
    fn write(&self, writer: &mut Writer) {
        match self {
            Self::And(parts) => write_joined(parts, "AND", writer),
            Self::Or(parts) => write_joined(parts, "or", writer),
            Self::Not(part) => {
                writer.write("NOT");
                writer.space();
                part.write_part(writer);
            }
            Self::Compare(comparator, left, right) => {
                left.write(writer);
                writer.write(comparator);
                right.write(writer);
            }
            Self::Between(subject, low, high) => {
                subject.write(writer);
                writer.write(" between ");
                low.write(writer);
                writer.write(" AND ");
                high.write(writer);
            }
            Self::In(subject, choices) => {
                subject.write(writer);
                writer.write(" IN (");
                write_operands(choices, writer);
            }
            Self::Call(name, operands) => {
                writer.write(name);
                writer.write("(");
                write_operands(operands, writer);
            }
        }
    }

    /// In parentheses where they are needed, or by choice.
    fn write_part(&self, writer: &mut Writer) {
        let needed = matches!(self, Self::And(_) | Self::Or(_) | Self::Not(_));
        if needed || writer.choose() {
            writer.write("(");
            self.write(writer);
            writer.write(")");
        } else {
            self.write(writer);
        }
    }

    /// The refusal of the first part that has one.
    fn refusal(&self) -> Option<String> {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().find_map(Self::refusal),
            Self::Not(part) => part.refusal(),
            Self::Compare(comparator, left, right) => distinct(comparator, left, right)
                .or_else(|| [left, right].into_iter().find_map(Operand::refusal))
                .or_else(|| {
                    if matches!(*comparator, "=" | "<>") {
                        None
                    } else {
                        unordered(comparator, &[left, right])
                    }
                }),
            Self::Between(subject, low, high) => [subject, low, high]
                .into_iter()
                .find_map(Operand::refusal)
                .or_else(|| unordered("BETWEEN", &[subject, low, high]))
                .or_else(|| bounds(low, high)),
            Self::In(subject, choices) => std::iter::once(subject).chain(choices).find_map(Operand::refusal),
            Self::Call(name, operands) => {
                if let [first, second] = operands.as_slice()
                    && let Some(refusal) = distinct(name, first, second)
                {
                    return Some(refusal);
                }
                operands.iter().find_map(Operand::refusal).or_else(|| call_refusal(name, operands))
            }
        }
    }

    fn holds(&self, item: &Item) -> bool {
        match self {
            Self::And(parts) => parts.iter().all(|part| part.holds(item)),
            Self::Or(parts) => parts.iter().any(|part| part.holds(item)),
            Self::Not(part) => !part.holds(item),
            Self::Compare("=", left, right) => equal(left.value(item), right.value(item)),
            Self::Compare("<>", left, right) => !equal(left.value(item), right.value(item)),
            Self::Compare(comparator, left, right) => {
                match (order(left.value(item), right.value(item)), *comparator) {
                    (Some(order), "<") => order.is_lt(),
                    (Some(order), "<=") => order.is_le(),
                    (Some(order), ">") => order.is_gt(),
                    (Some(order), _) => order.is_ge(),
                    (None, _) => false,
                }
            }
            Self::Between(subject, low, high) => {
                order(low.value(item), subject.value(item)).is_some_and(Ordering::is_le)
                    && order(subject.value(item), high.value(item)).is_some_and(Ordering::is_le)
            }
            Self::In(subject, choices) => {
                choices.iter().any(|choice| equal(subject.value(item), choice.value(item)))
            }
            Self::Call(name, operands) => {
                let values: Vec<_> = operands.iter().map(|operand| operand.value(item)).collect();
                match (*name, values.as_slice()) {
                    ("attribute_exists", [value]) => value.is_some(),
                    ("attribute_not_exists", [value]) => value.is_none(),
                    (_, [Some(first), Some(second)]) => call(name, first, second),
                    _ => false,
                }
            }
        }
    }
}

impl Operand {
    fn write(&self, writer: &mut Writer) {
        let grouped = writer.choose();
        writer.write(if grouped { "(" } else { " " });
        match self {
            Self::Path(path) => writer.path(path),
            Self::Value(value) => writer.value(value),
            Self::Size(operand) => {
                writer.write("size(");
                operand.write(writer);
                writer.write(")");
            }
        }
        writer.write(if grouped { ")" } else { " " });
    }

    fn known_type(&self) -> Option<&'static str> {
        match self {
            Self::Path(_) => None,
            Self::Value(value) => Some(value.type_name()),
            Self::Size(_) => Some("N"),
        }
    }

    fn refusal(&self) -> Option<String> {
        let Self::Size(operand) = self else { return None };
        operand.refusal().or_else(|| match operand.known_type() {
            Some(found @ ("N" | "BOOL" | "NULL")) => Some(wrong_type("size", found)),
            _ => None,
        })
    }

    fn value(&self, item: &Item) -> Option<AttributeValue> {
        match self {
            Self::Path(path) => path.resolve(item).cloned(),
            Self::Value(value) => Some(value.clone()),
            Self::Size(operand) => {
                let size = match operand.value(item)? {
                    AttributeValue::S(string) => string.encode_utf16().count(),
                    AttributeValue::B(bytes) => bytes.len(),
                    AttributeValue::M(map) => map.len(),
                    AttributeValue::L(list) => list.len(),
                    AttributeValue::Ss(set) => set.len(),
                    AttributeValue::Ns(set) => set.len(),
                    AttributeValue::Bs(set) => set.len(),
                    _ => return None,
                };
                Some(AttributeValue::N(Number::from(size as u64)))
            }
        }
    }
}

fn write_joined(parts: &[Model], keyword: &str, writer: &mut Writer) {
    for (place, part) in parts.iter().enumerate() {
        if place > 0 {
            writer.space();
            writer.write(keyword);
            writer.space();
        }
        part.write_part(writer);
    }
}

fn write_operands(operands: &[Operand], writer: &mut Writer) {
    for (place, operand) in operands.iter().enumerate() {
        if place > 0 {
            writer.write(",");
        }
        operand.write(writer);
    }
    writer.write(")");
}

fn distinct(operator: &str, first: &Operand, second: &Operand) -> Option<String> {
    match (first, second) {
        (Operand::Path(one), Operand::Path(other)) if one == other => Some(format!(
            "The first operand must be distinct from the remaining operands for this operator or function; operator: \
             {operator}, first operand: {}",
            one.shown()
        )),
        _ => None,
    }
}

fn unordered(operator: &str, operands: &[&Operand]) -> Option<String> {
    let found =
        operands.iter().find_map(|operand| operand.known_type().filter(|found| !"SNB".contains(found)))?;
    Some(wrong_type(operator, found))
}

fn bounds(low: &Operand, high: &Operand) -> Option<String> {
    let (Operand::Value(low), Operand::Value(high)) = (low, high) else { return None };
    let rule = if low.type_name() != high.type_name() {
        "same data type for lower and upper bounds"
    } else if order(Some(low.clone()), Some(high.clone())) == Some(Ordering::Greater) {
        "upper bound to be greater than or equal to lower bound"
    } else {
        return None;
    };
    Some(format!(
        "The BETWEEN operator requires {rule}; lower bound operand: AttributeValue: {}, upper bound operand: \
         AttributeValue: {}",
        printed(low),
        printed(high)
    ))
}

fn printed(value: &AttributeValue) -> String {
    let mut wire = Vec::new();
    write_value(value, &mut wire);
    String::from_utf8(wire).unwrap().replace('"', "")
}

fn call_refusal(name: &str, operands: &[Operand]) -> Option<String> {
    match (name, operands) {
        ("attribute_exists" | "attribute_not_exists", [Operand::Path(_)]) | ("contains", _) => None,
        ("attribute_exists" | "attribute_not_exists", _) => {
            Some(format!("Operator or function requires a document path; operator or function: {name}"))
        }
        ("attribute_type", [_, Operand::Value(AttributeValue::S(name))]) => (name == "X").then(|| {
            "Invalid attribute type name found; type: X, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"
                .to_owned()
        }),
        _ => operands
            .iter()
            .find_map(|operand| operand.known_type().filter(|found| !"SB".contains(found)))
            .map(|found| wrong_type(name, found)),
    }
}

fn wrong_type(operator: &str, found: &str) -> String {
    format!(
        "Incorrect operand type for operator or function; operator or function: {operator}, operand type: {found}"
    )
}

fn equal(one: Option<AttributeValue>, other: Option<AttributeValue>) -> bool {
    one.is_some() && one == other
}

fn order(one: Option<AttributeValue>, other: Option<AttributeValue>) -> Option<Ordering> {
    match (one?, other?) {
        (AttributeValue::S(one), AttributeValue::S(other)) => Some(one.into_bytes().cmp(&other.into_bytes())),
        (AttributeValue::N(one), AttributeValue::N(other)) => Some(one.cmp(&other)),
        (AttributeValue::B(one), AttributeValue::B(other)) => Some(one.cmp(&other)),
        _ => None,
    }
}

fn call(name: &str, first: &AttributeValue, second: &AttributeValue) -> bool {
    use AttributeValue::{B, Bs, L, N, Ns, S, Ss};
    match (name, first, second) {
        ("attribute_type", value, S(name)) => value.type_name() == name,
        ("begins_with", S(string), S(prefix)) => string.starts_with(prefix.as_str()),
        ("begins_with", B(bytes), B(prefix)) => bytes.starts_with(prefix),
        ("contains", S(string), S(part)) => string.contains(part.as_str()),
        ("contains", B(bytes), B(part)) => {
            (0..=bytes.len()).any(|start| bytes.get(start..).is_some_and(|rest| rest.starts_with(part)))
        }
        ("contains", Ss(set), S(member)) => set.iter().any(|one| one == member),
        ("contains", Ns(set), N(member)) => set.iter().any(|one| one == member),
        ("contains", Bs(set), B(member)) => set.iter().any(|one| one == member),
        ("contains", L(list), element) => list.contains(element),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    /// The engine evaluates on stored bytes; the model on values that it copies at every step.
    #[test]
    fn a_condition_is_refused_or_answered_as_the_model_says(
        (first, model) in item().prop_flat_map(|item| { let model = condition(&item); (Just(item), model) }),
        others in prop::collection::vec(item(), 0..3),
        choices in any::<u64>(),
    ) {
        let mut writer = Writer::new(choices);
        model.write(&mut writer);
        let bound = writer.bind(crate::condition);
        match (bound, model.refusal()) {
            (Err(refusal), expected) => {
                let expected = expected.map(|text| format!("Invalid ConditionExpression: {text}"));
                prop_assert_eq!(Some(refusal), expected, "{}", writer.text);
            }
            (Ok(_), Some(expected)) => prop_assert!(false, "{} was not refused: {expected}", writer.text),
            (Ok(condition), None) => {
                for item in std::iter::once(&first).chain(&others) {
                    let stored = StoredItem::encode(item);
                    prop_assert_eq!(
                        condition.holds(Some(stored.as_ref())), model.holds(item), "{} {:?}", writer.text, item
                    );
                }
                prop_assert_eq!(condition.holds(None), model.holds(&Item::new()), "{}", writer.text);
            }
        }
    }
}
