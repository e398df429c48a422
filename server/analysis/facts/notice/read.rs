//! Words and white space as the safety scan counts them.
//!
//! It was written with regular expressions of ECMAScript, and the same lines are to be found: a word is a run of ASCII
//! letters, digits and underscores, and white space is what `\s` is there.

use std::ops::Range;

/// White space in ECMAScript (12.2, 12.3): Unicode's, with the byte order mark and without NEL.
pub(super) fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// A letter, digit or underscore of ASCII.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether no word goes on across `at`, where a word begins.
pub(super) fn is_start(text: &str, at: usize) -> bool {
    at == 0 || !is_word(text.as_bytes()[at - 1])
}

/// Whether a word that ends at `at` ends there.
pub(super) fn is_end(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_none_or(|byte| !is_word(*byte))
}

/// Whether `range` is a word, or several, and not a part of one.
pub(super) fn is_whole(text: &str, range: &Range<usize>) -> bool {
    is_start(text, range.start) && is_end(text, range.end)
}

/// A place behind some words of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    /// The byte after the last word.
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    /// Behind the byte `at`.
    pub(super) fn new(text: &'a str, at: usize) -> Cursor<'a> {
        Cursor { text, at }
    }

    /// Behind the byte `at` of the same text.
    pub(super) fn to(self, at: usize) -> Cursor<'a> {
        Cursor { at, ..self }
    }

    /// What follows.
    pub(super) fn rest(self) -> &'a str {
        &self.text[self.at..]
    }

    /// Behind white space, of which there is some.
    pub(super) fn space(self) -> Option<Cursor<'a>> {
        let rest = self.rest();
        let left = rest.trim_start_matches(is_space);
        (left.len() < rest.len()).then(|| Cursor { at: self.text.len() - left.len(), ..self })
    }

    /// Behind white space and one of `words`, whole, in any case.
    pub(super) fn word(self, words: &[&str]) -> Option<Cursor<'a>> {
        let next = self.space()?;
        let end = next.at + word_at(self.text, next.at).len();
        let word = &self.text[next.at..end];
        words.iter().any(|known| known.eq_ignore_ascii_case(word)).then_some(Cursor { at: end, ..self })
    }

    /// As [`word`](Cursor::word), or where it is if none of them follows.
    pub(super) fn maybe(self, words: &[&str]) -> Cursor<'a> {
        self.word(words).unwrap_or(self)
    }

    /// Behind `literal`, in any case, right here.
    pub(super) fn literal(self, literal: &str) -> Option<Cursor<'a>> {
        let there = self.rest().as_bytes().get(..literal.len())?;
        there
            .eq_ignore_ascii_case(literal.as_bytes())
            .then_some(Cursor { at: self.at + literal.len(), ..self })
    }

    /// Every place at which a word begins and before which at most `most` characters stand from here on, where a run of
    /// white space is one.
    pub(super) fn words_within(self, most: usize) -> impl Iterator<Item = Cursor<'a>> {
        let (text, from) = (self.text, self.at);
        let (mut count, mut space) = (0, false);
        let chars = self.rest().char_indices().take_while(move |(_, c)| {
            let now = is_space(*c);
            let goes_on = count <= most;
            count += usize::from(!(space && now));
            space = now;
            goes_on
        });
        chars.filter_map(move |(at, _)| {
            let at = from + at;
            let word = text.as_bytes()[at];
            (is_word(word) && is_start(text, at)).then_some(Cursor { text, at })
        })
    }

    /// Behind the word that begins here if it is one of `words`.
    pub(super) fn this(self, words: &[&str]) -> Option<Cursor<'a>> {
        let word = word_at(self.text, self.at);
        let known = words.iter().any(|known| known.eq_ignore_ascii_case(word));
        known.then_some(Cursor { at: self.at + word.len(), ..self })
    }
}

/// The word that begins at `at`; empty if none does.
pub(super) fn word_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    &rest[..rest.bytes().position(|byte| !is_word(byte)).unwrap_or(rest.len())]
}
