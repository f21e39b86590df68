//! KW0823: a stream carries what its consumers need.

use crate::facts::Facts;
use crate::model::{ImagesNeeded, StreamView};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0823",
    name: "image-missing",
    title: "A consumer that needs what its stream does not carry",
    severity: Severity::Error,
    finds: "A consumer that needs the new or the old image of an item, of a stream whose view leaves it out.",
    hurts: "The records come without it. Reading the item instead finds what it is by then, not what it was; of a deleted one nothing \
            is left ([StreamViewType](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_StreamSpecification.html)).",
    example: "[table.app]\nstream = \"new-image\"\n\n[consumer.search]\ntable = \"app\"\nneeds = \"both-images\"",
    instead: "Say `stream = \"new-and-old-images\"`: it costs nothing more.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for consumer in &facts.design().consumers {
        let Some(table) = facts.table(&consumer.table) else { continue };
        // Without a stream another rule reports that.
        let Some(view) = table.stream.chosen() else { continue };
        let (has_new, has_old) = match view {
            StreamView::KeysOnly => (false, false),
            StreamView::NewImage => (true, false),
            StreamView::OldImage => (false, true),
            StreamView::NewAndOldImages => (true, true),
        };
        let missing = match consumer.needs {
            ImagesNeeded::New | ImagesNeeded::Both if !has_new => "as they are",
            ImagesNeeded::Old | ImagesNeeded::Both if !has_old => "as they were",
            ImagesNeeded::Keys | ImagesNeeded::New | ImagesNeeded::Old | ImagesNeeded::Both => continue,
        };
        findings.report(
            Place::consumer(&consumer.name).member("needs"),
            format!(
                "`{}` needs items {missing}, and the stream of `{}` does not carry that. Say `stream = \
                 \"new-and-old-images\"` there.",
                consumer.name, table.name
            ),
        );
    }
}
