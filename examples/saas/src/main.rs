//! `saas`: tells the story in this process, or on an endpoint that speaks DynamoDB's protocol.
#![allow(clippy::print_stderr, reason = "a command: it says why it stops")]

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_smithy_async::rt::sleep::TokioSleep;
use clap::Parser;
use keywright::{CursorKey, CursorKeys};
use saas::stores::Stores;
use saas::story;

/// A day at Wayboard, a project tracker that organizations share.
#[derive(Parser)]
struct Arguments {
    /// Keep the tables in this directory; without it they are in memory
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "endpoint")]
    directory: Option<PathBuf>,
    /// Use the tables of `keywright serve` at this address: http://127.0.0.1:8000
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("saas: {error}");
            let mut source = error.source();
            while let Some(cause) = source {
                eprintln!("  because {cause}");
                source = cause.source();
            }
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    // A service keeps its key in a secret store, so that cursors outlive a restart and fit every process.
    let keys = CursorKeys::new(CursorKey::generate()?);
    let stores = match (arguments.directory, arguments.endpoint) {
        (Some(directory), _) => Stores::in_directory(&directory, keys).await?,
        (None, Some(endpoint)) => Stores::behind(&client(&endpoint), keys)
            .await
            .inspect_err(|_| eprintln!("saas: does `keywright serve` run at {endpoint}?"))?,
        (None, None) => Stores::in_memory(keys).await?,
    };
    story::tell(&stores, &mut std::io::stdout()).await
}

/// The official client, without TLS and without real credentials, which `keywright serve` does not ask for.
fn client(endpoint: &str) -> Client {
    let config = aws_sdk_dynamodb::config::Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("local", "local", None, None, "saas"))
        .endpoint_url(endpoint)
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .sleep_impl(TokioSleep::new());
    Client::from_conf(config.build())
}
