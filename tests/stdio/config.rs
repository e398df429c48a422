//! `caveat.toml` in the editor: what is wrong with it is shown in it, and what is typed into it counts at once.

use std::fs;

use serde_json::{Value, json};

use crate::client::Client;
use crate::workspace::{LABELLED, folder, folders, uri};

const RULE: &str = "labels = [\"House rule one:\"]\n";
const BROKEN: &str = "labels = [\"House rule one:\"]\nlimts.max-file-bytes = 7\n";

/// Code and range of each diagnostic that is pushed for `uri` next.
#[track_caller]
fn pushed(client: &mut Client, uri: &str) -> Vec<String> {
    let params = client.pushed(uri);
    params["diagnostics"].as_array().unwrap().iter().map(told).collect()
}

fn told(diagnostic: &Value) -> String {
    let (start, end) = (&diagnostic["range"]["start"], &diagnostic["range"]["end"]);
    let code = diagnostic["code"].as_str().unwrap();
    format!("{code} {}:{}-{}:{}", start["line"], start["character"], end["line"], end["character"])
}

fn whole(text: &str) -> Value {
    json!([{"text": text}])
}

#[test]
fn a_closed_configuration_shows_what_is_wrong_with_it_until_it_is_mended() {
    let one = folder(BROKEN);
    let (document, config) = (uri(&one.path().join("AGENTS.md")), uri(&one.path().join("caveat.toml")));
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": {}, "workspaceFolders": folders(&[&one])}));
    client.open(&document, 1, LABELLED);
    assert_eq!(client.pushed_at(&document, 1).len(), 1);
    assert_eq!(pushed(&mut client, &config), ["config-invalid 1:0-1:5"]);
    let message = client.call("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(
        message.ends_with("caveat.toml:2:1: there is no such key at the top level; did you mean `limits`?")
    );
    // No watcher: whatever is saved or opened makes the server look at the disk.
    fs::write(one.path().join("caveat.toml"), RULE).unwrap();
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": document}}));
    assert_eq!(client.pushed_at(&document, 1).len(), 0);
    assert_eq!(pushed(&mut client, &config), [""; 0]);
    // The same fault again is news again, and what was last right still holds.
    fs::write(one.path().join("caveat.toml"), BROKEN).unwrap();
    let changed = json!([{"uri": config, "type": 2}]);
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": changed}));
    assert_eq!(client.pushed_at(&document, 1).len(), 0);
    assert_eq!(pushed(&mut client, &config), ["config-invalid 1:0-1:5"]);
    client.call("window/showMessage");
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn a_closed_configuration_shows_what_of_it_is_past_its_day() {
    let expired = "[[suppressions]]\nrule = 'mkfs'\nreason = 'x'\nexpires = 2020-01-01\n";
    let one = folder(expired);
    let (document, config) = (uri(&one.path().join("AGENTS.md")), uri(&one.path().join("caveat.toml")));
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": {}, "workspaceFolders": folders(&[&one])}));
    client.open(&document, 1, LABELLED);
    assert_eq!(client.pushed_at(&document, 1).len(), 1);
    assert_eq!(pushed(&mut client, &config), ["suppression-expired 3:10-3:20"]);
    // Open, it says so itself, and closed again nothing is lost.
    client.open(&config, 1, &format!("\n{expired}"));
    assert_eq!(client.pushed_at(&document, 1).len(), 1);
    assert_eq!(pushed(&mut client, &config), ["suppression-expired 4:10-4:20"]);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": config}}));
    assert_eq!(client.pushed_at(&document, 1).len(), 1);
    let mut last = pushed(&mut client, &config);
    if last.is_empty() {
        last = pushed(&mut client, &config);
    }
    assert_eq!(last, ["suppression-expired 3:10-3:20"]);
    fs::write(one.path().join("caveat.toml"), RULE).unwrap();
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": document}}));
    assert_eq!(client.pushed_at(&document, 1).len(), 0);
    assert_eq!(pushed(&mut client, &config), [""; 0]);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn what_is_typed_into_a_configuration_outranks_the_disk() {
    let one = folder("");
    let (document, config) = (uri(&one.path().join("AGENTS.md")), uri(&one.path().join("caveat.toml")));
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": {}, "workspaceFolders": folders(&[&one])}));
    client.open(&document, 1, LABELLED);
    assert_eq!(client.pushed_at(&document, 1).len(), 1);
    let step = |client: &mut Client, expected: usize, said: &[&str]| {
        assert_eq!(client.pushed_at(&document, 1).len(), expected);
        assert_eq!(pushed(client, &config), said);
    };
    client.open(&config, 1, RULE);
    step(&mut client, 0, &[]);
    client.change(&config, 2, whole(BROKEN));
    step(&mut client, 0, &["config-invalid 1:0-1:5"]);
    client.change(&config, 3, whole("labels = []\n"));
    step(&mut client, 1, &[]);
    let expired = "[[suppressions]]\nrule = 'rm-rf'\nreason = 'x'\nexpires = 2020-01-01\n";
    client.change(&config, 4, whole(expired));
    step(&mut client, 1, &["suppression-expired 3:10-3:20"]);
    client.change(&config, 5, whole(&expired.replace("rm-rf", "rm-fr")));
    step(&mut client, 1, &["suppression-invalid 1:7-1:14"]);
    client.change(&config, 6, whole(RULE));
    step(&mut client, 0, &[]);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": config}}));
    step(&mut client, 1, &[]);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn an_open_configuration_is_pulled_like_any_document() {
    let one = folder("");
    let (document, config) = (uri(&one.path().join("AGENTS.md")), uri(&one.path().join("caveat.toml")));
    let mut client = Client::start(&[]);
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    client.initialize(json!({"capabilities": capabilities, "workspaceFolders": folders(&[&one])}));
    client.open(&document, 1, LABELLED);
    client.open(&config, 1, BROKEN);
    let pull = |client: &mut Client, uri: &str| -> Vec<String> {
        let report = client.ask("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
        report["items"].as_array().unwrap().iter().map(told).collect()
    };
    assert_eq!(pull(&mut client, &config), ["config-invalid 1:0-1:5"]);
    client.change(&config, 2, whole(RULE));
    assert_eq!(pull(&mut client, &config), [""; 0]);
    assert_eq!(pull(&mut client, &document), [""; 0]);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn at_midnight_what_was_suppressed_comes_back_by_itself() {
    let one = folder("");
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": {}, "workspaceFolders": folders(&[&one])}));
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let document = uri(&one.path().join("AGENTS.md"));
    let text =
        format!("<!-- caveat-allow rm-rf expires={today} reason=\"x\" -->\n\n```sh\nrm -rf /srv/data\n```\n");
    let config = uri(&one.path().join("caveat.toml"));
    let accepted = format!("[[suppressions]]\nrule = 'mkfs'\nreason = 'x'\nexpires = {today}\n");
    client.open(&config, 1, &accepted);
    assert_eq!(pushed(&mut client, &config), [""; 0]);
    client.open(&document, 1, &text);
    assert_eq!(pushed(&mut client, &document), [""; 0]);
    // Nothing is sent from here on: the clock alone moves.
    client.notify("caveat/debug/beforeMidnight", json!([1]));
    assert_eq!(pushed(&mut client, &document), ["suppression-expired 0:32-0:42", "rm-rf 3:0-3:16"]);
    assert_eq!(pushed(&mut client, &config), ["suppression-expired 3:10-3:20"]);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn untrusted_files_cannot_speak_for_themselves() {
    let one = folder("untrusted = ['theirs/']\n");
    let text =
        "<!-- caveat-allow rm-rf expires=2999-01-01 reason=\"x\" -->\n\n```sh\nrm -rf /srv/data\n```\n";
    for name in ["theirs", "others", "ours"] {
        fs::create_dir(one.path().join(name)).unwrap();
    }
    fs::write(one.path().join("theirs/caveat.toml"), "kumquat = 1\n").unwrap();
    let mut client = Client::start(&[]);
    let options = json!({"untrusted": ["others/**"]});
    client.initialize(
        json!({"capabilities": {}, "workspaceFolders": folders(&[&one]), "initializationOptions": options}),
    );
    for (name, expected) in [("ours", 0), ("others", 1), ("theirs", 1)] {
        let document = uri(&one.path().join(name).join("AGENTS.md"));
        client.open(&document, 1, text);
        assert_eq!(pushed(&mut client, &document).len(), expected, "{name}");
    }
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn keys_rules_and_values_are_offered() {
    let one = folder("");
    let config = uri(&one.path().join("caveat.toml"));
    let mut client = Client::start(&[]);
    let capabilities = json!({"textDocument": {"completion": {}}});
    client.initialize(json!({"capabilities": capabilities, "workspaceFolders": folders(&[&one])}));
    client.open(&config, 1, "[rules]\nsudo = \"w\nmk\n");
    client.pushed(&config);
    let offered = |client: &mut Client, line: u32, character: u32| -> Vec<Value> {
        let at = json!({"textDocument": {"uri": config}, "position": {"line": line, "character": character}});
        client.ask("textDocument/completion", at).as_array().unwrap().clone()
    };
    let values = offered(&mut client, 1, 9);
    let edit = &values[1]["textEdit"];
    assert_eq!((&edit["newText"], &edit["range"]["start"]["character"]), (&json!("\"warning\""), &json!(7)));
    let rules = offered(&mut client, 2, 2);
    assert!(rules.iter().any(|item| item["label"] == "mkfs" && item["detail"].as_str().is_some()));
    assert_eq!(client.shut_down(), 0);
}

/// A credential that is none, in two pieces.
const KEY: &str = concat!("The key is AKIA", "Q7ZLM2PXW4VN6TKD.\n");

#[test]
fn a_credential_is_not_accepted_in_a_configuration_below_another_one() {
    let one = folder("");
    fs::create_dir(one.path().join("sub")).unwrap();
    fs::write(one.path().join("sub/caveat.toml"), "").unwrap();
    let literals = json!({"codeActionKind": {"valueSet": ["quickfix"]}});
    let able = json!({"textDocument": {"codeAction": {"codeActionLiteralSupport": literals}}});
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": able, "workspaceFolders": folders(&[&one])}));
    for (name, offered) in [("AGENTS.md", true), ("sub/AGENTS.md", false)] {
        let document = uri(&one.path().join(name));
        client.open(&document, 1, KEY);
        assert_eq!(pushed(&mut client, &document).len(), 1);
        let at = json!({"line": 0, "character": 14});
        let range = json!({"start": at, "end": at});
        let params =
            json!({"textDocument": {"uri": document}, "range": range, "context": {"diagnostics": []}});
        let actions = client.ask("textDocument/codeAction", params);
        let titles: Vec<_> =
            actions.as_array().into_iter().flatten().map(|one| one["title"].as_str().unwrap()).collect();
        assert_eq!(titles.iter().any(|title| title.ends_with("caveat.toml")), offered, "{titles:?}");
    }
    assert_eq!(client.shut_down(), 0);
}
