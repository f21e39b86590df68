//! What can be wrong in a template's text, and what to write instead.

use crate::message::Message;
use crate::rule::template_text::RULE;
use crate::text;

/// What is wrong in a template's text, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateError {
    place: usize,
    problem: TemplateProblem,
}

/// What is wrong in a template's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateProblem {
    /// There is no text; DynamoDB has no empty keys.
    Empty,
    /// The text has more than 1,024 bytes.
    TooLong,
    /// There are more than 16 segments.
    TooManySegments,
    /// `{` has no `}`.
    UnclosedBrace,
    /// `}` has no `{`.
    UnopenedBrace,
    /// A `{` within braces.
    NestedBrace,
    /// `${field}`, as in JavaScript.
    DollarBeforeBrace,
    /// `{}`.
    NoName,
    /// A name holds something else than letters, digits, `_` and `-`.
    NameByte,
    /// What follows the colon is no modifier.
    UnknownModifier,
    /// `{one}{other}`: nothing says where the first ends.
    AdjacentComponents,
    /// `{one}text`: a value may hold the text, so nothing says where it ends.
    TextAfterComponent,
    /// A literal holds a byte that sorts where only the end of a component may.
    LiteralByte,
    /// A field fills two components.
    NamedTwice,
}

impl TemplateError {
    pub(super) const fn new(place: usize, problem: TemplateProblem) -> TemplateError {
        TemplateError { place, problem }
    }

    /// Where it is: a byte of the text, counted from 0.
    #[must_use]
    pub const fn place(self) -> usize {
        self.place
    }

    /// What it is.
    #[must_use]
    pub const fn problem(self) -> TemplateProblem {
        self.problem
    }

    /// What is wrong in `text` and what to write, `text` being what was parsed.
    #[must_use]
    pub const fn message(self, text: &str) -> Message {
        let character = text::characters_before(text.as_bytes(), self.place) + 1;
        let message = Message::new(&RULE)
            .say("the key template ")
            .quote(text)
            .say(" cannot be read at character ")
            .number(character)
            .say(": ");
        let component = component_at(text, self.place);
        match self.problem {
            TemplateProblem::Empty => message
                .say("it is empty, and DynamoDB has no empty keys. Write literal text and components, such as ")
                .say("`TEAM#{team_id}`."),
            TemplateProblem::TooLong => message
                .say("it has more than 1,024 bytes, which no sort key can hold. Shorten the literal text."),
            TemplateProblem::TooManySegments => message
                .say("it has more than 16 segments. Leave out the ones that no access pattern selects by."),
            TemplateProblem::UnclosedBrace => {
                message.say("this `{` has no `}`. Close it after the field's name: `{field}`.")
            }
            TemplateProblem::UnopenedBrace => message.say(
                "this `}` has no `{`. Open it before the field's name: `{field}`; a brace cannot be literal text.",
            ),
            TemplateProblem::NestedBrace => message.say(
                "this `{` stands inside another component. Close the first one, and put the delimiter between them: \
                 `{one}#{other}`.",
            ),
            TemplateProblem::DollarBeforeBrace => message
                .say("a template is no JavaScript string. Leave the `$` out: write `")
                .say(component)
                .say("`."),
            TemplateProblem::NoName => {
                message.say("`{}` names no field. Write the name of the attribute between the braces: `{field}`.")
            }
            TemplateProblem::NameByte => message
                .say("a field's name has letters, digits, `_` and `-`. Write `{field}`, or `{field:modifier}`."),
            TemplateProblem::UnknownModifier => message.say(
                "there is no such modifier. Write `raw`, a width from 1 to 20, `upper`, `lower`, or a timestamp's \
                 format: `seconds`, `milliseconds`, `microseconds`, `nanoseconds`, `date`, `unix-seconds`, \
                 `unix-milliseconds`.",
            ),
            TemplateProblem::AdjacentComponents => message.say(
                "nothing says where the component before ends, so two pairs of values would write one key. Put the \
                 delimiter between them: `{one}#{other}`.",
            ),
            TemplateProblem::TextAfterComponent => message.say(
                "a component ends at the delimiter or at the end of the key, since its value may hold any other \
                 text. Put the delimiter after it; if the table's keys are joined by another one, declare that \
                 delimiter for the table.",
            ),
            TemplateProblem::LiteralByte => message.say(
                "literal text cannot hold this: with an ordering delimiter (from `!` to `+`) nothing at or below the \
                 character after the delimiter, since a range that ends there would not be exact; with the others no \
                 control character. Use letters, digits, `-`, `.`, `:` or `_`.",
            ),
            TemplateProblem::NamedTwice => message
                .name(component)
                .say(" is in the template already, and a second time it tells nothing apart. Leave it out."),
        }
    }
}

/// The component around or after `place`, with its braces; empty if there is none.
const fn component_at(text: &str, place: usize) -> &str {
    let bytes = text.as_bytes();
    let mut start = place;
    while start > 0 && !matches!(text::byte_at(bytes, start), Some(b'{') | None) {
        start -= 1;
    }
    if !matches!(text::byte_at(bytes, start), Some(b'{')) {
        start = place;
        while !matches!(text::byte_at(bytes, start), Some(b'{') | None) {
            start += 1;
        }
    }
    let mut end = start;
    while let Some(byte) = text::byte_at(bytes, end) {
        end += 1;
        if byte == b'}' {
            return text::between(text, start, end);
        }
    }
    ""
}
