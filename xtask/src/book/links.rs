//! Every link inside the project leads somewhere.

use std::path::{Component, Path, PathBuf};

use super::page::{Link, Page};

/// The links that lead nowhere, a line each.
pub(super) fn check(root: &Path, pages: &[Page]) -> Vec<String> {
    pages
        .iter()
        .flat_map(|page| page.links.iter().map(move |link| (page, link)))
        .filter_map(|(page, link)| check_link(root, pages, page, link))
        .collect()
}

fn check_link(root: &Path, pages: &[Page], page: &Page, link: &Link) -> Option<String> {
    if link.target.contains("://") || link.target.starts_with("mailto:") {
        return None;
    }
    let place = format!("{}:{}", page.name, link.line);
    let (file, anchor) = link.target.split_once('#').unwrap_or((&link.target, ""));
    let name = if file.is_empty() { page.name.clone() } else { join(&page.name, file) };
    if !root.join(&name).exists() {
        return Some(format!("{place}: `{}` leads to no file", link.target));
    }
    // The book is published without the rest of the repository.
    if page.name.starts_with("docs/") && !name.starts_with("docs/") {
        return Some(format!("{place}: `{}` leads out of the book", link.target));
    }
    let linked = pages.iter().find(|other| other.name == name);
    let lost =
        !anchor.is_empty() && linked.is_some_and(|linked| linked.anchors.iter().all(|known| known != anchor));
    lost.then(|| format!("{place}: `{}` leads to no heading", link.target))
}

/// The path that `relative` has, seen from the page `from`.
fn join(from: &str, relative: &str) -> String {
    let mut path = PathBuf::from(from);
    path.pop();
    for component in Path::new(relative).components() {
        match component {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            other => path.push(other),
        }
    }
    path.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A book of two pages, of which the first says `text`.
    fn findings(text: &str) -> Vec<String> {
        let root = tempfile::tempdir().expect("a directory");
        let second = "# Second page\n\n## A part\n";
        fs::create_dir_all(root.path().join("docs/deep")).expect("directories");
        fs::write(root.path().join("docs/first.md"), text).expect("a page");
        fs::write(root.path().join("docs/deep/second.md"), second).expect("a page");
        fs::write(root.path().join("outside.md"), "").expect("a page");
        let pages =
            [Page::parse("docs/first.md".into(), text), Page::parse("docs/deep/second.md".into(), second)];
        check(root.path(), &pages)
    }

    #[test]
    fn a_link_to_a_page_or_to_its_heading_resolves() {
        let text =
            "# First\n[a](deep/second.md) [b](deep/second.md#a-part) [c](#first) [d](https://example.com/x)";
        assert_eq!(findings(text), Vec::<String>::new());
    }

    #[test]
    fn a_link_to_nothing_is_found_with_its_line() {
        assert_eq!(findings("\n[a](gone.md)"), ["docs/first.md:2: `gone.md` leads to no file"]);
        assert_eq!(
            findings("[a](deep/second.md#part)"),
            ["docs/first.md:1: `deep/second.md#part` leads to no heading"]
        );
    }

    #[test]
    fn a_link_out_of_the_book_is_found() {
        assert_eq!(
            findings("[a](../outside.md)"),
            ["docs/first.md:1: `../outside.md` leads out of the book"]
        );
    }
}
