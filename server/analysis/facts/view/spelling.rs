//! The view in which the words of an override are read however they are spelled: with digits for letters, a letter
//! apart from the next, turned by 13 places, or with one slip.
//!
//! No spelling is mended for its own sake. A word is read as another only if that one belongs to the few from which an
//! override is built, and only where a second such word stands in the text; whether they make a phrase is for the
//! catalogue to say. So the view costs one look at each word, and honest text hardly ever has it.

use std::ops::Range;

use super::character::{is_invisible, is_mark};
use super::{Marks, Views};
use crate::facts::view::Mapped;

/// Words that carry an override: one of them with a slip in it is still read by whoever is meant.
const BEARING: [&str; 12] = [
    "ignore",
    "disregard",
    "forget",
    "override",
    "bypass",
    "previous",
    "instructions",
    "instruction",
    "prompt",
    "guidelines",
    "directives",
    "system",
];

/// Words that stand between those.
const BETWEEN: [&str; 16] = [
    "all", "any", "the", "your", "my", "prior", "earlier", "above", "rules", "reveal", "repeat", "print",
    "commands", "orders", "and", "of",
];

/// How many letters a spaced run has at most: no phrase is longer.
const LONGEST: usize = 96;

fn words() -> impl Iterator<Item = &'static str> {
    BEARING.into_iter().chain(BETWEEN)
}

/// The word with number `number` among [`words`].
const fn numbered(number: usize) -> &'static str {
    if number < BEARING.len() { BEARING[number] } else { BETWEEN[number - BEARING.len()] }
}

/// For each small letter, which words begin with it: a set of their numbers.
const BEGUN: [u32; 26] = {
    let mut begun = [0; 26];
    let mut number = 0;
    while number < BEARING.len() + BETWEEN.len() {
        begun[(numbered(number).as_bytes()[0] - b'a') as usize] |= 1 << number;
        number += 1;
    }
    begun
};

/// For each length, which words are at most one letter longer or shorter: a set of their numbers.
const NEAR: [u32; 15] = {
    let mut near = [0; 15];
    let mut number = 0;
    while number < BEARING.len() + BETWEEN.len() {
        let length = numbered(number).len();
        near[length - 1] |= 1 << number;
        near[length] |= 1 << number;
        near[length + 1] |= 1 << number;
        number += 1;
    }
    near
};

/// For each length up to the longest, which words have it: a set of their numbers.
const OF_LENGTH: [u32; 13] = {
    let mut of = [0; 13];
    let mut number = 0;
    while number < BEARING.len() + BETWEEN.len() {
        of[numbered(number).len()] |= 1 << number;
        number += 1;
    }
    of
};

/// All of the words, and those of them that bear.
const ALL: u32 = u32::MAX;
/// See [`ALL`].
const BEAR: u32 = (1 << BEARING.len()) - 1;

/// Those of the words `of` that begin with `letter`, in their order. Every word of every text is held against these few.
fn begun(letter: u8, of: u32) -> impl Iterator<Item = &'static str> {
    let at = usize::from(letter.to_ascii_lowercase().wrapping_sub(b'a'));
    let mut left = BEGUN.get(at).copied().unwrap_or(0) & of;
    std::iter::from_fn(move || {
        let number = left.trailing_zeros();
        left &= left.wrapping_sub(1);
        (number < u32::BITS).then(|| numbered(number as usize))
    })
}

/// A stretch of the text that reads as other words.
struct Reads {
    source: Range<usize>,
    text: String,
    by: Views,
}

/// `text` with such words read, or `None` if it has none.
pub(super) fn read(text: &str) -> Option<(Mapped, Marks)> {
    let mut found: Vec<Reads> = Vec::new();
    let (mut plain_words, bytes, mut at) = (0, text.as_bytes(), 0);
    while at < bytes.len() {
        if !is_letter(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        if !bytes.get(start + 1).is_some_and(|next| is_letter(*next))
            && let Some((end, text)) = spaced(text, start)
        {
            found.push(Reads { source: start..end, text, by: Views::SPACED });
            at = end;
            continue;
        }
        let mut kinds = 0;
        while let Some(byte) = bytes.get(at).filter(|byte| in_word(**byte)) {
            kinds |= KINDS[usize::from(*byte)];
            at += 1;
        }
        let written = &bytes[start..at];
        let goes_on = bytes.get(at) == Some(&b'-');
        if kinds == ALPHABETIC && !goes_on && !may_read(written) {
            continue;
        }
        match word(written) {
            Word::Bearing => plain_words += 1,
            Word::Reads(word, by) => found.push(Reads { source: start..at, text: word.to_owned(), by }),
            Word::Other if goes_on => {
                if let Some((end, word)) = hyphenated(bytes, start) {
                    found.push(Reads { source: start..end, text: word.to_owned(), by: Views::SPACED });
                    at = end;
                }
            }
            Word::Other => {}
        }
    }
    if found.is_empty() || (found.len() + plain_words < 2 && found[0].by != Views::SPACED) {
        return None;
    }
    let (mut out, mut marks, mut plain) = (Mapped::new(), Marks::default(), 0);
    for reads in found {
        out.push_verbatim(&text[plain..reads.source.start], plain);
        out.push_replaced(&reads.text, reads.source.clone());
        plain = reads.source.end;
        marks.add(reads.source, reads.by);
    }
    out.push_verbatim(&text[plain..], plain);
    Some((out, marks))
}

/// What a byte is to a word: a letter of ASCII, a digit or one of the two signs that stand for letters inside a word, a
/// part of another letter; else nothing.
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => ALPHABETIC,
            b'0'..=b'9' | b'@' | b'$' => STANDS_FOR,
            0x80.. => FOREIGN,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};
const ALPHABETIC: u8 = 1;
const STANDS_FOR: u8 = 2;
const FOREIGN: u8 = 4;

fn is_letter(byte: u8) -> bool {
    KINDS[usize::from(byte)] & (ALPHABETIC | STANDS_FOR) != 0
}

fn in_word(byte: u8) -> bool {
    KINDS[usize::from(byte)] != 0
}

/// Whether any word of ours begins as `written`, which is all letters of ASCII, or as that reads by 13 places, and is
/// about as long.
fn may_read(written: &[u8]) -> bool {
    let near = NEAR.get(written.len()).copied().unwrap_or(0);
    let begun = |letter: u8| BEGUN[usize::from(letter.to_ascii_lowercase() - b'a')];
    let first = begun(written[0]);
    let looks = if matches!(written[0], b'l' | b'L') { begun(b'i') } else { 0 };
    (first | looks | begun(turned(written[0]))) & near != 0 || (first & BEAR != 0 && is_doubled(written))
}

/// Whether single letters may stand in `text` that [`read`] puts together once what stands between them is gone: so many
/// of them that they may be a word.
pub(super) fn has_single_letters(text: &str) -> bool {
    let bytes = text.as_bytes();
    let single = |at: &usize| {
        is_letter(bytes[*at])
            && !(*at > 0 && is_letter(bytes[at - 1]))
            && !bytes.get(at + 1).is_some_and(|next| is_letter(*next))
    };
    (0..bytes.len()).filter(single).nth(SHORTEST - 1).is_some()
}

/// How few letters a spaced run may have.
const SHORTEST: usize = 5;

enum Word {
    /// One of ours as it is.
    Bearing,
    /// Reads as one of ours.
    Reads(&'static str, Views),
    Other,
}

/// A word of an override that stands from `start` on in parts with hyphens between them, also at the end of a line.
fn hyphenated(bytes: &[u8], start: usize) -> Option<(usize, &'static str)> {
    const MOST: usize = 24;
    let (mut letters, mut at) = ([0; MOST], start);
    let mut count = 0;
    while let Some(byte) = bytes.get(at).filter(|_| at < start + 2 * MOST) {
        match byte {
            _ if byte.is_ascii_alphabetic() && count < MOST => {
                letters[count] = byte.to_ascii_lowercase();
                count += 1;
            }
            b'-' if bytes.get(at + 1).is_some_and(|next| next.is_ascii_alphabetic() || *next == b'\n') => {}
            b'\n' if bytes[at - 1] == b'-' => {}
            _ => break,
        }
        at += 1;
    }
    let known = BEARING.iter().find(|word| word.as_bytes() == &letters[..count])?;
    Some((at, known))
}

/// Whether a letter stands twice in a row in a long word.
fn is_doubled(bytes: &[u8]) -> bool {
    (8..=26).contains(&bytes.len()) && bytes.windows(2).any(|two| two[0].eq_ignore_ascii_case(&two[1]))
}

/// Without the second of two letters that are the same.
fn squeezed(bytes: &[u8]) -> impl Iterator<Item = u8> + '_ {
    bytes.iter().enumerate().filter_map(|(at, byte)| {
        let byte = byte.to_ascii_lowercase();
        (at == 0 || bytes[at - 1].to_ascii_lowercase() != byte).then_some(byte)
    })
}

fn word(bytes: &[u8]) -> Word {
    if !bytes.is_ascii() && bytes.len() < 64 {
        // Signs put between the letters of a word: with letters of another language it is another word.
        let letters = || bytes.iter().filter(|byte| byte.is_ascii_alphabetic());
        if letters().count() > 5
            && bytes[0].is_ascii_alphabetic()
            && let Some(word) =
                BEARING.into_iter().find(|word| letters().map(u8::to_ascii_lowercase).eq(word.bytes()))
            && std::str::from_utf8(bytes).is_ok_and(|text| {
                // What is not seen, and marks, have views of their own.
                let other = |c: char| !c.is_ascii() && (c.is_alphanumeric() || is_invisible(c) || is_mark(c));
                !text.chars().any(other)
            })
        {
            return Word::Reads(word, Views::SPACED);
        }
    }
    if is_doubled(bytes)
        && bytes.iter().all(u8::is_ascii_alphabetic)
        && let Some(word) = BEARING.into_iter().find(|word| {
            word.len() > 5 && bytes.len() > word.len() + 1 && squeezed(bytes).eq(squeezed(word.as_bytes()))
        })
    {
        return Word::Reads(word, Views::MISSPELLED);
    }
    if !(3..=13).contains(&bytes.len()) || !bytes.is_ascii() {
        return Word::Other;
    }
    let first = bytes[0];
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    if letters < bytes.len() {
        let same = |word: &&str| word.len() == bytes.len() && bytes.iter().zip(word.bytes()).all(stands_for);
        // A number is a number.
        let known = if letters * 3 >= bytes.len() { words().find(same) } else { None };
        return known.map_or(Word::Other, |word| Word::Reads(word, Views::LEET));
    }
    if begun(first, ALL).any(|word| bytes.eq_ignore_ascii_case(word.as_bytes())) {
        // The small ones stand in every text.
        return if bytes.len() > 4 { Word::Bearing } else { Word::Other };
    }
    if let Some(word) = begun(turned(first), ALL).find(|word| {
        word.len() == bytes.len() && bytes.iter().zip(word.bytes()).all(|(a, b)| turned(*a) == b)
    }) {
        return Word::Reads(word, Views::ROT13);
    }
    // A small l and a capital I look the same in most types.
    let looks = |(a, b): (&u8, u8)| {
        let alike = |byte: u8| matches!(byte, b'l' | b'I' | b'i');
        a.eq_ignore_ascii_case(&b) || (alike(*a) && alike(b))
    };
    if let Some(word) =
        words().find(|word| word.len() == bytes.len() && bytes.iter().zip(word.bytes()).all(looks))
    {
        return Word::Reads(word, Views::CONFUSABLE);
    }
    begun(first, BEAR)
        .find(|word| has_a_slip(bytes, word.as_bytes()))
        .map_or(Word::Other, |word| Word::Reads(word, Views::MISSPELLED))
}

fn stands_for((written, letter): (&u8, u8)) -> bool {
    match written {
        b'0' => letter == b'o',
        b'1' => letter == b'i' || letter == b'l',
        b'3' => letter == b'e',
        b'4' | b'@' => letter == b'a',
        b'5' | b'$' => letter == b's',
        b'7' => letter == b't',
        b'8' => letter == b'b',
        b'9' => letter == b'g',
        _ => written.to_ascii_lowercase() == letter,
    }
}

fn turned(byte: u8) -> u8 {
    let letter = byte.to_ascii_lowercase();
    if letter.is_ascii_lowercase() { (letter - b'a' + 13) % 26 + b'a' } else { letter }
}

/// Whether `written` is `word` with one letter missing, too many, another one, or two exchanged. The first letter and
/// the last stay: what differs there is another form of the word (`ignored`), or another word.
fn has_a_slip(written: &[u8], word: &[u8]) -> bool {
    let same = |a: &u8, b: &u8| a.eq_ignore_ascii_case(b);
    if written.len().abs_diff(word.len()) > 1 || !same(&written[0], &word[0]) {
        return false;
    }
    let (a, b) = (written, word);
    let front = a.iter().zip(b).take_while(|(a, b)| same(a, b)).count();
    let rest = |a: &[u8], b: &[u8]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    let (a, b) = (&a[front..], &b[front..]);
    if b.is_empty() || a.is_empty() {
        // The last letter written twice is a slip; anything else behind the word is an ending.
        return a.len() == 1 && same(&a[0], &word[word.len() - 1]) && !matches!(a[0], b's' | b'S');
    }
    let (ends_a, ends_b) = (a.len() == 1, b.len() == 1);
    rest(&a[1..], b)
        || (!ends_b && rest(a, &b[1..]))
        // `forgot` and `overrode` are forms of their words.
        || (!ends_a && !ends_b && rest(&a[1..], &b[1..]) && !matches!(word, b"override" | b"forget"))
        || (a.len() > 1 && b.len() > 1 && same(&a[0], &b[1]) && same(&a[1], &b[0]) && rest(&a[2..], &b[2..]))
}

/// Single letters from `start`, each apart from the next by the same sign or by spaces, that read as words of ours to
/// the last one: where they end, and the words.
fn spaced(text: &str, start: usize) -> Option<(usize, String)> {
    let bytes = text.as_bytes();
    let single = |at: usize| {
        bytes.get(at).is_some_and(u8::is_ascii_alphabetic)
            && !bytes.get(at + 1).is_some_and(|next| is_letter(*next))
    };
    if !single(start) || start.checked_sub(1).is_some_and(|before| is_letter(bytes[before])) {
        return None;
    }
    let sign = text.get(start + 1..)?.chars().next()?;
    if !matches!(
        sign,
        ' ' | '-' | '.' | '_' | '*' | '/' | '|' | '~' | '+' | ',' | '\u{B7}' | '\u{2022}' | '\u{22C5}'
    ) {
        return None;
    }
    let mut buffer = [0; 4];
    let sign = sign.encode_utf8(&mut buffer).as_bytes();
    let (mut parting, mut ends, mut at) = (Parting::new(), Vec::new(), start);
    while single(at) && ends.len() < LONGEST && parting.goes_on() {
        parting.push(bytes[at].to_ascii_lowercase());
        ends.push(at + 1);
        at += 1;
        let mut gap = 0;
        while gap < 4 * sign.len() {
            match &bytes[at + gap..] {
                rest if rest.starts_with(sign) => gap += sign.len(),
                rest if rest.first() == Some(&b' ') => gap += 1,
                _ => break,
            }
        }
        if gap == 0 {
            break;
        }
        at += gap;
    }
    // The longest stretch of letters that is words of ours and has one that bears.
    let count = (SHORTEST..=ends.len()).rev().find(|count| parting.bears(*count))?;
    Some((ends[count - 1], parting.words(count)))
}

/// Letters as words of ours, the longest last. Every letter is held once against the words that may end with it, so that
/// a text that is all single letters costs no more for each of them.
struct Parting {
    letters: Vec<u8>,
    /// For each number of letters, the number of the word that ends there, if they are words of ours.
    last: [Option<u8>; LONGEST + 1],
    /// The numbers of letters that are words of ours, as a set; and those of them with one that bears.
    parted: u128,
    bearing: u128,
}

impl Parting {
    fn new() -> Parting {
        Parting { letters: Vec::new(), last: [None; LONGEST + 1], parted: 1, bearing: 0 }
    }

    /// Whether letters to come may still be words of ours.
    fn goes_on(&self) -> bool {
        (self.letters.len() + 1).saturating_sub(self.parted.ilog2() as usize) < OF_LENGTH.len()
    }

    fn push(&mut self, letter: u8) {
        self.letters.push(letter);
        let count = self.letters.len();
        for length in (1..OF_LENGTH.len().min(count + 1)).rev() {
            let before = count - length;
            if self.parted >> before & 1 == 0 {
                continue;
            }
            let written = &self.letters[before..];
            let fits =
                |word: &usize| OF_LENGTH[length] >> word & 1 == 1 && numbered(*word).as_bytes() == written;
            if let Some(word) = (0..BEARING.len() + BETWEEN.len()).find(fits) {
                self.last[count] = Some(word as u8);
                self.parted |= 1 << count;
                let bears = word < BEARING.len() || self.bearing >> before & 1 == 1;
                self.bearing |= u128::from(bears) << count;
                return;
            }
        }
    }

    /// Whether the first `count` letters are words of ours, one of which bears.
    fn bears(&self, count: usize) -> bool {
        self.bearing >> count & 1 == 1
    }

    /// The first `count` letters as words.
    fn words(&self, count: usize) -> String {
        let mut at = count;
        let back = || {
            let word = numbered(usize::from(self.last[at]?));
            at -= word.len();
            Some(word)
        };
        let mut words: Vec<&str> = std::iter::from_fn(back).collect();
        words.reverse();
        words.join(" ")
    }
}

#[cfg(test)]
mod tests;
