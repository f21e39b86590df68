//! KW02: tables and entities.

use keywright_key::{
    AttributeKind, AttributeShape, ComponentKind, Delimiter, EntityShape, IndexEntryShape, IndexKey,
    IndexShape, KeyAttribute, KeyFormat, KeyShape, PatternShape, Precision, Presence, Projection, Purpose,
    ReturnShape, Shards, StampForm, StampShape, TableShape, TemplateShape, Timestamp, rule,
};

use crate::application::{APP, MEMBER, TEAM, TENANT, key, template, text};
use crate::{broken, holds};

#[test]
fn a_table_lists_what_is_stored_in_it() {
    let table = TableShape::new("App").with_entities(&[&TEAM]);
    let message = rule::entity_not_listed::check(&table, &MEMBER).expect("not listed");
    assert_eq!(
        message.as_str(),
        "KW0201: `Member` is stored in `App`, but `App` does not list it: add it to `entities(..)`."
    );
    assert_eq!(rule::entity_not_listed::check(&table, &TEAM), None);
}

#[test]
fn a_table_lists_what_reads_it() {
    let pattern = PatternShape::query("Teams", const { &[ReturnShape::whole("Team")] }, &[]);
    let message = rule::pattern_not_listed::check(&APP, &pattern).expect("not listed");
    assert_eq!(
        message.as_str(),
        "KW0202: `Teams` reads `App`, but `App` does not list it: add it to `patterns(..)`."
    );
    assert_eq!(rule::pattern_not_listed::check(&APP.with_patterns(&[&pattern]), &pattern), None);
}

#[test]
fn two_entities_do_not_render_one_key() {
    let one = EntityShape::new("Team", "team", key("P", "TEAM#{team_id}"), const { &[text("team_id")] });
    let other = EntityShape::new("Template", "template", key("P", "TEAM#{id}"), const { &[text("id")] });
    broken(
        &TableShape::new("App").with_entities(&[&one, &other]),
        "KW0203: `Team` and `Template` can render the same key: \"P\" with \"TEAM#{team_id}\", and \"P\" with \"TEAM#{id}\". A put \
         of one would overwrite the other. Begin their keys with different literal text, or add a component that tells them \
         apart.",
    );
}

#[test]
fn an_entity_that_lacks_its_sort_key_is_not_compared() {
    // Whoever had forgotten one sort key also read that the entity collides with every other one in its partition.
    let one = EntityShape::new("Team", "team", key("P", "TEAM#{team_id}"), const { &[text("team_id")] });
    let other = EntityShape::new(
        "Profile",
        "profile",
        KeyShape::partition_only(template("P")),
        const { &[text("id")] },
    );
    for entities in [[&one, &other], [&other, &one]] {
        broken(
            &TableShape::new("App").with_entities(&entities),
            "KW0205: `Profile` has no sort key, but `App` has one, `sk`. Add `sort_key`; an entity with one item in a partition \
             takes literal text, such as `PROFILE`.",
        );
    }
}

#[test]
fn what_can_be_written_decides_whether_keys_meet() {
    // A literal that a component can be written as, a component that ends another's literal, and a shard that is a segment.
    let pairs: &[(
        KeyShape<'static>,
        ComponentKind<'static>,
        KeyShape<'static>,
        ComponentKind<'static>,
        bool,
    )] = &[
        (key("P", "{a}"), ComponentKind::Text, key("P", "PROFILE"), ComponentKind::Text, true),
        (key("P", "{a}"), ComponentKind::Ulid, key("P", "PROFILE"), ComponentKind::Text, false),
        (key("P", "{a}"), ComponentKind::Ulid, key("P", "{a}"), ComponentKind::Uuid, false),
        (key("P", "{a}"), ComponentKind::Ulid, key("P", "{a}"), ComponentKind::Text, true),
        (key("P", "U{a}"), ComponentKind::Text, key("P", "US{a}"), ComponentKind::Text, true),
        (key("P", "U-{a}"), ComponentKind::Text, key("P", "V-{a}"), ComponentKind::Text, false),
        (key("P", "{a}"), ComponentKind::Enum(&["open"]), key("P", "OPEN"), ComponentKind::Text, false),
        (key("P", "{a}"), ComponentKind::Enum(&["open"]), key("P", "open"), ComponentKind::Text, true),
        (key("P", "A#{a}"), ComponentKind::Text, key("P", "A"), ComponentKind::Text, false),
        (
            key("P", "{a}").with_shards(Shards::of(4, &[])),
            ComponentKind::Text,
            key("P#{a}", "B"),
            ComponentKind::Text,
            true,
        ),
        (
            key("P", "{a}").with_shards(Shards::of(4, &[])),
            ComponentKind::Text,
            key("P", "B"),
            ComponentKind::Text,
            false,
        ),
        (
            key("P", "{a}").with_shards(Shards::of(4, &[1])),
            ComponentKind::Text,
            key("P", "B"),
            ComponentKind::Text,
            true,
        ),
    ];
    for (one, one_kind, other, other_kind, meet) in pairs {
        let one_attributes = [AttributeShape::component("a", *one_kind)];
        let other_attributes = [AttributeShape::component("a", *other_kind)];
        let first = EntityShape::new("First", "first", *one, &one_attributes);
        let second = EntityShape::new("Second", "second", *other, &other_attributes);
        for entities in [[&first, &second], [&second, &first]] {
            let table = TableShape::new("App").with_entities(&entities);
            let found = rule::same_key::check(&table, entities[0]);
            assert_eq!(found.is_some(), *meet, "{one:?} {other:?}");
        }
    }
}

#[test]
fn a_discriminator_tells_entities_apart() {
    let one = EntityShape::new("Member", "user", key("P", "MEMBER"), &[]);
    let other = EntityShape::new("Guest", "user", key("P", "GUEST"), &[]);
    broken(
        &TableShape::new("App").with_entities(&[&one, &other]),
        "KW0204: `Member` and `Guest` both have \"user\" in `entity`, so an item of one would be read as the other. Give each \
         entity a discriminator of its own.",
    );
    let twin = EntityShape::new("Member", "member", key("P", "MEMBER#2"), &[]);
    broken(
        &TableShape::new("App").with_entities(&[&one, &twin]),
        "KW0204: `App` lists two entities with the name `Member`. Give each a name of its own, and list it once.",
    );
}

#[test]
fn an_entity_has_the_keys_of_its_table() {
    let partition_only = KeyShape::partition_only(template("TEAM#{team_id}"));
    let team = EntityShape::new("Team", "team", partition_only, const { &[text("team_id")] });
    broken(
        &TableShape::new("App").with_entities(&[&team]),
        "KW0205: `Team` has no sort key, but `App` has one, `sk`. Add `sort_key`; an entity with one item in a partition takes \
         literal text, such as `PROFILE`.",
    );
    let table = TableShape::new("Teams").with_key(KeyAttribute::string("pk"), None);
    holds(&table.with_entities(&[&team]));
    let team = EntityShape::new("Team", "team", key("TEAM#{team_id}", "TEAM"), const { &[text("team_id")] });
    broken(
        &table.with_entities(&[&team]),
        "KW0205: `Team` has a sort key, but `Teams` has none. Put its components into the partition key, or give the table a sort \
         key.",
    );
    broken(
        &TableShape::new("App")
            .with_key(KeyAttribute::string("pk"), Some(KeyAttribute::number("sk")))
            .with_entities(&[&team]),
        "KW0205: `sk` of `App` is no string, and the key of `Team` is rendered as text. Make it a string; a number or bytes can \
         be a key in an index on attributes only.",
    );
}

#[track_caller]
fn broken_entry(index: IndexShape<'static>, key: IndexKey<'static>, message: &str) {
    let entries = [IndexEntryShape { index: "Index", key }];
    let entity = EntityShape::new("E", "e", crate::application::key("P", "E"), const { &[text("a")] });
    let entity = EntityShape { indexes: &entries, ..entity };
    let indexes = [index];
    let table = TableShape { indexes: &indexes, entities: &[&entity], ..TableShape::new("App") };
    broken(&table, &format!("KW0205: `E` in index `Index`: {message}"));
}

#[test]
fn an_entity_has_the_keys_of_its_indexes() {
    let string = KeyAttribute::string;
    let global = IndexShape::global("Index", string("gpk"), Some(string("gsk")));
    let local = IndexShape::local("Index", string("pk"), string("lsk"));
    let attributes = IndexShape::multi_attribute("Index", const { &[KeyAttribute::string("region")] }, &[]);
    broken_entry(
        global,
        IndexKey::Attributes,
        "the index has rendered keys. Give the entity templates for its partition key and sort key.",
    );
    broken_entry(
        global,
        IndexKey::Local { sort_key: template("{a}") },
        "the index is global. Give the entity a partition key there too.",
    );
    broken_entry(
        global,
        IndexKey::Global(KeyShape::partition_only(template("{a}"))),
        "the index has a sort key, and the entity gives none. Add `sort_key`.",
    );
    broken_entry(
        IndexShape::global("Index", string("gpk"), None),
        IndexKey::Global(key("G#{a}", "G")),
        "the index has no sort key, and the entity gives one. Leave it out, or give the index a sort key.",
    );
    broken_entry(
        local,
        IndexKey::Global(key("G#{a}", "G")),
        "the index is local, so its partition key is the table's. Give the entity a sort key there, and no partition key.",
    );
    broken_entry(
        attributes,
        IndexKey::Global(key("G#{a}", "G")),
        "the index is keyed by attributes that items have anyway. Leave the templates out.",
    );
    broken_entry(
        attributes,
        IndexKey::Attributes,
        "the index is keyed by `region`, which the entity does not have, so no item of it would ever be in the index. Add the \
         attribute, or leave the index out.",
    );
    let entries = [IndexEntryShape { index: "Index", key: IndexKey::Global(key("G#{a}", "G")) }; 2];
    let entity = EntityShape::new("E", "e", key("P", "E"), const { &[text("a")] });
    let entity = EntityShape { indexes: &entries, ..entity };
    let indexes = [global];
    let table = TableShape { indexes: &indexes, entities: &[&entity], ..TableShape::new("App") };
    broken(
        &table,
        "KW0205: `E` has two keys in index `Index`. An item is in an index once: keep one of them.",
    );
    let one = EntityShape { indexes: &entries[..1], ..entity };
    broken(
        &TableShape { indexes: &[], entities: &[&one], ..table },
        "KW0205: `E` has a key in index `Index`, which `App` does not have. Declare the index in the table.",
    );
    broken(
        &TableShape { indexes: &[IndexShape { name: "Indxe", ..global }], entities: &[&one], ..table },
        "KW0205: `E` has a key in index `Index`, which `App` does not have. Did you mean `Indxe`?",
    );
}

#[test]
fn an_index_can_be_created() {
    const A: KeyAttribute<'static> = KeyAttribute::string("a");
    let string = KeyAttribute::string;
    let global = IndexShape::global("Index", string("gpk"), None);
    let table = TableShape::new("App");
    let cases: &[(&[IndexShape<'static>], &str)] = &[
        (&[global, global], " is declared twice. Give each index a name of its own."),
        (
            &[global.with_projection(Projection::All { reason: "  " })],
            " projects everything, so every write is paid for twice, and no reason is given. Project what its patterns return, \
             or say why everything.",
        ),
        (
            &[IndexShape {
                reach: keywright_key::IndexReach::Local,
                ..IndexShape::multi_attribute("Index", &[A], &[])
            }],
            " is local, and only a global index can be keyed by several attributes. Make it global, or render its sort key.",
        ),
        (
            &[IndexShape::multi_attribute("Index", &[], &[])],
            " has 0 attributes in its partition key. Take one to four.",
        ),
        (
            &[IndexShape::multi_attribute("Index", &[A, A, A, A, A], &[])],
            " has 5 attributes in its partition key. Take one to four.",
        ),
        (
            &[IndexShape::multi_attribute("Index", &[A], &[A, A, A, A, A])],
            " has 5 attributes in its sort key. Take up to four.",
        ),
        (
            &[IndexShape::local("Index", A, string("lsk"))],
            " is local: its partition key is the table's, `pk`, and it has a sort key of its own. Say so, or make it global.",
        ),
    ];
    for (indexes, message) in cases {
        broken(&table.with_indexes(indexes), &format!("KW0206: index `Index` of `App`{message}"));
    }
    broken(
        &table.with_key(string("pk"), None).with_indexes(&[IndexShape::local("Index", string("pk"), A)]),
        "KW0206: index `Index` of `App` is local, and a table without a sort key has no local indexes. Make it global.",
    );
}

#[test]
fn templates_of_a_table_are_written_alike() {
    let other = KeyFormat::STANDARD.with_delimiter(Delimiter::of('+'));
    let key = KeyShape::new(TemplateShape::of("P", other), TemplateShape::of("TEAM+{team_id}", other));
    let team = EntityShape::new("Team", "team", key, const { &[text("team_id")] });
    broken(
        &TableShape::new("App").with_entities(&[&team]),
        "KW0207: \"P\" of `Team` is written differently from `App`. Parse it with the delimiter, the timestamp format and the case \
         of the table.",
    );
    holds(&TableShape::new("App").with_format(other).with_entities(&[&team]));
}

#[test]
fn items_expire_by_the_attribute_that_the_table_looks_at() {
    // Items were given a `ttl` that nobody had declared for the table, and stayed for ever.
    let session =
        EntityShape::new("Session", "session", key("P", "S"), const { &[AttributeShape::of::<u64>("ttl")] })
            .with_time_to_live("ttl");
    let table = TableShape::new("App");
    broken(
        &table.with_entities(&[&session]),
        "KW0208: `Session` expires by `ttl`, but `App` has no time to live, so its items would stay for ever. Declare `ttl` as \
         the table's.",
    );
    broken(
        &table.with_time_to_live("expires_at").with_entities(&[&session]),
        "KW0208: `Session` expires by `ttl`, but `App` looks at `expires_at`, and a table has one time to live. Use `expires_at`.",
    );
    let without = EntityShape::new("Session", "session", key("P", "S"), &[]).with_time_to_live("ttl");
    broken(
        &table.with_time_to_live("ttl").with_entities(&[&without]),
        "KW0208: `Session` expires by `ttl`, which it does not have. Add the attribute.",
    );
    holds(&table.with_time_to_live("ttl").with_entities(&[&session]));
}

#[test]
fn what_items_expire_by_is_whole_seconds() {
    let table = TableShape::new("App").with_time_to_live("ttl");
    let session = |attributes| {
        EntityShape::new("Session", "session", key("P", "S"), attributes).with_time_to_live("ttl")
    };
    let refused: [(&'static [AttributeShape<'static>], &str); 5] = [
        (const { &[text("ttl")] }, "text"),
        (const { &[AttributeShape::of::<i64>("ttl")] }, "i64"),
        (const { &[AttributeShape::of::<Timestamp>("ttl")] }, "timestamp in milliseconds"),
        (
            const { &[AttributeShape { kind: AttributeKind::Number, ..AttributeShape::opaque("ttl") }] },
            "a number",
        ),
        (const { &[AttributeShape::opaque("ttl")] }, "of a type that nothing is known of"),
    ];
    for (attributes, what) in refused {
        broken(
            &table.with_entities(&[&session(attributes)]),
            &format!(
                "KW0216: `Session` expires by `ttl`, which is {what}. Make it `u64`, or an `Option` of it: whole seconds since 1970."
            ),
        );
    }
    let holding: [&'static [AttributeShape<'static>]; 3] = [
        const { &[AttributeShape::of::<u64>("ttl")] },
        const { &[AttributeShape::of::<Option<u32>>("ttl")] },
        // What a design file calls `time-to-live`.
        const { &[AttributeShape::component("ttl", ComponentKind::Timestamp(Precision::Seconds))] },
    ];
    for attributes in holding {
        holds(&table.with_entities(&[&session(attributes)]));
    }
}

#[test]
fn shards_need_a_sort_key() {
    let shards = Shards::of(8, &[]);
    let event = EntityShape::new(
        "Event",
        "event",
        KeyShape::partition_only(template("T#{topic}")).with_shards(shards),
        const { &[text("topic")] },
    );
    broken(
        &TableShape::new("App").with_key(KeyAttribute::string("pk"), None).with_entities(&[&event]),
        "KW0209: `Event` has shards and no sort key, and the shard of an item follows from its sort key. Give it a sort key, or \
         leave the shards out.",
    );
}

#[test]
fn attributes_leave_the_tables_own_names_alone() {
    let table =
        TableShape::new("App").with_key(KeyAttribute::string("user_id"), Some(KeyAttribute::string("sk")));
    let user = |template, kind| {
        let attributes = vec![AttributeShape::component("user_id", kind)].leak();
        EntityShape::new("User", "user", key(template, "USER"), attributes)
    };
    let message = "KW0210: `User` has an attribute `user_id`, which is also a key attribute of `App` that its key is rendered into. \
                   Rename one of them, or, if the key is the value itself, let the template be that component alone: \
                   `{user_id:raw}` for text.";
    broken(&table.with_entities(&[&user("USER#{user_id}", ComponentKind::Ulid)]), message);
    broken(&table.with_entities(&[&user("{user_id}", ComponentKind::Text)]), message);
    holds(&table.with_entities(&[&user("{user_id:raw}", ComponentKind::Text)]));
    holds(&table.with_entities(&[&user("{user_id}", ComponentKind::Ulid)]));
    let user = EntityShape::new("User", "user", key("U", "USER"), const { &[text("entity")] });
    broken(
        &TableShape::new("App").with_entities(&[&user]),
        "KW0210: `User` has an attribute `entity`, which is where `App` stores which entity an item is. Rename the attribute, or \
         declare another discriminator for the table.",
    );
}

#[test]
fn a_version_can_be_counted() {
    let table = TableShape::new("App");
    let document = |attributes| {
        EntityShape::new("Document", "document", key("P", "D"), attributes).with_version("version")
    };
    broken(
        &table.with_entities(&[&document(&[])]),
        "KW0211: `Document` counts versions in `version`, which it does not have. Add the attribute, a `u64`.",
    );
    broken(
        &table.with_entities(&[&document(const { &[text("version")] })]),
        "KW0211: `Document` counts versions in `version`, which is text. Make it a `u64`.",
    );
    // It counts until its type is full, and then nobody can read the item any more.
    for (kind, named) in [
        (const { &[AttributeShape::of::<u8>("version")] }, "u8"),
        (const { &[AttributeShape::of::<i64>("version")] }, "i64"),
        (const { &[AttributeShape::opaque("version")] }, "of a type that nothing is known of"),
    ] {
        broken(
            &table.with_entities(&[&document(kind)]),
            &format!("KW0211: `Document` counts versions in `version`, which is {named}. Make it a `u64`."),
        );
    }
    broken(
        &table.with_entities(&[&document(
            const { &[AttributeShape::opaque("version").with_presence(Presence::Sometimes)] },
        )]),
        "KW0211: `Document` counts versions in `version`, which not every item has. Make it one that is always there.",
    );
    let counted = const { &[AttributeShape::of::<u64>("version")] };
    holds(&table.with_entities(&[&document(counted)]));
}

#[test]
fn each_field_is_stored_under_a_name_of_its_own() {
    let member = EntityShape::new(
        "Member",
        "member",
        key("P", "M"),
        const { &[text("team"), AttributeShape::opaque("team").with_field("team_name")] },
    );
    broken(
        &TableShape::new("App").with_entities(&[&member]),
        "KW0212: the fields `team` and `team_name` of `Member` are both stored as `team`. Give each a stored name of its own.",
    );
}

const EVENT: EntityShape<'static> = EntityShape::new(
    "Event",
    "event",
    key("P", "EVENT#{id}"),
    const { &[text("id"), AttributeShape::of::<u64>("expires_at")] },
);

#[test]
fn claims_buckets_and_tokens_expire_and_locks_do_not() {
    for (purpose, noun) in [
        (Purpose::Claim, "a claim"),
        (Purpose::RateLimit, "the bucket of a rate limit"),
        (Purpose::SingleUseToken, "a token that is used once"),
    ] {
        let expires = EVENT.with_time_to_live("expires_at").with_purpose(purpose);
        holds(&TableShape::new("App").with_time_to_live("expires_at").with_entities(&[&expires]));
        let stays = EVENT.with_purpose(purpose);
        let message =
            rule::expiry_of_purpose::check(&TableShape::new("App"), &stays).expect("it stays for ever");
        assert_eq!(
            message.as_str(),
            format!(
                "KW0213: `Event` is {noun}, and its items never expire. Name the table's time to live, which the data layer sets: \
                 `ttl = \"expires_at\"`."
            )
        );
    }
    holds(&TableShape::new("App").with_entities(&[&EVENT.with_purpose(Purpose::Lock)]));
    broken(
        &TableShape::new("App")
            .with_time_to_live("expires_at")
            .with_entities(&[&EVENT.with_time_to_live("expires_at").with_purpose(Purpose::Lock)]),
        "KW0213: `Event` is a lock, and expires by `expires_at`. Its item counts fencing tokens, which would begin again at 1. \
         Leave the time to live out: the lease is what ends.",
    );
}

#[test]
fn what_one_condition_decides_is_not_sharded_and_what_is_added_up_may_be() {
    let sharded = EntityShape { key: EVENT.key.with_shards(Shards::of(8, &[])), ..EVENT };
    let counter = Purpose::ApproximateCounter { count: "count" };
    for purpose in [Purpose::Data, counter, Purpose::ExactCounter { count: "count" }] {
        holds(&TableShape::new("App").with_entities(&[&sharded.with_purpose(purpose)]));
    }
    broken(
        &TableShape::new("App").with_entities(&[&sharded.with_purpose(Purpose::Lock)]),
        "KW0214: `Event` is a lock and has shards, but one condition on one item decides. Leave the shards out; another component of \
         the partition key spreads writes.",
    );
    let once_sharded = EntityShape { key: EVENT.key.with_shards(Shards::of(1, &[8])), ..EVENT };
    let claim = once_sharded.with_time_to_live("expires_at").with_purpose(Purpose::Claim);
    assert!(rule::sharded_purpose::check(&TableShape::new("App"), &claim).is_some());
}

#[test]
fn names_of_the_data_layer_are_no_attributes_of_entities() {
    let entity = EntityShape::new(
        "Event",
        "event",
        key("P", "EVENT#{id}"),
        const { &[text("id"), text("keywright_writer")] },
    );
    broken(
        &TableShape::new("App").with_entities(&[&entity]),
        "KW0210: `Event` has an attribute `keywright_writer`, and what begins with `keywright_` is written by the data layer. \
         Rename the attribute.",
    );
    let near = const { &[text("id"), text("keywright")] };
    holds(&TableShape::new("App").with_entities(&[&EntityShape { attributes: near, ..entity }]));
}

const USER: EntityShape<'static> = EntityShape::new(
    "User",
    "user",
    key("ORG#{organization_id}", "USER#{user_id}"),
    const { &[TENANT, text("user_id"), text("email"), AttributeShape::of::<u64>("expires_at")] },
)
.with_unique(&["UserEmail"]);

const USER_EMAIL: EntityShape<'static> = EntityShape::new(
    "UserEmail",
    "user_email",
    key("ORG#{organization_id}", "EMAIL#{email}"),
    const { &[TENANT, text("user_id"), text("email"), AttributeShape::of::<u64>("expires_at")] },
)
.with_reservation_of("User");

#[track_caller]
fn reservation_is_broken(user: &EntityShape<'static>, email: &EntityShape<'static>, message: &str) {
    let table = TableShape::new("App").with_tenant("organization_id").with_time_to_live("expires_at");
    broken(&table.with_entities(&[user, email]), message);
}

#[test]
fn a_reservation_and_its_holder_know_each_other() {
    let table = TableShape::new("App").with_tenant("organization_id").with_time_to_live("expires_at");
    holds(&table.with_entities(&[&USER, &USER_EMAIL]));
    let (user, email) = (USER.with_time_to_live("expires_at"), USER_EMAIL.with_time_to_live("expires_at"));
    holds(&table.with_entities(&[&user, &email]));
    reservation_is_broken(
        &USER.with_unique(&[]),
        &USER_EMAIL,
        "KW0215: `UserEmail` is a reservation of `User`, which does not hold it. Add `unique(UserEmail)` to the `#[entity(..)]` of \
         the holder.",
    );
    reservation_is_broken(
        &USER,
        &EntityShape { reservation_of: None, ..USER_EMAIL },
        "KW0215: `User` is to be unique by `UserEmail`, which is no reservation of it. Add `reservation_of = User` to its \
         `#[entity(..)]`.",
    );
    reservation_is_broken(
        &USER,
        &USER_EMAIL.with_unique(&["User"]),
        "KW0215: `UserEmail` is to be unique by `User`, which is no reservation of it. Add `reservation_of = UserEmail` to its \
         `#[entity(..)]`.",
    );
}

#[test]
fn a_reservation_tells_one_holder_from_another_and_is_wanted_by_two() {
    reservation_is_broken(
        &USER,
        &EntityShape { attributes: const { &[TENANT, text("email")] }, ..USER_EMAIL },
        "KW0215: `UserEmail` lacks `user_id`, which tells one `User` from another. Add the attribute, as `User` has it.",
    );
    reservation_is_broken(
        &USER,
        &EntityShape { key: key("ORG#{organization_id}", "EMAIL#{email}#{user_id}"), ..USER_EMAIL },
        "KW0215: `UserEmail` has the whole key of `User` in its own, so that no two items ever want the same one. Make its key of \
         what is to be unique, and of the tenant.",
    );
    let sharded = USER_EMAIL.key.with_shards(Shards::of(4, &[]));
    reservation_is_broken(
        &USER,
        &EntityShape { key: sharded, ..USER_EMAIL },
        "KW0215: `UserEmail` is a reservation over shards: with another number of shards it could be held twice. Leave the shards \
         out.",
    );
}

#[test]
fn a_reservation_has_the_time_of_its_holder_and_no_writes_of_its_own() {
    reservation_is_broken(
        &USER.with_time_to_live("expires_at"),
        &USER_EMAIL,
        "KW0215: `UserEmail` is a reservation of `User`, which expires by `expires_at`. Give the reservation the same attribute with \
         `#[entity(ttl)]`, so that it is free when its holder is gone.",
    );
    reservation_is_broken(
        &USER,
        &USER_EMAIL.with_time_to_live("expires_at"),
        "KW0215: `UserEmail` is a reservation of `User`, which does not expire. Leave `#[entity(ttl)]` out, or what is held would be \
         given away.",
    );
    let counted = const { &[TENANT, text("user_id"), text("email"), AttributeShape::of::<u64>("version")] };
    reservation_is_broken(
        &USER,
        &EntityShape { attributes: counted, ..USER_EMAIL }.with_version("version"),
        "KW0215: `UserEmail` is a reservation and counts versions, which are its holder's: it has no writes of its own. Leave it out.",
    );
    let stamp = StampShape { attribute: "expires_at", form: StampForm::Seconds };
    reservation_is_broken(
        &USER,
        &USER_EMAIL.with_updated(stamp),
        "KW0215: `UserEmail` is a reservation and has a stamp, which are its holder's: it has no writes of its own. Leave it out.",
    );
}

#[test]
fn a_pattern_that_reads_reservations_names_or_skips_them() {
    let of_all = PatternShape::query("Everything", const { &[ReturnShape::whole("User")] }, &[]);
    let table = TableShape::new("App").with_tenant("organization_id").with_entities(&[&USER, &USER_EMAIL]);
    let message = rule::entity_not_named::check(&table, &of_all).expect("it reads addresses, too");
    assert!(message.as_str().contains("`UserEmail`"), "{message}");
}
