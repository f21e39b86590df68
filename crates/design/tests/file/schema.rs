//! The schema for editors, against files that are read and files that are not.

use std::path::Path;

use boon::{Compiler, Draft, SchemaIndex, Schemas};
use keywright_design::DesignFile;

/// The schema as a draft of JSON Schema reads it.
struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    fn new(draft: Draft) -> Validator {
        let mut schema: serde_json::Value = serde_json::from_str(&DesignFile::json_schema()).unwrap();
        // Without its own word on it, the schema is held to the draft that is asked for.
        schema.as_object_mut().unwrap().remove("$schema");
        let mut compiler = Compiler::new();
        compiler.set_default_draft(draft);
        compiler.add_resource("keywright.schema.json", schema).unwrap();
        let mut schemas = Schemas::new();
        let index = compiler.compile("keywright.schema.json", &mut schemas).unwrap();
        Validator { schemas, index }
    }

    fn check(&self, text: &str) -> Result<(), String> {
        let value: toml::Value = toml::from_str(text).map_err(|error| error.to_string())?;
        let value = serde_json::to_value(value).unwrap();
        self.schemas.validate(&value, self.index).map_err(|error| error.to_string())
    }
}

#[test]
fn what_is_read_passes_the_schema_in_the_drafts_that_editors_know() {
    let texts = [
        include_str!("valid/every-form.toml"),
        "tenancy = false\n[table.app]\npartition_key = \"pk\"\n",
        "[table.app]\npartition_key = \"pk\"\npoint_in_time_recovery = 7\nbilling = \"on-demand\"\nalarms = false\n",
    ];
    for draft in [Draft::V4, Draft::V7, Draft::V2020_12] {
        let validator = Validator::new(draft);
        for text in texts {
            DesignFile::parse(text).unwrap();
            validator.check(text).unwrap();
        }
    }
}

#[test]
fn the_schema_refuses_unknown_keys_words_and_types() {
    let validator = Validator::new(Draft::V7);
    for change in [
        "sort_kye = \"sk\"",
        "stream = \"everything\"",
        "time_to_live = true",
        "point_in_time_recovery = 36",
        "alarms = []",
        "billing = { read = 5 }",
        "index.ix = { partition_key = \"a\" }",
        "tags = { team = 5 }",
    ] {
        let text = format!("[table.app]\npartition_key = \"pk\"\n{change}\n");
        assert!(DesignFile::parse(&text).is_err(), "{change} is read");
        assert!(validator.check(&text).is_err(), "{change} passes the schema");
    }
}

/// Story: a schema that is stricter than the reader underlines a file in red that verifies.
#[test]
fn the_schema_passes_every_design_of_the_repository() {
    let validator = Validator::new(Draft::V7);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut waiting = vec![root.join("tests"), root.join("../../examples")];
    while let Some(directory) = waiting.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                let Ok(text) = std::fs::read_to_string(&path) else { continue };
                if DesignFile::parse(&text).is_ok() {
                    validator.check(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                }
            }
        }
    }
}
