//! KW04: tenants.

use keywright_key::{
    AttributeShape, DeviationShape, EntityShape, FilterShape, GivenShape, IndexEntryShape, IndexKey,
    IndexShape, KeyAttribute, KeyPlace, PatternShape, Presence, Projection, ReturnShape, TableShape,
    TenantScope, rule,
};

use crate::application::{TENANT, key, text};
use crate::{broken, holds};

const TABLE: TableShape<'static> = TableShape::new("App").with_tenant("organization_id");

#[test]
fn every_partition_key_holds_the_tenant() {
    let team =
        EntityShape::new("Team", "team", key("TEAM#{team_id}", "TEAM"), const { &[TENANT, text("team_id")] });
    broken(
        &TABLE.with_entities(&[&team]),
        "KW0401: the partition key \"TEAM#{team_id}\" of `Team` in `App` does not hold the tenant, `organization_id`, so a query \
         could reach the items of another tenant. Put it into the partition key, or declare a deviation with its reason.",
    );
    let team = EntityShape::new(
        "Team",
        "team",
        key("ORG#{organization_id}", "TEAM"),
        const { &[TENANT, text("user_id")] },
    )
    .with_indexes(
        const { &[IndexEntryShape { index: "ByUser", key: IndexKey::Global(key("USER#{user_id}", "T")) }] },
    );
    let indexes =
        [IndexShape::global("ByUser", KeyAttribute::string("gpk"), Some(KeyAttribute::string("gsk")))];
    let table = TableShape { indexes: &indexes, ..TABLE };
    broken(
        &TableShape { entities: &[&team], ..table },
        "KW0401: the partition key \"USER#{user_id}\" of `Team` in index `ByUser` does not hold the tenant, `organization_id`, so \
         a query could reach the items of another tenant. Put it into the partition key, or declare a deviation with its reason.",
    );
    let deviating = team.with_deviations(
        const { &[DeviationShape { key: KeyPlace::Index("ByUser"), reason: "users span tenants" }] },
    );
    holds(&TableShape { entities: &[&deviating], ..table });
    let orphan = EntityShape::new("Orphan", "orphan", key("P", "O"), &[]);
    broken(
        &TABLE.with_entities(&[&orphan]),
        "KW0401: `Orphan` has no attribute `organization_id`, and `App` is shared by tenants: nothing says whose an item is. Add \
         the attribute, also where a key deviates.",
    );
}

#[test]
fn the_tenant_is_always_there() {
    let attributes: &[AttributeShape<'static>] =
        const { &[TENANT.with_presence(Presence::Sometimes), text("token")] };
    let share = EntityShape::new("Share", "share", key("SHARE#{token}", "S"), attributes)
        .with_deviations(const { &[DeviationShape { key: KeyPlace::Table, reason: "looked up" }] });
    broken(
        &TABLE.with_entities(&[&share]),
        "KW0401: `organization_id` of `Share` is optional, so an item may belong to no tenant. Make it an attribute that is always \
         there.",
    );
}

#[track_caller]
fn broken_deviation(
    partition_key: &'static str,
    deviations: &'static [DeviationShape<'static>],
    message: &str,
) {
    let share =
        EntityShape::new("Share", "share", key(partition_key, "S"), const { &[TENANT, text("token")] })
            .with_deviations(deviations);
    broken(&TABLE.with_entities(&[&share]), &format!("KW0402: `Share` declares a deviation{message}"));
}

#[test]
fn a_deviation_has_a_reason_and_is_needed() {
    const HERE: DeviationShape<'static> = DeviationShape { key: KeyPlace::Table, reason: "looked up" };
    broken_deviation(
        "SHARE#{token}",
        const { &[DeviationShape { key: KeyPlace::Table, reason: " " }] },
        " without a reason. Say why the key cannot hold the tenant, for whoever reviews it.",
    );
    broken_deviation("SHARE#{token}", const { &[HERE, HERE] }, " twice. Keep one.");
    broken_deviation(
        "ORG#{organization_id}",
        const { &[HERE] },
        ", but the partition key \"ORG#{organization_id}\" holds the tenant. Remove the deviation.",
    );
    broken_deviation(
        "SHARE#{token}",
        const { &[HERE, DeviationShape { key: KeyPlace::Index("ByToken"), reason: "looked up" }] },
        " in index `ByToken`, where it has no key. Remove it, or correct the index's name.",
    );
    let share = EntityShape::new("Share", "share", key("SHARE#{token}", "S"), const { &[text("token")] })
        .with_deviations(const { &[HERE] });
    broken(
        &TableShape::new("App").with_entities(&[&share]),
        "KW0402: `Share` declares a deviation, but `App` has no tenants to deviate from. Remove it, or declare the tenant \
         attribute of the table.",
    );
}

#[test]
fn tenants_share_no_partition() {
    // A token that is another tenant's id put the shared item into that tenant's partition, where its query found it.
    let share =
        EntityShape::new("Share", "share", key("{token}", "SHARE"), const { &[TENANT, text("token")] })
            .with_deviations(const { &[DeviationShape { key: KeyPlace::Table, reason: "looked up" }] });
    let team = EntityShape::new("Team", "team", key("{organization_id}", "TEAM"), const { &[TENANT] });
    broken(
        &TABLE.with_entities(&[&share, &team]),
        "KW0403: \"{token}\" of `Share` and \"{organization_id}\" of `Team` can be the same partition key, but do not hold the \
         tenant in the same place: one tenant's query would read another's items. Begin them with different literal text, or hold \
         the tenant in one place.",
    );
    let fixed =
        EntityShape::new("Share", "share", key("SHARE#{token}", "SHARE"), const { &[TENANT, text("token")] })
            .with_deviations(const { &[DeviationShape { key: KeyPlace::Table, reason: "looked up" }] });
    holds(&TABLE.with_entities(&[&fixed, &team]));
    let one =
        EntityShape::new("One", "one", key("X#{a}#{organization_id}", "ONE"), const { &[TENANT, text("a")] });
    let two =
        EntityShape::new("Two", "two", key("X#{organization_id}#{b}", "TWO"), const { &[TENANT, text("b")] });
    broken(
        &TABLE.with_entities(&[&one, &two]),
        "KW0403: \"X#{a}#{organization_id}\" of `One` and \"X#{organization_id}#{b}\" of `Two` can be the same partition key, but do \
         not hold the tenant in the same place: one tenant's query would read another's items. Begin them with different literal \
         text, or hold the tenant in one place.",
    );
}

#[test]
fn the_tenant_is_not_an_argument() {
    let team = EntityShape::new("Team", "team", key("ORG#{organization_id}", "TEAM"), const { &[TENANT] });
    let returns = [ReturnShape::whole("Team")];
    let given = [GivenShape::untyped("organization_id")];
    let pattern = PatternShape::query("Teams", &returns, &given);
    broken(
        &TableShape { entities: &[&team], patterns: &[&pattern], ..TABLE },
        "KW0404: `Teams` is given the tenant, `organization_id`. The tenant is the handle that the read goes through, not an \
         argument that a caller could change. Leave it out: it is implied in every key.",
    );
}

#[test]
fn a_pattern_says_whose_items_it_finds() {
    let share = EntityShape::new(
        "Share",
        "share",
        key("SHARE#{token}", "SHARE"),
        const { &[TENANT, text("token"), text("user_id")] },
    )
    .with_indexes(
        const {
            &[
                IndexEntryShape {
                    index: "ByUser",
                    key: IndexKey::Global(key("ORG#{organization_id}#USER#{user_id}", "S")),
                },
                IndexEntryShape {
                    index: "ByToken",
                    key: IndexKey::Local { sort_key: crate::application::template("{token}") },
                },
            ]
        },
    )
    .with_deviations(
        const { &[DeviationShape { key: KeyPlace::Table, reason: "the token is the lookup value" }] },
    );
    let indexes = [
        IndexShape::global("ByUser", KeyAttribute::string("gpk"), Some(KeyAttribute::string("gsk"))),
        IndexShape::local("ByToken", KeyAttribute::string("pk"), KeyAttribute::string("lsk")),
    ];
    let entities = [&share];
    let table = TableShape { indexes: &indexes, entities: &entities, ..TABLE };
    let token = [GivenShape::untyped("token")];
    let user = [GivenShape::untyped("user_id")];
    let by_token = PatternShape::query("SharedBy", const { &[ReturnShape::whole("Share")] }, &token);
    let by_user =
        PatternShape::query("SharedWith", const { &[ReturnShape::only("Share", &["token"])] }, &user)
            .with_index("ByUser");

    // A design in a file says nothing.
    holds(&TableShape { patterns: &[&by_token, &by_user], ..table });
    let across = by_token.with_tenants(TenantScope::AcrossTenants);
    let within = by_user.with_tenants(TenantScope::WithinTenant);
    holds(&TableShape { patterns: &[&across, &within], ..table });

    let anybodys = "KW0405: `SharedBy` finds `Share` by a key that does not hold the tenant, so what it finds may be anybody's. Say \
                    `across_tenants`: each item is then verified before it is used.";
    let silent = by_token.with_tenants(TenantScope::WithinTenant);
    broken(&TableShape { patterns: &[&silent], ..table }, anybodys);
    // The partition key of a local index is the table's.
    let local = PatternShape::query("SharedBy", const { &[ReturnShape::only("Share", &["token"])] }, &token)
        .with_index("ByToken")
        .with_tenants(TenantScope::WithinTenant);
    broken(&TableShape { patterns: &[&local], ..table }, anybodys);

    let needless = by_user.with_tenants(TenantScope::AcrossTenants);
    broken(
        &TableShape { patterns: &[&needless], ..table },
        "KW0405: `SharedWith` says that it reads across tenants, but the key by which it finds `Share` holds the tenant. Leave \
         `across_tenants` out.",
    );
    let alone = EntityShape::new("Alone", "alone", key("ALONE", "{token}"), const { &[text("token")] });
    let nobodys = PatternShape::query("All", const { &[ReturnShape::whole("Alone")] }, &[])
        .with_tenants(TenantScope::AcrossTenants);
    broken(
        &TableShape::new("App").with_entities(&[&alone]).with_patterns(&[&nobodys]),
        "KW0405: `All` says that it reads across tenants, but `App` has no tenants. Leave `across_tenants` out.",
    );
}

#[test]
fn a_filter_across_tenants_can_ask_for_the_tenant() {
    let member = EntityShape::new(
        "Member",
        "member",
        key("ORG#{organization_id}", "MEMBER#{user_id}"),
        const { &[TENANT, text("user_id"), text("email"), text("role")] },
    )
    .with_indexes(
        const {
            &[
                IndexEntryShape {
                    index: "ByEmail",
                    key: IndexKey::Global(key("EMAIL#{email}", "MEMBER#{user_id}")),
                },
                IndexEntryShape { index: "ByRole", key: IndexKey::Attributes },
            ]
        },
    )
    .with_deviations(
        const {
            &[
                DeviationShape { key: KeyPlace::Index("ByEmail"), reason: "who signs in has no tenant yet" },
                DeviationShape { key: KeyPlace::Index("ByRole"), reason: "support sees all owners" },
            ]
        },
    );
    let by_email =
        IndexShape::global("ByEmail", KeyAttribute::string("gpk"), Some(KeyAttribute::string("gsk")));
    let by_role = IndexShape::multi_attribute(
        "ByRole",
        const { &[KeyAttribute::string("role")] },
        const { &[KeyAttribute::string("organization_id")] },
    );
    let entities = [&member];
    let given = [GivenShape::untyped("email"), GivenShape::untyped("role")];
    let returns = [ReturnShape::only("Member", &["user_id"])];
    let plain = PatternShape::query("ByEmail", &returns, const { &[GivenShape::untyped("email")] })
        .with_index("ByEmail")
        .with_tenants(TenantScope::AcrossTenants);
    let filtered = PatternShape { given: &given, ..plain }
        .with_filter(FilterShape { attributes: &["role"], given: &["role"] });
    let indexes = |projected| [by_email.with_projection(Projection::Include(projected)), by_role];
    // What tells whose an item is, is read back from the key of the table, but a filter needs the attribute itself.
    let (without, with) = (indexes(&["role"]), indexes(&["role", "organization_id"]));
    let table = TableShape { entities: &entities, ..TABLE };
    holds(&TableShape { indexes: &without, patterns: &[&plain], ..table });
    holds(&TableShape { indexes: &with, patterns: &[&filtered], ..table });
    let said = "KW0306: `ByEmail` reads index `ByEmail`, which does not hold `organization_id`, by which a filter across tenants is asked of \
                one tenant's items only. Project it, or leave the filter out.";
    broken(&TableShape { indexes: &without, patterns: &[&filtered], ..table }, said);
    let of_a_caller = rule::not_projected::check_filter(&TableShape { indexes: &without, ..table }, &plain);
    assert_eq!(of_a_caller.expect("the index does not hold the tenant").as_str(), said);

    let owners = PatternShape::query("Owners", &returns, const { &[GivenShape::untyped("role")] })
        .with_index("ByRole")
        .with_tenants(TenantScope::AcrossTenants);
    let filtered = PatternShape { given: &given, ..owners }
        .with_filter(FilterShape { attributes: &["email"], given: &["email"] });
    let projected = [by_email, by_role.with_projection(Projection::Include(&["email"]))];
    holds(&TableShape { indexes: &projected, patterns: &[&owners], ..table });
    broken(
        &TableShape { indexes: &projected, patterns: &[&filtered], ..table },
        "KW0314: `Owners` filters across tenants, which asks for `organization_id`, and that is in the key that it reads by, where \
         DynamoDB refuses it. Read by a key without it, or leave the filter out.",
    );
}
