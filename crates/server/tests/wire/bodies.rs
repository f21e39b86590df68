//! Hostile bodies: a clear answer each, and a server that lives on.

use crate::client::{call, call_with, chunked, head, head_of_call};
use crate::running::Running;

const LIMIT: usize = 16 * 1024 * 1024;

#[test]
fn a_body_above_16_mib_is_too_large_and_one_of_16_mib_is_not() {
    let server = Running::start();
    let too_large = server.exchange(call("PutItem", vec![b'a'; LIMIT + 1]));
    assert_eq!((too_large.status, too_large.error_name().as_str()), (413, "RequestEntityTooLargeException"));
    too_large.assert_sound();
    let just_fits = server.exchange(call("PutItem", vec![b'a'; LIMIT]));
    assert_eq!((just_fits.status, just_fits.error_name().as_str()), (400, "SerializationException"));
}

#[test]
fn a_chunked_body_above_16_mib_is_too_large_and_one_of_16_mib_is_not() {
    let server = Running::start();
    for (length, status) in [(LIMIT + 1, 413), (LIMIT, 400)] {
        let mut connection = server.connect();
        connection.send(head_of_call("PutItem", &["Transfer-Encoding: chunked"]));
        let answer = connection.send(chunked(&vec![b'a'; length], 1 << 20)).receive();
        assert_eq!(answer.status, status);
    }
}

#[test]
fn a_client_that_asks_first_is_refused_before_it_sends_too_much() {
    let server = Running::start();
    let length = format!("Content-Length: {}", LIMIT + 1);
    let mut connection = server.connect();
    let answer = connection.send(head_of_call("PutItem", &["Expect: 100-continue", &length])).receive();
    assert_eq!(answer.status, 413);
    assert!(connection.is_closed());
}

#[test]
fn a_length_that_no_machine_holds_is_too_large() {
    let server = Running::start();
    let length = format!("Content-Length: {}", u64::MAX - 2);
    let mut connection = server.connect();
    connection.send(head_of_call("PutItem", &["Expect: 100-continue", &length]));
    assert_eq!(connection.receive().status, 413);
}

#[test]
fn what_is_not_http_is_a_bad_request() {
    let server = Running::start();
    let garbage: &[&[u8]] = &[
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS greeting\r\n\r\n",
        b"hello\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"POST / HTTP/1.1\r\nContent-Length: many\r\n\r\n",
        b"POST / HTTP/1.1\r\nno colon\r\n\r\n",
    ];
    for bytes in garbage {
        let mut connection = server.connect();
        connection.send(bytes);
        assert_eq!(connection.receive().status, 400, "{}", String::from_utf8_lossy(bytes));
        assert!(connection.is_closed());
    }
}

#[test]
fn broken_chunks_are_malformed() {
    let server = Running::start();
    let mut connection = server.connect();
    connection.send(head_of_call("ListTables", &["Transfer-Encoding: chunked"]));
    let answer = connection.send("2\r\n{}\r\nnot a length\r\n").receive();
    assert_eq!((answer.status, answer.error_name().as_str()), (400, "MalformedHttpRequestException"));
    assert!(connection.is_closed());
}

#[test]
fn a_body_that_is_cut_off_hurts_nobody() {
    let server = Running::start();
    server.create_table("Things");
    let put = call("PutItem", r#"{"TableName":"Things","Item":{"id":{"S":"cut"}}}"#);
    for length in [put.len() - 1, put.len() - 20, 100, 1] {
        let mut connection = server.connect();
        connection.send(&put[..length]).finish_sending();
        drop(connection);
    }
    let get = call("GetItem", r#"{"TableName":"Things","Key":{"id":{"S":"cut"}},"ConsistentRead":true}"#);
    assert_eq!(server.exchange(get).text(), "{}");
}

#[test]
fn nesting_without_end_is_refused_whoever_would_have_refused_first() {
    let server = Running::start();
    for unit in ["[", r#"{"L":[{"#, r#"{"M":{"a":"#, r#"{"a":"#] {
        for depth in [200, 100_000] {
            let nested = unit.repeat(depth);
            let value = format!(r#"{{"TableName":"Things","Item":{{"id":{nested}"#);
            for body in [nested.as_str(), value.as_str()] {
                for operation in ["PutItem", "Query", "NoSuchOperation"] {
                    let answer = server.exchange(call(operation, body));
                    assert_eq!(answer.status, 400, "{operation} {depth} times {unit}");
                    answer.assert_sound();
                }
            }
        }
    }
}

#[test]
fn bytes_that_are_not_text_are_not_json() {
    let server = Running::start();
    let bodies: &[&[u8]] =
        &[b"\xff\xfe{}", b"{\"TableName\":\"\xc3\x28\"}", b"\0", b"{}\0", b"\xef\xbb\xbf{}"];
    for body in bodies {
        let answer = server.exchange(call("DescribeTable", body));
        assert_eq!(
            (answer.status, answer.error_name().as_str()),
            (400, "SerializationException"),
            "{body:?}"
        );
    }
}

#[test]
fn a_compressed_body_is_not_json() {
    let server = Running::start();
    let gzip_magic = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0];
    let answer = server.exchange(call_with("ListTables", &["Content-Encoding: gzip"], gzip_magic));
    assert_eq!((answer.status, answer.error_name().as_str()), (400, "SerializationException"));
}

#[test]
fn a_get_with_a_body_is_still_a_health_check() {
    let server = Running::start();
    let mut connection = server.connect();
    let answer = connection.send(head("GET /", &["Content-Length: 2"])).send("hi").receive();
    assert_eq!(answer.status, 200);
    assert_eq!(connection.send(call("ListTables", "{}")).receive().status, 200);
}
