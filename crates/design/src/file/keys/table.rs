//! Keys of tables and their indexes.

use super::billing::{ON_DEMAND, PROVISIONED};
use crate::file::form::{Form, Key, Section, Twice};
use crate::file::texts::{ANY_TEXT, ATTRIBUTE_NAME, DELIMITER, INDEX_NAME, REGION, TAG_NAME, TEXT};
use crate::words;

/// `[table.NAME]`
pub(crate) static TABLE: Section = Section {
    called: "a table",
    keys: &[
        Key::required(
            "partition_key",
            KEY_ATTRIBUTE_FORM,
            "The attribute that is its partition key; a string, unless its type is written.",
            &["partition_key = \"pk\"", "partition_key = { name = \"id\", type = \"number\" }"],
        )
        .also(&["hash_key", "primary_key", "pk", "key"]),
        Key::optional(
            "sort_key",
            KEY_ATTRIBUTE_FORM,
            "no sort key",
            "The attribute that is its sort key.",
            &["sort_key = \"sk\"", "sort_key = { name = \"at\", type = \"number\" }"],
        )
        .also(&["range_key", "sk"]),
        Key::optional(
            "discriminator",
            Form::Text(&ATTRIBUTE_NAME),
            "`entity`",
            "The attribute that says which entity an item is.",
            &["discriminator = \"entity\""],
        )
        .also(&["type_attribute", "entity_type"]),
        Key::optional(
            "delimiter",
            Form::Text(&DELIMITER),
            "`#`",
            "The character that joins the segments of keys, for tables that exist already.",
            &["delimiter = \"#\""],
        )
        .also(&["separator"]),
        Key::optional(
            "timestamps",
            Form::Word(&words::TIMESTAMP_FORMATS),
            "as RFC 3339, with the precision of each type",
            "How timestamps in keys are written, for tables that exist already.",
            &["timestamps = \"unix-seconds\""],
        )
        .also(&["timestamp", "timestamp_format"]),
        Key::optional(
            "letter_case",
            Form::Word(&words::LETTER_CASES),
            "each type's own",
            "The case of text, ULIDs, UUIDs and bytes in keys, for tables that exist already.",
            &["letter_case = \"lower\""],
        )
        .also(&["case"]),
        Key::optional(
            "time_to_live",
            Form::OneOf(&[Form::Text(&ATTRIBUTE_NAME), Form::False]),
            "nobody has decided, which is reported",
            "The attribute at which items expire; `false` if none do.",
            &["time_to_live = \"expires_at\"", "time_to_live = false"],
        )
        .also(&["ttl", "expires", "expiry"]),
        Key::optional(
            "stream",
            Form::OneOf(&[Form::Word(&words::STREAM_VIEWS), Form::False]),
            "nobody has decided, which is reported",
            "What a record of its stream carries; `false` for no stream.",
            &["stream = \"new-and-old-images\"", "stream = false"],
        )
        .also(&["streams", "stream_view", "stream_view_type"]),
        Key::optional(
            "point_in_time_recovery",
            Form::OneOf(&[Form::Whole { least: 1, most: 35 }, Form::Boolean]),
            "nobody has decided, which is reported unless `backup` says how items come back",
            "The days that it can be restored to any second of, 1 to 35: `true` is 35, `false` is none.",
            &[
                "point_in_time_recovery = true",
                "point_in_time_recovery = 7",
                "point_in_time_recovery = false",
            ],
        )
        .also(&["pitr"]),
        Key::optional(
            "backup",
            Form::Table(&BACKUP),
            "no backups on a schedule",
            "Exports or backups on a schedule, where point-in-time recovery is not enough or not there.",
            &["backup = { schedule = \"nightly export to S3\" }"],
        )
        .also(&["backups"]),
        Key::optional(
            "billing",
            Form::OneOf(&[Form::Word(&words::BILLING), Form::Table(&PROVISIONED), Form::Table(&ON_DEMAND)]),
            "nobody has decided, which is reported",
            "How its capacity is paid for: on demand, with a ceiling or without, or provisioned.",
            &[
                "billing = \"on-demand\"",
                "billing = { on_demand = { read = 4000, write = 2000 } }",
                "billing = { read = 100, write = 50 }",
            ],
        )
        .also(&["billing_mode", "capacity", "capacity_mode", "provisioned", "on_demand"]),
        Key::optional(
            "deletion_protection",
            Form::Boolean,
            "nobody has decided, which is reported",
            "Whether it can be deleted only after its protection is taken away.",
            &["deletion_protection = true"],
        ),
        Key::optional(
            "alarms",
            Form::OneOf(&[Form::list(&Form::Word(&words::ALARMS)), Form::False]),
            "nobody has decided, which is reported",
            "What wakes somebody; `false` for nothing.",
            &[
                "alarms = [\"consumed-read-capacity\", \"consumed-write-capacity\", \"throttled-requests\"]",
                "alarms = false",
            ],
        )
        .also(&["alarm", "alerts"]),
        Key::optional(
            "class",
            Form::Word(&words::TABLE_CLASSES),
            "`standard`",
            "Where its storage stands between price and price of access.",
            &["class = \"infrequent-access\""],
        )
        .also(&["table_class"]),
        Key::optional(
            "tags",
            Form::Map { names: &TAG_NAME, of: &Form::Text(&ANY_TEXT) },
            "no tags",
            "Its tags, for the bill and for policies.",
            &["tags = { team = \"billing\" }"],
        ),
        Key::optional(
            "replication",
            Form::Table(&REPLICATION),
            "one region",
            "The other regions that hold it.",
            &["replication = { regions = [\"eu-west-1\"], consistency = \"eventual\" }"],
        )
        .also(&["replicas", "global", "global_table"]),
        Key::optional(
            "index",
            Form::Map { names: &INDEX_NAME, of: &Form::Table(&INDEX) },
            "no indexes",
            "Its secondary indexes, each under its name: 3 to 255 letters, digits, `_`, `-` or `.`.",
            &["[table.app.index.by_user]\npartition_key = \"gsi1pk\""],
        )
        .also(&["indexes", "indices", "gsi", "lsi", "global_secondary_index"]),
    ],
};

/// `[table.NAME.index.NAME]`
pub(crate) static INDEX: Section = Section {
    called: "an index",
    keys: &[
        Key::optional(
            "local",
            Form::Boolean,
            "`false`: a global index",
            "Whether it is in the partitions of the table, with the table's partition key.",
            &["local = true"],
        ),
        Key::optional(
            "partition_key",
            INDEX_KEY_FORM,
            "the table's, for a local index; a global one must have it",
            "A name is an attribute that entities render a template into. A list is one to four attributes that items have anyway.",
            &["partition_key = \"gsi1pk\"", "partition_key = [\"country\", { name = \"year\", type = \"number\" }]"],
        )
        .also(&["hash_key", "pk"]),
        Key::optional(
            "sort_key",
            INDEX_KEY_FORM,
            "no sort key; a local index must have it",
            "The same for its sort key: a name where the partition key is a name, a list of up to four where it is a list.",
            &["sort_key = \"gsi1sk\"", "sort_key = [\"city\", { name = \"founded\", type = \"number\" }]"],
        )
        .also(&["range_key", "sk"]),
        Key::optional(
            "project",
            Form::OneOf(&[
                Form::Word(&words::PROJECTIONS),
                Form::list(&Form::Text(&ATTRIBUTE_NAME)),
                Form::Table(&PROJECT_ALL),
            ]),
            "`keys-only`",
            "What it holds beside the keys: attributes, nothing, or everything for a reason.",
            &["project = [\"role\"]", "project = \"keys-only\"", "project = { all = \"its lists show whole items\" }"],
        )
        .also(&["projection", "projects", "include"]),
        Key::optional(
            "capacity",
            Form::Table(&PROVISIONED),
            "the same as the table's",
            "What is provisioned for a global index of a table that is provisioned.",
            &["capacity = { read = 10, write = 5 }"],
        )
        .also(&["billing", "provisioned"]),
    ],
};

const KEY_ATTRIBUTE_FORM: Form = Form::OneOf(&[Form::Text(&ATTRIBUTE_NAME), Form::Table(&KEY_ATTRIBUTE)]);

const INDEX_KEY_FORM: Form = Form::OneOf(&[
    Form::Text(&ATTRIBUTE_NAME),
    Form::Table(&KEY_ATTRIBUTE),
    Form::List { of: &KEY_ATTRIBUTE_FORM, twice: Twice::Refused },
]);

static KEY_ATTRIBUTE: Section = Section {
    called: "a key attribute",
    keys: &[
        Key::required("name", Form::Text(&ATTRIBUTE_NAME), "Its name.", &["name = \"pk\""])
            .also(&["attribute"]),
        Key::optional("type", Form::Word(&words::KEY_TYPES), "`string`", "Its type.", &["type = \"number\""]),
    ],
};

static BACKUP: Section = Section {
    called: "`backup`",
    keys: &[Key::required(
        "schedule",
        Form::Text(&TEXT),
        "When, and where to, in words.",
        &["schedule = \"nightly export to S3\""],
    )],
};

static REPLICATION: Section = Section {
    called: "`replication`",
    keys: &[
        Key::required(
            "regions",
            Form::list(&Form::Text(&REGION)),
            "The regions beside the design's own.",
            &["regions = [\"eu-west-1\"]"],
        )
        .also(&["region", "replicas"]),
        Key::optional(
            "consistency",
            Form::Word(&words::REPLICATION),
            "`eventual`",
            "What a reader in another region sees.",
            &["consistency = \"eventual\""],
        ),
    ],
};

static PROJECT_ALL: Section = Section {
    called: "a projection of everything",
    keys: &[Key::required(
        "all",
        Form::Text(&TEXT),
        "Why everything: each write is paid for twice.",
        &["all = \"its lists show whole items\""],
    )],
};
