//! Keys of access patterns.

use super::entity::ENTITY_FORM;
use crate::file::form::{Form, Key, Lowest, Section};
use crate::file::texts::{ATTRIBUTE_NAME, GIVEN_NAME, INDEX_NAME, TABLE_NAME, TEMPLATE, TEXT};
use crate::words;

/// `[pattern.NAME]`
pub(crate) static PATTERN: Section = Section {
    called: "a pattern",
    keys: &[
        Key::optional(
            "operation",
            Form::OneOf(&[Form::Word(&words::OPERATIONS), Form::Table(&SCAN)]),
            "`query`",
            "The operation that it is: one GetItem, one Query, or a job that reads the whole table.",
            &["operation = \"get\"", "operation = { scan = \"the nightly integrity check\", most_items = 100000 }"],
        ),
        Key::optional(
            "asks",
            Form::Word(&words::QUESTIONS),
            "`items`",
            "What is asked: items, or something that DynamoDB does not answer by itself.",
            &["asks = \"count\""],
        ),
        Key::optional(
            "table",
            Form::Text(&TABLE_NAME),
            "that of the first entity that it returns",
            "The table that it reads.",
            &["table = \"app\""],
        ),
        Key::optional(
            "index",
            Form::Text(&INDEX_NAME),
            "the table itself",
            "The index that it reads.",
            &["index = \"by_user\""],
        ),
        Key::required(
            "returns",
            Form::list(&Form::OneOf(&[ENTITY_FORM, Form::Table(&RETURNED)])),
            "The entities that it returns, whole or some of their attributes.",
            &["returns = [\"team\", { entity = \"member\", attributes = [\"role\"] }]"],
        )
        .also(&["return", "entities", "entity"]),
        Key::optional(
            "skips",
            Form::list(&ENTITY_FORM),
            "nothing else lies in its range",
            "The entities that lie in its range too and that it leaves out.",
            &["skips = [\"task\"]"],
        )
        .also(&["skip"]),
        Key::optional(
            "given",
            Form::list(&Form::Text(&GIVEN_NAME)),
            "nothing but the tenant",
            "The values that the caller gives, by the names of the attributes in the templates. The tenant is never given: the \
             caller already is one.",
            &["given = [\"team_id\"]"],
        )
        .also(&["arguments", "parameters", "inputs", "by"]),
        Key::optional(
            "sort_key",
            Form::OneOf(&[
                Form::Text(&TEMPLATE),
                Form::Table(&EQUALS),
                Form::Table(&STARTS_WITH),
                Form::Table(&RANGE),
                Form::list(&Form::OneOf(&[Form::Text(&ATTRIBUTE_NAME), Form::Table(&ATTRIBUTE_CONDITION)])),
            ]),
            "all items of the partition key",
            "Which of the items it reads: one, those below a place of the hierarchy, or a range of the last component. A list has \
             conditions on the sort attributes of an index with several, from left to right.",
            &[
                "sort_key = \"TEAM#{team_id}\"",
                "sort_key = { starts_with = \"TEAM#{team_id}\" }",
                "sort_key = { range = \"TASK#{due_at}\", from = \"since\", before = \"until\" }",
                "sort_key = [\"region\", { attribute = \"city\", starts_with = \"beginning\" }]",
            ],
        )
        .also(&["sk", "range_key", "where", "condition"]),
        Key::optional(
            "order",
            Form::Word(&words::ORDERS),
            "`ascending`",
            "In which order of the sort key the items come.",
            &["order = \"descending\""],
        )
        .also(&["sort", "direction"]),
        Key::optional(
            "sorted_by",
            Form::Text(&ATTRIBUTE_NAME),
            "the caller expects no order",
            "The attribute by which the caller expects the items to be sorted.",
            &["sorted_by = \"due_at\""],
        )
        .also(&["sort_by", "order_by"]),
        Key::optional("limit", Form::from(1), "no limit", "The most items that a call returns.", &["limit = 50"])
            .also(&["max_items", "page_size"]),
        Key::optional(
            "filter",
            Form::Table(&FILTER),
            "nothing is left out",
            "What is left out after reading, and paid for.",
            &["filter = { attributes = [\"state\"], given = [\"state\"], keeps = 0.2 }"],
        )
        .also(&["filters"]),
        Key::optional(
            "consistency",
            Form::Word(&words::CONSISTENCIES),
            "`eventual`",
            "How current the answer is.",
            &["consistency = \"strong\""],
        )
        .also(&["consistent", "consistent_read"]),
        Key::optional(
            "expected",
            Form::Table(&EXPECTED),
            "not known",
            "The expected load.",
            &["expected = { items = 40, per_second = 200, per_second_largest_tenant = 50 }"],
        )
        .also(&["expect", "load", "traffic"]),
    ],
};

static SCAN: Section = Section {
    called: "a scan",
    keys: &[
        Key::required(
            "scan",
            Form::Text(&TEXT),
            "The job that reads the whole table, and why.",
            &["scan = \"the nightly integrity check\""],
        ),
        Key::optional(
            "most_items",
            Form::from(1),
            "no cap",
            "The most items that one run reads.",
            &["most_items = 100000"],
        )
        .also(&["max_items", "limit"]),
    ],
};

static RETURNED: Section = Section {
    called: "a returned entity",
    keys: &[
        Key::required("entity", ENTITY_FORM, "The entity.", &["entity = \"member\""]).also(&["name"]),
        Key::required(
            "attributes",
            Form::list(&Form::Text(&ATTRIBUTE_NAME)),
            "The attributes of it that are returned.",
            &["attributes = [\"role\", \"joined_at\"]"],
        )
        .also(&["attribute", "only", "fields"]),
    ],
};

/// `sort_key = { equals = .. }`
pub(crate) static EQUALS: Section = Section {
    called: "a sort key condition",
    keys: &[Key::required(
        "equals",
        Form::Text(&TEMPLATE),
        "The whole sort key.",
        &["equals = \"TEAM#{team_id}\""],
    )],
};

/// `sort_key = { starts_with = .. }`
pub(crate) static STARTS_WITH: Section = Section {
    called: "a sort key condition",
    keys: &[Key::required(
        "starts_with",
        Form::Text(&TEMPLATE),
        "The place of the hierarchy below which the items lie: whole segments.",
        &["starts_with = \"TEAM#{team_id}\""],
    )
    .also(&["begins_with", "prefix"])],
};

/// `sort_key = { range = .. }`
pub(crate) static RANGE: Section = Section {
    called: "a range of the sort key",
    keys: &[
        Key::required(
            "range",
            Form::Text(&TEMPLATE),
            "The sort key up to the component that lies in the range.",
            &["range = \"TASK#{due_at}\""],
        ),
        FROM,
        AFTER,
        THROUGH,
        BEFORE,
    ],
};

static ATTRIBUTE_CONDITION: Section = Section {
    called: "a condition on an attribute",
    keys: &[
        Key::required(
            "attribute",
            Form::Text(&ATTRIBUTE_NAME),
            "The attribute of the sort key.",
            &["attribute = \"city\""],
        )
        .also(&["name"]),
        Key::optional(
            "starts_with",
            Form::Text(&GIVEN_NAME),
            "a range",
            "The given value that it begins with.",
            &["starts_with = \"beginning\""],
        )
        .also(&["begins_with", "prefix"]),
        FROM,
        AFTER,
        THROUGH,
        BEFORE,
    ],
};

const FROM: Key = Key::optional(
    "from",
    Form::Text(&GIVEN_NAME),
    "no beginning",
    "The given value at which the range begins; it is in the range.",
    &["from = \"since\""],
)
.also(&["at_least", "gte"]);

const AFTER: Key = Key::optional(
    "after",
    Form::Text(&GIVEN_NAME),
    "no beginning",
    "The given value after which the range begins; it is not in the range.",
    &["after = \"since\""],
)
.also(&["above", "gt"]);

const THROUGH: Key = Key::optional(
    "through",
    Form::Text(&GIVEN_NAME),
    "no end",
    "The given value with which the range ends; it is in the range.",
    &["through = \"until\""],
)
.also(&["to", "at_most", "lte"]);

const BEFORE: Key = Key::optional(
    "before",
    Form::Text(&GIVEN_NAME),
    "no end",
    "The given value before which the range ends; it is not in the range.",
    &["before = \"until\""],
)
.also(&["below", "until", "lt"]);

static FILTER: Section = Section {
    called: "a filter",
    keys: &[
        Key::required(
            "attributes",
            Form::list(&Form::Text(&ATTRIBUTE_NAME)),
            "The attributes that it looks at.",
            &["attributes = [\"state\"]"],
        )
        .also(&["attribute", "on"]),
        Key::optional(
            "given",
            Form::list(&Form::Text(&GIVEN_NAME)),
            "it compares with nothing that is given",
            "The given values that it uses.",
            &["given = [\"state\"]"],
        ),
        Key::optional(
            "keeps",
            Form::Share(Lowest::AboveZero),
            "not known",
            "The share of the read items that it keeps.",
            &["keeps = 0.2"],
        )
        .also(&["keep", "selectivity"]),
    ],
};

static EXPECTED: Section = Section {
    called: "an expected load",
    keys: &[
        Key::optional(
            "items",
            Form::from(0),
            "not known",
            "Items that one call finds before its limit, all pages together.",
            &["items = 40"],
        )
        .also(&["count"]),
        Key::optional(
            "per_second",
            Form::Rate,
            "not known",
            "Calls a second, by all tenants together.",
            &["per_second = 200"],
        )
        .also(&["rps", "rate"]),
        Key::optional(
            "per_second_largest_tenant",
            Form::Rate,
            "not known",
            "Calls a second by the tenant that calls most.",
            &["per_second_largest_tenant = 50"],
        ),
        Key::optional(
            "per_second_largest_key",
            Form::Rate,
            "not known",
            "Calls a second for the partition key that is asked for most.",
            &["per_second_largest_key = 10"],
        ),
    ],
};
