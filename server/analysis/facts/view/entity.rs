//! Character references, as HTML reads them and not only as CommonMark does: without a semicolon, padded with zeros.

use memchr::memchr;

use super::Views;

/// The longest reference.
const LONGEST: usize = 48;

/// References that stand for something in ASCII, or for what is not seen.
const NAMED: [(&str, char); 71] = [
    ("Tab", '\t'),
    ("NewLine", '\n'),
    ("excl", '!'),
    ("quot", '"'),
    ("QUOT", '"'),
    ("num", '#'),
    ("dollar", '$'),
    ("percnt", '%'),
    ("amp", '&'),
    ("AMP", '&'),
    ("apos", '\''),
    ("lpar", '('),
    ("rpar", ')'),
    ("ast", '*'),
    ("midast", '*'),
    ("plus", '+'),
    ("comma", ','),
    ("period", '.'),
    ("sol", '/'),
    ("colon", ':'),
    ("semi", ';'),
    ("lt", '<'),
    ("LT", '<'),
    ("equals", '='),
    ("gt", '>'),
    ("GT", '>'),
    ("quest", '?'),
    ("commat", '@'),
    ("lsqb", '['),
    ("lbrack", '['),
    ("bsol", '\\'),
    ("rsqb", ']'),
    ("rbrack", ']'),
    ("Hat", '^'),
    ("lowbar", '_'),
    ("grave", '`'),
    ("lcub", '{'),
    ("lbrace", '{'),
    ("verbar", '|'),
    ("vert", '|'),
    ("rcub", '}'),
    ("rbrace", '}'),
    ("nbsp", '\u{A0}'),
    ("NonBreakingSpace", '\u{A0}'),
    ("ensp", '\u{2002}'),
    ("emsp", '\u{2003}'),
    ("emsp13", '\u{2004}'),
    ("emsp14", '\u{2005}'),
    ("numsp", '\u{2007}'),
    ("puncsp", '\u{2008}'),
    ("thinsp", '\u{2009}'),
    ("ThinSpace", '\u{2009}'),
    ("hairsp", '\u{200A}'),
    ("MediumSpace", '\u{205F}'),
    ("hyphen", '-'),
    ("dash", '-'),
    ("shy", '\u{AD}'),
    ("zwj", '\u{200D}'),
    ("zwnj", '\u{200C}'),
    ("ZeroWidthSpace", '\u{200B}'),
    ("NegativeThinSpace", '\u{200B}'),
    ("NoBreak", '\u{2060}'),
    ("lrm", '\u{200E}'),
    ("rlm", '\u{200F}'),
    ("af", '\u{2061}'),
    ("ApplyFunction", '\u{2061}'),
    ("it", '\u{2062}'),
    ("InvisibleTimes", '\u{2062}'),
    ("InvisibleComma", '\u{2063}'),
    ("imath", 'i'),
    ("inodot", 'i'),
];

/// Those that HTML reads without their semicolon.
const BARE: [(&str, char); 6] =
    [("nbsp", '\u{A0}'), ("shy", '\u{AD}'), ("lt", '<'), ("gt", '>'), ("amp", '&'), ("quot", '"')];

/// A character reference at the beginning of `text` (CommonMark 2.5; HTML, 13.2.5.72): its length and its character.
pub(super) fn entity(text: &str) -> Option<(usize, Option<char>, Views)> {
    if let Some(number) = text.strip_prefix("&#") {
        return number_of(number).map(|(length, c)| (length + 2, Some(c), Views::ENTITY));
    }
    let (length, c) = name_of(text)?;
    Some((length, Some(c), Views::ENTITY))
}

fn number_of(number: &str) -> Option<(usize, char)> {
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    let count = digits.bytes().take(LONGEST).take_while(|byte| char::from(*byte).is_digit(radix)).count();
    let significant = digits[..count].trim_start_matches('0');
    if count == 0 || significant.len() > 7 {
        return None;
    }
    let value = u32::from_str_radix(significant, radix).ok()?;
    let length = number.len() - digits.len() + count;
    Some((length + usize::from(digits[count..].starts_with(';')), char::from_u32(value)?))
}

fn name_of(text: &str) -> Option<(usize, char)> {
    let Some(end) = memchr(b';', &text.as_bytes()[..text.len().min(LONGEST)]) else { return bare(text) };
    let Some(name) = text.get(1..end) else { return bare(text) };
    if let Some((_, c)) = NAMED.iter().find(|(known, _)| *known == name) {
        return Some((end + 1, *c));
    }
    // A letter in Fraktur, in script, or with a double stroke.
    let mut letters = name.chars();
    match (letters.next(), letters.as_str()) {
        (Some(letter), "fr" | "scr" | "opf") if letter.is_ascii_alphabetic() => Some((end + 1, letter)),
        _ => bare(text),
    }
}

fn bare(text: &str) -> Option<(usize, char)> {
    let (name, c) = BARE.iter().find(|(name, _)| text[1..].starts_with(name))?;
    let behind = text.as_bytes().get(name.len() + 1);
    // In an address a parameter may be called so.
    let apart = behind.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'=');
    (apart || *name == "shy" || *name == "nbsp").then_some((name.len() + 1, *c))
}
