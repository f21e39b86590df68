//! docs/design/README.md, followed to the letter: its design grows block by block, and what it shows is what is printed.

use crate::command::{Place, repository_text};

const PAGE: &str = "docs/design/README.md";

/// The sections of a design file, as they stand in it. A section that is written again replaces the earlier one.
#[derive(Default)]
struct Growing(Vec<(String, String)>);

impl Growing {
    fn write(&mut self, block: &str) {
        for (header, text) in sections(block) {
            let is_list = header.starts_with("[[");
            match self.0.iter_mut().find(|(known, _)| *known == header && !is_list) {
                Some((_, known)) => *known = text,
                None => self.0.push((header, text)),
            }
        }
    }

    fn text(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// A block's sections: the header of each, and its lines with it. What stands before the first has an empty header.
fn sections(block: &str) -> Vec<(String, String)> {
    let mut sections: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        if line.starts_with('[') || sections.is_empty() {
            let header = if line.starts_with('[') { line.split(" #").next().unwrap().trim() } else { "" };
            sections.push((header.to_owned(), String::new()));
        }
        let (_, text) = sections.last_mut().unwrap();
        text.push_str(line);
        text.push('\n');
    }
    sections
}

/// The fenced blocks of a page: the line of the fence, the language, the text.
fn blocks(page: &str) -> Vec<(usize, String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String, String)> = None;
    for (place, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => open = Some((place + 1, language.to_owned(), String::new())),
            (None, Some((_, _, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

#[test]
fn the_tutorial_prints_what_it_shows_and_ends_with_a_design_that_verifies() {
    let page = repository_text(PAGE);
    let (followed, _) = page.split_once("\n## 8.").unwrap();
    let place = Place::new();
    let mut design = Growing::default();
    let mut shown = 0;
    for (line, language, text) in blocks(followed) {
        match language.as_str() {
            "toml" => design.write(&text),
            "text" => {
                place.write("keywright.toml", design.text().as_bytes());
                let ended = place.design(&["check"]);
                assert!(
                    ended.out.contains(&text),
                    "{PAGE}:{line} shows\n{text}\nand this was printed:\n{}",
                    ended.out
                );
                shown += 1;
            }
            _ => {}
        }
    }
    assert!(shown >= 5, "{shown}");
    place.write("keywright.toml", design.text().as_bytes());
    let ended = place.design(&["check", "--deny", "advice"]);
    assert_eq!(ended.code, 0, "{}", ended.out);
}

#[test]
fn the_part_about_tenants_has_no_error_in_a_table() {
    let page = repository_text(PAGE);
    let (_, tenants) = page.split_once("\n## 8.").unwrap();
    let (_, _, text) = blocks(tenants).into_iter().find(|(_, language, _)| language == "toml").unwrap();
    let rest = "[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"\n\n[entity.share_token]\npartition_key = \
                \"SHARE#{token}\"\nsort_key = \"SHARE\"\nattributes = { organization_id = \"string\" }\n\n";
    let ended = Place::with_design(&format!("{rest}{text}")).design(&["check"]);
    assert_eq!(ended.code, 0, "{}", ended.out);
}
