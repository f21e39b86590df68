//! Which crate may depend on which, as data, and what is never allowed.

use super::graph::Graph;

/// A crate of ours and the crates of ours that it may name.
struct Layer {
    name: &'static str,
    may_use: &'static [&'static str],
}

const fn layer(name: &'static str, may_use: &'static [&'static str]) -> Layer {
    Layer { name, may_use }
}

/// The table of ARCHITECTURE.md, from the bottom of the house to its top.
///
/// A crate that is planned and not there yet has its line already, so that its first commit is held to it.
const LAYERS: &[Layer] = &[
    layer("keywright-item", &[]),
    layer("keywright-key", &[]),
    layer("keywright-expression", &["keywright-item"]),
    layer("keywright-api", &["keywright-item", "keywright-expression"]),
    layer("keywright-engine", &["keywright-api", "keywright-expression", "keywright-item"]),
    layer("keywright-auth", &["keywright-api"]),
    layer("keywright-server", &["keywright-engine", "keywright-auth", "keywright-api"]),
    layer("keywright-embedded", &["keywright-engine", "keywright-api"]),
    layer("keywright-infrastructure", &["keywright-item"]),
    layer(
        "keywright-design",
        &["keywright-key", "keywright-expression", "keywright-infrastructure", "keywright-auth"],
    ),
    layer("keywright-derive", &["keywright-key"]),
    layer("keywright", &["keywright-key", "keywright-derive", "keywright-embedded"]),
    layer("keywright-prove", &["keywright-design", "keywright", "keywright-embedded"]),
    layer("keywright-stream", &["keywright"]),
    layer("keywright-migrate", &["keywright-design", "keywright", "keywright-stream"]),
    layer("keywright-check", &["keywright-design", "keywright-expression", "keywright-infrastructure"]),
    layer(
        "keywright-cli",
        &[
            "keywright-item",
            "keywright-key",
            "keywright-expression",
            "keywright-api",
            "keywright-engine",
            "keywright-auth",
            "keywright-server",
            "keywright-embedded",
            "keywright-infrastructure",
            "keywright-design",
            "keywright-derive",
            "keywright",
            "keywright-prove",
            "keywright-stream",
            "keywright-migrate",
            "keywright-check",
        ],
    ),
    layer("saas", &["keywright"]),
    layer("applications", &["keywright", "keywright-embedded"]),
    layer("xtask", &[]),
    layer("bare-server", &[]),
    layer("documents", &["keywright-api", "keywright-design"]),
];

/// The crates that may name a crate of the AWS SDK in what they ship.
const MAY_USE_THE_SDK: &[&str] = &[
    "keywright-embedded",
    "keywright",
    "keywright-prove",
    "keywright-stream",
    "keywright-migrate",
    "keywright-cli",
    "saas",
];

/// What the engine must not know even in its tests: it knows only what CreateTable told it.
const NEVER_IN_THE_ENGINE: &[&str] = &["keywright-design", "keywright-key", "keywright-derive", "keywright"];

/// The crates that do no network input or output.
const WITHOUT_NETWORK: &[&str] = &[
    "keywright-item",
    "keywright-key",
    "keywright-expression",
    "keywright-api",
    "keywright-auth",
    "keywright-infrastructure",
    "keywright-design",
    "keywright-check",
];

/// Crates that are there to talk to a network.
const NETWORK_CRATES: &[&str] =
    &["axum", "hyper", "hyper-util", "mio", "reqwest", "socket2", "tokio", "ureq"];

/// Crates that are, or contain, a TLS stack.
const TLS_CRATES: &[&str] = &[
    "aws-lc-rs",
    "aws-lc-sys",
    "boring",
    "native-tls",
    "openssl",
    "openssl-sys",
    "ring",
    "rustls",
    "s2n-tls",
    "schannel",
];

/// What is wrong with the dependencies between the crates, a line each.
pub(super) fn check_dependencies(graph: &Graph) -> Vec<String> {
    let mut findings = Vec::new();
    for (name, dependencies) in &graph.crates {
        let Some(layer) = LAYERS.iter().find(|layer| layer.name == name) else {
            findings
                .push(format!("`{name}` is not in the table: give it a layer in xtask/src/layers/rules.rs"));
            continue;
        };
        for used in &dependencies.shipped {
            if graph.crates.contains_key(used) && !layer.may_use.contains(&used.as_str()) {
                findings.push(format!("`{name}` depends on `{used}`, which its layer may not"));
            }
            if used.starts_with("aws-") && !MAY_USE_THE_SDK.contains(&name.as_str()) {
                findings.push(format!(
                    "`{name}` depends on `{used}`: the AWS SDK stays in the crates that face it"
                ));
            }
            if WITHOUT_NETWORK.contains(&name.as_str()) && NETWORK_CRATES.contains(&used.as_str()) {
                findings.push(format!(
                    "`{name}` depends on `{used}`: this crate does no network input or output"
                ));
            }
        }
        for used in &dependencies.for_tests {
            if name == "keywright-engine" && NEVER_IN_THE_ENGINE.contains(&used.as_str()) {
                findings
                    .push(format!("`{name}` uses `{used}` in its tests: the engine never knows the design"));
            }
        }
    }
    findings
}

/// What is wrong with the packages that come with the embedded client, a line each.
pub(super) fn check_embedded_tree(packages: &[String]) -> Vec<String> {
    TLS_CRATES
        .iter()
        .filter(|tls| packages.iter().any(|package| package == *tls))
        .map(|tls| {
            format!("`keywright-embedded` brings `{tls}`: a client without a socket needs no TLS stack")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::graph::Dependencies;
    use super::*;

    fn graph(crates: &[(&str, &[&str], &[&str])]) -> Graph {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let mut graph = Graph::default();
        for (name, shipped, for_tests) in crates {
            let dependencies = Dependencies { shipped: owned(shipped), for_tests: owned(for_tests) };
            graph.crates.insert((*name).to_owned(), dependencies);
        }
        graph
    }

    #[test]
    fn a_graph_that_follows_the_table_has_no_finding() {
        let sound = graph(&[
            ("keywright-item", &["base64"], &["proptest"]),
            ("keywright-expression", &["keywright-item"], &[]),
            ("keywright-server", &["hyper", "keywright-api", "keywright-engine"], &["aws-sdk-dynamodb"]),
            ("keywright-api", &["keywright-item"], &[]),
            ("keywright-engine", &["keywright-api", "redb"], &[]),
            ("keywright-embedded", &["keywright-engine", "aws-sdk-dynamodb"], &[]),
        ]);
        assert_eq!(check_dependencies(&sound), Vec::<String>::new());
    }

    #[test]
    fn a_dependency_that_points_up_the_house_is_found() {
        let wrong = graph(&[
            ("keywright-item", &["keywright-engine"], &[]),
            ("keywright-engine", &["keywright-server"], &[]),
            ("keywright-server", &[], &[]),
        ]);
        assert_eq!(
            check_dependencies(&wrong),
            [
                "`keywright-engine` depends on `keywright-server`, which its layer may not",
                "`keywright-item` depends on `keywright-engine`, which its layer may not",
            ]
        );
    }

    #[test]
    fn the_engine_may_not_know_the_design_even_in_a_test() {
        let wrong = graph(&[
            ("keywright-engine", &["keywright-key"], &["keywright-design"]),
            ("keywright-key", &[], &[]),
            ("keywright-design", &[], &[]),
        ]);
        let findings = check_dependencies(&wrong);
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(findings.iter().all(|finding| finding.starts_with("`keywright-engine`")), "{findings:?}");
    }

    #[test]
    fn the_sdk_is_found_where_it_does_not_belong() {
        let wrong = graph(&[("keywright-api", &["aws-smithy-types"], &[])]);
        assert_eq!(
            check_dependencies(&wrong),
            ["`keywright-api` depends on `aws-smithy-types`: the AWS SDK stays in the crates that face it"]
        );
    }

    #[test]
    fn a_network_crate_below_the_server_is_found() {
        let wrong = graph(&[("keywright-expression", &["tokio"], &[])]);
        assert_eq!(
            check_dependencies(&wrong),
            ["`keywright-expression` depends on `tokio`: this crate does no network input or output"]
        );
    }

    #[test]
    fn a_crate_that_nobody_gave_a_layer_is_found() {
        let findings = check_dependencies(&graph(&[("keywright-misc", &[], &[])]));
        assert_eq!(findings.len(), 1, "{findings:?}");
    }

    #[test]
    fn a_tls_stack_under_the_embedded_client_is_found() {
        let packages = ["hyper", "rustls", "ring"].map(str::to_owned);
        let findings = check_embedded_tree(&packages);
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert_eq!(check_embedded_tree(&["hyper".to_owned()]), Vec::<String>::new());
    }
}
