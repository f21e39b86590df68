//! Everything that a report says, as data. Its JSON form is documented in docs/design/check.md: members are added, never
//! renamed or given another meaning, as long as `schema` stays.

use std::cmp::Reverse;

use bumpalo::Bump;
use serde::Serialize;

use crate::cost::{CapacityMode, Costs, EntityCost, Figure, PatternCost, PriceList, TableCost, WriteCost};
use crate::facts::Facts;
use crate::file::{DesignFile, Position, Problem};
use crate::model::{Billing, Entity, Pattern, PatternOperation, Table, Write, WriteOperation};
use crate::place::Place;
use crate::request::Request;
use crate::shapes::Shapes;
use crate::verify::{Finding, Severity, findings};

/// The version of the JSON form.
const SCHEMA: u32 = 1;

/// What a report says.
#[derive(Debug, Serialize)]
pub(super) struct Contents {
    schema: u32,
    /// What the caller calls the file.
    pub(super) file: String,
    /// Whether the design has no error that is not accepted.
    pub(super) verified: bool,
    pub(super) counts: Counts,
    /// Why the file is no design; then there is nothing below.
    pub(super) problems: Vec<ReportedProblem>,
    /// Errors first, then warnings, then advice; each in the order of the sections of the file, and in a section by code.
    pub(super) findings: Vec<ReportedFinding>,
    pub(super) patterns: Vec<ReportedPattern>,
    pub(super) writes: Vec<ReportedWrite>,
    pub(super) entities: Vec<ReportedEntity>,
    pub(super) tables: Vec<ReportedTable>,
    /// None if the file is no design.
    pub(super) total: Option<Total>,
    pub(super) prices: Prices,
}

/// How many findings there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Problems of the file, and findings that keep the design from verifying.
    pub errors: usize,
    /// What is likely to hurt in production.
    pub warnings: usize,
    /// What has a better or cheaper way.
    pub advice: usize,
    /// Findings of any severity that the file accepts; they are in no other count.
    pub accepted: usize,
}

/// A problem of the file.
#[derive(Debug, Serialize)]
pub(super) struct ReportedProblem {
    kind: &'static str,
    code: Option<&'static str>,
    line: usize,
    column: usize,
    wrong: String,
    instead: String,
    #[serde(skip)]
    pub(super) problem: Problem,
}

/// A finding, and where the file has it.
#[derive(Debug, Serialize)]
pub(super) struct ReportedFinding {
    code: &'static str,
    rule: &'static str,
    severity: &'static str,
    place: String,
    line: usize,
    column: usize,
    message: String,
    accepted: Option<String>,
    #[serde(skip)]
    pub(super) finding: Finding,
}

/// An access pattern: the request that it is, and what it costs.
#[derive(Debug, Serialize)]
pub(super) struct ReportedPattern {
    pub(super) name: String,
    line: usize,
    pub(super) table: String,
    /// Whether it reads a whole table or index; then it has no request.
    pub(super) scans: bool,
    /// None for a scan, and where it is no single request; a finding says why.
    pub(super) request: Option<Request>,
    #[serde(flatten)]
    pub(super) cost: Option<PatternCost>,
}

/// A write, and what it costs.
#[derive(Debug, Serialize)]
pub(super) struct ReportedWrite {
    pub(super) name: String,
    line: usize,
    pub(super) operation: &'static str,
    pub(super) entities: Vec<String>,
    #[serde(flatten)]
    pub(super) cost: Option<WriteCost>,
}

/// An entity, and what its items cost.
#[derive(Debug, Serialize)]
pub(super) struct ReportedEntity {
    pub(super) name: String,
    line: usize,
    pub(super) table: String,
    /// How many items there are.
    pub(super) items: Option<u64>,
    #[serde(flatten)]
    pub(super) cost: Option<EntityCost>,
}

/// A table, and what it costs.
#[derive(Debug, Serialize)]
pub(super) struct ReportedTable {
    pub(super) name: String,
    line: usize,
    /// The mode that the file decides on.
    pub(super) billing: Option<CapacityMode>,
    #[serde(flatten)]
    pub(super) cost: Option<TableCost>,
}

/// What all tables cost in a month.
#[derive(Debug, Serialize)]
pub(super) struct Total {
    /// Each in the mode that the file decides on; on demand where it does not.
    pub(super) as_designed: Figure,
    /// All on demand.
    pub(super) on_demand: Figure,
    /// All provisioned.
    pub(super) provisioned: Figure,
}

/// Whose prices count, and of when.
#[derive(Debug, Serialize)]
pub(super) struct Prices {
    pub(super) region: String,
    pub(super) published: &'static str,
    pub(super) source: &'static str,
    pub(super) currency: &'static str,
}

impl Contents {
    /// What is to say about a text that is no design.
    pub(super) fn of_problems(file: &str, text: &str, problems: Vec<Problem>) -> Contents {
        let problems: Vec<ReportedProblem> =
            problems.into_iter().map(|problem| ReportedProblem::of(problem, text)).collect();
        Contents {
            counts: Counts { errors: problems.len(), ..Counts::default() },
            verified: false,
            problems,
            ..Contents::nothing(file, None)
        }
    }

    /// What is to say about a design.
    pub(super) fn of_design(name: &str, file: &DesignFile) -> Contents {
        let design = file.design();
        let arena = Bump::new();
        let shapes = Shapes::new(design, &arena);
        let facts = Facts::new(design, &shapes);
        let found = reported(file, findings(&facts));
        let counts = Counts::of(&found);
        let costs = facts.costs();
        let line = |place: Place| file.position(&place).line;
        let tables: Vec<ReportedTable> = design
            .tables
            .iter()
            .map(|table| ReportedTable::of(table, costs, line(Place::table(&table.name))))
            .collect();
        Contents {
            verified: counts.errors == 0,
            counts,
            findings: found,
            patterns: design
                .patterns
                .iter()
                .map(|pattern| ReportedPattern::of(pattern, &facts, line(Place::pattern(&pattern.name))))
                .collect(),
            writes: design
                .writes
                .iter()
                .map(|write| ReportedWrite::of(write, costs, line(Place::write(&write.name))))
                .collect(),
            entities: design
                .entities
                .iter()
                .map(|entity| ReportedEntity::of(entity, costs, line(Place::entity(&entity.name))))
                .collect(),
            total: Some(Total::of(&tables)),
            tables,
            ..Contents::nothing(name, design.region.as_deref())
        }
    }

    fn nothing(file: &str, region: Option<&str>) -> Contents {
        let list = PriceList::current();
        Contents {
            schema: SCHEMA,
            file: file.to_owned(),
            verified: true,
            counts: Counts::default(),
            problems: Vec::new(),
            findings: Vec::new(),
            patterns: Vec::new(),
            writes: Vec::new(),
            entities: Vec::new(),
            tables: Vec::new(),
            total: None,
            prices: Prices {
                region: region.unwrap_or(&list.default_region).to_owned(),
                published: &list.published,
                source: &list.source,
                currency: &list.currency,
            },
        }
    }
}

/// Findings with their positions, errors first.
fn reported(file: &DesignFile, findings: Vec<Finding>) -> Vec<ReportedFinding> {
    let mut reported: Vec<ReportedFinding> =
        findings.into_iter().map(|finding| ReportedFinding::of(finding, file)).collect();
    // What is wrong first is often why the rest is wrong, and codes go from causes to consequences.
    reported.sort_by_key(|reported| {
        let ReportedFinding { finding, line, column, code, .. } = reported;
        (Reverse(finding.rule.severity), section_line(&finding.place, file), *code, *line, *column)
    });
    reported
}

/// The line where the section begins that has `place`: `[pattern.feed]` of `pattern.feed.given`.
fn section_line(place: &Place, file: &DesignFile) -> usize {
    match place.parent() {
        Some(parent) if place.segments().len() > 2 => section_line(&parent, file),
        _ => file.position(place).line,
    }
}

impl Counts {
    fn of(findings: &[ReportedFinding]) -> Counts {
        let mut counts = Counts::default();
        for ReportedFinding { finding, .. } in findings {
            let count = match (&finding.accepted, finding.rule.severity) {
                (Some(_), _) => &mut counts.accepted,
                (None, Severity::Error) => &mut counts.errors,
                (None, Severity::Warning) => &mut counts.warnings,
                (None, Severity::Advice) => &mut counts.advice,
            };
            *count += 1;
        }
        counts
    }
}

impl ReportedProblem {
    fn of(problem: Problem, text: &str) -> ReportedProblem {
        let Position { line, column } = Position::of(text, problem.range.start);
        ReportedProblem {
            kind: problem.kind.name(),
            code: problem.kind.code(),
            line,
            column,
            wrong: problem.wrong.clone(),
            instead: problem.instead.clone(),
            problem,
        }
    }
}

impl ReportedFinding {
    fn of(finding: Finding, file: &DesignFile) -> ReportedFinding {
        let Position { line, column } = file.position(&finding.place);
        ReportedFinding {
            code: finding.rule.code,
            rule: finding.rule.name,
            severity: finding.rule.severity.name(),
            place: finding.place.to_string(),
            line,
            column,
            message: finding.message.clone(),
            accepted: finding.accepted.clone(),
            finding,
        }
    }
}

impl ReportedPattern {
    fn of(pattern: &Pattern, facts: &Facts<'_>, line: usize) -> ReportedPattern {
        ReportedPattern {
            name: pattern.name.as_str().to_owned(),
            line,
            table: pattern.table.as_str().to_owned(),
            scans: matches!(pattern.operation, PatternOperation::Scan { .. }),
            request: Request::of(facts, pattern),
            cost: facts.costs().pattern(&pattern.name).cloned(),
        }
    }
}

impl ReportedWrite {
    fn of(write: &Write, costs: &Costs, line: usize) -> ReportedWrite {
        ReportedWrite {
            name: write.name.as_str().to_owned(),
            line,
            operation: wire_name(write.operation),
            entities: write.entities.iter().map(|entity| entity.as_str().to_owned()).collect(),
            cost: costs.write(&write.name).cloned(),
        }
    }
}

/// What the API calls the operation.
const fn wire_name(operation: WriteOperation) -> &'static str {
    match operation {
        WriteOperation::Put => "PutItem",
        WriteOperation::Update | WriteOperation::Add => "UpdateItem",
        WriteOperation::Delete => "DeleteItem",
        WriteOperation::Batch => "BatchWriteItem",
        WriteOperation::Transaction => "TransactWriteItems",
    }
}

impl ReportedEntity {
    fn of(entity: &Entity, costs: &Costs, line: usize) -> ReportedEntity {
        ReportedEntity {
            name: entity.name.as_str().to_owned(),
            line,
            table: entity.table.as_str().to_owned(),
            items: entity.count.total,
            cost: costs.entity(&entity.name).cloned(),
        }
    }
}

impl ReportedTable {
    fn of(table: &Table, costs: &Costs, line: usize) -> ReportedTable {
        ReportedTable {
            name: table.name.as_str().to_owned(),
            line,
            billing: table.billing.chosen().map(|billing| match billing {
                Billing::OnDemand { .. } => CapacityMode::OnDemand,
                Billing::Provisioned(_) => CapacityMode::Provisioned,
            }),
            cost: costs.table(&table.name).cloned(),
        }
    }

    /// What it costs in a month in the mode that the file decides on.
    pub(super) fn as_designed(&self) -> Option<&Figure> {
        let cost = self.cost.as_ref()?;
        Some(match self.billing {
            Some(CapacityMode::Provisioned) => &cost.provisioned.total,
            Some(CapacityMode::OnDemand) | None => &cost.on_demand.total,
        })
    }
}

impl Total {
    fn of(tables: &[ReportedTable]) -> Total {
        let costs = || tables.iter().filter_map(|table| table.cost.as_ref());
        Total {
            as_designed: Figure::sum(tables.iter().filter_map(ReportedTable::as_designed)),
            on_demand: Figure::sum(costs().map(|cost| &cost.on_demand.total)),
            provisioned: Figure::sum(costs().map(|cost| &cost.provisioned.total)),
        }
    }
}
