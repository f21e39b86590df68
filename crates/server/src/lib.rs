//! The HTTP endpoint of the engine: one path, a header that names the operation, JSON both ways.
//!
//! - Every answer that has got as far as a request carries `x-amzn-RequestId` and an `x-amz-crc32` over the bytes
//!   sent.
//! - Memory is bounded whatever clients send, and whatever of their answers they do not read; one client's size, slowness or panic is no other client's failure.
//! - The clock can be moved over HTTP only where the options say so, and only by programs of this machine.
//! - No credentials are verified yet, so only this machine is served unless the options say otherwise, and no web page
//!   reaches it under a name of its own.

mod admission;
mod answer;
mod answer_budget;
mod authorization;
mod body;
mod budget;
mod clock_endpoint;
mod connections;
mod cross_origin;
mod endpoint;
mod head;
mod head_guard;
mod hosts;
mod options;
mod pace;
mod panics;
mod request_id;
mod server;
mod slow_reader;

pub use options::{CrossOrigin, Exposure, Limits, ServerOptions};
pub use server::Server;
