use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;

/// The plainest possible text: a `String`, searched from the start for everything.
struct Model(String);

impl Model {
    /// Every line with its terminator.
    fn whole_lines(&self) -> Vec<&str> {
        let mut lines = Vec::new();
        let mut start = 0;
        let mut chars = self.0.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if c == '\n' || (c == '\r' && chars.peek().map(|next| next.1) != Some('\n')) {
                lines.push(&self.0[start..at + 1]);
                start = at + 1;
            }
        }
        lines.push(&self.0[start..]);
        lines
    }

    fn lines(&self) -> Vec<&str> {
        self.whole_lines().into_iter().map(|line| line.trim_end_matches(['\r', '\n'])).collect()
    }

    fn starts(&self) -> Vec<usize> {
        let lens = self.whole_lines().into_iter().map(str::len);
        std::iter::once(0)
            .chain(lens.scan(0, |sum, len| {
                *sum += len;
                Some(*sum)
            }))
            .take(self.lines().len())
            .collect()
    }

    fn units(c: char, encoding: Encoding) -> usize {
        match encoding {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }

    fn offset_of(&self, position: Position, encoding: Encoding) -> usize {
        let lines = self.lines();
        let Some(line) = lines.get(position.line as usize) else { return self.0.len() };
        let mut column = 0;
        let mut bytes = 0;
        for c in line.chars() {
            column += Self::units(c, encoding);
            if column > position.column as usize {
                break;
            }
            bytes += c.len_utf8();
        }
        self.starts()[position.line as usize] + bytes
    }

    fn position_of(&self, offset: usize, encoding: Encoding) -> Position {
        let starts = self.starts();
        let line = starts.iter().rposition(|start| *start <= offset).unwrap_or(0);
        let mut column = 0;
        let mut bytes = starts[line];
        for c in self.lines()[line].chars() {
            bytes += c.len_utf8();
            if bytes > offset {
                break;
            }
            column += Self::units(c, encoding);
        }
        Position { line: line as u32, column: column as u32 }
    }

    fn apply(&mut self, edit: &Edit, encoding: Encoding) {
        match edit.range {
            None => self.0 = edit.text.clone(),
            Some((from, to)) => {
                let (from, to) = (self.offset_of(from, encoding), self.offset_of(to, encoding));
                self.0.replace_range(from.min(to)..from.max(to), &edit.text);
            }
        }
    }
}

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

fn agrees(source: &dyn Source, model: &Model) {
    let (lines, starts) = (model.lines(), model.starts());
    assert_eq!(source.line_count(), lines.len());
    assert_eq!(source.len(), model.0.len());
    assert_eq!(source.is_empty(), model.0.is_empty());
    for (number, line) in lines.iter().enumerate() {
        assert_eq!(source.line(number), *line, "line {number}");
        assert_eq!(source.line_start(number), starts[number], "start of line {number}");
    }
    for from in [0, lines.len() / 2, lines.len() - 1] {
        let mut read = Vec::new();
        source.for_lines(from..lines.len(), &mut |number, line| read.push((number, line.to_owned())));
        let expected: Vec<_> = lines.iter().map(|line| line.to_string()).enumerate().skip(from).collect();
        assert_eq!(read, expected, "lines from {from}");
    }
}

/// Every position and offset of a text, and some past its end, in every encoding.
fn places_agree(text: &str) {
    let (rope, plain, model) = (Text::new(text), Str::new(text), Model(text.to_owned()));
    for encoding in ENCODINGS {
        for offset in 0..text.len() + 2 {
            let expected = model.position_of(offset, encoding);
            assert_eq!(
                rope.position_of(offset, encoding),
                expected,
                "{encoding:?} byte {offset} of {text:?}"
            );
            assert_eq!(
                plain.position_of(offset, encoding),
                expected,
                "{encoding:?} byte {offset} of {text:?}"
            );
            assert_eq!(rope.line_at(offset), expected.line as usize);
            assert_eq!(plain.line_at(offset), expected.line as usize);
        }
        for (line, content) in model.lines().iter().chain([&""]).enumerate() {
            for column in (0..content.len() + 2).chain([u32::MAX as usize]) {
                let position = Position { line: line as u32, column: column as u32 };
                let expected = model.offset_of(position, encoding);
                assert_eq!(
                    rope.offset_of(position, encoding),
                    expected,
                    "{encoding:?} {position:?} of {text:?}"
                );
                assert_eq!(
                    plain.offset_of(position, encoding),
                    expected,
                    "{encoding:?} {position:?} of {text:?}"
                );
            }
        }
    }
}

fn assert_sound(change: Change, before: &str, after: &str) {
    let (before, after) = (Model(before.to_owned()), Model(after.to_owned()));
    let (old, new) = (before.whole_lines(), after.whole_lines());
    let Change { first, removed, inserted } = change;
    assert!(first + removed <= old.len() && first + inserted <= new.len(), "{change:?}");
    assert_eq!(old[..first], new[..first], "{change:?}");
    assert_eq!(old[first + removed..], new[first + inserted..], "{change:?}");
}

/// Replaces the bytes `range` of `before` by `text`, and checks the result and the lines said to be touched.
#[track_caller]
fn check_change(
    before: &str,
    range: Range<usize>,
    text: &str,
    (first, removed, inserted): (usize, usize, usize),
) {
    let mut after = before.to_owned();
    after.replace_range(range.clone(), text);
    let mut rope = Text::new(before);
    let change = rope.replace_bytes(range, text);
    assert_eq!(rope.to_string(), after);
    assert_eq!(change, Change { first, removed, inserted }, "{before:?} to {after:?}");
    assert_sound(change, before, &after);
    agrees(&rope, &Model(after));
}

fn at(line: u32, column: u32) -> Position {
    Position { line, column }
}

#[test]
fn lines_end_at_lf_crlf_and_cr() {
    for (text, lines) in [
        ("", vec![""]),
        ("a", vec!["a"]),
        ("a\n", vec!["a", ""]),
        ("\n", vec!["", ""]),
        ("a\r\nb\rc\nd", vec!["a", "b", "c", "d"]),
        ("a\r\r\n", vec!["a", "", ""]),
        ("a\n\r", vec!["a", "", ""]),
        ("\r\n\r\n", vec!["", "", ""]),
        ("\u{feff}a\0b\n\0", vec!["\u{feff}a\0b", "\0"]),
    ] {
        let model = Model(text.to_owned());
        assert_eq!(model.lines(), lines, "{text:?}");
        agrees(&Text::new(text), &model);
        agrees(&Str::new(text), &model);
    }
}

#[test]
fn no_other_character_ends_a_line() {
    for c in ['\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}', '\0'] {
        let text = format!("a{c}b");
        assert_eq!(Text::new(&text).line_count(), 1, "{c:?}");
        assert_eq!(Str::new(&text).line_count(), 1, "{c:?}");
        assert_eq!(Text::new(&text).line(0), text);
        // An edit must not see one either.
        let mut edited = Text::new("ab");
        let edit = Edit { range: Some((at(0, 1), at(0, 1))), text: c.to_string() };
        assert_eq!(edited.apply(&edit, Encoding::Utf16), Change { first: 0, removed: 1, inserted: 1 });
        assert_eq!(edited.line_count(), 1, "{c:?}");
    }
}

#[test]
fn positions_are_clamped() {
    for text in ["", "\n", "a🎉é\r\nb\r", "\u{feff}e\u{301}\0\n🎉", "\r\n\r\r\n"] {
        places_agree(text);
    }
    let text = Text::new("a🎉b\r\nc\n");
    for (position, encoding, offset) in [
        (at(0, 2), Encoding::Utf16, 1), // inside the surrogate pair
        (at(0, 3), Encoding::Utf16, 5),
        (at(0, 3), Encoding::Utf8, 1), // inside the four bytes
        (at(0, 2), Encoding::Utf32, 5),
        (at(0, 99), Encoding::Utf16, 6), // before the terminator
        (at(2, 0), Encoding::Utf16, 10),
        (at(2, 7), Encoding::Utf16, 10),
        (at(3, 0), Encoding::Utf16, 10),
        (at(u32::MAX, u32::MAX), Encoding::Utf8, 10),
    ] {
        assert_eq!(text.offset_of(position, encoding), offset, "{position:?}");
    }
}

#[test]
fn lines_longer_than_a_rope_chunk_have_the_same_positions() {
    places_agree(&"e\u{301}🎉 x".repeat(250));
    places_agree(&format!("{}\r\n{}\r", "🎉".repeat(400), "é".repeat(700)));
}

#[test]
fn an_edit_tells_the_lines_it_touched() {
    // Within a line.
    check_change("a\nb\nc", 2..2, "x", (1, 1, 1));
    check_change("a\nb\nc", 3..3, "x", (1, 1, 1));
    check_change("a\nb\nc", 2..3, "", (1, 1, 1));
    check_change("a\nb\nc", 0..5, "", (0, 3, 1));
    // Whole lines put in and taken out.
    check_change("a\nb\nc", 2..2, "x\n", (1, 0, 1));
    check_change("a\nb\nc", 2..4, "", (1, 1, 0));
    check_change("a\nb\nc", 1..3, "", (0, 2, 1));
    check_change("a\n", 0..2, "", (0, 1, 0));
    check_change("a\n", 2..2, "x\n", (1, 0, 1));
    check_change("a\n", 2..2, "x", (1, 1, 1));
    check_change("", 0..0, "x", (0, 1, 1));
    check_change("a", 1..1, "\n", (0, 1, 2));
    // Nothing.
    check_change("a\nb", 3..3, "", (1, 0, 0));
    check_change("a\nb", 0..3, "a\nb", (1, 0, 0));
    // What is replaced by the same is not touched.
    check_change("a\nb\nc\nd", 0..7, "a\nx\nc\nd", (1, 1, 1));
    check_change("é\nd", 0..4, "è\nd", (0, 1, 1));
    check_change("aa", 0..2, "aaa", (0, 1, 1));
}

#[test]
fn a_crlf_split_or_joined_is_touched() {
    check_change("a\r\nb", 2..2, "x", (0, 1, 2)); // between CR and LF
    check_change("a\r\nb", 2..3, "", (0, 1, 1)); // LF deleted
    check_change("a\r\nb", 1..2, "", (0, 1, 1)); // CR deleted
    check_change("a\nb", 1..1, "\r", (0, 1, 1)); // CR before LF
    check_change("a\rb", 2..2, "\n", (0, 1, 1)); // LF after CR
    check_change("a\rb\nc", 2..3, "", (0, 2, 1)); // CR and LF meet
    check_change("a\rb", 2..3, "\nb", (0, 1, 1));
    check_change("a\r\n", 2..2, "\r", (0, 1, 2));
    check_change("a\r\n", 2..2, "\n", (0, 1, 2));
    check_change("a\r\nb", 2..3, "\rb\n", (0, 1, 3));
    check_change("\r\n", 0..1, "", (0, 1, 1));
}

#[test]
fn a_reversed_range_is_its_mirror_image() {
    let mut text = Text::new("one\ntwo\nthree");
    let change = text.apply(&Edit { range: Some((at(2, 1), at(0, 2))), text: "-".into() }, Encoding::Utf16);
    assert_eq!(text.to_string(), "on-hree");
    assert_eq!(change, Change { first: 0, removed: 3, inserted: 1 });
}

#[test]
fn a_whole_text_replaced_touches_what_differs() {
    let old = "one\r\ntwo\nthree\n";
    for (new, (first, removed, inserted)) in [
        (old, (3, 0, 0)),
        ("one\r\nTWO\nthree\n", (1, 1, 1)),
        ("one\ntwo\nthree\n", (0, 1, 1)),
        ("one\r\ntwo\nthree", (2, 2, 1)),
        ("zero\none\r\ntwo\nthree\n", (0, 0, 1)),
        ("one\r\nthree\n", (1, 2, 1)), // the two lines taken for one have their first letter in common
        ("", (0, 3, 0)),
        ("other", (0, 4, 1)),
    ] {
        let mut text = Text::new(old);
        let change = text.apply(&Edit { range: None, text: new.into() }, Encoding::Utf16);
        assert_eq!(text.to_string(), new);
        assert_sound(change, old, new);
        assert_eq!(change, Change { first, removed, inserted }, "{new:?}");
    }
}

#[test]
fn changes_merge_into_one_that_covers_them() {
    let change = |(first, removed, inserted)| Change { first, removed, inserted };
    for (one, two, both) in [
        ((3, 1, 1), (3, 1, 1), (3, 1, 1)),
        ((3, 1, 2), (8, 1, 1), (3, 5, 6)), // apart: what stands between is covered
        ((8, 1, 1), (3, 1, 2), (3, 6, 7)),
        ((3, 0, 5), (4, 2, 0), (3, 0, 3)), // within what came in
        ((3, 4, 1), (2, 3, 1), (2, 6, 1)),
        ((3, 0, 0), (9, 1, 1), (9, 1, 1)), // nothing before
        ((3, 1, 2), (0, 0, 0), (3, 1, 2)), // nothing after
    ] {
        assert_eq!(change(one).then(change(two)), change(both), "{one:?} then {two:?}");
    }
}

#[test]
fn debugging_prints_no_text() {
    let text = "a word of the document";
    let printed = format!("{:?} {:?}", Text::new(text), Str::new(text));
    assert_eq!(printed, "Text { bytes: 22, lines: 1 } Str { bytes: 22, lines: 1 }");
}

#[test]
fn a_walk_can_be_broken_off() {
    let text = "a\nb\nc\nd";
    for source in [&Text::new(text) as &dyn Source, &Str::new(text)] {
        let mut read = String::new();
        source.walk_lines(1..4, &mut |_, line| {
            read.push_str(line);
            if line == "c" { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(read, "bc");
        source.walk_lines(4..4, &mut |_, _| unreachable!("an empty range"));
    }
}

#[test]
fn a_slice_is_clamped_to_characters() {
    let text = "a🎉b\r\nc";
    for source in [&Text::new(text) as &dyn Source, &Str::new(text)] {
        for (range, expected) in [
            (0..9, text),
            (0..99, text),
            (1..5, "🎉"),
            (2..6, "🎉b"),
            (0..3, "a"),
            (7..8, "\n"),
            (50..60, ""),
            (3..3, ""),
        ] {
            assert_eq!(source.slice(range.clone()), expected, "{range:?}");
        }
        #[expect(clippy::reversed_empty_ranges)]
        let reversed = 5..1;
        assert_eq!(source.slice(reversed), "");
    }
}

fn any_text(pieces: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => Just("\r"),
        3 => Just("\n"),
        2 => Just("\r\n"),
        2 => Just("a"),
        1 => Just("é"),
        1 => Just("🎉"),
        1 => Just("e\u{301}"),
        1 => Just("\u{feff}"),
        1 => Just("\0"),
        1 => Just("\u{2028}"),
    ];
    prop::collection::vec(piece, pieces).prop_map(|pieces| pieces.concat())
}

fn any_encoding() -> impl Strategy<Value = Encoding> {
    prop::sample::select(&ENCODINGS[..])
}

fn any_edit(lines: u32, columns: u32, pieces: usize) -> impl Strategy<Value = Edit> {
    let position = move || (0..lines, 0..columns).prop_map(|(line, column)| Position { line, column });
    let range = prop_oneof![
        4 => (position(), position()).prop_map(Some),
        4 => position().prop_map(|p| Some((p, p))),
        4 => (position(), 0..3u32).prop_map(|(p, n)| Some((p, Position { line: p.line, column: p.column + n }))),
        1 => Just(None),
    ];
    (range, any_text(0..pieces)).prop_map(|(range, text)| Edit { range, text })
}

/// Applies `edits` to both, comparing all there is after each, and the merged change at the end.
fn edits_agree(start: &str, edits: &[Edit], encoding: Encoding) {
    let (mut text, mut model) = (Text::new(start), Model(start.to_owned()));
    let mut all = Change { first: 0, removed: 0, inserted: 0 };
    let mut line = String::new();
    for edit in edits {
        let before = model.0.clone();
        let change = text.apply(edit, encoding);
        model.apply(edit, encoding);
        assert_eq!(text.to_string(), model.0);
        agrees(&text, &model);
        agrees(&Str::new(&model.0), &model);
        assert_sound(change, &before, &model.0);
        assert_eq!(change.is_empty(), before == model.0);
        all = all.then(change);
        assert_sound(all, start, &model.0);
        for offset in (0..=text.len()).step_by(text.len() / 16 + 1) {
            let position = model.position_of(offset, encoding);
            assert_eq!(text.position_of(offset, encoding), position);
            assert_eq!(text.offset_of(position, encoding), model.offset_of(position, encoding));
        }
        for (number, expected) in model.lines().iter().enumerate() {
            text.line_into(number, &mut line);
            assert_eq!(line, *expected);
        }
    }
}

proptest! {
    #[test]
    fn a_short_text_behaves_as_a_string(
        start in any_text(0..12),
        edits in prop::collection::vec(any_edit(8, 8, 6), 1..10),
        encoding in any_encoding(),
    ) {
        edits_agree(&start, &edits, encoding);
    }

    #[test]
    fn places_in_a_short_text_are_those_in_a_string(text in any_text(0..16)) {
        places_agree(&text);
    }
}

proptest! {
    #![proptest_config(crate::cases(24))]

    // Large enough for the rope to have several levels, so that line ends fall on its seams.
    #[test]
    fn a_long_text_behaves_as_a_string(
        start in any_text(2000..4000),
        edits in prop::collection::vec(any_edit(1500, 6, 600), 1..6),
        encoding in any_encoding(),
    ) {
        edits_agree(&start, &edits, encoding);
    }

    #[test]
    fn crlf_and_cr_on_every_seam(lines in 500..1500usize, shift in 0..4usize, edit in any_edit(1500, 6, 40)) {
        let start = "x".repeat(shift) + &"\r\n".repeat(lines) + &"\r".repeat(lines);
        edits_agree(&start, &[edit], Encoding::Utf16);
    }
}
