//! What is wrong, shown at its place in the file, as the Rust compiler shows it.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};

use super::paragraph::wrap;
use super::{Colour, Layout};
use crate::file::{DesignFile, Problem};
use crate::verify::{Finding, Severity};

/// The columns that stand before a note.
const BEFORE_NOTES: usize = 16;
/// The narrowest note: below that, lines of one word hide what is said.
const NARROWEST_NOTE: usize = 40;

/// A problem of a text that is no design. `path` is what the user calls the file.
///
/// ```
/// use keywright_design::DesignFile;
/// use keywright_design::report::{Layout, problem_snippet};
///
/// let text = "[table.app]\npartition_key = 5\n";
/// let problems = DesignFile::parse(text).unwrap_err();
/// let shown = problem_snippet(&problems[0], text, "keywright.toml", Layout::default());
/// assert!(shown.starts_with("error: `partition_key` cannot be the number `5`\n --> keywright.toml:2:17"), "{shown}");
/// ```
pub fn problem_snippet(problem: &Problem, text: &str, path: &str, layout: Layout) -> String {
    let title = match problem.kind.code() {
        Some(code) => Level::ERROR.primary_title(&problem.wrong).id(code),
        None => Level::ERROR.primary_title(&problem.wrong),
    };
    let help = note(&problem.instead, layout);
    let shown = Shown::of(text, problem.range.clone());
    let group = title.element(shown.snippet(path)).element(Level::HELP.message(help));
    render(group, layout)
}

/// A finding at its place in the file. `path` is what the user calls the file.
pub fn finding_snippet(finding: &Finding, file: &DesignFile, path: &str, layout: Layout) -> String {
    let level = match (&finding.accepted, finding.rule.severity) {
        (Some(_), _) => Level::INFO.with_name("accepted"),
        (None, Severity::Error) => Level::ERROR,
        (None, Severity::Warning) => Level::WARNING,
        (None, Severity::Advice) => Level::HELP.with_name("advice"),
    };
    let shown = Shown::of(file.text(), file.range(&finding.place));
    let mut group = level
        .primary_title(finding.rule.title)
        .id(finding.rule.code)
        .element(shown.snippet(path))
        .element(Level::NOTE.no_name().message(note(&finding.message, layout)));
    if let Some(reason) = &finding.accepted {
        group = group.element(Level::NOTE.with_name("accepted").message(note(reason, layout)));
    }
    render(group, layout)
}

fn note(text: &str, layout: Layout) -> String {
    wrap(text, layout.width.saturating_sub(BEFORE_NOTES).max(NARROWEST_NOTE), 0)
}

fn render(group: Group<'_>, layout: Layout) -> String {
    let renderer = match layout.colour {
        Colour::Ansi => Renderer::styled(),
        Colour::Never => Renderer::plain(),
    };
    renderer.decor_style(DecorStyle::Ascii).term_width(layout.width).render(&[group])
}

/// The lines that a snippet shows: of a large file only those are looked at.
struct Shown<'t> {
    lines: &'t str,
    first_line: usize,
    range: Range<usize>,
}

impl<'t> Shown<'t> {
    fn of(text: &'t str, range: Range<usize>) -> Shown<'t> {
        let start = floor(text, range.start);
        let end = floor(text, range.end).max(start);
        let (before, from_start) = text.split_at(start);
        let line_start = before.rfind('\n').map_or(0, |place| place + 1);
        let (within, after) = from_start.split_at(end - start);
        let line_end = start + within.len() + after.find('\n').unwrap_or(after.len());
        Shown {
            lines: text.get(line_start..line_end).unwrap_or_default(),
            first_line: 1 + before.bytes().filter(|byte| *byte == b'\n').count(),
            range: start - line_start..end - line_start,
        }
    }

    fn snippet(&self, path: &'t str) -> Element<'t> {
        Snippet::source(self.lines)
            .line_start(self.first_line)
            .path(path)
            .annotation(AnnotationKind::Primary.span(self.range.clone()))
            .into()
    }
}

/// The last place at or before `place` between two characters.
fn floor(text: &str, place: usize) -> usize {
    (0..=place.min(text.len())).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0)
}
