//! Keys of writes, of streams' consumers, and of exceptions.

use super::entity::{ENTITY_FORM, LOAD};
use crate::file::form::{Form, Key, Section};
use crate::file::texts::{ATTRIBUTE_NAME, RULE_CODE, TABLE_NAME, TEXT};
use crate::words;

/// `[write.NAME]`
pub(crate) static WRITE: Section = Section {
    called: "a write",
    keys: &[
        Key::required(
            "operation",
            Form::Word(&words::WRITE_OPERATIONS),
            "The operation that it is.",
            &["operation = \"transaction\""],
        ),
        Key::required(
            "entities",
            Form::list(&ENTITY_FORM),
            "The entities that it writes.",
            &["entities = [\"member\", \"invitation\"]"],
        )
        .also(&["entity", "writes"]),
        Key::optional(
            "items",
            Form::from(1),
            "the number of its entities",
            "Items that one call of a batch or a transaction writes.",
            &["items = 2"],
        )
        .also(&["count"]),
        Key::optional(
            "condition",
            Form::WordOrText(&words::WRITE_CONDITIONS),
            "none",
            "What must hold for it to be applied: a word, an expression, or the condition in words.",
            &["condition = \"if-absent\"", "condition = \"balance >= :cost\""],
        ),
        Key::optional(
            "once",
            Form::OneOf(&[Form::Word(&words::ONCE), Form::Table(&CLAIM), Form::Table(&NOT)]),
            "not said",
            "What makes it have effect once when it is tried again.",
            &[
                "once = \"token\"",
                "once = { claim = \"stripe_event\" }",
                "once = { not = \"a page view too many hurts nobody\" }",
            ],
        )
        .also(&["idempotent", "idempotency"]),
        Key::optional(
            "changes",
            Form::list(&Form::Text(&ATTRIBUTE_NAME)),
            "not said",
            "The attributes that an update changes.",
            &["changes = [\"state\"]"],
        )
        .also(&["sets", "updates", "attributes"]),
        Key::optional(
            "expected",
            Form::Table(&LOAD),
            "not known",
            "The expected load.",
            &["expected = { per_second = 2 }"],
        )
        .also(&["expect", "load", "traffic"]),
    ],
};

pub(crate) static CLAIM: Section = Section {
    called: "`once`",
    keys: &[Key::required(
        "claim",
        ENTITY_FORM,
        "The entity that holds the claim.",
        &["claim = \"stripe_event\""],
    )],
};

static NOT: Section = Section {
    called: "`once`",
    keys: &[Key::required(
        "not",
        Form::Text(&TEXT),
        "Why it may have effect twice.",
        &["not = \"a page view too many hurts nobody\""],
    )],
};

/// `[consumer.NAME]`
pub(crate) static CONSUMER: Section = Section {
    called: "a consumer",
    keys: &[
        Key::optional(
            "table",
            Form::Text(&TABLE_NAME),
            "the only table; a design with several must say",
            "The table whose stream it reads.",
            &["table = \"app\""],
        ),
        Key::required(
            "needs",
            Form::Word(&words::IMAGES),
            "What it needs of a record.",
            &["needs = \"both-images\""],
        )
        .also(&["view", "images"]),
        Key::optional(
            "batch_size",
            Form::Whole { least: 1, most: 10_000 },
            "the service's default",
            "Records in a batch at most: 1 to 10,000.",
            &["batch_size = 100"],
        ),
        Key::optional(
            "window_seconds",
            Form::Whole { least: 0, most: 300 },
            "the service's default",
            "Seconds that a batch waits to fill: 0 to 300.",
            &["window_seconds = 5"],
        )
        .also(&["window", "batch_window"]),
        Key::optional(
            "parallelization",
            Form::Whole { least: 1, most: 10 },
            "the service's default",
            "Batches of one shard that are handled at once: 1 to 10.",
            &["parallelization = 10"],
        )
        .also(&["parallelization_factor", "parallel"]),
        Key::optional(
            "retries",
            Form::Whole { least: 0, most: 10_000 },
            "until the record expires",
            "How often a batch is tried again: 0 to 10,000.",
            &["retries = 3"],
        )
        .also(&["retry", "maximum_retry_attempts"]),
        Key::optional(
            "idempotent_by",
            Form::Text(&TEXT),
            "not said",
            "What keeps a record that comes twice from having effect twice.",
            &["idempotent_by = \"the write id\""],
        )
        .also(&["idempotent", "idempotency"]),
        Key::optional(
            "dead_letters",
            Form::Text(&TEXT),
            "not said",
            "Where records go that fail again and again.",
            &["dead_letters = \"search-dlq\""],
        )
        .also(&["dlq", "dead_letter_queue", "on_failure"]),
    ],
};

/// `[[exception]]`
pub(crate) static EXCEPTION: Section = Section {
    called: "an exception",
    keys: &[
        Key::required("rule", Form::Text(&RULE_CODE), "The code of the rule.", &["rule = \"KW0601\""])
            .also(&["code"]),
        Key::required(
            "at",
            Form::Text(&TEXT),
            "The part of the design that is excepted, as its section is called.",
            &["at = \"pattern.feed\""],
        )
        .also(&["place", "where", "for"]),
        Key::required(
            "reason",
            Form::Text(&TEXT),
            "Why it is accepted.",
            &["reason = \"measured: 10 % of the expected load\""],
        )
        .also(&["why", "because"]),
    ],
};
