//! A client that talks to the real binary over its standard streams and lets nothing pass unseen.
//!
//! Every message that comes in is decoded by types that were made from the protocol's own model and written again; the
//! result must be what came. When the client is dropped, every message must have been looked at by the test.

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gen_lsp_types as lsp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// After how long a test gives up on a message. Never a measure of speed.
const PATIENCE: Duration = Duration::from_secs(60);

/// The binary at work, and the conversation with it.
pub(crate) struct Client {
    server: Child,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    incoming: Receiver<Value>,
    sender: Option<Sender<Value>>,
    /// Messages that came while the test waited for another one.
    waiting: VecDeque<Value>,
    /// Requests of ours that are not answered yet: id to method.
    asked: HashMap<String, String>,
    next_id: i64,
    /// Every byte that the server wrote, on both streams.
    written: Arc<Mutex<Vec<u8>>>,
    errors: Receiver<String>,
}

impl Client {
    /// The server, started with `arguments` after `lsp`; nothing is said yet, and its output is being read.
    pub(crate) fn start(arguments: &[&str]) -> Client {
        let mut client = Client::start_without_reading(arguments);
        client.read();
        client
    }

    /// The server, with a fault in the analysis of closed files that are called `name`.
    #[cfg(debug_assertions)]
    pub(crate) fn start_failing_on(name: &str) -> Client {
        let mut client = Client::start_with(&[], &[("CAVEAT_DEBUG_FAIL_ON", name)]);
        client.read();
        client
    }

    /// The server, whose output is not read until [`read`](Client::read).
    pub(crate) fn start_without_reading(arguments: &[&str]) -> Client {
        Client::start_with(arguments, &[])
    }

    fn start_with(arguments: &[&str], environment: &[(&str, &str)]) -> Client {
        let mut server = Command::new(env!("CARGO_BIN_EXE_caveat"))
            .arg("lsp")
            .args(arguments)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let written = Arc::new(Mutex::new(Vec::new()));
        let (error_sender, errors) = channel();
        let stderr = BufReader::new(server.stderr.take().unwrap());
        let all = Arc::clone(&written);
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                all.lock().unwrap().extend_from_slice(line.as_bytes());
                let _ = error_sender.send(line);
            }
        });
        let (sender, incoming) = channel();
        Client {
            input: server.stdin.take(),
            output: server.stdout.take(),
            server,
            incoming,
            sender: Some(sender),
            waiting: VecDeque::new(),
            asked: HashMap::new(),
            next_id: 1,
            written,
            errors,
        }
    }

    /// Begins to read what the server writes.
    pub(crate) fn read(&mut self) {
        let mut output = BufReader::new(self.output.take().expect("reading begins once"));
        let sender = self.sender.take().unwrap();
        let all = Arc::clone(&self.written);
        std::thread::spawn(move || {
            while let Some(body) = frame(&mut output) {
                all.lock().unwrap().extend_from_slice(&body);
                let message = serde_json::from_slice(&body).expect("the server sends JSON");
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
    }

    /// The server after `initialize` and `initialized` with these client capabilities.
    pub(crate) fn initialized(capabilities: Value) -> Client {
        let mut client = Client::start(&[]);
        client.initialize(json!({"capabilities": capabilities}));
        client
    }

    /// Says `initialize` with `params`, and `initialized`; gives the server's capabilities.
    pub(crate) fn initialize(&mut self, params: Value) -> Value {
        let mut whole = json!({"processId": null, "rootUri": null});
        whole.as_object_mut().unwrap().extend(params.as_object().unwrap().clone());
        let result = self.ask("initialize", whole);
        self.notify("initialized", json!({}));
        result["capabilities"].clone()
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server reads");
    }

    /// Sends one message.
    pub(crate) fn send(&mut self, message: &Value) {
        let bytes = framed(message);
        self.send_bytes(&bytes);
    }

    /// Sends a notification.
    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&notification(method, params));
    }

    /// Sends a request and gives its id.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.register(method);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// An id under which `method` is, or will be, asked by bytes that the test sends itself.
    pub(crate) fn register(&mut self, method: &str) -> Value {
        let id = Value::from(self.next_id);
        self.next_id += 1;
        self.asked.insert(id.to_string(), method.to_owned());
        id
    }

    /// Sends a request and gives its result.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let reply = self.reply(&id);
        assert!(reply.get("error").is_none(), "{method}: {reply}");
        reply["result"].clone()
    }

    /// Sends a request and gives the error that answers it: code and message.
    pub(crate) fn refused(&mut self, method: &str, params: Value) -> (i64, String) {
        let id = self.request(method, params);
        let reply = self.reply(&id);
        error_of(&reply)
    }

    /// The reply to `id`; what comes before it waits.
    pub(crate) fn reply(&mut self, id: &Value) -> Value {
        self.take(&format!("the reply to {id}"), |message| {
            message.get("method").is_none() && message["id"] == *id
        })
    }

    /// The next notification or request of the server with this method; what comes before it waits.
    pub(crate) fn call(&mut self, method: &str) -> Value {
        self.take(method, |message| message["method"] == method)
    }

    /// The next diagnostics pushed for `uri`.
    pub(crate) fn pushed(&mut self, uri: &str) -> Value {
        let message = self.take("diagnostics", |message| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri
        });
        message["params"].clone()
    }

    /// The next diagnostics pushed for `uri`, if they are there already.
    #[cfg(debug_assertions)]
    pub(crate) fn pushed_already(&mut self, uri: &str) -> Option<Value> {
        while let Ok(message) = self.incoming.try_recv() {
            self.check(&message);
            self.waiting.push_back(message);
        }
        let pushed = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri
        };
        let at = self.waiting.iter().position(pushed)?;
        Some(self.waiting.remove(at)?["params"].clone())
    }

    /// The diagnostics pushed for version `version` of `uri`; those of versions before it are passed over.
    pub(crate) fn pushed_at(&mut self, uri: &str, version: i64) -> Vec<Value> {
        loop {
            let params = self.pushed(uri);
            let found = params["version"].as_i64().expect("an open document has a version");
            assert!(found <= version, "version {found} was pushed where {version} is the newest");
            if found == version {
                return params["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    /// Opens a document.
    pub(crate) fn open(&mut self, uri: &str, version: i64, text: &str) {
        self.notify("textDocument/didOpen", opened(uri, version, text));
    }

    /// Changes a document: `changes` as in `contentChanges`.
    pub(crate) fn change(&mut self, uri: &str, version: i64, changes: Value) {
        self.notify("textDocument/didChange", changed(uri, version, changes));
    }

    /// Whether the server's text of `uri` is `text`.
    #[track_caller]
    pub(crate) fn assert_text(&mut self, uri: &str, text: &str) {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let expected = json!([text.len(), format!("{:016x}", hasher.finish())]);
        assert_eq!(
            self.ask("caveat/debug/digest", json!({"uri": uri})),
            expected,
            "the server's text is another"
        );
    }

    /// Answers a request of the server.
    pub(crate) fn answer(&mut self, request: &Value, result: Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
    }

    /// The next line on standard error.
    pub(crate) fn error_line(&mut self) -> String {
        self.errors.recv_timeout(PATIENCE).expect("a line on standard error")
    }

    /// Closes the server's input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Lets whatever was said and not looked at go.
    pub(crate) fn forget(&mut self) {
        self.waiting.clear();
        while self.incoming.recv_timeout(PATIENCE).is_ok() {}
    }

    /// Takes the output away.
    pub(crate) fn take_output(&mut self) -> ChildStdout {
        self.output.take().expect("the output is not being read")
    }

    /// Takes the input away, to write to it from another thread.
    pub(crate) fn take_input(&mut self) -> ChildStdin {
        self.input.take().expect("the input is open")
    }

    /// `shutdown` and `exit`; gives the exit status.
    pub(crate) fn shut_down(&mut self) -> i32 {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        self.status()
    }

    /// Waits for the server's end and gives its exit status.
    pub(crate) fn status(&mut self) -> i32 {
        let deadline = std::time::Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.server.try_wait().expect("the server can be waited for") {
                return status.code().expect("the server ends by itself");
            }
            assert!(std::time::Instant::now() < deadline, "the server does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Every byte that the server has written so far.
    pub(crate) fn written(&self) -> Vec<u8> {
        self.written.lock().unwrap().clone()
    }

    /// The next message for which `wanted` holds.
    #[track_caller]
    fn take(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.waiting.iter().position(&wanted) {
            return self.waiting.remove(at).unwrap();
        }
        loop {
            let message = match self.incoming.recv_timeout(PATIENCE) {
                Ok(message) => message,
                Err(_) => panic!("{what} did not come; waiting: {:?}", self.waiting),
            };
            self.check(&message);
            if wanted(&message) {
                return message;
            }
            self.waiting.push_back(message);
        }
    }

    /// Decodes `message` by the protocol's model.
    fn check(&mut self, message: &Value) {
        assert_eq!(message["jsonrpc"], "2.0");
        let params = &message["params"];
        match message["method"].as_str() {
            Some("textDocument/publishDiagnostics") => same::<lsp::PublishDiagnosticsParams>(params),
            Some("window/showMessage") => same::<lsp::ShowMessageParams>(params),
            Some("workspace/configuration") => same::<lsp::ConfigurationParams>(params),
            Some("client/registerCapability") => same::<lsp::RegistrationParams>(params),
            Some("$/progress") => match params["value"].get("items") {
                Some(_) => same::<lsp::WorkspaceDiagnosticReport>(&params["value"]),
                None => assert!(params["value"]["kind"].is_string(), "{params}"),
            },
            Some("workspace/inlayHint/refresh") => assert!(params.is_null()),
            Some("workspace/diagnostic/refresh") => assert!(params.is_null()),
            Some(method) => panic!("{method} is nothing that the server should send"),
            None => {
                if let Some(error) = message.get("error") {
                    same::<lsp::json_rpc::Error>(error);
                    self.asked.remove(&message["id"].to_string());
                    return;
                }
                let result = &message["result"];
                let method = self.asked.remove(&message["id"].to_string());
                match method.as_deref().expect("a result answers a request") {
                    "initialize" => same::<lsp::InitializeResult>(result),
                    "textDocument/codeAction" => same::<Option<Vec<lsp::CodeActionResponse>>>(result),
                    "textDocument/completion" => same::<Option<lsp::CompletionResponse>>(result),
                    "textDocument/inlayHint" => same::<Option<Vec<lsp::InlayHint>>>(result),
                    "workspace/executeCommand" => assert!(!result.is_null()),
                    "codeAction/resolve" => same::<lsp::CodeAction>(result),
                    "textDocument/hover" => same::<Option<lsp::Hover>>(result),
                    "workspace/diagnostic" => same::<lsp::WorkspaceDiagnosticReport>(result),
                    "textDocument/diagnostic" => same::<lsp::DocumentDiagnosticReport>(result),
                    "shutdown" => assert!(result.is_null()),
                    method => assert!(method.starts_with("caveat/debug/"), "{method}"),
                }
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        if !std::thread::panicking() {
            let mut left: Vec<Value> = self.waiting.drain(..).collect();
            if self.sender.is_none() {
                left.extend(self.incoming.iter());
            }
            assert!(left.is_empty(), "messages that nobody looked at: {left:?}");
        }
    }
}

/// Code and message of an error reply.
pub(crate) fn error_of(reply: &Value) -> (i64, String) {
    let error = &reply["error"];
    (error["code"].as_i64().expect("an error"), error["message"].as_str().unwrap().to_owned())
}

/// A notification as a message.
pub(crate) fn notification(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// A message with its header.
pub(crate) fn framed(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// The parameters of `didOpen`.
pub(crate) fn opened(uri: &str, version: i64, text: &str) -> Value {
    json!({"textDocument": {"uri": uri, "languageId": "markdown", "version": version, "text": text}})
}

/// The parameters of `didChange`.
pub(crate) fn changed(uri: &str, version: i64, changes: Value) -> Value {
    json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": changes})
}

/// An insertion of `text`, as one of `contentChanges`.
pub(crate) fn insertion(line: usize, character: usize, text: &str) -> Value {
    let at = json!({"line": line, "character": character});
    json!({"range": {"start": at, "end": at}, "text": text})
}

fn same<T: DeserializeOwned + Serialize>(value: &Value) {
    let decoded =
        serde_json::from_value::<T>(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"));
    assert_eq!(serde_json::to_value(decoded).unwrap(), *value, "something in it is not of the protocol");
}

/// The body of the next frame. Anything but the header that the protocol names is a fault of the server.
fn frame(output: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut header = String::new();
    if output.read_line(&mut header).ok()? == 0 {
        return None;
    }
    let length = header.strip_prefix("Content-Length: ").and_then(|rest| rest.strip_suffix("\r\n"));
    let length: usize = length.and_then(|length| length.parse().ok()).expect("a header");
    let mut body = vec![0; length + 2];
    output.read_exact(&mut body).ok()?;
    assert!(body.starts_with(b"\r\n"), "one header only");
    Some(body.split_off(2))
}
