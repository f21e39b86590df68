//! A request in two short texts: what it is, and its condition with the placeholders filled in.

use crate::request::{Request, RequestOperation};

/// `Query app.by_user`, and how many of them one call sends if several.
pub(super) fn operation(request: &Request) -> String {
    let operation = match request.operation {
        RequestOperation::GetItem => "GetItem",
        RequestOperation::Query => "Query",
    };
    let index = request.index.as_ref().map_or_else(String::new, |index| format!(".{index}"));
    let times = if request.requests > 1 { format!(", {} times", request.requests) } else { String::new() };
    format!("{operation} {}{index}{times}", request.table)
}

/// `pk = "ORG#{organization_id}" AND sk BETWEEN "TEAM#{team_id}" AND "TEAM#{team_id}$"`, and what else is asked for.
///
/// `{team_id}` stands for the given value as it is rendered into the key.
pub(super) fn condition(request: &Request) -> String {
    let mut parts = vec![match &request.key_condition {
        Some(condition) => filled_in(condition, request),
        None => {
            let key: Vec<String> =
                request.key.iter().map(|(name, value)| format!("{name} = {value:?}")).collect();
            key.join(", ")
        }
    }];
    if request.operation == RequestOperation::Query && !request.scan_index_forward {
        parts.push("backwards".to_owned());
    }
    parts.extend(request.limit.map(|limit| format!("limit {limit}")));
    if request.consistent_read {
        parts.push("consistent".to_owned());
    }
    if !request.filter.is_empty() {
        parts.push(format!("filtered by {}", request.filter.join(", ")));
    }
    parts.join("; ")
}

/// The condition with names and values instead of placeholders.
fn filled_in(condition: &str, request: &Request) -> String {
    let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '#' | ':' | '_');
    let mut filled = String::new();
    let mut rest = condition;
    while let Some(start) = rest.find(['#', ':']) {
        let (before, from) = rest.split_at(start);
        let (placeholder, after) =
            from.split_at(from.find(|character| !is_part(character)).unwrap_or(from.len()));
        filled.push_str(before);
        match (request.names.get(placeholder), request.values.get(placeholder)) {
            (Some(name), _) => filled.push_str(name),
            (None, Some(value)) => filled.push_str(&format!("{value:?}")),
            (None, None) => filled.push_str(placeholder),
        }
        rest = after;
    }
    filled + rest
}
