//! Where derives find the key crate in a package that has it only through the data layer, under whatever name.
#![allow(clippy::unwrap_used, reason = "a test: what fails shows itself")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// As much of the data layer as matters here.
const DATA_LAYER: &str = "pub use keywright_derive::{AccessPattern, Condition, Entity, Projection, Table, Update};\n\
                          pub use keywright_key as key;\n";

/// An application that knows the data layer as `storage`.
const APPLICATION: &str = r##"
use storage::{AccessPattern, Condition, Entity, Projection, Table, Update};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Team), patterns(TeamName))]
pub struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
pub struct Team {
    pub organization_id: String,
    pub team_id: u64,
    pub name: String,
}

#[derive(Projection)]
#[projection(of = Team)]
pub struct Name {
    pub name: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(Team as Name), sort_key_equals = "TEAM#{team_id}")]
pub struct TeamName {
    pub team_id: u64,
}

#[derive(Update)]
#[update(table = App, of = Team)]
pub struct Rename {
    pub name: String,
}

#[derive(Condition)]
#[condition(table = App, of = Team, name = name)]
pub struct IsCalled {
    pub name: String,
}
"##;

#[test]
fn a_package_that_has_only_the_data_layer_finds_the_key_crate_in_it() {
    let derive = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("data-layer");
    let package = |name: &str, dependencies: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}"
        )
    };
    let dependencies = format!(
        "keywright-derive = {{ path = {derive:?} }}\nkeywright-key = {{ path = {key:?} }}\n",
        key = derive.join("../key")
    );
    let files = [
        (
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\nmembers = [\"keywright\", \"application\"]\n".to_owned(),
        ),
        // The versions that everything else is built with, so that nothing is looked up.
        ("Cargo.lock", fs::read_to_string(derive.join("../../Cargo.lock")).unwrap()),
        ("keywright/Cargo.toml", package("keywright", &dependencies)),
        ("keywright/src/lib.rs", DATA_LAYER.to_owned()),
        (
            "application/Cargo.toml",
            package("application", "storage = { package = \"keywright\", path = \"../keywright\" }\n"),
        ),
        ("application/src/lib.rs", APPLICATION.to_owned()),
    ];
    for (file, contents) in files {
        let path = directory.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    let checked = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--quiet", "--workspace"])
        .current_dir(&directory)
        .env("CARGO_TARGET_DIR", directory.join("target"))
        .env("CARGO_TERM_COLOR", "never")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success() && said.is_empty(), "{said}");
}
