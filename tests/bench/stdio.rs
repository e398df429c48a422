//! From `didChange` to the diagnostics that follow from it, over real stdio, on documents of 20 kB and 2 MB: what an
//! editor waits for. Prints p50 and p99; asserts nothing.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const URI: &str = "file:///w/AGENTS.md";

/// A document of about `bytes` bytes in which most lines are ordinary and one in a hundred is a finding.
fn document(bytes: usize) -> String {
    let mut text = String::new();
    let mut section = 0;
    while text.len() < bytes {
        section += 1;
        text.push_str(&format!(
            "## Section {section}\n\nRead the notes first, then go on with the next step.\n\n"
        ));
        for step in 0..12 {
            text.push_str(&format!("- step {step}: run `make check` and look at what it says\n"));
        }
        text.push_str("\n```sh\ncargo build --workspace\ngit status\nls -la target\n```\n\n");
        if section % 4 == 0 {
            text.push_str(
                "Never run these commands:\n\n```sh\nrm -rf /srv/data\n```\n\n- `git push --force`\n\n",
            );
        }
    }
    text
}

fn send(input: &mut impl Write, message: &Value) {
    let body = message.to_string();
    write!(input, "Content-Length: {}\r\n\r\n{body}", body.len())
        .and_then(|()| input.flush())
        .expect("the server reads");
}

fn receive(output: &mut impl BufRead) -> Vec<u8> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        assert!(output.read_line(&mut line).expect("the server writes") > 0, "the server is gone");
        match line.trim_end().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().expect("a length"),
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).expect("a whole frame");
    body
}

/// The version to which the pushed diagnostics `body` belong.
fn version(body: &[u8]) -> Option<i64> {
    serde_json::from_slice::<Value>(body).ok()?.pointer("/params/version")?.as_i64()
}

fn measure(bytes: usize, edits: usize) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_caveat"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut input = server.stdin.take().expect("it is piped");
    let mut output = BufReader::with_capacity(1 << 20, server.stdout.take().expect("it is piped"));
    send(
        &mut input,
        &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {"processId": null, "rootUri": null, "capabilities": {}}}),
    );
    receive(&mut output);
    send(&mut input, &json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}));
    let text = document(bytes);
    let lines = text.lines().count();
    let opened = Instant::now();
    send(
        &mut input,
        &json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params":
        {"textDocument": {"uri": URI, "languageId": "markdown", "version": 0, "text": text}}}),
    );
    let body = receive(&mut output);
    let (opened, size) = (opened.elapsed(), body.len());
    let mut times: Vec<Duration> = (1..=edits)
        .map(|edit| {
            let at = json!({"line": (edit * 7_919) % lines, "character": 0});
            let change = json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params":
                {"textDocument": {"uri": URI, "version": edit},
                 "contentChanges": [{"range": {"start": at, "end": at}, "text": "x"}]}});
            let begun = Instant::now();
            send(&mut input, &change);
            let mut body = receive(&mut output);
            let time = begun.elapsed();
            while version(&body) != Some(edit as i64) {
                body = receive(&mut output);
            }
            time
        })
        .collect();
    send(&mut input, &json!({"jsonrpc": "2.0", "id": 1, "method": "shutdown"}));
    receive(&mut output);
    send(&mut input, &json!({"jsonrpc": "2.0", "method": "exit"}));
    let _ = server.wait();
    times.sort();
    let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    let _ = writeln!(
        io::stdout(),
        "{:>9} bytes, {lines} lines: open {opened:.1?} ({size} bytes of diagnostics); change to diagnostics p50 {:.2?}, \
         p99 {:.2?}, of {edits}",
        text.len(),
        at(50),
        at(99),
    );
}

fn main() {
    measure(20_000, 2_000);
    measure(2_000_000, 1_000);
}
