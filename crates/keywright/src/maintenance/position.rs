//! Where a scan is: for each segment nothing, a start key, or the end.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::cursor::{read_position, write_position};
use crate::item::KeyAttributes;

/// What the first byte says: how the rest is laid out.
const VERSION: u8 = 1;

/// Where a run over a table is after a page: what was given is not given again by a run that goes on from here.
///
/// Its text can be kept in a file. It holds keys of the table as they are, unlike a [cursor](crate::Cursor): it is for the operator, and not
/// for clients.
///
/// ```
/// # use applications::teams::*;
/// # use std::num::NonZeroU64;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::ScanPosition;
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
/// # for team_id in 1..=3 { acme.put(&team(team_id, "Analysts")).send().await?; }
/// let maintenance = store.maintenance("an example");
/// let page = maintenance.scan(MOST).rows_per_page(const { std::num::NonZeroU32::new(2).unwrap() }).pages().next().await?;
/// let kept = page.ok_or("there are rows")?.position.to_string(); // and the program ends
///
/// let position: ScanPosition = kept.parse()?;
/// let mut rest = maintenance.scan(MOST).resume(position).pages();
/// assert_eq!(rest.next().await?.ok_or("there is one more")?.rows.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ScanPosition {
    pub(super) table: String,
    pub(super) segments: Vec<SegmentPosition>,
}

/// Where one segment is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SegmentPosition {
    Start,
    After(KeyAttributes),
    End,
}

/// A text that is no position, or the position of another table.
///
/// ```
/// use keywright::{InvalidPosition, ScanPosition};
///
/// assert_eq!("no position".parse::<ScanPosition>(), Err(InvalidPosition));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidPosition;

impl ScanPosition {
    /// Before the first page.
    pub(super) fn start(table: &str, segments: usize) -> ScanPosition {
        ScanPosition { table: table.to_owned(), segments: vec![SegmentPosition::Start; segments] }
    }

    fn read(bytes: &[u8]) -> Option<ScanPosition> {
        let (version, mut rest) = bytes.split_first()?;
        if *version != VERSION {
            return None;
        }
        let table = String::from_utf8(take_part(&mut rest)?.to_vec()).ok()?;
        let mut segments = Vec::new();
        while let Some((kind, after)) = rest.split_first() {
            rest = after;
            segments.push(match kind {
                b'S' => SegmentPosition::Start,
                b'E' => SegmentPosition::End,
                b'K' => SegmentPosition::After(read_position(take_part(&mut rest)?).ok()?),
                _ => return None,
            });
        }
        (!segments.is_empty()).then_some(ScanPosition { table, segments })
    }
}

fn take_part<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (part, rest) = rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
    *bytes = rest;
    Some(part)
}

fn add_part(part: &[u8], bytes: &mut Vec<u8>) {
    // Names of tables and keys are far below 4 GiB.
    let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(part);
}

impl fmt::Display for ScanPosition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = vec![VERSION];
        add_part(self.table.as_bytes(), &mut bytes);
        for segment in &self.segments {
            match segment {
                SegmentPosition::Start => bytes.push(b'S'),
                SegmentPosition::End => bytes.push(b'E'),
                SegmentPosition::After(key) => {
                    let mut written = Vec::new();
                    // DynamoDB's start keys are of the types of keys.
                    write_position(key, &mut written).map_err(|_| fmt::Error)?;
                    bytes.push(b'K');
                    add_part(&written, &mut bytes);
                }
            }
        }
        formatter.write_str(&URL_SAFE_NO_PAD.encode(bytes))
    }
}

impl FromStr for ScanPosition {
    type Err = InvalidPosition;

    fn from_str(text: &str) -> Result<ScanPosition, InvalidPosition> {
        let bytes = URL_SAFE_NO_PAD.decode(text.trim()).map_err(|_| InvalidPosition)?;
        ScanPosition::read(&bytes).ok_or(InvalidPosition)
    }
}

impl fmt::Display for InvalidPosition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("this is no position of a run over this table: begin from the start")
    }
}

impl Error for InvalidPosition {}
