//! What the client is shown: pushed or pulled, never both, and always of the newest text.

use serde_json::{Value, json};

use crate::client::{Client, insertion};

const URI: &str = "file:///w/AGENTS.md";
/// A document with one dangerous command on line 2.
const GIVEN: &str = "# Clean up\n\n- `rm -rf /srv/data`\n";
/// The same command, forbidden.
const FORBIDDEN: &str = "Never run these commands:\n\n```sh\nrm -rf /srv/data\n```\n";

fn pulling() -> Value {
    json!({"textDocument": {"diagnostic": {}}})
}

fn pull(client: &mut Client, uri: &str, previous: Option<&str>) -> Value {
    let mut params = json!({"textDocument": {"uri": uri}});
    if let Some(previous) = previous {
        params["previousResultId"] = previous.into();
    }
    client.ask("textDocument/diagnostic", params)
}

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().unwrap_or("-")).collect()
}

#[test]
fn a_finding_in_full() {
    let check = |encodings: Value, start: u32| {
        let mut client = Client::initialized(json!({"general": {"positionEncodings": encodings}}));
        client.open(URI, 3, "🚀 Run `rm -rf /srv/data` first.\n");
        let diagnostics = client.pushed_at(URI, 3);
        let [diagnostic] = &diagnostics[..] else { panic!("{diagnostics:?}") };
        let end = start + "rm -rf /srv/data".len() as u32;
        let range = json!({"start": {"line": 0, "character": start}, "end": {"line": 0, "character": end}});
        assert_eq!(diagnostic["range"], range);
        assert_eq!(diagnostic["severity"], 1);
        assert_eq!(diagnostic["code"], "rm-rf");
        assert_eq!(diagnostic["source"], "caveat");
        let data = diagnostic["data"].as_object().unwrap();
        assert_eq!((&data["rule"], &data["group"]), (&json!("rm-rf"), &json!("danger")));
        assert_eq!((&data["offset"], &data["length"]), (&json!(10), &json!(16)));
        assert_eq!(
            (&data["also"], &data["obfuscated"], &data["pointer"]),
            (&json!([]), &json!([]), &Value::Null)
        );
        assert!(data["pattern"].is_string());
        let fingerprint = data["fingerprint"].as_str().unwrap();
        assert!(fingerprint.len() == 32 && fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert!(!data.contains_key("lint_status"), "only notices are advisory");
        assert_eq!(client.shut_down(), 0);
    };
    check(json!(["utf-16"]), 8);
    check(json!(["utf-8", "utf-16"]), 10);
}

/// The hours to the year 3000 are more than any machine has been on.
#[test]
fn what_was_suppressed_comes_back_when_its_last_day_is_over() {
    let hours = 24 * 366 * 1000;
    let text = format!("<!-- caveat-allow rm-rf expires=2999-12-31 reason=\"x\" -->\n{GIVEN}");
    let text = text.replacen("# Clean up\n\n", "", 1);

    let mut client = Client::initialized(json!({}));
    client.open(URI, 1, &text);
    assert_eq!(codes(&client.pushed_at(URI, 1)), Vec::<&str>::new());
    client.notify("caveat/debug/later", json!([hours]));
    assert_eq!(codes(&client.pushed_at(URI, 1)), ["suppression-expired", "rm-rf"]);
    assert_eq!(client.shut_down(), 0);

    let mut client = Client::initialized(pulling());
    client.open(URI, 1, &text);
    let first = pull(&mut client, URI, None);
    assert_eq!(first["items"], json!([]));
    client.notify("caveat/debug/later", json!([hours]));
    let then = pull(&mut client, URI, first["resultId"].as_str());
    assert_eq!(codes(then["items"].as_array().unwrap()), ["suppression-expired", "rm-rf"]);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn typing_a_label_and_a_closing_fence() {
    let mut client = Client::initialized(json!({}));
    client.open(URI, 1, "\n```sh\nrm -rf /srv/data\n```\n");
    assert_eq!(codes(&client.pushed_at(URI, 1)), ["rm-rf"]);
    client.change(URI, 2, json!([insertion(0, 0, "Never run these commands:\n")]));
    assert_eq!(codes(&client.pushed_at(URI, 2)), Vec::<&str>::new());
    let fence = json!({"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 3}});
    client.change(URI, 3, json!([{"range": fence, "text": ""}]));
    let mut open = client.pushed_at(URI, 3);
    open.sort_by_key(|diagnostic| diagnostic["code"].as_str().unwrap().to_owned());
    assert_eq!(codes(&open), ["rm-rf", "unclosed-fence"]);
    client.change(URI, 4, json!([insertion(4, 0, "```")]));
    assert_eq!(codes(&client.pushed_at(URI, 4)), Vec::<&str>::new());
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn positions_that_moved_are_published_anew() {
    let mut client = Client::initialized(json!({}));
    client.open(URI, 1, GIVEN);
    assert_eq!(client.pushed_at(URI, 1)[0]["range"]["start"]["line"], 2);
    client.change(URI, 2, json!([insertion(0, 0, "\n")]));
    assert_eq!(client.pushed_at(URI, 2)[0]["range"]["start"]["line"], 3);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn a_client_that_pulls_is_never_pushed_to() {
    let mut client = Client::initialized(pulling());
    client.open(URI, 1, &format!("{GIVEN}\nAnd then.\n\nThe end.\n"));
    let first = pull(&mut client, URI, None);
    assert_eq!((&first["kind"], codes(first["items"].as_array().unwrap())), (&json!("full"), vec!["rm-rf"]));
    let id = first["resultId"].as_str().unwrap();
    assert_eq!(pull(&mut client, URI, Some(id)), json!({"kind": "unchanged", "resultId": id}));
    // An edit well below changes nothing that is shown; one above moves it.
    client.change(URI, 2, json!([insertion(6, 0, "Not yet.\n")]));
    assert_eq!(pull(&mut client, URI, Some(id))["kind"], "unchanged");
    client.change(URI, 3, json!([insertion(0, 0, "\n")]));
    let moved = pull(&mut client, URI, Some(id));
    assert_eq!((&moved["kind"], &moved["items"][0]["range"]["start"]["line"]), (&json!("full"), &json!(3)));
    client.change(URI, 4, json!([{"text": "Nothing.\n"}]));
    let empty = pull(&mut client, URI, moved["resultId"].as_str());
    assert_eq!((&empty["kind"], &empty["items"]), (&json!("full"), &json!([])));
    let empty_id = empty["resultId"].as_str().unwrap();
    assert_eq!(pull(&mut client, URI, Some(empty_id))["kind"], "unchanged");
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    assert_eq!(pull(&mut client, URI, None)["items"], json!([]));
    // That no diagnostics were pushed is what the end of the client asserts.
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn a_pull_right_behind_an_edit_is_of_the_newest_text() {
    let mut client = Client::initialized(pulling());
    client.open(URI, 1, "");
    for version in 2..60 {
        let text = if version % 2 == 0 { GIVEN } else { "Calm.\n" };
        client.change(URI, version, json!([{"text": text}]));
        let count = pull(&mut client, URI, None)["items"].as_array().unwrap().len();
        assert_eq!(count, usize::from(version % 2 == 0), "version {version}");
    }
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn a_lost_edit_shows_nothing_to_a_client_that_pulls_and_asks_it_to_pull() {
    let mut capabilities = pulling();
    capabilities["workspace"] = json!({"diagnostics": {"refreshSupport": true}});
    let mut client = Client::initialized(capabilities);
    client.open(URI, 1, GIVEN);
    assert_eq!(pull(&mut client, URI, None)["items"].as_array().unwrap().len(), 1);
    client.change(URI, 1, json!([insertion(0, 0, "x")]));
    client.call("window/showMessage");
    let request = client.call("workspace/diagnostic/refresh");
    client.answer(&request, Value::Null);
    assert_eq!(pull(&mut client, URI, None)["items"], json!([]));
    assert_eq!(client.shut_down(), 0);
}

#[cfg(debug_assertions)]
#[test]
fn a_pull_is_cancelled_while_it_waits_for_the_pool() {
    let mut client = Client::initialized(pulling());
    client.open(URI, 1, GIVEN);
    client.send(&json!({"jsonrpc": "2.0", "method": "caveat/debug/occupyPool"}));
    let id = client.request("textDocument/diagnostic", json!({"textDocument": {"uri": URI}}));
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(client.reply(&id)["error"]["code"], -32800);
    // Other requests do not wait for it.
    client.assert_text(URI, GIVEN);
    let id = client.request("textDocument/diagnostic", json!({"textDocument": {"uri": URI}}));
    client.send(&json!({"jsonrpc": "2.0", "method": "caveat/debug/releasePool"}));
    assert_eq!(client.reply(&id)["result"]["items"].as_array().unwrap().len(), 1);
    assert_eq!(client.shut_down(), 0);
}

/// A document whose findings are gathered on the pool.
#[cfg(debug_assertions)]
fn long() -> String {
    format!("{GIVEN}\n{}", "A line of ordinary prose, of which there are many.\n".repeat(8_000))
}

#[cfg(debug_assertions)]
#[test]
fn of_a_long_document_only_the_newest_is_shown() {
    let mut client = Client::initialized(json!({}));
    client.open(URI, 1, &long());
    assert_eq!(client.pushed_at(URI, 1).len(), 1);
    client.send(&json!({"jsonrpc": "2.0", "method": "caveat/debug/occupyPool"}));
    let mut text = long();
    for version in 2..20 {
        client.change(URI, version, json!([insertion(0, 0, "\n")]));
        text.insert(0, '\n');
        // The loop goes on meanwhile.
        client.assert_text(URI, &text);
    }
    client.send(&json!({"jsonrpc": "2.0", "method": "caveat/debug/releasePool"}));
    // What was asked for when the pool was released may not be the last edit yet; then that follows.
    let mut shown = Vec::new();
    let newest = loop {
        let set = client.pushed(URI);
        shown.push(set["version"].as_i64().unwrap());
        if shown.last() == Some(&19) {
            break set;
        }
    };
    assert!(shown.is_sorted() && shown.len() < 6, "what is out of date is dropped: {shown:?}");
    assert_eq!(newest["diagnostics"][0]["range"]["start"]["line"], json!(20));
    assert_eq!(client.shut_down(), 0);
}

#[cfg(debug_assertions)]
#[test]
fn nothing_of_a_long_document_comes_after_it_was_closed_or_lost() {
    let mut client = Client::initialized(json!({}));
    let occupied = |client: &mut Client, occupied: bool| {
        let method = if occupied { "caveat/debug/occupyPool" } else { "caveat/debug/releasePool" };
        client.send(&json!({"jsonrpc": "2.0", "method": method}));
    };
    client.open(URI, 1, &long());
    assert_eq!(client.pushed_at(URI, 1).len(), 1);
    occupied(&mut client, true);
    client.change(URI, 2, json!([insertion(0, 0, "\n")]));
    client.assert_text(URI, &format!("\n{}", long()));
    client.change(URI, 2, json!([insertion(0, 0, "\n")]));
    assert_eq!(client.pushed(URI)["diagnostics"], json!([]));
    client.call("window/showMessage");
    occupied(&mut client, false);
    client.open(URI, 1, &long());
    assert_eq!(client.pushed_at(URI, 1).len(), 1);
    occupied(&mut client, true);
    client.change(URI, 2, json!([insertion(0, 0, "\n")]));
    client.assert_text(URI, &format!("\n{}", long()));
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    assert_eq!(client.pushed(URI)["diagnostics"], json!([]));
    occupied(&mut client, false);
    client.open(URI, 1, "Calm.\n");
    assert_eq!(client.pushed_at(URI, 1), Vec::<Value>::new());
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn parameters_of_a_pull_that_do_not_decode() {
    let mut client = Client::initialized(pulling());
    assert_eq!(client.refused("textDocument/diagnostic", json!({})).0, -32602);
    // Neovim adds a range and leaves the identifier out.
    let params = json!({"textDocument": {"uri": URI}, "range": {"start": {"line": 0, "character": 0},
        "end": {"line": 0, "character": 0}}});
    assert_eq!(client.ask("textDocument/diagnostic", params)["items"], json!([]));
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn what_refers_to_a_label_points_to_it() {
    let text = "## Never run these commands:\n\n```sh\nrm -rf /srv/data\n```\n";
    let check = |supported: bool| {
        let mut client = Client::initialized(
            json!({"textDocument": {"publishDiagnostics": {"relatedInformation": supported}}}),
        );
        client.open(URI, 1, text);
        let diagnostics = client.pushed_at(URI, 1);
        let [finding] = &diagnostics[..] else { panic!("{diagnostics:?}") };
        assert_eq!(client.shut_down(), 0);
        finding.get("relatedInformation").cloned()
    };
    assert_eq!(check(false), None);
    if let Some(related) = check(true) {
        assert_eq!(related[0]["location"]["uri"], URI);
        assert_eq!(related[0]["location"]["range"]["start"]["line"], 0);
    }
}

#[test]
fn what_is_pointed_to_is_called_what_it_is() {
    for (text, message) in [
        ("## Never run these commands:\n\n- `CMD`\n", "This label has no force here."),
        ("## What gets blocked\n\n- `CMD`\n", "This says that it is shown, not given."),
        ("Do not try `CMD`.\n", "This sentence does not forbid it."),
    ] {
        let mut client = Client::initialized(
            json!({"textDocument": {"publishDiagnostics": {"relatedInformation": true}}}),
        );
        client.open(URI, 1, &text.replace("CMD", "rm -rf /srv/data"));
        let diagnostics = client.pushed_at(URI, 1);
        assert_eq!(diagnostics[0]["relatedInformation"][0]["message"], message, "{text}");
        assert_eq!(client.shut_down(), 0);
    }
}

#[test]
fn exempt_findings_are_hints_where_wanted() {
    let shown = |diagnostics: Vec<Value>| {
        diagnostics
            .iter()
            .map(|diagnostic| {
                (diagnostic["code"].as_str().unwrap().to_owned(), diagnostic["severity"].as_i64())
            })
            .collect::<Vec<_>>()
    };
    let hint = vec![("rm-rf".to_owned(), Some(4))];
    for options in [json!({"showExempt": true}), json!({"caveat": {"showExempt": true}})] {
        let mut client = Client::start(&[]);
        let related = json!({"textDocument": {"publishDiagnostics": {"relatedInformation": true}}});
        client.initialize(json!({"capabilities": related, "initializationOptions": options}));
        client.open(URI, 1, FORBIDDEN);
        let diagnostics = client.pushed_at(URI, 1);
        let label = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 25}});
        assert_eq!(diagnostics[0]["relatedInformation"][0]["location"], json!({"uri": URI, "range": label}));
        assert_eq!(shown(diagnostics), hint);
        client.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": {"caveat": {"showExempt": false}}}),
        );
        assert_eq!(client.pushed_at(URI, 1), Vec::<Value>::new());
        assert_eq!(client.shut_down(), 0);
    }
    // The same by asking the client.
    let mut client = Client::initialized(json!({"workspace": {"configuration": true}}));
    let request = client.call("workspace/configuration");
    assert_eq!(request["params"], json!({"items": [{"section": "caveat"}]}));
    client.open(URI, 1, FORBIDDEN);
    assert_eq!(client.pushed_at(URI, 1), Vec::<Value>::new());
    client.answer(&request, json!([{"showExempt": true}]));
    assert_eq!(shown(client.pushed_at(URI, 1)), hint);
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    let request = client.call("workspace/configuration");
    client.answer(&request, json!([null]));
    assert_eq!(client.pushed_at(URI, 1), Vec::<Value>::new());
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn a_client_that_answers_with_an_error_or_with_something_else_changes_nothing() {
    let mut client = Client::initialized(json!({"workspace": {"configuration": true}}));
    let request = client.call("workspace/configuration");
    client.send(&json!({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "no"}}));
    client.send(&json!({"jsonrpc": "2.0", "id": "never asked", "result": 1}));
    client.notify("workspace/didChangeConfiguration", json!({"settings": {}}));
    let request = client.call("workspace/configuration");
    client.answer(&request, json!("what?"));
    client.open(URI, 1, GIVEN);
    assert_eq!(client.pushed_at(URI, 1).len(), 1);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn a_setting_of_the_wrong_kind_is_said() {
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": {}, "initializationOptions": {"showExempt": "kumquat"}}));
    let message = client.call("window/showMessage")["params"]["message"].clone();
    assert_eq!(message, "caveat.showExempt is true or false.");
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn over_the_cap_errors_stay_and_the_rest_is_counted() {
    let warnings = "- `chmod 777 /srv`\n".repeat(4);
    let errors = "- `rm -rf /srv`\n".repeat(2);
    let mut client = Client::start(&[]);
    client.initialize(json!({"capabilities": {}, "initializationOptions": {"maxDiagnostics": 3}}));
    client.open(URI, 1, &format!("{warnings}{errors}"));
    let diagnostics = client.pushed_at(URI, 1);
    assert_eq!(codes(&diagnostics), ["chmod-777", "rm-rf", "rm-rf", "-"]);
    let lines: Vec<_> = diagnostics.iter().map(|diagnostic| &diagnostic["range"]["start"]["line"]).collect();
    assert_eq!(lines, [0, 4, 5, 0]);
    assert_eq!(diagnostics[3]["message"], "3 more findings in this document are not shown.");
    assert_eq!(diagnostics[3]["severity"], 2);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn a_thousand_are_shown_where_nothing_else_is_set() {
    let mut client = Client::initialized(json!({}));
    client.open(URI, 1, &"- `rm -rf /srv`\n".repeat(1_234));
    let diagnostics = client.pushed_at(URI, 1);
    assert_eq!(diagnostics.len(), 1_001);
    assert_eq!(diagnostics[1_000]["message"], "234 more findings in this document are not shown.");
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn roles_decide_what_is_reported() {
    let mut client = Client::initialized(json!({}));
    let check = |client: &mut Client, uri: &str, count: usize| {
        client.open(uri, 1, GIVEN);
        assert_eq!(client.pushed_at(uri, 1).len(), count, "{uri}");
    };
    check(&mut client, "file:///w/AGENTS.md", 1);
    check(&mut client, "file:///w/deep/er/CLAUDE.md", 1);
    check(&mut client, "file:///w/README.md", 0);
    check(&mut client, "untitled:Untitled-1", 1);
    check(&mut client, "vscode-vfs://github/owner/repo/AGENTS.md", 1);
    check(&mut client, "git:/w/README.md?%7B%7D", 0);
    assert_eq!(client.shut_down(), 0);
}
