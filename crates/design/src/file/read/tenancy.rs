//! The tenancy.

use crate::file::members::{Members, Part};
use crate::model::{
    AttributeName, Decision, Deviation, DeviationKey, EntityName, IndexName, ReadTimeCheck, Tenants,
};

/// The tenancy: `[tenancy]`, or `tenancy = false`.
pub(super) fn read(file: &Members<'_>) -> Decision<Tenants> {
    let Some(part) = file.part("tenancy") else { return Decision::Undecided };
    let Some(members) = part.members() else { return Decision::No };
    let Some(attribute) = members.name("attribute", AttributeName::new) else { return Decision::Undecided };
    let deviations = members.elements("deviations").into_iter().filter_map(deviation).collect();
    Decision::Yes(Tenants { attribute, deviations })
}

fn deviation(part: Part<'_>) -> Option<Deviation> {
    let members = part.members()?;
    Some(Deviation {
        entity: members.name("entity", EntityName::new)?,
        key: members.name("index", IndexName::new).map_or(DeviationKey::Table, DeviationKey::Index),
        reason: members.owned_text("reason").unwrap_or_default(),
        check: members
            .owned_text("bearer")
            .map_or(ReadTimeCheck::TenantAttribute, |reason| ReadTimeCheck::Bearer { reason }),
    })
}
