//! An application of two crates: entities in one, access patterns in another.
//!
//! Unlike a test within one crate it shows that rules hold across crates, and under `cargo check`, which generates no code.
#![allow(clippy::unwrap_used, reason = "a test: what fails shows itself")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What each feature breaks: in which crate, by which rule, and where.
const BROKEN: &[(&str, &str, &str, &str)] = &[
    ("model", "tenant_missing", "KW0401", "\"TEAM#{team_id}\", sort_key"),
    ("model", "same_key", "KW0203", "\"TEAM#{team_id}#MEMBER#{user_id}\""),
    ("model", "entity_not_listed", "KW0201", "#[entity(table = App"),
    ("service", "pattern_not_listed", "KW0202", "listed_in = Service"),
    ("service", "component_type", "this component is `u64` in the entity", "pub team_id: String"),
    ("service", "entity_not_named", "KW0308", "returns(Team, Member), sort_key_starts_with"),
    ("service", "sort_key_boundary", "KW0303", "\"TEAM#{team_id}#MEM\""),
    ("service", "not_projected", "KW0306", "index = ByUser, returns(Member)"),
    ("service", "consistent_read", "KW0307", "consistency = strong"),
    ("service", "key_changed", "KW0318", "team_id: u64"),
    ("service", "partition_key_given", "KW0301", "returns(Member as Membership)"),
];

#[test]
fn an_application_of_two_crates_compiles_and_each_way_of_breaking_it_does_not() {
    let application = Application::write();
    let whole = application.check(&[]);
    let said = String::from_utf8_lossy(&whole.stderr);
    assert!(whole.status.success(), "the application as it is: {said}");
    assert!(!said.contains("warning"), "the application as it is: {said}");

    for (package, feature, message, place) in BROKEN {
        let broken = application.check(&["--features", &format!("{package}/{feature}")]);
        let said = String::from_utf8_lossy(&broken.stderr);
        assert!(!broken.status.success(), "{feature} compiles");
        assert!(said.contains(message), "{feature} does not say {message}: {said}");
        assert!(said.contains(place), "{feature} does not show {place}: {said}");
        assert!(said.contains(&format!("{package}/src/lib.rs")), "{feature} is not in {package}: {said}");
    }
}

/// The application, written where cargo builds things.
struct Application {
    directory: PathBuf,
}

impl Application {
    fn write() -> Application {
        let derive = Path::new(env!("CARGO_MANIFEST_DIR"));
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("two-crates");
        let workspace = "[workspace]\nresolver = \"3\"\nmembers = [\"model\", \"service\"]\n";
        write(&directory.join("Cargo.toml"), workspace);
        // The versions that everything else is built with, so that nothing is looked up.
        let lock = fs::read_to_string(derive.join("../../Cargo.lock")).unwrap();
        write(&directory.join("Cargo.lock"), &lock);
        for (package, dependencies) in [("model", ""), ("service", "model = { path = \"../model\" }\n")] {
            let features: String = BROKEN
                .iter()
                .filter(|(of, ..)| *of == package)
                .map(|(_, feature, ..)| format!("{feature} = []\n"))
                .collect();
            let manifest = format!(
                "[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
                 [features]\n{features}\n[dependencies]\nkeywright-derive = {{ path = {derive:?} }}\n\
                 keywright-key = {{ path = {key:?} }}\n{dependencies}",
                key = derive.join("../key"),
            );
            write(&directory.join(package).join("Cargo.toml"), &manifest);
            let source = fs::read_to_string(derive.join(format!("tests/application/{package}.rs"))).unwrap();
            write(&directory.join(package).join("src/lib.rs"), &source);
        }
        Application { directory }
    }

    fn check(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO"))
            .args(["check", "--offline", "--quiet", "--workspace"])
            .args(arguments)
            .current_dir(&self.directory)
            .env("CARGO_TARGET_DIR", self.directory.join("target"))
            .env("CARGO_TERM_COLOR", "never")
            .output()
            .unwrap()
    }
}

/// Writes what is not there like this already, so that cargo builds no more than has changed.
fn write(path: &Path, contents: &str) {
    if fs::read_to_string(path).is_ok_and(|found| found == contents) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, contents).unwrap();
}
