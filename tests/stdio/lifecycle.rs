//! Beginning and end: what is agreed first, and when and how the server leaves.

use serde_json::{Value, json};

use crate::client::Client;

#[test]
fn shutdown_and_exit_is_status_0_with_the_input_still_open() {
    let mut client = Client::initialized(json!({}));
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn exit_alone_is_status_1() {
    let mut client = Client::initialized(json!({}));
    client.notify("exit", Value::Null);
    assert_eq!(client.status(), 1);
}

#[test]
fn exit_before_initialize_is_status_1() {
    let mut client = Client::start(&[]);
    client.notify("exit", Value::Null);
    assert_eq!(client.status(), 1);
}

#[test]
fn end_of_input_is_status_1_without_shutdown_and_0_after_it() {
    let mut client = Client::initialized(json!({}));
    client.close_input();
    assert_eq!(client.status(), 1);
    let mut client = Client::initialized(json!({}));
    client.ask("shutdown", Value::Null);
    client.close_input();
    assert_eq!(client.status(), 0);
}

#[test]
fn end_of_input_within_a_frame() {
    for bytes in ["Content-Le", "Content-Length: 90\r\n\r\n{\"json", "Content-Length: x\r\n\r\n{\"json"] {
        let mut client = Client::initialized(json!({}));
        client.send_bytes(bytes.as_bytes());
        client.close_input();
        assert_eq!(client.status(), 1, "{bytes:?}");
        if bytes.contains('x') {
            client.reply(&Value::Null);
        }
    }
}

#[cfg(debug_assertions)]
#[test]
fn nothing_that_still_waits_keeps_the_server() {
    let mut client = Client::initialized(json!({}));
    let id = client.register("caveat/debug/never");
    client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "caveat/debug/never"}));
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn requests_before_initialize_and_after_shutdown_are_refused() {
    let mut client = Client::start(&[]);
    let hover = json!({"textDocument": {"uri": "file:///w/a.md"}, "position": {"line": 0, "character": 0}});
    assert_eq!(client.refused("textDocument/hover", hover.clone()).0, -32002);
    assert_eq!(client.refused("shutdown", Value::Null).0, -32002);
    client.initialize(json!({"capabilities": {"textDocument": {"diagnostic": {}}}}));
    assert_eq!(client.refused("initialize", json!({"capabilities": {}})).0, -32600);
    client.ask("shutdown", Value::Null);
    assert_eq!(client.refused("textDocument/hover", hover).0, -32600);
    let pull = json!({"textDocument": {"uri": "file:///w/a.md"}});
    assert_eq!(client.refused("textDocument/diagnostic", pull).0, -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.status(), 0);
}

#[test]
fn a_shutdown_that_was_refused_is_none() {
    let mut client = Client::start(&[]);
    assert_eq!(client.refused("shutdown", Value::Null).0, -32002);
    client.notify("exit", Value::Null);
    assert_eq!(client.status(), 1);
}

#[test]
fn null_and_empty_parameters_of_shutdown() {
    for params in [r#","params":null"#, r#","params":{}"#, r#","params":[]"#, ""] {
        let mut client = Client::initialized(json!({}));
        let id = client.register("shutdown");
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"shutdown"{params}}}"#);
        client.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        assert_eq!(client.reply(&id)["result"], Value::Null);
        client.notify("exit", Value::Null);
        assert_eq!(client.status(), 0);
    }
}

/// A process that does nothing, to stand for the editor.
#[cfg(unix)]
fn idler() -> std::process::Child {
    std::process::Command::new("sleep").arg("600").spawn().expect("sleep is on every system")
}

#[cfg(unix)]
#[test]
fn the_end_of_the_process_that_initialize_names_is_noticed() {
    let mut editor = idler();
    let mut client = Client::start(&[]);
    client.initialize(json!({"processId": editor.id(), "capabilities": {}}));
    editor.kill().unwrap();
    // Not waited for: a process that has ended and that nobody asked about has ended all the same.
    assert_eq!(client.status(), 1);
    editor.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn the_end_of_the_process_on_the_command_line_is_noticed_before_initialize() {
    let mut editor = idler();
    let mut client = Client::start(&["--stdio", &format!("--clientProcessId={}", editor.id())]);
    editor.kill().unwrap();
    editor.wait().unwrap();
    assert_eq!(client.status(), 1);
}

#[test]
fn a_living_parent_is_left_alone() {
    let mut client = Client::start(&[&format!("--clientProcessId={}", std::process::id())]);
    client.initialize(json!({"processId": std::process::id(), "capabilities": {}}));
    // Longer than the watch needs to look twice.
    std::thread::sleep(std::time::Duration::from_secs(4));
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn a_client_that_closed_its_end_is_gone() {
    let mut client = Client::start_without_reading(&[]);
    drop(client.take_output());
    client.request("made/up", json!({}));
    assert_eq!(client.status(), 1);
}

#[test]
fn position_encoding_is_utf_8_where_offered_else_utf_16() {
    let check = |general: Value, expected: &str| {
        let mut client = Client::start(&[]);
        let capabilities = client.initialize(json!({"capabilities": {"general": general}}));
        assert_eq!(capabilities["positionEncoding"], expected, "{general}");
        assert_eq!(client.shut_down(), 0);
    };
    check(json!({"positionEncodings": ["utf-16", "utf-8"]}), "utf-8");
    check(json!({"positionEncodings": ["utf-32", "utf-16"]}), "utf-16");
    check(json!({"positionEncodings": ["utf-16"]}), "utf-16");
    check(json!({}), "utf-16");
}

#[test]
fn capabilities_say_what_is_there_and_pull_only_to_those_who_can() {
    let greet = |capabilities: Value| {
        let mut client = Client::start(&[]);
        let capabilities = client.initialize(json!({"capabilities": capabilities}));
        assert_eq!(client.shut_down(), 0);
        capabilities
    };
    let everything = json!({"filters": [{"scheme": "file", "pattern": {"glob": "**/*"}}]});
    let mut expected = json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": true}},
        "hoverProvider": true,
        "workspace": {
            "workspaceFolders": {"supported": true, "changeNotifications": true},
            "fileOperations": {"didCreate": everything, "didDelete": everything, "didRename": everything},
        },
    });
    assert_eq!(greet(json!({})), expected);
    // One that cannot be told to ask again when a configuration changed has to know that one may.
    for refreshes in [false, true] {
        expected["diagnosticProvider"] = json!({"identifier": "caveat", "interFileDependencies": !refreshes,
            "workspaceDiagnostics": true, "workDoneProgress": true});
        let capabilities = json!({"textDocument": {"diagnostic": {"dynamicRegistration": false}},
            "workspace": {"diagnostics": {"refreshSupport": refreshes}}});
        assert_eq!(greet(capabilities), expected);
    }
}
