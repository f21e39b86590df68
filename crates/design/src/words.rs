//! The words that stand for a choice in the file, each with what it means.
//!
//! The file is read by them, and messages, the schema for editors and the reference page say them.

use keywright_key::{AttributeType, Consistency, IntegerSize, LetterCase, Precision, TimestampFormat};

use crate::model::{
    Alarm, ImagesNeeded, Once, Order, PatternOperation, Purpose, Question, ReplicationConsistency,
    StreamView, TableClass, ValueType, WriteCondition, WriteOperation,
};

/// A word of the file.
pub(crate) struct Word<Choice> {
    /// The word.
    pub(crate) text: &'static str,
    /// What it stands for.
    pub(crate) choice: Choice,
    /// What that means.
    pub(crate) meaning: &'static str,
    /// What other tools call it: whoever writes that is told the word.
    pub(crate) also: &'static [&'static str],
}

/// Words for one kind of choice.
pub(crate) struct Words<Choice: 'static>(&'static [Word<Choice>]);

/// Words, whatever they stand for.
pub(crate) trait Vocabulary: Sync {
    /// Each word, what it means, and what other tools call it.
    fn words(&self) -> Vec<(&'static str, &'static str, &'static [&'static str])>;
}

impl<Choice: Sync> Vocabulary for Words<Choice> {
    fn words(&self) -> Vec<(&'static str, &'static str, &'static [&'static str])> {
        self.0.iter().map(|word| (word.text, word.meaning, word.also)).collect()
    }
}

impl<Choice: Clone> Words<Choice> {
    /// What the word stands for.
    pub(crate) fn choice(&self, text: &str) -> Option<Choice> {
        self.0.iter().find(|word| word.text == text).map(|word| word.choice.clone())
    }
}

impl<Choice: PartialEq> Words<Choice> {
    /// The word that stands for the choice, if a word does.
    pub(crate) fn text(&self, choice: &Choice) -> Option<&'static str> {
        self.0.iter().find(|word| word.choice == *choice).map(|word| word.text)
    }
}

const fn word<Choice>(
    text: &'static str,
    choice: Choice,
    meaning: &'static str,
    also: &'static [&'static str],
) -> Word<Choice> {
    Word { text, choice, meaning, also }
}

pub(crate) static KEY_TYPES: Words<AttributeType> = Words(&[
    word("string", AttributeType::String, "text; a rendered key is always that", &["s", "text", "str"]),
    word("number", AttributeType::Number, "a number", &["n", "int", "integer", "float"]),
    word("binary", AttributeType::Binary, "bytes", &["b", "bytes", "blob"]),
]);

pub(crate) static TIMESTAMP_FORMATS: Words<TimestampFormat> = Words(&[
    word("seconds", TimestampFormat::Seconds, "`2026-05-01T12:00:00Z`", &["iso8601", "rfc3339"]),
    word("milliseconds", TimestampFormat::Milliseconds, "`2026-05-01T12:00:00.000Z`", &["millis"]),
    word("microseconds", TimestampFormat::Microseconds, "`2026-05-01T12:00:00.000000Z`", &["micros"]),
    word("nanoseconds", TimestampFormat::Nanoseconds, "`2026-05-01T12:00:00.000000000Z`", &["nanos"]),
    word("date", TimestampFormat::Date, "`2026-05-01`", &["day"]),
    word(
        "unix-seconds",
        TimestampFormat::UnixSeconds,
        "seconds since 1970, in ten digits",
        &["unix", "epoch"],
    ),
    word(
        "unix-milliseconds",
        TimestampFormat::UnixMilliseconds,
        "milliseconds since 1970, in thirteen digits",
        &["epoch-milliseconds", "unix-ms"],
    ),
]);

pub(crate) static LETTER_CASES: Words<LetterCase> = Words(&[
    word("lower", LetterCase::Lower, "lower case", &["lowercase", "lower-case"]),
    word("upper", LetterCase::Upper, "upper case", &["uppercase", "upper-case"]),
]);

pub(crate) static STREAM_VIEWS: Words<StreamView> = Words(&[
    word("keys-only", StreamView::KeysOnly, "the keys alone", &["KEYS_ONLY"]),
    word("old-image", StreamView::OldImage, "the item as it was", &["OLD_IMAGE"]),
    word("new-image", StreamView::NewImage, "the item as it is", &["NEW_IMAGE"]),
    word(
        "new-and-old-images",
        StreamView::NewAndOldImages,
        "both",
        &["NEW_AND_OLD_IMAGES", "old-and-new-images", "both-images"],
    ),
]);

pub(crate) static ALARMS: Words<Alarm> = Words(&[
    word(
        "consumed-read-capacity",
        Alarm::ConsumedReadCapacity,
        "read units near what is expected",
        &["ConsumedReadCapacityUnits"],
    ),
    word(
        "consumed-write-capacity",
        Alarm::ConsumedWriteCapacity,
        "write units near what is expected",
        &["ConsumedWriteCapacityUnits"],
    ),
    word(
        "throttled-requests",
        Alarm::ThrottledRequests,
        "requests refused for want of capacity",
        &["ThrottledRequests", "throttles", "throttling"],
    ),
    word("system-errors", Alarm::SystemErrors, "errors of the service", &["SystemErrors"]),
    word("user-errors", Alarm::UserErrors, "requests that the service refuses", &["UserErrors"]),
    word(
        "replication-latency",
        Alarm::ReplicationLatency,
        "how far another region lags",
        &["ReplicationLatency"],
    ),
    word(
        "iterator-age",
        Alarm::IteratorAge,
        "how old the last record is that a consumer has read",
        &["IteratorAge"],
    ),
]);

pub(crate) static TABLE_CLASSES: Words<TableClass> = Words(&[
    word("standard", TableClass::Standard, "storage at the normal price", &["STANDARD"]),
    word(
        "infrequent-access",
        TableClass::InfrequentAccess,
        "cheaper storage, dearer requests",
        &["STANDARD_INFREQUENT_ACCESS", "standard-ia", "ia"],
    ),
]);

pub(crate) static REPLICATION: Words<ReplicationConsistency> = Words(&[
    word(
        "eventual",
        ReplicationConsistency::Eventual,
        "a reader elsewhere sees the write a moment later; conditions see their own region only",
        &["EVENTUAL"],
    ),
    word(
        "strong",
        ReplicationConsistency::Strong,
        "a reader anywhere sees every acknowledged write",
        &["STRONG"],
    ),
]);

/// `on-demand` is the only mode that is a word.
pub(crate) static BILLING: Words<()> = Words(&[word(
    "on-demand",
    (),
    "a price for each request unit",
    &["PAY_PER_REQUEST", "pay-per-request", "ondemand"],
)]);

/// Projections that are a word: `true` is everything.
pub(crate) static PROJECTIONS: Words<ProjectionWord> = Words(&[
    word("keys-only", ProjectionWord::KeysOnly, "nothing beside the keys", &["KEYS_ONLY", "keys"]),
    word("all", ProjectionWord::All, "everything, without a reason, which is reported", &["ALL"]),
]);

/// A projection that is a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProjectionWord {
    /// `keys-only`
    KeysOnly,
    /// `all`
    All,
}

pub(crate) static VALUE_TYPES: Words<ValueType> = Words(&[
    word("string", ValueType::Text, "text", &["text", "str", "s", "varchar"]),
    word("u8", ValueType::Unsigned(IntegerSize::Bits8), "a whole number from 0 to 255", &[]),
    word("u16", ValueType::Unsigned(IntegerSize::Bits16), "a whole number from 0, of 16 bits", &[]),
    word("u32", ValueType::Unsigned(IntegerSize::Bits32), "a whole number from 0, of 32 bits", &["uint"]),
    word("u64", ValueType::Unsigned(IntegerSize::Bits64), "a whole number from 0, of 64 bits", &["bigint"]),
    word("i8", ValueType::Signed(IntegerSize::Bits8), "a whole number of 8 bits", &[]),
    word("i16", ValueType::Signed(IntegerSize::Bits16), "a whole number of 16 bits", &[]),
    word("i32", ValueType::Signed(IntegerSize::Bits32), "a whole number of 32 bits", &["int"]),
    word("i64", ValueType::Signed(IntegerSize::Bits64), "a whole number of 64 bits", &["integer", "long"]),
    word(
        "number",
        ValueType::Number,
        "a number of up to 38 digits; not in a template",
        &["float", "double", "decimal", "n", "f64"],
    ),
    word(
        "timestamp",
        ValueType::Timestamp(Precision::Milliseconds),
        "a point in time, to the millisecond",
        &["datetime", "time", "date-time"],
    ),
    word(
        "timestamp-seconds",
        ValueType::Timestamp(Precision::Seconds),
        "a point in time, to the second",
        &[],
    ),
    word(
        "timestamp-microseconds",
        ValueType::Timestamp(Precision::Microseconds),
        "a point in time, to the microsecond",
        &[],
    ),
    word(
        "timestamp-nanoseconds",
        ValueType::Timestamp(Precision::Nanoseconds),
        "a point in time, to the nanosecond",
        &[],
    ),
    word("date", ValueType::Timestamp(Precision::Days), "a day", &["day"]),
    word("ulid", ValueType::Ulid, "a ULID", &[]),
    word("uuid", ValueType::Uuid, "a UUID", &["guid"]),
    word("boolean", ValueType::Boolean, "true or false", &["bool"]),
    word("bytes", ValueType::Bytes, "bytes", &["binary", "blob", "b"]),
    word(
        "time-to-live",
        ValueType::TimeToLive,
        "seconds since 1970, at which the item expires",
        &["ttl", "expiry"],
    ),
    word("version", ValueType::Version, "the number that optimistic concurrency compares", &[]),
    word("counter", ValueType::Counter, "a number that `ADD` changes", &[]),
    word("list", ValueType::List, "a list", &["array", "l"]),
    word("map", ValueType::Map, "a map", &["object", "json", "m"]),
    word("string-set", ValueType::StringSet, "a set of texts", &["set", "ss"]),
    word("number-set", ValueType::NumberSet, "a set of numbers", &["ns"]),
    word("binary-set", ValueType::BinarySet, "a set of bytes", &["bs"]),
]);

pub(crate) static PURPOSES: Words<Purpose> = Words(&[
    word("data", Purpose::Data, "data", &[]),
    word(
        "claim",
        Purpose::Claim,
        "the key of a request that must have effect once",
        &["idempotency", "idempotency-key"],
    ),
    word("lock", Purpose::Lock, "a lock with a lease", &["lease"]),
    word("exact-counter", Purpose::ExactCounter, "a counter that is exact", &["counter"]),
    word("approximate-counter", Purpose::ApproximateCounter, "a counter that a retry may add to twice", &[]),
    word(
        "audit",
        Purpose::Audit,
        "a record of what happened, which is only ever added to",
        &["log", "event"],
    ),
    word("rate-limit", Purpose::RateLimit, "the bucket of a rate limit", &["bucket", "quota", "throttle"]),
    word(
        "single-use-token",
        Purpose::SingleUseToken,
        "a token that is used once",
        &["token", "one-time-token", "nonce"],
    ),
    word(
        "ephemeral",
        Purpose::Ephemeral,
        "data that expires: sessions, codes, connections",
        &["temporary", "session", "cache"],
    ),
]);

pub(crate) static OPERATIONS: Words<PatternOperation> = Words(&[
    word("get", PatternOperation::Get, "one item by its whole key", &["GetItem", "get-item"]),
    word("query", PatternOperation::Query, "items of one partition key, in order", &["Query"]),
    word(
        "scan",
        PatternOperation::Scan { reason: String::new(), most_items: None },
        "the whole table, without a reason, which is reported",
        &["Scan"],
    ),
]);

pub(crate) static QUESTIONS: Words<Question> = Words(&[
    word("items", Question::Items, "items", &["item"]),
    word("count", Question::Count, "how many there are", &[]),
    word(
        "aggregate",
        Question::Aggregate,
        "a sum, an average or another figure over many items",
        &["sum", "average"],
    ),
    word("join", Question::Join, "items together with those that they refer to", &[]),
    word("full-text-search", Question::FullTextSearch, "words in text", &["search", "full-text"]),
    word("ad-hoc", Question::AdHoc, "any attribute that the caller happens to name", &["adhoc"]),
]);

pub(crate) static ORDERS: Words<Order> = Words(&[
    word("ascending", Order::Ascending, "lowest sort key first", &["asc", "forward", "oldest-first"]),
    word(
        "descending",
        Order::Descending,
        "highest sort key first",
        &["desc", "backward", "newest-first", "reverse"],
    ),
]);

pub(crate) static CONSISTENCIES: Words<Consistency> = Words(&[
    word("eventual", Consistency::Eventual, "at half the price, and a moment behind", &["eventually"]),
    word(
        "strong",
        Consistency::Strong,
        "every write that was acknowledged; on a table or a local index",
        &["strongly", "consistent"],
    ),
]);

pub(crate) static WRITE_OPERATIONS: Words<WriteOperation> = Words(&[
    word("put", WriteOperation::Put, "PutItem", &["PutItem", "put-item", "insert", "create"]),
    word("update", WriteOperation::Update, "UpdateItem", &["UpdateItem", "update-item"]),
    word("add", WriteOperation::Add, "UpdateItem with `ADD`", &["increment"]),
    word("delete", WriteOperation::Delete, "DeleteItem", &["DeleteItem", "delete-item", "remove"]),
    word("batch", WriteOperation::Batch, "BatchWriteItem", &["BatchWriteItem", "batch-write"]),
    word(
        "transaction",
        WriteOperation::Transaction,
        "TransactWriteItems",
        &["TransactWriteItems", "transact"],
    ),
]);

pub(crate) static WRITE_CONDITIONS: Words<WriteCondition> = Words(&[
    word("if-absent", WriteCondition::IfAbsent, "the item does not exist", &["if-not-exists", "absent"]),
    word("if-present", WriteCondition::IfPresent, "the item exists", &["if-exists", "present"]),
    word("version", WriteCondition::Version, "the version is the one that was read", &["optimistic"]),
]);

pub(crate) static ONCE: Words<Once> = Words(&[
    word("condition", Once::Condition, "its condition is false after it was applied", &[]),
    word("token", Once::Token, "the token of a transaction, for ten minutes", &["client-request-token"]),
    word("same-result", Once::SameResult, "it writes the same again", &["idempotent"]),
]);

pub(crate) static IMAGES: Words<ImagesNeeded> = Words(&[
    word("keys", ImagesNeeded::Keys, "the keys alone", &["keys-only", "KEYS_ONLY"]),
    word("new-image", ImagesNeeded::New, "the item as it is", &["NEW_IMAGE"]),
    word("old-image", ImagesNeeded::Old, "the item as it was, which deletes have alone", &["OLD_IMAGE"]),
    word("both-images", ImagesNeeded::Both, "both", &["new-and-old-images", "both"]),
]);
