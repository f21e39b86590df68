//! `cargo xtask licences`: every package that we build on may be used as we use it.
//!
//! The licences that are allowed stand once, in deny.toml, where cargo-deny reads them too. No network is needed.

use std::fs;

use cargo_metadata::Package;
use spdx::{Expression, ParseMode};

use crate::failure::{Attempt, Failure, Outcome};
use crate::workspace::Workspace;

/// Compares every package of the dependency graph with the allowed licences.
pub(crate) fn check(workspace: &Workspace) -> Outcome {
    let path = workspace.path("deny.toml");
    let allowed = allowed_licences(&fs::read_to_string(&path).attempt("reading deny.toml")?)?;
    let metadata = workspace.metadata()?;
    let findings: Vec<String> =
        metadata.packages.iter().filter_map(|package| check_package(package, &allowed)).collect();
    if findings.is_empty() {
        println!("  {} packages, all under {}", metadata.packages.len(), allowed.join(", "));
        Ok(())
    } else {
        Err(Failure::from_findings("licences that deny.toml does not allow", &findings))
    }
}

fn allowed_licences(deny: &str) -> Outcome<Vec<String>> {
    let table: toml::Table = deny.parse().map_err(|error| Failure::new(format!("deny.toml: {error}")))?;
    let allowed = table
        .get("licenses")
        .and_then(|licences| licences.get("allow"))
        .and_then(toml::Value::as_array)
        .ok_or_else(|| Failure::new("deny.toml has no list `licenses.allow`"))?;
    Ok(allowed.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect())
}

fn check_package(package: &Package, allowed: &[String]) -> Option<String> {
    let place = format!("{} {}", package.name, package.version);
    match &package.license {
        None => Some(format!("{place} names no licence")),
        Some(text) => check_expression(text, allowed).err().map(|reason| format!("{place}: {reason}")),
    }
}

fn check_expression(text: &str, allowed: &[String]) -> Result<(), String> {
    // Old packages write `MIT/Apache-2.0`, which the lax mode reads as OR.
    let expression = Expression::parse_mode(text, ParseMode::LAX)
        .map_err(|error| format!("`{text}`: {}", error.reason))?;
    let satisfied = expression.evaluate(|requirement| allowed.contains(&requirement.to_string()));
    if satisfied { Ok(()) } else { Err(format!("`{text}` is not allowed")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<(), String> {
        check_expression(text, &["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned))
    }

    #[test]
    fn a_choice_is_fine_when_one_side_is_allowed() {
        assert_eq!(check("GPL-3.0-only OR MIT"), Ok(()));
        assert_eq!(check("MIT/Apache-2.0"), Ok(()));
    }

    #[test]
    fn a_licence_that_must_be_met_in_full_is_refused_when_a_part_is_not_allowed() {
        assert_eq!(check("MIT AND GPL-3.0-only"), Err("`MIT AND GPL-3.0-only` is not allowed".to_owned()));
        assert!(check("AGPL-3.0-or-later").is_err());
    }

    #[test]
    fn an_exception_is_part_of_the_licence() {
        assert_eq!(check("Apache-2.0 WITH LLVM-exception"), Ok(()));
    }

    #[test]
    fn the_list_comes_from_deny_toml() {
        let allowed = allowed_licences("[licenses]\nallow = [\"MIT\", \"ISC\"]\n").expect("a list");
        assert_eq!(allowed, ["MIT", "ISC"]);
        assert!(allowed_licences("[advisories]\n").is_err());
    }
}
