//! The way back from a decoded text to the bytes of the unit that it came from.
//!
//! A string inside quotes is read again as commands (`sh -c "…"`), and its commands must be shown where they stand.
//! Decoding only ever drops or replaces bytes, in order, so a list of runs is enough.

/// A decoded text's runs: from `at` in the text on, byte `at + k` stood at `unit + k`. Ordered; sentinel-free.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Origin {
    runs: Vec<Run>,
    /// Where the unit stands after the last byte.
    end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    at: usize,
    unit: usize,
}

impl Origin {
    /// The origin of a text that stands verbatim at `unit`.
    pub(super) fn verbatim(unit: usize, len: usize) -> Origin {
        Origin { runs: vec![Run { at: 0, unit }], end: unit + len }
    }

    /// Says that the text's byte `at` (its length so far) came from `unit`, and that what produced it ends at `end`.
    pub(super) fn push(&mut self, at: usize, unit: usize, end: usize) {
        match self.runs.last() {
            Some(run) if run.unit + (at - run.at) == unit => {}
            _ => self.runs.push(Run { at, unit }),
        }
        self.end = end;
    }

    /// Where the byte at `at` of the text stands in the unit; `at` may be the text's length.
    pub(super) fn start(&self, at: usize) -> usize {
        let after = self.runs.partition_point(|run| run.at <= at);
        match after.checked_sub(1).map(|i| self.runs[i]) {
            Some(run) => (run.unit + (at - run.at)).min(self.end),
            None => self.end,
        }
    }

    /// Where the text's first `at` bytes end in the unit: after their last byte, not before the byte that follows.
    pub(super) fn end(&self, at: usize) -> usize {
        match at.checked_sub(1) {
            Some(last) => (self.start(last) + 1).min(self.end),
            None => self.start(0),
        }
    }
}
