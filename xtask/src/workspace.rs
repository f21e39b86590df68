//! Where the project is on this machine, and how its cargo is called.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{Metadata, MetadataCommand};

use crate::failure::{Failure, Outcome};
use crate::program::Program;

/// The directories of the workspace.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    target: PathBuf,
}

impl Workspace {
    /// Finds the workspace that this program was started from.
    pub(crate) fn find() -> Outcome<Workspace> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest
            .parent()
            .ok_or_else(|| Failure::new("xtask has no parent directory: start it as `cargo xtask`"))?
            .to_path_buf();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(directory) => root.join(directory),
            None => root.join("target"),
        };
        Ok(Workspace { root, target })
    }

    /// The directory of the workspace's Cargo.toml.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the root, given with `/`.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The build directory, where everything that is installed for the tests lives too.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// A program that cargo built in the development profile.
    pub(crate) fn development_binary(&self, name: &str) -> PathBuf {
        self.target.join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// A program that cargo built in the release profile.
    pub(crate) fn release_binary(&self, name: &str) -> PathBuf {
        self.target.join("release").join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// Cargo, started at the root.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Program {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        // `cargo run` tells this program about its own package; a nested cargo must not take that for its own.
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                command.env_remove(&name);
            }
        }
        Program::from_command("cargo", command).arguments(arguments).directory(&self.root)
    }

    /// The packages of the workspace and, with `resolve`, of everything that they depend on.
    pub(crate) fn metadata(&self) -> Outcome<Metadata> {
        MetadataCommand::new()
            .manifest_path(self.root.join("Cargo.toml"))
            .other_options(vec!["--locked".to_owned()])
            .exec()
            .map_err(|error| Failure::new(format!("cargo metadata: {error}")))
    }
}
