//! Bills, against prices of <https://aws.amazon.com/dynamodb/pricing/> as the price list has them.

use keywright_design::cost::{CapacityMode, Figure, PriceList, Priced};
use keywright_design::model::TableClass;

use super::{assert_money, entity, known, one_entity, pattern, table, write};

fn price(region: &str, class: TableClass, priced: Priced) -> Figure {
    PriceList::current().price(region, class, priced)
}

#[test]
fn the_price_list_names_its_date_its_source_and_its_regions() {
    let list = PriceList::current();
    assert!(list.published.starts_with("20") && list.source.contains("https://"), "{list:?}");
    assert!(list.regions().count() >= 3);
    for (region, prices) in list.regions() {
        assert!(!prices.source.is_empty(), "{region}");
        assert!(price(region, TableClass::Standard, Priced::WriteRequest).known().is_some(), "{region}");
    }
    assert!(list.regions().any(|(region, _)| region == list.default_region));
}

// <https://aws.amazon.com/dynamodb/pricing/on-demand/> after the cut of November 2024, N. Virginia: a million writes are 0.625 dollars, a million
// reads 0.125; with strong consistency a read is a unit, without half a unit.
#[test]
fn a_million_units_have_their_price() {
    assert_money(&price("us-east-1", TableClass::Standard, Priced::WriteRequest).scaled(1e6), 0.625);
    assert_money(&price("us-east-1", TableClass::Standard, Priced::ReadRequest).scaled(1e6), 0.125);
    assert_money(&price("us-east-1", TableClass::InfrequentAccess, Priced::WriteRequest).scaled(1e6), 0.78);
    assert_money(&price("eu-west-1", TableClass::Standard, Priced::WriteRequest).scaled(1e6), 0.705);
}

// <https://aws.amazon.com/dynamodb/pricing/provisioned/>: 0.00065 dollars for a write unit an hour, 0.00013 for a read unit. 100 of each for a month of
// 730 hours: 47.45 and 9.49.
#[test]
fn provisioned_units_are_paid_by_the_hour() {
    let fixed = one_entity(500, "count = 10\nwrites = { per_second = 10 }\n[pattern.all]\nreturns = [\"item\"]\ngiven = [\"group_id\"]\n\
                             expected = { items = 10, per_second = 10 }\n")
        .replace("sort_key = \"sk\"\n", "sort_key = \"sk\"\nbilling = { read = 100, write = 100 }\n");
    let cost = table(&fixed, "app");
    assert_money(&cost.provisioned.writes, 47.45);
    assert_money(&cost.provisioned.reads, 9.49);
}

// By hand, on demand: 10 writes a second of 1 KB are 26,280,000 units a month, 16.425 dollars; 100 queries of 10 KB a second read eventually are 1.5
// units each, 394,200,000 units, 49.275 dollars.
#[test]
fn a_load_on_demand_is_units_of_a_month_times_the_price() {
    let text = one_entity(
        1_000,
        "count = 1000000\nwrites = { per_second = 10 }\n[pattern.many]\nreturns = [\"item\"]\ngiven = [\"group_id\"]\n\
         expected = { items = 10, per_second = 100 }\n",
    );
    assert_money(&entity(&text, "item").on_demand_per_month, 16.425);
    assert_money(&pattern(&text, "many").on_demand_per_month, 49.275);
    let cost = table(&text, "app");
    assert_money(&cost.on_demand.writes, 16.425);
    assert_money(&cost.on_demand.reads, 49.275);
    // 1,100,000,000 bytes with the overhead of items, of 2^30 to the gigabyte, 0.25 dollars each.
    assert_money(&cost.on_demand.storage, 1.1e9 / 1_073_741_824.0 * 0.25);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/AutoScaling.html>: provisioned units follow the load at the target. 10 write units a
// second at 70 % are 15 provisioned (14.3 rounded up), 150 read units 215.
#[test]
fn auto_scaling_provisions_the_load_divided_by_its_target() {
    let text = one_entity(
        1_000,
        "count = 10\nwrites = { per_second = 10 }\n[pattern.many]\nreturns = [\"item\"]\ngiven = [\"group_id\"]\n\
         expected = { items = 10, per_second = 100 }\n",
    );
    let cost = table(&text, "app");
    assert_eq!(known(&cost.own.provisioned_write_units), 15.0);
    assert_eq!(known(&cost.own.provisioned_read_units), 215.0);
    assert_money(&cost.provisioned.writes, 15.0 * 730.0 * 0.00065);
    let scaled = text.replace(
        "sort_key = \"sk\"\n",
        "sort_key = \"sk\"\nbilling = { read = 5, write = 5, autoscaling = { target_percent = 50, read = { least = 5, most = 200 }, write = { least = 40, most = 100 } } }\n",
    );
    let cost = table(&scaled, "app");
    assert_eq!(known(&cost.own.provisioned_write_units), 40.0, "not below the least");
    assert_eq!(known(&cost.own.provisioned_read_units), 200.0, "not above the most");
}

// By hand: a unit that is used all the time costs 0.00065 dollars an hour provisioned and 3,600 * 0.000000625 = 0.00225 on demand, so provisioned is cheaper
// where 28.9 % of the units are used.
#[test]
fn the_cheaper_mode_is_named_with_the_point_where_it_changes() {
    let busy = table(&one_entity(1_000, "count = 10\nwrites = { per_second = 100 }\n"), "app");
    assert_eq!(busy.modes.cheaper, Some(CapacityMode::Provisioned));
    assert!((known(&busy.modes.break_even_utilization) - 0.00065 / 0.00225).abs() < 1e-9);
    assert!(
        busy.modes.because.contains("29 %") && busy.modes.because.contains("41 %"),
        "{}",
        busy.modes.because
    );
    // One write in ten seconds does not fill the one unit that there is at least.
    let quiet = table(&one_entity(1_000, "count = 10\nwrites = { per_second = 0.1 }\n"), "app");
    assert_eq!(quiet.modes.cheaper, Some(CapacityMode::OnDemand));
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CostOptimization_TableClass.html>: the class infrequent-access has cheaper storage and
// dearer requests. 1 TB that is hardly asked for.
#[test]
fn a_table_that_is_mostly_stored_is_cheaper_as_infrequent_access() {
    let stored = table(&one_entity(900, "count = 1073741824\nwrites = { per_second = 1 }\n"), "app");
    assert_money(&stored.on_demand.storage, 1_000.0 * 0.25);
    assert!(known(&stored.classes.infrequent_access) < known(&stored.classes.standard) / 2.0);
    let busy = table(&one_entity(900, "count = 1000\nwrites = { per_second = 1000 }\n"), "app");
    assert!(known(&busy.classes.infrequent_access) > known(&busy.classes.standard));
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamodbDisasterRecoveryStrategy.html>: point-in-time recovery is 0.20 dollars a
// gigabyte and month however many days it reaches back, a kept backup 0.10. Global indexes are not in it.
#[test]
fn recovery_costs_by_the_size_of_the_table() {
    let of = |backup: &str| {
        let text = one_entity(900, "count = 1073741824\nwrites = { per_second = 1 }\n")
            .replace("sort_key = \"sk\"\n", &format!("sort_key = \"sk\"\n{backup}\n"));
        table(&text, "app").on_demand.recovery
    };
    assert_money(&of("point_in_time_recovery = true"), 200.0);
    assert_money(&of("point_in_time_recovery = 7"), 200.0);
    assert_money(&of("backup = { schedule = \"nightly\" }"), 100.0);
    assert_money(&of("point_in_time_recovery = false"), 0.0);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/global-tables-billing.html>: each write of a global table is a replicated write unit in
// every region. The price of one region only is in the list, so a replica elsewhere is unknown, not free.
#[test]
fn a_replica_pays_for_every_write_again() {
    let text = |region: &str| {
        one_entity(1_000, "count = 10\n[write.put]\noperation = \"put\"\nentities = [\"item\"]\nexpected = { per_second = 1 }\n").replace(
            "sort_key = \"sk\"\n",
            &format!("sort_key = \"sk\"\nreplication = {{ regions = [\"{region}\"], consistency = \"eventual\" }}\n"),
        )
    };
    let units = 730.0 * 3_600.0;
    assert_money(&write(&text("ap-northeast-2"), "put").on_demand_per_month, units * (0.625e-6 + 0.68e-6));
    let unknown = write(&text("sa-east-1"), "put").on_demand_per_month.to_string();
    assert_eq!(
        unknown,
        "unknown, because the price list has no price of replicated write request units in `sa-east-1`"
    );
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html>: what expires is deleted free of write units in its own region, and the copy of
// the delete in a replica is a replicated write there.
#[test]
fn what_expires_is_deleted_for_nothing_but_in_replicas() {
    let session = "tenancy = false\n\n[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"\ntime_to_live = \"expires_at\"\n\n\
                   [entity.session]\npartition_key = \"SESSION#{session_id}\"\nsort_key = \"SESSION\"\n\
                   attributes = { expires_at = \"time-to-live\" }\naverage_size_bytes = 500\ncount = 100\nwrites = { per_second = 1 }\n";
    let units = 730.0 * 3_600.0;
    assert_money(&entity(session, "session").on_demand_per_month, units * 0.625e-6);
    let replicated = session.replace(
        "time_to_live",
        "replication = { regions = [\"ap-northeast-2\"], consistency = \"eventual\" }\ntime_to_live",
    );
    assert_money(&entity(&replicated, "session").on_demand_per_month, units * (0.625e-6 + 0.68e-6 + 0.68e-6));
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CostOptimization_StreamsUsage.html>: a call of GetRecords is a stream read unit, free for
// Lambda. One shard asked once a second: 2,628,000 calls, 0.02 dollars for 100,000.
#[test]
fn a_stream_is_paid_by_who_asks_for_its_records() {
    let text =
        one_entity(500, "").replace("sort_key = \"sk\"\n", "sort_key = \"sk\"\nstream = \"new-image\"\n");
    assert_money(&table(&text, "app").stream_reads.unwrap(), 0.5256);
    assert!(table(&one_entity(500, ""), "app").stream_reads.is_none());
}

#[test]
fn a_region_that_the_list_does_not_have_gives_units_and_no_price() {
    let text = format!(
        "region = \"mars-north-1\"\n{}",
        one_entity(1_000, "count = 10\nwrites = { per_second = 10 }\n")
    );
    let cost = entity(&text, "item");
    assert_eq!(known(&cost.units_per_second), 10.0);
    assert!(cost.on_demand_per_month.to_string().contains("mars-north-1"), "{}", cost.on_demand_per_month);
}
