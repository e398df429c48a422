//! Characters that nobody sees where no script and no emoji needs them.
//!
//! Most invisible characters have honest work: they join emoji, part letters of Persian and of the scripts of India,
//! turn the direction of Arabic and Hebrew, and let Thai and Khmer lines break. Each is quiet exactly there; one Arabic
//! letter on a line does not open it to whatever else.

use std::ops::Range;

use super::Form;
use crate::facts::view::is_invisible;

/// A run of one hidden character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiddenCharacter {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// Which one: of tag characters and variation selectors, which stand in runs of many, the first.
    pub character: char,
    /// Its name in the Unicode standard, of a kind that has many the kind's.
    pub name: &'static str,
    /// How many of them.
    pub count: usize,
    pub(super) form: Form,
}

impl HiddenCharacter {
    /// The bytes, which are what a fix deletes.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// The hidden characters of `text`, in order: those that no neighbour gives work to. A byte order mark at byte 0 is one
/// unless `at_start` says that the text begins a document.
#[must_use]
pub fn hidden_characters(text: &str, at_start: bool) -> Vec<HiddenCharacter> {
    let mut found: Vec<HiddenCharacter> = Vec::new();
    // Every text comes here: without an early end the whole of it is looked at many bytes at a time.
    let controls = |text: &str| {
        text.bytes().fold(false, |any, byte| {
            any | ((byte < b' ') & !(b'\t'..=b'\r').contains(&byte)) | (byte == 0x7F)
        })
    };
    let plain = |text: &str| text.is_ascii() && !controls(text);
    if plain(text) {
        return found;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !plain(line) {
            of_line(line, start, at_start && start == 0, &mut found);
        }
        start += line.len();
    }
    found
}

fn of_line(line: &str, start: usize, at_start: bool, found: &mut Vec<HiddenCharacter>) {
    let mut around: Option<Around> = None;
    let mut before = None;
    for (at, c) in line.char_indices() {
        if !is_invisible(c) && !is_control(c) {
            before = Some(c);
            continue;
        }
        if c == '\u{1B}' && colours(&line[at..]) {
            continue;
        }
        let around = around.get_or_insert_with(|| Around::of(line));
        if (at_start && at == 0 && c == '\u{FEFF}') || around.needs(line, at, c, before) {
            continue;
        }
        let (at, end) = (start + at, start + at + c.len_utf8());
        let (name, form) = name_of(c);
        match found.last_mut() {
            Some(last) if last.end == at && last.name == name => {
                last.end = end;
                last.count += 1;
            }
            _ => found.push(HiddenCharacter { start: at, end, character: c, name, count: 1, form }),
        }
    }
}

/// What a line has in it that gives work to invisible characters.
struct Around {
    /// A letter that is written from right to left.
    right_to_left: bool,
    /// As many controls that open a direction as close one.
    balanced: bool,
}

impl Around {
    fn of(line: &str) -> Around {
        let mut depth = 0_i32;
        let mut balanced = true;
        for c in line.chars() {
            match c {
                '\u{202A}' | '\u{202B}' | '\u{2066}'..='\u{2068}' => depth += 1,
                '\u{202C}' | '\u{2069}' => depth -= 1,
                _ => {}
            }
            balanced &= depth >= 0;
        }
        Around { right_to_left: line.chars().any(is_right_to_left), balanced: balanced && depth == 0 }
    }

    /// Whether the character `c` at `at` of `line` does its work; `before` is the last visible one before it.
    fn needs(&self, line: &str, at: usize, c: char, before: Option<char>) -> bool {
        let behind = || line[at + c.len_utf8()..].chars();
        let next = behind().next();
        let previous = line[..at].chars().next_back();
        let both = |is: fn(char) -> bool| previous.is_some_and(is) && next.is_some_and(is);
        let either = |is: fn(char) -> bool| previous.is_some_and(is) || next.is_some_and(is);
        match c {
            // A break that a hyphen would mark: one, between letters.
            '\u{AD}' => both(char::is_alphabetic),
            '\u{34F}' => both(|c| !c.is_ascii() && !is_invisible(c)),
            '\u{200B}' => either(breaks_unseen),
            '\u{200C}' => both(|c| joins(c) || is_mark_of_script(c)) || (previous.is_some_and(joins)),
            '\u{200D}' => {
                let joined = previous.is_some_and(ends_emoji) && next.is_some_and(is_pictograph);
                joined || previous.is_some_and(joins)
            }
            '\u{200E}' | '\u{200F}' | '\u{61C}' => self.right_to_left,
            '\u{202A}'..='\u{202C}' | '\u{2066}'..='\u{2069}' => self.right_to_left && self.balanced,
            // One behind a sign or an ideograph chooses its form; a keycap's stands behind its digit.
            '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => {
                let keycap = next == Some('\u{20E3}');
                let alone = !next.is_some_and(is_selector);
                alone && previous.is_some_and(|c| keycap || (!c.is_ascii() && !is_invisible(c) && !latin(c)))
            }
            '\u{180B}'..='\u{180F}' => either(|c| ('\u{1800}'..='\u{18AF}').contains(&c)),
            '\u{17B4}' | '\u{17B5}' => either(|c| ('\u{1780}'..='\u{17FF}').contains(&c)),
            '\u{115F}' | '\u{1160}' => either(|c| ('\u{1100}'..='\u{11FF}').contains(&c) && !is_invisible(c)),
            // Editors show these two, and programs that write text put them in of themselves.
            '\u{2028}' | '\u{2029}' => true,
            // Braille is written in its own block; so are the wheels that turn on a terminal.
            '\u{2800}' => line.chars().any(|c| ('\u{2801}'..='\u{28FF}').contains(&c)),
            '\u{13430}'..='\u{1343F}' => either(|c| ('\u{13000}'..='\u{1342F}').contains(&c)),
            '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' => true,
            // The flags of England, Scotland, Wales: a black flag, a few letters, a closing tag.
            '\u{E0020}'..='\u{E007F}' => {
                before == Some('\u{1F3F4}') && {
                    let from = line[..at].rfind('\u{1F3F4}').unwrap_or(at);
                    let tags = line[from..].chars().skip(1).take_while(|c| is_tag_or_end(*c));
                    let (count, last) = tags.fold((0, ' '), |(count, _), c| (count + 1, c));
                    count <= 7 && last == '\u{E007F}'
                }
            }
            _ => false,
        }
    }
}

/// Controls that a text has no use for: they move a terminal's cursor, wipe what it shows, or end a string. A form feed
/// parts pages.
fn is_control(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{E}'..='\u{1F}' | '\u{7F}')
}

/// Whether `rest` begins with a sequence that changes a terminal's colours (ECMA-48, SGR) and conceals nothing: what was
/// copied from a terminal often has them. Ink of the paper's colour conceals.
fn colours(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix("\u{1B}[") else { return false };
    let Some((codes, _)) = rest.split_once('m') else { return false };
    let ink = |code: &str, tens: char| {
        let colour = code.strip_prefix(tens)?;
        matches!(colour, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7").then(|| colour.to_owned())
    };
    let of = |tens: char| codes.split(';').rev().find_map(|code| ink(code, tens));
    codes.len() <= 24
        && codes.bytes().all(|byte| byte.is_ascii_digit() || byte == b';')
        && codes.split(';').all(|code| code.trim_start_matches('0') != "8")
        && of('3').is_none_or(|ink| of('4') != Some(ink))
}

fn is_tag_or_end(c: char) -> bool {
    ('\u{E0020}'..='\u{E007F}').contains(&c)
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

fn latin(c: char) -> bool {
    matches!(c, '\u{C0}'..='\u{24F}' | '\u{370}'..='\u{52F}')
}

fn is_right_to_left(c: char) -> bool {
    !is_invisible(c)
        && matches!(u32::from(c), 0x590..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFE | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF)
}

/// Letters that join, and letters of the scripts of South and South East Asia and Mongolia: what shapes by neighbours.
fn joins(c: char) -> bool {
    !is_invisible(c)
        && matches!(u32::from(c), 0x600..=0x8FF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFE | 0x900..=0xDFF | 0x1780..=0x18AF | 0xA840..=0xA8FF
            | 0x11000..=0x11FFF)
        || breaks_unseen(c)
}

fn is_mark_of_script(c: char) -> bool {
    matches!(u32::from(c), 0x5B0..=0x5EA)
}

/// Scripts that are written without spaces: Thai, Lao, Tibetan, Myanmar, Khmer.
fn breaks_unseen(c: char) -> bool {
    matches!(u32::from(c), 0xE01..=0xFFF | 0x1000..=0x109F | 0x1780..=0x17B3 | 0x17B6..=0x17FF | 0x1950..=0x19FF | 0x1A20..=0x1AAF)
}

/// Signs that emoji are made of (close to `Extended_Pictographic`).
fn is_pictograph(c: char) -> bool {
    matches!(u32::from(c), 0xA9 | 0xAE | 0x203C..=0x3299 | 0x1F000..=0x1FAFF) && !is_invisible(c)
}

/// What may stand before the joiner of an emoji: a sign, its form, its skin.
fn ends_emoji(c: char) -> bool {
    is_pictograph(c) || c == '\u{FE0F}' || c == '\u{20E3}'
}

/// The character's name, and the form of hiding that it is.
fn name_of(c: char) -> (&'static str, Form) {
    let name = match c {
        '\u{8}' => "BACKSPACE",
        '\u{1B}' => "ESCAPE",
        '\0'..='\u{7F}' => "CONTROL CHARACTER",
        '\u{AD}' => "SOFT HYPHEN",
        '\u{34F}' => "COMBINING GRAPHEME JOINER",
        '\u{61C}' => "ARABIC LETTER MARK",
        '\u{115F}' => "HANGUL CHOSEONG FILLER",
        '\u{1160}' => "HANGUL JUNGSEONG FILLER",
        '\u{17B4}' | '\u{17B5}' => "KHMER INHERENT VOWEL",
        '\u{180B}'..='\u{180F}' => "MONGOLIAN VARIATION SELECTOR",
        '\u{200B}' => "ZERO WIDTH SPACE",
        '\u{200C}' => "ZERO WIDTH NON-JOINER",
        '\u{200D}' => "ZERO WIDTH JOINER",
        '\u{200E}' => "LEFT-TO-RIGHT MARK",
        '\u{200F}' => "RIGHT-TO-LEFT MARK",
        '\u{202A}' => "LEFT-TO-RIGHT EMBEDDING",
        '\u{202B}' => "RIGHT-TO-LEFT EMBEDDING",
        '\u{202C}' => "POP DIRECTIONAL FORMATTING",
        '\u{202D}' => "LEFT-TO-RIGHT OVERRIDE",
        '\u{202E}' => "RIGHT-TO-LEFT OVERRIDE",
        '\u{2060}' => "WORD JOINER",
        '\u{2061}' => "FUNCTION APPLICATION",
        '\u{2062}' => "INVISIBLE TIMES",
        '\u{2063}' => "INVISIBLE SEPARATOR",
        '\u{2064}' => "INVISIBLE PLUS",
        '\u{2066}' => "LEFT-TO-RIGHT ISOLATE",
        '\u{2067}' => "RIGHT-TO-LEFT ISOLATE",
        '\u{2068}' => "FIRST STRONG ISOLATE",
        '\u{2069}' => "POP DIRECTIONAL ISOLATE",
        '\u{2800}' => "BRAILLE PATTERN BLANK",
        '\u{3164}' => "HANGUL FILLER",
        '\u{FFA0}' => "HALFWIDTH HANGUL FILLER",
        '\u{FEFF}' => "ZERO WIDTH NO-BREAK SPACE",
        '\u{FFF9}'..='\u{FFFB}' => "INTERLINEAR ANNOTATION MARK",
        '\u{FFFC}' => "OBJECT REPLACEMENT CHARACTER",
        '\u{13430}'..='\u{1343F}' => "EGYPTIAN HIEROGLYPH FORMAT CONTROL",
        _ if is_selector(c) => "VARIATION SELECTOR",
        '\u{E0000}'..='\u{E007F}' => "TAG CHARACTER",
        _ => "DEFAULT IGNORABLE CHARACTER",
    };
    let form = match c {
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => Form::Bidi,
        '\u{E0000}'..='\u{E007F}' => Form::Tags,
        _ if is_selector(c) => Form::Selectors,
        _ => Form::ZeroWidth,
    };
    (name, form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, usize)]) {
        let found = hidden_characters(text, true);
        let told: Vec<_> = found.iter().map(|found| (found.name, found.count)).collect();
        assert_eq!(told, expected, "{text:?}");
        for found in found {
            assert!(text[found.range()].chars().all(is_invisible));
        }
    }

    #[test]
    fn what_has_work_is_quiet() {
        for text in [
            "",
            "plain",
            "caf\u{E9} \u{2014} \u{201C}quoted\u{201D}",
            "\u{FEFF}# Title",
            "team \u{1F469}\u{200D}\u{1F4BB} and \u{1F3F3}\u{FE0F}\u{200D}\u{1F308}",
            "\u{1F469}\u{1F3FD}\u{200D}\u{1F692} \u{2764}\u{FE0F}\u{200D}\u{1F525}",
            "1\u{FE0F}\u{20E3} and #\u{FE0F}\u{20E3}",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
            "\u{2139}\u{FE0F} \u{26A0}\u{FE0F} \u{2714}\u{FE0F} \u{A9}\u{FE0F}",
            "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}",
            "\u{5E9}\u{5DC}\u{5D5}\u{5DD}\u{200F}, abc\u{200E} \u{2067}\u{5E9}\u{2069}",
            "\u{915}\u{94D}\u{200D}\u{937} \u{915}\u{94D}\u{200C}\u{937}",
            "\u{E01}\u{E02}\u{200B}\u{E04}",
            "\u{845B}\u{E0100}",
            "Donau\u{AD}dampf",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn what_has_none_is_told_by_name_and_number() {
        check("sys\u{200D}tem", &[("ZERO WIDTH JOINER", 1)]);
        check("a\u{200D}\u{1F525}", &[("ZERO WIDTH JOINER", 1)]);
        check("a\u{200B}\u{200B}\u{200B}b", &[("ZERO WIDTH SPACE", 3)]);
        check("GRANTED \u{202E}DENIED \u{645}", &[("RIGHT-TO-LEFT OVERRIDE", 1)]);
        check("\u{5E9} \u{2067}\u{5E9}", &[("RIGHT-TO-LEFT ISOLATE", 1)]);
        check("abc\u{200F}", &[("RIGHT-TO-LEFT MARK", 1)]);
        check("x \u{FEFF}y\n\u{FEFF}z", &[("ZERO WIDTH NO-BREAK SPACE", 1); 2]);
        check("a\u{E0041}\u{E0042}", &[("TAG CHARACTER", 2)]);
        let flag: String = ('\u{E0061}'..='\u{E006F}').collect();
        check(&format!("\u{1F3F4}{flag}\u{E007F}"), &[("TAG CHARACTER", 16)]);
        check("\u{1F600}\u{FE01}\u{E0101}\u{E0102}", &[("VARIATION SELECTOR", 3)]);
        check("a\u{FE0F}", &[("VARIATION SELECTOR", 1)]);
        check("no\u{2060}break \u{3164}", &[("WORD JOINER", 1), ("HANGUL FILLER", 1)]);
        check("Donau\u{AD}\u{AD}dampf", &[("SOFT HYPHEN", 2)]);
    }
}
