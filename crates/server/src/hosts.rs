//! The names that this server answers to.
//!
//! A page of a name that its owner lets resolve to 127.0.0.1 (DNS rebinding) is of the same origin as this server for a
//! browser, which then lets it send every header and read every answer. The name in `Host` is the only thing that gives it
//! away, so on a loopback address only the machine's own names are answered. A name is compared, never resolved.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{HOST, HeaderValue};
use hyper::http::request::Parts;
use hyper::http::uri::Authority;

/// What may stand in a request's `Host`.
#[derive(Debug)]
pub(crate) enum Hosts {
    /// Everything: the address is public, and under which names is not known.
    Any,
    /// What belongs to the address, and what the options list.
    Listed {
        /// Where the server listens.
        address: IpAddr,
        /// Further names and addresses, without a port.
        allowed: Vec<String>,
        /// What programs of this machine usually send, which needs no parsing.
        usual: [String; 2],
    },
}

impl Hosts {
    /// The hosts of a server that listens on `address` and was told to answer to `allowed` too.
    pub(crate) fn new(address: SocketAddr, allowed: Vec<String>) -> Hosts {
        let usual = [address.to_string(), format!("localhost:{}", address.port())];
        let address = address.ip().to_canonical();
        if !address.is_loopback() && allowed.is_empty() {
            return Hosts::Any;
        }
        Hosts::Listed { address, allowed, usual }
    }

    /// Whether a request may be answered. One without a host does not come from a browser.
    pub(crate) fn allow(&self, request: &Parts) -> bool {
        let Hosts::Listed { address, allowed, usual } = self else { return true };
        let is_allowed = |authority: &Authority| is_of(*address, allowed, authority.host());
        let in_headers = |host: &HeaderValue| {
            usual.iter().any(|usual| usual.as_bytes() == host.as_bytes())
                || Authority::try_from(host.as_bytes()).is_ok_and(|authority| is_allowed(&authority))
        };
        request.uri.authority().is_none_or(is_allowed) && request.headers.get_all(HOST).iter().all(in_headers)
    }
}

fn is_of(address: IpAddr, allowed: &[String], host: &str) -> bool {
    match host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().map(|ip| ip.to_canonical()) {
        Ok(ip) => {
            // On a public address every number is a name of this machine, as far as is known here; and a number cannot be
            // made to resolve to anything else.
            ip.is_loopback()
                || ip == address
                || !address.is_loopback()
                || allowed.iter().any(|given| given.parse() == Ok(ip))
        }
        Err(_) => {
            host.eq_ignore_ascii_case("localhost")
                || allowed.iter().any(|given| given.eq_ignore_ascii_case(host))
        }
    }
}
