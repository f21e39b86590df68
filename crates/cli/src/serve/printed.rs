//! What `keywright serve` prints: that it listens, what its faults did, that it has stopped.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use keywright_engine::Engine;
use keywright_engine::faults::FaultReport;
use serde_json::{Value, json};

use super::durability::DurabilityChoice;
use super::{Arguments, Place};
use crate::report::Format;

/// What is printed once it listens.
pub(super) fn greeting(arguments: &Arguments, engine: &Engine, address: SocketAddr, place: &Place) -> String {
    let now = engine.clock().now();
    if arguments.format == Format::Json {
        let faults = engine.faults();
        let faults = faults.map(|faults| json!({"seed": faults.seed, "rules": faults.rules.len()}));
        let clock = arguments.clock;
        let clock = clock.map(|clock| json!({"clock": clock.to_string(), "now": now.to_string()}));
        let listening = json!({
            "event": "listening",
            "address": address.to_string(),
            "url": format!("http://{}", reachable(address)),
            "region": arguments.region,
            "data": place.path().map(|path| path.to_string_lossy()),
            "durability": place.path().map(|_| arguments.durability.name()),
            "faults": faults,
            "clock": clock,
        });
        return listening.to_string();
    }
    let data = match place.path() {
        Some(path) => match arguments.durability {
            DurabilityChoice::Fsync => path.display().to_string(),
            DurabilityChoice::Buffered => {
                format!("{}; a power loss takes the last writes (--durability buffered)", path.display())
            }
        },
        None => "memory; it is gone when this stops".to_owned(),
    };
    let mut switched_on = String::new();
    if let (Some(path), Some(faults)) = (&arguments.faults, engine.faults()) {
        let (path, count, seed) = (path.display(), faults.rules.len(), faults.seed);
        switched_on.push_str(&format!("\nFaults: {count} from {path}, seed {seed}"));
    }
    if let Some(clock) = arguments.clock {
        let path = "POST /_keywright/clock";
        switched_on.push_str(&format!("\nClock: {clock} from {now}; move it with {path}"));
    }
    let url = format!("http://{}", reachable(address));
    let aws = |command: &str, rest: &str| {
        format!(
            "AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_DEFAULT_REGION={} \
             aws dynamodb {command} --endpoint-url {url} --table-name Music {rest}",
            arguments.region
        )
    };
    let create = aws(
        "create-table",
        "--attribute-definitions AttributeName=Artist,AttributeType=S AttributeName=Song,AttributeType=S \
         --key-schema AttributeName=Artist,KeyType=HASH AttributeName=Song,KeyType=RANGE \
         --billing-mode PAY_PER_REQUEST",
    );
    let put = aws(
        "put-item",
        r#"--item '{"Artist":{"S":"Nina Simone"},"Song":{"S":"Feeling Good"},"Year":{"N":"1965"}}'"#,
    );
    let get = aws("get-item", r#"--key '{"Artist":{"S":"Nina Simone"},"Song":{"S":"Feeling Good"}}'"#);
    format!(
        "keywright {version} listens on {url}\n\
         Data: {data}{switched_on}\n\
         \n\
         Try it with the AWS CLI (any keys will do):\n\
         \n\
         {create}\n\
         \n\
         {put}\n\
         \n\
         {get}\n\
         \n\
         Ctrl-C stops it.",
        version = env!("CARGO_PKG_VERSION")
    )
}

/// The address to call, for one that means every address of the machine.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// What the rules did.
pub(super) fn fault_listing(format: Format, faults: &FaultReport) -> String {
    if format == Format::Text {
        return faults.to_string();
    }
    let rules: Vec<Value> = faults
        .rules
        .iter()
        .map(|rule| json!({"rule": rule.rule.to_string(), "calls": rule.calls, "fired": rule.fired}))
        .collect();
    json!({"event": "faults", "seed": faults.seed, "rules": rules}).to_string()
}

pub(super) fn farewell(format: Format, place: &Place) -> String {
    match (format, place) {
        (Format::Json, _) => json!({"event": "stopped"}).to_string(),
        (Format::Text, Place::Memory) => "Stopped: requests in flight were finished.".to_owned(),
        (Format::Text, Place::Directory(path)) => {
            format!("Stopped: requests in flight were finished; the data is in {}.", path.display())
        }
    }
}
