//! What requests cost, by the worked examples and rules of the developer guide: one row each, with its page.
//!
//! Each row is asked for NONE, TOTAL and INDEXES on an engine of its own. A refused write tells no units, as on the service,
//! so that the guide's figures about failed conditions are not here.

mod reads;
mod writes;

use keywright_api::Operation;
use serde_json::{Value, json};

use crate::support::{call, create_indexed, index, memory, merged, put};

const DOCUMENTATION: &str = "https://docs.aws.amazon.com/amazondynamodb/latest/";

/// An example of the developer guide, or of the API reference beside it.
struct Example {
    /// Where it is.
    page: &'static str,
    /// What the page says, in short.
    says: &'static str,
    /// The items that are there, by table.
    given: Vec<(&'static str, Value)>,
    operation: Operation,
    body: Value,
    costs: Costs,
}

/// The units of a request on one table; an index that cost nothing is not named.
#[derive(Clone, Copy, Default)]
struct Costs {
    table: f64,
    local: Option<f64>,
    global: Option<f64>,
    /// What a transaction repeats its units as.
    repeated: Option<&'static str>,
}

impl Costs {
    const fn table(units: f64) -> Costs {
        Costs { table: units, local: None, global: None, repeated: None }
    }

    const fn local(self, units: f64) -> Costs {
        Costs { local: Some(units), ..self }
    }

    const fn global(self, units: f64) -> Costs {
        Costs { global: Some(units), ..self }
    }

    const fn transaction(self, repeated: &'static str) -> Costs {
        Costs { repeated: Some(repeated), ..self }
    }

    fn capacity(self, units: f64) -> Value {
        let mut capacity = json!({"CapacityUnits": units});
        if let Some(name) = self.repeated {
            capacity[name] = json!(units);
        }
        capacity
    }

    fn total(self, table: &str) -> Value {
        let units = self.table + self.local.unwrap_or_default() + self.global.unwrap_or_default();
        merged(self.capacity(units), &json!({"TableName": table}))
    }

    fn by_index(self, table: &str) -> Value {
        let mut told = merged(self.total(table), &json!({"Table": self.capacity(self.table)}));
        if let Some(units) = self.local {
            told["LocalSecondaryIndexes"] = json!({"local": self.capacity(units)});
        }
        if let Some(units) = self.global {
            told["GlobalSecondaryIndexes"] = json!({"global": self.capacity(units)});
        }
        told
    }
}

/// Asks for each detail, each time of a new engine.
fn prove(examples: Vec<Example>) {
    for Example { page, says, given, operation, body, costs } in examples {
        let table = table_of(&body);
        for (detail, expected) in
            [("NONE", None), ("TOTAL", Some(costs.total(&table))), ("INDEXES", Some(costs.by_index(&table)))]
        {
            let engine = memory();
            let local = json!([index("local", &["pk", "l"], json!(["kept"]))]);
            let global = json!([index("global", &["g"], json!(["kept"]))]);
            let keys = ["pk:S", "sk:S"];
            create_indexed(&engine, "plain", &keys, &json!([]), &json!([]), &[]);
            create_indexed(&engine, "local", &keys, &local, &json!([]), &["l:S"]);
            create_indexed(&engine, "global", &keys, &json!([]), &global, &["g:S"]);
            for (table, item) in &given {
                put(&engine, table, item.clone()).unwrap();
            }
            let body = merged(body.clone(), &json!({"ReturnConsumedCapacity": detail}));
            let answer = call(&engine, operation, &body).unwrap();
            let told = answer.get("ConsumedCapacity").map(|told| match told {
                Value::Array(tables) => tables[0].clone(),
                table => table.clone(),
            });
            assert_eq!(told, expected, "{says}\n{DOCUMENTATION}{page}\n{detail}");
        }
    }
}

/// The table that a request is about.
fn table_of(body: &Value) -> String {
    if let Some(name) = body["TableName"].as_str() {
        return name.to_owned();
    }
    if let Some(tables) = body["RequestItems"].as_object() {
        return tables.keys().next().unwrap().clone();
    }
    let action = body["TransactItems"][0].as_object().unwrap().values().next().unwrap();
    action["TableName"].as_str().unwrap().to_owned()
}

fn key(sk: &str) -> Value {
    json!({"pk": {"S": "a"}, "sk": {"S": sk}})
}

/// An item of this many bytes, all names and values counted.
fn sized(sk: &str, bytes: usize) -> Value {
    grown(key(sk), "data", bytes)
}

/// The item with one more attribute, so that it has this many bytes.
fn grown(mut item: Value, name: &str, bytes: usize) -> Value {
    let held: usize = item
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| name.len() + value["S"].as_str().unwrap().len())
        .sum();
    item[name] = json!({"S": "x".repeat(bytes - held - name.len())});
    item
}

const fn kilobytes(tenths: usize) -> usize {
    tenths * 1024 / 10
}
