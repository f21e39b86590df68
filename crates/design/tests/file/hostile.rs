//! Texts that nobody writes on purpose: whatever the text, reading it ends, in a design or in problems that lie within it.

use keywright_design::report::{Layout, problem_snippet};
use keywright_design::{DesignFile, Place};
use proptest::prelude::*;

const WHOLE: &str = include_str!("valid/every-form.toml");

/// Reads a text; what is said of it must lie within it, and can be shown.
fn read(text: &str) -> Result<DesignFile, usize> {
    match DesignFile::parse(text) {
        Ok(file) => Ok(file),
        Err(problems) => {
            assert!(!problems.is_empty() && problems.len() <= 1000);
            for problem in &problems {
                let range = problem.range.clone();
                assert!(range.start <= range.end && range.end <= text.len(), "{problem:?}");
                assert!(!problem.wrong.is_empty() && !problem.instead.is_empty(), "{problem:?}");
            }
            for problem in problems.iter().take(5) {
                problem_snippet(problem, text, "keywright.toml", Layout::default());
            }
            Err(problems.len())
        }
    }
}

#[test]
fn large_and_deep_texts_end_in_problems() {
    let megabyte = 1 << 20;
    let texts = [
        "a".repeat(megabyte),
        "a = 1\n".repeat(megabyte / 6),
        "[".repeat(megabyte),
        format!("a = {}", "[".repeat(megabyte)),
        format!("a = {}", "{a=".repeat(megabyte / 3)),
        format!("{}a = 1", "a.".repeat(megabyte / 2)),
        format!("[{}a]", "a.".repeat(megabyte / 2)),
        format!("region = \"{}\"", "x".repeat(megabyte)),
        format!("region = {}", "9".repeat(megabyte)),
        format!("table = [{}]", "1,".repeat(megabyte / 2)),
        format!("table = {{ {} }}", "a=1,".repeat(megabyte / 4)),
        format!("[table.app]\npartition_key = \"{}\"", "{".repeat(megabyte)),
        "\0".repeat(megabyte),
        "\u{feff}".repeat(megabyte / 3),
        "\r".repeat(megabyte),
        "\"\"\"".repeat(megabyte / 3),
    ];
    for text in texts {
        assert!(read(&text).is_err(), "{:.20}…", text);
    }
}

#[test]
fn many_unknown_keys_are_cut_to_a_thousand_problems() {
    let keys: String = (0..100_000).map(|number| format!("key{number} = 1\n")).collect();
    assert_eq!(read(&keys).unwrap_err(), 1000);
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_change_nothing_but_places() {
    let plain = read(WHOLE).unwrap();
    let windows = read(&format!("\u{feff}{}", WHOLE.replace('\n', "\r\n"))).unwrap();
    assert_eq!(windows.design(), plain.design());
    for place in [Place::tenancy(), Place::pattern(&plain.design().patterns[3].name).member("sort_key")] {
        assert_eq!(windows.position(&place), plain.position(&place), "{place}");
    }
}

/// A cut or an insertion somewhere in the file with every form.
fn mutated() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "\"",
        "'",
        "[",
        "]",
        "{",
        "}",
        "=",
        ",",
        ".",
        "#",
        "\n",
        "\0",
        "\\",
        "\u{e9}",
        "1",
        "-",
        "true",
        "{}",
        "[]",
        "[[",
        "99999999999999999999",
        "1e400",
        "nan",
        "\"?\"",
        "\"\"\"",
        "{ a = 1 }",
    ]);
    let change = (0.0..1.0_f64, 0..12_usize, pieces);
    prop::collection::vec(change, 1..4).prop_map(|changes| {
        let mut text: Vec<char> = WHOLE.chars().collect();
        for (share, removed, inserted) in changes {
            let start = (share * text.len() as f64) as usize;
            let end = (start + removed).min(text.len());
            text.splice(start..end, inserted.chars());
        }
        text.into_iter().collect()
    })
}

/// A text whose values were exchanged for others of the file, so that the TOML is right and the design is not.
fn exchanged() -> impl Strategy<Value = String> {
    let values = prop::sample::select(vec![
        "true",
        "false",
        "0",
        "-1",
        "1.5",
        "\"\"",
        "\"x\"",
        "\"{a\"",
        "[]",
        "[1]",
        "[\"a\", \"a\"]",
        "{}",
        "{ a = 1 }",
        "[{}]",
        "{ entity = \"a\" }",
        "{ range = \"{a}\" }",
        "{ name = \"a\" }",
        "2026-05-01",
        "18446744073709551616",
        "inf",
    ]);
    let change = (0..10_000_usize, values);
    prop::collection::vec(change, 1..6).prop_map(|changes| {
        let mut lines: Vec<String> = WHOLE.lines().map(str::to_owned).collect();
        for (number, value) in changes {
            let place = number % lines.len();
            if let Some((key, _)) = lines[place].split_once(" = ").filter(|(key, _)| !key.contains('{')) {
                lines[place] = format!("{key} = {value}");
            }
        }
        lines.join("\n")
    })
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = read(&text);
    }

    #[test]
    fn any_toml_like_text_is_read_or_refused(
        text in "([a-z]{1,3}( = |\\.|=)|\"[a-z{}#]{0,4}\"|\\[\\[?(table|entity|pattern)\\.[a-z]{1,3}\\]|[0-9]{1,3}|[\\[\\]{},\\n]){0,60}",
    ) {
        let _ = read(&text);
    }

    #[test]
    fn a_valid_file_with_changes_is_read_or_refused(text in mutated()) {
        let _ = read(&text);
    }

    #[test]
    fn a_valid_file_with_other_values_keeps_every_section_or_is_refused(text in exchanged()) {
        if let Ok(file) = read(&text) {
            let count = |header: &str| text.lines().filter(|line| line.starts_with(header) && !line.contains(".index.")).count();
            let design = file.design();
            prop_assert_eq!(design.tables.len(), count("[table."));
            prop_assert_eq!(design.tables.iter().map(|table| table.indexes.len()).sum::<usize>(), 4);
            prop_assert_eq!(design.entities.len(), count("[entity."));
            prop_assert_eq!(design.patterns.len(), count("[pattern."));
            prop_assert_eq!(design.writes.len(), count("[write."));
            prop_assert_eq!(design.consumers.len(), count("[consumer."));
            prop_assert_eq!(design.exceptions.len(), count("[[exception"));
        }
    }
}
