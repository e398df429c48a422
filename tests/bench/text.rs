//! What a keystroke costs in `text` and `seq`, and how fast a file's lines are found. Figures are printed, never
//! asserted: `cargo bench --bench text`.

use std::hint::black_box;

use caveat_analysis::seq::{Item, Seq};
use caveat_analysis::text::{Edit, Encoding, Position, Source, Str, Text};
use divan::Bencher;
use divan::counter::BytesCount;

fn main() {
    divan::main();
}

/// 2 MiB of short lines, one in eight of them not ASCII.
fn large() -> String {
    let mut text = String::new();
    let mut line = 0;
    while text.len() < 2 << 20 {
        let content = if line % 8 == 7 {
            "– „naïve“ 🎉 text, to be walked"
        } else {
            "run the tests, then `make install`"
        };
        text.push_str(content);
        text.push('\n');
        line += 1;
    }
    text
}

#[divan::bench]
fn str_new(bencher: Bencher) {
    let text = large();
    bencher.counter(BytesCount::of_str(&text)).bench(|| Str::new(black_box(&text)));
}

#[divan::bench]
fn text_new(bencher: Bencher) {
    let text = large();
    bencher.counter(BytesCount::of_str(&text)).bench(|| Text::new(black_box(&text)));
}

/// Every line of the source, summed up so that none can be left out.
fn read_all(source: &dyn Source) -> usize {
    let mut bytes = 0;
    source.for_lines(0..source.line_count(), &mut |_, line| bytes += line.len());
    bytes
}

#[divan::bench]
fn str_lines(bencher: Bencher) {
    let text = large();
    let source = Str::new(&text);
    bencher.counter(BytesCount::of_str(&text)).bench(|| read_all(black_box(&source)));
}

#[divan::bench]
fn text_lines(bencher: Bencher) {
    let text = large();
    let source = Text::new(&text);
    bencher.counter(BytesCount::of_str(&text)).bench(|| read_all(black_box(&source)));
}

#[divan::bench]
fn text_lines_one_by_one(bencher: Bencher) {
    let text = large();
    let source = Text::new(&text);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| (0..source.line_count()).map(|line| source.line(line).len()).sum::<usize>());
}

/// A letter typed in the middle and taken back.
#[divan::bench]
fn text_type_and_delete(bencher: Bencher) {
    let mut text = Text::new(&large());
    let line = text.line_count() as u32 / 2;
    let (from, to) = (Position { line, column: 9 }, Position { line, column: 10 });
    let insert = Edit { range: Some((from, from)), text: "x".into() };
    let delete = Edit { range: Some((from, to)), text: String::new() };
    bencher.bench_local(|| {
        let first = text.apply(&insert, Encoding::Utf16);
        first.then(text.apply(&delete, Encoding::Utf16))
    });
}

/// As an editor with full synchronisation types it: the whole text is sent for one letter.
#[divan::bench]
fn text_type_by_full_text(bencher: Bencher) {
    let old = large();
    let mut new = old.clone();
    new.insert(1 << 20, 'x');
    let edits = [new, old.clone()].map(|text| Edit { range: None, text });
    let mut text = Text::new(&old);
    bencher.bench_local(|| edits.each_ref().map(|edit| text.apply(edit, Encoding::Utf16)));
}

#[divan::bench]
fn text_position_of(bencher: Bencher) {
    let text = Text::new(&large());
    let offset = text.line_start(text.line_count() / 2 / 8 * 8 + 7) + 20;
    bencher.bench(|| text.position_of(black_box(offset), Encoding::Utf16));
}

#[divan::bench]
fn text_offset_of(bencher: Bencher) {
    let text = Text::new(&large());
    let position = Position { line: text.line_count() as u32 / 2 / 8 * 8 + 7, column: 20 };
    bencher.bench(|| text.offset_of(black_box(position), Encoding::Utf16));
}

/// A text of one line, 2 MiB long: nothing may walk it.
#[divan::bench]
fn text_offset_of_in_one_long_line(bencher: Bencher) {
    let text = Text::new(&large().replace('\n', " "));
    let position = Position { line: 0, column: 1 << 20 };
    bencher.bench(|| text.offset_of(black_box(position), Encoding::Utf16));
}

/// As large as what stands in the sequence for a line, with something to drop.
#[derive(Clone)]
struct Record {
    bytes: u32,
    cues: u64,
    facts: Option<Box<[u64]>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    lines: u32,
    bytes: u32,
    facts: u32,
    cues: u64,
}

impl Item for Record {
    type Sum = Sum;
    fn sum(&self) -> Sum {
        let facts = self.facts.as_ref().map_or(0, |facts| facts.len() as u32);
        Sum { lines: 1, bytes: self.bytes, facts, cues: self.cues }
    }
    fn join(a: Sum, b: Sum) -> Sum {
        Sum {
            lines: a.lines + b.lines,
            bytes: a.bytes + b.bytes,
            facts: a.facts + b.facts,
            cues: a.cues | b.cues,
        }
    }
}

/// The sizes of sequence that the benchmarks below are run at.
const SIZES: [usize; 2] = [50_000, 100_000];

fn record(index: usize) -> Record {
    let facts = index.is_multiple_of(16).then(|| vec![index as u64; 2].into_boxed_slice());
    Record { bytes: 40, cues: 1 << (index % 64), facts }
}

fn records(len: usize) -> Seq<Record> {
    (0..len).map(record).collect()
}

#[divan::bench(args = SIZES)]
fn seq_build(bencher: Bencher, len: usize) {
    bencher.with_inputs(|| (0..len).map(record).collect::<Vec<_>>()).bench_values(Seq::from_iter);
}

/// A line put in and taken out again.
#[divan::bench(args = SIZES)]
fn seq_splice_in_and_out(bencher: Bencher, len: usize) {
    let mut seq = records(len);
    bencher.bench_local(|| {
        seq.splice(len / 2..len / 2, [record(1)]);
        seq.splice(len / 2..len / 2 + 1, []);
    });
}

/// A line replaced while a snapshot shares every chunk, and the next snapshot taken.
#[divan::bench(args = SIZES)]
fn seq_splice_and_snapshot(bencher: Bencher, len: usize) {
    let mut seq = records(len);
    let mut snapshot = seq.clone();
    bencher.bench_local(|| {
        seq.splice(len / 2..len / 2 + 1, [record(1)]);
        snapshot = seq.clone();
        snapshot.len()
    });
}

#[divan::bench(args = SIZES)]
fn seq_snapshot(bencher: Bencher, len: usize) {
    let seq = records(len);
    bencher.bench(|| seq.clone());
}

#[divan::bench(args = SIZES)]
fn seq_get(bencher: Bencher, len: usize) {
    let seq = records(len);
    bencher.bench(|| seq.get(black_box(len - 9)).map(|record| record.bytes));
}

/// The sum of nearly all elements: two chunks element by element, the others whole.
#[divan::bench(args = SIZES)]
fn seq_fold(bencher: Bencher, len: usize) {
    let seq = records(len);
    bencher.bench(|| seq.fold(black_box(100..len - 100)));
}

/// The sum of a block of ordinary size.
#[divan::bench(args = SIZES)]
fn seq_fold_block(bencher: Bencher, len: usize) {
    let seq = records(len);
    bencher.bench(|| seq.fold(black_box(len / 2..len / 2 + 20)));
}

#[divan::bench(args = SIZES)]
fn seq_seek(bencher: Bencher, len: usize) {
    let seq = records(len);
    let wanted = len as u32 - 9;
    bencher.bench(|| seq.seek(|sum| sum.lines > black_box(wanted)));
}

#[divan::bench(args = SIZES)]
fn seq_update(bencher: Bencher, len: usize) {
    let mut seq = records(len);
    bencher.bench_local(|| seq.update(len / 2, |record| record.bytes += 1));
}
