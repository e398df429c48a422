//! Frames: whatever comes, the server says what was wrong and goes on; nothing is lost, passed or kept for ever.

use serde_json::{Value, json};

use crate::client::{Client, changed, error_of, framed, insertion, notification, opened};

const URI: &str = "file:///w/AGENTS.md";

/// The session lives: a request is answered and the end is orderly.
#[track_caller]
fn assert_alive(client: &mut Client) {
    assert_eq!(client.ask("textDocument/hover", hover("file:///w/nowhere.md", 0, 0)), Value::Null);
    assert_eq!(client.shut_down(), 0);
}

fn hover(uri: &str, line: usize, character: usize) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

#[test]
fn initialize_and_open_in_one_write() {
    let mut client = Client::start(&["--stdio"]);
    let id = client.register("initialize");
    let mut bytes = framed(&json!({"jsonrpc": "2.0", "id": id, "method": "initialize",
        "params": {"processId": null, "rootUri": null, "capabilities": {}}}));
    bytes.extend(framed(&notification("initialized", json!({}))));
    bytes.extend(framed(&notification("textDocument/didOpen", opened(URI, 1, "one\n"))));
    bytes.extend(framed(&notification(
        "textDocument/didChange",
        changed(URI, 2, json!([insertion(0, 3, " two")])),
    )));
    client.send_bytes(&bytes);
    client.reply(&id);
    client.assert_text(URI, "one two\n");
    client.pushed_at(URI, 2);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn a_bad_frame_is_answered_and_the_next_is_read() {
    let check = |bytes: &[u8], code: i64| {
        let mut client = Client::initialized(json!({}));
        client.send_bytes(bytes);
        let reply = client.reply(&Value::Null);
        assert_eq!(error_of(&reply).0, code, "{reply}");
        assert_alive(&mut client);
    };
    let body = |body: &[u8]| [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat();
    check(&body(b"{"), -32700);
    check(&body(b""), -32700);
    check(&body(b"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}"), -32700);
    check(&body("[".repeat(100_000).as_bytes()), -32700);
    check(&body(b"{\"jsonrpc\":\"2.0\",\"method\":\"initialized\",\"params\":{}} x"), -32700);
    check(&body(b"[{\"jsonrpc\":\"2.0\",\"method\":\"initialized\",\"params\":{}}]"), -32600);
    check(&body(b"[]"), -32600);
    check(&body(b"17"), -32600);
    check(&body(b"{}"), -32600);
    check(&body(b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":5}"), -32600);
    check(&body(b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"textDocument/hover\"}"), -32600);
    check(b"Content-Length: many\r\n\r\n{}", -32700);
    check(b"Content-Length: -1\r\n\r\n", -32700);
    check(b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}", -32700);
    check(b"good morning\r\n", -32700);
}

#[test]
fn a_frame_over_the_cap_is_passed_over() {
    let mut client = Client::initialized(json!({}));
    let length = (64 << 20) + 1;
    client.send_bytes(format!("Content-Length: {length}\r\n\r\n").as_bytes());
    client.send_bytes(&vec![b' '; length]);
    assert_eq!(error_of(&client.reply(&Value::Null)).0, -32600);
    assert_alive(&mut client);
}

#[test]
fn headers_in_any_case_and_with_others_beside_them() {
    let mut client = Client::initialized(json!({}));
    for header in ["content-length", "CONTENT-LENGTH", "Content-Type: a/b\r\nContent-length"] {
        let id = client.register("textDocument/hover");
        let body =
            json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": hover(URI, 0, 0)});
        let body = body.to_string();
        client.send_bytes(format!("{header}:{}\r\n\r\n{body}", body.len()).as_bytes());
        assert_eq!(client.reply(&id)["result"], Value::Null);
    }
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn unknown_methods() {
    let mut client = Client::initialized(json!({}));
    assert_eq!(client.refused("textDocument/definition", hover(URI, 0, 0)).0, -32601);
    assert_eq!(client.refused("made/up", json!([])).0, -32601);
    assert_eq!(client.refused("$/made/up", json!({})).0, -32601);
    client.notify("made/up", json!({}));
    client.notify("$/setTrace", json!({"value": "off"}));
    assert_alive(&mut client);
}

#[test]
fn errors_are_in_our_own_words() {
    let mut client = Client::initialized(json!({}));
    let (code, message) = client.refused("textDocument/hover", json!({"textDocument": "kumquat"}));
    assert_eq!((code, message.as_str()), (-32602, "the parameters do not decode"));
    assert!(!String::from_utf8(client.written()).unwrap().contains("kumquat"));
    assert_alive(&mut client);
}

#[cfg(debug_assertions)]
#[test]
fn a_panic_in_a_handler_is_answered_and_says_where_but_not_what() {
    let mut client = Client::initialized(json!({}));
    for method in ["caveat/debug/panic", "caveat/debug/panicLater"] {
        assert_eq!(client.refused(method, json!({"secret": "kumquat"})).0, -32603);
        let line = client.error_line();
        assert!(line.starts_with("caveat: panic at ") && line.contains("backend.rs:"), "{line}");
    }
    client.notify("caveat/debug/panicQuietly", json!({"secret": "kumquat"}));
    client.error_line();
    assert!(!String::from_utf8(client.written()).unwrap().contains("kumquat"));
    assert_alive(&mut client);
}

#[cfg(debug_assertions)]
#[test]
fn a_request_is_cancelled() {
    let mut client = Client::initialized(json!({}));
    let id = client.register("caveat/debug/never");
    client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "caveat/debug/never"}));
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(error_of(&client.reply(&id)).0, -32800);
    client.notify("$/cancelRequest", json!({"id": "nothing of ours"}));
    assert_alive(&mut client);
}

#[cfg(debug_assertions)]
#[test]
fn twenty_thousand_edits_in_order() {
    let mut client = Client::initialized(json!({}));
    client.open(URI, 0, "");
    let mut bytes = Vec::new();
    let mut text = String::new();
    for version in 1..=20_000_usize {
        let letter = char::from(b'a' + (version % 26) as u8).to_string();
        bytes.extend(framed(&notification(
            "textDocument/didChange",
            changed(URI, version as i64, json!([insertion(0, version - 1, &letter)])),
        )));
        text.push_str(&letter);
    }
    client.send_bytes(&bytes);
    client.assert_text(URI, &text);
    client.pushed_at(URI, 20_000);
    assert_eq!(client.shut_down(), 0);
}

/// A client that does not read must not make the server keep what is no longer true.
#[cfg(debug_assertions)]
#[test]
fn newest_diagnostics_replace_those_that_were_not_read() {
    let mut client = Client::start_without_reading(&[]);
    let initialize = client.register("initialize");
    client.send(&json!({"jsonrpc": "2.0", "id": initialize, "method": "initialize",
        "params": {"processId": null, "rootUri": null, "capabilities": {}}}));
    client.notify("initialized", json!({}));
    // More than a pipe holds.
    let filler: Vec<Value> = (0..3).map(|n| json!(format!("{n}{}", "x".repeat(1 << 20)))).collect();
    for id in &filler {
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "made/up"}));
    }
    client.open(URI, 0, "");
    for version in 1..=50 {
        client.change(URI, version, json!([insertion(0, 0, "x")]));
        // Its line on standard error says that everything before it was dealt with.
        client.notify("caveat/debug/panicQuietly", json!({}));
        client.error_line();
    }
    client.read();
    client.reply(&initialize);
    for id in &filler {
        assert_eq!(error_of(&client.reply(id)).0, -32601);
    }
    let first = client.pushed(URI)["version"].as_i64().unwrap();
    assert!(first >= 49, "version {first} was out of date and should not have been sent");
    if first == 49 {
        client.pushed_at(URI, 50);
    }
    assert_eq!(client.shut_down(), 0);
}

/// A client that sends and does not read is no longer read either; when it reads, everything is there.
#[test]
fn reading_stops_while_too_much_is_unread() {
    use std::io::Write;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const MESSAGES: usize = 250;
    let mut client = Client::start_without_reading(&[]);
    let mut input = client.take_input();
    let sent = Arc::new(AtomicUsize::new(0));
    let writer = std::thread::spawn({
        let sent = Arc::clone(&sent);
        move || {
            for n in 0..MESSAGES {
                let id = format!("{n} {}", "x".repeat(1 << 20));
                let message = json!({"jsonrpc": "2.0", "id": id, "method": "made/up"});
                input.write_all(&framed(&message)).unwrap();
                sent.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    // Until nothing moves any more. On a machine that is busy with other things it may take a while to come so far.
    let mut before = usize::MAX;
    for _ in 0..60 {
        let now = sent.load(Ordering::SeqCst);
        if (now == before && now >= 64) || now == MESSAGES {
            break;
        }
        before = now;
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
    let taken = sent.load(Ordering::SeqCst);
    assert!((64..200).contains(&taken), "the server took {taken} MiB while nothing was read");
    client.read();
    for n in 0..MESSAGES {
        let id = json!(format!("{n} {}", "x".repeat(1 << 20)));
        assert_eq!(error_of(&client.reply(&id)).0, -32601);
    }
    writer.join().unwrap();
    assert_eq!(client.status(), 1, "the input ended without shutdown");
}

#[test]
fn replies_in_flight_are_written_before_the_end() {
    let mut client = Client::initialized(json!({}));
    let ids: Vec<Value> = (0..200).map(|_| client.register("textDocument/hover")).collect();
    let mut bytes = Vec::new();
    for id in &ids {
        bytes.extend(framed(&json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/hover",
            "params": hover(URI, 0, 0)})));
    }
    let shutdown = client.register("shutdown");
    bytes.extend(framed(&json!({"jsonrpc": "2.0", "id": shutdown, "method": "shutdown"})));
    bytes.extend(framed(&json!({"jsonrpc": "2.0", "method": "exit"})));
    client.send_bytes(&bytes);
    for id in &ids {
        assert_eq!(client.reply(id)["result"], Value::Null);
    }
    client.reply(&shutdown);
    assert_eq!(client.status(), 0);
}
