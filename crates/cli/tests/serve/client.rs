//! One keep-alive connection that calls operations.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> io::Result<Connection> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(Connection { stream: BufReader::new(stream) })
    }

    /// Status and body of one call; an error when the connection broke before the whole answer was here.
    pub(crate) fn call(&mut self, operation: &str, body: &str) -> io::Result<(u16, String)> {
        self.call_as("localhost", operation, body)
    }

    /// The same by another name of the server.
    pub(crate) fn call_as(&mut self, host: &str, operation: &str, body: &str) -> io::Result<(u16, String)> {
        self.send(host, operation, body)?;
        self.receive()
    }

    /// Waits for the first byte of an answer, and leaves it unread.
    pub(crate) fn until_an_answer_begins(&self) -> io::Result<()> {
        self.stream.get_ref().peek(&mut [0]).map(drop)
    }

    pub(crate) fn send(&mut self, host: &str, operation: &str, body: &str) -> io::Result<()> {
        let request = format!(
            "POST / HTTP/1.1\r\nHost: {host}\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\n\
             Content-Type: application/x-amz-json-1.0\r\nX-Amz-Date: 20260101T000000Z\r\nContent-Length: {}\r\n\
             Authorization: AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())
    }

    /// Begins a call whose body never ends, and waits until the server reads it.
    pub(crate) fn send_part_of_a_call(&mut self) {
        let head =
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n";
        self.stream.get_mut().write_all(head.as_bytes()).unwrap();
        assert!(self.line().unwrap().contains("100"));
    }

    fn receive(&mut self) -> io::Result<(u16, String)> {
        let status = self.line()?.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut length = 0;
        loop {
            let line = self.line()?.to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok((status.ok_or_else(|| io::Error::other("no status"))?, String::from_utf8(body).unwrap()))
    }

    pub(crate) fn create_table(&mut self) {
        let created = self.call(
            "CreateTable",
            r#"{"TableName":"Things","BillingMode":"PAY_PER_REQUEST",
                "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
                "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}"#,
        );
        assert_eq!(created.unwrap().0, 200);
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end().to_owned())
    }
}
