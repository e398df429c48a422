//! Text in step with the client's, edit by edit, and what happens when it is not.

use serde_json::{Value, json};

use crate::client::{Client, insertion};

const URI: &str = "file:///w/AGENTS.md";

fn replacement(from: (u32, u32), to: (u32, u32), text: &str) -> Value {
    let at = |(line, character)| json!({"line": line, "character": character});
    json!({"range": {"start": at(from), "end": at(to)}, "text": text})
}

#[cfg(debug_assertions)]
#[test]
fn edits_by_utf_16_and_by_utf_8() {
    let check = |encodings: Value, column: u32| {
        let mut client = Client::initialized(json!({"general": {"positionEncodings": encodings}}));
        client.open(URI, 1, "🚀é run\r\nnext");
        client.change(URI, 2, json!([replacement((0, column), (0, column + 4), " go")]));
        client.assert_text(URI, "🚀é go\r\nnext");
        // Past the end of a line is before its end of line; past the last line is the end.
        client.change(URI, 3, json!([insertion(0, 9_999, "!"), insertion(9_999, 0, ".")]));
        client.assert_text(URI, "🚀é go!\r\nnext.");
        // A range the wrong way round is its mirror image.
        client.change(URI, 4, json!([replacement((1, 4), (1, 0), "last")]));
        client.assert_text(URI, "🚀é go!\r\nlast.");
        client.change(URI, 5, json!([{"text": "all new"}]));
        client.assert_text(URI, "all new");
        client.pushed_at(URI, 5);
        assert_eq!(client.shut_down(), 0);
    };
    check(json!(["utf-16"]), 3);
    check(json!(["utf-8"]), 6);
}

#[cfg(debug_assertions)]
#[test]
fn half_of_a_surrogate_pair_keeps_positions() {
    let mut client = Client::initialized(json!({}));
    client.open(URI, 1, "ab");
    let body = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{URI}","version":2}},
        "contentChanges":[{{"range":{{"start":{{"line":0,"character":1}},"end":{{"line":0,"character":1}}}},
        "text":"\ud83d"}}]}}}}"#
    );
    client.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    client.assert_text(URI, "a\u{fffd}b");
    client.change(URI, 3, json!([insertion(0, 2, "-")]));
    client.assert_text(URI, "a\u{fffd}-b");
    client.pushed_at(URI, 3);
    assert_eq!(client.shut_down(), 0);
}

/// What loses an edit, each as the bytes of a body.
fn losses() -> Vec<String> {
    let change = |document: Value, changes: Value| {
        json!({"jsonrpc": "2.0", "method": "textDocument/didChange",
            "params": {"textDocument": document, "contentChanges": changes}})
        .to_string()
    };
    let good = json!([insertion(0, 0, "x")]);
    vec![
        change(json!({"uri": URI, "version": 2}), json!([{"range": {"start": {"line": 0}}, "text": "x"}])),
        change(json!({"uri": URI, "version": 2}), json!([{"range": null}])),
        change(json!({"uri": URI, "version": 2}), json!("x")),
        change(json!({"uri": URI}), good.clone()),
        change(json!({"uri": URI, "version": 1}), good.clone()),
        change(json!({"uri": URI, "version": 0}), good.clone()),
        change(json!({"uri": URI, "version": 1}), json!([{"text": "whole, but when?"}])),
        json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": [URI]}).to_string(),
        json!({"jsonrpc": "2.0", "method": "textDocument/didChange"}).to_string(),
    ]
}

#[cfg(debug_assertions)]
#[test]
fn a_lost_edit_is_said_once_and_healed_by_a_whole_text_by_saving_or_by_reopening() {
    for loss in losses() {
        for healing in ["whole text", "saving", "reopening"] {
            let mut client = Client::initialized(json!({}));
            client.open(URI, 1, "one");
            client.pushed_at(URI, 1);
            client.send_bytes(format!("Content-Length: {}\r\n\r\n{loss}", loss.len()).as_bytes());
            let said = client.call("window/showMessage");
            assert_eq!(said["params"]["type"], 2, "{loss}");
            assert_eq!(client.pushed(URI)["diagnostics"], json!([]), "{loss}");
            assert_eq!(client.ask("caveat/debug/digest", json!({"uri": URI})), Value::Null, "{loss}");
            // Edits to a text in doubt change nothing and say nothing.
            client.change(URI, 7, json!([insertion(0, 0, "x")]));
            assert_eq!(client.ask("caveat/debug/digest", json!({"uri": URI})), Value::Null);
            assert_eq!(client.pushed(URI)["diagnostics"], json!([]), "{loss}");
            match healing {
                "reopening" => client.open(URI, 1, "two"),
                "saving" => client
                    .notify("textDocument/didSave", json!({"textDocument": {"uri": URI}, "text": "two"})),
                _ => client.change(
                    URI,
                    8,
                    json!([insertion(0, 0, "lost"), {"text": "tw"}, insertion(0, 2, "o")]),
                ),
            }
            client.assert_text(URI, "two");
            client.change(URI, 9, json!([insertion(0, 3, "!")]));
            client.assert_text(URI, "two!");
            client.pushed_at(URI, 9);
            assert_eq!(client.shut_down(), 0);
        }
    }
}

#[cfg(debug_assertions)]
#[test]
fn a_frame_that_cannot_be_read_may_have_been_an_edit() {
    let bad: [&[u8]; 2] = [
        br#"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///w/AGENTS.md","#,
        br#"[{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri" : "file:///w/AGENTS.md"}}}]"#,
    ];
    for body in bad {
        let mut client = Client::initialized(json!({}));
        client.open(URI, 1, "one");
        client.open("file:///w/other.md", 1, "other");
        client.pushed_at(URI, 1);
        client.pushed_at("file:///w/other.md", 1);
        client.send_bytes(&[format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat());
        client.reply(&Value::Null);
        client.call("window/showMessage");
        client.pushed(URI);
        assert_eq!(client.ask("caveat/debug/digest", json!({"uri": URI})), Value::Null);
        client.assert_text("file:///w/other.md", "other");
        assert_eq!(client.shut_down(), 0);
    }
}

#[cfg(debug_assertions)]
#[test]
fn one_document_under_many_spellings() {
    let mut client = Client::initialized(json!({}));
    let spellings = ["file:///C%3A/a%20b/x%23y.md", "file:///c:/a%20b/x%23y.md", "file:///C:/a%20b/x#y.md"];
    client.open(spellings[0], 1, "one");
    client.pushed_at(spellings[0], 1);
    for (n, spelling) in spellings.iter().enumerate() {
        client.change(spelling, n as i64 + 2, json!([insertion(0, 0, "-")]));
        client.pushed_at(spellings[0], n as i64 + 2);
    }
    client.assert_text(spellings[2], "---one");
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": spellings[1]}}));
    assert_eq!(client.pushed(spellings[0])["diagnostics"], json!([]));
    assert_eq!(client.ask("caveat/debug/digest", json!({"uri": spellings[0]})), Value::Null);
    client.open("untitled:Untitled-1", 1, "draft");
    client.assert_text("untitled:Untitled-1", "draft");
    client.pushed_at("untitled:Untitled-1", 1);
    assert_eq!(client.shut_down(), 0);
}

#[cfg(debug_assertions)]
#[test]
fn analysis_that_fails_begins_afresh_and_is_given_up_the_second_time() {
    let mut client = Client::initialized(json!({}));
    client.open(URI, 1, "one");
    client.pushed_at(URI, 1);
    client.notify("caveat/debug/failReading", json!([1]));
    client.change(URI, 2, json!([insertion(0, 3, " two")]));
    assert_eq!(client.pushed_at(URI, 2), Vec::<Value>::new());
    client.error_line();
    client.notify("caveat/debug/failReading", json!([1]));
    client.change(URI, 3, json!([insertion(0, 7, " three")]));
    let diagnostics = client.pushed_at(URI, 3);
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0]["code"], "scan-skipped");
    client.error_line();
    let said = client.call("window/showMessage")["params"]["message"].to_string();
    assert!(said.contains("failed twice on AGENTS.md"), "{said}");
    // The text goes on, and nothing more is said.
    client.change(URI, 4, json!([insertion(0, 0, "zero ")]));
    assert_eq!(client.pushed_at(URI, 4)[0]["message"], diagnostics[0]["message"]);
    client.assert_text(URI, "zero one two three");
    client.open(URI, 5, "again");
    assert_eq!(client.pushed_at(URI, 5), Vec::<Value>::new());
    assert_eq!(client.shut_down(), 0);
}

/// Judging fails on the pool, behind the loop: what is not known is said, also to a client that pulls, and twice is enough.
#[cfg(debug_assertions)]
#[test]
fn judging_that_fails_is_never_clean() {
    let able =
        json!({"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": true}}});
    let mut client = Client::initialized(able);
    client.open(URI, 1, "one");
    let pull = |client: &mut Client| -> Vec<Value> {
        let report = client.ask("textDocument/diagnostic", json!({"textDocument": {"uri": URI}}));
        report["items"].as_array().unwrap().iter().map(|item| item["code"].clone()).collect()
    };
    for _ in 0..2 {
        client.notify("caveat/debug/failJudging", json!([1]));
        assert_eq!(pull(&mut client), ["scan-skipped"]);
        let again = client.call("workspace/diagnostic/refresh");
        client.answer(&again, Value::Null);
    }
    let said = client.call("window/showMessage")["params"]["message"].to_string();
    assert!(said.contains("failed twice on AGENTS.md"), "{said}");
    assert_eq!(pull(&mut client), ["scan-skipped"], "given up");
    client.open(URI, 2, "again");
    assert_eq!(pull(&mut client), Vec::<Value>::new());
    assert_eq!(client.shut_down(), 0);

    // A long one, which is gathered beside the loop, to a client that is pushed to.
    let mut client = Client::initialized(json!({}));
    client.notify("caveat/debug/failJudging", json!([2]));
    client.open(URI, 1, &"word \n".repeat(60_000));
    client.call("window/showMessage");
    let told = client.pushed_at(URI, 1);
    assert_eq!((told.len(), &told[0]["code"]), (1, &json!("scan-skipped")));
    client.notify("caveat/debug/failJudging", json!([0]));
    client.change(URI, 2, json!([insertion(0, 0, "x")]));
    assert_eq!(client.pushed_at(URI, 2)[0]["code"], "scan-skipped", "given up");
    assert_eq!(client.shut_down(), 0);
}

#[cfg(debug_assertions)]
#[test]
fn a_document_over_the_limit_keeps_syncing_and_is_read_again_when_it_shrinks() {
    let mut client = Client::initialized(json!({}));
    let line = format!("{}\n", "x".repeat(127));
    let text = line.repeat((2 << 20) / line.len());
    client.open(URI, 1, &text);
    assert_eq!(client.pushed_at(URI, 1), Vec::<Value>::new());
    client.change(URI, 2, json!([insertion(0, 0, "y")]));
    let diagnostics = client.pushed_at(URI, 2);
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0]["code"], "scan-skipped");
    assert_eq!(diagnostics[0]["severity"], 2);
    assert_eq!(diagnostics[0]["range"]["start"], json!({"line": 0, "character": 0}));
    assert_eq!(diagnostics[0]["data"]["lint_status"], "advisory");
    assert_eq!(diagnostics[0]["data"]["code"], "INJECTION_SCAN_SKIPPED");
    client.change(URI, 3, json!([insertion(0, 1, "z")]));
    assert_eq!(client.pushed_at(URI, 3).len(), 1);
    client.assert_text(URI, &format!("yz{text}"));
    client.change(URI, 4, json!([replacement((0, 0), (0, 2), "")]));
    assert_eq!(client.pushed_at(URI, 4), Vec::<Value>::new());
    client.assert_text(URI, &text);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn closing_and_deleting_clear() {
    let mut client = Client::initialized(json!({}));
    client.open(URI, 1, "one");
    client.pushed_at(URI, 1);
    client.notify("workspace/didDeleteFiles", json!({"files": [{"uri": "file:///w"}]}));
    assert_eq!(client.pushed(URI)["diagnostics"], json!([]));
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": URI, "type": 1}]}));
    client.pushed_at(URI, 1);
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": URI, "type": 3}]}));
    assert_eq!(client.pushed(URI)["diagnostics"], json!([]));
    client.change(URI, 2, json!([insertion(0, 0, "x")]));
    client.pushed_at(URI, 2);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    let cleared = client.pushed(URI);
    assert_eq!((&cleared["diagnostics"], cleared.get("version")), (&json!([]), None));
    // Nothing is open any more: closing again says nothing.
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    assert_eq!(client.shut_down(), 0);
}

/// As a Helix of 25.01 does it while somebody types fast.
#[cfg(debug_assertions)]
#[test]
fn edits_in_the_wrong_order_are_healed_by_saving() {
    let mut client = Client::initialized(json!({}));
    client.open(URI, 0, "");
    for (version, column) in [(1, 0), (4, 3), (2, 1), (3, 2)] {
        client.change(URI, version, json!([insertion(0, column, "x")]));
    }
    client.call("window/showMessage");
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": URI}, "text": "xxxx"}));
    client.assert_text(URI, "xxxx");
    client.change(URI, 5, json!([insertion(0, 4, "!")]));
    client.assert_text(URI, "xxxx!");
    client.pushed_at(URI, 5);
    assert_eq!(client.shut_down(), 0);
}
