//! The reference page: what it shows is read as it stands.

use keywright_design::DesignFile;
use keywright_design::verify::{Severity, verify};

fn first_block(page: &str) -> &str {
    let (_, rest) = page.split_once("```toml\n").unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn the_design_at_the_top_verifies() {
    let page = DesignFile::reference_page();
    let file = DesignFile::parse(first_block(&page)).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let hurts: Vec<String> = verify(file.design())
        .into_iter()
        .filter(|finding| finding.rule.severity != Severity::Advice)
        .map(|finding| format!("{} {}: {}", finding.rule.code, finding.place, finding.message))
        .collect();
    assert!(hurts.is_empty(), "{hurts:#?}");
}

/// Story: an example in the reference that its own reader refuses costs a reader the trust in all others.
#[test]
fn every_line_of_the_examples_is_read_where_the_page_shows_it() {
    let page = DesignFile::reference_page();
    let around = [
        ("## `[table.NAME]`", "[table.app]\npartition_key = \"pk\"\n", "table"),
        (
            "## `[table.NAME.index.NAME]`",
            "[table.app]\npartition_key = \"pk\"\n[table.app.index.by_user]\n",
            "index",
        ),
        ("## `[tenancy]`", "[table.app]\npartition_key = \"pk\"\n[tenancy]\n", "tenancy"),
        ("## `[entity.NAME]`", "[table.app]\npartition_key = \"pk\"\n[entity.member]\n", "entity"),
        ("## `[pattern.NAME]`", "[table.app]\npartition_key = \"pk\"\n[pattern.members]\n", "pattern"),
        ("## `[write.NAME]`", "[table.app]\npartition_key = \"pk\"\n[write.accept]\n", "write"),
        ("## `[consumer.NAME]`", "[table.app]\npartition_key = \"pk\"\n[consumer.search]\n", "consumer"),
    ];
    for (heading, before, called) in around {
        let (_, section) = page.split_once(&format!("{heading}\n")).unwrap_or_else(|| panic!("no {heading}"));
        let mut lines = 0;
        for line in first_block(section).lines().filter(|line| line.contains(" = ") && !line.starts_with('['))
        {
            let text = format!("{before}{line}\n");
            // Other keys may be missing; the line itself must be right.
            let place = before.lines().count() + 1;
            for problem in DesignFile::parse(&text).err().into_iter().flatten() {
                let line_of_problem = text[..problem.range.start].lines().count().max(1);
                let is_at_line = problem.range.start > 0
                    && line_of_problem == place
                    && !text[problem.range.start..].starts_with('[');
                let is_twice = problem.wrong.contains("already");
                assert!(!is_at_line || is_twice, "{called}: {line}\n{problem}");
            }
            lines += 1;
        }
        assert!(lines > 0, "{called}");
    }
}
