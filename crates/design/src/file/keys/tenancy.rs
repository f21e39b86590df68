//! Keys of the tenancy.

use crate::file::form::{Form, Key, Section};
use crate::file::texts::{ATTRIBUTE_NAME, ENTITY_NAME, INDEX_NAME, TEXT};

/// `[tenancy]`
pub(crate) static TENANCY: Section = Section {
    called: "the tenancy",
    keys: &[
        Key::required(
            "attribute",
            Form::Text(&ATTRIBUTE_NAME),
            "The attribute that says whose an item is. It is in every partition key that is no deviation.",
            &["attribute = \"organization_id\""],
        )
        .also(&["tenant", "tenant_attribute", "key"]),
        Key::optional(
            "deviations",
            Form::list(&Form::Table(&DEVIATION)),
            "none",
            "The keys that do without the tenant.",
            &["deviations = [{ entity = \"share_token\", reason = \"the token is the lookup value\" }]"],
        )
        .also(&["deviation", "except", "exceptions"]),
    ],
};

static DEVIATION: Section = Section {
    called: "a deviation",
    keys: &[
        Key::required("entity", Form::Text(&ENTITY_NAME), "The entity.", &["entity = \"share_token\""]),
        Key::optional(
            "index",
            Form::Text(&INDEX_NAME),
            "its key in the table",
            "The index in which the entity's key does without the tenant.",
            &["index = \"by_email\""],
        ),
        Key::optional(
            "reason",
            Form::Text(&TEXT),
            "no reason, which is reported",
            "Why the key does without the tenant.",
            &["reason = \"the token is the lookup value\""],
        ),
        Key::optional(
            "bearer",
            Form::Text(&TEXT),
            "the item's tenant attribute is compared with the caller's tenant at every read",
            "Why whoever has the value may see the item, whichever tenant they belong to.",
            &["bearer = \"whoever has the link may see the page\""],
        ),
    ],
};
