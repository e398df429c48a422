//! Folders and their configurations.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;

pub(crate) fn uri(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/").replace(' ', "%20");
    if path.starts_with('/') { format!("file://{path}") } else { format!("file:///{path}") }
}

pub(crate) fn folder(config: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("caveat.toml"), config).unwrap();
    folder
}

pub(crate) fn folders(folders: &[&TempDir]) -> Value {
    folders.iter().map(|folder| json!({"uri": uri(folder.path()), "name": "folder"})).collect()
}

pub(crate) const LABELLED: &str = "House rule one:\n\n```sh\nrm -rf /srv/data\n```\n";

/// The number of findings that are pushed for `uri` next.
fn pushed(client: &mut Client, uri: &str) -> usize {
    client.pushed_at(uri, 1).len()
}

#[test]
fn each_folder_has_its_own_configuration() {
    let (one, two) = (folder("labels = [\"House rule one:\"]\n"), folder("labels = [\"House rule two:\"]\n"));
    let (in_one, in_two) = (uri(&one.path().join("AGENTS.md")), uri(&two.path().join("AGENTS.md")));
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": {}, "workspaceFolders": folders(&[&one, &two])}));
    client.open(&in_one, 1, LABELLED);
    client.open(&in_two, 1, LABELLED);
    assert_eq!((pushed(&mut client, &in_one), pushed(&mut client, &in_two)), (0, 1));
    // A configuration that is written is read again.
    fs::write(two.path().join("caveat.toml"), "labels = [\"House rule one:\"]\n").unwrap();
    let changed = json!([{"uri": uri(&two.path().join("caveat.toml")), "type": 2}]);
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": changed}));
    assert_eq!((pushed(&mut client, &in_one), pushed(&mut client, &in_two)), (0, 0));
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn a_configuration_that_is_saved_in_the_editor_is_read_again() {
    let one = folder("");
    let document = uri(&one.path().join("AGENTS.md"));
    let config = one.path().join("caveat.toml");
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": {}, "workspaceFolders": folders(&[&one])}));
    client.open(&document, 1, LABELLED);
    assert_eq!(pushed(&mut client, &document), 1);
    fs::write(&config, "labels = [\"House rule one:\"]\n").unwrap();
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": uri(&config)}}));
    assert_eq!(pushed(&mut client, &document), 0);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn folders_come_and_go() {
    let outer = folder("labels = [\"House rule one:\"]\n");
    let inner = outer.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let document = uri(&inner.join("AGENTS.md"));
    let inner = json!({"uri": uri(&inner), "name": "inner"});
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": {}, "workspaceFolders": [inner]}));
    client.open(&document, 1, LABELLED);
    assert_eq!(pushed(&mut client, &document), 1, "what stands above the workspace folder does not count");
    let change = |added: Value, removed: Value| json!({"event": {"added": added, "removed": removed}});
    client.notify("workspace/didChangeWorkspaceFolders", change(folders(&[&outer]), json!([inner])));
    assert_eq!(pushed(&mut client, &document), 0);
    client.notify("workspace/didChangeWorkspaceFolders", change(json!([inner]), json!([])));
    assert_eq!(pushed(&mut client, &document), 1, "the innermost folder counts");
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn the_root_of_a_client_without_folders() {
    let one = folder("labels = [\"House rule one:\"]\n");
    fs::create_dir(one.path().join("sub")).unwrap();
    let document = uri(&one.path().join("sub/AGENTS.md"));
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": {}, "rootUri": uri(one.path())}));
    client.open(&document, 1, LABELLED);
    assert_eq!(pushed(&mut client, &document), 0);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn a_configuration_that_does_not_hold_is_said_once() {
    let one = folder("labels = [\"fine:\"]\nkumquat = 1\n");
    let config = uri(&one.path().join("caveat.toml"));
    let documents = ["AGENTS.md", "CLAUDE.md"].map(|name| uri(&one.path().join(name)));
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": {}, "workspaceFolders": folders(&[&one])}));
    for document in &documents {
        client.open(document, 1, LABELLED);
        assert_eq!(pushed(&mut client, document), 1);
    }
    let message = client.call("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("caveat.toml:2:1"), "{message}");
    assert!(!message.contains("kumquat"), "{message}");
    let shown = client.pushed(&config);
    assert_eq!(shown["diagnostics"].as_array().map(Vec::len), Some(1), "{shown}");
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn watchers_are_asked_for_where_the_client_has_them() {
    let mut client = Client::start(&[]);
    let capabilities = json!({"workspace": {
        "didChangeWatchedFiles": {"dynamicRegistration": true},
        "didChangeConfiguration": {"dynamicRegistration": true},
    }});
    client.ask("initialize", json!({"processId": null, "rootUri": null, "capabilities": capabilities}));
    // Without parameters, as some clients send it.
    client.notify("initialized", Value::Null);
    let request = client.call("client/registerCapability");
    let registrations = request["params"]["registrations"].as_array().unwrap();
    let methods: Vec<_> =
        registrations.iter().map(|registration| registration["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration"]);
    assert_eq!(registrations[0]["registerOptions"]["watchers"][0]["globPattern"], "**/caveat.toml");
    client.answer(&request, Value::Null);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn files_that_the_editor_does_not_trust() {
    let one = folder("labels = [\"House rule one:\"]\n");
    fs::create_dir(one.path().join("vendor")).unwrap();
    let (ours, theirs) =
        (uri(&one.path().join("AGENTS.md")), uri(&one.path().join("vendor").join("AGENTS.md")));
    let mut client = Client::start(&[]);
    let options = json!({"untrusted": ["vendor/"]});
    client.initialize(
        json!({"capabilities": {}, "workspaceFolders": folders(&[&one]), "initializationOptions": options}),
    );
    let suppressed =
        "<!-- caveat-allow rm-rf expires=2999-12-31 reason=\"it says so\" -->\n\n`rm -rf /srv/data`\n";
    for text in [LABELLED, suppressed] {
        client.open(&ours, 1, text);
        client.open(&theirs, 1, text);
        assert_eq!((pushed(&mut client, &ours), pushed(&mut client, &theirs)), (0, 1));
        for document in [&ours, &theirs] {
            client.notify("textDocument/didClose", json!({"textDocument": {"uri": document}}));
            assert_eq!(client.pushed(document)["diagnostics"], json!([]));
        }
    }
    // Restricted mode, and out of it.
    client.open(&ours, 1, LABELLED);
    assert_eq!(pushed(&mut client, &ours), 0);
    for (globs, expected) in [(json!(["**"]), 1), (json!([]), 0)] {
        client.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": {"caveat": {"untrusted": globs}}}),
        );
        assert_eq!(pushed(&mut client, &ours), expected);
    }
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn the_exceptions_of_each_open_folder_are_listed() {
    let (one, two) = (folder("labels = [\"House rule one:\"]\n"), folder("lables = []\n"));
    fs::write(one.path().join("AGENTS.md"), LABELLED).unwrap();
    fs::write(two.path().join("AGENTS.md"), LABELLED).unwrap();
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": {}, "workspaceFolders": folders(&[&one, &two])}));
    let audits = client.ask("workspace/executeCommand", json!({"command": "caveat.audit"}));
    let first = &audits[0]["audit"]["entries"][0];
    let known = ["file", "line", "kind", "state"].map(|key| first[key].clone());
    assert_eq!(known, [json!("AGENTS.md"), json!(1), json!("exempt"), json!("active")]);
    // The second has a configuration that is wrong: nothing can be said of it.
    assert_eq!((&audits[1]["audit"], audits.as_array().map(Vec::len)), (&Value::Null, Some(2)));
    assert!(audits[1]["folder"].as_str().is_some_and(|uri| uri.starts_with("file:///")), "{audits}");
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn an_audit_is_of_what_is_open_as_it_is_typed() {
    let one = folder("");
    fs::write(one.path().join("AGENTS.md"), "Calm.\n").unwrap();
    fs::write(one.path().join("CLAUDE.md"), LABELLED).unwrap();
    let (agents, config) = (uri(&one.path().join("AGENTS.md")), uri(&one.path().join("caveat.toml")));
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": {}, "workspaceFolders": folders(&[&one])}));
    let audit = |client: &mut Client| -> Vec<String> {
        let audits = client.ask("workspace/executeCommand", json!({"command": "caveat.audit"}));
        let entries = audits[0]["audit"]["entries"].as_array().unwrap();
        entries.iter().map(|entry| format!("{}:{} {}", entry["file"], entry["line"], entry["kind"])).collect()
    };
    assert_eq!(audit(&mut client), [""; 0]);
    client.open(&agents, 1, &format!("\n{LABELLED}"));
    pushed(&mut client, &agents);
    assert_eq!(audit(&mut client), [""; 0]);
    client.open(&config, 1, "labels = ['House rule one:']\n");
    assert_eq!((pushed(&mut client, &agents), pushed(&mut client, &config)), (0, 0));
    assert_eq!(audit(&mut client), ["\"AGENTS.md\":2 \"exempt\"", "\"CLAUDE.md\":1 \"exempt\""]);
    assert_eq!(client.shut_down(), 0);
}
