//! The sequence type: chunked, summarised, copy-on-write.
//!
//! Line records and blocks stand in it. What a document needs to know about a stretch of lines ("is there an exception
//! word in this block?", "how many lines before this block?") is one fold over sums kept per chunk, so no stage looks
//! ahead in any other way and no edit costs more than its own chunk. A clone shares every chunk: a snapshot for work
//! on another thread.

use std::ops::Range;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// An element that can be summed up.
pub trait Item: Clone {
    /// What a stretch of elements adds up to. `Default` is the sum of none.
    type Sum: Copy + Default + PartialEq + std::fmt::Debug;
    /// The sum of this element alone.
    fn sum(&self) -> Self::Sum;
    /// The sum of a stretch `a` followed by a stretch `b`. Associative, with `Default` as its unit.
    fn join(a: Self::Sum, b: Self::Sum) -> Self::Sum;
}

/// At most this many elements stand in one chunk.
const MOST: usize = 512;
/// At least this many, unless one chunk is all there is: a sequence built by small steps is as quick as one built whole.
const LEAST: usize = 128;
/// About this many where many are cut up: as far from a merge as from the next cut.
const USUAL: usize = 256;

#[derive(Debug)]
struct Chunk<T: Item> {
    items: Arc<Vec<T>>,
    sum: T::Sum,
}

impl<T: Item> Clone for Chunk<T> {
    fn clone(&self) -> Self {
        Chunk { items: Arc::clone(&self.items), sum: self.sum }
    }
}

impl<T: Item> Chunk<T> {
    fn new(items: Vec<T>) -> Chunk<T> {
        let sum = sum_of(&items);
        Chunk { items: Arc::new(items), sum }
    }

    /// Changes the elements (copied first if a snapshot shares them) and sums them up again.
    fn change(&mut self, change: impl FnOnce(&mut Vec<T>)) {
        change(Arc::make_mut(&mut self.items));
        self.sum = sum_of(&self.items);
    }
}

fn sum_of<T: Item>(items: &[T]) -> T::Sum {
    let mut sum = T::Sum::default();
    for item in items {
        sum = T::join(sum, item.sum());
    }
    sum
}

/// A sequence of `T`.
#[derive(Clone, Debug)]
pub struct Seq<T: Item> {
    /// None is empty.
    chunks: Vec<Chunk<T>>,
    /// Of each chunk, how many elements there are up to its end.
    ends: Vec<usize>,
}

impl<T: Item> Default for Seq<T> {
    fn default() -> Self {
        Seq { chunks: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Item> FromIterator<T> for Seq<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut seq = Seq::default();
        seq.splice(0..0, items);
        seq
    }
}

/// Equal element by element, wherever the chunks begin.
impl<T: Item + PartialEq> PartialEq for Seq<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter_from(0).eq(other.iter_from(0))
    }
}

impl<T: Item + Eq> Eq for Seq<T> {}

impl<T: Item> Seq<T> {
    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Whether there is no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// How many elements stand before chunk `chunk`.
    fn before(&self, chunk: usize) -> usize {
        if chunk == 0 { 0 } else { self.ends[chunk - 1] }
    }

    /// The chunk that holds element `index` and the index within it; past the end, the chunk after the last.
    fn locate(&self, index: usize) -> (usize, usize) {
        let chunk = self.ends.partition_point(|end| *end <= index);
        (chunk, index - self.before(chunk))
    }

    /// The part of chunk `chunk` that lies in `range`.
    fn part(&self, chunk: usize, range: &Range<usize>) -> &[T] {
        let (start, end) = (self.before(chunk), self.ends[chunk]);
        &self.chunks[chunk].items[range.start.max(start) - start..range.end.min(end) - start]
    }

    /// The chunks that hold elements of `range`.
    fn chunks_in(&self, range: &Range<usize>) -> Range<usize> {
        assert!(range.start <= range.end && range.end <= self.len(), "a range outside of the sequence");
        let first = self.locate(range.start).0;
        let last = first + self.ends[first..].partition_point(|end| *end < range.end);
        first..if range.is_empty() { first } else { last + 1 }
    }

    /// The element at `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        let (chunk, within) = self.locate(index);
        self.chunks.get(chunk)?.items.get(within)
    }

    /// The elements from `index` on: none if it is past the end.
    pub fn iter_from(&self, index: usize) -> impl DoubleEndedIterator<Item = &T> {
        self.iter_range(index.min(self.len())..self.len())
    }

    /// The elements in `range`, which must lie within the sequence; from either end, so also back from a place.
    pub fn iter_range(&self, range: Range<usize>) -> impl DoubleEndedIterator<Item = &T> {
        self.chunks_in(&range).flat_map(move |chunk| self.part(chunk, &range))
    }

    /// The sum of the elements in `range`, which must lie within the sequence.
    #[must_use]
    pub fn fold(&self, range: Range<usize>) -> T::Sum {
        self.chunks_in(&range).fold(T::Sum::default(), |sum, at| {
            let (part, chunk) = (self.part(at, &range), &self.chunks[at]);
            T::join(sum, if part.len() == chunk.items.len() { chunk.sum } else { sum_of(part) })
        })
    }

    /// The sum of all elements.
    #[must_use]
    pub fn total(&self) -> T::Sum {
        self.chunks.iter().fold(T::Sum::default(), |sum, chunk| T::join(sum, chunk.sum))
    }

    /// The first element for which `reached` holds of the sum up to and including it, given that it holds from there
    /// on: its index, and the sum of all before it. `None` if it never holds.
    pub fn seek(&self, reached: impl Fn(&T::Sum) -> bool) -> Option<(usize, T::Sum)> {
        self.seek_from(0, reached)
    }

    /// As [`seek`](Seq::seek), with the sums begun at element `start`, which may be the end but not past it.
    pub fn seek_from(&self, start: usize, reached: impl Fn(&T::Sum) -> bool) -> Option<(usize, T::Sum)> {
        let range = start..self.len();
        let mut sum = T::Sum::default();
        for at in self.chunks_in(&range) {
            let (part, chunk) = (self.part(at, &range), &self.chunks[at]);
            if part.len() == chunk.items.len() {
                let with = T::join(sum, chunk.sum);
                if !reached(&with) {
                    sum = with;
                    continue;
                }
            }
            let first = self.ends[at] - part.len();
            for (within, item) in part.iter().enumerate() {
                let with = T::join(sum, item.sum());
                if reached(&with) {
                    return Some((first + within, sum));
                }
                sum = with;
            }
        }
        None
    }

    /// Changes the element at `index`, which must exist, in place.
    pub fn update(&mut self, index: usize, change: impl FnOnce(&mut T)) {
        assert!(index < self.len(), "an index outside of the sequence");
        let (chunk, within) = self.locate(index);
        self.chunks[chunk].change(|items| change(&mut items[within]));
    }

    /// Changes the elements in `range`, which must lie within the sequence, in place; `change` gets each with its
    /// index. Sums up each chunk once, so it is far cheaper than as many calls of [`update`](Seq::update).
    pub fn update_range(&mut self, range: Range<usize>, mut change: impl FnMut(usize, &mut T)) {
        for chunk in self.chunks_in(&range) {
            let start = self.before(chunk);
            let part = range.start.max(start)..range.end.min(self.ends[chunk]);
            self.chunks[chunk].change(|items| {
                for index in part {
                    change(index, &mut items[index - start]);
                }
            });
        }
    }

    /// Replaces the elements in `range`, which must lie within the sequence, by `items`.
    ///
    /// Copies or moves no chunk but those that `range` stands in, save for one neighbour where too few are left in them.
    pub fn splice<I: IntoIterator<Item = T>>(&mut self, range: Range<usize>, items: I) {
        let touched = self.chunks_in(&range);
        let items: Vec<T> = items.into_iter().collect();
        // Nothing is taken out between two chunks: what comes in goes to the end of the one before.
        let touched = match touched.len() {
            0 if items.is_empty() => return,
            0 if self.chunks.is_empty() => 0..0,
            0 if range.start == self.before(touched.start) && touched.start > 0 => {
                touched.start - 1..touched.start
            }
            0 => touched.start..touched.start + 1,
            _ => touched,
        };
        let start = self.before(touched.start);
        let stop = if touched.is_empty() { start } else { self.ends[touched.end - 1] };
        let left = stop - start - range.len() + items.len();
        let within = range.start - start..range.end - start;
        let in_place =
            touched.len() == 1 && left <= MOST && (left >= LEAST || (left > 0 && self.chunks.len() == 1));
        if in_place {
            let (removed, inserted) = (within.len(), items.len());
            self.chunks[touched.start].change(|old| drop(old.splice(within, items)));
            for end in &mut self.ends[touched.start..] {
                *end = *end + inserted - removed;
            }
        } else {
            self.rebuild(touched, within, items);
        }
    }

    /// Builds the chunks `touched` anew, with `items` in place of the elements `within` (counted from the first of
    /// those chunks on).
    fn rebuild(&mut self, mut touched: Range<usize>, within: Range<usize>, items: Vec<T>) {
        let old_end = if touched.is_empty() { 0 } else { self.ends[touched.end - 1] };
        let mut merged = match touched.len() {
            0 => items,
            1 => {
                let mut merged = self.take_chunk(touched.start, 0..usize::MAX);
                merged.splice(within, items);
                merged
            }
            _ => {
                let start = self.before(touched.start);
                let tail = start + within.end - self.before(touched.end - 1);
                let mut merged = self.take_chunk(touched.start, 0..within.start);
                merged.extend(items);
                merged.append(&mut self.take_chunk(touched.end - 1, tail..usize::MAX));
                merged
            }
        };
        let mut shift_from = old_end;
        if !merged.is_empty() && merged.len() < LEAST {
            let len = |at: usize| self.chunks.get(at).map_or(usize::MAX, |chunk| chunk.items.len());
            let left = touched.start.checked_sub(1).map_or(usize::MAX, len);
            let right = len(touched.end);
            if left < right {
                touched.start -= 1;
                let mut whole = self.take_chunk(touched.start, 0..usize::MAX);
                whole.append(&mut merged);
                merged = whole;
            } else if right < usize::MAX {
                merged.append(&mut self.take_chunk(touched.end, 0..usize::MAX));
                shift_from = self.ends[touched.end];
                touched.end += 1;
            }
        }

        let chunks: Vec<_> = cut(merged).into_iter().map(Chunk::new).collect();
        let mut end = self.before(touched.start);
        let mut ends = Vec::with_capacity(chunks.len());
        for chunk in &chunks {
            end += chunk.items.len();
            ends.push(end);
        }
        let rest = touched.start + ends.len();
        self.chunks.splice(touched.clone(), chunks);
        self.ends.splice(touched, ends);
        for later in &mut self.ends[rest..] {
            *later = *later - shift_from + end;
        }
    }

    /// The elements `range` (its end clamped) of a chunk that is given up: moved if no snapshot shares them, else
    /// copied.
    fn take_chunk(&mut self, chunk: usize, range: Range<usize>) -> Vec<T> {
        let items = &mut self.chunks[chunk].items;
        let end = range.end.min(items.len());
        match Arc::get_mut(items) {
            Some(own) => {
                own.truncate(end);
                own.drain(..range.start);
                std::mem::take(own)
            }
            None => items[range.start..end].to_vec(),
        }
    }
}

/// `items` in parts as chunks hold them: one if they fit, else of equal size, about [`USUAL`] each.
fn cut<T>(items: Vec<T>) -> Vec<Vec<T>> {
    if items.is_empty() {
        return Vec::new();
    }
    if items.len() <= MOST {
        return vec![items];
    }
    let parts = items.len().div_ceil(USUAL);
    let (size, larger) = (items.len() / parts, items.len() % parts);
    let mut rest = items.into_iter();
    (0..parts).map(|part| rest.by_ref().take(size + usize::from(part < larger)).collect()).collect()
}
