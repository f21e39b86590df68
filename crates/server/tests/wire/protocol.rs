//! HTTP as clients use it: keep-alive, pipelining, chunks, Expect.

use crate::client::{call, call_with, chunked, head, head_of_call};
use crate::running::Running;

#[test]
fn every_answer_carries_request_id_checksum_and_the_type_of_the_request() {
    let server = Running::start();
    let success = server.exchange(call("ListTables", "{}"));
    assert_eq!((success.status, success.text()), (200, r#"{"TableNames":[]}"#));
    let refusal = server.exchange(call("DescribeTable", r#"{"TableName":"nowhere"}"#));
    assert_eq!((refusal.status, refusal.error_name().as_str()), (400, "ResourceNotFoundException"));
    for answer in [&success, &refusal] {
        answer.assert_sound();
        assert_eq!(answer.header("content-type"), Some("application/x-amz-json-1.0"));
    }
    assert_ne!(success.header("x-amzn-requestid"), refusal.header("x-amzn-requestid"));
}

#[test]
fn one_connection_serves_many_requests_of_which_some_are_refused() {
    let server = Running::start();
    server.create_table("Things");
    let mut connection = server.connect();
    for number in 0..50 {
        let item = format!(r#"{{"TableName":"Things","Item":{{"id":{{"S":"{number}"}}}}}}"#);
        assert_eq!(connection.send(call("PutItem", item)).receive().text(), "{}");
        let refused = connection.send(call("PutItem", r#"{"TableName":"Things","Item":{}}"#)).receive();
        assert_eq!((refused.status, refused.error_name().as_str()), (400, "ValidationException"));
        let unknown = connection.send(call("PutItems", "{}")).receive();
        assert_eq!((unknown.status, unknown.error_name().as_str()), (400, "UnknownOperationException"));
        assert_eq!(connection.send(head("DELETE /", &[])).receive().status, 404);
    }
}

#[test]
fn pipelined_requests_are_answered_in_their_order() {
    let server = Running::start();
    server.create_table("Things");
    let mut requests = Vec::new();
    for number in 0..20 {
        let item = format!(r#"{{"TableName":"Things","Item":{{"id":{{"S":"k"}},"n":{{"N":"{number}"}}}}}}"#);
        requests.extend(call("PutItem", item));
        requests.extend(call(
            "GetItem",
            r#"{"TableName":"Things","Key":{"id":{"S":"k"}},"ConsistentRead":true}"#,
        ));
    }
    let mut connection = server.connect();
    connection.send(requests);
    for number in 0..20 {
        assert_eq!(connection.receive().text(), "{}");
        let expected = format!(r#"{{"Item":{{"id":{{"S":"k"}},"n":{{"N":"{number}"}}}}}}"#);
        assert_eq!(connection.receive().text(), expected);
    }
}

#[test]
fn connection_close_is_honoured() {
    let server = Running::start();
    let mut connection = server.connect();
    let answer = connection.send(call_with("ListTables", &["Connection: close"], "{}")).receive();
    assert_eq!(answer.status, 200);
    assert!(connection.is_closed());
}

#[test]
fn an_old_client_without_keep_alive_is_answered_and_closed() {
    let server = Running::start();
    let mut connection = server.connect();
    let answer = connection.send("GET / HTTP/1.0\r\n\r\n").receive();
    assert_eq!(answer.status, 200);
    assert!(connection.is_closed());
}

#[test]
fn a_chunked_body_is_read_whatever_the_size_of_its_chunks() {
    let server = Running::start();
    server.create_table("Things");
    let filler = "x".repeat(300_000);
    let body = format!(r#"{{"TableName":"Things","Item":{{"id":{{"S":"k"}},"filler":{{"S":"{filler}"}}}}}}"#);
    let mut connection = server.connect();
    for size in [1_000, 65_536, 1_000_000] {
        connection.send(head_of_call("PutItem", &["Transfer-Encoding: chunked"]));
        let answer = connection.send(chunked(body.as_bytes(), size)).receive();
        assert_eq!((answer.status, answer.text()), (200, "{}"));
    }
    let small = r#"{"TableName":"Things","Key":{"id":{"S":"none"}}}"#;
    connection.send(head_of_call("GetItem", &["Transfer-Encoding: chunked"]));
    assert_eq!(connection.send(chunked(small.as_bytes(), 7)).receive().text(), "{}");
}

#[test]
fn a_client_that_asks_first_is_told_to_continue() {
    let server = Running::start();
    let body = r#"{"Limit":10}"#;
    let length = format!("Content-Length: {}", body.len());
    let mut connection = server.connect();
    let interim = connection.send(head_of_call("ListTables", &["Expect: 100-continue", &length])).receive();
    assert_eq!(interim.status, 100);
    let answer = connection.send(body).receive();
    assert_eq!((answer.status, answer.text()), (200, r#"{"TableNames":[]}"#));
}

#[test]
fn a_body_that_arrives_byte_by_byte_is_whole() {
    let server = Running::start();
    let mut connection = server.connect();
    for byte in call("ListTables", "{}") {
        connection.send([byte]);
    }
    assert_eq!(connection.receive().text(), r#"{"TableNames":[]}"#);
}
