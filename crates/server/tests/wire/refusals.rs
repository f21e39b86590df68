//! Refusals of the wire: every text and checksum that was seen on Amazon DynamoDB, and which of several wins.

use crate::client::head;
use crate::running::Running;

const AMAZON_JSON: &str = "Content-Type: application/x-amz-json-1.0";
const LIST_TABLES: &str = "X-Amz-Target: DynamoDB_20120810.ListTables";
const COMPLETE: &str = "Authorization: AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c";
const DATE: &str = "Date: a";

struct Case {
    what: &'static str,
    request: &'static str,
    headers: &'static [&'static str],
    body: &'static str,
    status: u16,
    answer: &'static str,
    checksum: &'static str,
}

const NOT_A_CALL: (u16, &str, &str) = (404, "<UnknownOperationException/>\n", "3552371480");
const NOT_JSON: (u16, &str, &str) =
    (400, r#"{"__type":"com.amazon.coral.service#SerializationException"}"#, "3948637019");
const UNKNOWN_OPERATION: (u16, &str, &str) =
    (400, r#"{"__type":"com.amazon.coral.service#UnknownOperationException"}"#, "1368724161");
const NO_TOKEN: (u16, &str, &str) = (
    400,
    r#"{"__type":"com.amazon.coral.service#MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}"#,
    "2088342776",
);
const TWO_PLACES: (u16, &str, &str) = (
    400,
    r#"{"__type":"com.amazon.coral.service#InvalidSignatureException","message":"Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."}"#,
    "2139606068",
);

const fn case(
    what: &'static str,
    request: &'static str,
    headers: &'static [&'static str],
    body: &'static str,
    expected: (u16, &'static str, &'static str),
) -> Case {
    let (status, answer, checksum) = expected;
    Case { what, request, headers, body, status, answer, checksum }
}

/// Each refusal alone, as the tests that were run on Amazon DynamoDB saw it: status, body and checksum.
const ALONE: &[Case] = &[
    case("OPTIONS without a browser", "OPTIONS /", &[], "", NOT_A_CALL),
    case("PUT", "PUT /", &[], "", NOT_A_CALL),
    case("DELETE", "DELETE /", &[], "", NOT_A_CALL),
    case("another path", "POST /tables", &[AMAZON_JSON, LIST_TABLES, COMPLETE, DATE], "{}", NOT_A_CALL),
    case("a body without a content type", "POST /", &[], "hi", NOT_A_CALL),
    case("an unknown content type", "POST /", &["Content-Type: whatever"], "hi", NOT_A_CALL),
    case(
        "a later version of the type",
        "POST /",
        &["Content-Type: application/x-amz-json-1.1"],
        "hi",
        NOT_A_CALL,
    ),
    case("a longer content type", "POST /", &["Content-Type: application/jsonasdf"], "hi", NOT_A_CALL),
    case("a body that is not JSON", "POST /", &["Content-Type: application/json"], "hi", NOT_JSON),
    case("not JSON in Amazon's type", "POST /", &[AMAZON_JSON], "hi", NOT_JSON),
    case("not JSON, semicolon", "POST /", &["Content-Type: application/json;"], "hi", NOT_JSON),
    case("not JSON, spaces", "POST /", &["Content-Type:   application/json  ;   asfd"], "hi", NOT_JSON),
    case(
        "not JSON, parameter",
        "POST /",
        &["Content-Type: application/x-amz-json-1.0;blahblah"],
        "hi",
        NOT_JSON,
    ),
    case("no target", "POST /", &[], "", UNKNOWN_OPERATION),
    case("no target, JSON", "POST /", &["Content-Type: application/json"], "{}", UNKNOWN_OPERATION),
    case("no target, Amazon's JSON", "POST /", &[AMAZON_JSON], "{}", UNKNOWN_OPERATION),
    case("a target of one word", "POST /", &["X-Amz-Target: whatever"], "", UNKNOWN_OPERATION),
    case(
        "a target that is no operation",
        "POST /",
        &["X-Amz-Target: DynamoDB_20120810.ListTable"],
        "",
        UNKNOWN_OPERATION,
    ),
    case("no credentials", "POST /", &[LIST_TABLES], "", NO_TOKEN),
    case("no signature version", "POST /", &[LIST_TABLES, "Authorization: AWS4"], "", NO_TOKEN),
    case(
        "a query parameter that is nearly the right one",
        "POST /?X-Amz-Algorith",
        &[LIST_TABLES, "Authorization: X"],
        "",
        NO_TOKEN,
    ),
    case(
        "a query string without its algorithm",
        "POST /?X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c&X-Amz-Date=d",
        &[LIST_TABLES],
        "",
        NO_TOKEN,
    ),
    case(
        "credentials in two places",
        "POST /?X-Amz-Algorithm",
        &[LIST_TABLES, "Authorization: X"],
        "",
        TWO_PLACES,
    ),
    case(
        "an empty Authorization header",
        "POST /",
        &[LIST_TABLES, "Authorization: AWS4-"],
        "",
        (
            400,
            r#"{"__type":"com.amazon.coral.service#IncompleteSignatureException","message":"Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. Authorization=AWS4-"}"#,
            "1828866742",
        ),
    ),
    case(
        "no SignedHeaders, space",
        "POST /",
        &[LIST_TABLES, "Authorization: AWS4- Signature=b Credential=a", DATE],
        "",
        (
            400,
            r#"{"__type":"com.amazon.coral.service#IncompleteSignatureException","message":"Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b Credential=a"}"#,
            "15336762",
        ),
    ),
    case(
        "no SignedHeaders, comma",
        "POST /",
        &[LIST_TABLES, "Authorization: AWS4- Signature=b,Credential=a", DATE],
        "",
        (
            400,
            r#"{"__type":"com.amazon.coral.service#IncompleteSignatureException","message":"Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b,Credential=a"}"#,
            "1159703774",
        ),
    ),
    case(
        "no SignedHeaders, comma and space",
        "POST /",
        &[LIST_TABLES, "Authorization: AWS4- Signature=b, Credential=a", DATE],
        "",
        (
            400,
            r#"{"__type":"com.amazon.coral.service#IncompleteSignatureException","message":"Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b, Credential=a"}"#,
            "164353342",
        ),
    ),
    case(
        "an empty query string",
        "POST /?X-Amz-Algorithm",
        &[LIST_TABLES],
        "",
        (
            400,
            r#"{"__type":"com.amazon.coral.service#IncompleteSignatureException","message":"AWS query-string parameters must include 'X-Amz-Algorithm'. AWS query-string parameters must include 'X-Amz-Credential'. AWS query-string parameters must include 'X-Amz-Signature'. AWS query-string parameters must include 'X-Amz-SignedHeaders'. AWS query-string parameters must include 'X-Amz-Date'. Re-examine the query-string parameters."}"#,
            "2900502663",
        ),
    ),
    case(
        "a query string without its signed headers",
        "POST /?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-Date=d",
        &[LIST_TABLES],
        "",
        (
            400,
            r#"{"__type":"com.amazon.coral.service#IncompleteSignatureException","message":"AWS query-string parameters must include 'X-Amz-SignedHeaders'. Re-examine the query-string parameters."}"#,
            "3712057481",
        ),
    ),
];

/// Two flaws in one request, and the one that is answered.
const PRECEDENCE: &[Case] = &[
    case("wrong path before broken body", "POST /x", &[AMAZON_JSON, LIST_TABLES], "hi", NOT_A_CALL),
    case("wrong method before unknown operation", "PUT /", &[AMAZON_JSON], "{}", NOT_A_CALL),
    case("broken body before unknown operation", "POST /", &[AMAZON_JSON, "X-Amz-Target: x"], "hi", NOT_JSON),
    case("broken body before credentials", "POST /", &[AMAZON_JSON, LIST_TABLES], "hi", NOT_JSON),
    case("unknown operation before credentials", "POST /", &["X-Amz-Target: x"], "", UNKNOWN_OPERATION),
    case(
        "unknown operation before credentials in two places",
        "POST /?X-Amz-Algorithm",
        &["Authorization: X"],
        "",
        UNKNOWN_OPERATION,
    ),
    case("credentials before an absent body", "POST /", &[LIST_TABLES], "", NO_TOKEN),
    case(
        "credentials before the body's members",
        "POST /",
        &[AMAZON_JSON, LIST_TABLES],
        r#"{"Limit":"x"}"#,
        NO_TOKEN,
    ),
    case("an absent body", "POST /", &[LIST_TABLES, COMPLETE, DATE], "", NOT_JSON),
    case(
        "a broken body, all else right",
        "POST /",
        &[AMAZON_JSON, LIST_TABLES, COMPLETE, DATE],
        "hi",
        NOT_JSON,
    ),
];

fn assert_cases(cases: &[Case]) {
    let server = Running::start();
    let mut connection = server.connect();
    for Case { what, request, headers, body, status, answer, checksum } in cases {
        let length = format!("Content-Length: {}", body.len());
        let lines = [headers, &[length.as_str()][..]].concat();
        let answered = connection.send(head(request, &lines)).send(body).receive();
        assert_eq!((answered.status, answered.text()), (*status, *answer), "{what}");
        assert_eq!(answered.header("x-amz-crc32"), Some(*checksum), "{what}");
        answered.assert_sound();
        let content_type = match (*status, headers.contains(&AMAZON_JSON)) {
            (404, _) => None,
            (_, true) => Some("application/x-amz-json-1.0"),
            (_, false) if headers.iter().any(|line| line.contains("x-amz-json")) => {
                Some("application/x-amz-json-1.0")
            }
            (_, false) => Some("application/json"),
        };
        assert_eq!(answered.header("content-type"), content_type, "{what}");
    }
}

#[test]
fn every_refusal_of_the_wire_has_the_bytes_of_the_service() {
    assert_cases(ALONE);
}

#[test]
fn of_two_flaws_the_service_answers_the_one_it_looks_at_first() {
    assert_cases(PRECEDENCE);
}

/// Taking either of two targets silently would let a rule in front of the server see one operation and the server
/// another; joined, they name none.
#[test]
fn a_target_that_is_sent_twice_names_no_operation() {
    let server = Running::start();
    let twice = head(
        "POST /",
        &[
            AMAZON_JSON,
            COMPLETE,
            DATE,
            LIST_TABLES,
            "X-Amz-Target: DynamoDB_20120810.DeleteTable",
            "Content-Length: 2",
        ],
    );
    let answer = server.connect().send(twice).send("{}").receive();
    assert_eq!((answer.status, answer.text()), (UNKNOWN_OPERATION.0, UNKNOWN_OPERATION.1));
}

#[test]
fn complete_credentials_pass_in_the_header_and_in_the_query_string() {
    let server = Running::start();
    let by_header = head("POST /", &[AMAZON_JSON, LIST_TABLES, COMPLETE, DATE, "Content-Length: 2"]);
    let query =
        "POST /?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-SignedHeaders=d&X-Amz-Date=e";
    let by_query = head(query, &[AMAZON_JSON, LIST_TABLES, "Content-Length: 2"]);
    for request in [by_header, by_query] {
        let answer = server.connect().send(request).send("{}").receive();
        assert_eq!((answer.status, answer.text()), (200, r#"{"TableNames":[]}"#));
    }
}
