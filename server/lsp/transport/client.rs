//! Requests of ours to the client. Nothing but a task of its own may wait for an answer.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::lock;
use super::write::Outbox;

/// How long a task of ours waits for the client's answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The client, as something to talk to. Cloning it gives another handle.
#[derive(Clone, Default)]
pub(crate) struct Client {
    outbox: Outbox,
    next: Arc<AtomicI64>,
    waiting: Arc<Mutex<HashMap<i64, oneshot::Sender<Option<Value>>>>>,
}

impl Client {
    /// A client that is reached through `outbox`.
    pub(crate) fn new(outbox: Outbox) -> Client {
        Client { outbox, ..Client::default() }
    }

    /// The queue under it.
    pub(crate) fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Sends a notification.
    pub(crate) fn notify(&self, method: &str, params: impl Serialize) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and waits for its result: `None` if it is an error or does not come in time. A late answer is
    /// dropped.
    pub(crate) async fn request(&self, method: &str, params: impl Serialize) -> Option<Value> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        lock(&self.waiting).insert(id, answer);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let result = tokio::time::timeout(PATIENCE, answered).await;
        lock(&self.waiting).remove(&id);
        result.ok()?.ok()?
    }

    /// Takes the client's answer to a request of ours; one to anything else is dropped.
    pub(crate) fn answered(&self, id: &Value, result: Option<Value>) {
        let waiting = id.as_i64().and_then(|id| lock(&self.waiting).remove(&id));
        if let Some(waiting) = waiting {
            // Nobody waits any more: the answer is late.
            let _ = waiting.send(result);
        }
    }

    /// Says `text`, a sentence of ours, in the editor's window.
    pub(crate) fn show_warning(&self, text: &str) {
        self.notify("window/showMessage", json!({"type": 2, "message": text}));
    }

    fn send(&self, message: &Value) {
        self.outbox.send(message.to_string().into_bytes());
    }
}
