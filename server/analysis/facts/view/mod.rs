//! Views: renderings of a text that undo one way of hiding, with a way back.
//!
//! A phrase or a command that was written so that a search does not find it is found in a view, and shown where it
//! stands in the file. Nothing is replaced: the text itself is read first, and a view only adds to what was found. What
//! a view had to undo is kept beside it, so that a finding says how it was hiding; and what everybody writes anyway,
//! emphasis around a word or `%20` in an address, is undone without being held against anyone.

mod address;
mod blob;
mod character;
mod cipher;
mod entity;
mod fold;
mod literals;
mod map;
mod names;
mod pieces;
mod plain;
mod spans;
mod spelling;

use std::ops::Range;

pub use character::is_invisible;
pub(super) use character::looks_latin;
pub use map::{Map, Mapped};
pub use names::Views;
pub(in crate::facts) use pieces::is_piece;

use fold::Seen;

/// How many views may stand upon each other.
const DEPTH: u8 = 3;

/// How many bytes of views a text is worth: so many times its own, and never fewer than [`FLOOR`].
const TIMES: usize = 4;

/// See [`TIMES`].
const FLOOR: usize = 64 * 1024;

/// Stretches of the source that hide something, and by what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks(Vec<(Range<usize>, Views)>);

impl Marks {
    /// Adds a stretch; one without a way of hiding is none.
    fn add(&mut self, source: Range<usize>, by: Views) {
        match self.0.last_mut() {
            _ if by.is_empty() => {}
            Some((last, known)) if *known == by && last.end == source.start => last.end = source.end,
            _ => self.0.push((source, by)),
        }
    }

    /// These marks behind another view: `map` leads from there to the source, `known` are its own.
    fn through(self, map: &Map, known: &Marks) -> Marks {
        let mut marks = known.clone();
        marks.0.extend(self.0.into_iter().map(|(range, by)| (map.source(range), by)));
        marks
    }
}

/// A rendering of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The rendering.
    pub text: String,
    /// It was decoded and stands on its own: what stands around it in the source is not part of it.
    pub alone: bool,
    /// Its words are those of what it was built upon: whoever looked for phrases there need not do so again.
    pub same_words: bool,
    map: Map,
    marks: Marks,
}

impl View {
    /// The bytes of the source that the bytes `range` of the view stand for.
    #[must_use]
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        self.map.source(range)
    }

    /// What the view undid in the bytes `source` of the source.
    #[must_use]
    pub fn hid(&self, source: &Range<usize>) -> Views {
        let inside =
            |(range, _): &&(Range<usize>, Views)| range.start < source.end && source.start < range.end;
        self.marks.0.iter().filter(inside).fold(Views::empty(), |views, (_, by)| views | *by)
    }
}

/// Whether `text` may have a view that shows something else. Cheap: plain text in ASCII without an escape, emphasis or
/// a long word has none.
#[must_use]
pub fn has(text: &str, prose: bool) -> bool {
    (!text.is_ascii() && fold::may_fold(text))
        || blob::has(text)
        || plain::has(text, prose)
        || address::has(text)
        || literals::has(text)
        || cipher::has(text, prose)
        || (prose && (spelling::read(text).is_some() || spans::has(text)))
}

/// Calls `visit` for every view of `text` that differs from it, those that undo least first; `prose` says that markup is
/// read in it. At most three views deep, and 4 times the text or 64 KiB, whichever is more: what goes beyond is cut, not
/// left out.
pub fn each(text: &str, prose: bool, visit: &mut impl FnMut(&View)) {
    let mut walk = Walk { known: Vec::new(), left: (text.len() * TIMES).max(FLOOR), visit };
    let (map, marks) = (Map::shifted(text.len(), 0), Marks::default());
    walk.below(
        text,
        Below { map: &map, marks: &marks, prose, alone: false, same_words: false, only_plain: false },
        0,
    );
}

/// What nobody sees in the bytes `range` of `text`, beside a letter or a blank: whoever reads words passes over it, so that
/// what was hidden by it needs no view. What forms a picture, or chooses how one is drawn, hides nothing.
pub(super) fn unseen(text: &str, range: &Range<usize>) -> Views {
    let words = &text[range.clone()];
    if words.is_ascii() {
        return Views::empty();
    }
    let reads = |c: char| c.is_alphanumeric() || c.is_whitespace();
    let mut by = Views::empty();
    for (at, c) in words.char_indices().filter(|(_, c)| is_invisible(*c)) {
        let before = words[..at].chars().rev().find(|c| !is_invisible(*c)).is_some_and(reads);
        if before && !('\u{FE00}'..='\u{FE0F}').contains(&c) {
            by |= character::hides_by(c);
        }
    }
    by
}

/// `text` with its character references read.
pub(super) fn without_references(text: &str) -> String {
    plain::read(text, false).map_or_else(|| text.to_owned(), |plain| plain.view.text)
}

struct Walk<'a, F> {
    /// Texts that were seen: two ways often lead to the same one.
    known: Vec<String>,
    left: usize,
    visit: &'a mut F,
}

/// What a view is built upon.
#[derive(Clone, Copy)]
struct Below<'a> {
    map: &'a Map,
    marks: &'a Marks,
    prose: bool,
    alone: bool,
    /// The view to be built has the words of what it is built upon.
    same_words: bool,
    /// It has no views but those without markup.
    only_plain: bool,
}

impl<F: FnMut(&View)> Walk<'_, F> {
    fn below(&mut self, text: &str, below: Below<'_>, depth: u8) {
        if depth == DEPTH {
            return;
        }
        let plain = if plain::has(text, below.prose) { plain::read(text, below.prose) } else { None };
        let (mut spelled, mut folds, mut decoded) = (None, Vec::new(), Vec::new());
        let (mut joined, mut ciphers) = (Vec::new(), Vec::new());
        if !below.only_plain {
            joined.extend(if below.prose { spans::read(text) } else { None });
            joined.extend(literals::read(text));
            address::read(text, &mut |view, marks| decoded.push(blob::Decoded { view, marks }));
            cipher::read(text, below.prose, &mut |view, marks, alone| ciphers.push((view, marks, alone)));
            spelled = if below.prose { spelling::read(text) } else { None };
            if !text.is_ascii() {
                folds.extend(Seen::of(text).folds());
            }
            blob::decode(text, &mut |blob| decoded.push(blob));
            if !text.is_ascii() {
                blob::decode_invisible(text, &mut |blob| decoded.push(blob));
            }
        }
        if let Some(plain::Plain { view, marks, same_words }) = plain {
            // Where the words are the same, so is what they would be read as. Only single letters may come together.
            let only_plain = same_words
                && spelled.is_none()
                && folds.is_empty()
                && decoded.is_empty()
                && joined.is_empty()
                && ciphers.is_empty()
                && (below.only_plain || !spelling::has_single_letters(text));
            self.enter(text, view, marks, Below { same_words, only_plain, ..below }, depth);
        }
        let below = Below { same_words: false, only_plain: false, ..below };
        if let Some((view, marks)) = spelled {
            self.enter(text, view, marks, below, depth);
        }
        for fold in folds {
            let (view, marks) = fold::fold(text, fold);
            self.enter(text, view, marks, below, depth);
        }
        for (view, marks) in joined {
            self.enter(text, view, marks, below, depth);
        }
        for (view, marks, alone) in ciphers {
            let (alone, prose) = (below.alone || alone, below.prose || alone);
            self.enter(text, view, marks, Below { alone, prose, ..below }, depth);
        }
        for blob in decoded {
            self.enter(text, blob.view, blob.marks, Below { prose: true, alone: true, ..below }, depth);
        }
    }

    fn enter(&mut self, from: &str, view: Mapped, marks: Marks, below: Below<'_>, depth: u8) {
        let Mapped { mut text, map } = view;
        if text == from || self.known.contains(&text) {
            return;
        }
        if text.len() > self.left {
            let end = (0..=self.left).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            text.truncate(end);
        }
        if text.is_empty() {
            return;
        }
        self.left -= text.len();
        let marks = marks.through(below.map, below.marks);
        let Below { prose, alone, same_words, only_plain, .. } = below;
        let view = View { text, alone, same_words, map: map.through(below.map), marks };
        (self.visit)(&view);
        let under = Below { map: &view.map, marks: &view.marks, prose, alone, same_words: false, only_plain };
        self.below(&view.text, under, depth + 1);
        self.known.push(view.text);
    }
}

#[cfg(test)]
mod tests;
