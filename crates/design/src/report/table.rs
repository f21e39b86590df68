//! What a design is and costs, in tables: patterns, writes, entities, tables, and their sum.

use std::collections::BTreeSet;

use super::contents::{Contents, ReportedEntity, ReportedPattern, ReportedTable, ReportedWrite, Total};
use super::grid::{Grid, Side};
use super::number::{UNKNOWN, bytes, count, dollars, figure, quantity};
use super::paint::{Paint, Style};
use super::paragraph::wrap;
use super::request_line;
use crate::cost::{CapacityMode, EntityWrite, Figure, Gap};

/// How many missing members a note lists.
const MOST_GAPS: usize = 6;

/// All tables, with an empty line between them; nothing for a file that is no design.
pub(super) fn tables(contents: &Contents, width: usize, paint: Paint) -> String {
    let grids = [
        ("Patterns", patterns(&contents.patterns)),
        ("Writes", writes(&contents.writes)),
        ("Entities", entities(&contents.entities)),
        ("Tables", of_tables(&contents.tables)),
    ];
    let mut parts: Vec<String> = grids
        .iter()
        .filter(|(_, grid)| !grid.is_empty())
        .map(|(title, grid)| format!("{}\n{}", paint.with(Style::Heading, title), grid.render(width)))
        .collect();
    if let Some(total) = &contents.total {
        parts.push(sum(total, contents, width, paint));
    }
    parts.extend(gaps(contents, width));
    parts.join("\n\n")
}

fn patterns(patterns: &[ReportedPattern]) -> Grid {
    let mut grid = Grid::new(&[
        ("pattern", Side::Left),
        ("request", Side::Left),
        ("items", Side::Right),
        ("pages", Side::Right),
        ("read units", Side::Right),
        ("units/s", Side::Right),
        ("$/month", Side::Right),
    ]);
    for pattern in patterns {
        let request = pattern.request.as_ref();
        let figures = pattern.cost.as_ref().map(|cost| {
            [
                figure(&cost.items, quantity),
                figure(&cost.pages, quantity),
                figure(&cost.units_per_call, quantity),
                figure(&cost.units_per_second, quantity),
                figure(&cost.on_demand_per_month, dollars),
            ]
        });
        let names = [pattern.name.clone(), operation(pattern)];
        let below = request.map(request_line::condition);
        grid.row(names.into_iter().chain(figures.into_iter().flatten()), below);
    }
    grid
}

/// The operation and what it reads, in few words.
fn operation(pattern: &ReportedPattern) -> String {
    match &pattern.request {
        Some(request) => request_line::operation(request),
        None if pattern.scans => format!("Scan {}", pattern.table),
        None => "no single request".to_owned(),
    }
}

fn writes(writes: &[ReportedWrite]) -> Grid {
    let mut grid = Grid::new(&[
        ("write", Side::Left),
        ("request", Side::Left),
        ("write units", Side::Right),
        ("units/s", Side::Right),
        ("$/month", Side::Right),
    ]);
    for write in writes {
        let figures = write.cost.as_ref().map(|cost| {
            [
                figure(&cost.units_per_call, quantity),
                figure(&cost.units_per_second, quantity),
                figure(&cost.on_demand_per_month, dollars),
            ]
        });
        let request = format!("{} {}", write.operation, write.entities.join(", "));
        grid.row([write.name.clone(), request].into_iter().chain(figures.into_iter().flatten()), []);
    }
    grid
}

fn entities(entities: &[ReportedEntity]) -> Grid {
    let mut grid = Grid::new(&[
        ("entity", Side::Left),
        ("table", Side::Left),
        ("items", Side::Right),
        ("bytes", Side::Right),
        ("write units", Side::Right),
        ("units/s", Side::Right),
        ("storage", Side::Right),
        ("$/month", Side::Right),
    ]);
    for entity in entities {
        let names = [
            entity.name.clone(),
            entity.table.clone(),
            entity.items.map_or_else(|| UNKNOWN.to_owned(), count),
        ];
        let figures = entity.cost.as_ref().map(|cost| {
            [
                cost.item_bytes.known().map_or_else(|| UNKNOWN.to_owned(), |size| count(*size)),
                units_of_writes(&cost.writes),
                figure(&cost.units_per_second, quantity),
                figure(&cost.storage_bytes, bytes),
                figure(&cost.on_demand_per_month, dollars),
            ]
        });
        grid.row(names.into_iter().chain(figures.into_iter().flatten()), []);
    }
    grid
}

/// The units of one item's write with its index entries: of the cheapest and of the dearest way to write it.
fn units_of_writes(writes: &[EntityWrite]) -> String {
    let units = writes
        .iter()
        .map(|write| write.index_units.iter().fold(write.table_units.clone(), |sum, units| sum.plus(units)));
    let known: Option<Vec<f64>> = units.map(|units| units.known().copied()).collect();
    let Some(known) = known.filter(|known| !known.is_empty()) else { return UNKNOWN.to_owned() };
    let least = known.iter().copied().fold(f64::INFINITY, f64::min);
    let most = known.iter().copied().fold(0.0, f64::max);
    if least < most { format!("{} to {}", quantity(least), quantity(most)) } else { quantity(most) }
}

fn of_tables(tables: &[ReportedTable]) -> Grid {
    let mut grid = Grid::new(&[
        ("table", Side::Left),
        ("billing", Side::Left),
        ("storage", Side::Right),
        ("read units/s", Side::Right),
        ("write units/s", Side::Right),
        ("$/month on demand", Side::Right),
        ("provisioned", Side::Right),
    ]);
    for table in tables {
        let names = [table.name.clone(), table.billing.map_or("undecided", mode).to_owned()];
        let figures = table.cost.as_ref().map(|cost| {
            let places = || std::iter::once(&cost.own).chain(&cost.indexes);
            [
                figure(&cost.storage_bytes, bytes),
                figure(&Figure::sum(places().map(|place| &place.read_units_per_second)), quantity),
                figure(&Figure::sum(places().map(|place| &place.write_units_per_second)), quantity),
                figure(&cost.on_demand.total, dollars),
                figure(&cost.provisioned.total, dollars),
            ]
        });
        let why = table.cost.as_ref().and_then(|cost| {
            let (cheaper, even) = (cost.modes.cheaper?, cost.modes.break_even_utilization.known()?);
            Some(match cheaper {
                CapacityMode::Provisioned => format!(
                    "provisioned is cheaper, if the load is so steady that more than {:.0} % of the units are used",
                    even * 100.0
                ),
                CapacityMode::OnDemand => "on demand is cheaper".to_owned(),
            })
        });
        grid.row(names.into_iter().chain(figures.into_iter().flatten()), why);
    }
    grid
}

/// What the file calls a capacity mode.
const fn mode(mode: CapacityMode) -> &'static str {
    match mode {
        CapacityMode::OnDemand => "on-demand",
        CapacityMode::Provisioned => "provisioned",
    }
}

fn sum(total: &Total, contents: &Contents, width: usize, paint: Paint) -> String {
    let shown = |amount: &Figure| figure(amount, dollars);
    let sum = format!(
        "{} a month as designed; all on demand {}, all provisioned {}.",
        shown(&total.as_designed),
        shown(&total.on_demand),
        shown(&total.provisioned),
    );
    let prices = &contents.prices;
    let note = format!(
        "In {currency}, at the prices of {region} as AWS published them on {published}: reads, writes, storage and recovery, without \
         free tier, reserved capacity, streams, data transfer and taxes.",
        currency = prices.currency,
        region = prices.region,
        published = prices.published,
    );
    format!("{}\n{}\n{}", paint.with(Style::Heading, "Total"), wrap(&sum, width, 0), wrap(&note, width, 0))
}

/// What is missing for the figures that are not known.
fn gaps(contents: &Contents, width: usize) -> Option<String> {
    let of_patterns = contents.patterns.iter().filter_map(|pattern| pattern.cost.as_ref()).flat_map(|cost| {
        [&cost.units_per_call, &cost.on_demand_per_month].into_iter().flat_map(Figure::gaps)
    });
    let of_entities =
        contents.entities.iter().filter_map(|entity| entity.cost.as_ref()).flat_map(|cost| {
            [&cost.storage_bytes, &cost.on_demand_per_month].into_iter().flat_map(Figure::gaps)
        });
    let of_total = contents.total.iter().flat_map(|total| total.as_designed.gaps());
    let gaps: BTreeSet<&Gap> = of_patterns.chain(of_entities).chain(of_total).collect();
    if gaps.is_empty() {
        return None;
    }
    let listed: Vec<String> = gaps.iter().take(MOST_GAPS).map(|gap| gap.to_string()).collect();
    let rest = gaps.len().saturating_sub(MOST_GAPS);
    let more = if rest > 0 { format!("; and {rest} more") } else { String::new() };
    Some(wrap(&format!("{UNKNOWN} is not known: {}{more}.", listed.join("; ")), width, 0))
}
