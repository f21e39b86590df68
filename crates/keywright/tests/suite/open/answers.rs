//! A service that says something else of its tables than is true: the engine, whose answers are edited on their way.

use std::fmt;
use std::sync::Arc;

use aws_sdk_dynamodb::config::SharedHttpClient;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;

/// What an operation answers, given its name and the engine's answer.
type Edit = dyn Fn(&str, String) -> String + Send + Sync;

/// The HTTP client of an engine, with edited answers. An answer that was edited is one of success.
#[derive(Clone)]
pub(super) struct Edited {
    engine: SharedHttpClient,
    edit: Arc<Edit>,
}

struct EditedConnector {
    engine: SharedHttpConnector,
    edit: Arc<Edit>,
}

impl Edited {
    pub(super) fn new(
        engine: SharedHttpClient,
        edit: impl Fn(&str, String) -> String + Send + Sync + 'static,
    ) -> Edited {
        Edited { engine, edit: Arc::new(edit) }
    }
}

impl HttpClient for Edited {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        let engine = self.engine.http_connector(settings, components);
        SharedHttpConnector::new(EditedConnector { engine, edit: Arc::clone(&self.edit) })
    }
}

impl HttpConnector for EditedConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap();
        let operation = target.split_once('.').unwrap().1.to_owned();
        let (answer, edit) = (self.engine.call(request), Arc::clone(&self.edit));
        HttpConnectorFuture::new(async move {
            let answer = answer.await?;
            let said = String::from_utf8(answer.body().bytes().unwrap().to_vec()).unwrap();
            let edited = edit(&operation, said.clone());
            if edited == said {
                return Ok(answer);
            }
            Ok(HttpResponse::new(StatusCode::try_from(200).unwrap(), SdkBody::from(edited)))
        })
    }
}

impl fmt::Debug for Edited {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Edited")
    }
}

impl fmt::Debug for EditedConnector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("EditedConnector")
    }
}
