//! The view in which markup, entities and escapes are read as what they stand for.
//!
//! All of them are ordinary writing most of the time: emphasis around a word, `&lt;` for a sign, `%20` for a space. They
//! hide something only where a letter or digit is written another way, or where markup stands inside a word; only that
//! is marked.

use std::ops::Range;

use memchr::{memchr, memchr3_iter};

use super::entity::entity;
use super::{Marks, Views};
use crate::facts::view::Mapped;

/// Whether anything in `text` may be written another way; `prose` says that markup is read.
pub(super) fn has(text: &str, prose: bool) -> bool {
    let bytes = text.as_bytes();
    let escaped = memchr3_iter(b'&', b'%', b'\\', bytes).any(|at| match bytes[at] {
        b'&' => entity(&text[at..]).is_some(),
        b'%' => percent(&bytes[at..]).is_some(),
        _ => escape(&text[at..]).is_some(),
    });
    let emphasis =
        || memchr3_iter(b'*', b'_', b'<', bytes).any(|at| bytes[at] != b'_' || !between(bytes, at..at + 1));
    escaped || has_controls(bytes) || (prose && (emphasis() || ticks_inside(bytes) || has_link_inside(bytes)))
}

/// `text` with markup (in prose), entities and escapes read.
pub(super) struct Plain {
    pub(super) view: Mapped,
    pub(super) marks: Marks,
    /// Nothing but emphasis went, and all of it stood where words are parted anyway: word for word, sentence for sentence
    /// the view is what the text is.
    pub(super) same_words: bool,
}

/// `text` as that; none where nothing in it is written another way.
pub(super) fn read(text: &str, prose: bool) -> Option<Plain> {
    let mut pieces = Vec::new();
    if prose {
        emphasis(text, &mut pieces);
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(next) = bytes[at..].iter().position(|byte| matches!(byte, b'&' | b'%' | b'\\' | b'<')) {
        at += next;
        let piece = match bytes[at] {
            b'&' => entity(&text[at..]),
            b'%' => percent(&bytes[at..]),
            b'\\' => escape(&text[at..])
                .or_else(|| (prose && is_escaped(bytes, at)).then_some((1, None, Views::MARKUP))),
            _ if prose => line_break(&text[at..])
                .map(|length| (length, Some(' '), Views::MARKUP))
                .or_else(|| tag(&text[at..]).map(|length| (length, None, Views::MARKUP))),
            _ => None,
        };
        match piece {
            Some((length, reads, by)) => {
                pieces.push(Piece { source: at..at + length, reads, by });
                // Behind an escaping backslash stands its character.
                at += if by == Views::MARKUP && bytes[at] == b'\\' { 2 } else { length };
            }
            None => at += 1,
        }
        if at >= bytes.len() {
            break;
        }
    }
    if has_controls(bytes) {
        controls(text, &mut pieces);
    }
    if prose {
        inside_words(text, &mut pieces);
    }
    if pieces.is_empty() {
        return None;
    }
    pieces.sort_by_key(|piece| (piece.source.start, piece.source.end));
    Some(assemble(text, &pieces))
}

/// Controls that show nothing; of those that end a line, part pages or set columns there is nothing to undo.
const fn is_control(byte: u8) -> bool {
    matches!(byte, 1..=8 | 0xE..=0x1F | 0x7F)
}

fn has_controls(bytes: &[u8]) -> bool {
    bytes.chunks(64).any(|chunk| chunk.iter().fold(false, |any, byte| any | is_control(*byte)))
}

/// Takes out the controls: with an escape its sequence (ECMA-48, 5.4), with a backspace the character that it wipes.
fn controls(text: &str, pieces: &mut Vec<Piece>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| is_control(*byte)) {
        let mut source = at + found..at + found + 1;
        match bytes[source.start] {
            8 => {
                let wiped = text[at..source.start].chars().next_back().filter(|c| *c != '\n');
                source.start -= wiped.map_or(0, char::len_utf8);
            }
            0x1B if bytes.get(source.end) == Some(&b'[') => {
                let codes = bytes[source.end + 1..].iter().take_while(|byte| (0x20..0x40).contains(*byte));
                let end = source.end + 1 + codes.count();
                source.end =
                    end + usize::from(bytes.get(end).is_some_and(|byte| (0x40..0x7F).contains(byte)));
            }
            _ => {}
        }
        at = source.end;
        pieces.push(Piece { source, reads: None, by: Views::ZERO_WIDTH });
    }
}

/// A stretch that reads as something else, or as nothing.
struct Piece {
    source: Range<usize>,
    reads: Option<char>,
    by: Views,
}

fn assemble(text: &str, pieces: &[Piece]) -> Plain {
    let (mut out, mut marks, mut plain) = (Mapped::new(), Marks::default(), 0);
    let mut same_words = true;
    // Markup that was taken out, and where in the view it stood: whether inside a word is known when the next is.
    let mut taken: Option<(Range<usize>, Views)> = None;
    let mut buffer = [0; 4];
    for piece in
        pieces.iter().chain([&Piece { source: text.len()..text.len(), reads: None, by: Views::empty() }])
    {
        let Range { start, end } = piece.source;
        if start < plain {
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric();
        let next = if start > plain { text[plain..].chars().next() } else { piece.reads };
        if let (Some(next), Some((range, by))) = (next, &taken) {
            if is_word(next) && out.text.chars().next_back().is_some_and(is_word) {
                marks.add(range.clone(), *by);
            }
            same_words &= piece.reads.is_none() && parts_anyway(text, range, out.text.chars().next_back());
            taken = None;
        }
        out.push_verbatim(&text[plain..start], plain);
        match piece.reads {
            Some(c) => {
                same_words = false;
                out.push_replaced(c.encode_utf8(&mut buffer), start..end);
                if is_word(c) || (c == ' ' && is_odd_blank(text, start, piece.by)) {
                    marks.add(start..end, piece.by);
                }
            }
            None => {
                let (from, by) = taken.map_or((start, piece.by), |(taken, by)| (taken.start, by | piece.by));
                taken = Some((from..end, by));
            }
        }
        plain = end;
    }
    // What was taken out at the end has nothing behind it.
    same_words &= taken.is_none_or(|(range, _)| parts_anyway(text, &range, out.text.chars().next_back()));
    Plain { view: out, marks, same_words }
}

/// Whether a blank that is written another way at `at` hides something: as a number, or with `%` outside of an address or
/// a file's name behind a link's bracket.
fn is_odd_blank(text: &str, at: usize, by: Views) -> bool {
    const LOOK: usize = 128;
    match by {
        Views::PERCENT => {
            let before = text.as_bytes()[at.saturating_sub(LOOK)..at].iter().rev();
            !before
                .take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'`' | b'"' | b'\''))
                .any(|byte| b"/?=&#(:[<@".contains(byte))
        }
        Views::ENTITY => text[at..].starts_with("&#"),
        by => by == Views::ESCAPE,
    }
}

/// Whether the stretch `range` of `text` is emphasis that parts no words, sentences or addresses that its going would
/// join; `before` is what stands before it in the view. Where that would need a closer look, it is not.
fn parts_anyway(text: &str, range: &Range<usize>, before: Option<char>) -> bool {
    let mut behind = text[range.end..].chars();
    let (next, following) = (behind.next(), behind.next());
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || !c.is_ascii() || c == '\'');
    let one_of = |c: Option<char>, signs: &str| c.is_some_and(|c| signs.contains(c));
    // With these a file's name may begin, a blob or a sentence go on, an address begin or go on.
    const JOIN: &str = ".!?@+-_/:";
    let joins = match (word(before), word(next)) {
        (true, true) => true,
        (false, true) => one_of(before, JOIN),
        (true, false) => {
            one_of(next, "@+-_/") || (one_of(next, ".:") && (word(following) || one_of(following, JOIN)))
        }
        (false, false) => one_of(next, JOIN) && (one_of(before, JOIN) || word(following)),
    };
    !joins && text.as_bytes()[range.clone()].iter().all(|byte| matches!(byte, b'*' | b'~'))
}

/// The byte that `%XX` stands for at the beginning of `bytes`.
pub(super) fn percent_byte(bytes: &[u8]) -> Option<u8> {
    match bytes.get(..3)? {
        [b'%', high, low] => {
            let digit = |byte: &u8| char::from(*byte).to_digit(16);
            u8::try_from(digit(high)? << 4 | digit(low)?).ok()
        }
        _ => None,
    }
}

/// The character that `%XX`, or several of them in UTF-8, stand for at the beginning of `bytes` (RFC 3986, 2.1).
fn percent(bytes: &[u8]) -> Option<(usize, Option<char>, Views)> {
    let byte = |at: usize| percent_byte(bytes.get(at..)?);
    let first = byte(0)?;
    let length = match first {
        0x20..=0x7E => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let mut buffer = [0; 4];
    for (at, place) in buffer.iter_mut().take(length).enumerate() {
        *place = byte(at * 3)?;
    }
    let c = std::str::from_utf8(&buffer[..length]).ok()?.chars().next()?;
    Some((length * 3, Some(c), Views::PERCENT))
}

/// The character that an escape of program code stands for at the beginning of `text`: `\xXX`, `\uXXXX`, a pair of
/// surrogates, `\u{X…}`, `\UXXXXXXXX`.
fn escape(text: &str) -> Option<(usize, Option<char>, Views)> {
    let digits = |from: usize, count: usize| {
        let digits = text.get(from..from + count)?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
    };
    let (length, value) = match text.as_bytes().get(1)? {
        b'x' => (4, digits(2, 2)?),
        // A letter by its octal number; what is shorter refers to a group of a pattern.
        b'0'..=b'7' => {
            let octal = |count: usize| {
                let digits =
                    text.get(1..=count).filter(|digits| digits.bytes().all(|b| matches!(b, b'0'..=b'7')))?;
                u32::from_str_radix(digits, 8).ok().filter(|value| (0x20..0x7F).contains(value))
            };
            match (octal(3), octal(2)) {
                (Some(value), _) => (4, value),
                (_, Some(value)) => (3, value),
                _ => return None,
            }
        }
        b'U' => (10, digits(2, 8)?),
        b'u' if text.as_bytes().get(2) == Some(&b'{') => {
            let count = text[3..].bytes().take(7).position(|byte| byte == b'}')?;
            (4 + count, digits(3, count)?)
        }
        b'u' => match digits(2, 4)? {
            high @ 0xD800..=0xDBFF => {
                let low = text.get(6..8).filter(|mark| *mark == "\\u").and_then(|_| digits(8, 4))?;
                let low = low.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
                (12, 0x10000 + ((high - 0xD800) << 10) + low)
            }
            value => (6, value),
        },
        _ => return None,
    };
    let c = char::from_u32(value).filter(|c| *c >= ' ')?;
    Some((length, Some(c), Views::ESCAPE))
}

/// Whether the backslash at `at` escapes the character behind it (CommonMark 2.4).
fn is_escaped(bytes: &[u8], at: usize) -> bool {
    bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation)
}

/// The length of the tag or comment at the beginning of `text` (CommonMark 6.6), on one line and of at most 256 bytes.
/// A placeholder, `<name>`, has the form of a tag, too: only names that HTML gives to text count.
fn tag(text: &str) -> Option<usize> {
    const NAMES: [&str; 22] = [
        "a", "b", "i", "s", "u", "q", "em", "tt", "big", "bdi", "bdo", "del", "ins", "kbd", "sub", "sup",
        "wbr", "code", "font", "mark", "span", "strong",
    ];
    let near = &text.as_bytes()[..text.len().min(256)];
    if near.starts_with(b"<!--") {
        let end = near[4..].windows(3).position(|bytes| bytes == b"-->")?;
        return Some(end + 7).filter(|end| !near[..*end].contains(&b'\n'));
    }
    let end = memchr(b'>', near)?;
    let inner = text.get(1..end)?;
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let name = inner.split(|c: char| !c.is_ascii_alphanumeric()).next()?.to_ascii_lowercase();
    let known = NAMES.contains(&name.as_str()) && !inner.contains(['<', '\n']);
    known.then_some(end + 1)
}

/// Links, pictures, formulas and unknown tags that begin or end inside a word: nobody writes them there to be seen.
fn inside_words(text: &str, pieces: &mut Vec<Piece>) {
    const LONGEST: usize = 256;
    let bytes = text.as_bytes();
    let word = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    let mut add = |source: Range<usize>| pieces.push(Piece { source, reads: None, by: Views::MARKUP });
    for start in memchr3_iter(b'[', b'$', b'<', bytes) {
        let before = word(start.checked_sub(1));
        let near = &bytes[start..bytes.len().min(start + LONGEST)];
        match bytes[start] {
            b'[' => {
                let Some(close) = memchr::memmem::find(near, b"](") else { continue };
                let Some(end) = memchr(b')', &near[close..]).map(|end| close + end + 1) else { continue };
                if memchr::memchr2(b'[', b'\n', &near[1..close]).is_some() {
                    continue;
                }
                let picture = start > 0 && bytes[start - 1] == b'!';
                if picture && word(start.checked_sub(2)) && word(Some(start + end)) {
                    add(start - 1..start + end);
                } else if !picture && (before || word(Some(start + end))) && close > 1 {
                    add(start..start + 1);
                    add(start + close..start + end);
                }
            }
            b'$' if before && near.get(1) == Some(&b'$') && word(Some(start + 2)) => add(start..start + 2),
            b'<' if before && near.get(1).is_some_and(u8::is_ascii_alphabetic) => {
                let Some(end) = memchr(b'>', near) else { continue };
                if word(Some(start + end + 1)) && memchr(b'\n', &near[..end]).is_none() {
                    add(start..start + end + 1);
                }
            }
            _ => {}
        }
    }
}

/// Whether a link may stand inside a word of `bytes`.
fn has_link_inside(bytes: &[u8]) -> bool {
    let word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    memchr3_iter(b'[', b'$', b')', bytes).any(|at| match bytes[at] {
        b')' => word(bytes.get(at + 1)),
        b'[' => at > 0 && (word(bytes.get(at - 1)) || bytes[at - 1] == b'!'),
        _ => at > 0 && word(bytes.get(at - 1)) && bytes.get(at + 1) == Some(&b'$'),
    })
}

/// The length of the line break at the beginning of `text`, which parts words as a space does.
fn line_break(text: &str) -> Option<usize> {
    let inner = text.get(..3).filter(|tag| tag.eq_ignore_ascii_case("<br")).map(|_| &text[3..])?;
    let end = memchr(b'>', &inner.as_bytes()[..inner.len().min(16)])?;
    inner[..end].chars().all(|c| c.is_whitespace() || c == '/').then_some(3 + end + 1)
}

/// Whether a letter or digit stands on both sides of `range`.
fn between(bytes: &[u8], range: Range<usize>) -> bool {
    let word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    word(range.start.checked_sub(1).and_then(|at| bytes.get(at))) && word(bytes.get(range.end))
}

/// Whether a code span begins or ends inside a word.
fn ticks_inside(bytes: &[u8]) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80;
    memchr::memchr_iter(b'`', bytes).filter(|at| *at > 0 && word(bytes[at - 1])).any(|at| {
        let behind = bytes[at..].iter().find(|byte| **byte != b'`');
        behind.is_some_and(|byte| word(*byte))
    })
}

/// A run of one emphasis character (CommonMark 6.2), `~` as GFM has it.
struct Run {
    range: Range<usize>,
    mark: u8,
    opens: bool,
    closes: bool,
    /// How many of its characters at its end, or at its beginning, are markup.
    used: usize,
}

/// Adds the delimiters of emphasis in `text`: runs that open matched with runs that close. Code spans are passed over,
/// but for ticks inside a word.
fn emphasis(text: &str, pieces: &mut Vec<Piece>) {
    let bytes = text.as_bytes();
    let mut runs: Vec<Run> = Vec::new();
    let mut at = 0;
    while let Some(next) =
        bytes[at..].iter().position(|byte| matches!(byte, b'*' | b'_' | b'~' | b'`' | b'\\'))
    {
        at += next;
        let mark = bytes[at];
        if mark == b'\\' {
            at = (at + 2).min(bytes.len());
            continue;
        }
        let length = bytes[at..].iter().take_while(|byte| **byte == mark).count();
        let range = at..at + length;
        at = range.end;
        if mark == b'`' {
            if let Some(close) = closing_ticks(bytes, at, length) {
                let glued = between(bytes, range.clone()) || between(bytes, close.clone());
                if glued {
                    for source in [range, close.clone()] {
                        pieces.push(Piece { source, reads: None, by: Views::MARKUP });
                    }
                }
                at = close.end;
            }
            continue;
        }
        if mark == b'~' && length > 2 {
            continue;
        }
        let before = text[..range.start].chars().next_back().unwrap_or(' ');
        let after = text[range.end..].chars().next().unwrap_or(' ');
        let sign = |c: char| c.is_ascii_punctuation() || (!c.is_alphanumeric() && !c.is_whitespace());
        let left = !after.is_whitespace() && (!sign(after) || before.is_whitespace() || sign(before));
        let right = !before.is_whitespace() && (!sign(before) || after.is_whitespace() || sign(after));
        let (opens, closes) = match mark {
            b'_' => (left && (!right || sign(before)), right && (!left || sign(after))),
            _ => (left, right),
        };
        runs.push(Run { range, mark, opens, closes, used: 0 });
    }
    let mut open: Vec<usize> = Vec::new();
    // Of each mark, how many of the open runs are known to be of others (CommonMark's `openers_bottom`): a run that
    // closes nothing is not held against all of them again.
    let mut others = [0; 128];
    for index in 0..runs.len() {
        let mut left = runs[index].range.len();
        if runs[index].closes {
            let mark = runs[index].mark;
            let others = &mut others[usize::from(mark)];
            while left > 0 {
                *others = open.len().min(*others);
                let Some(found) = open[*others..].iter().rposition(|open| runs[*open].mark == mark) else {
                    *others = open.len();
                    break;
                };
                let found = *others + found;
                let opener = &mut runs[open[found]];
                let count = left.min(opener.range.len() - opener.used);
                let end = opener.range.end - opener.used;
                pieces.push(Piece { source: end - count..end, reads: None, by: Views::MARKUP });
                opener.used += count;
                let full = opener.used == opener.range.len();
                let start = runs[index].range.end - left;
                pieces.push(Piece { source: start..start + count, reads: None, by: Views::MARKUP });
                left -= count;
                open.truncate(if full { found } else { found + 1 });
            }
        }
        if left > 0 && runs[index].opens {
            runs[index].used = 0;
            let end = runs[index].range.end;
            runs[index].range = end - left..end;
            open.push(index);
        }
    }
}

/// The run of exactly `length` ticks from `from` on that closes a code span.
fn closing_ticks(bytes: &[u8], from: usize, length: usize) -> Option<Range<usize>> {
    let mut at = from;
    while let Some(next) = memchr(b'`', &bytes[at..]) {
        let start = at + next;
        let run = bytes[start..].iter().take_while(|byte| **byte == b'`').count();
        if run == length {
            return Some(start..start + run);
        }
        at = start + run;
    }
    None
}
