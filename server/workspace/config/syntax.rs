//! What is wrong with a text that is no TOML, in words of ours: the reader's own may quote what stands there.

use std::ops::Range;

use super::Problem;

/// How the reader's messages begin, and what is said for them. The first that fits counts.
const SLIPS: [(&str, &str); 18] = [
    ("invalid date, expected day", "There is no such day in the calendar"),
    ("invalid date, expected month", "There is no such month: a date is written YYYY-MM-DD"),
    ("invalid date", "A date is written YYYY-MM-DD"),
    ("invalid time", "There is no such time: it is written HH:MM:SS, and a last day has none"),
    ("key with no value", "An equals sign and a value are missing here"),
    ("unquoted keys cannot be empty", "A key is missing before the equals sign"),
    ("invalid unquoted key", "A key with other characters than letters, digits, - and _ stands in quotes"),
    ("unclosed array table", "The two brackets that end this header are missing"),
    ("unclosed table", "The bracket that ends this header is missing"),
    ("unclosed array", "The bracket that ends this list is missing"),
    ("unclosed inline table", "The brace that ends this table is missing"),
    ("missing comma", "A comma is missing between the entries"),
    ("extra comma", "There is a comma too many"),
    ("invalid boolean", "This value is written true or false, in lower case"),
    ("unexpected leading zero", "A number does not begin with 0"),
    ("unexpected key or value", "Something follows here on the line that does not belong to it"),
    ("missing escaped value", "There is no such escape in TOML: in single quotes a backslash is itself"),
    (
        "too few unicode value digits",
        "The number of this character is too short: an escape has four digits, or eight",
    ),
];

/// What is wrong at `span` of `text`. `message` is the reader's, of which nothing is kept.
pub(super) fn problem(message: &str, text: &str, span: &Range<usize>) -> Problem {
    if message.starts_with("duplicate key") {
        return Problem::DuplicateKey;
    }
    let here = text.get(span.clone()).unwrap_or_default();
    let slip = SLIPS.iter().find(|(begins, _)| message.starts_with(begins)).map(|(_, slip)| *slip);
    Problem::Syntax(if message.starts_with("string values must be quoted") {
        match here.chars().next() {
            None => "A value is missing here",
            Some('\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}') => "A string stands in straight quotes",
            Some(first) if first.is_ascii_digit() && here.contains(' ') => {
                "A comma is missing between the entries"
            }
            Some(_) => "A string stands in quotes",
        }
    } else if message.contains("string, expected `") {
        "The quote that ends this string is missing"
    } else {
        slip.unwrap_or("This is not valid TOML here")
    })
}
