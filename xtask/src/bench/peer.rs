//! The servers of the benchmark: how each is built, started and made ready.
//!
//! Peers come from their registries, at a fixed version, into the target directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::connection::Connection;
use super::latency::median;
use super::load::ExpectedAnswer;
use super::request;
use crate::dynalite;
use crate::endpoint::{Endpoint, free_port};
use crate::failure::{Attempt, Failure, Outcome};
use crate::tool;
use crate::workspace::Workspace;

const DYNOXIDE_VERSION: &str = "3.2.0";

/// A server of the benchmark, in the order of the tables: the durable pair first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Kind {
    /// keywright on a directory
    KeywrightDirectory,
    /// dynoxide on a file
    DynoxideFile,
    /// keywright in memory
    KeywrightMemory,
    /// dynoxide in memory
    DynoxideMemory,
    /// dynalite in memory
    Dynalite,
    /// A hyper server that answers a fixed body
    Bare,
}

impl Kind {
    /// The name in the tables.
    pub(super) fn name(self) -> String {
        match self {
            Kind::KeywrightDirectory => "keywright, directory".to_owned(),
            Kind::KeywrightMemory => "keywright, memory".to_owned(),
            Kind::DynoxideFile => format!("dynoxide {DYNOXIDE_VERSION}, file"),
            Kind::DynoxideMemory => format!("dynoxide {DYNOXIDE_VERSION}, memory"),
            Kind::Dynalite => format!("dynalite {}, memory", dynalite::VERSION),
            Kind::Bare => "bare hyper server".to_owned(),
        }
    }

    /// The server of ours that gives the same promise about what was written.
    pub(super) fn counterpart(self) -> Kind {
        match self {
            Kind::KeywrightDirectory | Kind::DynoxideFile => Kind::KeywrightDirectory,
            Kind::KeywrightMemory | Kind::DynoxideMemory | Kind::Dynalite | Kind::Bare => {
                Kind::KeywrightMemory
            }
        }
    }

    /// What a sound answer of this server looks like.
    pub(super) fn answer(self) -> ExpectedAnswer {
        if self == Kind::Bare { ExpectedAnswer::Status } else { ExpectedAnswer::Items }
    }
}

/// The programs, built and installed, and a place for their data.
pub(super) struct Builds {
    keywright: PathBuf,
    bare: PathBuf,
    dynoxide: PathBuf,
    dynalite: PathBuf,
    data: PathBuf,
}

impl Builds {
    /// Builds or installs, in the release profile, what `kinds` name.
    pub(super) fn install(workspace: &Workspace, kinds: &[Kind]) -> Outcome<Builds> {
        let is_wanted = |some: &[Kind]| kinds.iter().any(|kind| some.contains(kind));
        for (package, some) in [
            ("keywright-cli", &[Kind::KeywrightDirectory, Kind::KeywrightMemory][..]),
            ("bare-server", &[Kind::Bare][..]),
        ] {
            if is_wanted(some) {
                workspace.cargo(&["build", "--locked", "--release", "--package", package]).run()?;
            }
        }
        let mut dynoxide = PathBuf::new();
        if is_wanted(&[Kind::DynoxideFile, Kind::DynoxideMemory]) {
            dynoxide = tool::install(workspace, "dynoxide-rs", DYNOXIDE_VERSION, &[])?.join("dynoxide");
        }
        let mut dynalite = PathBuf::new();
        if is_wanted(&[Kind::Dynalite]) {
            dynalite = dynalite::install(workspace)?;
        }
        let data = workspace.target().join("bench/data");
        if data.exists() {
            fs::remove_dir_all(&data).attempt("removing the data of the last benchmark")?;
        }
        fs::create_dir_all(&data).attempt(&format!("creating {}", data.display()))?;
        Ok(Builds {
            keywright: workspace.release_binary("keywright"),
            bare: workspace.release_binary("bare-server"),
            dynoxide,
            dynalite,
            data,
        })
    }

    /// Where the servers keep their data.
    pub(super) fn data_directory(&self) -> &Path {
        &self.data
    }

    /// The command of a server that will listen on `port`; the bare server chooses its own.
    fn command(&self, kind: Kind, port: u16, data: &Path) -> Command {
        let port_text = port.to_string();
        match kind {
            Kind::KeywrightDirectory | Kind::KeywrightMemory => {
                let mut command = Command::new(&self.keywright);
                command.args(["serve", "--address", &format!("127.0.0.1:{port}")]);
                if kind == Kind::KeywrightMemory {
                    command.arg("--memory")
                } else {
                    command.arg("--data").arg(data)
                };
                command
            }
            Kind::DynoxideFile | Kind::DynoxideMemory => {
                let mut command = Command::new(&self.dynoxide);
                command.args(["serve", "--log", "quiet", "--port", &port_text]);
                if kind == Kind::DynoxideFile {
                    command.arg("--db-path").arg(data.with_extension("db"));
                }
                command
            }
            Kind::Dynalite => dynalite::command(&self.dynalite, port),
            Kind::Bare => Command::new(&self.bare),
        }
    }

    fn launch(&self, kind: Kind, data: &Path) -> Outcome<Endpoint> {
        if kind == Kind::Bare {
            return Endpoint::launch(self.command(kind, 0, data), |line| Some(line.to_owned()));
        }
        let port = free_port()?;
        Endpoint::launch_on(self.command(kind, port, data), &format!("127.0.0.1:{port}"))
    }
}

/// A server that is ready: the tables are there, with the items to read.
pub(super) struct Peer {
    kind: Kind,
    endpoint: Endpoint,
}

impl Peer {
    /// Starts the server, creates the tables and stores the items.
    pub(super) fn start(builds: &Builds, kind: Kind) -> Outcome<Peer> {
        let peer = Peer::start_empty(builds, kind)?;
        if kind != Kind::Bare {
            let mut connection = Connection::open(peer.address()).attempt(&kind.name())?;
            for request in request::load_requests() {
                peer.send(&mut connection, &request)?;
            }
        }
        Ok(peer)
    }

    /// Starts the server and creates the tables.
    pub(super) fn start_empty(builds: &Builds, kind: Kind) -> Outcome<Peer> {
        let peer = Peer { kind, endpoint: builds.launch(kind, &builds.data.join(format!("{kind:?}")))? };
        wait_until_healthy(&peer.endpoint)?;
        if kind != Kind::Bare {
            let mut connection = Connection::open(peer.address()).attempt(&kind.name())?;
            for (table, create) in request::create_tables() {
                peer.send(&mut connection, &create)?;
                while !peer.send(&mut connection, &request::describe_table(table))?.contains("ACTIVE") {
                    thread::sleep(Duration::from_millis(5));
                }
            }
        }
        Ok(peer)
    }

    /// Kills the server, and starts one on what it left; how long that took to its first answer.
    pub(super) fn kill_and_start(self, builds: &Builds) -> Outcome<(Peer, Duration)> {
        let kind = self.kind;
        drop(self);
        let started = Instant::now();
        let endpoint = builds.launch(kind, &builds.data.join(format!("{kind:?}")))?;
        wait_until_healthy(&endpoint)?;
        Ok((Peer { kind, endpoint }, started.elapsed()))
    }

    fn send(&self, connection: &mut Connection, request: &[u8]) -> Outcome<String> {
        let answer = connection.exchange(request).attempt(&self.kind.name())?;
        let body = String::from_utf8_lossy(answer.body).into_owned();
        if answer.status == 200 {
            return Ok(body);
        }
        Err(Failure::new(format!("{}: {} {body}", self.kind.name(), answer.status)))
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn address(&self) -> &str {
        self.endpoint.address()
    }
}

/// How long a server takes to start, and what it holds when it has nothing to do.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) kind: Kind,
    /// From the start of the process to its first answer, with no data there yet: the median of the tries.
    pub(super) new_milliseconds: f64,
    /// The same on the data that was there when the process before was killed.
    pub(super) again_milliseconds: f64,
    /// The resident memory right after a start, where the system tells it.
    pub(super) resident_megabytes: Option<f64>,
}

/// Starts a server some times and measures.
pub(super) fn measure_start(builds: &Builds, kind: Kind) -> Outcome<Start> {
    const TRIES: usize = 7;
    let mut new = Vec::new();
    let mut again = Vec::new();
    let mut memory = Vec::new();
    for number in 0..TRIES {
        let data = builds.data.join(format!("start-{kind:?}-{number}"));
        for took in [&mut new, &mut again] {
            let started = Instant::now();
            let endpoint = builds.launch(kind, &data)?;
            wait_until_healthy(&endpoint)?;
            took.push(started.elapsed().as_secs_f64() * 1_000.0);
            memory.extend(resident_megabytes(endpoint.process_id()));
        }
    }
    Ok(Start {
        kind,
        new_milliseconds: median(new),
        again_milliseconds: median(again),
        resident_megabytes: if memory.is_empty() { None } else { Some(median(memory)) },
    })
}

const HEALTH_CHECK: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Asks again and again, at most for ten seconds, until the server answers anything.
fn wait_until_healthy(endpoint: &Endpoint) -> Outcome {
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        let answered = Connection::open(endpoint.address())
            .and_then(|mut connection| connection.exchange(HEALTH_CHECK).map(|answer| answer.status));
        match answered {
            Ok(_) => return Ok(()),
            Err(error) if Instant::now() > end => {
                return Err(Failure::new(format!("{} does not answer: {error}", endpoint.address())));
            }
            Err(_) => thread::sleep(Duration::from_micros(200)),
        }
    }
}

/// The resident set of a process, from /proc; `None` on other systems than Linux.
fn resident_megabytes(process_id: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process_id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: f64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024.0)
}
