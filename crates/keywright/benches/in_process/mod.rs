//! A table of one tenant on an engine in this process, for what is measured.

use aws_sdk_dynamodb::Client;
use keywright::{Capabilities, CursorKey, CursorKeys, Store, Tenant};
use keywright_embedded::engine::{Engine, Options};

use crate::application::{App, tenant};

/// The engine's client, the store and the tenant `acme`.
pub(crate) async fn open(options: Options) -> (Client, Store<App>, Tenant<App>) {
    let engine = Engine::open(options).unwrap();
    let client = keywright_embedded::client(&engine);
    let keys = CursorKeys::new(CursorKey::generate().unwrap());
    let builder = Store::<App>::builder(client.clone(), keys).capabilities(Capabilities::EMBEDDED);
    builder.create_table().await.unwrap();
    let store = builder.open().await.unwrap();
    let acme = tenant(&store, "acme");
    (client, store, acme)
}
