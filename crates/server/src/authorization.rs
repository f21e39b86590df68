//! Whether a request carries credentials, complete ones, and in one place.
//!
//! Says nothing of whether they are right: any complete credentials pass until there is an access file.

use hyper::header::{AUTHORIZATION, DATE};
use keywright_api::Error;

use crate::head::Head;

const IN_BOTH_PLACES: &str =
    "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.";

/// What the header must name, in the order in which the service misses them.
const HEADER_PARAMETERS: [&str; 3] = ["Credential", "Signature", "SignedHeaders"];

/// Refuses a request whose credentials are absent, incomplete or given twice.
///
/// The parameters of the header, and those of a query string, are looked for in the order in which the service
/// lists them.
pub(crate) fn check(head: &Head<'_>) -> Result<(), Error> {
    let header = head.value(AUTHORIZATION);
    let by_query = head.query_parameters().any(|(name, _)| name == "X-Amz-Algorithm");
    match header.as_deref() {
        Some(_) if by_query => Err(Error::InvalidSignature { message: IN_BOTH_PLACES.to_owned() }),
        Some(header) if header.starts_with("AWS4-") => check_header(head, header),
        None if by_query => check_query(head),
        Some(_) | None => Err(Error::MissingAuthenticationToken),
    }
}

fn check_header(head: &Head<'_>, header: &str) -> Result<(), Error> {
    let mut missing = String::new();
    let mut given = [false; HEADER_PARAMETERS.len()];
    for parameter in header.as_bytes().split(|byte| matches!(byte, b',' | b' ')).skip(1) {
        let mut halves = parameter.splitn(2, |byte| *byte == b'=');
        let (Some(name), Some([_, ..])) = (halves.next(), halves.next()) else { continue };
        for (known, given) in HEADER_PARAMETERS.iter().zip(&mut given) {
            *given |= known.as_bytes() == name;
        }
    }
    for (name, _) in HEADER_PARAMETERS.iter().zip(given).filter(|(_, given)| !given) {
        missing.push_str(&format!("Authorization header requires '{name}' parameter. "));
    }
    if head.value("x-amz-date").is_none() && head.value(DATE).is_none() {
        missing.push_str(
            "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ",
        );
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::IncompleteSignature { message: format!("{missing}Authorization={header}") })
}

fn check_query(head: &Head<'_>) -> Result<(), Error> {
    let mut missing = String::new();
    for name in
        ["X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"]
    {
        if !head.query_parameters().any(|(given, value)| given == name && !value.is_empty()) {
            missing.push_str(&format!("AWS query-string parameters must include '{name}'. "));
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::IncompleteSignature { message: format!("{missing}Re-examine the query-string parameters.") })
}
