//! A request that is held, and what its client knows.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;
use tower_lsp::lsp_types::{PreviousResultId, Url};

use crate::publish::{Items, Part, notification_of, workspace_item};
use crate::transport::lock;
use crate::transport::serve::{error_reply, result_reply};
use crate::transport::write::Outbox;
use crate::uri::Key;

/// What is said of a request when a newer one is asked.
pub(super) const REPLACED: &str = "a newer request for the workspace took its place";

/// How many bytes of reports are sent at once, and after how long those that there are.
const AT_ONCE: usize = 64 << 10;
const EVERY: Duration = Duration::from_millis(200);
/// How many bytes may wait for the client before more are made.
const UNREAD: usize = 256 << 10;
/// Cancelled by the server; `retriggerRequest` says not to ask again. LSP 3.17, `DiagnosticServerCancellationData`.
const SERVER_CANCELLED: i64 = -32802;

/// The parameters, as far as we act on them. All may be left out.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params {
    #[serde(default)]
    previous_result_ids: Vec<PreviousResultId>,
    work_done_token: Option<Value>,
    partial_result_token: Option<Value>,
}

/// Those that wait for an answer, by their ids as text. Whoever takes one out answers it.
pub(crate) type Waiting = Arc<Mutex<HashMap<String, Value>>>;

/// How what is found reaches the client.
enum Way {
    /// In parts, under this token.
    Parts(Value),
    /// In the answer.
    Answer,
    /// Pushed, to a client that pulls nothing and had the workspace checked by a command. What is open is pushed by the
    /// session.
    Push,
}

/// One request.
pub(crate) struct Held {
    id: Value,
    waiting: Waiting,
    outbox: Outbox,
    way: Way,
    /// How many files were told of, and how many findings.
    counts: (usize, usize),
    progress: Option<Value>,
    /// What the client knows: how we spelled the document's URI, and under which id.
    told: HashMap<Key, (Url, Option<u64>)>,
    /// Whether it knew something when it asked.
    knew: bool,
    /// Reports that were not sent yet.
    items: Vec<u8>,
    sent: Instant,
    /// Whether anything differs from what the client knew.
    differs: bool,
    /// Nothing was gone through for it yet.
    pub(super) first: bool,
    /// Its progress was begun.
    begun: bool,
    /// As long as it lives the session waits a moment before it ends.
    in_flight: Option<Sender<Infallible>>,
}

impl Held {
    /// The request `id` with `params`, which stands in `waiting`; `None`: they do not decode.
    pub(crate) fn new(
        id: Value,
        params: Option<Value>,
        waiting: Waiting,
        outbox: Outbox,
        in_flight: Sender<Infallible>,
    ) -> Option<Held> {
        let params = params.filter(Value::is_object)?;
        let params: Params = serde_json::from_value(params).ok()?;
        let is_token = |token: &Value| token.is_string() || token.is_i64();
        let tokens = [&params.work_done_token, &params.partial_result_token];
        if !tokens.into_iter().flatten().all(is_token) {
            return None;
        }
        let way = params.partial_result_token.map_or(Way::Answer, Way::Parts);
        let told = params
            .previous_result_ids
            .into_iter()
            .map(|known| {
                let id = u64::from_str_radix(&known.value, 16).ok();
                (Key::new(&known.uri), (known.uri, id))
            })
            .collect();
        let progress = params.work_done_token;
        Some(Held { told, ..Held::of(id, way, progress, waiting, outbox, in_flight) }.who_knows())
    }

    /// The command `id` that has the workspace checked, which stands in `waiting`. It is answered with counts when everything
    /// was gone through, and what is found is pushed, then and from then on.
    pub(crate) fn check(
        id: Value,
        progress: Option<Value>,
        waiting: Waiting,
        outbox: Outbox,
        in_flight: Sender<Infallible>,
    ) -> Held {
        Held::of(id, Way::Push, progress, waiting, outbox, in_flight)
    }

    fn of(
        id: Value,
        way: Way,
        progress: Option<Value>,
        waiting: Waiting,
        outbox: Outbox,
        in_flight: Sender<Infallible>,
    ) -> Held {
        Held {
            id,
            waiting,
            outbox,
            way,
            counts: (0, 0),
            progress,
            told: HashMap::new(),
            knew: false,
            items: Vec::new(),
            sent: Instant::now(),
            differs: false,
            first: true,
            begun: false,
            in_flight: Some(in_flight),
        }
    }

    fn who_knows(mut self) -> Held {
        self.knew = !self.told.is_empty();
        self
    }

    /// Whether it was asked for by a command: then no setting switches it off.
    pub(super) fn is_check(&self) -> bool {
        matches!(self.way, Way::Push)
    }

    /// Takes the place of `old`.
    pub(super) fn replace(&mut self, mut old: Held) {
        if self.is_check() && old.is_check() {
            let told = old.told.drain().map(|(key, (uri, _))| (key, (uri, None)));
            self.told.extend(told);
        }
        old.refuse(REPLACED);
    }

    /// It was answered by somebody else: nothing of it stays.
    pub(super) fn drop_it(mut self) {
        if self.is_check() {
            self.tell_gone(|_| false);
        }
        self.end_progress();
    }

    /// Whether nobody has answered it yet, or it goes on all the same.
    pub(super) fn is_wanted(&self) -> bool {
        self.is_check() && !self.first || lock(&self.waiting).contains_key(&self.key())
    }

    fn key(&self) -> String {
        self.id.to_string()
    }

    /// Whether the client knows the document `key` under `id`.
    pub(super) fn knows(&self, key: &Key, id: u64) -> bool {
        self.told.get(key).is_some_and(|(_, known)| *known == Some(id))
    }

    /// Whether going through everything may be broken off and begun again: what was sent is sent.
    pub(super) fn may_begin_again(&self) -> bool {
        !matches!(self.way, Way::Answer)
    }

    /// Whether every report is to be sent, also of what is unchanged.
    fn is_whole(&self) -> bool {
        match self.way {
            Way::Parts(_) => self.first,
            Way::Answer => true,
            Way::Push => false,
        }
    }

    /// What the client shows of the document `key` may not be what we told it: it asked for the document by itself.
    pub(super) fn forget(&mut self, key: &Key) {
        if let Some((_, id)) = self.told.get_mut(key) {
            *id = None;
        }
    }

    /// Tells what is found in the document `key`, unless the client knows.
    pub(super) fn tell(&mut self, key: &Key, uri: &Url, version: Option<i32>, items: &Items) {
        if self.first {
            self.counts = (self.counts.0 + 1, self.counts.1 + items.count());
        }
        if self.is_check() {
            return if version.is_none() {
                self.push(key, uri, items)
            };
        }
        if self.knows(key, items.id()) {
            return self.tell_unchanged(key, uri, version, items.id());
        }
        self.differs = true;
        self.told.insert(key.clone(), (uri.clone(), Some(items.id())));
        self.send(&workspace_item(uri, version, &Part::Full(items)));
    }

    fn push(&mut self, key: &Key, uri: &Url, items: &Items) {
        let before = self.told.insert(key.clone(), (uri.clone(), Some(items.id())));
        let nothing = Items::new(&[]).id();
        let is_news = before.map_or(items.id() != nothing, |(_, known)| known != Some(items.id()));
        if is_news && self.outbox.wait_below(UNREAD) {
            self.outbox.publish(key.as_str(), notification_of(uri, items));
        }
    }

    /// Tells that the document `key` is what the client knows under `id`.
    pub(super) fn tell_unchanged(&mut self, _: &Key, uri: &Url, version: Option<i32>, id: u64) {
        if self.is_whole() {
            self.send(&workspace_item(uri, version, &Part::Unchanged(id)));
        }
    }

    /// Tells that nothing is shown any more of what is known and for which `is_there` is false.
    pub(super) fn tell_gone(&mut self, is_there: impl Fn(&Key) -> bool) {
        let gone: HashSet<Key> = self.told.keys().filter(|key| !is_there(key)).cloned().collect();
        for key in gone {
            if let Some((uri, known)) = self.told.remove(&key) {
                self.differs = true;
                match self.way {
                    Way::Push if known == Some(Items::new(&[]).id()) => {}
                    Way::Push => self.outbox.publish(key.as_str(), notification_of(&uri, &Items::new(&[]))),
                    _ => self.send(&workspace_item(&uri, None, &Part::Gone)),
                }
            }
        }
    }

    fn send(&mut self, item: &[u8]) {
        if !self.items.is_empty() {
            self.items.push(b',');
        }
        self.items.extend_from_slice(item);
        if self.items.len() > AT_ONCE || self.sent.elapsed() > EVERY {
            self.flush();
        }
    }

    /// Sends what there is, if the client takes it in parts.
    fn flush(&mut self) {
        let Way::Parts(token) = &self.way else { return };
        self.sent = Instant::now();
        if self.items.is_empty() || !self.outbox.wait_below(UNREAD) {
            return;
        }
        let mut body = format!(
            r#"{{"jsonrpc":"2.0","method":"$/progress","params":{{"token":{token},"value":{{"items":["#
        )
        .into_bytes();
        body.append(&mut self.items);
        body.extend_from_slice(b"]}}}");
        // Nothing comes after the answer.
        let waiting = lock(&self.waiting);
        if waiting.contains_key(&self.id.to_string()) {
            self.outbox.send(body);
        }
    }

    /// Everything was gone through once. Gives the request back if it is to be held on.
    pub(super) fn gone_through(mut self) -> Option<Held> {
        self.end_progress();
        self.progress = None;
        self.flush();
        self.first = false;
        match self.way {
            Way::Push => {
                let (files, findings) = self.counts;
                let counts = json!({"files": files, "findings": findings}).to_string();
                self.answer(result_reply(&self.id, counts.as_bytes()));
                // From here on nobody waits for it.
                self.in_flight = None;
                return Some(self);
            }
            Way::Answer if !self.knew || self.differs => {}
            _ => {
                self.items.clear();
                return Some(self);
            }
        }
        let mut result = br#"{"items":["#.to_vec();
        result.append(&mut self.items);
        result.extend_from_slice(b"]}");
        self.answer(result_reply(&self.id, &result));
        None
    }

    /// Answers it with an error of ours that does not ask to be asked again.
    pub(crate) fn refuse(self, why: &str) {
        self.end_progress();
        let error = json!({"code": SERVER_CANCELLED, "message": why, "data": {"retriggerRequest": false}});
        let reply = json!({"jsonrpc": "2.0", "id": self.id, "error": error});
        self.answer(reply.to_string().into_bytes());
    }

    /// Answers it after a panic.
    pub(super) fn fail(self) {
        self.end_progress();
        self.answer(error_reply(&self.id, -32603, "reading the workspace panicked; the session goes on"));
    }

    fn answer(&self, reply: Vec<u8>) {
        if lock(&self.waiting).remove(&self.key()).is_some() {
            self.outbox.send(reply);
        }
    }

    /// Says that it was begun, to a client that wants to know.
    pub(super) fn begin_progress(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        self.say(&json!({"kind": "begin", "title": "caveat: reading the workspace", "percentage": 0}));
    }

    /// Says how far it is.
    pub(super) fn report_progress(&self, percentage: usize) {
        self.say(&json!({"kind": "report", "percentage": percentage}));
    }

    /// Says that it is over.
    pub(super) fn end_progress(&self) {
        if self.begun {
            self.say(&json!({"kind": "end"}));
        }
    }

    fn say(&self, value: &Value) {
        if let Some(token) = self.progress.as_ref().filter(|_| self.first) {
            let params = json!({"token": token, "value": value});
            let message = json!({"jsonrpc": "2.0", "method": "$/progress", "params": params});
            self.outbox.send(message.to_string().into_bytes());
        }
    }
}
