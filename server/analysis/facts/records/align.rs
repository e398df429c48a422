//! The way back from a scalar's value to its source, for values that a library unescaped.
//!
//! The library says what the value is and where it stands; the two are walked side by side, and where they differ an
//! escape, a fold or a doubled quote is read. A value that does not come out equal maps as one piece.

use std::ops::Range;

use super::tree::Text;
use crate::facts::view::Mapped;

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// As it is, perhaps over several lines.
    Plain,
    /// In single quotes, which are doubled inside (YAML).
    Single,
    /// With backslash escapes.
    Escaped,
}

/// The value `value`, which is written in the bytes `source` of `unit`: behind an opening quote, with or without the
/// closing one. Gives it with the way back, and the byte behind its last one.
pub(super) fn align<'a>(unit: &'a str, source: Range<usize>, value: &str, style: Style) -> (Text<'a>, usize) {
    let text = &unit[source.clone()];
    if text.starts_with(value) {
        let end = source.start + value.len();
        return (Text::verbatim(unit, source.start..end), end);
    }
    match walk(unit, source.clone(), value, style) {
        Some((mapped, end)) => (Text::mapped(mapped), end),
        None => {
            let mut whole = Mapped::new();
            whole.push_replaced(value, source.clone());
            (Text::mapped(whole), source.end)
        }
    }
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\n']).len()
}

fn walk(unit: &str, source: Range<usize>, value: &str, style: Style) -> Option<(Mapped, usize)> {
    let mut mapped = Mapped::new();
    let (mut at, mut read) = (0, source.start);
    while at < value.len() {
        let rest = &unit[read..source.end];
        let left = &value[at..];
        // A block's last line end may stand outside of what the library gives as its place.
        if rest.is_empty() && left.bytes().all(|byte| byte == b'\n') {
            mapped.push_replaced(left, read..read);
            break;
        }
        if style == Style::Escaped && rest.starts_with('\\') {
            if let Some(behind) = joined(rest) {
                read += behind;
                continue;
            }
            let len = escape_len(rest)?;
            let character = left.chars().next()?;
            mapped.push_replaced(&left[..character.len_utf8()], read..read + len);
            at += character.len_utf8();
            read += len;
            continue;
        }
        if style == Style::Single && rest.starts_with("''") && left.starts_with('\'') {
            mapped.push_replaced("'", read..read + 2);
            (at, read) = (at + 1, read + 2);
            continue;
        }
        // As far as both are the same, to the next character that may mean something else.
        let stop = |c: char| matches!(c, ' ' | '\t' | '\n' | '\\' | '\'');
        let plain = rest.find(stop).unwrap_or(rest.len()).min(left.find(stop).unwrap_or(left.len()));
        if plain > 0 {
            let (from, to) = (rest.get(..plain)?, left.get(..plain)?);
            if from != to {
                return None;
            }
            mapped.push_verbatim(to, read);
            (at, read) = (at + plain, read + plain);
            continue;
        }
        let (written, meant) = (blanks(rest), blanks(left));
        if written == 0 || meant == 0 {
            let c = left.chars().next().filter(|c| rest.starts_with(*c))?;
            mapped.push_verbatim(&left[..c.len_utf8()], read);
            (at, read) = (at + c.len_utf8(), read + c.len_utf8());
        } else if left.starts_with(&rest[..written]) {
            mapped.push_verbatim(&left[..written], read);
            (at, read) = (at + written, read + written);
        } else {
            mapped.push_replaced(&left[..meant], read..read + written);
            (at, read) = (at + meant, read + written);
        }
    }
    Some((mapped, read))
}

/// How much of the source an escaped line end takes: it joins the lines and leaves nothing.
fn joined(rest: &str) -> Option<usize> {
    let behind = rest[1..].trim_start_matches([' ', '\t']);
    let behind = behind.strip_prefix('\n')?;
    Some(rest.len() - behind.len() + blanks(behind))
}

/// The length of the escape at the beginning of `rest`: `\xHH`, `\uHHHH`, `\UHHHHHHHH`, or one character (YAML 1.2,
/// 5.7; TOML 1.1, "String").
fn escape_len(rest: &str) -> Option<usize> {
    let character = rest[1..].chars().next()?;
    let len = match character {
        'x' => 4,
        'u' => {
            let digits = |at: usize| u32::from_str_radix(rest.get(at..at + 4)?, 16).ok();
            // A pair of halves is one character, as in JSON.
            let high = digits(2).is_some_and(|unit| (0xD800..0xDC00).contains(&unit));
            if high && rest.get(6..8) == Some("\\u") { 12 } else { 6 }
        }
        'U' => 10,
        other => 1 + other.len_utf8(),
    };
    rest.is_char_boundary(len).then_some(len)
}
