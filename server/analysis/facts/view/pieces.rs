//! Digits of base64 or of hexadecimal numbers that stand in pieces: with blanks between them, over the entries of a
//! list, in several strings that a program joins.
//!
//! Every word is made of such digits. So a chain begins only where two pieces follow each other that no language has for
//! words, with a capital or a number in the midst of letters; what it decodes to tells whether it was one.

use std::ops::Range;

/// The fewest digits in a piece: four of base64 are three bytes.
const LEAST: usize = 4;

/// The most pieces of a chain.
const MOST: usize = 1024;

/// The first chain of pieces in `bytes` from `from` on.
pub(super) fn next(bytes: &[u8], from: usize) -> Option<Vec<Range<usize>>> {
    let mut at = from;
    while let Some(first) = word(bytes, at) {
        at = first.end;
        if !is_odd(&bytes[first.clone()]) {
            continue;
        }
        let Some(second) = behind(bytes, first.end) else { continue };
        if !is_odd(&bytes[second.clone()]) && !is_number(&bytes[second.clone()]) {
            continue;
        }
        let mut chain = vec![first, second];
        while chain.len() < MOST
            && let Some(next) = chain.last().and_then(|last| behind(bytes, last.end))
        {
            chain.push(next);
        }
        return Some(chain);
    }
    None
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// The next run of digits from `from` on, of which one is a letter or a number.
fn word(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(u8::is_ascii_alphanumeric)?;
        let end =
            bytes[at..].iter().position(|byte| !is_digit(*byte)).map_or(bytes.len(), |length| at + length);
        if end - at >= LEAST {
            return Some(at..end);
        }
        at = end;
    }
}

/// Whether a word is a number as hexadecimal digits are written: in pairs.
fn is_number(word: &[u8]) -> bool {
    word.len() >= 6 && word.len().is_multiple_of(2) && word.iter().all(u8::is_ascii_hexdigit)
}

/// Whether `word` looks like a piece of digits and not like a word.
pub(in crate::facts) fn is_piece(word: &str) -> bool {
    word.bytes().all(is_digit) && is_odd(word.as_bytes())
}

/// Whether no language has such a word: a capital behind a small letter, a number between letters.
fn is_odd(word: &[u8]) -> bool {
    let two = |pair: &[u8]| {
        (pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
            || (pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic())
    };
    let capitals = word.len().is_multiple_of(4)
        && word.windows(3).any(|three| {
            three[0].is_ascii_uppercase() && three[1].is_ascii_uppercase() && three[2].is_ascii_lowercase()
        });
    word.len() >= LEAST && (capitals || word.windows(2).any(two))
}

/// The piece behind the byte `end`, if nothing but what joins or parts them stands between.
fn behind(bytes: &[u8], end: usize) -> Option<Range<usize>> {
    const FAR: usize = 32;
    let (mut at, mut opens_line) = (end, false);
    while at < bytes.len() && at - end < FAR {
        let byte = bytes[at];
        match byte {
            b'\n' => opens_line = true,
            b' ' | b'\t' | b'\r' => {}
            b'"' | b'\'' | b'`' | b',' | b'.' | b'&' | b'\\' | b';' | b'(' | b')' | b'[' | b']' | b'|'
            | b'>' | b'*' | b'=' => {}
            _ if is_digit(byte) => {
                let length = bytes[at..].iter().position(|byte| !is_digit(*byte));
                let word_end = length.map_or(bytes.len(), |length| at + length);
                let word = &bytes[at..word_end];
                let numbered = opens_line
                    && word.iter().all(u8::is_ascii_digit)
                    && matches!(bytes.get(word_end), Some(b'.' | b')'));
                if word.iter().any(u8::is_ascii_alphanumeric) && !numbered {
                    return (at > end).then_some(at..word_end);
                }
                at = word_end;
                continue;
            }
            _ => return None,
        }
        at += 1;
    }
    None
}
