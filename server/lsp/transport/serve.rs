//! The loop: one event after the other, each handler's synchronous part inline, in the order of arrival.
//!
//! A handler is polled once here, before the next message is looked at. What it does before its first await therefore
//! happens in order; what is left runs as a task and may only look at a snapshot. A panic in either is answered, and
//! the session lives on.

use std::collections::HashMap;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::{Duration, Instant};

use futures::FutureExt;
use serde_json::{Value, json};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tower::{Service, ServiceExt};
use tower_lsp::jsonrpc::{ErrorCode, Id, Request, Response};
use tower_lsp::{ExitedError, LspService};

use super::client::Client;
use super::frame::{Fault, FaultKind};
use super::lock;
use super::parent;
use super::read::{Backlog, Call, Event};
use crate::backend::Backend;
use crate::capabilities::{CHECK, as_lsp_types_names_it};
use crate::session::{Lost, Session};
use crate::survey::Held;

/// How long replies in flight may take once the end has come.
const DRAIN: Duration = Duration::from_millis(500);
/// How long a document may stay unread while messages keep coming.
const UNREAD_FOR: Duration = Duration::from_millis(250);

/// What the loop works with.
pub(crate) struct Server {
    /// The protocol's state and the handlers.
    pub(crate) service: LspService<Backend>,
    /// What the handlers work on.
    pub(crate) session: Arc<Session>,
    /// The way back.
    pub(crate) client: Client,
    /// What the reading thread, the watch and tasks have to say.
    pub(crate) events: UnboundedReceiver<Event>,
    /// The other end of `events`.
    pub(crate) sender: UnboundedSender<Event>,
    /// What waits to be dealt with, in bytes.
    pub(crate) backlog: Backlog,
}

/// The replies that are still being worked on.
struct InFlight {
    /// Each task holds a clone; when all are gone, `done` ends.
    token: mpsc::Sender<Infallible>,
    done: mpsc::Receiver<Infallible>,
    /// Pulls by id: those that are not in it are answered already.
    pulls: Arc<Mutex<HashMap<String, Value>>>,
}

type Outcome = std::thread::Result<Result<Option<Response>, ExitedError>>;

impl Server {
    /// Serves until the client says `exit`, goes away, or the parent process ends. Gives the exit status: 0 only after
    /// `shutdown`.
    pub(crate) async fn serve(mut self) -> i32 {
        let (token, done) = mpsc::channel(1);
        let mut in_flight = InFlight { token, done, pulls: Arc::default() };
        let mut shutdown = false;
        let mut unread_since: Option<Instant> = None;
        while let Some(event) = self.events.recv().await {
            match event {
                Event::Call(call, bytes) => {
                    self.backlog.take(bytes);
                    if call.method == "exit" {
                        break;
                    }
                    shutdown |= self.call(call, &in_flight).await == Some(Lifecycle::ShutDown);
                }
                Event::Fault(fault) => self.fault(&fault),
                Event::Refresh => self.guarded(|session| session.refresh()),
                Event::Day => self.guarded(|session| session.turn_day()),
                Event::Gather(gather) => self.guarded(|session| session.gather(gather)),
                Event::Due(key) => self.guarded(|session| session.settle_late(&key)),
                Event::Settled(key) => self.guarded(|session| session.show_late(&key)),
                Event::Failed(key) => self.guarded(|session| session.failed(&key)),
                Event::Say(sentence) => self.client.show_warning(sentence),
                Event::Unused => self.guarded(|session| session.show_unused()),
                Event::ParentGone | Event::ClientGone | Event::EndOfInput => break,
            }
            let since = *unread_since.get_or_insert_with(Instant::now);
            if self.events.is_empty() || since.elapsed() > UNREAD_FOR {
                self.guarded(|session| session.settle_all());
                unread_since = None;
            }
        }
        self.session.survey().end();
        let deadline = Instant::now() + DRAIN;
        drop(in_flight.token);
        let _ = tokio::time::timeout(DRAIN, in_flight.done.recv()).await;
        self.client.outbox().drain(deadline);
        i32::from(!shutdown)
    }

    /// Runs `work`; a panic in it ends nothing else.
    fn guarded(&self, work: impl FnOnce(&Session)) {
        let _ = catch_unwind(AssertUnwindSafe(|| work(&self.session)));
    }

    fn fault(&self, fault: &Fault) {
        self.guarded(|session| session.lose(&Lost::in_frame(&fault.head)));
        let (code, message) = match fault.kind {
            FaultKind::Header => (-32700, "the header has no usable Content-Length"),
            FaultKind::NotJson => (-32700, "the content is not JSON in UTF-8"),
            FaultKind::TooLarge => (-32600, "the message is too large"),
            FaultKind::Batch => (-32600, "LSP has no batches: send one message at a time"),
            FaultKind::NotAMessage => (-32600, "this is neither a request, a notification nor a response"),
            FaultKind::Skipped => return,
        };
        self.client.outbox().send(error_reply(&Value::Null, code, message));
    }

    async fn call(&mut self, call: Call, in_flight: &InFlight) -> Option<Lifecycle> {
        let Call { method, id, mut params } = call;
        let lifecycle = match method.as_str() {
            "initialize" => Some(Lifecycle::Initialized),
            "initialized" => {
                // It has nothing to say; some clients leave the empty object out.
                params = params.or_else(|| Some(json!({})));
                None
            }
            "shutdown" => {
                // It takes none; some clients send an empty object.
                params = None;
                Some(Lifecycle::ShutDown)
            }
            _ => None,
        };
        if id.is_none() {
            if let Some(lost) = self.session.cannot_decode(&method, params.as_ref()) {
                // tower-lsp would drop it without a word.
                self.guarded(|session| session.lose(&lost));
                return None;
            }
            if method == "$/cancelRequest" && self.cancel_pull(params.as_ref(), in_flight) {
                return None;
            }
        }
        if method == "initialize"
            && let Some(params) = &mut params
        {
            as_lsp_types_names_it(params);
            let parent = params.get("processId").and_then(Value::as_u64);
            if let Some(parent) = parent.and_then(|parent| u32::try_from(parent).ok()).filter(|id| *id > 0) {
                parent::watch(parent, self.sender.clone());
            }
        }
        if method == "textDocument/diagnostic"
            && let Some(id) = id.clone().filter(|_| self.session.serves_pull())
        {
            self.pull(id, params, in_flight);
            return None;
        }
        let is_check = method == "workspace/executeCommand"
            && params
                .as_ref()
                .and_then(|params| params.get("command"))
                .is_some_and(|command| command == CHECK);
        if (method == "workspace/diagnostic" || is_check && !self.session.peer().pulls)
            && let Some(id) = id.clone().filter(|_| self.session.serves_pull())
        {
            self.hold(id, params, is_check, in_flight);
            return None;
        }
        let request = match id.clone().map(serde_json::from_value::<Id>) {
            None => Request::build(method),
            Some(Ok(id)) => Request::build(method).id(id),
            Some(Err(_)) => {
                let reply = error_reply(&Value::Null, -32600, "an id is a string or a whole number");
                self.client.outbox().send(reply);
                return None;
            }
        };
        let request = match params {
            Some(params) => request.params(params).finish(),
            None => request.finish(),
        };
        let Ok(service) = self.service.ready().await else { return None };
        // Decoding the parameters is part of `call`, and may panic as well as a handler may.
        let Ok(future) = catch_unwind(AssertUnwindSafe(|| service.call(request))) else {
            self.reply(id.as_ref(), Err(Box::new(())));
            return None;
        };
        let mut future = AssertUnwindSafe(future).catch_unwind().boxed();
        if lifecycle.is_some() {
            // Nothing may pass these two.
            let outcome = future.await;
            let done = matches!(&outcome, Ok(Ok(Some(response))) if response.is_ok());
            self.reply(id.as_ref(), outcome);
            return lifecycle.filter(|_| done);
        }
        match futures::poll!(&mut future) {
            Poll::Ready(outcome) => self.reply(id.as_ref(), outcome),
            Poll::Pending => {
                let (client, token) = (self.client.clone(), in_flight.token.clone());
                tokio::spawn(async move {
                    let outcome = future.await;
                    if let Some(reply) = reply(id.as_ref(), outcome) {
                        client.outbox().send(reply);
                    }
                    drop(token);
                });
            }
        }
        None
    }

    fn reply(&self, id: Option<&Value>, outcome: Outcome) {
        if let Some(reply) = reply(id, outcome) {
            self.client.outbox().send(reply);
        }
    }

    /// Answers a pull: the document is brought up to date here, the answer is made on the pool, straight to bytes.
    fn pull(&self, id: Value, params: Option<Value>, in_flight: &InFlight) {
        let outbox = self.client.outbox().clone();
        let prepared = catch_unwind(AssertUnwindSafe(|| self.session.pull(params)));
        let work = match prepared {
            Err(_) => return outbox.send(panicked(&id)),
            Ok(Err(message)) => return outbox.send(error_reply(&id, -32602, message)),
            Ok(Ok(work)) => work,
        };
        let key = id.to_string();
        if lock(&in_flight.pulls).insert(key.clone(), id.clone()).is_some() {
            return outbox.send(error_reply(&id, -32600, "another request in flight has this id"));
        }
        let (pulls, token) = (Arc::clone(&in_flight.pulls), in_flight.token.clone());
        tokio::task::spawn_blocking(move || {
            if lock(&pulls).contains_key(&key) {
                let report = catch_unwind(AssertUnwindSafe(|| work.report()));
                // Whoever takes the id out answers it.
                if lock(&pulls).remove(&key).is_some() {
                    outbox.send(report.map_or_else(|_| panicked(&id), |report| result_reply(&id, &report)));
                }
            }
            drop(token);
        });
    }

    /// Takes a pull of the whole workspace over, or the command that has it checked: a thread of its own answers when there is
    /// something to say.
    fn hold(&self, id: Value, params: Option<Value>, is_check: bool, in_flight: &InFlight) {
        let outbox = self.client.outbox().clone();
        let (waiting, key) = (Arc::clone(&in_flight.pulls), id.to_string());
        let token = in_flight.token.clone();
        let held = match is_check {
            true => {
                let progress = params.and_then(|mut params| params.get_mut("workDoneToken").map(Value::take));
                Some(Held::check(id.clone(), progress, waiting, outbox.clone(), token))
            }
            false => Held::new(id.clone(), params, waiting, outbox.clone(), token),
        };
        let Some(held) = held else {
            return outbox.send(error_reply(&id, -32602, "the parameters do not decode"));
        };
        // Taken and let go at once: the thread looks there whether it is wanted.
        let known = lock(&in_flight.pulls).insert(key, id.clone()).is_some();
        match known {
            true => outbox.send(error_reply(&id, -32600, "another request in flight has this id")),
            false => self.session.hold(held),
        }
    }

    fn cancel_pull(&self, params: Option<&Value>, in_flight: &InFlight) -> bool {
        let Some(key) = params.and_then(|params| params.get("id")).map(Value::to_string) else {
            return false;
        };
        let Some(id) = lock(&in_flight.pulls).remove(&key) else { return false };
        self.session.survey().look();
        self.client.outbox().send(error_reply(&id, -32800, "cancelled"));
        true
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lifecycle {
    Initialized,
    ShutDown,
}

/// The reply to `id`, if one is due. Errors are in our words: tower-lsp's quote the values that did not decode.
fn reply(id: Option<&Value>, outcome: Outcome) -> Option<Vec<u8>> {
    let response = match outcome {
        Ok(Ok(Some(response))) => response,
        // A request that tower-lsp does not answer, because its name begins with `$/`.
        Ok(Ok(None)) => return id.map(|id| error_reply(id, -32601, "there is no such method")),
        Ok(Err(ExitedError { .. })) => return None,
        Err(_) => return id.map(panicked),
    };
    Some(match response.into_parts() {
        (id, Ok(result)) => json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string().into_bytes(),
        (id, Err(error)) => {
            let id = serde_json::to_value(id).unwrap_or_default();
            match error.code {
                ErrorCode::InvalidParams => error_reply(&id, -32602, "the parameters do not decode"),
                ErrorCode::MethodNotFound => error_reply(&id, -32601, "there is no such method"),
                code => error_reply(&id, code.code(), &error.message),
            }
        }
    })
}

fn panicked(id: &Value) -> Vec<u8> {
    error_reply(id, -32603, "the handler panicked; the session goes on")
}

/// The error that answers `id`, with one of the protocol's codes and a sentence of ours.
pub(crate) fn error_reply(id: &Value, code: i64, message: &str) -> Vec<u8> {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}).to_string().into_bytes()
}

/// A reply whose result, `json`, is there already as bytes.
pub(crate) fn result_reply(id: &Value, json: &[u8]) -> Vec<u8> {
    let mut reply = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":"#).into_bytes();
    reply.extend_from_slice(json);
    reply.push(b'}');
    reply
}
