//! `keywright design explain CODE`: the page of a rule.

use keywright_design::report;
use keywright_design::verify;

use crate::exit::Exit;
use crate::terminal;

/// The command line of `design explain`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The rule's code, such as KW0203, or its name, such as same-key.
    #[arg(value_name = "CODE")]
    rule: Option<String>,
}

/// Prints what the rule is about, or all rules.
pub(crate) fn run(arguments: &Arguments) -> Exit {
    let Some(wanted) = &arguments.rule else {
        return super::print(&report::list_of_rules(), Exit::Done);
    };
    let is_wanted = |text: &str| text.eq_ignore_ascii_case(wanted);
    match verify::rules().find(|rule| is_wanted(rule.code) || is_wanted(rule.name)) {
        Some(rule) => super::print(&report::explain(&rule, terminal::layout()), Exit::Done),
        None => {
            crate::report::failure(&format!(
                "no rule is called `{wanted}`; `keywright design explain` lists them all"
            ));
            Exit::Usage
        }
    }
}
