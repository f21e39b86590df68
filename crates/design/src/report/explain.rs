//! What a rule is about, for the terminal: the texts of its page in the documentation.

use super::Layout;
use super::paragraph::wrap;
use crate::verify::{Rule, Severity, rules};

/// Everything that a rule's page says.
pub fn explain(rule: &Rule, layout: Layout) -> String {
    let Rule { code, name, title, severity, finds, hurts, example, instead, .. } = rule;
    let section = |heading: &str, text: &str| format!("\n\n{heading}\n{}", wrap(text, layout.width, 2));
    let example: String = example.lines().map(|line| format!("\n  {line}")).collect();
    let mut page = wrap(&format!("{code}: {title}"), layout.width, 0);
    page.push_str(&format!("\n{} ({name})", effect(*severity)));
    page.push_str(&section("What it finds", finds));
    page.push_str(&section("Why it hurts", hurts));
    page.push_str(&format!("\n\nExample\n{}", example.trim_start_matches('\n')));
    page.push_str(&section("Instead", instead));
    page
}

/// Every rule in a line: code, severity, title.
pub fn list_of_rules() -> String {
    let lines: Vec<String> =
        rules().map(|rule| format!("{}  {:<7}  {}", rule.code, rule.severity.name(), rule.title)).collect();
    lines.join("\n")
}

const fn effect(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "An error: a design with it does not verify.",
        Severity::Warning => "A warning: it is likely to hurt in production.",
        Severity::Advice => "Advice: there is a better or cheaper way.",
    }
}
