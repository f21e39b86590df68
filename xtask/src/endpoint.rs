//! A `keywright serve` of this build on a free port of the loopback interface, stopped when it is dropped.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::failure::{Attempt, Failure, Outcome};

/// Where the items of a started server live.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Storage<'path> {
    /// In the memory of the process.
    Memory,
    /// In a directory, durably.
    Directory(&'path Path),
}

/// A running server.
#[derive(Debug)]
pub(crate) struct Endpoint {
    child: Child,
    address: String,
}

impl Endpoint {
    /// Starts `binary` and waits for the line that says where it listens.
    pub(crate) fn start(binary: &Path, storage: Storage<'_>) -> Outcome<Endpoint> {
        let mut command = Command::new(binary);
        command.args(["serve", "--address", "127.0.0.1:0", "--format", "json"]);
        match storage {
            Storage::Memory => command.arg("--memory"),
            Storage::Directory(path) => command.arg("--data").arg(path),
        };
        Endpoint::launch(command, address_from_json)
    }

    /// Starts any server that prints a line from which `read_address` finds where it listens.
    pub(crate) fn launch(
        mut command: Command,
        read_address: fn(&str) -> Option<String>,
    ) -> Outcome<Endpoint> {
        let shown = command.get_program().to_string_lossy().into_owned();
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .attempt(&format!("starting {shown}"))?;
        let lines = child.stdout.take().map(BufReader::new);
        let mut endpoint = Endpoint { child, address: String::new() };
        let mut read = String::new();
        for line in lines.into_iter().flat_map(BufReader::lines) {
            let line = line.attempt(&format!("reading the output of {shown}"))?;
            if let Some(address) = read_address(&line) {
                endpoint.address = address;
                return Ok(endpoint);
            }
            read.push_str(&line);
            read.push('\n');
        }
        Err(Failure::new(format!("{shown} ended without saying where it listens:\n{read}")))
    }

    /// A server that says nothing, and listens on `address` by agreement.
    pub(crate) fn launch_on(mut command: Command, address: &str) -> Outcome<Endpoint> {
        let shown = command.get_program().to_string_lossy().into_owned();
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .attempt(&format!("starting {shown}"))?;
        Ok(Endpoint { child, address: address.to_owned() })
    }

    /// Host and port.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The address as a URL, for an SDK.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The process, for its memory figures.
    pub(crate) fn process_id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        // Nothing is owed to a server that only this program used.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that nothing listens on.
pub(crate) fn free_port() -> Outcome<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").attempt("looking for a free port")?;
    Ok(listener.local_addr().attempt("looking for a free port")?.port())
}

fn address_from_json(line: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    value.get("address")?.as_str().map(str::to_owned)
}
