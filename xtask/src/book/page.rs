//! One Markdown page, read for what the checks need: its links, its headings, and whether it holds Rust code.

use std::fs;
use std::path::Path;

use crate::failure::{Attempt, Outcome};

/// A page by its path from the root, with `/`.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) name: String,
    pub(super) links: Vec<Link>,
    /// The anchors that its headings make.
    pub(super) anchors: Vec<String>,
    pub(super) has_rust_block: bool,
    /// The lines where a code block begins that does not say its language: rustdoc would take it for Rust.
    pub(super) blocks_without_language: Vec<usize>,
}

/// A link and its line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) line: usize,
    pub(super) target: String,
}

impl Page {
    /// Reads the page at `path`.
    pub(super) fn read(root: &Path, path: &Path) -> Outcome<Page> {
        let text = fs::read_to_string(path).attempt(&format!("reading {}", path.display()))?;
        let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        Ok(Page::parse(name, &text))
    }

    /// Finds what the checks need; code blocks hold no links and no headings.
    pub(super) fn parse(name: String, text: &str) -> Page {
        let mut page = Page {
            name,
            links: Vec::new(),
            anchors: Vec::new(),
            has_rust_block: false,
            blocks_without_language: Vec::new(),
        };
        let mut in_code = false;
        for (index, line) in text.lines().enumerate() {
            if let Some(fence) = line.trim_start().strip_prefix("```") {
                in_code = !in_code;
                page.has_rust_block |= in_code && fence.starts_with("rust");
                if in_code && fence.trim().is_empty() {
                    page.blocks_without_language.push(index + 1);
                }
            } else if !in_code {
                page.anchors.extend(heading(line).map(anchor));
                page.links.extend(targets(line).into_iter().map(|target| Link { line: index + 1, target }));
            }
        }
        page
    }
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    if (1..=6).contains(&level) { text.strip_prefix(' ').map(str::trim) } else { None }
}

/// The anchor that mdBook and GitHub give a heading.
fn anchor(heading: &str) -> String {
    heading
        .chars()
        .filter_map(|character| match character {
            ' ' => Some('-'),
            '-' | '_' => Some(character),
            _ if character.is_alphanumeric() => Some(character.to_ascii_lowercase()),
            _ => None,
        })
        .collect()
}

/// The targets of the inline links of a line, outside code spans.
fn targets(line: &str) -> Vec<String> {
    let outside_code: String =
        line.split('`').enumerate().filter(|(index, _)| index % 2 == 0).map(|(_, part)| part).collect();
    let mut rest = outside_code.as_str();
    let mut found = Vec::new();
    while let Some((_, after)) = rest.split_once("](") {
        let Some((target, after)) = after.split_once(')') else { break };
        found.push(target.split_whitespace().next().unwrap_or_default().to_owned());
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_code_are_text() {
        let page =
            Page::parse("a.md".to_owned(), "see [b](b.md) and `[c](c.md)`\n```rust\n// [d](d.md)\n```\n");
        assert_eq!(page.links, [Link { line: 1, target: "b.md".to_owned() }]);
        assert!(page.has_rust_block);
    }

    #[test]
    fn a_block_without_a_language_is_found_where_it_begins() {
        let page = Page::parse("a.md".to_owned(), "```sh\nls\n```\n\n```\nls\n```\n");
        assert_eq!(page.blocks_without_language, [5]);
    }

    #[test]
    fn a_link_whose_text_is_code_is_a_link() {
        let page = Page::parse("a.md".to_owned(), "the [`Engine`](engine.md#open \"a title\") opens");
        assert_eq!(page.links, [Link { line: 1, target: "engine.md#open".to_owned() }]);
    }

    #[test]
    fn a_heading_gets_the_anchor_that_readers_link_to() {
        let page = Page::parse("a.md".to_owned(), "## What `serve` prints, and where\n#not a heading\n");
        assert_eq!(page.anchors, ["what-serve-prints-and-where"]);
    }
}
