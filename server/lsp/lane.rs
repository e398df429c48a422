//! One document's way to the client's diagnostics: never two at once, never an older set after a newer one.
//!
//! What is found in a long document takes longer to gather than the loop may be held up, so it is done on the pool. An
//! edit, a lost edit or a close may come meanwhile; then the result is of a text that is gone, and is dropped.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use crate::transport::lock;
use crate::transport::write::Outbox;

type Work = Box<dyn FnOnce() -> Vec<u8> + Send>;

/// The way of one open document. Cloning it gives another handle to the same.
#[derive(Clone)]
pub(crate) struct Lane {
    outbox: Outbox,
    key: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// Counts what was asked for; only what was asked for last is sent.
    asked: u64,
    running: bool,
    waiting: Option<(u64, Work)>,
}

impl Lane {
    /// The way of the document `key`.
    pub(crate) fn new(outbox: Outbox, key: &str) -> Lane {
        Lane { outbox, key: key.to_owned(), state: Arc::default() }
    }

    /// Sends `body` now; what is still being worked on is dropped.
    pub(crate) fn send(&self, body: Vec<u8>) {
        let mut state = lock(&self.state);
        state.asked += 1;
        state.waiting = None;
        self.outbox.publish(&self.key, body);
    }

    /// Drops what is still being worked on.
    pub(crate) fn drop_work(&self) {
        let mut state = lock(&self.state);
        state.asked += 1;
        state.waiting = None;
    }

    /// Sends what `work` gives, which is done on the pool, unless something else is asked for before it is done. If it
    /// panics, what `failed` gives is sent.
    pub(crate) fn send_later(
        &self,
        work: impl FnOnce() -> Vec<u8> + Send + 'static,
        failed: impl FnOnce() -> Vec<u8> + Send + 'static,
    ) {
        let work: Work = Box::new(|| catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| failed()));
        let mut state = lock(&self.state);
        state.asked += 1;
        let asked = state.asked;
        if state.running {
            state.waiting = Some((asked, work));
            return;
        }
        state.running = true;
        drop(state);
        let lane = self.clone();
        tokio::task::spawn_blocking(move || lane.run(asked, work));
    }

    fn run(&self, mut asked: u64, mut work: Work) {
        loop {
            // Whatever was asked for since makes it useless before it is begun.
            let body = (lock(&self.state).asked == asked).then(work);
            let mut state = lock(&self.state);
            if let Some(body) = body.filter(|_| state.asked == asked) {
                self.outbox.publish(&self.key, body);
            }
            match state.waiting.take() {
                Some(next) => (asked, work) = next,
                None => {
                    state.running = false;
                    return;
                }
            }
        }
    }
}
