//! The way back from a view to its source.
//!
//! Whatever is found in a view has to be shown where it stands in the file, so every view is built together with a map.
//! A map is a list of runs that go up in both texts. A run that was copied maps byte for byte; one that was replaced
//! (an entity, an escape, four characters of base64) is an atom: what begins inside it begins where it begins, what ends
//! inside it ends where it ends. Source that no run covers was left out.

use std::ops::Range;

/// A stretch of a view and the stretch of the source that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    view: usize,
    view_len: usize,
    src: usize,
    src_len: usize,
    /// Copied: byte `n` of one is byte `n` of the other.
    exact: bool,
}

impl Run {
    fn view_end(&self) -> usize {
        self.view + self.view_len
    }

    fn src_end(&self) -> usize {
        self.src + self.src_len
    }

    /// Where the byte `at` of the view, inside this run, begins in the source.
    fn floor(&self, at: usize) -> usize {
        if self.exact { self.src + (at - self.view) } else { self.src }
    }

    /// Where what ends before the byte `at` of the view, inside this run or at its end, ends in the source.
    fn ceil(&self, at: usize) -> usize {
        if self.exact { self.src + (at - self.view) } else { self.src_end() }
    }
}

/// From byte offsets in a view to byte offsets in its source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map {
    /// In order, without gaps in the view, none of them empty there.
    runs: Vec<Run>,
}

impl Map {
    /// The map of a text onto itself, moved: its byte 0 is byte `at` of the source.
    #[must_use]
    pub fn shifted(len: usize, at: usize) -> Map {
        let mut map = Map::default();
        map.push(Run { view: 0, view_len: len, src: at, src_len: len, exact: true });
        map
    }

    /// How many bytes of a view it covers.
    #[must_use]
    pub fn view_len(&self) -> usize {
        self.runs.last().map_or(0, Run::view_end)
    }

    /// The bytes of the source that the bytes `view` stand for. What was left out between them is part of it, what was
    /// left out beside them is not. An empty range gives the empty range where its byte begins. Beyond the view's end
    /// the source's last covered byte ends; a map without runs gives `0..0`.
    #[must_use]
    pub fn source(&self, view: Range<usize>) -> Range<usize> {
        let start = match self.runs.get(self.at(view.start)) {
            Some(run) => run.floor(view.start),
            None => self.runs.last().map_or(0, Run::src_end),
        };
        if view.end <= view.start {
            return start..start;
        }
        let last = self.at(view.end - 1);
        let end = match self.runs.get(last) {
            Some(run) => run.ceil(view.end),
            None => self.runs.last().map_or(0, Run::src_end),
        };
        start..end.max(start)
    }

    /// This map behind another: `self` leads from a view of a view to that view, `inner` from there to the source.
    #[must_use]
    pub fn through(&self, inner: &Map) -> Map {
        let mut map = Map::default();
        for run in &self.runs {
            if !run.exact {
                let source = inner.source(run.src..run.src_end());
                map.push(Run { src: source.start, src_len: source.len(), ..*run });
                continue;
            }
            let mut at = run.src;
            while at < run.src_end() {
                let Some(under) = inner.runs.get(inner.at(at)) else { break };
                let end = run.src_end().min(under.view_end());
                let (view, view_len) = (run.view + (at - run.src), end - at);
                let (src, src_end) = (under.floor(at), under.ceil(end));
                map.push(Run { view, view_len, src, src_len: src_end - src, exact: under.exact });
                at = end;
            }
        }
        map
    }

    /// The index of the run that holds the byte `at` of the view; beyond the end, the number of runs.
    fn at(&self, at: usize) -> usize {
        self.runs.partition_point(|run| run.view_end() <= at)
    }

    fn push(&mut self, run: Run) {
        if run.view_len == 0 {
            return;
        }
        match self.runs.last_mut() {
            Some(last) if last.exact && run.exact && last.src_end() == run.src => {
                last.view_len += run.view_len;
                last.src_len += run.src_len;
            }
            _ => self.runs.push(run),
        }
    }
}

/// A text and its map, built together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapped {
    /// The view's text.
    pub text: String,
    /// The way back.
    pub map: Map,
}

impl Mapped {
    /// An empty view.
    #[must_use]
    pub fn new() -> Mapped {
        Mapped::default()
    }

    /// Adds `text`, which stands at byte `at` of the source as it is. Stretches are added in the source's order; what is
    /// passed over is left out of the view.
    pub fn push_verbatim(&mut self, text: &str, at: usize) {
        let (view, len) = (self.text.len(), text.len());
        self.map.push(Run { view, view_len: len, src: at, src_len: len, exact: true });
        self.text.push_str(text);
    }

    /// Adds `text`, for which the bytes `source` stand in the source.
    pub fn push_replaced(&mut self, text: &str, source: Range<usize>) {
        let (view, view_len) = (self.text.len(), text.len());
        self.map.push(Run { view, view_len, src: source.start, src_len: source.len(), exact: false });
        self.text.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn copied_bytes_map_one_by_one_and_replaced_ones_whole() {
        // source: a & a m p ; b
        let mut view = Mapped::new();
        view.push_verbatim("a", 0);
        view.push_replaced("&&", 1..6);
        view.push_verbatim("b", 6);
        let map = &view.map;
        assert_eq!(view.text, "a&&b");
        assert_eq!(map.source(0..4), 0..7);
        assert_eq!(map.source(0..1), 0..1);
        assert_eq!(map.source(0..2), 0..6);
        assert_eq!(map.source(2..3), 1..6);
        assert_eq!(map.source(2..4), 1..7);
        assert_eq!(map.source(2..2), 1..1);
        assert_eq!(map.source(9..9), 7..7);
    }

    #[test]
    fn what_was_left_out_belongs_to_what_stands_around_it_only() {
        // source: ab--cd--
        let mut view = Mapped::new();
        view.push_verbatim("ab", 0);
        view.push_verbatim("cd", 4);
        assert_eq!(view.map.source(1..3), 1..5);
        assert_eq!(view.map.source(0..2), 0..2);
        assert_eq!(view.map.source(2..4), 4..6);
    }

    #[test]
    fn a_map_without_runs_leads_to_the_beginning() {
        assert_eq!(Map::default().source(0..0), 0..0);
        assert_eq!(Map::default().source(3..5), 0..0);
        assert_eq!(Map::default().through(&Map::shifted(4, 2)), Map::default());
    }

    /// What becomes of a stretch of a source.
    #[derive(Clone, Debug)]
    enum Step {
        Keep(usize),
        Drop(usize),
        Replace(usize, usize),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            (1..4_usize).prop_map(Step::Keep),
            (1..3_usize).prop_map(Step::Drop),
            (0..3_usize, 0..4_usize).prop_map(|(from, to)| Step::Replace(from, to)),
        ];
        proptest::collection::vec(step, 0..12)
    }

    /// Builds a view of a source of `len` bytes, and beside it the model: for each byte of the view, its source.
    fn build(steps: &[Step], len: usize) -> (Mapped, Vec<Range<usize>>) {
        let (mut view, mut model, mut at) = (Mapped::new(), Vec::new(), 0);
        for step in steps {
            match *step {
                Step::Keep(count) => {
                    let count = count.min(len - at);
                    view.push_verbatim(&"k".repeat(count), at);
                    model.extend((at..at + count).map(|byte| byte..byte + 1));
                    at += count;
                }
                Step::Drop(count) => at += count.min(len - at),
                Step::Replace(from, to) => {
                    let from = from.min(len - at);
                    view.push_replaced(&"r".repeat(to), at..at + from);
                    model.extend((0..to).map(|_| at..at + from));
                    at += from;
                }
            }
        }
        (view, model)
    }

    fn naive(model: &[Range<usize>], view: Range<usize>) -> Range<usize> {
        let first = model.get(view.start).or(model.last());
        let start = first.map_or(0, |range| if view.start < model.len() { range.start } else { range.end });
        if view.is_empty() {
            return start..start;
        }
        let last = model.get(view.end - 1).or(model.last());
        start..last.map_or(0, |range| range.end).max(start)
    }

    proptest! {
        #[test]
        fn a_map_and_a_map_of_a_map_behave_as_a_list_of_bytes(one in steps(), two in steps()) {
            let (inner, inner_model) = build(&one, 16);
            prop_assert_eq!(inner.map.view_len(), inner.text.len());
            for start in 0..=inner.text.len() {
                for end in start..=inner.text.len() {
                    prop_assert_eq!(inner.map.source(start..end), naive(&inner_model, start..end));
                }
            }
            let (outer, outer_model) = build(&two, inner.text.len());
            let both = outer.map.through(&inner.map);
            prop_assert_eq!(both.view_len(), outer.text.len());
            let model: Vec<Range<usize>> =
                outer_model.iter().map(|range| naive(&inner_model, range.clone())).collect();
            for start in 0..=outer.text.len() {
                for end in start..=outer.text.len() {
                    prop_assert_eq!(both.source(start..end), naive(&model, start..end));
                }
            }
        }
    }
}
