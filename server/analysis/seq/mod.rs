//! The sequence type: chunked, summarised, copy-on-write.
//!
//! Line records and blocks stand in it. What a document needs to know about a stretch of lines ("is there an exception
//! word in this block?", "how many lines before this block?") is one fold over sums kept per chunk, so no stage looks
//! ahead in any other way and no edit costs more than its own chunk. A clone shares every chunk: a snapshot for work
//! on another thread.

use std::ops::Range;
use std::sync::Arc;

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
const CHUNK: usize = 512;

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
}

fn sum_of<T: Item>(items: &[T]) -> T::Sum {
    items.iter().fold(T::Sum::default(), |sum, item| T::join(sum, item.sum()))
}

/// A sequence of `T`.
#[derive(Clone, Debug)]
pub struct Seq<T: Item> {
    chunks: Vec<Chunk<T>>,
    len: usize,
}

impl<T: Item> Default for Seq<T> {
    fn default() -> Self {
        Seq { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Item> FromIterator<T> for Seq<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut seq = Seq::default();
        seq.splice(0..0, items);
        seq
    }
}

impl<T: Item> Seq<T> {
    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The chunk that holds element `index` and the index within it; past the end, the chunk after the last.
    fn locate(&self, index: usize) -> (usize, usize) {
        let mut left = index;
        for (at, chunk) in self.chunks.iter().enumerate() {
            if left < chunk.items.len() {
                return (at, left);
            }
            left -= chunk.items.len();
        }
        (self.chunks.len(), left)
    }

    /// The element at `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        let (chunk, within) = self.locate(index);
        self.chunks.get(chunk)?.items.get(within)
    }

    /// The elements from `index` on.
    pub fn iter_from(&self, index: usize) -> impl Iterator<Item = &T> {
        let (chunk, within) = self.locate(index);
        let skip = if chunk < self.chunks.len() { within } else { 0 };
        self.chunks[chunk.min(self.chunks.len())..].iter().flat_map(|c| c.items.iter()).skip(skip)
    }

    /// The sum of the elements in `range`, which must lie within the sequence.
    #[must_use]
    pub fn fold(&self, range: Range<usize>) -> T::Sum {
        let mut sum = T::Sum::default();
        let mut before = 0;
        for chunk in &self.chunks {
            let (start, end) = (before, before + chunk.items.len());
            before = end;
            if end <= range.start {
                continue;
            }
            if start >= range.end {
                break;
            }
            let part = if range.start <= start && end <= range.end {
                chunk.sum
            } else {
                sum_of(&chunk.items[range.start.saturating_sub(start)..range.end.min(end) - start])
            };
            sum = T::join(sum, part);
        }
        sum
    }

    /// The sum of all elements.
    #[must_use]
    pub fn total(&self) -> T::Sum {
        self.chunks.iter().fold(T::Sum::default(), |sum, chunk| T::join(sum, chunk.sum))
    }

    /// The first element for which `reached` holds of the sum up to and including it, given that it holds from there
    /// on: its index, and the sum of all before it. `None` if it never holds.
    pub fn seek(&self, reached: impl Fn(&T::Sum) -> bool) -> Option<(usize, T::Sum)> {
        let mut sum = T::Sum::default();
        let mut index = 0;
        for chunk in &self.chunks {
            let with = T::join(sum, chunk.sum);
            if reached(&with) {
                for item in chunk.items.iter() {
                    let with = T::join(sum, item.sum());
                    if reached(&with) {
                        return Some((index, sum));
                    }
                    sum = with;
                    index += 1;
                }
            }
            sum = with;
            index += chunk.items.len();
        }
        None
    }

    /// Changes the element at `index` in place.
    pub fn update(&mut self, index: usize, change: impl FnOnce(&mut T)) {
        let (at, within) = self.locate(index);
        let chunk = &mut self.chunks[at];
        change(&mut Arc::make_mut(&mut chunk.items)[within]);
        chunk.sum = sum_of(&chunk.items);
    }

    /// Replaces the elements in `range`, which must lie within the sequence, by `items`.
    pub fn splice<I: IntoIterator<Item = T>>(&mut self, range: Range<usize>, items: I) {
        let (first, within) = self.locate(range.start);
        let (mut last, mut end) = self.locate(range.end);
        // An end at the start of a chunk is the end of the one before: that chunk stays as it is.
        if end == 0 && last > first {
            last -= 1;
            end = self.chunks[last].items.len();
        }
        let mut merged: Vec<T> = Vec::new();
        if let Some(chunk) = self.chunks.get(first) {
            merged.extend_from_slice(&chunk.items[..within]);
        }
        merged.extend(items);
        if let Some(chunk) = self.chunks.get(last) {
            merged.extend_from_slice(&chunk.items[end..]);
        }
        let stop = (last + 1).min(self.chunks.len());
        let start = first.min(self.chunks.len());
        let old: usize = self.chunks[start..stop.max(start)].iter().map(|c| c.items.len()).sum();
        self.len = self.len - old + merged.len();
        let parts = merged.len().div_ceil(CHUNK);
        let mut chunks = Vec::with_capacity(parts);
        if parts > 0 {
            let size = merged.len().div_ceil(parts);
            let mut rest = merged.into_iter();
            loop {
                let part: Vec<T> = rest.by_ref().take(size).collect();
                if part.is_empty() {
                    break;
                }
                chunks.push(Chunk::new(part));
            }
        }
        self.chunks.splice(start..stop.max(start), chunks);
    }
}
