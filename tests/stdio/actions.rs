//! Code actions as an editor asks for them, chooses one and makes its edit.

use caveat_analysis::{Edit, Encoding, Position, Text};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;

const URI: &str = "file:///w/AGENTS.md";
const GIVEN: &str = "# \u{1f680}\n\nRun `git push --force` \u{1f680} now.\n";

/// What an editor of today says of itself.
fn able() -> Value {
    json!({
        "textDocument": {"codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "source", "source.fixAll"]}},
            "isPreferredSupport": true, "dataSupport": true, "resolveSupport": {"properties": ["edit"]}}},
        "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename", "delete"]}},
    })
}

/// One that takes action literals and nothing more.
fn plain() -> Value {
    json!({"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}})
}

fn ask(client: &mut Client, uri: &str, line: u32, context: Value) -> Vec<Value> {
    let at = json!({"line": line, "character": 6});
    let params = json!({"textDocument": {"uri": uri}, "range": {"start": at, "end": at}, "context": context});
    match client.ask("textDocument/codeAction", params) {
        Value::Array(actions) => actions,
        Value::Null => Vec::new(),
        other => panic!("{other}"),
    }
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|action| action["title"].as_str().unwrap()).collect()
}

fn none() -> Value {
    json!({"diagnostics": []})
}

/// `text` after an edit's `edits`, which count UTF-16 units.
fn made(text: &str, edits: &Value) -> String {
    let mut text = Text::new(text);
    let position = |at: &Value| Position {
        line: at["line"].as_u64().unwrap().try_into().unwrap(),
        column: at["character"].as_u64().unwrap().try_into().unwrap(),
    };
    for edit in edits.as_array().unwrap().iter().rev() {
        let range = Some((position(&edit["range"]["start"]), position(&edit["range"]["end"])));
        text.apply(&Edit { range, text: edit["newText"].as_str().unwrap().to_owned() }, Encoding::Utf16);
    }
    text.to_string()
}

#[test]
fn each_action_removes_the_finding_that_it_is_for() {
    let mut client = Client::initialized(able());
    client.open(URI, 7, GIVEN);
    assert_eq!(client.pushed_at(URI, 7).len(), 1);
    let actions = ask(&mut client, URI, 2, none());
    assert_eq!(
        titles(&actions),
        [
            "Write this as the remedy of git-push-force says",
            "Suppress git-push-force here",
            "Suppress git-push-force in this file",
            "Accept this finding of git-push-force in caveat.toml",
        ]
    );
    let preferred: Vec<bool> = actions.iter().map(|action| action["isPreferred"] == true).collect();
    assert_eq!(preferred, [true, false, false, false]);
    for (at, action) in actions.iter().take(3).enumerate() {
        assert_eq!(action["kind"], "quickfix");
        let change = &action["edit"]["documentChanges"][0];
        assert_eq!(change["textDocument"], json!({"uri": URI, "version": 7}));
        let after = made(GIVEN, &change["edits"]);
        let uri = format!("file:///w/{at}/AGENTS.md");
        client.open(&uri, 1, &after);
        assert_eq!(client.pushed_at(&uri, 1), Vec::<Value>::new(), "{after}");
        let again = ask(&mut client, &uri, 2, none());
        assert_eq!(titles(&again), Vec::<&str>::new());
    }
    assert_eq!(ask(&mut client, URI, 0, none()), Vec::<Value>::new(), "nothing is found there");
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn what_the_client_cannot_take_it_is_not_sent() {
    let mut client = Client::start(&[]);
    let capabilities = client.initialize(json!({"capabilities": plain()}));
    assert_eq!(
        capabilities["codeActionProvider"],
        json!({"codeActionKinds": ["quickfix", "source.fixAll.caveat"]})
    );
    client.open(URI, 1, GIVEN);
    client.pushed_at(URI, 1);
    let actions = ask(&mut client, URI, 2, none());
    // No new file, no later edit, no preference.
    assert_eq!(actions.len(), 3, "{actions:?}");
    for action in &actions {
        assert!(action.get("isPreferred").is_none() && action.get("data").is_none(), "{action}");
        assert!(action["edit"].get("documentChanges").is_none(), "{action}");
        assert_eq!(action["edit"]["changes"][URI].as_array().unwrap().len(), 1);
    }
    assert_eq!(client.shut_down(), 0);
    let mut client = Client::start(&[]);
    let capabilities = client.initialize(json!({"capabilities": {"textDocument": {"codeAction": {}}}}));
    assert_eq!(capabilities.get("codeActionProvider"), None, "it takes commands only");
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn only_what_is_asked_for_is_answered() {
    let mut client = Client::initialized(able());
    let text = "Run `git push --force`.\n\n```sh\nls\n";
    client.open(URI, 1, text);
    client.pushed_at(URI, 1);
    let mut kinds = |line: u32, context: Value| -> Vec<String> {
        let actions = ask(&mut client, URI, line, context);
        let mut kinds: Vec<String> =
            actions.iter().map(|action| action["kind"].as_str().unwrap().to_owned()).collect();
        kinds.dedup();
        kinds
    };
    let only = |kind: &str| json!({"diagnostics": [], "only": [kind]});
    assert_eq!(kinds(0, only("quickfix")), ["quickfix"]);
    for kind in ["source", "source.fixAll", "source.fixAll.caveat"] {
        assert_eq!(kinds(0, only(kind)), ["source.fixAll.caveat"], "{kind}");
    }
    for kind in ["refactor", "source.fixAll.caveat.more", "source.fix", "quickfix.more"] {
        assert_eq!(kinds(0, only(kind)), Vec::<String>::new(), "{kind}");
    }
    assert_eq!(kinds(0, json!({"diagnostics": [], "triggerKind": 2})), ["quickfix"]);
    assert_eq!(kinds(0, json!({"diagnostics": [], "triggerKind": 1})), ["quickfix", "source.fixAll.caveat"]);
    let all = ask(&mut client, URI, 0, only("source.fixAll"));
    let after = made(text, &all[0]["edit"]["documentChanges"][0]["edits"]);
    assert_eq!(after, format!("{text}```\n"), "the command is left to a person");
    assert_eq!(client.shut_down(), 0);
}

/// Helix echoes six fields, Neovim what it was sent; an action is told to which underline it belongs.
#[test]
fn diagnostics_need_not_come_back_whole() {
    let mut client = Client::initialized(able());
    client.open(URI, 1, GIVEN);
    let sent = client.pushed_at(URI, 1).remove(0);
    let bare = json!({"range": sent["range"], "message": sent["message"]});
    let helix = json!({"range": sent["range"], "message": sent["message"], "code": sent["code"], "severity": 1, "source": "caveat"});
    let others = json!({"range": sent["range"], "message": "x", "code": 7, "source": "other"});
    let actions = ask(&mut client, URI, 2, json!({"diagnostics": [bare]}));
    assert_eq!(actions.len(), 4);
    assert!(actions[0].get("diagnostics").is_none());
    let actions = ask(&mut client, URI, 2, json!({"diagnostics": [others, helix]}));
    assert_eq!(actions[0]["diagnostics"], json!([helix]));
    assert_eq!(client.shut_down(), 0);
}

/// Two findings on a line, and a selection of all: what does the same to both is there once.
#[test]
fn what_does_the_same_is_offered_once() {
    let mut client = Client::initialized(plain());
    client.open(URI, 1, "a\n\nRun `git push --force` or `git push -f`.\n");
    client.pushed_at(URI, 1);
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let params = json!({"textDocument": {"uri": URI}, "range": range, "context": none()});
    let actions = client.ask("textDocument/codeAction", params);
    let safer = "Write this as the remedy of git-push-force says";
    let here = ["Suppress git-push-force here", "Suppress git-push-force in this file"];
    assert_eq!(titles(actions.as_array().unwrap()), [safer, here[0], here[1], safer]);
    assert_eq!(client.shut_down(), 0);
}

fn chosen(client: &mut Client, uri: &str) -> Value {
    let actions = ask(client, uri, 2, none());
    let action = actions.iter().find(|action| action["title"].as_str().unwrap().ends_with("caveat.toml"));
    let Some(action) = action.cloned() else { return Value::Null };
    match action.get("edit") {
        None => client.ask("codeAction/resolve", action)["edit"].clone(),
        Some(edit) => edit.clone(),
    }
}

fn uri_of(folder: &TempDir, name: &str) -> String {
    format!("file://{}/{name}", folder.path().canonicalize().unwrap().display())
}

#[cfg(unix)]
#[test]
fn a_finding_is_accepted_in_the_configuration_which_is_made_where_there_is_none() {
    let mut unresolved = able();
    unresolved["textDocument"]["codeAction"]["resolveSupport"] = Value::Null;
    for capabilities in [able(), unresolved] {
        let folder = TempDir::new().unwrap();
        let root = uri_of(&folder, "");
        let mut client = Client::start(&[]);
        let folders = json!([{"uri": root.trim_end_matches('/'), "name": "w"}]);
        client.initialize(json!({"capabilities": capabilities, "workspaceFolders": folders}));
        let (uri, config) = (uri_of(&folder, "docs/AGENTS.md"), uri_of(&folder, "caveat.toml"));
        client.open(&uri, 1, GIVEN);
        client.pushed_at(&uri, 1);
        let edit = chosen(&mut client, &uri);
        let changes = edit["documentChanges"].as_array().unwrap();
        let options = json!({"overwrite": false, "ignoreIfExists": true});
        assert_eq!(changes[0], json!({"kind": "create", "uri": config, "options": options}));
        assert_eq!(changes[1]["textDocument"], json!({"uri": config, "version": null}));
        let entry = made("", &changes[1]["edits"]);
        assert!(entry.contains("rule = \"git-push-force\"\npaths = [\"/docs/AGENTS.md\"]\n"), "{entry}");
        std::fs::write(folder.path().join("caveat.toml"), &entry).unwrap();
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": config}}));
        assert_eq!(client.pushed_at(&uri, 1), Vec::<Value>::new());
        assert_eq!(client.shut_down(), 0);
    }
}

#[cfg(unix)]
#[test]
fn a_configuration_that_is_there_is_added_to() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("caveat.toml");
    std::fs::write(&file, "stance = \"on\"\r\n").unwrap();
    let mut client = Client::initialized(able());
    let (uri, config) = (uri_of(&folder, "AGENTS.md"), uri_of(&folder, "caveat.toml"));
    client.open(&uri, 1, GIVEN);
    client.pushed_at(&uri, 1);
    let edit = chosen(&mut client, &uri);
    let change = &edit["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": config, "version": null}));
    let after = made("stance = \"on\"\r\n", &change["edits"]);
    assert!(after.starts_with("stance = \"on\"\r\n\r\n[[suppressions]]\r\nrule = "), "{after}");
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());

    // An open buffer outranks the disk.
    let open = "stance = \"off\"";
    client.open(&config, 4, open);
    client.pushed_at(&config, 4);
    client.pushed_at(&uri, 1);
    let edit = chosen(&mut client, &uri);
    let change = &edit["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": config, "version": 4}));
    assert!(made(open, &change["edits"]).starts_with("stance = \"off\"\n\n[[suppressions]]\n"));

    // What cannot be added to is left alone.
    client.change(&config, 5, json!([{"text": "stance = \n"}]));
    client.pushed_at(&config, 5);
    client.pushed_at(&uri, 1);
    assert_eq!(chosen(&mut client, &uri), Value::Null);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn an_action_of_a_text_that_is_gone_has_no_edit() {
    let mut client = Client::initialized(able());
    client.open(URI, 1, GIVEN);
    client.pushed_at(URI, 1);
    let actions = ask(&mut client, URI, 2, none());
    let later = actions.last().unwrap().clone();
    assert!(later.get("edit").is_none());
    client.change(URI, 2, json!([{"text": format!("\n{GIVEN}")}]));
    client.pushed_at(URI, 2);
    assert!(client.ask("codeAction/resolve", later).get("edit").is_none());
    let own = json!({"title": "x", "kind": "quickfix"});
    assert_eq!(client.ask("codeAction/resolve", own.clone()), own);
    assert_eq!(client.shut_down(), 0);
}
