//! What a file can be that is no text of a design: each is refused in one line that says what to do.

use std::fs;

use crate::command::{Ended, Place, SOUND};

fn refused(ended: &Ended) -> &str {
    assert_eq!(ended.code, 2, "{}{}", ended.out, ended.err);
    assert_eq!(ended.out, "");
    assert_eq!(ended.err.lines().count(), 1, "{}", ended.err);
    ended.err.strip_prefix("keywright: ").unwrap()
}

#[test]
fn standard_input_is_read_for_a_dash() {
    let ended = Place::new().design_with(&["check", "-"], SOUND.as_bytes(), &[]);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    let ended = Place::new().design_with(&["check", "-"], b"[table.notes]\n", &[]);
    assert_eq!(ended.code, 1);
    assert!(ended.out.contains("--> standard input:1:1"), "{}", ended.out);
}

#[test]
fn a_missing_file_is_named() {
    let ended = Place::new().design(&["check"]);
    assert!(refused(&ended).starts_with("there is no file `keywright.toml` here"), "{}", ended.err);
}

#[test]
fn a_directory_is_refused_with_the_file_in_it() {
    let place = Place::new();
    fs::create_dir(place.path().join("app")).unwrap();
    let ended = place.design(&["check", "app"]);
    assert!(refused(&ended).contains("app/keywright.toml"), "{}", ended.err);
}

#[test]
fn an_empty_file_is_no_design() {
    let place = Place::new();
    for text in ["", " \n\n", "\u{feff}"] {
        place.write("keywright.toml", text.as_bytes());
        let ended = place.design(&["check"]);
        assert!(refused(&ended).starts_with("`keywright.toml` is empty"), "{}", ended.err);
    }
}

/// PowerShell redirects into UTF-16 with a byte order mark, which looks like text in every editor.
#[test]
fn text_in_another_encoding_is_refused_with_its_line() {
    let place = Place::new();
    let utf16: Vec<u8> = "\u{feff}[table.notes]\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    place.write("keywright.toml", &utf16);
    assert!(refused(&place.design(&["check"])).contains("is not UTF-8 in line 1"));
    place.write("keywright.toml", b"[table.notes]\n# caf\xe9\n");
    assert!(refused(&place.design(&["check"])).contains("is not UTF-8 in line 2"));
}

#[test]
fn a_byte_order_mark_does_not_matter() {
    let ended = Place::with_design(&format!("\u{feff}{SOUND}")).design(&["check"]);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
}

#[test]
fn windows_line_ends_do_not_matter() {
    let ended = Place::with_design(&SOUND.replace('\n', "\r\n")).design(&["check"]);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
}

#[test]
fn an_input_without_end_is_not_read_to_its_end() {
    let place = Place::new();
    place.write("large.toml", &vec![b'#'; 17 * 1024 * 1024]);
    let ended = place.design(&["check", "large.toml"]);
    assert!(refused(&ended).contains("is larger than 16 MB"), "{}", ended.err);
}

#[test]
fn an_unknown_level_is_a_wrong_command_line() {
    let ended = Place::with_design(SOUND).design(&["check", "--deny", "everything"]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("errors, warnings, advice"), "{}", ended.err);
}
