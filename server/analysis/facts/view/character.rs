//! Single characters: those that nobody sees, and those that read as something else.

use std::sync::LazyLock;

use unicode_normalization::char::{decompose_canonical, decompose_compatible, is_combining_mark};
use unicode_security::confusable_detection::skeleton;

use super::Views;

/// Whether `c` has neither width nor form: default-ignorable (Unicode, `Default_Ignorable_Code_Point`), an annotation
/// mark or a stand-in that is set nowhere, a separator of lines that ends none, the pattern of Braille without a dot.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    match u32::from(c) {
        0..=0xAC => false,
        0xAD
        | 0x34F
        | 0x61C
        | 0x115F..=0x1160
        | 0x17B4..=0x17B5
        | 0x180B..=0x180F
        | 0x200B..=0x200F
        | 0x2028..=0x202E
        | 0x2060..=0x206F
        | 0x2800
        | 0x3164
        | 0xFE00..=0xFE0F
        | 0xFEFF
        | 0xFFA0
        | 0xFFF0..=0xFFFC
        | 0x13430..=0x1343F
        | 0x1BCA0..=0x1BCA3
        | 0x1D173..=0x1D17A
        | 0xE0000..=0xE0FFF => true,
        _ => false,
    }
}

/// Whether `c` is one of the 95 tag characters that stand for printable ASCII.
pub(super) fn is_tag(c: char) -> bool {
    ('\u{E0020}'..='\u{E007E}').contains(&c)
}

/// The byte that a variation selector stands for where a run of them is read as bytes: the first 16, then the other 240.
pub(super) fn selector_byte(c: char) -> Option<u8> {
    let byte = match u32::from(c) {
        selector @ 0xFE00..=0xFE0F => selector - 0xFE00,
        selector @ 0xE0100..=0xE01EF => selector - 0xE0100 + 16,
        _ => return None,
    };
    u8::try_from(byte).ok()
}

/// The way of hiding that an invisible character is.
pub(super) fn hides_by(c: char) -> Views {
    if selector_byte(c).is_some() {
        Views::VARIATION_SELECTORS
    } else if ('\u{E0000}'..='\u{E007F}').contains(&c) {
        Views::TAG_CHARACTERS
    } else {
        Views::ZERO_WIDTH
    }
}

/// Whether `c` belongs to a script whose characters read as nothing but themselves: Kana, Han, Hangul. Their text is
/// long, and is passed over quickly.
pub(super) fn is_plain_cjk(c: char) -> bool {
    matches!(u32::from(c), 0x3001..=0x3029 | 0x3041..=0x3096 | 0x309D..=0x30FE | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xAC00..=0xD7A3 | 0xFF01 | 0xFF08..=0xFF09 | 0xFF0C | 0xFF1A..=0xFF1B | 0xFF1F | 0x20000..=0x2EBE0)
}

/// Whether `c` is one of the signs that stand in many texts and are seen by everybody as what they are: dashes, quotes,
/// dots, arrows, lines of boxes, pictures. No letter, no mark, and none comes of it.
pub(super) fn is_sign(c: char) -> bool {
    matches!(u32::from(c), 0x2013..=0x2014 | 0x2018..=0x2019 | 0x201C..=0x201D | 0x2022 | 0x2026 | 0x2190..=0x21FF
        | 0x2500..=0x259F | 0x2600..=0x2775 | 0x2794..=0x27BF | 0x1F300..=0x1F64F | 0x1F680..=0x1F6FF | 0x1F900..=0x1F9FF)
}

/// What a character reads as in another view: up to 18 characters, as NFKC has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    chars: [char; Reading::MOST],
    len: u8,
    /// By what it hid; none where this is how people write anyway (a dash, a space).
    pub(super) by: Views,
    /// Whether a letter or digit comes of it.
    pub(super) is_word: bool,
}

impl Reading {
    const MOST: usize = 18;

    fn new(by: Views) -> Reading {
        Reading { chars: ['\0'; Reading::MOST], len: 0, by, is_word: false }
    }

    fn push(&mut self, c: char) {
        if let Some(place) = self.chars.get_mut(usize::from(self.len)) {
            *place = c;
            self.len += 1;
            self.is_word |= c.is_alphanumeric();
        }
    }

    /// `c` taken apart into letters and marks (NFD).
    fn canonical(c: char) -> Reading {
        let mut reading = Reading::new(Views::empty());
        decompose_canonical(c, |part| reading.push(part));
        reading
    }

    /// `c` taken apart, its compatibility form (NFKD).
    fn compatible(c: char) -> Reading {
        let mut reading = Reading::new(Views::empty());
        decompose_compatible(c, |part| reading.push(part));
        reading
    }

    pub(super) fn chars(&self) -> &[char] {
        &self.chars[..usize::from(self.len)]
    }
}

/// `c` in its compatibility form, where that is made of other letters or digits (NFKC): `ｒ` reads as `r`.
pub(super) fn compatible(c: char) -> Option<Reading> {
    // Letters of long texts that have no other form: Greek, Cyrillic, Hebrew, Arabic.
    if c.is_ascii()
        || is_plain_cjk(c)
        || is_letter_sign(c)
        || matches!(c, '\u{391}'..='\u{3C9}' | '\u{400}'..='\u{586}' | '\u{5D0}'..='\u{674}')
    {
        return None;
    }
    let (canonical, mut compatible) = (Reading::canonical(c), Reading::compatible(c));
    // What is only taken apart, a letter with its accent, is the same letter.
    if canonical.chars() == compatible.chars() || !compatible.is_word {
        return None;
    }
    compatible.by = Views::COMPATIBILITY;
    Some(compatible)
}

/// `c` as an English reader takes it: compatibility forms, look-alikes (TR39) and letters with marks read as ASCII,
/// and so do the dashes, slashes and spaces between them. `None` where nothing in ASCII looks like it.
pub(super) fn latin(c: char) -> Option<Reading> {
    if c.is_ascii() || is_plain_cjk(c) {
        return None;
    }
    match (u32::from(c) as usize).checked_sub(0x80).and_then(|at| ALPHABETS.get(at)) {
        Some(known) => *known,
        None => look_up(c),
    }
}

/// Whether `c` looks like one letter or digit of ASCII, and is none, in whatever style.
pub(in crate::facts) fn looks_latin(c: char) -> bool {
    latin(c).is_some_and(|reading| reading.by == Views::CONFUSABLE && reading.len == 1)
}

/// What the letters of the Latin, Greek and Cyrillic alphabets read as: long texts are made of them.
static ALPHABETS: LazyLock<Vec<Option<Reading>>> =
    LazyLock::new(|| (0x80..0x600).map(|c| char::from_u32(c).and_then(look_up)).collect());

fn look_up(c: char) -> Option<Reading> {
    if let Some(sign) = punctuation(c) {
        let mut reading = Reading::new(Views::empty());
        reading.push(sign);
        return Some(reading);
    }
    if let Some(letter) = Some(c).filter(|c| is_letter_sign(*c)).and_then(styled) {
        let mut reading = Reading::new(Views::COMPATIBILITY);
        reading.push(letter);
        return Some(reading);
    }
    let (canonical, parts) = (Reading::canonical(c), Reading::compatible(c));
    let differs = canonical.chars() != parts.chars();
    let mut reading = Reading::new(if differs { Views::COMPATIBILITY } else { Views::empty() });
    for part in parts.chars() {
        if part.is_ascii() {
            reading.push(*part);
        } else if is_mark(*part) {
            reading.by |= Views::COMBINING;
        } else {
            reading.push(styled(*part).or_else(|| look_alike(*part))?);
            reading.by |= Views::CONFUSABLE;
        }
    }
    (reading.len > 0).then_some(reading)
}

/// Whether `c` is a mark over, under or through any letter. The marks of one script alone (vowel signs, points) are
/// how that script is written.
pub(super) fn is_mark(c: char) -> bool {
    let general = matches!(u32::from(c), 0x300..=0x36F | 0x483..=0x489 | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F);
    general && is_combining_mark(c)
}

/// Whether `c` stands for a letter although Unicode counts it as a sign: in parentheses, or as half a flag.
pub(super) fn is_letter_sign(c: char) -> bool {
    matches!(c, '\u{249C}'..='\u{24B5}' | '\u{1F110}'..='\u{1F129}' | '\u{1F1E6}'..='\u{1F1FF}')
}

/// The letter that `c` is in another style, where Unicode itself does not say so: small capitals, letters in parentheses,
/// halves of flags, and white letters in black circles and squares.
fn styled(c: char) -> Option<char> {
    const SMALL: [char; 26] = [
        '\u{1D00}', '\u{299}', '\u{1D04}', '\u{1D05}', '\u{1D07}', '\u{A730}', '\u{262}', '\u{29C}',
        '\u{26A}', '\u{1D0A}', '\u{1D0B}', '\u{29F}', '\u{1D0D}', '\u{274}', '\u{1D0F}', '\u{1D18}',
        '\u{A7AF}', '\u{280}', '\u{A731}', '\u{1D1B}', '\u{1D1C}', '\u{1D20}', '\u{1D21}', '\u{2E3}',
        '\u{28F}', '\u{1D22}',
    ];
    let number = match c {
        '\u{249C}'..='\u{24B5}' => u32::from(c) - 0x249C,
        '\u{1F110}'..='\u{1F129}' => u32::from(c) - 0x1F110,
        '\u{1F1E6}'..='\u{1F1FF}' => u32::from(c) - 0x1F1E6,
        '\u{1F150}'..='\u{1F169}' => u32::from(c) - 0x1F150,
        '\u{1F170}'..='\u{1F189}' => u32::from(c) - 0x1F170,
        _ => u32::try_from(SMALL.iter().position(|known| *known == c)?).ok()?,
    };
    char::from_u32(u32::from('a') + number)
}

/// The ASCII letter or digit that `c` looks like. Letters written from right to left, and those of South and South East
/// Asia, stand for no Latin ones whatever they look like: nobody could put them into a Latin word unseen.
fn look_alike(c: char) -> Option<char> {
    if ('\u{590}'..='\u{109F}').contains(&c) || ('\u{FB1D}'..='\u{FDFF}').contains(&c) {
        return None;
    }
    let one = |c: char| {
        let mut buffer = [0; 4];
        let mut letters = skeleton(c.encode_utf8(&mut buffer));
        match (letters.next()?, letters.next(), letters.next()) {
            // TR39 takes `m` for `rn`, in this direction.
            ('r', Some('n'), None) => Some('m'),
            (letter, None, _) if letter.is_ascii_alphanumeric() => Some(letter),
            _ => None,
        }
    };
    let found = one(c)?;
    // TR39 takes a capital I for an l; where the small letter looks like an i, it is one.
    if found == 'l' && c.is_uppercase() {
        let mut small = c.to_lowercase();
        if let (Some(small), None) = (small.next(), small.next()) {
            return one(small).or(Some(found));
        }
    }
    Some(found)
}

/// The ASCII sign that stands for a dash, slash or space. Word processors put these in of themselves.
fn punctuation(c: char) -> Option<char> {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' => Some('-'),
        '\u{2044}' | '\u{2215}' | '\u{29F8}' | '\u{FF0F}' => Some('/'),
        '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => Some(' '),
        '\u{FF01}'..='\u{FF0F}'
        | '\u{FF1A}'..='\u{FF20}'
        | '\u{FF3B}'..='\u{FF40}'
        | '\u{FF5B}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Views) {
        let (mut out, mut by) = (String::new(), Views::empty());
        for c in text.chars() {
            match latin(c) {
                Some(reading) => {
                    out.extend(reading.chars());
                    by |= reading.by;
                }
                None => out.push(c),
            }
        }
        (out, by)
    }

    #[test]
    fn signs_are_no_letters_and_have_no_other_form() {
        for c in ('\0'..=char::MAX).filter(|c| is_sign(*c)) {
            assert!(!c.is_alphanumeric() && !is_invisible(c) && !is_mark(c), "{c:?}");
            assert_eq!(compatible(c), None, "{c:?}");
        }
    }

    #[test]
    fn what_looks_latin_reads_latin() {
        let cases = [
            ("\u{456}gn\u{43E}r\u{435}", "ignore", Views::CONFUSABLE),
            ("\u{406}gnore", "ignore", Views::CONFUSABLE),
            ("\u{399}gn\u{3BF}re", "ignore", Views::CONFUSABLE),
            ("\u{FF52}\u{FF4D}\u{3000}\u{FF0D}\u{FF52}\u{FF46}", "rm -rf", Views::COMPATIBILITY),
            ("\u{1D422}\u{1D420}\u{1D427}ore", "ignore", Views::COMPATIBILITY),
            ("i\u{307}gn\u{F3}re", "ignore", Views::COMBINING),
            ("rm \u{2013}rf", "rm -rf", Views::empty()),
        ];
        for (text, reads, by) in cases {
            let text: String = text.chars().filter(|c| !is_mark(*c)).collect();
            assert_eq!(read(&text).0, reads, "{text}");
            assert!(read(&text).1.has(by) || by == Views::COMBINING, "{text}");
        }
        assert_eq!(read("\u{F3}").1, Views::COMBINING);
        assert_eq!(read("ascii").1, Views::empty());
        for text in ["\u{4E2D}\u{6587}", "\u{5D0}", "\u{1F469}", "\u{627}", "\u{2019}", "\u{915}"] {
            assert_eq!(read(text).0, text);
        }
    }

    #[test]
    fn compatibility_forms_of_words_only() {
        let form = |c| compatible(c).map(|reading| reading.chars().iter().collect::<String>());
        assert_eq!(form('\u{FF52}').as_deref(), Some("r"));
        assert_eq!(form('\u{FF71}').as_deref(), Some("\u{30A2}"));
        for c in ['\u{E9}', '\u{FF0C}', '\u{2026}', 'r', '\u{A0}', '\u{AC00}', '\u{439}'] {
            assert_eq!(form(c), None, "{c:?}");
        }
    }

    #[test]
    fn an_m_is_no_rn_and_a_capital_i_no_l() {
        assert_eq!(look_alike('\u{1D5C6}').or(look_alike('\u{271}')), Some('m'));
        assert_eq!(look_alike('\u{406}'), Some('i'));
        assert_eq!(look_alike('\u{4E2D}'), None);
    }
}
