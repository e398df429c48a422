//! What a keystroke costs in `text` and `seq`, and how fast a file's lines are found. Figures are printed, never
//! asserted: `cargo bench --bench text`.

use std::hint::black_box;

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
