//! Text that goes on with what stands above it: the rest of a label's sentence, put below the label's block.
//!
//! "Never run these commands:", a fence, and below it "unless the disk is full." is one sentence for its reader. What the
//! scopes ask is only whether the text below a block may be such a rest; in doubt it is, and the label has no force.

use super::{Place, Reading};
use crate::facts::ban::sentence::{Sentence, Token, sentences, tokens};
use crate::facts::ban::{
    REST_OPENERS, is_rest, leaves_it, names_above, revokes, runs_above, runs_what_was_named,
};

/// How much of a unit is looked at: the bytes in which a rest of a sentence, or the one after it, begins.
const LOOK: usize = 400;

/// Words without which a sentence neither gives what was named nor revokes what was said.
const POINTERS: [&str; 36] = [
    "it", "them", "these", "those", "this", "that", "both", "anyway", "above", "previous", "kidding",
    "joking", "joke", "void", "revoked", "do", "may", "can", "so", "rule", "label", "ban", "they", "ahead",
    "lifted", "must", "should", "exempt", "exempted", "update", "not", "list", "heading", "section",
    "policy", "earlier",
];

/// Whether the unit goes on with what stands above it, and bounds it or takes it back.
pub(super) fn takes_back(text: &str, reading: &Reading) -> bool {
    let prose = match reading.place {
        Place::Prose => !reading.heading && !reading.html,
        Place::Item => false,
        _ => return false,
    };
    if reading.heading {
        return false;
    }
    let text = shown(text, true);
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`');
    let word = start.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let lower = word.chars().all(char::is_lowercase) && !start[word.len()..].starts_with("://");
    // "But" and "However" with a capital begin a sentence of their own.
    let first = REST_OPENERS.iter().any(|first| word.eq_ignore_ascii_case(first));
    let opens = !lower && first && opens_with_rest(start);
    if word.is_empty() {
        return false;
    }
    (prose && lower) || opens || is_revoked(start)
}

/// Whether the text leads to what stands below it and says nothing of what stands above: "Do:", "You may run these
/// commands:".
fn announces(text: &str, tokens: &[Token]) -> bool {
    const BACK: [&str; 9] =
        ["it", "them", "that", "above", "previous", "preceding", "earlier", "ban", "rule"];
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_'));
    let words: Vec<&str> = tokens.iter().map(Token::word).filter(|word| !word.is_empty()).collect();
    words == ["do"] || (text.ends_with(':') && !tokens.iter().any(|token| token.is_in(&BACK)))
}

/// Whether the first sentence is a rest, although it begins with a capital.
fn opens_with_rest(text: &str) -> bool {
    let text = start_of(text);
    let tokens = tokens(text, &[]);
    sentences(text, &tokens).first().is_some_and(is_rest)
}

/// Whether one of the first sentences gives what was named, or revokes what was said.
fn is_revoked(text: &str) -> bool {
    let text = start_of(text);
    if !may_be_english(text) {
        return false;
    }
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    if !words.any(|word| POINTERS.iter().any(|pointer| word.eq_ignore_ascii_case(pointer))) {
        return false;
    }
    let tokens = tokens(text, &[]);
    if announces(text, &tokens) {
        return false;
    }
    sentences(text, &tokens).iter().any(|sentence: &Sentence<'_>| {
        revokes(sentence) || runs_what_was_named(sentence) || runs_above(sentence) || leaves_it(sentence)
    })
}

/// Whether the unit takes back what was said above it, however far: it opens with an exception, revokes, or gives what was
/// named and names nothing itself.
pub(super) fn revokes_above(text: &str, reading: &Reading) -> bool {
    const EXCEPTS: [&str; 6] = ["except", "excepting", "unless", "excluding", "exception", "exceptions"];
    if reading.heading || !matches!(reading.place, Place::Prose | Place::Item) {
        return false;
    }
    let text = start_of(shown(text, reading.html));
    if !may_be_english(text) {
        return false;
    }
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`');
    let tokens = tokens(text, &[]);
    let sentences = sentences(text, &tokens);
    let Some(first) = sentences.first() else { return false };
    let whole = !first.tokens.iter().any(|token| token.is(','));
    if whole && first.tokens[0].is_in(&EXCEPTS) {
        return true;
    }
    let named = tokens.iter().position(Token::is_code).unwrap_or(tokens.len());
    let mut seen = 0;
    sentences.iter().any(|sentence| {
        seen += sentence.tokens.len();
        revokes(sentence) || (seen <= named && leaves_it(sentence))
    })
}

/// Whether a sentence of the unit tells to run commands that stand above it, wherever that is.
pub(super) fn tells_to_run_above(text: &str, reading: &Reading) -> bool {
    if !matches!(reading.place, Place::Prose | Place::Item | Place::Row) {
        return false;
    }
    let text = start_of(text);
    if !may_be_english(text) {
        return false;
    }
    let points = |word: &str| {
        ["above", "previous", "preceding", "aforementioned", "earlier"]
            .iter()
            .any(|pointer| word.eq_ignore_ascii_case(pointer))
    };
    if !text.split(|c: char| !c.is_alphanumeric()).any(points) {
        return false;
    }
    let tokens = tokens(text, &[]);
    let sentences = sentences(text, &tokens);
    sentences.iter().enumerate().any(|(at, sentence)| {
        let later = &sentences[at + 1..];
        runs_above(sentence) || (names_above(sentence) && (revokes(sentence) || later.iter().any(leaves_it)))
    })
}

/// Whether a text may have words of English, which all are that are looked for: long texts of other scripts are done with
/// after a look.
pub(super) fn may_be_english(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// The part of a text that is looked at.
fn start_of(text: &str) -> &str {
    let mut end = text.len().min(LOOK);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The text without the tags and comments of a line of HTML.
pub(super) fn shown(text: &str, html: bool) -> &str {
    let mut rest = text.trim_start();
    while html && rest.starts_with('<') {
        match rest.find('>') {
            Some(end) => rest = rest[end + 1..].trim_start(),
            None => return "",
        }
    }
    while let Some(start) = rest.rfind("</").filter(|_| rest.trim_end().ends_with('>')) {
        rest = rest[..start].trim_end();
    }
    rest
}
