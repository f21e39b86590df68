//! A template that was written by hand has another delimiter than its table.

use keywright_derive::{Table};

use keywright_key::declare::Table as _;
use keywright_key::{AttributeShape, Delimiter, EntityShape, KeyFormat, KeyShape, TemplateShape, rule};

#[derive(Table)]
struct App;

const BARS: KeyFormat = KeyFormat::STANDARD.with_delimiter(Delimiter::of('|'));
const TEAM: EntityShape<'static> = EntityShape::new(
    "Team",
    "team",
    KeyShape::new(TemplateShape::of("TEAM|{team_id:raw}", BARS), TemplateShape::of("TEAM", BARS)),
    &[AttributeShape::of::<String>("team_id")],
);
const _: () = rule::format_differs::enforce(&App::SHAPE.with_entities(&[&TEAM]));

fn main() {}
