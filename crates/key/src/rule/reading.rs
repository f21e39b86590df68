//! Where a pattern reads: the table, or one of its indexes.

use crate::rule::key_view::KeyView;
use crate::shape::{
    EntityShape, IndexEntryShape, IndexKey, IndexShape, PatternShape, ReturnShape, TableShape,
};
use crate::template::TemplateShape;

/// What a pattern reads.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Table,
    Index(&'a IndexShape<'a>),
    /// An index that the table does not have; another rule reports that.
    Unknown,
}

impl<'a> Source<'a> {
    pub(crate) const fn of(table: &TableShape<'a>, pattern: &PatternShape<'a>) -> Source<'a> {
        match pattern.index {
            None => Source::Table,
            Some(name) => match table.index(name) {
                Some(index) => Source::Index(index),
                None => Source::Unknown,
            },
        }
    }

    /// The template of the sort key of `entity` there, if there is one.
    pub(crate) const fn sort_key_of<'e>(&self, entity: &'e EntityShape<'a>) -> Option<&'e TemplateShape<'a>> {
        match self {
            Source::Table => entity.key.sort_key.as_ref(),
            Source::Index(index) => match entity.entry(index.name) {
                Some(IndexEntryShape { key: IndexKey::Global(key), .. }) => key.sort_key.as_ref(),
                Some(IndexEntryShape { key: IndexKey::Local { sort_key }, .. }) => Some(sort_key),
                Some(IndexEntryShape { key: IndexKey::Attributes, .. }) | None => None,
            },
            Source::Unknown => None,
        }
    }

    /// The key of `entity` there; nothing if it has none.
    pub(crate) const fn key_of(&self, entity: &EntityShape<'a>) -> Option<KeyView<'a>> {
        match self {
            Source::Table => KeyView::of(entity, None),
            Source::Index(index) => KeyView::of(entity, Some(index)),
            Source::Unknown => None,
        }
    }
}

/// An entity that a pattern returns, with its key where the pattern reads.
#[derive(Clone, Copy)]
pub(crate) struct ReturnedEntity<'a> {
    pub(crate) entity: &'a EntityShape<'a>,
    pub(crate) key: KeyView<'a>,
}

/// Goes over the returned entities that exist and have a key where the pattern reads.
pub(crate) struct ReturnedEntities<'a, 't> {
    table: &'t TableShape<'a>,
    source: Source<'a>,
    rest: &'a [ReturnShape<'a>],
}

impl<'a, 't> ReturnedEntities<'a, 't> {
    pub(crate) const fn of(
        table: &'t TableShape<'a>,
        pattern: &PatternShape<'a>,
    ) -> ReturnedEntities<'a, 't> {
        ReturnedEntities { table, source: Source::of(table, pattern), rest: pattern.returns }
    }

    pub(crate) const fn next(&mut self) -> Option<ReturnedEntity<'a>> {
        while let [returned, later @ ..] = self.rest {
            self.rest = later;
            if let Some(entity) = self.table.entity(returned.entity)
                && let Some(key) = self.source.key_of(entity)
            {
                return Some(ReturnedEntity { entity, key });
            }
        }
        None
    }
}
