//! What an address says behind its host, read as words.
//!
//! An assistant that is sent to a link, or given one, reads its query as text; so the parts of an address that hold
//! blanks, written as `%20` or `+`, are a text of their own.

use std::ops::Range;

use memchr::memmem;

use super::plain::percent_byte;
use super::{Marks, Views};
use crate::facts::view::Mapped;

/// The most bytes of an address.
const LONGEST: usize = 8 * 1024;

/// Calls `found` for what every address in `text` says that has blanks in it.
pub(super) fn read(text: &str, found: &mut impl FnMut(Mapped, Marks)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(scheme) = memmem::find(&bytes[at..], b"://").map(|scheme| at + scheme + 3) {
        let end = bytes[scheme..bytes.len().min(scheme + LONGEST)]
            .iter()
            .position(|byte| {
                byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`' | b')' | b']')
            })
            .map_or(bytes.len().min(scheme + LONGEST), |length| scheme + length);
        at = end;
        let words = bytes[scheme..end].iter().position(|byte| matches!(byte, b'/' | b'?' | b'#'));
        let Some(start) = words.map(|host| scheme + host + 1) else { continue };
        if memchr::memchr2(b'%', b'+', &bytes[start..end]).is_some()
            && let Some((view, marks)) = words_of(text, start..end)
        {
            found(view, marks);
        }
    }
}

/// Whether `text` has an address that may say something.
pub(super) fn has(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr2(b'%', b'+', bytes).is_some() && memmem::find(bytes, b"://").is_some()
}

fn words_of(text: &str, range: Range<usize>) -> Option<(Mapped, Marks)> {
    let bytes = text.as_bytes();
    let (mut out, mut blanks, mut at) = (Mapped::new(), 0, range.start);
    while at < range.end {
        let (reads, end) = match bytes[at] {
            b'+' => (" ", at + 1),
            // Another part of the query, or of the path, is another sentence.
            b'&' | b'/' | b'#' | b'?' => ("\n", at + 1),
            b'%' => match percent_byte(&bytes[at..range.end]) {
                Some(b' ') => (" ", at + 3),
                Some(b'\t' | b'\n' | b'\r') => ("\n", at + 3),
                _ => ("", at),
            },
            _ => ("", at),
        };
        if end > at {
            blanks += usize::from(reads == " ");
            out.push_replaced(reads, at..end);
            at = end;
            continue;
        }
        let next = bytes[at + 1..range.end]
            .iter()
            .position(|byte| matches!(byte, b'+' | b'&' | b'/' | b'#' | b'?' | b'%'));
        let end = next.map_or(range.end, |length| at + 1 + length);
        // The bytes may be those of a character in another encoding, but they are whole characters of this text.
        out.push_verbatim(text.get(at..end)?, at);
        at = end;
    }
    let mut marks = Marks::default();
    marks.add(range, Views::PERCENT);
    (blanks > 1).then_some((out, marks))
}
