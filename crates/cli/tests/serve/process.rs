//! The binary under test, killed when a test ends.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};

pub(crate) struct Serving {
    child: Child,
    output: BufReader<ChildStdout>,
}

/// `keywright serve` on a free port.
pub(crate) fn serve(arguments: &[&str]) -> Serving {
    serve_at("127.0.0.1:0", arguments)
}

/// `keywright serve` on an address.
pub(crate) fn serve_at(address: &str, arguments: &[&str]) -> Serving {
    start(Command::new(env!("CARGO_BIN_EXE_keywright")).args(["serve", "--address", address]).args(arguments))
}

/// `keywright serve` on a free port, which says all that it can say on a standard error that takes nothing.
#[cfg(target_os = "linux")]
pub(crate) fn serve_unheard(arguments: &[&str]) -> Serving {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_keywright"));
    start(
        command
            .args(["serve", "--address", "127.0.0.1:0"])
            .args(arguments)
            .env("KEYWRIGHT_LOG", "trace")
            .stderr(full),
    )
}

fn start(command: &mut Command) -> Serving {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    Serving { child, output }
}

/// The same on a directory, with the address that it printed.
pub(crate) fn serve_directory(directory: &Path) -> (Serving, SocketAddr) {
    let mut serving = serve(&["--format", "json", "--data", directory.to_str().unwrap()]);
    let event = serving.event();
    let address = event["address"].as_str().unwrap().parse().unwrap();
    (serving, address)
}

/// Runs `keywright` to its end.
pub(crate) fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_keywright")).args(arguments).output().unwrap()
}

impl Serving {
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    pub(crate) fn event(&mut self) -> serde_json::Value {
        let line = self.line();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// All that is printed from here to the process's end.
    pub(crate) fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        rest
    }

    /// A figure of `/proc/<id>/status`, such as `VmRSS`, in bytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn memory(&self, figure: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(figure)).unwrap();
        let kibibytes: u64 = line.trim_start_matches(':').trim().trim_end_matches(" kB").parse().unwrap();
        kibibytes * 1024
    }

    /// From now on `VmHWM` is the most of the time after this.
    #[cfg(target_os = "linux")]
    pub(crate) fn forget_peak(&self) {
        std::fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5").unwrap();
    }

    /// Sends a signal by its name, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// kill -9.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // Fails only for a process that has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
