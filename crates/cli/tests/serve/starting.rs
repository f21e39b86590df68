//! What is printed at the start, and every way in which it does not start.

use std::net::TcpListener;
use std::process::Output;

use crate::client::Connection;
use crate::process::{run, serve, serve_at, serve_directory};

fn assert_fails(output: &Output, words: &[&str]) {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("keywright: "), "{text}");
    for word in words {
        assert!(text.contains(word), "{word} is not in {text}");
    }
    assert!(output.stdout.is_empty());
}

#[test]
fn it_says_where_it_listens_where_the_data_is_and_what_to_paste() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let mut serving = serve(&["--data", data.to_str().unwrap()]);
    let first = serving.line();
    let url = first.rsplit(' ').next().unwrap().to_owned();
    assert!(first.starts_with("keywright 0."), "{first}");
    assert_eq!(serving.line(), format!("Data: {}", data.display()));
    serving.signal("TERM");
    let rest = serving.rest();
    for command in ["create-table", "put-item", "get-item"] {
        let start = format!(
            "AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_DEFAULT_REGION=us-east-1 aws dynamodb {command} \
             --endpoint-url {url} "
        );
        assert!(rest.lines().any(|line| line.starts_with(&start)), "{rest}");
    }
    assert!(serving.wait().success());
}

#[test]
fn json_is_one_object_a_line() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let mut serving = serve(&["--data", data, "--format", "json", "--region", "eu-west-1"]);
    let event = serving.event();
    assert_eq!(
        (&event["event"], &event["data"], &event["region"]),
        (&"listening".into(), &data.into(), &"eu-west-1".into())
    );
    assert_eq!(event["url"], format!("http://{}", event["address"].as_str().unwrap()));
    serving.signal("INT");
    assert_eq!(serving.event()["event"], "stopped");
    assert_eq!(serving.rest(), "");
    assert!(serving.wait().success());
}

#[test]
fn it_says_what_a_write_survives() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let mut serving = serve(&["--data", data, "--format", "json"]);
    assert_eq!(serving.event()["durability"], "fsync");
    serving.signal("TERM");
    assert!(serving.wait().success());

    let mut serving = serve(&["--data", data, "--format", "json", "--durability", "buffered"]);
    assert_eq!(serving.event()["durability"], "buffered");
    serving.signal("TERM");
    assert!(serving.wait().success());

    let mut serving = serve(&["--data", data, "--durability", "buffered"]);
    serving.line();
    let line = serving.line();
    assert!(line.ends_with("; a power loss takes the last writes (--durability buffered)"), "{line}");
    serving.signal("TERM");
    assert!(serving.wait().success());

    let refused = run(&["serve", "--memory", "--durability", "buffered"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn the_cache_has_a_size_that_can_be_meant() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    for mebibytes in ["1", "1048576"] {
        let mut serving = serve(&["--data", data, "--format", "json", "--cache-mib", mebibytes]);
        assert_eq!(serving.event()["event"], "listening");
        serving.signal("TERM");
        assert!(serving.wait().success());
    }
    for mebibytes in ["0", "1048577", "1GiB"] {
        let refused = run(&["serve", "--data", data, "--cache-mib", mebibytes]);
        assert_eq!(refused.status.code(), Some(2), "{mebibytes}");
    }
    assert_eq!(run(&["serve", "--memory", "--cache-mib", "64"]).status.code(), Some(2));
}

#[test]
fn in_memory_there_is_no_directory_to_name() {
    let mut serving = serve(&["--memory", "--format", "json"]);
    let event = serving.event();
    assert!(event["data"].is_null());
    assert!(event["durability"].is_null());
}

#[test]
fn what_was_put_is_there_after_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let (serving, address) = serve_directory(directory.path());
    let mut connection = Connection::open(address).unwrap();
    connection.create_table();
    connection.call("PutItem", r#"{"TableName":"Things","Item":{"id":{"S":"kept"}}}"#).unwrap();
    serving.signal("TERM");
    drop(serving);

    let (_serving, address) = serve_directory(directory.path());
    let found = Connection::open(address)
        .unwrap()
        .call("GetItem", r#"{"TableName":"Things","Key":{"id":{"S":"kept"}}}"#);
    assert_eq!(found.unwrap(), (200, r#"{"Item":{"id":{"S":"kept"}}}"#.to_owned()));
}

#[test]
fn a_second_process_on_the_directory_is_refused_and_the_first_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let (_serving, address) = serve_directory(directory.path());
    let second = run(&["serve", "--address", "127.0.0.1:0", "--data", data]);
    assert_fails(&second, &[data, "process"]);
    assert_eq!(Connection::open(address).unwrap().call("ListTables", "{}").unwrap().0, 200);
}

#[test]
fn a_port_that_is_taken_is_refused() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = run(&["serve", "--memory", "--address", &address]);
    assert_fails(&output, &[&address, "another process does", "choose another port with --address"]);
}

#[test]
fn an_address_that_is_none_is_refused() {
    for address in ["8000", "127.0.0.1", "127.0.0.1:99999", "no.such.host.invalid:8000"] {
        let output = run(&["serve", "--memory", "--address", address]);
        assert_fails(&output, &[address, "takes a host and a port, such as 127.0.0.1:8000"]);
    }
    let foreign = run(&["serve", "--memory", "--address", "192.0.2.1:8000", "--allow-public-address"]);
    assert_fails(&foreign, &["this machine does not have that address"]);
}

#[test]
fn a_public_address_is_refused_unless_it_is_allowed() {
    let output = run(&["serve", "--memory", "--address", "0.0.0.0:0"]);
    assert_fails(&output, &["anybody there could read and write every table", "--allow-public-address"]);
    let mut serving = serve_at("0.0.0.0:0", &["--memory", "--allow-public-address", "--format", "json"]);
    let url = serving.event()["url"].as_str().unwrap().to_owned();
    assert!(url.starts_with("http://127.0.0.1:"), "{url}");
}

/// The text of the address may be a name of the machine, under which clients then call it.
#[test]
fn a_name_is_answered_to_when_it_is_allowed_or_the_address() {
    let mut serving = serve_at("localhost:0", &["--memory", "--allow-host", "db.test", "--format", "json"]);
    let address = serving.event()["address"].as_str().unwrap().parse().unwrap();
    for (host, status) in [("localhost", 200), ("DB.test:8000", 200), ("other.test", 403)] {
        let answered = Connection::open(address).unwrap().call_as(host, "ListTables", "{}").unwrap();
        assert_eq!(answered.0, status, "{host}: {}", answered.1);
    }
}

#[test]
fn a_directory_that_cannot_be_created_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "not a directory").unwrap();
    // "File exists" was all that was said, to somebody who had named a file or a path below one.
    let refusal = format!("{} is not a directory", file.display());
    for data in [&file, &file.join("data")] {
        let data = data.to_str().unwrap();
        let output = run(&["serve", "--address", "127.0.0.1:0", "--data", data]);
        assert_fails(&output, &[&format!("cannot open the store in {data}"), &refusal]);
    }
}

#[test]
fn a_wrong_command_line_is_exit_code_2_and_help_documents_the_codes() {
    for wrong in [&["serve", "--nonsense"][..], &["serve", "--memory", "--data", "x"], &["nonsense"], &[]] {
        assert_eq!(run(wrong).status.code(), Some(2), "{wrong:?}");
    }
    // These were written into every table's ARN.
    for region in ["", "eu west", "a/b\n", "EU-WEST-1", "eu-west-1:0"] {
        assert_eq!(run(&["serve", "--memory", "--region", region]).status.code(), Some(2), "{region:?}");
    }
    for host in ["", "http://name", "name:8000", "two names"] {
        assert_eq!(run(&["serve", "--memory", "--allow-host", host]).status.code(), Some(2), "{host:?}");
    }
    let help = run(&["serve", "--help"]);
    assert_eq!(help.status.code(), Some(0));
    let text = String::from_utf8(help.stdout).unwrap();
    assert!(text.contains("Exit codes:") && text.contains("--allow-cross-origin"), "{text}");
    let version = run(&["--version"]);
    assert_eq!(version.status.code(), Some(0));
    assert_eq!(
        String::from_utf8(version.stdout).unwrap(),
        format!("keywright {}\n", env!("CARGO_PKG_VERSION"))
    );
}

/// Idle memory is a promise of the command: below 15 MB.
#[cfg(target_os = "linux")]
#[test]
fn an_idle_server_takes_less_than_15_mb() {
    let directory = tempfile::tempdir().unwrap();
    let (serving, _) = serve_directory(directory.path());
    let resident = serving.memory("VmRSS");
    println!("{} KiB resident", resident / 1024);
    assert!(resident < 15_000_000, "{resident} bytes");
}
