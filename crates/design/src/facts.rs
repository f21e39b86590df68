//! What rules and figures look at: a design, its parts by name, and its shapes.

use std::cell::OnceCell;
use std::collections::HashMap;

use keywright_key::{EntityShape, IndexKey, PatternShape, TableShape};

use crate::cost::Costs;
use crate::model::{
    Design, Entity, EntityName, Index, Pattern, PatternName, StreamConsumer, Table, TableName, Tenants, Write,
};
use crate::shapes::Shapes;

/// An entity in an index.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'d> {
    /// The entity.
    pub entity: &'d Entity,
    /// The entity as the key crate's rules see it.
    pub shape: &'d EntityShape<'d>,
    /// Its key in the index.
    pub key: &'d IndexKey<'d>,
}

/// A design with everything in it found by name. Names that name nothing find nothing.
#[derive(Debug)]
pub struct Facts<'d> {
    design: &'d Design,
    shapes: &'d Shapes<'d>,
    tables: HashMap<&'d str, &'d Table>,
    entities: HashMap<&'d str, &'d Entity>,
    patterns: HashMap<&'d str, &'d Pattern>,
    entities_of: HashMap<&'d str, Vec<&'d Entity>>,
    patterns_of: HashMap<&'d str, Vec<&'d Pattern>>,
    patterns_returning: HashMap<&'d str, Vec<&'d Pattern>>,
    writes_of: HashMap<&'d str, Vec<&'d Write>>,
    consumers_of: HashMap<&'d str, Vec<&'d StreamConsumer>>,
    table_shapes: HashMap<&'d str, &'d TableShape<'d>>,
    entity_shapes: HashMap<&'d str, &'d EntityShape<'d>>,
    pattern_shapes: HashMap<&'d str, &'d PatternShape<'d>>,
    entries: HashMap<(&'d str, &'d str), Vec<Entry<'d>>>,
    readers: HashMap<(&'d str, &'d str), Vec<&'d Pattern>>,
    costs: OnceCell<Costs>,
}

impl<'d> Facts<'d> {
    /// The facts of a design, whose shapes were made of it.
    pub fn new(design: &'d Design, shapes: &'d Shapes<'d>) -> Facts<'d> {
        let shaped = shapes.tables();
        let entities = design.entities.iter().map(|entity| (entity.name.as_str(), entity)).collect();
        Facts {
            design,
            shapes,
            tables: design.tables.iter().map(|table| (table.name.as_str(), table)).collect(),
            patterns: design.patterns.iter().map(|pattern| (pattern.name.as_str(), pattern)).collect(),
            entities_of: grouped(design.entities.iter().map(|entity| (entity.table.as_str(), entity))),
            patterns_of: grouped(design.patterns.iter().map(|pattern| (pattern.table.as_str(), pattern))),
            patterns_returning: grouped(design.patterns.iter().flat_map(|pattern| {
                pattern.returns.iter().map(move |returned| (returned.entity.as_str(), pattern))
            })),
            writes_of: grouped(
                design
                    .writes
                    .iter()
                    .flat_map(|write| write.entities.iter().map(move |entity| (entity.as_str(), write))),
            ),
            consumers_of: grouped(
                design.consumers.iter().map(|consumer| (consumer.table.as_str(), consumer)),
            ),
            entries: entries(shaped, &entities),
            readers: readers(design),
            costs: OnceCell::new(),
            entities,
            table_shapes: shaped.iter().map(|table| (table.name, table)).collect(),
            entity_shapes: shaped
                .iter()
                .flat_map(|table| table.entities.iter().map(|entity| (entity.name, *entity)))
                .collect(),
            pattern_shapes: shaped
                .iter()
                .flat_map(|table| table.patterns.iter().map(|pattern| (pattern.name, *pattern)))
                .collect(),
        }
    }

    /// The design.
    pub const fn design(&self) -> &'d Design {
        self.design
    }

    /// The design as the key crate's rules see it.
    pub const fn shapes(&self) -> &'d Shapes<'d> {
        self.shapes
    }

    /// What the design costs, at the prices that this program was built with.
    pub fn costs(&self) -> &Costs {
        self.costs.get_or_init(|| Costs::new(self))
    }

    /// The table of that name.
    pub fn table(&self, name: &TableName) -> Option<&'d Table> {
        self.tables.get(name.as_str()).copied()
    }

    /// The entity of that name.
    pub fn entity(&self, name: &EntityName) -> Option<&'d Entity> {
        self.entities.get(name.as_str()).copied()
    }

    /// The pattern of that name.
    pub fn pattern(&self, name: &PatternName) -> Option<&'d Pattern> {
        self.patterns.get(name.as_str()).copied()
    }

    /// The entities that a table holds, in the order of the file.
    pub fn entities_of(&self, table: &TableName) -> impl Iterator<Item = &'d Entity> + use<'_, 'd> {
        self.entities_of.get(table.as_str()).into_iter().flatten().copied()
    }

    /// The patterns that read a table, in the order of the file.
    pub fn patterns_of(&self, table: &TableName) -> impl Iterator<Item = &'d Pattern> + use<'_, 'd> {
        self.patterns_of.get(table.as_str()).into_iter().flatten().copied()
    }

    /// The patterns that return an entity, in the order of the file.
    pub fn patterns_returning(&self, entity: &EntityName) -> impl Iterator<Item = &'d Pattern> + use<'_, 'd> {
        self.patterns_returning.get(entity.as_str()).into_iter().flatten().copied()
    }

    /// The writes that write an entity, in the order of the file.
    pub fn writes_of(&self, entity: &EntityName) -> impl Iterator<Item = &'d Write> + use<'_, 'd> {
        self.writes_of.get(entity.as_str()).into_iter().flatten().copied()
    }

    /// The consumers of a table's stream, in the order of the file.
    pub fn consumers_of(&self, table: &TableName) -> impl Iterator<Item = &'d StreamConsumer> + use<'_, 'd> {
        self.consumers_of.get(table.as_str()).into_iter().flatten().copied()
    }

    /// The index that a pattern reads, if it reads one that there is.
    pub fn index_of(&self, pattern: &Pattern) -> Option<&'d Index> {
        self.table(&pattern.table)?.index(pattern.index.as_ref()?)
    }

    /// The entities that have a key in an index, in the order of the file.
    pub fn entries_of(&self, table: &'d Table, index: &'d Index) -> &[Entry<'d>] {
        self.entries.get(&(table.name.as_str(), index.name.as_str())).map_or(&[], Vec::as_slice)
    }

    /// The patterns that read an index, in the order of the file.
    pub fn readers_of(&self, table: &'d Table, index: &'d Index) -> &[&'d Pattern] {
        self.readers.get(&(table.name.as_str(), index.name.as_str())).map_or(&[], Vec::as_slice)
    }

    /// The tenants, if tenants share the tables.
    pub fn tenants(&self) -> Option<&'d Tenants> {
        self.design.tenancy.chosen()
    }

    /// A table as the key crate's rules see it.
    pub fn table_shape(&self, name: &TableName) -> Option<&'d TableShape<'d>> {
        self.table_shapes.get(name.as_str()).copied()
    }

    /// An entity as the key crate's rules see it; none if its table is not there.
    pub fn entity_shape(&self, name: &EntityName) -> Option<&'d EntityShape<'d>> {
        self.entity_shapes.get(name.as_str()).copied()
    }

    /// A pattern as the key crate's rules see it; none if its table is not there, or if it is a scan.
    pub fn pattern_shape(&self, name: &PatternName) -> Option<&'d PatternShape<'d>> {
        self.pattern_shapes.get(name.as_str()).copied()
    }
}

fn grouped<'d, Part>(parts: impl Iterator<Item = (&'d str, &'d Part)>) -> HashMap<&'d str, Vec<&'d Part>> {
    let mut found: HashMap<&str, Vec<&Part>> = HashMap::new();
    for (name, part) in parts {
        found.entry(name).or_default().push(part);
    }
    found
}

fn entries<'d>(
    tables: &'d [TableShape<'d>],
    entities: &HashMap<&'d str, &'d Entity>,
) -> HashMap<(&'d str, &'d str), Vec<Entry<'d>>> {
    let mut found: HashMap<(&str, &str), Vec<Entry<'d>>> = HashMap::new();
    for table in tables {
        for shape in table.entities {
            let Some(entity) = entities.get(shape.name) else { continue };
            for entry in shape.indexes {
                found.entry((table.name, entry.index)).or_default().push(Entry {
                    entity,
                    shape,
                    key: &entry.key,
                });
            }
        }
    }
    found
}

fn readers(design: &Design) -> HashMap<(&str, &str), Vec<&Pattern>> {
    let mut found: HashMap<(&str, &str), Vec<&Pattern>> = HashMap::new();
    for pattern in &design.patterns {
        if let Some(index) = &pattern.index {
            found.entry((pattern.table.as_str(), index.as_str())).or_default().push(pattern);
        }
    }
    found
}
