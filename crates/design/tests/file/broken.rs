//! Files that are refused. Each is in `broken/`, beside what is printed: every problem says what to write instead.

use std::path::Path;

use keywright_design::DesignFile;
use keywright_design::report::{Layout, problem_snippet};

#[test]
fn each_broken_file_is_told_what_to_write_instead() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/file/broken");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&directory);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut count = 0;
    settings.bind(|| {
        for entry in std::fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let text = std::fs::read_to_string(&path).unwrap();
                let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
                insta::assert_snapshot!(name, printed(&text));
                count += 1;
            }
        }
    });
    assert!(count >= 40, "{count} broken files");
}

fn printed(text: &str) -> String {
    let Err(problems) = DesignFile::parse(text) else { return "This file is read.".to_owned() };
    let snippets: Vec<String> = problems
        .iter()
        .map(|problem| problem_snippet(problem, text, "keywright.toml", Layout::default()))
        .collect();
    snippets.join("\n\n")
}
