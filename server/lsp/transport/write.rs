//! Everything that goes to the client, as bytes, on a thread of its own.
//!
//! A client that reads slowly must not slow the reading of its edits, nor make us keep every set of diagnostics that
//! was true for a moment: each document has one slot, and what is newest replaces what was not yet sent. Above
//! [`UNREAD_CAP`] the reader stops, so memory stays bounded whatever the client does.

use std::collections::{HashMap, VecDeque};
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use super::lock;

/// How many bytes may wait for the client before reading stops.
pub(crate) const UNREAD_CAP: usize = 64 << 20;

/// The way to the client. Cloning it gives another handle to the same queue.
#[derive(Clone, Default)]
pub(crate) struct Outbox {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Item>,
    /// By document: the newest diagnostics that were not yet sent.
    slots: HashMap<String, Vec<u8>>,
    /// Bytes that wait or are being written.
    unread: usize,
    /// The client is gone: nothing can be sent any more.
    broken: bool,
}

enum Item {
    Message(Vec<u8>),
    Slot(String),
}

impl Outbox {
    /// Sends `body`, after all that was sent before.
    pub(crate) fn send(&self, body: Vec<u8>) {
        let mut state = lock(&self.shared.state);
        if !state.broken {
            state.unread += body.len();
            state.queue.push_back(Item::Message(body));
            self.shared.changed.notify_all();
        }
    }

    /// Sends `body`, the diagnostics of the document `key`, in place of earlier ones of that document that still wait.
    pub(crate) fn publish(&self, key: &str, body: Vec<u8>) {
        let mut state = lock(&self.shared.state);
        if state.broken {
            return;
        }
        state.unread += body.len();
        match state.slots.insert(key.to_owned(), body) {
            Some(unsent) => state.unread -= unsent.len(),
            None => state.queue.push_back(Item::Slot(key.to_owned())),
        }
        self.shared.changed.notify_all();
    }

    /// Waits while more than `cap` bytes wait for the client. `false`: it is gone.
    pub(crate) fn wait_below(&self, cap: usize) -> bool {
        let mut state = lock(&self.shared.state);
        while state.unread > cap && !state.broken {
            state = self.shared.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
        !state.broken
    }

    /// Waits until everything is written, the client is gone, or `deadline` has come.
    pub(crate) fn drain(&self, deadline: Instant) {
        let mut state = lock(&self.shared.state);
        while state.unread > 0 && !state.broken {
            let Some(left) = deadline.checked_duration_since(Instant::now()) else { return };
            let waited = self.shared.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
    }

    /// Writes to `output` for ever; gives back only the error that ended it.
    pub(crate) fn write_to(&self, mut output: impl Write) -> io::Error {
        let mut frame = Vec::new();
        loop {
            let body = self.next();
            frame.clear();
            let _ = write!(frame, "Content-Length: {}\r\n\r\n", body.len());
            frame.extend_from_slice(&body);
            let written = output.write_all(&frame).and_then(|()| output.flush());
            let mut state = lock(&self.shared.state);
            state.unread -= body.len();
            if written.is_err() {
                *state = State { broken: true, ..State::default() };
            }
            self.shared.changed.notify_all();
            if let Err(error) = written {
                return error;
            }
        }
    }

    fn next(&self) -> Vec<u8> {
        let mut state = lock(&self.shared.state);
        loop {
            match state.queue.pop_front() {
                Some(Item::Message(body)) => return body,
                Some(Item::Slot(key)) => {
                    if let Some(body) = state.slots.remove(&key) {
                        return body;
                    }
                }
                None => {
                    state =
                        self.shared.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client that takes what it was given and then goes away.
    struct Client<'a> {
        read: &'a mut Vec<u8>,
        messages: usize,
    }

    impl Write for Client<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.messages == 0 {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.messages -= 1;
            self.read.extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn newest_diagnostics_replace_unsent_ones_in_their_place() {
        let outbox = Outbox::default();
        outbox.publish("a", b"a1".to_vec());
        outbox.send(b"reply".to_vec());
        outbox.publish("b", b"b1".to_vec());
        outbox.publish("a", b"a2!".to_vec());
        outbox.send(b"last".to_vec());
        assert_eq!(lock(&outbox.shared.state).unread, "a2!replyb1last".len());
        let mut read = Vec::new();
        outbox.write_to(Client { read: &mut read, messages: 3 });
        let read = String::from_utf8(read).unwrap().replace("Content-Length: ", "").replace("\r\n\r\n", " ");
        assert_eq!(read, "3 a2!5 reply2 b1");
        assert!(!outbox.wait_below(0), "the client is gone, so nobody waits for it");
        assert_eq!(lock(&outbox.shared.state).unread, 0);
    }
}
