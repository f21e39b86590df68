//! Scan: every item of a table, or of one of its segments, a page at a time.

use std::num::NonZeroU32;

use keywright_item::Item;
use keywright_item::json::{Reader, SerializationError};

use super::page::{Filter, PageAnswer, PageWire, Select, page_limit};
use crate::constraint::Constraints;
use crate::legacy::check_operator;
use crate::parameters::Parameters;
use crate::wire::read_body;
use crate::{
    Consistency, ConsumedCapacity, Error, Operation, ReturnConsumedCapacity, ReturnedItem, TableName,
    Validation,
};

/// A Scan request.
#[derive(Debug, Clone, PartialEq)]
pub struct ScanInput {
    /// The name of the table.
    pub table_name: TableName,
    /// The part of the table that is read.
    pub segment: ScanSegment,
    /// What the items of the answer satisfy.
    pub filter: Option<Filter>,
    /// The most items that the page may read; 1 MB ends it as well.
    pub limit: Option<NonZeroU32>,
    /// Whether the read must see every write that was acknowledged before it.
    pub consistency: Consistency,
    /// The page starts after this key; whether it is one of the table is not known yet.
    pub exclusive_start_key: Option<Item>,
    /// What the answer holds of the items.
    pub select: Select,
    /// How much the answer tells about the consumed capacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// One of so many parts of a table. An item is in exactly one of them, whatever else is in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScanSegment {
    number: u32,
    total: NonZeroU32,
}

/// The answer to Scan.
#[derive(Debug, Clone, PartialEq)]
pub struct ScanOutput {
    /// The items of the page that satisfy the filter; absent for [`Select::Count`].
    pub items: Option<Vec<ReturnedItem>>,
    /// How many items those are.
    pub count: usize,
    /// How many items were read.
    pub scanned_count: usize,
    /// Where the next page starts; absent at the end.
    pub last_evaluated_key: Option<Item>,
    /// What the request consumed, where it asked.
    pub consumed_capacity: Option<ConsumedCapacity>,
}

impl ScanInput {
    /// Parses and checks the body of a request; [`Operation::order_of_refusal`] tells which refusal wins.
    ///
    /// With the table the service goes on in this order: the exclusive start key against the table's key, and whether it
    /// lies in the segment; which attributes projection and filter go into.
    ///
    /// ```
    /// use keywright_api::{ScanInput, ScanSegment};
    ///
    /// let input = ScanInput::parse(br#"{"TableName": "Music", "Segment": 1, "TotalSegments": 4}"#)?;
    /// assert_eq!(Some(input.segment), ScanSegment::new(1, 4));
    /// # Ok::<(), keywright_api::Error>(())
    /// ```
    pub fn parse(body: &[u8]) -> Result<Self, Error> {
        Ok(Wire::read(body)?.check()?)
    }
}

impl ScanSegment {
    /// The only segment of a table that is not divided.
    pub const WHOLE: Self = Self { number: 0, total: NonZeroU32::MIN };

    /// The most segments of a table.
    ///
    /// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html>
    pub const MOST: u32 = 1_000_000;

    /// Segment `number` of `total`; `None` unless `number` is less than `total`, and that at most [`Self::MOST`].
    pub fn new(number: u32, total: u32) -> Option<Self> {
        let total = NonZeroU32::new(total).filter(|total| total.get() <= Self::MOST)?;
        (number < total.get()).then_some(Self { number, total })
    }

    /// The segment's number, from zero.
    pub const fn number(self) -> u32 {
        self.number
    }

    /// How many segments the table is divided into.
    pub const fn total(self) -> NonZeroU32 {
        self.total
    }
}

impl ScanOutput {
    /// Appends the body of the response.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let page = PageAnswer {
            items: self.items.as_deref(),
            count: self.count,
            scanned_count: self.scanned_count,
            last_evaluated_key: self.last_evaluated_key.as_ref(),
            consumed_capacity: self.consumed_capacity.as_ref(),
        };
        page.write_json(out);
    }
}

const PARAMETERS: Parameters = Parameters {
    expressions: &["ProjectionExpression", "FilterExpression"],
    using_values: &["FilterExpression"],
    legacy: &["AttributesToGet", "ScanFilter", "ConditionalOperator"],
};

/// The members as they were sent.
struct Wire {
    page: PageWire,
    segment: Option<i64>,
    total_segments: Option<i64>,
}

impl Wire {
    fn read(body: &[u8]) -> Result<Self, SerializationError> {
        let mut wire = Self { page: PageWire::new(Operation::Scan), segment: None, total_segments: None };
        read_body(body, |name, reader| {
            match name {
                "Segment" => wire.segment = reader.optional(Reader::integer)?,
                "TotalSegments" => wire.total_segments = reader.optional(Reader::integer)?,
                other => wire.page.read(other, reader)?,
            }
            Ok(())
        })?;
        Ok(wire)
    }

    fn check(mut self) -> Result<ScanInput, Validation> {
        let mixture = PARAMETERS.check(|member| self.page.has(member), &self.page.placeholders);
        let filter_length = self.page.filter_length();

        let mut constraints = Constraints::default();
        let select = self.page.select(&mut constraints);
        if let Some(total) = self.total_segments {
            constraints.at_least("totalSegments", total, 1);
            constraints.at_most("totalSegments", total, i64::from(ScanSegment::MOST));
        }
        let return_consumed_capacity = self.page.return_consumed_capacity(&mut constraints);
        let table_name = constraints.table_name(self.page.table_name.take());
        let operator = self.page.operator(&mut constraints);
        let filter = self.page.filter("scanFilter", &mut constraints);
        if let Some(segment) = self.segment {
            constraints.at_least("segment", segment, 0);
            constraints.at_most("segment", segment, i64::from(ScanSegment::MOST) - 1);
        }
        if let Some(limit) = self.page.limit {
            constraints.at_least("limit", limit, 1);
        }
        self.page.projection.check_constraints(&mut constraints);
        constraints.check()?;
        let Some(table_name) = table_name else { unreachable!("the constraints require a name") };

        mixture?;
        let operator = check_operator(operator, filter_length)?;
        self.page.check_select(select)?;
        let legacy_projection = self.page.projection.legacy()?;
        let legacy_filter = Filter::legacy(filter, operator)?;
        let exclusive_start_key = self.page.start_key()?;
        let segment = check_segment(self.segment, self.total_segments)?;
        let placeholders = std::mem::take(&mut self.page.placeholders).check()?;
        let filter = self.page.filter_expression(&placeholders)?;
        let projection = self.page.projection.bind(&placeholders)?;
        placeholders.check_all_used()?;
        self.page.unsupported.check()?;
        Ok(ScanInput {
            table_name,
            segment,
            filter: filter.or(legacy_filter),
            limit: self.page.limit.map(page_limit),
            consistency: Consistency::from_wire(self.page.consistent_read),
            exclusive_start_key,
            select: Select::new(select, projection.or(legacy_projection)),
            return_consumed_capacity,
        })
    }
}

/// Both members or none, and the number within the total.
fn check_segment(segment: Option<i64>, total: Option<i64>) -> Result<ScanSegment, Validation> {
    match (segment, total) {
        (None, None) => Ok(ScanSegment::WHOLE),
        (Some(_), None) => Err(Validation::TotalSegmentsMissing),
        (None, Some(_)) => Err(Validation::SegmentMissing),
        (Some(segment), Some(total)) => {
            let within = u32::try_from(segment).ok().zip(u32::try_from(total).ok());
            within
                .and_then(|(segment, total)| ScanSegment::new(segment, total))
                .ok_or(Validation::SegmentBeyondTotal { segment, total })
        }
    }
}
