//! Capacity and its price.

use crate::file::keys::{ON_DEMAND, ON_DEMAND_CEILING};
use crate::file::members::Members;
use crate::file::problem::{ProblemKind, Problems};
use crate::model::{Autoscaling, Billing, CapacityUnits, Decision, ProvisionedCapacity, UnitBounds};

/// The billing of a table.
pub(super) fn read(table: &Members<'_>, problems: &mut Problems) -> Decision<Billing> {
    let Some(part) = table.part("billing") else { return Decision::Undecided };
    let billing = match part.members() {
        None => Some(Billing::OnDemand { maximum: None }),
        Some(members) if members.are_of(&ON_DEMAND) => members
            .members("on_demand")
            .filter(|ceiling| ceiling.are_of(&ON_DEMAND_CEILING))
            .and_then(|ceiling| units(&ceiling))
            .map(|maximum| Billing::OnDemand { maximum: Some(maximum) }),
        Some(members) => provisioned(&members, problems).map(Billing::Provisioned),
    };
    billing.map_or(Decision::Undecided, Decision::Yes)
}

/// What is provisioned.
pub(super) fn provisioned(members: &Members<'_>, problems: &mut Problems) -> Option<ProvisionedCapacity> {
    let autoscaling = match members.members("autoscaling") {
        Some(scaling) => Some(Autoscaling {
            target_percent: scaling.whole("target_percent")?,
            read: bounds(&scaling, "read", problems)?,
            write: bounds(&scaling, "write", problems)?,
        }),
        None => None,
    };
    Some(ProvisionedCapacity { units: units(members)?, autoscaling })
}

fn units(members: &Members<'_>) -> Option<CapacityUnits> {
    Some(CapacityUnits { read: members.whole("read")?, write: members.whole("write")? })
}

fn bounds(scaling: &Members<'_>, key: &str, problems: &mut Problems) -> Option<UnitBounds> {
    let members = scaling.members(key)?;
    let bounds = UnitBounds { least: members.whole("least")?, most: members.whole("most")? };
    // A `most` of 0 is refused already.
    if bounds.least > bounds.most && bounds.most > 0 {
        problems.report(
            ProblemKind::OutOfRange,
            members.range(),
            format!("`least` is {}, which is above `most`, {}", bounds.least, bounds.most),
            "write the smaller number as `least`",
        );
    }
    Some(bounds)
}
