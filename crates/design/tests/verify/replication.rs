//! KW08: what is said of replicated tables.

use crate::{TABLE, found};

fn replicated(consistency: &str, rest: &str) -> String {
    let table = TABLE
        .replace("time_to_live = \"expires_at\"", "time_to_live = false")
        .replace("stream = false", "stream = \"new-and-old-images\"")
        .replace("tenancy = false", "region = \"eu-west-1\"\ntenancy = false");
    format!(
        "{table}replication = {{ regions = [\"eu-west-2\", \"eu-central-1\"], consistency = \"{consistency}\" }}\n{rest}"
    )
}

fn entity(more: &str) -> String {
    format!("\n[entity.it]\npartition_key = \"IT#{{id}}\"\nsort_key = \"IT\"\n{more}\n")
}

#[test]
fn what_two_regions_could_both_decide_is_refused() {
    let decided_by_conditions = [
        "purpose = \"claim\"",
        "purpose = \"lock\"",
        "purpose = \"exact-counter\"",
        "purpose = \"approximate-counter\"",
        "attributes = { version = \"version\" }",
        "attributes = { views = \"counter\" }",
    ];
    for more in decided_by_conditions {
        assert_eq!(found(&replicated("eventual", &entity(more)), "KW0831"), ["entity.it"], "{more}");
        assert_eq!(found(&replicated("strong", &entity(more)), "KW0831"), [""; 0], "{more}");
    }
    assert_eq!(found(&replicated("eventual", &entity("")), "KW0831"), [""; 0]);
}

#[test]
fn a_write_is_not_refused_for_what_its_entity_was_refused_for() {
    let write = "\n[write.save]\noperation = \"put\"\nentities = [\"it\"]\ncondition = \"if-absent\"\n";
    let of_data = format!("{}{write}", entity(""));
    assert_eq!(found(&replicated("eventual", &of_data), "KW0831"), ["write.save.condition"]);
    let of_claim = format!("{}{write}", entity("purpose = \"claim\""));
    assert_eq!(found(&replicated("eventual", &of_claim), "KW0831"), ["entity.it"]);
}

#[test]
fn strong_consistency_takes_three_regions_of_one_set() {
    let strong = replicated("strong", &entity(""));
    assert_eq!(found(&strong, "KW0833"), [""; 0]);
    let over_the_sea = strong.replace("eu-central-1", "us-east-1");
    assert_eq!(found(&over_the_sea, "KW0833"), ["table.app.replication.regions"]);
    let two = strong.replace(", \"eu-central-1\"", "");
    assert_eq!(found(&two, "KW0833"), ["table.app.replication.regions"]);
}
