//! Numbers at their limits: the last one that is read, and the first one that is not.

use keywright_design::{DesignFile, ProblemKind};

const HEAD: &str = "[table.app]\npartition_key = \"pk\"\n";

/// Where a number stands (`@`), numbers that are read there, and numbers that are not.
const LIMITS: &[(&str, &[&str], &[&str])] = &[
    ("point_in_time_recovery = @", &["1", "35"], &["0", "36", "-1"]),
    (
        "billing = { on_demand = { read = @, write = 1 } }",
        &["1", "18446744073709551615"],
        &["0", "18446744073709551616"],
    ),
    ("billing = { on_demand = { read = 1, write = @ } }", &["1"], &["0"]),
    ("billing = { read = @, write = 1 }", &["1"], &["0", "-0"]),
    ("billing = { read = 1, write = @ }", &["1"], &["0"]),
    (
        "billing = { read = 1, write = 1, autoscaling = { target_percent = @, read = { least = 1, most = 1 }, write = { least = 1, most = 1 } } }",
        &["20", "90"],
        &["19", "91"],
    ),
    (
        "billing = { read = 1, write = 1, autoscaling = { target_percent = 70, read = { least = @, most = 5 }, write = { least = 1, most = 1 } } }",
        &["1", "5"],
        &["0", "6"],
    ),
    (
        "billing = { read = 1, write = 1, autoscaling = { target_percent = 70, read = { least = 1, most = 1 }, write = { least = 5, most = @ } } }",
        &["5"],
        &["4", "0"],
    ),
    ("[entity.a]\npartition_key = \"A\"\nshards = @", &["1", "1000"], &["0", "1001"]),
    ("[entity.a]\npartition_key = \"A\"\nshards = { count = @ }", &["1", "1000"], &["0", "1001"]),
    (
        "[entity.a]\npartition_key = \"A\"\nshards = { count = 5, earlier = [@] }",
        &["1", "1000"],
        &["0", "1001"],
    ),
    ("[entity.a]\npartition_key = \"A\"\naverage_size_bytes = @", &["1"], &["0"]),
    ("[entity.a]\npartition_key = \"A\"\nlargest_size_bytes = @", &["1"], &["0"]),
    ("[entity.a]\npartition_key = \"A\"\ncount = @", &["0"], &["-1"]),
    ("[entity.a]\npartition_key = \"A\"\ncount = { total = @ }", &["0"], &["-1"]),
    (
        "[entity.a]\npartition_key = \"A\"\nwrites = { per_second = @ }",
        &["0", "0.5", "-0.0", "1e9", "1_000_000_000"],
        &["-0.1", "inf", "nan", "1e308", "1_000_000_001", "1000000000.5"],
    ),
    (
        "[entity.a]\npartition_key = \"A\"\nattributes = { b = { type = \"string\", optional = @ } }",
        &["0", "0.0", "1", "1.0"],
        &["-0.1", "1.1", "nan"],
    ),
    ("[pattern.p]\nreturns = [\"a\"]\nlimit = @", &["1"], &["0"]),
    ("[pattern.p]\nreturns = [\"a\"]\noperation = { scan = \"a job\", most_items = @ }", &["1"], &["0"]),
    ("[pattern.p]\nreturns = [\"a\"]\nexpected = { items = @ }", &["0"], &["-1"]),
    ("[pattern.p]\nreturns = [\"a\"]\nexpected = { per_second_largest_key = @ }", &["0"], &["-1"]),
    (
        "[pattern.p]\nreturns = [\"a\"]\nfilter = { attributes = [\"b\"], keeps = @ }",
        &["0.001", "1"],
        &["0", "0.0", "1.01"],
    ),
    ("[write.w]\noperation = \"batch\"\nentities = [\"a\"]\nitems = @", &["1"], &["0"]),
    ("[consumer.c]\nneeds = \"keys\"\nbatch_size = @", &["1", "10000"], &["0", "10001"]),
    ("[consumer.c]\nneeds = \"keys\"\nwindow_seconds = @", &["0", "300"], &["-1", "301"]),
    ("[consumer.c]\nneeds = \"keys\"\nparallelization = @", &["1", "10"], &["0", "11"]),
    ("[consumer.c]\nneeds = \"keys\"\nretries = @", &["0", "10000"], &["-1", "10001"]),
];

#[test]
fn a_number_is_read_up_to_its_limit_and_refused_beyond_it() {
    for (place, read, refused) in LIMITS {
        for number in *read {
            let text = format!("{HEAD}{}\n", place.replace('@', number));
            DesignFile::parse(&text).unwrap_or_else(|problems| panic!("{text}{problems:#?}"));
        }
        for number in *refused {
            let text = format!("{HEAD}{}\n", place.replace('@', number));
            let Err(problems) = DesignFile::parse(&text) else { panic!("this is read: {text}") };
            let kinds: Vec<ProblemKind> = problems.iter().map(|problem| problem.kind).collect();
            assert_eq!(kinds, [ProblemKind::OutOfRange], "{text}{problems:#?}");
        }
    }
}

/// A file with a name in it.
type Written<'f> = &'f dyn Fn(&str) -> String;

#[test]
fn a_name_is_read_up_to_its_limit_and_refused_beyond_it() {
    let table = |name: &str| format!("[table.\"{name}\"]\npartition_key = \"pk\"\n");
    let index = |name: &str| format!("{HEAD}[table.app.index.\"{name}\"]\npartition_key = \"gsi1pk\"\n");
    let attribute = |name: &str| format!("[table.app]\npartition_key = \"{name}\"\n");
    let entity = |name: &str| format!("{HEAD}[entity.\"{name}\"]\npartition_key = \"A\"\n");
    let tag = |name: &str| format!("{HEAD}tags = {{ \"{name}\" = \"\" }}\n");
    let forms: [(Written<'_>, usize, usize); 5] =
        [(&table, 3, 255), (&index, 3, 255), (&attribute, 1, 255), (&entity, 1, 64), (&tag, 1, 128)];
    for (text, least, most) in forms {
        for length in [least, most] {
            let text = text(&"a".repeat(length));
            DesignFile::parse(&text).unwrap_or_else(|problems| panic!("{text}{problems:#?}"));
        }
        for length in [least - 1, most + 1] {
            let text = text(&"a".repeat(length));
            let Err(problems) = DesignFile::parse(&text) else { panic!("this is read: {text}") };
            assert!(problems.iter().all(|problem| problem.kind == ProblemKind::Malformed), "{problems:#?}");
        }
    }
}
