//! Strings that a program puts together: `"rm" + " -rf"`, `"rm " "-rf"` in a call, `chr(114) + "m"`.
//!
//! Programs do that every day with long texts, so a string in parts hides nothing; what is cut within a word does.

use std::ops::Range;

use super::{Marks, Views};
use crate::facts::view::Mapped;

/// The most characters of a string.
const LONGEST: usize = 4096;

/// Whether `text` may have strings that belong together.
pub(super) fn has(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr3_iter(b'"', b'\'', b')', bytes).any(|at| {
        let behind = bytes[at + 1..].iter().take(16).find(|byte| !byte.is_ascii_whitespace());
        matches!(behind, Some(b'+' | b'.' | b'"' | b'\'' | b'`' | b'~'))
    }) && read(text).is_some()
}

/// `text` with such strings joined.
pub(super) fn read(text: &str) -> Option<(Mapped, Marks)> {
    let (mut out, mut marks, mut plain, mut at) = (Mapped::new(), Marks::default(), 0, 0);
    let mut any = false;
    while at < text.len() {
        let Some(first) = Atom::at(text, at) else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        };
        let introduced = text[..at].trim_end().ends_with(['(', '=', '[', ',', ':']);
        let mut atoms = vec![first];
        while let Some(last) = atoms.last()
            && let Some(start) = behind(text, last.end, introduced)
            && let Some(next) = Atom::at(text, start)
        {
            atoms.push(next);
        }
        let end = atoms.last().map_or(at + 1, |atom| atom.end);
        if atoms.len() > 1 || !atoms[0].codes.is_empty() {
            any |= atoms.len() > 1 || atoms[0].codes.len() > 1;
            out.push_verbatim(&text[plain..at], plain);
            join(text, at..end, &atoms, &mut out, &mut marks);
            plain = end;
        }
        at = end;
    }
    if !any {
        return None;
    }
    out.push_verbatim(&text[plain..], plain);
    Some((out, marks))
}

/// Adds the strings `atoms`, which stand in `range`, as one in the quotes of the first.
fn join(text: &str, range: Range<usize>, atoms: &[Atom], out: &mut Mapped, marks: &mut Marks) {
    let quote = atoms.iter().find(|atom| atom.codes.is_empty()).map_or("\"", |atom| &text[atom.start..][..1]);
    out.push_replaced(quote, range.start..atoms[0].content.start);
    let mut before: Option<usize> = None;
    for atom in atoms {
        let source = atom.content.clone();
        let written = if atom.codes.is_empty() { &text[source.clone()] } else { &atom.codes };
        let letter = written.chars().next();
        let in_word = out.text.chars().next_back().is_some_and(char::is_alphanumeric)
            && letter.is_some_and(char::is_alphanumeric);
        if let Some(end) = before.filter(|_| in_word) {
            marks.add(end..source.start, Views::CONCATENATED);
        }
        if atom.codes.is_empty() {
            out.push_verbatim(written, source.start);
        } else {
            out.push_replaced(written, source.clone());
            marks.add(source.clone(), Views::CODES);
        }
        before = Some(source.end);
    }
    let end = before.unwrap_or(range.end);
    out.push_replaced(quote, end..range.end);
}

/// A string, or a character by its number.
struct Atom {
    start: usize,
    end: usize,
    content: Range<usize>,
    /// The characters whose numbers stand there; of a string none.
    codes: String,
}

impl Atom {
    fn at(text: &str, at: usize) -> Option<Atom> {
        let bytes = text.as_bytes();
        let quote = *bytes.get(at)?;
        if matches!(quote, b'"' | b'\'' | b'`') {
            // An apostrophe opens nothing.
            if at > 0 && quote == b'\'' && bytes[at - 1].is_ascii_alphanumeric() {
                return None;
            }
            let mut close = at + 1;
            while *bytes.get(close)? != quote {
                close += if bytes[close] == b'\\' { 2 } else { 1 };
                if close - at > LONGEST {
                    return None;
                }
            }
            return Some(Atom { start: at, end: close + 1, content: at + 1..close, codes: String::new() });
        }
        if !matches!(quote, b'c' | b'C' | b'S' | b'[') || (at > 0 && bytes[at - 1].is_ascii_alphanumeric()) {
            return None;
        }
        let names = ["chr(", "CHR(", "Chr(", "String.fromCharCode(", "[char]"];
        let name = names.iter().find(|name| text[at..].starts_with(**name))?;
        let (mut codes, mut from) = (String::new(), at + name.len());
        loop {
            from += text[from..].len() - text[from..].trim_start().len();
            let (radix, skip) = if text[from..].starts_with("0x") { (16, 2) } else { (10, 0) };
            let digits = &text[from + skip..];
            let count = digits.bytes().take(6).take_while(|byte| char::from(*byte).is_digit(radix)).count();
            let code = u32::from_str_radix(&digits[..count], radix).ok().and_then(char::from_u32)?;
            codes.extend(Some(code).filter(|code| (' '..='~').contains(code)));
            from += skip + count;
            match bytes.get(from) {
                _ if !name.ends_with('(') => break,
                Some(b',') if codes.len() < LONGEST => from += 1,
                Some(b')') => {
                    from += 1;
                    break;
                }
                _ => return None,
            }
        }
        (!codes.is_empty()).then_some(Atom { start: at, end: from, content: at..from, codes })
    }
}

/// Where the next string begins behind the byte `end`, if what stands between joins the two: a sign, or in a call or a
/// list nothing at all.
fn behind(text: &str, end: usize, introduced: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut signs) = (end, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b'\\' => {}
            b'+' | b'.' | b'&' | b'~' if signs < 2 => signs += 1,
            _ => break,
        }
        at += 1;
    }
    (signs > 0 || (introduced && at > end)).then_some(at)
}
