//! Views of text outside ASCII: what nobody sees taken out, look-alikes read as what they look like.

use std::ops::Range;

use super::character::{
    compatible, hides_by, is_invisible, is_letter_sign, is_mark, is_plain_cjk, is_sign, latin,
};
use super::{Marks, Views};
use crate::facts::view::Mapped;

/// How a text is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    /// Invisible characters out, compatibility forms read; every script stays what it is.
    Strip,
    /// All that reads as Latin read so, marks over letters and invisible characters out.
    Latin,
    /// As `Latin`, invisible characters read as a space.
    Spaced,
}

/// What a text has in it that a fold changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Seen {
    /// Characters that nobody sees.
    pub(super) invisible: bool,
    /// Such a character inside a word, or between two.
    pub(super) inside: bool,
    /// Letters and digits in a compatibility form.
    pub(super) compatible: bool,
    /// Letters and digits that read as Latin ones, or marks over them.
    pub(super) latin: bool,
}

impl Seen {
    /// Looks through `text` once.
    pub(super) fn of(text: &str) -> Seen {
        let mut seen = Seen::default();
        if text.chars().all(|c| c.is_ascii() || is_plain_cjk(c) || is_sign(c)) {
            return seen;
        }
        let (mut before, mut between) = (' ', false);
        for c in text.chars() {
            if !c.is_ascii() && !is_plain_cjk(c) {
                if is_invisible(c) {
                    (seen.invisible, between) = (true, true);
                    continue;
                }
                seen.compatible = seen.compatible || compatible(c).is_some();
            }
            if between {
                seen.inside |= before.is_alphanumeric() && c.is_alphanumeric();
                between = false;
            }
            before = c;
        }
        seen.latin = !latin_words(text, true).is_empty();
        seen
    }

    /// The folds that show something else than the text does.
    pub(super) fn folds(self) -> impl Iterator<Item = Fold> {
        let strip = self.invisible || self.compatible;
        [(strip, Fold::Strip), (self.latin, Fold::Latin), (self.inside, Fold::Spaced)]
            .into_iter()
            .filter_map(|(does, fold)| does.then_some(fold))
    }
}

/// The words of `text` that read as Latin to the last letter although not all of them are: a word of another language
/// has letters that do not, and stays what it is. `first` asks for the first one only.
fn latin_words(text: &str, first: bool) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    let (mut reads, mut odd, mut letters) = (true, false, 0);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let in_word = if c.is_ascii() {
            c.is_ascii_alphanumeric()
        } else {
            !is_plain_cjk(c) && (is_invisible(c) || is_mark(c) || c.is_alphanumeric() || is_letter_sign(c))
        };
        if in_word {
            start = start.or(Some(at));
            if c.is_ascii() {
                letters += 1;
            } else if is_mark(c) {
                odd = true;
            } else if !is_invisible(c) {
                letters += 1;
                odd = true;
                reads = reads && latin(c).is_some();
            }
            continue;
        }
        if let Some(start) = start.take() {
            if reads && odd && letters > 1 {
                words.push(start..at);
                if first {
                    break;
                }
            }
            (reads, odd, letters) = (true, false, 0);
        }
    }
    words
}

/// `text` folded.
pub(super) fn fold(text: &str, how: Fold) -> (Mapped, Marks) {
    let (mut out, mut marks) = (Mapped::new(), Marks::default());
    let words = if how == Fold::Strip { Vec::new() } else { latin_words(text, false) };
    let mut words = words.into_iter().peekable();
    let mut buffer = String::new();
    let mut plain = 0;
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_ascii() && !is_plain_cjk(*c)) {
        let end = at + c.len_utf8();
        while words.next_if(|word| word.end <= at).is_some() {}
        let in_word = words.peek().is_some_and(|word| word.start <= at);
        buffer.clear();
        let by = if is_invisible(c) {
            if how == Fold::Spaced {
                buffer.push(' ');
            }
            hides_by(c)
        } else if in_word && is_mark(c) {
            Views::COMBINING
        } else {
            let reading = match how {
                Fold::Strip => compatible(c),
                _ if in_word || !(c.is_alphanumeric() || is_letter_sign(c)) => latin(c),
                _ => None,
            };
            let Some(reading) = reading else { continue };
            buffer.extend(reading.chars());
            reading.by
        };
        out.push_verbatim(&text[plain..at], plain);
        out.push_replaced(&buffer, at..end);
        marks.add(at..end, by);
        plain = end;
    }
    out.push_verbatim(&text[plain..], plain);
    (out, marks)
}
