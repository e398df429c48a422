//! Views of text outside ASCII: what nobody sees taken out, look-alikes read as what they look like.

use super::character::{compatible, hides_by, is_invisible, is_mark, is_plain_cjk, latin};
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
        let mut before = None;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if c.is_ascii() || is_plain_cjk(c) {
                before = Some(c);
                continue;
            }
            if is_invisible(c) {
                seen.invisible = true;
                let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                let next = chars.clone().find(|next| !is_invisible(*next));
                seen.inside |= word(before) && word(next);
                continue;
            }
            before = Some(c);
            if !(seen.latin && seen.compatible) {
                seen.compatible |= compatible(c).is_some();
                let marked = is_mark(c) || latin(c).is_some_and(|reading| reading.is_word);
                seen.latin |= marked;
            }
        }
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

/// `text` folded.
pub(super) fn fold(text: &str, how: Fold) -> (Mapped, Marks) {
    let (mut out, mut marks) = (Mapped::new(), Marks::default());
    let mut buffer = String::new();
    let mut plain = 0;
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_ascii() && !is_plain_cjk(*c)) {
        let end = at + c.len_utf8();
        buffer.clear();
        let by = if is_invisible(c) {
            if how == Fold::Spaced {
                buffer.push(' ');
            }
            hides_by(c)
        } else if how != Fold::Strip && is_mark(c) {
            Views::COMBINING
        } else {
            let reading = if how == Fold::Strip { compatible(c) } else { latin(c) };
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
