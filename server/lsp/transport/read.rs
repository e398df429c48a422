//! The reading thread: from stdin to events.
//!
//! It parses JSON, so that the loop does not, and hands the client's answers straight to whoever waits for them: an
//! answer must not stand in the queue behind the very request that needs it.

use std::io::BufRead;
use std::sync::{Arc, Condvar, Mutex};

use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;

use super::client::Client;
use super::frame::{FRAME_CAP, Fault, FaultKind, Frame, Frames};
use super::lock;
use super::write::UNREAD_CAP;
use crate::survey::Gather;
use crate::uri::Key;

/// How many bytes of messages may wait for the loop before reading stops.
const BACKLOG_CAP: usize = 64 << 20;

/// What the loop is to deal with next.
pub(crate) enum Event {
    /// A request or a notification, and its size in bytes.
    Call(Call, usize),
    /// A frame that could not be read.
    Fault(Fault),
    /// Settings changed: everything is to be shown anew.
    Refresh,
    /// Another day has begun.
    Day,
    /// It is time to look whether this document, a long record, is to be settled now.
    Due(Key),
    /// The pool has settled it.
    Settled(Key),
    /// Judging a document failed beside the loop.
    Failed(Key),
    /// The thread that goes through the workspace asks what there is.
    Gather(Gather),
    /// It has something to say to whoever sits before the editor.
    Say(&'static str),
    /// It found out which entries of configurations nothing needs.
    Unused,
    /// The process that started us is gone.
    ParentGone,
    /// The client reads no more.
    ClientGone,
    /// No more input.
    EndOfInput,
}

/// A request or a notification.
pub(crate) struct Call {
    /// What is called.
    pub(crate) method: String,
    /// What to answer to, as it came; a notification has none.
    pub(crate) id: Option<Value>,
    /// `null` counts as absent: some clients send it with requests that take nothing.
    pub(crate) params: Option<Value>,
}

/// The bytes that wait for the loop.
#[derive(Clone, Default)]
pub(crate) struct Backlog {
    shared: Arc<(Mutex<usize>, Condvar)>,
}

impl Backlog {
    fn add(&self, bytes: usize) {
        let (waiting, changed) = &*self.shared;
        let mut waiting = lock(waiting);
        *waiting += bytes;
        while *waiting > BACKLOG_CAP && *waiting > bytes {
            waiting = changed.wait(waiting).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    /// The loop has taken `bytes`.
    pub(crate) fn take(&self, bytes: usize) {
        let (waiting, changed) = &*self.shared;
        *lock(waiting) -= bytes;
        changed.notify_all();
    }
}

/// Reads `input` to its end.
pub(crate) fn read(input: impl BufRead, events: &UnboundedSender<Event>, backlog: &Backlog, client: &Client) {
    let mut frames = Frames::new(input, FRAME_CAP);
    while client.outbox().wait_below(UNREAD_CAP) {
        let event = match frames.next() {
            Ok(Some(Frame::Body(body))) => match message(body, client) {
                Some(event) => event,
                None => continue,
            },
            Ok(Some(Frame::Fault(fault))) => Event::Fault(fault),
            Ok(None) | Err(_) => break,
        };
        if let Event::Call(_, bytes) = &event {
            backlog.add(*bytes);
        }
        if events.send(event).is_err() {
            return;
        }
    }
    let _ = events.send(Event::EndOfInput);
}

/// The event that `body` is, or `None` if it was the client's answer to a request of ours.
fn message(body: Vec<u8>, client: &Client) -> Option<Event> {
    let bytes = body.len();
    let fault = |kind, head| Some(Event::Fault(Fault { kind, head }));
    let parsed = serde_json::from_slice::<Value>(&body)
        .or_else(|error| mend_surrogates(&body).map_or(Err(error), |mended| serde_json::from_slice(&mended)));
    match parsed {
        Err(_) => fault(FaultKind::NotJson, body),
        Ok(Value::Array(_)) => fault(FaultKind::Batch, body),
        Ok(Value::Object(mut message)) => {
            let id = message.remove("id");
            match message.remove("method") {
                Some(Value::String(method)) => {
                    let params = message.remove("params").filter(|params| !params.is_null());
                    Some(Event::Call(Call { method, id, params }, bytes))
                }
                None if id.is_some() && (message.contains_key("result") || message.contains_key("error")) => {
                    client.answered(&id.unwrap_or_default(), message.remove("result"));
                    None
                }
                _ => fault(FaultKind::NotAMessage, body),
            }
        }
        Ok(_) => fault(FaultKind::NotAMessage, body),
    }
}

/// JSON in which every escaped lone surrogate is U+FFFD, or `None` if there was none.
///
/// Editors that keep UTF-16 in memory may send half of a pair. Rust's strings cannot hold one; U+FFFD is one UTF-16
/// unit as well, so positions stay what the client means by them.
fn mend_surrogates(json: &[u8]) -> Option<Vec<u8>> {
    let mut mended = json.to_vec();
    let unit = |at: usize| -> Option<u32> {
        let escape = json.get(at..at + 6).filter(|escape| escape.starts_with(b"\\u"))?;
        u32::from_str_radix(std::str::from_utf8(&escape[2..]).ok()?, 16).ok()
    };
    let (mut at, mut changed) = (0, false);
    while let Some(found) = json[at..].iter().position(|byte| *byte == b'\\') {
        at += found;
        match unit(at) {
            Some(0xD800..=0xDBFF) if unit(at + 6).is_some_and(|low| (0xDC00..=0xDFFF).contains(&low)) => {
                at += 12
            }
            Some(0xD800..=0xDFFF) => {
                mended[at + 2..at + 6].copy_from_slice(b"FFFD");
                changed = true;
                at += 6;
            }
            Some(_) => at += 6,
            None => at += 2,
        }
        if at >= json.len() {
            break;
        }
    }
    changed.then_some(mended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_become_one_unit() {
        let check = |json: &str, expected: Option<&str>| {
            let mended = mend_surrogates(json.as_bytes()).map(|json| String::from_utf8(json).unwrap());
            assert_eq!(mended.as_deref(), expected, "{json}");
        };
        check(r#""\ud83d\ude00""#, None);
        check(r#""\ud83d""#, Some(r#""\uFFFD""#));
        check(r#""\ude00\ud83d""#, Some(r#""\uFFFD\uFFFD""#));
        check(r#""\ud83dx\ud83d\ud83d\ude00""#, Some(r#""\uFFFDx\uFFFD\ud83d\ude00""#));
        check(r#""\\ud83d""#, None);
        check(r#""\"#, None);
        check(r#""\ud8"#, None);
    }
}
