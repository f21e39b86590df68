//! Every rule has a design that breaks it and one that does not.
//!
//! `<CODE>-<name>/failing.toml` breaks the rule, and `failing.snap` beside it is what is then said. `passing.toml` is what a good
//! team would write instead: nothing is said of that rule, and there is no error of any other.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests stop at the first surprise"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use insta::{assert_snapshot, with_settings};
use keywright_design::verify::{Rule, Severity, rules, verify};
use keywright_design::{DesignFile, Problem, ProblemKind};

/// The rules that no file can break, and why. They hold at compile time, and the key crate's tests break them.
const NOT_IN_A_FILE: &[(&str, &str)] = &[
    ("KW0102", "what only a template names is an attribute by that: a text that every item has"),
    ("KW0201", "the entities of a table are those that name it: there is no list to be missing from"),
    ("KW0202", "the patterns of a table are those that read it"),
    ("KW0207", "every template of a table is parsed with the table's format"),
    ("KW0212", "TOML refuses a key that is there twice"),
    ("KW0213", "in a file it is KW0801, which can be accepted"),
    ("KW0215", "that an entity is a reservation is what programs say: in a file it is an entity"),
    ("KW0216", "in a file what items expire by is an attribute of the type `time-to-live`, which is seconds"),
    ("KW0309", "a value that is given has no type of its own in a file"),
    ("KW0316", "the conditions of programs are not in a file"),
    ("KW0317", "the updates of programs are not in a file"),
    ("KW0318", "the updates of programs are not in a file"),
    ("KW0319", "the updates of programs are not in a file"),
    ("KW0320", "the updates of programs are not in a file"),
    ("KW0321", "the updates of programs are not in a file"),
    ("KW0322", "the updates of programs are not in a file"),
    ("KW0323", "the updates of programs are not in a file"),
    ("KW0324", "the updates of programs are not in a file"),
    ("KW0325", "the updates of programs are not in a file"),
    ("KW0405", "in a file it follows from the deviations whose items a pattern finds"),
];

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/rules")
}

fn folder(rule: &Rule) -> String {
    format!("{}-{}", rule.code, rule.name)
}

fn is_in_files(rule: &Rule) -> bool {
    NOT_IN_A_FILE.iter().all(|(code, _)| *code != rule.code)
}

fn read(rule: &Rule, file: &str) -> String {
    let path = directory().join(folder(rule)).join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_rule_that_a_file_can_break_has_its_examples() {
    let mut expected: BTreeSet<String> = rules().filter(is_in_files).map(|rule| folder(&rule)).collect();
    for entry in fs::read_dir(directory()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            assert!(expected.remove(&name), "no rule, or none that a file can break, is called `{name}`");
        }
    }
    assert!(expected.is_empty(), "rules without examples: {expected:?}");
    for (code, why) in NOT_IN_A_FILE {
        assert!(rules().any(|rule| rule.code == *code), "{code} is no rule, so it needs no reason: {why}");
    }
}

#[test]
fn what_breaks_a_rule_is_told_so() {
    let all: Vec<(Rule, Vec<String>)> =
        rules().filter(is_in_files).map(|rule| (rule, said(&rule, &read(&rule, "failing.toml")))).collect();
    let kept: Vec<String> =
        all.iter().filter(|(_, said)| said.is_empty()).map(|(rule, _)| folder(rule)).collect();
    assert!(kept.is_empty(), "failing.toml does not break the rule of {kept:?}");
    for (rule, said) in all {
        with_settings!({
            snapshot_path => directory().join(folder(&rule)),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            assert_snapshot!("failing", said.join("\n"));
        });
    }
}

/// What is said of one rule, a line a finding.
fn said(rule: &Rule, text: &str) -> Vec<String> {
    let file = match DesignFile::parse(text) {
        Ok(file) => file,
        Err(problems) => {
            return problems.iter().filter(|problem| is_about(problem, rule)).map(problem_line).collect();
        }
    };
    let findings = verify(file.design()).into_iter().filter(|finding| finding.rule.code == rule.code);
    let lines = findings.map(|finding| {
        let line = file.position(&finding.place).line;
        let severity = rule.severity.name();
        format!("{severity} at {} (line {line}): {}", finding.place, finding.message)
    });
    lines.collect()
}

fn is_about(problem: &Problem, rule: &Rule) -> bool {
    problem.kind.code() == Some(rule.code)
}

fn problem_line(problem: &Problem) -> String {
    format!("error at byte {}: {}", problem.range.start, problem.message())
}

#[test]
fn what_a_good_team_would_write_passes() {
    let mut wrong = Vec::new();
    for rule in rules().filter(is_in_files) {
        let text = read(&rule, "passing.toml");
        let file =
            DesignFile::parse(&text).unwrap_or_else(|problems| panic!("{}: {problems:#?}", folder(&rule)));
        for finding in verify(file.design()) {
            if finding.rule.code == rule.code || finding.rule.severity == Severity::Error {
                wrong.push(format!(
                    "{}: {} at {}: {}",
                    folder(&rule),
                    finding.rule.code,
                    finding.place,
                    finding.message
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn examples_are_written_as_files_are() {
    let mut wrong = Vec::new();
    for rule in rules().filter(is_in_files) {
        let Err(problems) = DesignFile::parse(rule.example) else { continue };
        // An example shows a part of a file: what it leaves out is missing.
        let written =
            |problem: &&Problem| problem.kind != ProblemKind::MissingKey && !is_about(problem, &rule);
        for problem in problems.iter().filter(written) {
            wrong.push(format!("{}: {}\n{}\n", folder(&rule), problem.message(), rule.example));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn codes_and_names_are_unique_and_in_order() {
    let rules: Vec<Rule> = rules().collect();
    for pair in rules.windows(2) {
        assert!(pair[0].code < pair[1].code, "{} stands before {}", pair[0].code, pair[1].code);
    }
    let names: BTreeSet<&str> = rules.iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), rules.len(), "two rules have one name");
    for rule in &rules {
        let subject = &rule.code[..4];
        assert!(rule.code.len() == 6 && ("KW01"..="KW09").contains(&subject), "{}", rule.code);
        assert!(rule.code[4..].bytes().all(|byte| byte.is_ascii_digit()), "{}", rule.code);
        assert!(rule.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", rule.name);
    }
}

#[test]
fn every_rule_explains_itself() {
    for rule in rules() {
        for (what, text) in [("finds", rule.finds), ("hurts", rule.hurts), ("instead", rule.instead)] {
            assert!(text.ends_with('.'), "{}: `{what}` is no sentence: {text}", rule.code);
            assert!(!text.contains("  "), "{}: `{what}` has two spaces: {text}", rule.code);
        }
        assert!(!rule.title.ends_with('.') && !rule.title.is_empty(), "{}", rule.code);
    }
}
