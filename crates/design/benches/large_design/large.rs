//! A design as large as a company's: 500 entities, each with four patterns, over as many tables as wanted.

const ENTITIES: usize = 500;

/// The text of the design, which verifies without errors.
pub(crate) fn design(tables: usize) -> String {
    let mut text = String::from("[tenancy]\nattribute = \"organization_id\"\n");
    for table in 0..tables {
        text.push_str(&table_section(table));
    }
    for entity in 0..ENTITIES {
        text.push_str(&entity_section(entity, entity % tables));
    }
    text
}

fn table_section(number: usize) -> String {
    format!(
        r#"
[table.table_{number}]
partition_key = "pk"
sort_key = "sk"
time_to_live = "expires_at"
stream = "new-and-old-images"
point_in_time_recovery = true
billing = "on-demand"
deletion_protection = true
alarms = ["consumed-read-capacity", "consumed-write-capacity", "throttled-requests"]
tags = {{ team = "bench" }}

[table.table_{number}.index.by_owner]
partition_key = "gsi1pk"
sort_key = "gsi1sk"
project = ["organization_id", "entity", "expires_at", "title"]
"#
    )
}

fn entity_section(number: usize, table: usize) -> String {
    format!(
        r#"
[entity.entity_{number}]
table = "table_{table}"
partition_key = "ORG#{{organization_id}}"
sort_key = "KIND{number}#{{id}}#AT#{{created_at}}"
index.by_owner = {{ partition_key = "ORG#{{organization_id}}#OWNER#{{owner}}", sort_key = "KIND{number}#{{created_at}}" }}
attributes = {{ id = "ulid", created_at = "timestamp", title = "string", body = "string?", version = "version" }}
average_size_bytes = 700
largest_size_bytes = 4000
count = {{ total = 100000, largest_tenant = 2000, largest_key = 2000 }}
writes = {{ per_second = 1, per_second_largest_tenant = 0.1 }}

[pattern.list_{number}]
returns = ["entity_{number}"]
sort_key = {{ starts_with = "KIND{number}" }}
limit = 50
expected = {{ items = 50, per_second = 2, per_second_largest_tenant = 0.5 }}

[pattern.by_id_{number}]
returns = ["entity_{number}"]
given = ["id"]
sort_key = {{ starts_with = "KIND{number}#{{id}}" }}
expected = {{ items = 3, per_second = 5, per_second_largest_tenant = 1 }}

[pattern.one_{number}]
operation = "get"
returns = ["entity_{number}"]
given = ["id", "created_at"]
sort_key = "KIND{number}#{{id}}#AT#{{created_at}}"
expected = {{ items = 1, per_second = 5, per_second_largest_tenant = 1 }}

[pattern.of_owner_{number}]
index = "by_owner"
returns = [{{ entity = "entity_{number}", attributes = ["id", "title", "created_at"] }}]
given = ["owner", "since", "until"]
sort_key = {{ range = "KIND{number}#{{created_at}}", from = "since", before = "until" }}
sorted_by = "created_at"
expected = {{ items = 10, per_second = 5, per_second_largest_tenant = 1 }}
"#
    )
}
