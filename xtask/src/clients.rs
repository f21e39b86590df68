//! `cargo xtask clients`: the official clients do real work against a server of this build.
//!
//! What they need is installed below target/clients from the lists in tests/clients, whose versions are pinned.
//! A list that did not change since the last run is not installed again.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

use crate::endpoint::{Endpoint, Storage};
use crate::failure::{Attempt, Failure, Outcome};
use crate::program::Program;
use crate::workspace::Workspace;

/// Builds the server, installs the clients, and runs each against a server of its own.
pub(crate) fn run(workspace: &Workspace) -> Outcome {
    let python = install_python(workspace)?;
    let javascript = install_javascript(workspace)?;
    workspace.cargo(&["build", "--locked", "--package", "keywright-cli"]).run()?;
    let tests = workspace.path("tests/clients");
    let data = workspace.target().join("clients/data");
    if data.exists() {
        fs::remove_dir_all(&data).attempt("removing the data of the last run")?;
    }
    let boto3 = Program::new(python.join("python")).arguments(&[tests.join("python/boto3_client.py")]);
    let javascript = Program::new("node").arguments(&[javascript.join("main.mjs")]);
    let command_line = Program::new("bash")
        .arguments(&[tests.join("cli/aws_cli.sh")])
        .environment("AWS", python.join("aws"));
    let path = search_path_from(&python)?;
    let printed_lines = Program::new("bash")
        .arguments(&[tests.join("cli/printed_lines.sh")])
        .environment("KEYWRIGHT", workspace.development_binary("keywright"))
        .environment("PATH", path);
    let runs = [
        ("boto3", Storage::Memory, boto3),
        ("AWS SDK for JavaScript", Storage::Memory, javascript),
        ("AWS CLI", Storage::Directory(&data), command_line),
        ("AWS CLI with the lines that `serve` prints", Storage::Memory, printed_lines),
    ];
    let mut findings = Vec::new();
    for (name, storage, program) in runs {
        println!("  -- {name}, {storage:?}");
        if let Err(failure) = run_client(workspace, storage, program) {
            println!("  {failure}");
            findings.push(format!("{name}: {failure}"));
        }
    }
    if findings.is_empty() { Ok(()) } else { Err(Failure::from_findings("clients failed", &findings)) }
}

fn run_client(workspace: &Workspace, storage: Storage<'_>, program: Program) -> Outcome {
    let endpoint = Endpoint::start(&workspace.development_binary("keywright"), storage)?;
    let no_file = workspace.target().join("clients/no-such-file");
    program
        .environment("KEYWRIGHT_ENDPOINT", endpoint.url())
        .environment("KEYWRIGHT_TEST_DATA", workspace.path("test-data"))
        // The developer's own AWS settings must not reach a test.
        .environment("AWS_CONFIG_FILE", &no_file)
        .environment("AWS_SHARED_CREDENTIALS_FILE", &no_file)
        .environment("AWS_EC2_METADATA_DISABLED", "true")
        .environment("AWS_ACCESS_KEY_ID", "local")
        .environment("AWS_SECRET_ACCESS_KEY", "local")
        .environment("AWS_DEFAULT_REGION", "us-east-1")
        .environment("AWS_REGION", "us-east-1")
        .run()
}

/// The PATH of this process with the programs of `directory` before all others.
fn search_path_from(directory: &Path) -> Outcome<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    let directories = iter::once(directory.to_path_buf()).chain(env::split_paths(&path));
    env::join_paths(directories).map_err(|error| Failure::new(format!("{}: {error}", directory.display())))
}

/// A virtual environment with the packages of requirements.txt; returns the directory of its programs.
fn install_python(workspace: &Workspace) -> Outcome<PathBuf> {
    require(
        "python3",
        "--version",
        "Python 3.10 or newer with its venv module (Debian: apt-get install python3-venv)",
    )?;
    let requirements = workspace.path("tests/clients/python/requirements.txt");
    let environment = workspace.target().join("clients/venv");
    let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    if is_current(&environment, &requirements)? {
        return Ok(programs);
    }
    println!("  installing boto3 and the AWS CLI from PyPI into {}", environment.display());
    Program::new("python3").arguments(&["-m", "venv", "--clear"]).arguments(&[&environment]).run().map_err(
        |failure| {
            Failure::new(format!(
                "{failure}\nthe venv module may be missing (Debian: apt-get install python3-venv)"
            ))
        },
    )?;
    Program::new(programs.join("python"))
        .arguments(&["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
        .arguments(&[&requirements])
        .run()?;
    mark_current(&environment, &requirements)?;
    Ok(programs)
}

/// The JavaScript program beside its packages, since a module is looked up from the place of the file that imports it.
fn install_javascript(workspace: &Workspace) -> Outcome<PathBuf> {
    require("node", "--version", "Node.js 20 or newer (Debian: apt-get install nodejs npm)")?;
    require("npm", "--version", "npm, which comes with Node.js (Debian: apt-get install npm)")?;
    let source = workspace.path("tests/clients/javascript");
    let place = workspace.target().join("clients/javascript");
    fs::create_dir_all(&place).attempt(&format!("creating {}", place.display()))?;
    for entry in fs::read_dir(&source).attempt("reading tests/clients/javascript")? {
        let path = entry.attempt("reading tests/clients/javascript")?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            fs::copy(&path, place.join(name)).attempt(&format!("copying {}", path.display()))?;
        }
    }
    let lock = source.join("package-lock.json");
    if !is_current(&place, &lock)? {
        println!("  installing the AWS SDK for JavaScript from npm into {}", place.display());
        Program::new("npm")
            .arguments(&["ci", "--no-audit", "--no-fund", "--loglevel", "error"])
            .directory(&place)
            .run()?;
        mark_current(&place, &lock)?;
    }
    Ok(place)
}

/// Fails with what to install when `program` cannot be started.
pub(crate) fn require(program: &str, version_argument: &str, what: &str) -> Outcome {
    Program::new(program)
        .arguments(&[version_argument])
        .output()
        .map(|_| ())
        .map_err(|failure| Failure::new(format!("{failure}\n`{program}` is needed: install {what}")))
}

const STAMP: &str = "installed-from";

/// Whether `place` was installed from this very list.
pub(crate) fn is_current(place: &Path, list: &Path) -> Outcome<bool> {
    let wanted = fs::read(list).attempt(&format!("reading {}", list.display()))?;
    Ok(fs::read(place.join(STAMP)).is_ok_and(|installed| installed == wanted))
}

/// Says that `place` was installed from this list.
pub(crate) fn mark_current(place: &Path, list: &Path) -> Outcome {
    fs::copy(list, place.join(STAMP)).attempt(&format!("writing {}", place.join(STAMP).display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_missing_is_an_error_that_says_what_to_install() {
        let failure =
            require("no-such-program-anywhere", "--version", "the thing").expect_err("it does not exist");
        assert!(failure.to_string().ends_with("is needed: install the thing"), "{failure}");
    }

    #[test]
    fn packages_are_installed_again_only_after_their_list_changed() {
        let place = tempfile::tempdir().expect("a directory");
        let list = place.path().join("list");
        fs::write(&list, "boto3==1").expect("a list");
        assert!(!is_current(place.path(), &list).expect("readable"));
        mark_current(place.path(), &list).expect("writable");
        assert!(is_current(place.path(), &list).expect("readable"));
        fs::write(&list, "boto3==2").expect("a list");
        assert!(!is_current(place.path(), &list).expect("readable"));
    }
}
