//! Text written in another alphabet: base64, hexadecimal digits, tag characters, variation selectors.
//!
//! What is decoded counts only if it is readable. A checksum decodes to noise, and taking noise for text would make a
//! finding of every hash.

use std::ops::Range;

use super::character::{is_tag, selector_byte};
use super::{Marks, Views, pieces};
use crate::facts::view::Mapped;

/// The fewest digits that are decoded: nothing that does harm is shorter.
const LEAST: usize = 16;

/// The most bytes of a blob that are decoded; what is longer is decoded up to there.
const MOST: usize = 64 * 1024;

const fn alphabet(also: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let mut at = 0;
    while at < also.len() {
        table[also[at] as usize] = true;
        at += 1;
    }
    table
}

/// The digits of base64 in both alphabets (RFC 4648, 4 and 5). `/` is one, and so a path may be a blob; what it decodes
/// to tells.
const DIGITS: [bool; 256] = alphabet(b"+/-_");

fn is_digit(byte: u8) -> bool {
    DIGITS[usize::from(byte)]
}

/// The first run of at least [`LEAST`] digits in `bytes` from `from` on.
fn run(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let mut at = from;
    while at + LEAST <= bytes.len() {
        // From the last of the window backwards: what is no digit ends every run that begins before it.
        match bytes[at..at + LEAST].iter().rposition(|byte| !is_digit(*byte)) {
            Some(other) => at += other + 1,
            None => {
                let length = bytes[at..].iter().position(|byte| !is_digit(*byte));
                return Some(at..length.map_or(bytes.len(), |length| at + length));
            }
        }
    }
    None
}

/// Whether `text` may have a blob in it.
pub(super) fn has(text: &str) -> bool {
    run(text.as_bytes(), 0).is_some() || pieces::next(text.as_bytes(), 0).is_some()
}

/// A text that was decoded, whole and on its own.
pub(super) struct Decoded {
    pub(super) view: Mapped,
    pub(super) marks: Marks,
}

/// How many digits before a blob may be taken for part of it: `0x`, a word joined to it by `-`, `_` or `/`.
const BEFORE: usize = 4;

/// Calls `found` for every readable text that is written in `text` as base64 or in hexadecimal digits, also where it is
/// wrapped over lines on which there is nothing else.
pub(super) fn decode(text: &str, found: &mut impl FnMut(Decoded)) {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(first) = run(bytes, from) {
        from = first.end;
        // Noise on the first line is noise, however many follow: so a long one costs a look at each line.
        let ways = [(Views::HEX, 4), (Views::BASE64, 6)].into_iter();
        let starts = ways.flat_map(|way| (0..BEFORE).map(move |skip| (way, skip)));
        let mut tries = starts.filter_map(|((by, bits), skip)| {
            let alone = first.start + skip..first.end;
            Some((by, bits, alone.clone(), readable(bytes, &[alone], by, bits)?))
        });
        let Some((by, bits, alone, decoded)) = tries.next() else { continue };
        let mut lines = vec![alone];
        let mut end = after_padding(bytes, first.end);
        while end - first.start < MOST
            && let Some(line) = next_line(bytes, end)
        {
            end = after_padding(bytes, line.end);
            lines.push(line);
        }
        let whole = if lines.len() > 1 { readable(bytes, &lines, by, bits) } else { None };
        if whole.is_some() {
            from = end;
        }
        found(whole.unwrap_or(decoded));
    }
    let mut from = 0;
    while let Some(chain) = pieces::next(bytes, from) {
        from = chain.last().map_or(bytes.len(), |piece| piece.end);
        let ways = [(Views::HEX, 4), (Views::BASE64, 6)].into_iter();
        // It may begin behind a few words that only look like pieces.
        let mut tries = ways.flat_map(|way| (0..BEFORE).map(move |skip| (way, skip)));
        let readable =
            |((by, bits), skip): ((Views, u32), usize)| begins_readable(bytes, chain.get(skip..)?, by, bits);
        if let Some(decoded) = tries.find_map(readable) {
            found(decoded);
        }
    }
}

/// How many bytes have to be readable where digits in pieces are decoded: such a chain may go on with words.
const BEGINNING: usize = 10;

/// The bytes that the digits at `places` stand for, `bits` of each, with where they are written; `None`, once and at the
/// end, for what is no digit.
fn packed(
    bytes: &[u8],
    places: impl Iterator<Item = usize>,
    bits: u32,
) -> impl Iterator<Item = Option<(u8, Range<usize>)>> {
    let (mut held, mut count, mut first, mut ended) = (0_u32, 0, 0, false);
    let take = move |at: usize| {
        if ended {
            return None;
        }
        let Some(digit) = value(bytes[at], bits) else {
            ended = true;
            return Some(None);
        };
        if count == 0 {
            first = at;
        }
        held = held << bits | digit;
        count += bits;
        if count < 8 {
            return None;
        }
        count -= 8;
        let byte = (held >> count) as u8;
        held &= (1 << count) - 1;
        Some(Some((byte, std::mem::replace(&mut first, at)..at + 1)))
    };
    places.take(MOST).filter_map(take)
}

/// The digits of `chain` decoded as far as they are readable.
fn begins_readable(bytes: &[u8], chain: &[Range<usize>], by: Views, bits: u32) -> Option<Decoded> {
    let packed = packed(bytes, chain.iter().cloned().flatten(), bits).map_while(|byte| byte);
    let mut out: Vec<(u8, Range<usize>)> = packed.take_while(|(byte, _)| !is_noise(*byte)).collect();
    let plain: Vec<u8> = out.iter().map(|(byte, _)| *byte).collect();
    let valid = std::str::from_utf8(&plain).map_or_else(|error| error.valid_up_to(), str::len);
    out.truncate(valid);
    (out.len() >= BEGINNING).then(|| from_bytes(out, by))?
}

fn after_padding(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take(2).take_while(|byte| **byte == b'=').count()
}

/// The digits of the line behind the line that ends at `end`, if there is nothing else on it.
fn next_line(bytes: &[u8], end: usize) -> Option<Range<usize>> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    let rest = &bytes[end..];
    let newline = rest.iter().position(|byte| !blank(byte)).filter(|at| rest[*at] == b'\n')?;
    let start = end + newline + 1;
    let start = start + bytes[start..].iter().take_while(|byte| blank(byte)).count();
    let length = bytes[start..].iter().take_while(|byte| is_digit(**byte)).count();
    let behind = after_padding(bytes, start + length);
    let rest = &bytes[behind..];
    let clean = rest.iter().find(|byte| !blank(byte)).is_none_or(|byte| *byte == b'\n');
    (length > 0 && clean).then_some(start..start + length)
}

/// The value of a digit, of 4 or 6 bits.
fn value(byte: u8, bits: u32) -> Option<u32> {
    if bits == 4 {
        return char::from(byte).to_digit(16);
    }
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(value.into())
}

/// Whether the first digits on `line` decode to what may be text. Nearly every long word or path has eight ways to be
/// read, and is noise in all of them: that is seen here, without a list of its bytes.
fn may_be_text(digits: &[u8], bits: u32) -> bool {
    let (mut start, mut length) = ([0_u8; 32], 0);
    for byte in packed(digits, 0..digits.len(), bits).take(start.len()) {
        let Some((byte, _)) = byte.filter(|(byte, _)| !is_noise(*byte)) else { return false };
        start[length] = byte;
        length += 1;
    }
    // UTF-16 as PowerShell has it is no UTF-8, but then every second byte is nothing.
    let wide = start[..length].iter().skip(1).step_by(2).all(|byte| *byte == 0);
    wide || std::str::from_utf8(&start[..length]).err().is_none_or(|error| error.error_len().is_none())
}

/// Whether no text has `byte` in it.
fn is_noise(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, 0 | b'\t' | b'\n' | b'\r')
}

/// The digits on `lines` decoded, if all are digits and the text is readable.
fn readable(bytes: &[u8], lines: &[Range<usize>], by: Views, bits: u32) -> Option<Decoded> {
    if !may_be_text(&bytes[lines[0].clone()], bits) {
        return None;
    }
    // Noise tells itself within a few bytes.
    let readable = packed(bytes, lines.iter().cloned().flatten(), bits)
        .map(|byte| byte.filter(|(byte, _)| !is_noise(*byte)));
    from_bytes(readable.collect::<Option<_>>()?, by)
}

/// Bytes, each with where it is written, as a text: UTF-8, or UTF-16 as PowerShell has it. `None` unless half of it or
/// more is letters, digits and spaces.
fn from_bytes(mut bytes: Vec<(u8, Range<usize>)>, by: Views) -> Option<Decoded> {
    let (start, end) = (bytes.first()?.1.start, bytes.last()?.1.end);
    if bytes.len() >= 4 && bytes.iter().skip(1).step_by(2).all(|(byte, _)| *byte == 0) {
        bytes = bytes.into_iter().step_by(2).collect();
    }
    let plain: Vec<u8> = bytes.iter().map(|(byte, _)| *byte).collect();
    // A line of a longer text may end inside a character.
    let text = match std::str::from_utf8(&plain) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&plain[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    let (mut letters, mut all) = (0, 0);
    for c in text.chars() {
        if c.is_control() && !c.is_whitespace() {
            return None;
        }
        letters += usize::from(c.is_alphanumeric() || c.is_whitespace());
        all += 1;
    }
    if letters * 2 < all {
        return None;
    }
    let mut view = Mapped::new();
    let (mut buffer, mut marks) = ([0; 4], Marks::default());
    for (at, c) in text.char_indices() {
        let source = bytes[at].1.start..bytes[at + c.len_utf8() - 1].1.end;
        view.push_replaced(c.encode_utf8(&mut buffer), source);
    }
    marks.add(start..end, by);
    Some(Decoded { view, marks })
}

/// Calls `found` for every text that is written in `text` in tag characters or in variation selectors.
pub(super) fn decode_invisible(text: &str, found: &mut impl FnMut(Decoded)) {
    // All of them are in the plane of tags, or among the first selectors.
    let bytes = text.as_bytes();
    if memchr::memchr(0xF3, bytes).is_none() && memchr::memmem::find(bytes, b"\xEF\xB8").is_none() {
        return;
    }
    let (mut tags, mut selectors) = (Vec::new(), Vec::new());
    let mut close = |run: &mut Vec<(u8, Range<usize>)>, by| {
        let run = std::mem::take(run);
        if run.len() >= 4
            && let Some(decoded) = from_bytes(run, by)
        {
            found(decoded);
        }
    };
    for (at, c) in text.char_indices() {
        let place = at..at + c.len_utf8();
        if is_tag(c) {
            tags.push(((u32::from(c) - 0xE0000) as u8, place));
        } else if let Some(byte) = selector_byte(c) {
            selectors.push((byte, place));
        } else if c == ' ' && !(tags.is_empty() && selectors.is_empty()) {
            // A blank that is seen parts the words of what is not.
            [&mut tags, &mut selectors]
                .into_iter()
                .filter(|run| !run.is_empty())
                .for_each(|run| run.push((b' ', place.clone())));
        } else if !super::character::is_invisible(c) {
            close(&mut tags, Views::TAG_CHARACTERS);
            close(&mut selectors, Views::VARIATION_SELECTORS);
        }
    }
    close(&mut tags, Views::TAG_CHARACTERS);
    close(&mut selectors, Views::VARIATION_SELECTORS);
}
