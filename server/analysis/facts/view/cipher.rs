//! Texts in another alphabet that people read, if they take the trouble: backwards, upside down, turned by some places
//! of the alphabet, as numbers, as the signals of a telegraph.
//!
//! Any text may be read in any of these ways, and reading all of it in all of them would be dear and would find noise.
//! So each has a mark by which it is known first: a word of an override written so, or a long run of codes.

use std::ops::Range;

use super::{Marks, Views};
use crate::facts::view::Mapped;

/// Words of an override by which a text that is written so is known, in the lengths that [`Survey`] looks at.
const BEARING: [&str; 6] = ["ignore", "forget", "previous", "override", "disregard", "instructions"];

/// What Unicode has for letters that stand on their head, and what they are. Some are ASCII letters themselves.
const TURNED: [(char, char); 24] = [
    ('\u{250}', 'a'),
    ('q', 'b'),
    ('\u{254}', 'c'),
    ('p', 'd'),
    ('\u{1DD}', 'e'),
    ('\u{25F}', 'f'),
    ('\u{183}', 'g'),
    ('\u{265}', 'h'),
    ('\u{1D09}', 'i'),
    ('\u{131}', 'i'),
    ('\u{27E}', 'j'),
    ('\u{29E}', 'k'),
    ('\u{A781}', 'l'),
    ('\u{26F}', 'm'),
    ('u', 'n'),
    ('d', 'p'),
    ('b', 'q'),
    ('\u{279}', 'r'),
    ('\u{287}', 't'),
    ('n', 'u'),
    ('\u{28C}', 'v'),
    ('\u{28D}', 'w'),
    ('\u{28E}', 'y'),
    ('\u{261}', 'g'),
];

/// Begins what is shown from right to left whatever it is.
const OVERRIDE: char = '\u{202E}';

/// What a text has of such ways, seen in one pass over its words.
#[derive(Clone, Copy, Debug, Default)]
struct Survey {
    /// Words of an override backwards.
    backwards: u32,
    /// Letters on their head.
    on_head: usize,
    /// The turn by which two words of an override are written; `Some(0)`: the alphabet mirrored.
    turn: Option<u8>,
}

impl Survey {
    fn of(text: &str) -> Survey {
        let mut survey = Survey::default();
        // The first bytes of letters that stand on their heads: they are among those for sounds, or near.
        if has_byte(text, |byte| matches!(byte, 0xC4..=0xCB | 0xE1 | 0xEA)) {
            let turned = |c: &char| !c.is_ascii() && TURNED.iter().any(|(turned, _)| turned == c);
            survey.on_head = text.chars().filter(turned).count();
        }
        if !has_byte(text, |byte| byte.is_ascii_alphabetic()) {
            return survey;
        }
        // The turns that one word was seen in: bit 0 is the mirror.
        let mut seen = 0_u32;
        for word in text.as_bytes().split(|byte| !byte.is_ascii_alphabetic()) {
            if !matches!(word.len(), 6 | 8 | 9 | 12) {
                continue;
            }
            for known in
                BEARING.iter().filter(|known| known.len() == word.len()).map(|known| known.as_bytes())
            {
                let pairs = || word.iter().map(u8::to_ascii_lowercase).zip(known);
                if word.iter().rev().zip(known).all(|(a, b)| a.eq_ignore_ascii_case(b)) {
                    survey.backwards += 1;
                    break;
                }
                let by = (26 + word[0].to_ascii_lowercase() - known[0]) % 26;
                let turned = by != 0 && pairs().all(|(a, b)| (26 + a - b) % 26 == by);
                let mirrored = !turned && pairs().all(|(a, b)| a - b'a' == b'z' - b);
                if turned || mirrored {
                    let bit = if turned { 1 << by } else { 1 };
                    if seen & bit != 0 {
                        survey.turn = Some(if turned { by } else { 0 });
                    }
                    seen |= bit;
                    break;
                }
            }
        }
        survey
    }

    fn is_plain(self) -> bool {
        self.backwards < 2 && self.on_head < 4 && self.turn.is_none()
    }
}

/// Whether `text` may have such a reading.
pub(super) fn has(text: &str, prose: bool) -> bool {
    if text.len() < 16 {
        return false;
    }
    if digits(text) >= LEAST {
        let mut any = false;
        codes(text, &mut |_, _| any = true);
        if any {
            return true;
        }
    }
    prose
        && (signals(text) >= 3 * LEAST
            || (!text.is_ascii() && text.contains(OVERRIDE))
            || !Survey::of(text).is_plain())
}

/// Calls `found` for every such reading of `text`; the last argument says that it stands on its own. In a program's code
/// only numbers stand for letters.
pub(super) fn read(text: &str, prose: bool, found: &mut impl FnMut(Mapped, Marks, bool)) {
    if text.len() < 16 {
        return;
    }
    if digits(text) >= LEAST {
        codes(text, &mut |view, marks| found(view, marks, true));
    }
    if !prose {
        return;
    }
    let survey = Survey::of(text);
    if survey.backwards > 1 || survey.on_head > 3 {
        backwards(text, survey.on_head > 3, &mut |view, marks| found(view, marks, true));
    }
    if let Some(turn) = survey.turn {
        let (view, marks) = turned(text, turn);
        found(view, marks, false);
    }
    if !text.is_ascii() && text.contains(OVERRIDE) {
        let (view, marks) = overridden(text);
        found(view, marks, false);
    }
    if signals(text) >= 3 * LEAST {
        telegraph(text, &mut |view, marks| found(view, marks, true));
    }
}

fn digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

/// Whether `text` has such a byte. It looks at many at a time: most texts have none.
fn has_byte(text: &str, is: impl Fn(u8) -> bool) -> bool {
    text.as_bytes().chunks(64).any(|chunk| chunk.iter().fold(false, |any, byte| any | is(*byte)))
}

/// How many bytes may be of a dot or a dash.
fn signals(text: &str) -> usize {
    text.bytes().filter(|byte| matches!(byte, b'-' | b'.' | b'_' | 0xE2 | 0xC2)).count()
}

/// Whole lines from their end, and each word from its end; `head` says that the letters stand on theirs.
fn backwards(text: &str, head: bool, found: &mut impl FnMut(Mapped, Marks)) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, content) = (at, line.trim_end());
        at += line.len();
        if content.is_empty() {
            continue;
        }
        let source = start..start + content.len();
        let upright = |c: char| match TURNED.iter().find(|(turned, _)| *turned == c) {
            Some((_, letter)) if head => *letter,
            _ => c,
        };
        let mut push = |letters: String| {
            let (mut out, mut marks) = (Mapped::new(), Marks::default());
            // A map goes up in both texts, so the whole line stands for all its letters.
            out.push_replaced(&letters, source.clone());
            marks.add(source.clone(), Views::REVERSED);
            found(out, marks);
        };
        push(content.chars().rev().map(upright).collect());
        if head {
            push(content.chars().map(upright).collect());
        } else {
            let words = content.split(' ').map(|word| word.chars().rev().collect::<String>());
            push(words.collect::<Vec<_>>().join(" "));
        }
    }
}

/// What is shown from right to left by an override, as it is shown.
fn overridden(text: &str) -> (Mapped, Marks) {
    let (mut out, mut marks, mut at) = (Mapped::new(), Marks::default(), 0);
    while let Some(start) = text[at..].find(OVERRIDE).map(|start| at + start) {
        out.push_verbatim(&text[at..start], at);
        let inner = start + OVERRIDE.len_utf8();
        let end = text[inner..].find(['\u{202C}', '\n']).map_or(text.len(), |length| inner + length);
        let shown: String = text[inner..end].chars().rev().collect();
        out.push_replaced(&shown, start..end);
        marks.add(start..end, Views::REVERSED);
        at = end;
    }
    out.push_verbatim(&text[at..], at);
    (out, marks)
}

/// The fewest codes in a row that are taken for letters.
const LEAST: usize = 8;

/// Characters as numbers, with blanks and commas between them: binary, octal with a mark, decimal, hexadecimal, `U+0041`.
fn codes(text: &str, found: &mut impl FnMut(Mapped, Marks)) {
    let bytes = text.as_bytes();
    let begins = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b'\\' | b'U' | b'%' | b'=');
    let mut at = 0;
    while let Some(next) = bytes[at..].iter().position(begins).map(|next| at + next) {
        let Some((run, end)) = run_of_codes(text, next) else {
            let word = bytes[next..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            at = next + word.max(1);
            continue;
        };
        at = end;
        if run.len() < LEAST {
            continue;
        }
        let mark = &text[run[0].1.clone()];
        let ways: &[u32] = match mark.as_bytes() {
            [b'\\', b'x', ..] | [b'0', b'x' | b'X', ..] | [b'U' | b'%' | b'=', ..] => &[16],
            [b'\\', ..] => &[8],
            _ => &[2, 10, 16],
        };
        for (view, marks) in ways.iter().filter_map(|radix| of_radix(&run, *radix)) {
            found(view, marks);
        }
    }
}

/// The digits of a code, and where they stand with what is before them.
type Code<'a> = (&'a str, Range<usize>);

/// Codes from `start` on: the digits and the place of each, with what stands before it, and where the run ends.
fn run_of_codes(text: &str, start: usize) -> Option<(Vec<Code<'_>>, usize)> {
    let bytes = text.as_bytes();
    let (mut run, mut at, mut end) = (Vec::new(), start, start);
    loop {
        let from = at;
        for mark in ["U+", "0x", "0X", "0b", "\\x", "\\", "%", "="] {
            if text.get(at..at + mark.len()) == Some(mark) {
                at += mark.len();
                break;
            }
        }
        let count = bytes[at..].iter().take(9).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if !(2..=8).contains(&count) || bytes.get(at + count).is_some_and(u8::is_ascii_alphanumeric) {
            break;
        }
        run.push((&text[at..at + count], from..at + count));
        end = at + count;
        let gap = bytes[end..].iter().take(8);
        at = end
            + gap
                .take_while(|byte| {
                    matches!(byte, b' ' | b',' | b';' | b':' | b'\n' | b'\t' | b'\'' | b'"' | b'-')
                })
                .count();
        if at == end && !matches!(bytes.get(at), Some(b'\\' | b'%' | b'=')) {
            break;
        }
    }
    (!run.is_empty()).then_some((run, end))
}

fn of_radix(run: &[Code<'_>], radix: u32) -> Option<(Mapped, Marks)> {
    let width = match radix {
        2 => 7..=8,
        8 | 10 => 2..=3,
        _ => 2..=4,
    };
    let (mut out, mut letters, mut buffer) = (Mapped::new(), 0, [0; 4]);
    for (digits, source) in run {
        let c = width.contains(&digits.len()).then(|| u32::from_str_radix(digits, radix).ok()).flatten();
        let c = c.and_then(char::from_u32).filter(|c| matches!(c, ' '..='~' | '\n' | '\t'))?;
        letters += usize::from(c.is_ascii_alphabetic() || c == ' ');
        out.push_replaced(c.encode_utf8(&mut buffer), source.clone());
    }
    if letters * 4 < run.len() * 3 {
        return None;
    }
    let mut marks = Marks::default();
    marks.add(run.first()?.1.start..run.last()?.1.end, if radix == 16 { Views::HEX } else { Views::CODES });
    Some((out, marks))
}

/// The signals of ITU-R M.1677 for the letters from a to z.
const SIGNALS: [&str; 26] = [
    ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--", "-.", "---",
    ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..",
];

fn telegraph(text: &str, found: &mut impl FnMut(Mapped, Marks)) {
    let is_dot = |c: char| matches!(c, '.' | '\u{B7}' | '\u{2022}' | '\u{2219}' | '\u{22C5}');
    let is_dash = |c: char| matches!(c, '-' | '_' | '\u{2010}'..='\u{2015}' | '\u{2212}');
    let is_signal = |c: char| is_dot(c) || is_dash(c);
    let (mut out, mut marks, mut count) = (Mapped::new(), Marks::default(), 0);
    let mut start = None;
    let mut at = 0;
    for word in text.split_inclusive(|c: char| c.is_whitespace() || c == '/' || c == '|') {
        let signal = word.trim_end_matches(|c: char| c.is_whitespace() || c == '/' || c == '|');
        let source = at..at + signal.len();
        let parts_words = word.ends_with(['/', '|', '\n']);
        at += word.len();
        if !signal.is_empty() {
            let plain: String = signal.chars().map(|c| if is_dot(c) { '.' } else { '-' }).collect();
            let letter =
                signal.chars().all(is_signal).then(|| SIGNALS.iter().position(|known| *known == plain));
            match letter.flatten() {
                Some(number) => {
                    let letter = [b'a' + number as u8];
                    out.push_replaced(std::str::from_utf8(&letter).unwrap_or(" "), source.clone());
                    start = start.or(Some(source.start));
                    count += 1;
                }
                None => out.push_replaced("\n", source),
            }
        }
        if (parts_words || signal.is_empty()) && !out.text.ends_with([' ', '\n']) {
            out.push_replaced(" ", at - 1..at);
        }
    }
    if count >= LEAST
        && let Some(start) = start
    {
        marks.add(start..text.len(), Views::CODES);
        found(out, marks);
    }
}

/// The letters of `text` turned back by `turn` places, or mirrored.
fn turned(text: &str, turn: u8) -> (Mapped, Marks) {
    let upright = |c: char| match c.to_ascii_lowercase() {
        letter @ 'a'..='z' if turn == 0 => char::from(b'z' - (letter as u8 - b'a')),
        letter @ 'a'..='z' => char::from((letter as u8 - b'a' + 26 - turn) % 26 + b'a'),
        _ => c,
    };
    let (mut out, mut marks) = (Mapped::new(), Marks::default());
    let letters: String = text.chars().map(upright).collect();
    out.push_verbatim(&letters, 0);
    marks.add(0..text.len(), Views::ROT13);
    (out, marks)
}
