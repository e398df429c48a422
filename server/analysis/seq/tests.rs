use std::cell::Cell;
use std::rc::Rc;

use proptest::prelude::*;

use super::*;

/// An element whose sum tells its order from any other: count, weight, and the text of all values in a row, hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word(u32);

#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Words {
    count: usize,
    weight: u64,
    /// A polynomial over the values, so that joining in the wrong order shows.
    hash: u64,
    /// What `hash` is multiplied by to make room for this stretch; zero for none.
    power: u64,
}

impl Item for Word {
    type Sum = Words;
    fn sum(&self) -> Words {
        Words { count: 1, weight: u64::from(self.0 % 7), hash: u64::from(self.0) + 1, power: 1_000_003 }
    }
    fn join(a: Words, b: Words) -> Words {
        if a.count == 0 {
            return b;
        }
        if b.count == 0 {
            return a;
        }
        Words {
            count: a.count + b.count,
            weight: a.weight + b.weight,
            hash: a.hash.wrapping_mul(b.power).wrapping_add(b.hash),
            power: a.power.wrapping_mul(b.power),
        }
    }
}

fn words(values: std::ops::Range<u32>) -> Vec<Word> {
    values.map(Word).collect()
}

fn model_sum(words: &[Word]) -> Words {
    words.iter().fold(Words::default(), |sum, word| Word::join(sum, word.sum()))
}

fn well_formed<T: Item>(seq: &Seq<T>) {
    assert_eq!(seq.chunks.len(), seq.ends.len());
    let mut end = 0;
    for (chunk, stored) in seq.chunks.iter().zip(&seq.ends) {
        let len = chunk.items.len();
        end += len;
        assert_eq!(end, *stored);
        assert!(len <= MOST && (len >= LEAST || (len > 0 && seq.chunks.len() == 1)), "a chunk of {len}");
        assert_eq!(chunk.sum, sum_of(&chunk.items));
    }
}

fn agrees(seq: &Seq<Word>, model: &[Word]) {
    well_formed(seq);
    assert_eq!(seq.len(), model.len());
    assert_eq!(seq.is_empty(), model.is_empty());
    assert!(seq.iter_from(0).eq(model));
    assert_eq!(seq.total(), model_sum(model));
}

/// All ways of reading a stretch, against the same stretch of the model.
fn stretch_agrees(seq: &Seq<Word>, model: &[Word], range: Range<usize>) {
    assert_eq!(seq.fold(range.clone()), model_sum(&model[range.clone()]), "{range:?}");
    assert!(seq.iter_range(range.clone()).eq(&model[range.clone()]), "{range:?}");
    assert!(seq.iter_range(range.clone()).rev().eq(model[range.clone()].iter().rev()), "{range:?}");
    assert!(seq.iter_from(range.start).eq(&model[range.start..]));
    assert_eq!(seq.get(range.start), model.get(range.start));
    assert_eq!(seq.get(range.end), model.get(range.end));
    let weight = model_sum(&model[range.clone()]).weight.max(1);
    let expected = (range.start..model.len())
        .find(|at| model_sum(&model[range.start..=*at]).weight >= weight)
        .map(|at| (at, model_sum(&model[range.start..at])));
    assert_eq!(seq.seek_from(range.start, |sum| sum.weight >= weight), expected);
}

#[test]
fn an_empty_sequence() {
    let mut seq = Seq::<Word>::default();
    agrees(&seq, &[]);
    assert_eq!(seq.get(0), None);
    assert_eq!(seq.seek(|_| true), None);
    assert_eq!(seq.iter_from(9).count(), 0);
    assert_eq!(seq.fold(0..0), Words::default());
    seq.update_range(0..0, |_, _| unreachable!("no element"));
    seq.splice(0..0, []);
    agrees(&seq, &[]);
    seq.splice(0..0, words(0..3));
    seq.splice(0..3, []);
    agrees(&seq, &[]);
}

#[test]
fn sizes_around_the_bounds_of_a_chunk() {
    for len in [1, 127, 128, 129, 255, 256, 257, 511, 512, 513, 514, 640, 768, 1023, 1024, 1025, 4097] {
        let seq: Seq<Word> = words(0..len).into_iter().collect();
        agrees(&seq, &words(0..len));
        // One in, and all but one out again.
        for at in [0, len as usize / 2, len as usize] {
            let (mut seq, mut model) = (seq.clone(), words(0..len));
            seq.splice(at..at, [Word(9999)]);
            model.insert(at, Word(9999));
            agrees(&seq, &model);
            seq.splice(1..model.len(), []);
            model.truncate(1);
            agrees(&seq, &model);
        }
    }
}

#[test]
fn seek_finds_the_first_that_reaches() {
    let seq: Seq<Word> = words(0..5000).into_iter().collect();
    for wanted in [1, 2, 256, 257, 4999, 5000] {
        let (index, before) = seq.seek(|sum| sum.count >= wanted).expect("there are as many");
        assert_eq!((index, before.count), (wanted - 1, wanted - 1));
    }
    assert_eq!(seq.seek(|sum| sum.count > 5000), None);
    assert_eq!(seq.seek_from(5000, |_| true), None);
    assert_eq!(seq.seek_from(4000, |sum| sum.count >= 700).map(|(index, _)| index), Some(4699));
}

#[test]
fn many_small_steps_leave_no_small_chunks() {
    type Step = fn(usize) -> usize;
    let places: [(&str, Step); 3] =
        [("at the end", |len| len), ("at the start", |_| 0), ("in the middle", |len| len / 2)];
    for (name, place) in places {
        let (mut seq, mut model) = (Seq::default(), Vec::new());
        for value in 0..3000 {
            let at = place(model.len());
            seq.splice(at..at, [Word(value)]);
            model.insert(at, Word(value));
        }
        agrees(&seq, &model);
        assert!(seq.chunks.len() <= 3000 / LEAST, "{name}: {} chunks", seq.chunks.len());
        while !model.is_empty() {
            let at = place(model.len() - 1);
            seq.splice(at..at + 1, []);
            model.remove(at);
            if model.len() % 50 == 0 {
                agrees(&seq, &model);
            }
        }
    }
}

/// Counts how often elements are copied.
#[derive(Debug)]
struct Counted(Rc<Cell<usize>>);

impl Clone for Counted {
    fn clone(&self) -> Self {
        self.0.set(self.0.get() + 1);
        Counted(Rc::clone(&self.0))
    }
}

impl Item for Counted {
    type Sum = usize;
    fn sum(&self) -> usize {
        1
    }
    fn join(a: usize, b: usize) -> usize {
        a + b
    }
}

#[test]
fn an_edit_copies_its_own_chunk_and_only_if_it_is_shared() {
    let copies = Rc::new(Cell::new(0));
    let new = || Counted(Rc::clone(&copies));
    let mut seq: Seq<Counted> = (0..10_000).map(|_| new()).collect();
    assert_eq!(copies.get(), 0);

    seq.splice(4000..4003, [new()]);
    seq.update(7000, |_| ());
    seq.splice(5000..8000, []);
    assert_eq!(copies.get(), 0, "no snapshot is there");

    let snapshot = seq.clone();
    assert_eq!(copies.get(), 0, "a snapshot copies nothing");
    seq.splice(3000..3001, [new(), new()]);
    let first = copies.get();
    assert!(0 < first && first <= MOST, "one chunk, not {first} elements");
    seq.splice(3001..3002, []);
    seq.update(3001, |_| ());
    assert_eq!(copies.get(), first, "the chunk is no longer shared");
    seq.update_range(100..110, |_, _| ());
    assert!(copies.get() - first <= 2 * MOST);
    assert_eq!((snapshot.len(), seq.len()), (6998, 6998));
}

#[test]
#[should_panic(expected = "outside of the sequence")]
fn a_splice_past_the_end_panics() {
    Seq::from_iter(words(0..3)).splice(2..4, []);
}

#[test]
fn equality_looks_past_the_chunks() {
    let whole: Seq<Word> = words(0..2000).into_iter().collect();
    let mut grown = Seq::default();
    for value in 0..2000 {
        grown.splice(value..value, [Word(value as u32)]);
    }
    assert_eq!(whole, grown);
    grown.update(1999, |word| word.0 = 0);
    assert_ne!(whole, grown);
    grown.splice(1999..2000, []);
    assert_ne!(whole, grown);
}

/// Where and how much, in per mille of the length; how many come in.
#[derive(Clone, Debug)]
enum Step {
    Splice(usize, usize, usize),
    Small(usize, usize, usize),
    Update(usize),
    UpdateRange(usize, usize),
    Snapshot,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..=1000usize, 0..400usize, 0..1500usize).prop_map(|(at, len, new)| Step::Splice(at, len, new)),
        1 => (0..=1000usize, 0..=1000usize, Just(0)).prop_map(|(at, len, new)| Step::Splice(at, len, new)),
        4 => (0..=1000usize, 0..8usize, 0..8usize).prop_map(|(at, len, new)| Step::Small(at, len, new)),
        2 => (0..1000usize).prop_map(Step::Update),
        2 => (0..=1000usize, 0..600usize).prop_map(|(at, len)| Step::UpdateRange(at, len)),
        1 => Just(Step::Snapshot),
    ]
}

proptest! {
    #[test]
    fn a_sequence_behaves_as_a_vector(
        start in 0..2500u32,
        steps in prop::collection::vec(any_step(), 1..30),
        (a, b) in (0..=1000usize, 0..=1000usize),
    ) {
        let mut model = words(0..start);
        let mut seq: Seq<Word> = model.iter().cloned().collect();
        let mut snapshots = Vec::new();
        let mut fresh = 10_000..;
        for step in steps {
            let len = model.len();
            match step {
                Step::Splice(at, much, new) => {
                    let range = at * len / 1000..(at + much).min(1000) * len / 1000;
                    let new: Vec<Word> = fresh.by_ref().take(new).map(Word).collect();
                    seq.splice(range.clone(), new.clone());
                    model.splice(range, new);
                }
                Step::Small(at, much, new) => {
                    let start = at * len / 1000;
                    let range = start..(start + much).min(len);
                    let new: Vec<Word> = fresh.by_ref().take(new).map(Word).collect();
                    seq.splice(range.clone(), new.clone());
                    model.splice(range, new);
                }
                Step::Update(at) if len > 0 => {
                    seq.update(at * len / 1000, |word| word.0 += 1);
                    model[at * len / 1000].0 += 1;
                }
                Step::UpdateRange(at, much) => {
                    let range = at * len / 1000..(at + much).min(1000) * len / 1000;
                    seq.update_range(range.clone(), |index, word| word.0 ^= index as u32);
                    for index in range {
                        model[index].0 ^= index as u32;
                    }
                }
                Step::Update(_) => {}
                Step::Snapshot => snapshots.push((seq.clone(), model.clone())),
            }
            agrees(&seq, &model);
        }
        for (seq, model) in snapshots.iter().chain([&(seq, model)]) {
            agrees(seq, model);
            let (a, b) = (a * model.len() / 1000, b * model.len() / 1000);
            stretch_agrees(seq, model, a.min(b)..a.max(b));
            stretch_agrees(seq, model, a..a);
            stretch_agrees(seq, model, a..(a + 5).min(model.len()));
        }
    }
}
