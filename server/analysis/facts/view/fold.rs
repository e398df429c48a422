//! Views of text outside ASCII: what nobody sees taken out, look-alikes read as what they look like.

use std::ops::Range;

use super::character::{
    compatible, hides_by, is_invisible, is_letter_sign, is_mark, is_plain_cjk, is_sign, latin,
};
use super::{Marks, Views};
use crate::catalogue::words::is_word;
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
    /// Such a character inside a word, or between two, or between signs as they stand in commands.
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
        if !may_fold(text) {
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
                seen.inside |=
                    (is_word(before) && is_word(c)) || (before.is_ascii_graphic() && c.is_ascii_graphic());
                between = false;
            }
            before = c;
        }
        seen.latin = !latin_words(text).is_empty();
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

/// Whether `text` has a character that some fold reads as another, or that nobody sees.
pub(super) fn may_fold(text: &str) -> bool {
    !text.chars().all(|c| c.is_ascii() || is_plain_cjk(c) || is_sign(c))
}

/// So many words of another alphabet, one behind the other, that read as Latin are no chance.
const RUN: usize = 3;

/// A word that reads as Latin to the last letter.
struct Latin {
    range: Range<usize>,
    /// All its letters are of Greek, Cyrillic or Armenian: it may be a word of such a language.
    native: bool,
    /// How many words of two letters and more there are in its run, of those that read as Latin.
    run: usize,
}

/// The words of `text` that read as Latin to the last letter although not all of them are: a word of another language
/// has letters that do not, and stays what it is. In a text of such a language some of its words read so by chance, but
/// seldom several on end, and none takes an option.
fn latin_words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Latin> = Vec::new();
    let mut start = None;
    let (mut reads, mut odd, mut native, mut letters) = (true, false, true, 0);
    // Whether there are words of such a language, and where the run of words begins that read as Latin.
    let (mut speaks, mut run, mut first) = (false, 0, 0);
    let close = |words: &mut Vec<Latin>, first: &mut usize, run: &mut usize| {
        words[*first..].iter_mut().for_each(|word| word.run = *run);
        (*first, *run) = (words.len(), 0);
    };
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let in_word = if c.is_ascii() {
            c.is_ascii_alphanumeric()
        } else {
            !is_plain_cjk(c) && (is_word(c) || is_invisible(c) || is_mark(c) || is_letter_sign(c))
        };
        if in_word {
            start = start.or(Some(at));
            if c.is_ascii() {
                (letters, native) = (letters + 1, false);
            } else if is_of_alphabet(c) {
                (letters, odd, reads) = (letters + 1, true, reads && latin(c).is_some());
            } else if is_mark(c) {
                (odd, native) = (true, false);
            } else if !is_invisible(c) {
                (letters, odd, native, reads) = (letters + 1, true, false, reads && latin(c).is_some());
            }
            continue;
        }
        if let Some(start) = start.take() {
            if !reads {
                speaks |= native;
                close(&mut words, &mut first, &mut run);
            } else if letters > 1 {
                run += 1;
                if odd {
                    words.push(Latin { range: start..at, native, run: 0 });
                }
            }
            (reads, odd, native, letters) = (true, false, true, 0);
        }
    }
    close(&mut words, &mut first, &mut run);
    let takes_option = |word: &Latin| {
        let mut behind = text[word.range.end..].chars();
        behind.next() == Some(' ') && behind.next() == Some('-') && behind.next().is_some_and(|c| c != ' ')
    };
    if speaks {
        words.retain(|word| !word.native || word.run >= RUN || takes_option(word));
    }
    words.into_iter().map(|word| word.range).collect()
}

/// Whether `c` is a letter of an alphabet of which some letters look like Latin ones: Greek, Cyrillic, Armenian.
fn is_of_alphabet(c: char) -> bool {
    matches!(c, '\u{370}'..='\u{482}' | '\u{48a}'..='\u{587}')
}

/// `text` folded.
pub(super) fn fold(text: &str, how: Fold) -> (Mapped, Marks) {
    let (mut out, mut marks) = (Mapped::new(), Marks::default());
    let words = if how == Fold::Strip { Vec::new() } else { latin_words(text) };
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
                _ if in_word || !(is_word(c) || is_letter_sign(c)) => latin(c),
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
