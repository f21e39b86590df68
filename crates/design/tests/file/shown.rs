//! What is wrong, shown at its place.

use keywright_design::DesignFile;
use keywright_design::report::{Colour, Layout, finding_snippet, problem_snippet};
use keywright_design::verify::{Finding, verify};

const DESIGN: &str = include_str!("shown/leaks.toml");

fn finding(file: &DesignFile, code: &str) -> Finding {
    let findings = verify(file.design());
    findings.into_iter().find(|finding| finding.rule.code == code).unwrap_or_else(|| panic!("no {code}"))
}

fn shown(code: &str, layout: Layout) -> String {
    let file = DesignFile::parse(DESIGN).unwrap();
    finding_snippet(&finding(&file, code), &file, "keywright.toml", layout)
}

#[test]
fn a_finding_points_at_the_word_that_it_is_about() {
    insta::with_settings!({ snapshot_path => "shown", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("error", shown("KW0303", Layout::default()));
        insta::assert_snapshot!("accepted", shown("KW0312", Layout::default()));
        insta::assert_snapshot!("narrow", shown("KW0303", Layout { width: 60, colour: Colour::Never }));
    });
}

#[test]
fn colours_are_escape_sequences_around_the_same_words() {
    let coloured = shown("KW0303", Layout { colour: Colour::Ansi, ..Layout::default() });
    let plain = shown("KW0303", Layout::default());
    assert!(coloured.contains("\u{1b}[") && !plain.contains('\u{1b}'));
    let mut bare = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        bare.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    bare.push_str(rest);
    assert_eq!(bare, plain);
}

/// Story: the key of a file from the internet is a terminal's escape sequence.
#[test]
fn what_the_file_says_cannot_steer_the_terminal() {
    let text = "[table.app]\npartition_key = \"pk\"\n\"\\u001b]0;owned\\u0007\" = \"\u{202e}\"\nstream = \"\\u001b[2J\"\n";
    let problems = DesignFile::parse(text).unwrap_err();
    assert_eq!(problems.len(), 2, "{problems:#?}");
    for problem in &problems {
        let shown = problem_snippet(problem, text, "keywright.toml", Layout::default());
        assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{shown:?}");
    }
}
