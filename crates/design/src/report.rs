//! Reports: what was found and what it costs, as text for people and as JSON for programs.
//!
//! Nothing here prints: a report is a text. Width and colour are the caller's, who knows where it will be read.

mod contents;
mod explain;
mod grid;
mod number;
mod paint;
mod paragraph;
mod request_line;
mod snippet;
mod table;

use self::contents::{Contents, ReportedFinding};
use self::paint::{Paint, Style};
use self::paragraph::wrap;
use crate::file::DesignFile;

pub use contents::Counts;
pub use explain::{explain, list_of_rules};
pub use snippet::{finding_snippet, problem_snippet};

/// What there is to say about the text of a design file: its problems or findings, its requests and costs.
///
/// ```
/// use keywright_design::report::{Layout, Report};
///
/// let report = Report::of("keywright.toml", "[table.app]\npartition_kye = \"pk\"\n");
/// assert!(report.counts().errors > 0);
/// assert!(report.text(Layout::default()).contains("write `partition_key`"));
/// ```
#[derive(Debug)]
pub struct Report {
    text: String,
    /// None if the text is no design.
    file: Option<DesignFile>,
    contents: Contents,
}

impl Report {
    /// The report on `text`, which the reader knows as `name`.
    pub fn of(name: &str, text: &str) -> Report {
        let (file, contents) = match DesignFile::parse(text) {
            Ok(file) => {
                let contents = Contents::of_design(name, &file);
                (Some(file), contents)
            }
            Err(problems) => (None, Contents::of_problems(name, text, problems)),
        };
        Report { text: text.to_owned(), file, contents }
    }

    /// How many errors, warnings, pieces of advice and accepted findings it has.
    pub const fn counts(&self) -> Counts {
        self.contents.counts
    }

    /// For people: what was found, then tables of requests and costs, and at last how many findings there are.
    pub fn text(&self, layout: Layout) -> String {
        let paint = Paint(layout.colour);
        let mut parts = self.problems(layout);
        parts.extend(self.findings(layout));
        parts.push(table::tables(&self.contents, layout.width, paint));
        parts.extend(self.accepted(layout));
        parts.push(self.summary(paint));
        parts.retain(|part| !part.is_empty());
        parts.join("\n\n")
    }

    /// For programs: one JSON object in one line. docs/design/check.md documents it.
    pub fn json(&self) -> String {
        match serde_json::to_string(&self.contents) {
            Ok(json) => json,
            Err(_) => unreachable!("`Contents` has no map with other keys than texts and writes to memory"),
        }
    }

    fn problems(&self, layout: Layout) -> Vec<String> {
        let Contents { file, problems, .. } = &self.contents;
        problems.iter().map(|reported| problem_snippet(&reported.problem, &self.text, file, layout)).collect()
    }

    fn findings(&self, layout: Layout) -> Vec<String> {
        let Some(file) = &self.file else { return Vec::new() };
        let open = self.contents.findings.iter().filter(|reported| reported.finding.accepted.is_none());
        open.map(|reported| finding_snippet(&reported.finding, file, &self.contents.file, layout)).collect()
    }

    /// The accepted findings, in a line each.
    fn accepted(&self, layout: Layout) -> Option<String> {
        let lines: Vec<String> = self
            .contents
            .findings
            .iter()
            .filter_map(|ReportedFinding { finding, .. }| {
                let reason = finding.accepted.as_ref()?;
                let line = format!("{} at {}: {reason}", finding.rule.code, finding.place);
                Some(wrap(&line, layout.width, 2))
            })
            .collect();
        let heading = Paint(layout.colour).with(Style::Heading, "Accepted");
        (!lines.is_empty()).then(|| format!("{heading}\n{}", lines.join("\n")))
    }

    fn summary(&self, paint: Paint) -> String {
        let Counts { errors, warnings, advice, accepted } = self.contents.counts;
        let plural = |count: usize, word: &str| {
            if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
        };
        let line = format!(
            "{}, {}, {advice} advice ({accepted} accepted)",
            plural(errors, "error"),
            plural(warnings, "warning"),
        );
        paint.with(if self.contents.verified { Style::Good } else { Style::Bad }, &line)
    }
}

/// How a report is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The columns that a line may take. Where a word or a path is longer, its line is.
    pub width: usize,
    /// Whether it may use colours.
    pub colour: Colour,
}

impl Default for Layout {
    /// 100 columns without colour: for files and pipes.
    fn default() -> Layout {
        Layout { width: 100, colour: Colour::Never }
    }
}

/// Whether a report uses colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// ANSI escape sequences, for a terminal.
    Ansi,
    /// Plain text.
    Never,
}
