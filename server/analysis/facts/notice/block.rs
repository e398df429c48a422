//! Runs that look encoded. Nothing is decoded here: the notice says only that somebody should look.

use std::ops::Range;

use super::Found;

/// The shortest run of hexadecimal digits.
const HEX: usize = 64;
/// The shortest run of base 64.
const BASE64: usize = 80;

fn in_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'_' | b'-')
}

fn in_run(byte: u8) -> bool {
    in_base64(byte) || byte == b'='
}

/// The first run of `line` that looks like hexadecimal or base 64.
pub(super) fn find(line: &str) -> Option<Found> {
    let bytes = line.as_bytes();
    let mut found: Option<Found> = None;
    // A run of 64 or more has a byte at a multiple of 64.
    let mut at = 0;
    while at < bytes.len() {
        if in_run(bytes[at]) {
            let start = bytes[..at].iter().rposition(|byte| !in_run(*byte)).map_or(0, |before| before + 1);
            let end =
                bytes[at..].iter().position(|byte| !in_run(*byte)).map_or(bytes.len(), |after| at + after);
            if end - start >= HEX {
                found = hex(bytes, start..end).or_else(|| base64(bytes, start..end));
                if found.is_some() {
                    break;
                }
            }
            at = at.max(end - end % HEX);
        }
        at += HEX;
    }
    found
}

/// 64 or more hexadecimal digits inside `run`, with nothing hexadecimal beside them. A digest that says so
/// (`sha256:` and 64 digits in lower case) is none.
fn hex(bytes: &[u8], run: Range<usize>) -> Option<Found> {
    let mut at = run.start;
    while at < run.end {
        if !bytes[at].is_ascii_hexdigit() {
            at += 1;
            continue;
        }
        let end = bytes[at..run.end].iter().position(|byte| !byte.is_ascii_hexdigit());
        let end = end.map_or(run.end, |length| at + length);
        let digits = &bytes[at..end];
        let lower = digits.iter().all(|byte| !byte.is_ascii_uppercase());
        let digest = digits.len() == HEX && lower && bytes[..at].ends_with(b"sha256:");
        if digits.len() >= HEX && !digest {
            let prefixed = bytes[..at].ends_with(b"0x") || bytes[..at].ends_with(b"0X");
            let alone = prefixed && at.checked_sub(3).is_none_or(|before| !bytes[before].is_ascii_hexdigit());
            return Some((at - if alone { 2 } else { 0 }..end, "hex"));
        }
        at = end;
    }
    None
}

/// The whole of `run`, if it is base 64 or its form for URLs, not all hexadecimal, and of several classes.
fn base64(bytes: &[u8], run: Range<usize>) -> Option<Found> {
    let text = &bytes[run.clone()];
    let body = text.iter().position(|byte| *byte == b'=').unwrap_or(text.len());
    let padding = &text[body..];
    if body < BASE64
        || padding.len() > 2
        || padding.iter().any(|byte| *byte != b'=')
        || !text.len().is_multiple_of(4)
    {
        return None;
    }
    let has = |test: fn(&u8) -> bool| usize::from(text.iter().any(test));
    let classes = has(u8::is_ascii_lowercase)
        + has(u8::is_ascii_uppercase)
        + has(u8::is_ascii_digit)
        + has(|byte| !byte.is_ascii_alphanumeric());
    let plain = text.iter().all(u8::is_ascii_hexdigit);
    (classes >= 3 && !plain).then_some((run, "base64"))
}
