//! Five attributes are one too many, and everything in an index wants a reason.

use keywright_derive::{Table};

#[derive(Table)]
#[table(index(ByPlace, partition_key(a, b, c, d, e)))]
struct Places;

#[derive(Table)]
#[table(index(ByName), index(ByDate, project_all = " "))]
struct Names;

fn main() {}
