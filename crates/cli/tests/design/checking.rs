//! Exit codes, and what the report says in each case.

use crate::command::{Place, SOUND, repository, with_error, with_warning};

#[test]
fn a_design_that_verifies_ends_with_0_and_its_costs() {
    let ended = Place::with_design(SOUND).design(&["check"]);
    assert_eq!(ended.code, 0, "{}", ended.out);
    assert_eq!(ended.err, "");
    assert!(ended.out.starts_with("Patterns\n"), "{}", ended.out);
    assert!(ended.out.ends_with("\n0 errors, 0 warnings, 0 advice (0 accepted)\n"), "{}", ended.out);
    let row = ended.out.lines().find(|line| line.starts_with("newest_notes")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    // 20 items of 500 bytes are three times 4 KB, half a unit each.
    assert_eq!(cells, ["newest_notes", "Query", "notes", "20", "1", "1.5", "0.3", "0.10"]);
    let condition = r#"pk = "USER#{user_id}" AND sk BETWEEN "NOTE" AND "NOTE$"; backwards; limit 20"#;
    assert!(ended.out.contains(condition), "{}", ended.out);
}

#[test]
fn an_error_in_the_design_ends_with_1_and_stands_at_its_place() {
    let ended = Place::with_design(&with_error()).design(&["check"]);
    assert_eq!(ended.code, 1);
    assert_eq!(ended.err, "");
    assert!(ended.out.starts_with("error[KW0301]"), "{}", ended.out);
    assert!(ended.out.contains("\n  --> keywright.toml:24:1\n"), "{}", ended.out);
    assert!(ended.out.contains("\nnewest_notes  no single request"), "{}", ended.out);
}

#[test]
fn a_file_that_is_no_design_ends_with_1_and_all_its_problems() {
    let broken = SOUND.replace("sort_key = \"sk\"", "sort_kye = \"sk\"").replace("\"ulid\"", "\"uulid\"");
    let ended = Place::with_design(&broken).design(&["check"]);
    assert_eq!(ended.code, 1);
    assert!(ended.out.contains("write `sort_key`"), "{}", ended.out);
    assert!(ended.out.contains("uulid"), "{}", ended.out);
    assert!(ended.out.ends_with("\n2 errors, 0 warnings, 0 advice (0 accepted)\n"), "{}", ended.out);
}

#[test]
fn warnings_fail_only_where_they_are_denied() {
    let place = Place::with_design(&with_warning());
    assert_eq!(place.design(&["check"]).code, 0);
    assert_eq!(place.design(&["check", "--deny", "errors"]).code, 0);
    assert_eq!(place.design(&["check", "--deny", "warnings"]).code, 1);
    assert_eq!(place.design(&["check", "--deny", "advice"]).code, 1);
}

#[test]
fn advice_fails_only_where_it_is_denied() {
    let text = SOUND.replace("tags = { team = \"notes\" }\n", "");
    let place = Place::with_design(&text);
    assert_eq!(place.design(&["check", "--deny", "warnings"]).code, 0);
    assert_eq!(place.design(&["check", "--deny", "advice"]).code, 1);
}

#[test]
fn an_accepted_finding_is_printed_with_its_reason_and_denied_by_nothing() {
    let exception = "\n[[exception]]\nrule = \"KW0510\"\nat = \"table.notes\"\nreason = \"a toy that nobody is woken for\"\n";
    let place = Place::with_design(&(with_warning() + exception));
    let ended = place.design(&["check", "--deny", "advice"]);
    assert_eq!(ended.code, 0, "{}", ended.out);
    assert!(ended.out.contains("KW0510 at table.notes: a toy that nobody is woken for"), "{}", ended.out);
    assert!(ended.out.ends_with("\n0 errors, 0 warnings, 0 advice (1 accepted)\n"), "{}", ended.out);
}

#[test]
fn lines_are_as_wide_as_columns_says_and_have_no_colour_in_a_pipe() {
    let place = Place::with_design(&with_error());
    let ended = place.design_with(&["check"], b"", &[("COLUMNS", "70")]);
    assert!(!ended.out.contains('\u{1b}'), "{}", ended.out);
    let text = ended.out.lines().filter(|line| line.starts_with("      ") || line.starts_with("   = "));
    let widest = text.map(|line| line.chars().count()).max().unwrap();
    assert!((40..=70).contains(&widest), "{widest}: {}", ended.out);
}

/// A report that was lost on a full disk must not look like a design that verifies.
#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_written_is_a_failure() {
    let place = Place::with_design(SOUND);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_keywright"))
        .args(["design", "check"])
        .current_dir(place.path())
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.starts_with("keywright: the report cannot be written: "), "{err}");
}

#[test]
fn nothing_in_a_file_reaches_the_terminal_as_a_command() {
    let hostile = "reason = \"\\u001b[2J\\u001b[H0 errors\"";
    let exception = format!("\n[[exception]]\nrule = \"KW0510\"\nat = \"table.notes\"\n{hostile}\n");
    let ended = Place::with_design(&(with_warning() + &exception)).design(&["check"]);
    assert!(ended.out.contains(r"\u{1b}[2J"), "{}", ended.out);
    assert!(!ended.out.contains('\u{1b}'), "{}", ended.out);
}

#[test]
fn the_examples_verify_with_every_warning_accepted() {
    for example in ["saas", "blog"] {
        let file = repository(&format!("examples/{example}/keywright.toml"));
        let ended = Place::new().design(&[
            "check".as_ref(),
            file.as_os_str(),
            "--deny".as_ref(),
            "warnings".as_ref(),
        ]);
        assert_eq!(ended.code, 0, "{example}: {}", ended.out);
    }
}
