//! `keywright serve`: the engine behind an HTTP endpoint, until a signal stops it.
//!
//! Stopping finishes the requests in flight and the queued writes, closes the store and lets go of its directory. Only then it is said
//! to have stopped; a store that did not close cleanly is a failure.

mod clock;
mod durability;
mod fault_file;
mod printed;

use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::value_parser;
use keywright_engine::clock::{Clock, MovableClock};
use keywright_engine::faults::Faults;
use keywright_engine::{CloseError, Engine, OpenError, Options};
use keywright_server::{CrossOrigin, Exposure, Server, ServerOptions};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

use self::clock::ClockChoice;
use self::durability::DurabilityChoice;
use self::fault_file::Problem;
use crate::exit::Exit;
use crate::report::{self, Format};
use crate::signals::Signals;

/// A TiB: more is a slip of the pen.
const MOST_CACHE_MIB: i64 = 1024 * 1024;

/// The command line of `serve`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The directory that holds the data; created when it does not exist. One process at a time opens it.
    #[arg(long, value_name = "DIR", default_value = "keywright-data")]
    data: PathBuf,

    /// Keep the data in memory only; it is gone when the command ends.
    #[arg(long, conflicts_with = "data")]
    memory: bool,

    /// When a write is answered.
    #[arg(long, value_enum, default_value = "fsync", conflicts_with = "memory")]
    durability: DurabilityChoice,

    /// How much of the data directory's pages is kept in memory at most, in MiB; only what is read or written is. A quarter of the memory by default.
    #[arg(long, value_name = "MIB", conflicts_with = "memory", value_parser = value_parser!(u32).range(1..=MOST_CACHE_MIB))]
    cache_mib: Option<u32>,

    /// Where to listen; port 0 takes a free one.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8000")]
    address: String,

    /// Listen on an address that other machines can reach. Keys are not checked yet: anybody there can read and write
    /// every table.
    #[arg(long)]
    allow_public_address: bool,

    /// Answer to this name too, without a port: as a client in a container calls it, or by an entry of a hosts file. Can be
    /// given several times. Other names than localhost are refused: a web page can make its own resolve here.
    #[arg(long, value_name = "NAME", value_parser = host)]
    allow_host: Vec<String>,

    /// The region in the tables' ARNs.
    #[arg(long, value_name = "NAME", default_value = "us-east-1", value_parser = region)]
    region: String,

    /// Let web pages of every origin call from a browser (CORS). Any open page can then read and write every table.
    #[arg(long)]
    allow_cross_origin: bool,

    /// Let calls fail by the rules in this file, from its seed; what each rule did is listed at the end.
    #[arg(long, value_name = "FILE")]
    faults: Option<PathBuf>,

    /// Let programs of this machine move the time, forward, by POST /_keywright/clock. Between moves it stands still (frozen) or
    /// passes (running); it starts now, or at a moment, as in frozen@2026-01-01T00:00:00Z.
    #[arg(long, value_name = "frozen|running[@MOMENT]")]
    clock: Option<ClockChoice>,

    /// How to print: text for people, or one JSON object a line.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Serves until a signal comes. A second signal ends the process at once, with exit code 1.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let address = resolve(&arguments.address)?;
    let place = Place::of(arguments)?;
    let runtime = start(&mut Builder::new_multi_thread())?;
    // A second signal ends the process while the store closes, too, when the server's threads have ended.
    let watch = start(Builder::new_multi_thread().worker_threads(1))?;
    let clock = arguments.clock.map(ClockChoice::clock);
    let mut options = place.options(arguments).region(&arguments.region);
    if let Some(path) = &arguments.faults {
        options = options.faults(read_faults(path)?);
    }
    if let Some(clock) = &clock {
        let clock: Arc<dyn Clock> = Arc::<dyn MovableClock>::clone(clock);
        options = options.clock(clock);
    }
    let engine = Engine::open(options).map_err(Failure::Open)?;
    let served = shutdown(&watch)
        .and_then(|shutdown| runtime.block_on(serve(arguments, &engine, clock, address, &place, shutdown)));
    // Requests that outlasted the shutdown's time have the engine, too.
    drop(runtime);
    let closed = engine.close();
    let faults = engine.faults();
    drop(engine);
    if let Some(faults) = faults {
        report::result(&printed::fault_listing(arguments.format, &faults));
    }
    served?;
    closed.map_err(Failure::Close)?;
    report::result(&printed::farewell(arguments.format, &place));
    Ok(())
}

/// Starts threads for tasks.
fn start(builder: &mut Builder) -> Result<Runtime, Failure> {
    builder.enable_all().build().map_err(|error| Failure::Start("the threads of the server", error))
}

/// Ready at the first signal; the second one ends the process. Both are watched for on the threads of `watch`.
fn shutdown(watch: &Runtime) -> Result<impl Future<Output = ()> + use<>, Failure> {
    let listening = watch.block_on(async { Signals::listen() });
    let mut signals = listening.map_err(|error| Failure::Start("the signal handlers", error))?;
    let (stop, stopped) = oneshot::channel();
    watch.spawn(async move {
        signals.next().await;
        // It may have failed meanwhile, and wait for nothing.
        let _ = stop.send(());
        signals.next().await;
        report::failure(&"stopped by a second signal, without waiting for what was under way");
        std::process::exit(1);
    });
    Ok(async move { drop(stopped.await) })
}

async fn serve(
    arguments: &Arguments,
    engine: &Engine,
    clock: Option<Arc<dyn MovableClock>>,
    address: SocketAddr,
    place: &Place,
    shutdown: impl Future<Output = ()>,
) -> Result<(), Failure> {
    let options = ServerOptions {
        address,
        cross_origin: if arguments.allow_cross_origin { CrossOrigin::Allow } else { CrossOrigin::Refuse },
        exposure: if arguments.allow_public_address { Exposure::Network } else { Exposure::Loopback },
        allowed_hosts: allowed_hosts(arguments),
        clock,
        ..ServerOptions::default()
    };
    let server = Server::bind(engine.clone(), options).map_err(|error| Failure::Bind(address, error))?;
    report::result(&printed::greeting(arguments, engine, server.local_address(), place));
    server.run(shutdown).await.map_err(|error| Failure::Start("the listener", error))
}

/// The address that a text names. Of several, one of IPv4 is preferred: that is where clients look first.
fn resolve(text: &str) -> Result<SocketAddr, Failure> {
    let mut addresses: Vec<SocketAddr> = text
        .to_socket_addrs()
        .map_err(|error| Failure::Address(text.to_owned(), error.to_string()))?
        .collect();
    addresses.sort_by_key(SocketAddr::is_ipv6);
    addresses
        .first()
        .copied()
        .ok_or_else(|| Failure::Address(text.to_owned(), "the name has no address".to_owned()))
}

/// The names that clients may call: those allowed, and the one in the address.
fn allowed_hosts(arguments: &Arguments) -> Vec<String> {
    let mut hosts = arguments.allow_host.clone();
    // On a public address the names are not known, and naming one would refuse the others.
    if !arguments.allow_public_address
        && let Some((host, _port)) = arguments.address.rsplit_once(':')
    {
        hosts.push(host.to_owned());
    }
    hosts
}

/// A host's name or address as it stands in a URL, without a port.
fn host(text: &str) -> Result<String, String> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    if text.parse::<IpAddr>().is_ok() || (!text.is_empty() && text.bytes().all(fits)) {
        return Ok(text.to_owned());
    }
    Err("a host is a name or an IP address without a port, such as host.docker.internal".to_owned())
}

/// A region's name: it becomes a part of every ARN, where `:` and `/` separate.
fn region(text: &str) -> Result<String, String> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if !text.is_empty() && text.bytes().all(fits) {
        return Ok(text.to_owned());
    }
    Err("a region is lower-case letters, digits and `-`, such as eu-west-1".to_owned())
}

/// Where the data is.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Memory,
    /// An absolute path.
    Directory(PathBuf),
}

impl Place {
    fn of(arguments: &Arguments) -> Result<Place, Failure> {
        if arguments.memory {
            return Ok(Place::Memory);
        }
        std::path::absolute(&arguments.data)
            .map(Place::Directory)
            .map_err(|error| Failure::Start("the data directory's path", error))
    }

    fn options(&self, arguments: &Arguments) -> Options {
        let Place::Directory(path) = self else { return Options::memory() };
        let options = Options::directory(path).durability(arguments.durability.durability());
        match arguments.cache_mib {
            Some(mebibytes) => options.cache_size_bytes((mebibytes as usize).saturating_mul(1 << 20)),
            None => options,
        }
    }

    fn path(&self) -> Option<&Path> {
        match self {
            Place::Memory => None,
            Place::Directory(path) => Some(path),
        }
    }
}

/// The largest fault file that is read: thousands of rules.
const MOST_FAULT_BYTES: u64 = 1024 * 1024;

/// The rules of a fault file.
fn read_faults(path: &Path) -> Result<Faults, Failure> {
    let read = || -> io::Result<String> {
        let mut text = String::new();
        File::open(path)?.take(MOST_FAULT_BYTES + 1).read_to_string(&mut text)?;
        match text.len() as u64 > MOST_FAULT_BYTES {
            true => Err(io::Error::new(ErrorKind::FileTooLarge, "it is larger than 1 MiB")),
            false => Ok(text),
        }
    };
    let text = read().map_err(|error| Failure::FaultFile(path.to_owned(), error))?;
    fault_file::parse(&text).map_err(|problem| Failure::Faults(path.to_owned(), problem))
}

/// Why it does not serve, or did not stop cleanly, and what to do.
#[derive(Debug)]
pub(crate) enum Failure {
    Address(String, String),
    Bind(SocketAddr, io::Error),
    Open(OpenError),
    Close(CloseError),
    FaultFile(PathBuf, io::Error),
    Faults(PathBuf, Problem),
    Start(&'static str, io::Error),
}

impl Failure {
    /// How the command ends by it.
    pub(crate) const fn exit(&self) -> Exit {
        match self {
            Failure::FaultFile(..) | Failure::Faults(..) => Exit::Usage,
            Failure::Address(..)
            | Failure::Bind(..)
            | Failure::Open(_)
            | Failure::Close(_)
            | Failure::Start(..) => Exit::Failed,
        }
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Address(text, reason) => write!(
                formatter,
                "cannot listen on `{text}`: {reason}; --address takes a host and a port, such as 127.0.0.1:8000"
            ),
            Failure::Bind(address, error) => match error.kind() {
                ErrorKind::AddrInUse => write!(
                    formatter,
                    "cannot listen on {address}: another process does; stop it, or choose another port with --address \
                     (port 0 takes a free one)"
                ),
                ErrorKind::AddrNotAvailable => write!(
                    formatter,
                    "cannot listen on {address}: this machine does not have that address; 127.0.0.1 always exists"
                ),
                ErrorKind::PermissionDenied => write!(
                    formatter,
                    "cannot listen on {address}: {error}; choose a port above 1023 with --address"
                ),
                ErrorKind::InvalidInput => write!(formatter, "{error} (--allow-public-address)"),
                _ => write!(formatter, "cannot listen on {address}: {error}"),
            },
            Failure::Open(error) => error.fmt(formatter),
            Failure::Close(error) => {
                write!(
                    formatter,
                    "not stopped cleanly: {error}; where there is a data directory, the next start goes on from the log"
                )
            }
            Failure::FaultFile(path, error) => {
                write!(formatter, "the fault file `{}` cannot be read: {error}", path.display())
            }
            Failure::Faults(path, problem) => write!(formatter, "{}, {problem}", path.display()),
            Failure::Start(what, error) => write!(formatter, "cannot start {what}: {error}"),
        }
    }
}
