//! Programs from the package registry, installed below target/tools.

use std::path::PathBuf;

use crate::failure::{Failure, Outcome};
use crate::workspace::Workspace;

/// Installs `package`, built in the release profile, unless that version is there; returns the directory of its program.
///
/// # Errors
/// When the registry cannot be reached, or the package does not build.
pub(crate) fn install(
    workspace: &Workspace,
    package: &str,
    version: &str,
    arguments: &[&str],
) -> Outcome<PathBuf> {
    let tools = workspace.target().join("tools");
    let root = tools.to_str().ok_or_else(|| Failure::new("the target directory's name is not Unicode"))?;
    println!("  {package} {version} is installed below {root} if it is not there");
    let base = ["install", package, "--version", version, "--locked", "--root", root, "--quiet"];
    workspace.cargo(&[&base, arguments].concat()).run()?;
    Ok(tools.join("bin"))
}
