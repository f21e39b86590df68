//! A client that sends exactly the bytes it is given, since a well-behaved one cannot ask what the tests ask.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// Longer than any test takes: a hang becomes a failure.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Connection {
    stream: TcpStream,
    unread: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Connection {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Connection { stream, unread: Vec::new() }
    }

    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) -> &mut Connection {
        self.stream.write_all(bytes.as_ref()).unwrap();
        self
    }

    /// Sends what the server may refuse to read to its end.
    pub(crate) fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> std::io::Result<()> {
        self.stream.write_all(bytes.as_ref())
    }

    /// Says that nothing more will be sent.
    pub(crate) fn finish_sending(&mut self) {
        self.stream.shutdown(Shutdown::Write).unwrap();
    }

    /// The next answer. Interim ones (100 Continue) count.
    pub(crate) fn receive(&mut self) -> Answer {
        let head_end = loop {
            if let Some(position) = find(&self.unread, b"\r\n\r\n") {
                break position;
            }
            assert!(self.fill(), "the connection closed before an answer came: {:?}", self.unread);
        };
        let head = String::from_utf8(self.unread[..head_end].to_vec()).unwrap();
        self.unread.drain(..head_end + 4);
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines
            .map(|line| line.split_once(':').unwrap())
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let mut answer = Answer { status, headers, body: Vec::new() };
        let length = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
        while self.unread.len() < length {
            assert!(self.fill(), "the connection closed within a body");
        }
        answer.body = self.unread.drain(..length).collect();
        answer
    }

    /// Whether the server has closed the connection, with nothing more to read. Waits for that, or for a byte.
    pub(crate) fn is_closed(&mut self) -> bool {
        self.unread.is_empty() && !self.fill()
    }

    fn fill(&mut self) -> bool {
        let mut buffer = [0; 16 * 1024];
        match self.stream.read(&mut buffer) {
            Ok(length) => {
                self.unread.extend_from_slice(&buffer[..length]);
                length > 0
            }
            Err(error) if error.kind() == ErrorKind::ConnectionReset => false,
            Err(error) => panic!("no answer: {error}"),
        }
    }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(given, _)| given == name);
        let value = values.next();
        assert!(values.next().is_none(), "{name} is sent twice");
        value.map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The part of `__type` after its prefix.
    pub(crate) fn error_name(&self) -> String {
        let body: serde_json::Value = serde_json::from_slice(&self.body).unwrap();
        body["__type"].as_str().unwrap().split_once('#').unwrap().1.to_owned()
    }

    /// Asserts what holds for every answer to a request.
    pub(crate) fn assert_sound(&self) {
        let request_id = self.header("x-amzn-requestid").unwrap();
        assert_eq!(request_id.len(), 52, "{request_id}");
        assert!(
            request_id.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase()),
            "{request_id}"
        );
        assert_eq!(self.header("x-amz-crc32").unwrap(), crc32fast::hash(&self.body).to_string());
        assert_eq!(self.header("content-length").unwrap(), self.body.len().to_string());
        assert!(self.header("date").unwrap().ends_with(" GMT"));
    }
}

/// A request with complete credentials, as the AWS CLI would send it.
pub(crate) fn call(operation: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    call_with(operation, &[], body)
}

/// The same with further header lines.
pub(crate) fn call_with(operation: &str, lines: &[&str], body: impl AsRef<[u8]>) -> Vec<u8> {
    let length = format!("Content-Length: {}", body.as_ref().len());
    let mut request = head_of_call(operation, &[&[length.as_str()], lines].concat());
    request.extend_from_slice(body.as_ref());
    request
}

/// The head of a call, without a word on its body's length.
pub(crate) fn head_of_call(operation: &str, lines: &[&str]) -> Vec<u8> {
    let target = format!("X-Amz-Target: DynamoDB_20120810.{operation}");
    let call = [
        target.as_str(),
        "Content-Type: application/x-amz-json-1.0",
        "X-Amz-Date: 20260101T000000Z",
        "Authorization: AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, \
         SignedHeaders=host;x-amz-date, Signature=0",
    ];
    head("POST /", &[&call, lines].concat())
}

/// A request line and header lines.
pub(crate) fn head(method_and_path: &str, lines: &[&str]) -> Vec<u8> {
    let mut head = format!("{method_and_path} HTTP/1.1\r\nHost: localhost\r\n");
    for line in lines {
        head.push_str(line);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// `body` in chunks of `size` bytes.
pub(crate) fn chunked(body: &[u8], size: usize) -> Vec<u8> {
    let mut chunks = Vec::new();
    for chunk in body.chunks(size) {
        chunks.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        chunks.extend_from_slice(chunk);
        chunks.extend_from_slice(b"\r\n");
    }
    chunks.extend_from_slice(b"0\r\n\r\n");
    chunks
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
