//! A long record, settled beside the loop.
//!
//! Any edit of a record has all of it read anew: indices in pointers shift, and a quote may open what it closed. Of a
//! short one that is quick; a long one would hold up the keys that are typed next. So it is read on the pool once the
//! typing pauses, in its newest state and never twice at once, and whoever asks about it meanwhile waits for that on
//! the pool, too. The loop only ever takes over what is done.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use caveat_analysis::Document;
use caveat_analysis::text::Source;

use crate::sync::debug;
use crate::transport::lock;

/// Above how many bytes of text a record is settled beside the loop.
const AT_ONCE: usize = 256 << 10;

/// A pause in the typing.
const PAUSE: Duration = Duration::from_millis(150);

/// How long typing that does not pause puts off reading.
const AT_MOST: Duration = Duration::from_millis(1000);

/// Whether settling `document` is left to the pool.
pub(crate) fn is_late(document: &Document) -> bool {
    !document.is_settled() && document.language().reads_whole() && document.text().len() > AT_ONCE
}

/// A document as it was settled beside the loop.
#[derive(Clone)]
pub(crate) struct Settled {
    /// Of which version of the text.
    pub(crate) version: i32,
    /// The document; none where reading it failed.
    pub(crate) document: Option<Document>,
    /// How often reading it panicked.
    pub(crate) panics: u8,
}

/// One document's newest state, and what was read of it. Cloning it gives another handle to the same.
#[derive(Clone, Default)]
pub(crate) struct Late {
    newest: Arc<Mutex<Option<(i32, Document)>>>,
    /// Held while the document is read: so it is read once at a time.
    settled: Arc<Mutex<Option<Settled>>>,
}

impl Late {
    /// `document` is the newest, of version `version` of its text.
    pub(crate) fn put(&self, version: i32, document: Document) {
        *lock(&self.newest) = Some((version, document));
    }

    /// The document, settled, of version `version` or a later one; for the pool. `None` if it was never put here.
    pub(crate) fn settle(&self, version: i32) -> Option<Settled> {
        let mut settled = lock(&self.settled);
        if let Some(known) = settled.as_ref().filter(|known| known.version >= version) {
            return Some(known.clone());
        }
        // Whatever came while another one was read is read with this.
        let (version, document) = lock(&self.newest).clone()?;
        let (language, rules) = (document.language(), Arc::clone(document.rules()));
        let text = document.text().clone();
        let (mut panics, mut read) = (0, try_settle(document));
        if read.is_none() {
            (panics, read) = (1, try_settle(Document::unread(text, language, rules)));
        }
        panics += u8::from(read.is_none());
        *settled = Some(Settled { version, document: read, panics });
        settled.clone()
    }

    /// What was settled last, if nothing is being read now.
    pub(crate) fn last(&self) -> Option<Settled> {
        self.settled.try_lock().ok()?.clone()
    }
}

fn try_settle(mut document: Document) -> Option<Document> {
    catch_unwind(AssertUnwindSafe(|| {
        debug::fail_if_told();
        document.settle();
        document
    }))
    .ok()
}

/// When a document is to be read that is edited again and again.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pause {
    first: Option<Instant>,
    last: Option<Instant>,
}

impl Pause {
    /// It was edited now.
    pub(crate) fn edited(&mut self, now: Instant) {
        self.first.get_or_insert(now);
        self.last = Some(now);
    }

    /// It is read now.
    pub(crate) fn over(&mut self) {
        *self = Pause::default();
    }

    /// How long it still has to wait; nothing left: it is to be read.
    pub(crate) fn left(&self, now: Instant) -> Duration {
        let (Some(first), Some(last)) = (self.first, self.last) else { return Duration::ZERO };
        (last + PAUSE).min(first + AT_MOST).saturating_duration_since(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_waited_for_but_not_for_ever() {
        let start = Instant::now();
        let after = |millis| start + Duration::from_millis(millis);
        let mut pause = Pause::default();
        assert_eq!(pause.left(start), Duration::ZERO);
        pause.edited(start);
        assert_eq!(pause.left(after(50)), PAUSE - Duration::from_millis(50));
        assert_eq!(pause.left(after(200)), Duration::ZERO);
        for at in (0..=950).step_by(50) {
            pause.edited(after(at));
        }
        assert_eq!(pause.left(after(950)), Duration::from_millis(50));
        assert_eq!(pause.left(after(1000)), Duration::ZERO);
        pause.over();
        pause.edited(after(1000));
        assert_eq!(pause.left(after(1000)), PAUSE);
    }
}
