//! What is in a store: everything, by Scan, and whether the store agrees with itself.

use std::collections::{BTreeMap, BTreeSet};

use keywright_api::Operation;
use serde_json::{Value, json};

use super::client::{Client, Item, number, string};
use super::log::Place;
use super::schema::{self, IndexPlan, sorted};
use super::verdict::{Kind, Violation};

/// Everything that is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) tables: BTreeSet<String>,
    pub(crate) items: BTreeMap<Place, Item>,
}

impl Found {
    pub(crate) fn read(client: &mut dyn Client) -> Result<Found, Violation> {
        let names = client.must(Operation::ListTables, &json!({}))?;
        let mut found = Found::default();
        for name in names["TableNames"].as_array().unwrap() {
            let name = name.as_str().unwrap().to_owned();
            for item in client.scan(&name)? {
                let (Some(pk), Some(sk)) = (string(&item, "pk"), number(&item, "sk")) else {
                    return Err(Violation::new(Kind::Foreign, format!("no key of table {name}: {item:?}")));
                };
                let place = Place { table: name.clone(), pk: pk.to_owned(), sk };
                if let Some(twin) = found.items.insert(place, item) {
                    return Err(Violation::new(
                        Kind::Foreign,
                        format!("twice in a scan of {name}: {twin:?}"),
                    ));
                }
            }
            found.tables.insert(name);
        }
        Ok(found)
    }

    fn of_table(&self, table: &str) -> impl Iterator<Item = (&Place, &Item)> {
        self.items.iter().filter(move |(place, _)| place.table == table)
    }

    /// Each item is found by its key, and each index is its definition over its table.
    pub(crate) fn check_indexes(&self, client: &mut dyn Client) -> Result<(), Violation> {
        for table in &self.tables {
            // All of a small table, some of a large one.
            let step = 1 + self.of_table(table).count() / MOST_BY_KEY;
            for (place, item) in self.of_table(table).step_by(step) {
                let body = json!({"TableName": table, "Key": place.key(), "ConsistentRead": true});
                let by_key = client.must(Operation::GetItem, &body)?;
                if by_key["Item"].as_object() != Some(item) {
                    let what = format!("{place:?} by its key is {by_key}, and by Scan {item:?}");
                    return Err(Violation::new(Kind::Index, what));
                }
            }
            for index in schema::indexes(table) {
                self.check_index(client, table, index)?;
            }
        }
        Ok(())
    }

    fn check_index(&self, client: &mut dyn Client, table: &str, index: &IndexPlan) -> Result<(), Violation> {
        let expected = index.entries(self.of_table(table).map(|(_, item)| item));
        let scan = json!({"TableName": table, "IndexName": index.name});
        let by_scan = sorted(client.read_all(Operation::Scan, scan)?);
        compare(table, index, "a Scan", &expected, &by_scan)?;
        let mut partitions: Vec<&Value> = expected.iter().map(|entry| &entry[index.partition]).collect();
        partitions.dedup();
        let mut by_query = Vec::new();
        let mut seen: Vec<&Value> = Vec::new();
        for partition in partitions {
            if seen.contains(&partition) {
                continue;
            }
            seen.push(partition);
            by_query.extend(client.read_all(Operation::Query, query(table, index, partition))?);
        }
        compare(table, index, "its Queries", &expected, &sorted(by_query))
    }

    /// The figures that DescribeTable gives when they are new.
    pub(crate) fn check_statistics(&self, client: &mut dyn Client) -> Result<(), Violation> {
        for table in &self.tables {
            let description = client.must(Operation::DescribeTable, &json!({"TableName": table}))?;
            let description = &description["Table"];
            let items: Vec<Item> = self.of_table(table).map(|(_, item)| item.clone()).collect();
            compare_figures(table, &description["ItemCount"], &description["TableSizeBytes"], &items)?;
            for index in schema::indexes(table) {
                let described =
                    ["LocalSecondaryIndexes", "GlobalSecondaryIndexes"].map(|kind| &description[kind]);
                let mut described = described.into_iter().filter_map(Value::as_array).flatten();
                let described = described.find(|told| told["IndexName"] == index.name).unwrap();
                let (count, size) = (&described["ItemCount"], &described["IndexSizeBytes"]);
                compare_figures(&format!("{table}/{}", index.name), count, size, &index.entries(&items))?;
            }
        }
        Ok(())
    }
}

/// So many items of a table are looked for by their keys.
const MOST_BY_KEY: usize = 150;

/// The Query of a whole partition of an index.
pub(crate) fn query(table: &str, index: &IndexPlan, partition: &Value) -> Value {
    json!({
        "TableName": table, "IndexName": index.name, "KeyConditionExpression": "#p = :p",
        "ExpressionAttributeNames": {"#p": index.partition}, "ExpressionAttributeValues": {":p": partition},
    })
}

fn compare(
    table: &str,
    index: &IndexPlan,
    reading: &str,
    expected: &[Item],
    entries: &[Item],
) -> Result<(), Violation> {
    if expected == entries {
        return Ok(());
    }
    let missing = expected.iter().find(|entry| !entries.contains(entry));
    let foreign = entries.iter().find(|entry| !expected.contains(entry));
    let what = format!(
        "by {reading}, index {} of table {table} has {} entries where its items make {}; missing: {missing:?}; without \
         such an item: {foreign:?}",
        index.name,
        entries.len(),
        expected.len()
    );
    Err(Violation::new(Kind::Index, what))
}

fn compare_figures(of: &str, count: &Value, size: &Value, items: &[Item]) -> Result<(), Violation> {
    let counted = (items.len() as u64, items.iter().map(size_bytes).sum::<u64>());
    let told = (count.as_u64().unwrap(), size.as_u64().unwrap());
    if told == counted {
        return Ok(());
    }
    Err(Violation::new(
        Kind::Statistics,
        format!("{of} has (items, bytes) {counted:?}, and is said to have {told:?}"),
    ))
}

/// The size of an item as the service counts it. Source:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>.
fn size_bytes(item: &Item) -> u64 {
    let size = |(name, value): (&String, &Value)| {
        let of_value = match (value["S"].as_str(), value["N"].as_str()) {
            (Some(text), _) => text.len(),
            (None, Some(number)) => size_of_number(number),
            (None, None) => unreachable!("the workload writes texts and numbers only"),
        };
        name.len() + of_value
    };
    item.iter().map(size).sum::<usize>() as u64
}

/// A byte for each pair of digits, counted from the point, without the pairs of zeros at both ends; one more, and one for a
/// sign.
fn size_of_number(number: &str) -> usize {
    let digits = number.trim_start_matches('-');
    let even = format!("{}{digits}", "0".repeat(digits.len() % 2));
    let pairs: Vec<&[u8]> = even.as_bytes().chunks(2).collect();
    let is_zero = |pair: &&[u8]| *pair == b"00";
    let leading = pairs.iter().take_while(|pair| is_zero(pair)).count();
    let trailing = pairs[leading..].iter().rev().take_while(|pair| is_zero(pair)).count();
    pairs.len() - leading - trailing + 1 + usize::from(number.starts_with('-'))
}
