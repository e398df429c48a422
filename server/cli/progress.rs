//! How far a long scan is: on a terminal, on stderr, and gone when it ends.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Scans that are shorter end before a person has read how far they are.
const WORTH_TELLING: usize = 200;

/// A counter that is shown as it grows.
#[derive(Debug)]
pub(crate) struct Progress {
    all: usize,
    done: AtomicUsize,
    /// How many files lie between two showings; `None`: none is shown.
    every: Option<usize>,
}

impl Progress {
    /// A counter to `all`, shown if `terminal`.
    pub(crate) fn new(all: usize, terminal: bool) -> Progress {
        let every = (terminal && all >= WORTH_TELLING).then_some((all / 100).max(1));
        Progress { all, done: AtomicUsize::new(0), every }
    }

    /// A counter of which it is not known how far it goes.
    pub(crate) fn counting(terminal: bool) -> Progress {
        Progress { all: 0, done: AtomicUsize::new(0), every: terminal.then_some(WORTH_TELLING) }
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.every.is_some_and(|every| done.is_multiple_of(every)) {
            // A terminal that is gone has nobody to tell.
            let _ = match self.all {
                0 => write!(io::stderr().lock(), "\rcaveat: {done} files"),
                all => write!(io::stderr().lock(), "\rcaveat: {done} of {all} files"),
            };
        }
    }

    /// Takes the counter away.
    pub(crate) fn end(&self) {
        if self.every.is_some() {
            let _ = write!(io::stderr().lock(), "\r\x1b[2K");
        }
    }
}
