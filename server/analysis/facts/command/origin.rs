//! The way back from a decoded text to the bytes of the unit that it came from.
//!
//! A string inside quotes is read again as commands (`sh -c "…"`), and its commands must be shown where they stand.
//! Decoding only ever drops or replaces bytes, in order, so a list of runs is enough.

/// A decoded text's runs: within a run, byte `at + k` of the text stood at `unit + k`. The first run begins at 0.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Origin {
    first: usize,
    more: Vec<Run>,
    /// Where the unit stands after the last byte.
    end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    at: usize,
    unit: usize,
    /// Where in the unit that ends what came before the run: before what was dropped between the two, and behind all
    /// bytes of what was read as one (a dash of three bytes as `-`).
    before: usize,
}

impl Origin {
    /// The origin of a text that stands verbatim at `unit`.
    pub(super) fn verbatim(unit: usize, len: usize) -> Origin {
        Origin { first: unit, more: Vec::new(), end: unit + len }
    }

    /// Says that the text's byte `at` (its length so far) came from `unit`, and that what produced it ends at `end`.
    pub(super) fn push(&mut self, at: usize, unit: usize, end: usize) {
        let last = self.more.last().copied().unwrap_or(self.begin());
        if at == 0 {
            self.first = unit;
            self.more.clear();
        } else if last.unit + (at - last.at) != unit {
            self.more.push(Run { at, unit, before: self.end });
        }
        self.end = end;
    }

    /// Appends the origin of the part `from..to` of a text with this origin to `out`, a text of length `at`.
    pub(super) fn copy(&self, from: usize, to: usize, at: usize, out: &mut Origin) {
        if from >= to {
            return;
        }
        let first = self.more.partition_point(|run| run.at <= from);
        let runs = &self.more[first..];
        let within = runs.iter().take_while(|run| run.at < to);
        let starts =
            std::iter::once((from, self.start(from))).chain(within.clone().map(|run| (run.at, run.unit)));
        let ends = within.map(|run| run.before).chain(std::iter::once(self.end(to)));
        for ((start, unit), end) in starts.zip(ends) {
            out.push(at + (start - from), unit, end);
        }
    }

    fn begin(&self) -> Run {
        Run { at: 0, unit: self.first, before: self.first }
    }

    /// Where the byte at `at` of the text stands in the unit; `at` may be the text's length.
    pub(super) fn start(&self, at: usize) -> usize {
        let after = self.more.partition_point(|run| run.at <= at);
        let run = match after.checked_sub(1) {
            Some(last) => self.more[last],
            None => self.begin(),
        };
        (run.unit + (at - run.at)).min(self.end)
    }

    /// Where the text's first `at` bytes end in the unit: after all that was read as their last byte, not before the
    /// byte that follows.
    pub(super) fn end(&self, at: usize) -> usize {
        let Some(last) = at.checked_sub(1) else { return self.start(0) };
        let next = self.more.partition_point(|run| run.at < at);
        match self.more.get(next) {
            Some(run) if run.at == at => run.before,
            _ => (self.start(last) + 1).min(self.end),
        }
    }
}
