//! Dynalite, an implementation of DynamoDB that is not ours, from npm: the versions are those of tests/others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clients::{is_current, mark_current, require};
use crate::endpoint::Endpoint;
use crate::failure::{Attempt, Outcome};
use crate::program::Program;
use crate::workspace::Workspace;

/// The version that tests/others asks for.
pub(crate) const VERSION: &str = "4.0.0";

/// Installs it below the target directory, unless that was done from the same list; returns the program for `node`.
pub(crate) fn install(workspace: &Workspace) -> Outcome<PathBuf> {
    require("node", "--version", "Node.js 20 or newer (Debian: apt-get install nodejs npm)")?;
    require("npm", "--version", "npm, which comes with Node.js (Debian: apt-get install npm)")?;
    let source = workspace.path("tests/others");
    let place = workspace.target().join("others");
    let lock = source.join("package-lock.json");
    if !is_current(&place, &lock)? {
        println!("  installing dynalite {VERSION} from npm into {}", place.display());
        fs::create_dir_all(&place).attempt(&format!("creating {}", place.display()))?;
        for list in ["package.json", "package-lock.json"] {
            fs::copy(source.join(list), place.join(list)).attempt(&format!("copying {list}"))?;
        }
        Program::new("npm")
            .arguments(&["ci", "--no-audit", "--no-fund", "--loglevel", "error"])
            .directory(&place)
            .run()?;
        mark_current(&place, &lock)?;
    }
    Ok(place.join("node_modules/dynalite/cli.js"))
}

/// The command of a server that keeps everything in memory, and whose tables are there at once.
pub(crate) fn command(program: &Path, port: u16) -> Command {
    let mut command = Command::new("node");
    let port = port.to_string();
    command.arg(program).args(["--host", "127.0.0.1", "--createTableMs", "0", "--port", &port]);
    command
}

/// Starts it on a free port, and waits until it says that it listens.
pub(crate) fn start(program: &Path) -> Outcome<Endpoint> {
    Endpoint::launch(command(program, crate::endpoint::free_port()?), address_from_line)
}

fn address_from_line(line: &str) -> Option<String> {
    line.strip_prefix("Dynalite listening at: http://").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_in_the_line_that_says_that_it_listens() {
        let line = "Dynalite listening at: http://127.0.0.1:4567";
        assert_eq!(address_from_line(line).as_deref(), Some("127.0.0.1:4567"));
        assert_eq!(address_from_line("something else"), None);
    }

    #[test]
    fn the_version_is_the_one_of_the_list() {
        let list = include_str!("../../tests/others/package.json");
        assert!(list.contains(&format!("\"dynalite\": \"{VERSION}\"")), "{list}");
    }
}
