//! Writes an application of two crates, to measure how long `cargo check` takes with its rules.
//!
//! `cargo run -p keywright-derive --example generate_application -- DIRECTORY ENTITIES PATTERNS` writes the crate `model`
//! with a table and its entities, and the crate `patterns` that depends on it. The directory is one that is not there yet.
//! With `bare` as a fourth argument the structs are written without the derives: what is left is the rest of the work.
#![allow(clippy::print_stdout, reason = "a generator: it says where the application is")]

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, entities, patterns, rest @ ..] = arguments.as_slice() else {
        return Err("usage: generate_application DIRECTORY ENTITIES PATTERNS [bare]".into());
    };
    let kind = match rest {
        [] => Kind::Derived,
        [bare] if bare == "bare" => Kind::Bare,
        _ => return Err("the fourth argument can only be `bare`".into()),
    };
    let (directory, entities, patterns) = (Path::new(directory), entities.parse()?, patterns.parse()?);
    fs::create_dir(directory)?;
    write_workspace(directory)?;
    write_crate(directory, "model", "", &model(entities, kind))?;
    write_crate(
        directory,
        "patterns",
        "model = { path = \"../model\" }\n",
        &pattern_crate(entities, patterns, kind),
    )?;
    println!("{}", directory.join("Cargo.toml").display());
    Ok(())
}

/// Whether the structs have the derives.
#[derive(Clone, Copy)]
enum Kind {
    Derived,
    Bare,
}

impl Kind {
    /// The attributes, or none.
    fn attributes(self, attributes: &str) -> String {
        match self {
            Kind::Derived => attributes.to_owned(),
            Kind::Bare => String::new(),
        }
    }
}

fn write_workspace(directory: &Path) -> Result<(), Box<dyn Error>> {
    fs::write(
        directory.join("Cargo.toml"),
        "[workspace]\nresolver = \"3\"\nmembers = [\"model\", \"patterns\"]\n",
    )?;
    // The versions that the project is tested with, so that nothing is looked up.
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    fs::copy(lock, directory.join("Cargo.lock"))?;
    Ok(())
}

fn write_crate(directory: &Path, name: &str, dependencies: &str, source: &str) -> Result<(), Box<dyn Error>> {
    let derive = env!("CARGO_MANIFEST_DIR");
    let directory = directory.join(name);
    fs::create_dir_all(directory.join("src"))?;
    fs::write(
        directory.join("Cargo.toml"),
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             keywright-derive = {{ path = {derive:?} }}\nkeywright-key = {{ path = {key:?} }}\n{dependencies}",
            key = format!("{derive}/../key"),
        ),
    )?;
    fs::write(directory.join("src/lib.rs"), source)?;
    Ok(())
}

/// A table and its entities, half of them in an index.
fn model(entities: usize, kind: Kind) -> String {
    let names = (0..entities).map(|number| format!("Entity{number}")).collect::<Vec<_>>().join(", ");
    let mut source = String::from("#![allow(unused_imports)]\nuse keywright_derive::{Entity, Table};\n");
    let table = kind.attributes(&format!(
        "#[derive(Table)]\n#[table(tenant = \"organization_id\", entities({names}), index(ByOwner, project(title, points)))]\n"
    ));
    let _ = write!(source, "\n{table}pub struct App;\n");
    for number in 0..entities {
        let index = if number.is_multiple_of(2) {
            ", index(ByOwner, partition_key = \"ORG#{organization_id}#OWNER#{owner_id}\", sort_key = \"KIND"
                .to_owned()
                + &format!("{number}#{{created_at}}\")")
        } else {
            String::new()
        };
        let entity = kind.attributes(&format!(
            "#[derive(Entity)]\n#[entity(table = App, partition_key = \"ORG#{{organization_id}}\", sort_key = \
             \"KIND{number}#{{parent_id}}#{{created_at}}\"{index})]\n"
        ));
        let _ = write!(
            source,
            "\n{entity}pub struct Entity{number} {{\n    pub organization_id: String,\n    pub parent_id: String,\n    \
             pub created_at: u64,\n    pub owner_id: String,\n    pub title: String,\n    pub points: u32,\n}}\n"
        );
    }
    source
}

/// Patterns in turn: one item, all of a kind, all below a parent, a range of time, what an owner has.
fn pattern_crate(entities: usize, patterns: usize, kind: Kind) -> String {
    let names = (0..patterns).map(|number| format!("Pattern{number}")).collect::<Vec<_>>().join(", ");
    let mut source = String::from(
        "#![allow(unused_imports)]\nuse keywright_derive::{AccessPattern, PatternList};\nuse model::*;\n",
    );
    let list = kind
        .attributes(&format!("#[derive(PatternList)]\n#[pattern_list(table = App, patterns({names}))]\n"));
    let _ = write!(source, "\n{list}pub struct Patterns;\n");
    for number in 0..patterns {
        let entity = number / 4 % entities;
        let (options, fields) = match number % 4 {
            0 => (
                format!("get_item, sort_key_equals = \"KIND{entity}#{{parent_id}}#{{created_at}}\""),
                "parent_id: String, pub created_at: u64",
            ),
            1 => (format!("sort_key_starts_with = \"KIND{entity}#{{parent_id}}\""), "parent_id: String"),
            2 => (
                format!(
                    "sort_key_range(\"KIND{entity}#{{parent_id}}#{{created_at}}\", from = since, until = end)"
                ),
                "parent_id: String, pub since: u64, pub end: u64",
            ),
            _ if entity.is_multiple_of(2) => {
                (format!("index = ByOwner, sort_key_starts_with = \"KIND{entity}\""), "owner_id: String")
            }
            _ => (
                format!("sort_key_starts_with = \"KIND{entity}#{{parent_id}}\", filter(points >= least)"),
                "parent_id: String, pub least: u32",
            ),
        };
        let pattern = kind.attributes(&format!(
            "#[derive(AccessPattern)]\n#[access_pattern(table = App, listed_in = Patterns, returns(Entity{entity}), \
             {options})]\n"
        ));
        let _ = write!(source, "\n{pattern}pub struct Pattern{number} {{\n    pub {fields},\n}}\n");
    }
    source
}
