//! Keys of entities.

use crate::file::form::{Form, Key, Lowest, Section};
use crate::file::texts::{ATTRIBUTE_NAME, ENTITY_NAME, INDEX_NAME, TABLE_NAME, TEMPLATE, TEXT};
use crate::words;

/// `[entity.NAME]`
pub(crate) static ENTITY: Section = Section {
    called: "an entity",
    keys: &[
        Key::optional(
            "table",
            Form::Text(&TABLE_NAME),
            "the only table; a design with several must say",
            "The table that holds it.",
            &["table = \"app\""],
        ),
        Key::required(
            "partition_key",
            Form::Text(&TEMPLATE),
            "The template of its partition key: text, and attributes in braces.",
            &["partition_key = \"ORG#{organization_id}\""],
        )
        .also(&["pk", "hash_key"]),
        Key::optional(
            "sort_key",
            Form::Text(&TEMPLATE),
            "no sort key, in a table without one",
            "The template of its sort key.",
            &["sort_key = \"TEAM#{team_id}#MEMBER#{user_id}\""],
        )
        .also(&["sk", "range_key"]),
        Key::optional(
            "discriminator",
            Form::Text(&TEXT),
            "its name",
            "What the discriminator attribute of its items says.",
            &["discriminator = \"member\""],
        ),
        SHARDS,
        Key::optional(
            "index",
            Form::Map { names: &INDEX_NAME, of: &Form::OneOf(&[Form::Table(&ENTRY), Form::True]) },
            "in no index",
            "Its keys in indexes, each under the index's name. `true` is for an index on the items' own attributes.",
            &[
                "index.by_user = { partition_key = \"USER#{user_id}\", sort_key = \"{joined_at}\" }",
                "index.by_name = { sort_key = \"{name}\" }",
                "index.by_country = true",
            ],
        )
        .also(&["indexes", "indices", "gsi"]),
        Key::optional(
            "attributes",
            Form::Map { names: &ATTRIBUTE_NAME, of: &ATTRIBUTE_FORM },
            "those in its templates alone",
            "Its attributes and what they hold; `?` after a type is for attributes that not every item has. Those in templates that \
             are not listed are strings that every item has.",
            &[
                "attributes = { role = \"string\", joined_at = \"timestamp\", nickname = \"string?\" }",
                "attributes = { state = [\"open\", \"done\"], owner = { type = \"string\", optional = 0.05 } }",
            ],
        )
        .also(&["attribute", "fields", "columns"]),
        Key::optional(
            "average_size_bytes",
            Form::from(1),
            "not known",
            "How large its items are on average, in bytes as DynamoDB counts them.",
            &["average_size_bytes = 400"],
        )
        .also(&["size", "size_bytes", "average_size", "item_size"]),
        Key::optional(
            "largest_size_bytes",
            Form::from(1),
            "not known",
            "How large the largest item is, in bytes.",
            &["largest_size_bytes = 2000"],
        )
        .also(&["max_size_bytes", "maximum_size_bytes", "largest_size"]),
        Key::optional(
            "count",
            Form::OneOf(&[Form::from(0), Form::Table(&COUNT)]),
            "not known",
            "How many items there are.",
            &["count = 1000000", "count = { total = 1000000, largest_tenant = 50000, largest_key = 2000 }"],
        )
        .also(&["items", "item_count"]),
        Key::optional(
            "writes",
            Form::Table(&LOAD),
            "not known",
            "How often its items are written, where no write of its own says so.",
            &["writes = { per_second = 5, per_second_largest_tenant = 2, per_second_largest_key = 1 }"],
        )
        .also(&["write", "load"]),
        Key::optional(
            "purpose",
            Form::Word(&words::PURPOSES),
            "`data`",
            "What it is there for, where that has rules of its own.",
            &["purpose = \"audit\""],
        )
        .also(&["kind", "role"]),
    ],
};

/// Over how many partition keys items are spread, in the table or in an index.
const SHARDS: Key = Key::optional(
    "shards",
    SHARDS_FORM,
    "1: not spread",
    "Over how many partition keys the items of one are spread, 1 to 1,000, and the numbers they were written with earlier.",
    &["shards = 10", "shards = { count = 10, earlier = [1, 3] }"],
);

const SHARDS_FORM: Form = Form::OneOf(&[Form::Whole { least: 1, most: 1000 }, Form::Table(&SHARD_COUNTS)]);

static SHARD_COUNTS: Section = Section {
    called: "`shards`",
    keys: &[
        Key::required(
            "count",
            Form::Whole { least: 1, most: 1000 },
            "The number that items are written with.",
            &["count = 10"],
        ),
        Key::optional(
            "earlier",
            Form::list(&Form::Whole { least: 1, most: 1000 }),
            "none",
            "The numbers that items were written with earlier; 1 is without shards.",
            &["earlier = [1, 3]"],
        ),
    ],
};

static ENTRY: Section = Section {
    called: "an entity's key in an index",
    keys: &[
        Key::optional(
            "partition_key",
            Form::Text(&TEMPLATE),
            "the table's, in a local index",
            "The template of its partition key in a global index.",
            &["partition_key = \"USER#{user_id}\""],
        )
        .also(&["pk", "hash_key"]),
        Key::optional(
            "sort_key",
            Form::Text(&TEMPLATE),
            "no sort key, in an index without one",
            "The template of its sort key in the index.",
            &["sort_key = \"{joined_at}\""],
        )
        .also(&["sk", "range_key"]),
        SHARDS,
    ],
};

static ATTRIBUTE_FORM: Form = Form::OneOf(&[
    Form::OptionalWord(&words::VALUE_TYPES),
    Form::list(&Form::Text(&TEXT)),
    Form::Table(&ATTRIBUTE),
]);

static ATTRIBUTE: Section = Section {
    called: "an attribute",
    keys: &[
        Key::required(
            "type",
            Form::OneOf(&[Form::Word(&words::VALUE_TYPES), Form::list(&Form::Text(&TEXT))]),
            "What it holds: a type, or the words that it can be.",
            &["type = \"string\"", "type = [\"open\", \"done\"]"],
        ),
        Key::optional(
            "optional",
            Form::OneOf(&[Form::Boolean, Form::Share(Lowest::Zero)]),
            "every item has it",
            "Whether some items do not have it, or the share of items that do.",
            &["optional = true", "optional = 0.05"],
        ),
        Key::optional(
            "average_bytes",
            Form::from(1),
            "estimated: 36 for text in a key; other text, lists and maps share what the item has left",
            "How large its value is on average, in bytes. Say it where an index projects a short text of an item with a long one.",
            &["average_bytes = 5500"],
        )
        .also(&["size", "bytes", "average_size_bytes", "size_bytes"]),
    ],
};

static COUNT: Section = Section {
    called: "`count`",
    keys: &[
        Key::optional("total", Form::from(0), "not known", "In the whole table.", &["total = 1000000"]),
        Key::optional(
            "largest_tenant",
            Form::from(0),
            "not known",
            "Of the tenant that has the most.",
            &["largest_tenant = 50000"],
        ),
        Key::optional(
            "largest_key",
            Form::from(0),
            "not known",
            "With the partition key that has the most.",
            &["largest_key = 2000"],
        ),
    ],
};

/// The expected load of writes.
pub(super) static LOAD: Section = Section {
    called: "a write load",
    keys: &[
        Key::optional(
            "per_second",
            Form::Rate,
            "not known",
            "Writes a second, by all tenants together.",
            &["per_second = 5"],
        ),
        Key::optional(
            "per_second_largest_tenant",
            Form::Rate,
            "not known",
            "Writes a second by the tenant that writes most.",
            &["per_second_largest_tenant = 2"],
        ),
        Key::optional(
            "per_second_largest_key",
            Form::Rate,
            "not known",
            "Writes a second to the partition key that is written most.",
            &["per_second_largest_key = 1"],
        ),
    ],
};

/// The name of an entity, where others refer to it.
pub(super) const ENTITY_FORM: Form = Form::Text(&ENTITY_NAME);
