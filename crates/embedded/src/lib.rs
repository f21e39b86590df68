//! The official AWS SDK client on an engine in the same process: no socket, no signing, no TLS.
//!
//! What calls the client this way is the very code that calls Amazon DynamoDB. Time is the engine's: the client's
//! retries and timeouts sleep on the engine's clock, so a test that moves the clock moves them too.
//!
//! ```
//! use aws_sdk_dynamodb::types::AttributeValue;
//! use keywright_engine::{Engine, Options};
//! # use aws_sdk_dynamodb::types::{AttributeDefinition, BillingMode, KeySchemaElement, KeyType, ScalarAttributeType};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let engine = Engine::open(Options::memory())?;
//! let client = keywright_embedded::client(&engine);
//! # client
//! #     .create_table()
//! #     .table_name("Music")
//! #     .attribute_definitions(
//! #         AttributeDefinition::builder()
//! #             .attribute_name("Artist")
//! #             .attribute_type(ScalarAttributeType::S)
//! #             .build()?,
//! #     )
//! #     .key_schema(KeySchemaElement::builder().attribute_name("Artist").key_type(KeyType::Hash).build()?)
//! #     .billing_mode(BillingMode::PayPerRequest)
//! #     .send()
//! #     .await?;
//!
//! let artist = AttributeValue::S("Arturus Ardvarkian".into());
//! client.put_item().table_name("Music").item("Artist", artist.clone()).send().await?;
//! let found = client.get_item().table_name("Music").key("Artist", artist.clone()).send().await?;
//! assert_eq!(found.item.unwrap()["Artist"], artist);
//! # Ok(())
//! # }
//! ```

mod connector;
mod time;

pub use keywright_engine as engine;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{self, BehaviorVersion, IdentityCache, Region, StalledStreamProtectionConfig};
use aws_smithy_runtime_api::client::auth::AuthSchemeId;
use keywright_engine::Engine;

use crate::connector::EngineClient;
use crate::time::EngineTime;

/// The name that the SDK gives to not signing.
const NO_AUTH: AuthSchemeId = AuthSchemeId::new("noAuth");

/// A client of `engine`. The engine stays open as long as the client, or a clone of it, exists.
pub fn client(engine: &Engine) -> Client {
    Client::from_conf(config(engine).build())
}

/// The settings of [`client`], to be added to: retries, timeouts, interceptors.
///
/// Credentials and an endpoint are not needed, and without effect. The client's own time-outs and the pauses between
/// its retries pass on the engine's clock.
pub fn config(engine: &Engine) -> config::Builder {
    config::Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(engine.region().to_owned()))
        .allow_no_auth()
        .auth_scheme_preference([NO_AUTH])
        // There is one identity, nobody, and nothing to load.
        .identity_cache(IdentityCache::no_cache())
        .http_client(EngineClient::new(engine.clone()))
        .sleep_impl(EngineTime::new(engine))
        .time_source(EngineTime::new(engine))
        // There is no stream that could stall: a body is there at once and whole.
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
}
