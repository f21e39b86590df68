//! The binary under test, killed when a test ends.

use std::fs::File;
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
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_keywright"));
    start(
        command
            .args(["serve", "--address", "127.0.0.1:0"])
            .args(arguments)
            .env("KEYWRIGHT_LOG", "trace")
            .stderr(full),
    )
}

/// `keywright serve` on a free port, whose standard error goes to a file.
pub(crate) fn serve_into(errors: File, arguments: &[&str]) -> Serving {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keywright"));
    start(command.args(["serve", "--address", "127.0.0.1:0"]).args(arguments).stderr(errors))
}

/// `keywright serve` on a free port and a directory, with the address that it printed; what it says on standard error, which are the
/// events that `log` chooses, can be read when it has ended. It must be less than a pipe holds.
pub(crate) fn serve_heard(directory: &Path, log: &str) -> (Serving, SocketAddr) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keywright"));
    let arguments =
        ["serve", "--address", "127.0.0.1:0", "--format", "json", "--data", directory.to_str().unwrap()];
    command.args(arguments).env("KEYWRIGHT_LOG", log).env("NO_COLOR", "1").stderr(Stdio::piped());
    listening(start(&mut command))
}

fn start(command: &mut Command) -> Serving {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    Serving { child, output }
}

/// The same on a directory, with the address that it printed.
pub(crate) fn serve_directory(directory: &Path) -> (Serving, SocketAddr) {
    listening(serve(&["--format", "json", "--data", directory.to_str().unwrap()]))
}

fn listening(mut serving: Serving) -> (Serving, SocketAddr) {
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

    /// What was said on standard error, after the end of a process that [`serve_heard`] started.
    pub(crate) fn errors(&mut self) -> String {
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        errors
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
