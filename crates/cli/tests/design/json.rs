//! `--format json`: one object in one line, whose members docs/design/check.md documents.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::command::{Ended, Place, SOUND, repository, repository_text, with_error, with_warning};

fn object(ended: &Ended) -> Value {
    assert_eq!(ended.out.lines().count(), 1, "{}", ended.out);
    serde_json::from_str(&ended.out).unwrap()
}

#[test]
fn everything_of_a_sound_design_is_there() {
    let ended = Place::with_design(SOUND).design(&["check", "--format", "json"]);
    assert_eq!(ended.code, 0);
    let report = object(&ended);
    assert_eq!(report["schema"], 1);
    assert_eq!(report["file"], "keywright.toml");
    assert_eq!(report["verified"], true);
    assert_eq!(report["findings"], Value::Array(Vec::new()));
    let pattern = &report["patterns"][0];
    assert_eq!(pattern["name"], "newest_notes");
    assert_eq!(pattern["request"]["operation"], "Query");
    assert_eq!(pattern["request"]["key_condition"], "#pk = :pk AND #sk BETWEEN :low AND :high");
    assert_eq!(pattern["request"]["values"][":low"], "NOTE");
    assert_eq!(pattern["units_per_call"], 1.5);
    assert_eq!(report["entities"][0]["item_bytes"], 500);
    assert_eq!(report["tables"][0]["billing"], "on-demand");
    assert!(report["total"]["as_designed"].as_f64().unwrap() > 0.0);
    assert_eq!(report["prices"]["region"], "us-east-1");
}

#[test]
fn a_finding_has_its_code_severity_and_place() {
    let ended = Place::with_design(&with_error()).design(&["check", "--format", "json"]);
    assert_eq!(ended.code, 1);
    let report = object(&ended);
    assert_eq!(report["verified"], false);
    let finding = &report["findings"][0];
    assert_eq!(finding["code"], "KW0301");
    assert_eq!(finding["rule"], "partition-key-given");
    assert_eq!(finding["severity"], "error");
    // The part of the pattern that is missing: the finding stands at what the file has around it.
    assert!(finding["place"].as_str().unwrap().starts_with("pattern.newest_notes"), "{finding}");
    assert_eq!((&finding["line"], &finding["column"]), (&24.into(), &1.into()));
    assert_eq!(finding["accepted"], Value::Null);
    assert_eq!(report["patterns"][0]["request"], Value::Null);
}

#[test]
fn an_accepted_finding_has_its_reason() {
    let exception = "\n[[exception]]\nrule = \"KW0510\"\nat = \"table.notes\"\nreason = \"a toy\"\n";
    let ended = Place::with_design(&(with_warning() + exception)).design(&["check", "--format", "json"]);
    let report = object(&ended);
    assert_eq!(report["counts"]["accepted"], 1);
    assert_eq!(report["findings"][0]["accepted"], "a toy");
}

#[test]
fn a_file_that_is_no_design_has_problems_and_nothing_else() {
    let ended =
        Place::with_design("[table.notes]\npartition_kye = \"pk\"\n").design(&["check", "--format", "json"]);
    assert_eq!(ended.code, 1);
    let report = object(&ended);
    assert_eq!(report["verified"], false);
    let problem = report["problems"]
        .as_array()
        .unwrap()
        .iter()
        .find(|problem| problem["kind"] == "unknown-key")
        .unwrap();
    assert_eq!((&problem["line"], &problem["column"]), (&2.into(), &1.into()));
    assert!(problem["instead"].as_str().unwrap().contains("`partition_key`"));
    assert_eq!(report["total"], Value::Null);
}

#[test]
fn what_is_not_known_says_what_is_missing() {
    let text = SOUND.replace("average_size_bytes = 500\n", "");
    let ended = Place::with_design(&text).design(&["check", "--format", "json"]);
    let units = &object(&ended)["patterns"][0]["units_per_call"];
    assert_eq!(units["unknown"][0], "`entity.note.average_size_bytes` is not given");
}

#[test]
fn every_member_is_documented() {
    let example = repository("examples/saas/keywright.toml");
    let ended =
        Place::new().design(&["check".as_ref(), example.as_os_str(), "--format".as_ref(), "json".as_ref()]);
    let mut members = BTreeSet::new();
    collect(&object(&ended), &mut members);
    let page = repository_text("docs/design/check.md");
    let missing: Vec<&String> = members
        .iter()
        .filter(|member| !page.contains(&format!("`{member}`")) && !page.contains(&format!("\"{member}\":")))
        .collect();
    assert_eq!(missing, Vec::<&String>::new());
}

/// The names of members, but for those that the design chooses.
fn collect(value: &Value, members: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                members.insert(name.clone());
                if !["names", "values", "key"].contains(&name.as_str()) {
                    collect(value, members);
                }
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| collect(element, members)),
        _ => {}
    }
}
