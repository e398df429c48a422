//! Text that goes on with what stands above it: the rest of a label's sentence, put below the label's block.
//!
//! "Never run these commands:", a fence, and below it "unless the disk is full." is one sentence for its reader. What the
//! scopes ask is only whether the text below a block may be such a rest; in doubt it is, and the label has no force.

use super::{Cues, Found, Hit, Place, Reading, Rules, Says, Unit, label, notice, phrase};
use crate::catalogue::Severity;
use crate::facts::ban::sentence::{Token, sentences, tokens, words};
use crate::facts::ban::{
    REST_OPENERS, is_rest, leaves_it, may_run_elsewhere, names_above, revokes, runs_above, runs_elsewhere,
    runs_what_was_named,
};
use crate::lines::{Leaf, Lexed, SPAN, Sub};

/// How much of a unit is looked at: the bytes in which a rest of a sentence, or the one after it, begins.
const LOOK: usize = 400;

/// Words without which a sentence neither gives what was named nor revokes what was said.
const POINTERS: [&str; 36] = [
    "it", "them", "these", "those", "this", "that", "both", "anyway", "above", "previous", "kidding",
    "joking", "joke", "void", "revoked", "do", "may", "can", "so", "rule", "label", "ban", "they", "ahead",
    "lifted", "must", "should", "exempt", "exempted", "update", "not", "list", "heading", "section",
    "policy", "earlier",
];

/// Words without which no sentence names what stands above it.
const ABOVE: [&str; 5] = ["above", "previous", "preceding", "aforementioned", "earlier"];

/// Words with which a sentence begins that excepts from whatever was said.
const EXCEPTS: [&str; 6] = ["except", "excepting", "unless", "excluding", "exception", "exceptions"];

/// What the unit says of what stands above it: that it goes on with it and bounds it or takes it back
/// ([`Cues::TAKES_BACK`]), that it revokes what was said however far up ([`Cues::REVOKES`]), that the commands there are
/// to be run ([`Cues::RUNS_ABOVE`]). Its sentences are read once for all three.
pub(super) fn above(text: &str, reading: &Reading) -> Cues {
    let mut cues = Cues::default();
    let prose = reading.place == Place::Prose;
    let says = !reading.heading && (prose || reading.place == Place::Item);
    if !says && !prose && !matches!(reading.place, Place::Item | Place::Row) {
        return cues;
    }
    let start = shown(without_container(text), true);
    let start = start.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`');
    let word = start.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    // "But" and "However" with a capital begin a sentence of their own.
    let lower = word.chars().all(char::is_lowercase) && !start[word.len()..].starts_with("://");
    if says && prose && !reading.html && lower && !word.is_empty() {
        cues.raise(Cues::TAKES_BACK);
    }
    let text = start_of(start);
    if !may_be_english(text) {
        return cues;
    }
    let (mut points, mut above) = (false, false);
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        points |= is_one_of(&POINTERS, word);
        above |= is_one_of(&ABOVE, word);
    }
    let elsewhere = !reading.heading && may_run_elsewhere(text);
    if !says && !above && !elsewhere {
        return cues;
    }
    let tokens = tokens(text, &[]);
    let sentences = sentences(text, &tokens);
    let Some(first) = sentences.first() else { return cues };
    if elsewhere && sentences.iter().any(runs_elsewhere) {
        cues.raise(Cues::RUNS_ELSEWHERE);
    }
    let runs: Vec<bool> = sentences.iter().map(|sentence| above && runs_above(sentence)).collect();
    let named: Vec<bool> = sentences.iter().map(|sentence| above && names_above(sentence)).collect();
    let leaves: Vec<bool> = sentences.iter().map(leaves_it).collect();
    let revoked: Vec<bool> = sentences.iter().map(revokes).collect();
    let told = |at: usize| runs[at] || (named[at] && (revoked[at] || leaves[at + 1..].contains(&true)));
    if (0..sentences.len()).any(told) {
        cues.raise(Cues::RUNS_ABOVE);
    }
    if !says {
        return cues;
    }
    let opens = !lower && is_one_of(&REST_OPENERS, word) && is_rest(first);
    let gives = points
        && !announces(text, &tokens)
        && (revoked.contains(&true)
            || leaves.contains(&true)
            || runs.contains(&true)
            || sentences.iter().any(runs_what_was_named));
    if !word.is_empty() && (opens || gives) {
        cues.raise(Cues::TAKES_BACK);
    }
    let whole = !first.tokens.iter().any(|token| token.is(','));
    // "Exceptions are logged" is about programs.
    let noun = first.tokens[0].is_in(&["exception", "exceptions"]);
    let excepts = whole && first.tokens[0].is_in(&EXCEPTS) && (!noun || is_rest(first));
    // What a command is named before may be that command's.
    let code = tokens.iter().position(Token::is_code).unwrap_or(tokens.len());
    let mut seen = 0;
    let leaves = sentences.iter().zip(leaves).any(|(sentence, leaves)| {
        seen += sentence.tokens.len();
        leaves && seen <= code
    });
    if excepts || revoked.contains(&true) || leaves {
        cues.raise(Cues::REVOKES);
    }
    cues
}

/// Whether a list has the word, in whatever case.
fn is_one_of(list: &[&str], word: &str) -> bool {
    list.iter().any(|known| known.len() == word.len() && word.eq_ignore_ascii_case(known))
}

/// Whether the text leads to what stands below it and says nothing of what stands above: "Do:", "You may run these
/// commands:".
fn announces(text: &str, tokens: &[Token]) -> bool {
    const BACK: [&str; 9] =
        ["it", "them", "that", "above", "previous", "preceding", "earlier", "ban", "rule"];
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_'));
    let words = words(tokens);
    words == ["do"] || (text.ends_with(':') && !tokens.iter().any(|token| token.is_in(&BACK)))
}

/// Whether the comment of a program, which has a command in it, hands that to an agent that reads it.
pub(super) fn speaks(reading: &Reading, text: &str) -> bool {
    reading.place == Place::Prose && phrase::addresses_reader(text, true)
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

/// The text without the line that opens or closes a container, if it begins with one: ":::warning".
fn without_container(text: &str) -> &str {
    let Some((first, rest)) = text.starts_with(":::").then(|| text.split_once('\n').unwrap_or((text, "")))
    else {
        return text;
    };
    let closes = first.trim().bytes().all(|byte| byte == b':');
    if closes || label::is_container(first.trim()) { rest } else { text }
}

/// Whether a block of HTML is one comment that directs a tool: "<!-- markdownlint-disable -->".
pub(super) fn is_directive(text: &str) -> bool {
    const TOOLS: [&str; 9] = [
        "markdownlint-",
        "prettier-",
        "vale ",
        "cspell:",
        "textlint-",
        "spell-checker",
        "alex ",
        "lint ",
        "remark-",
    ];
    let inner = text.trim().strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
    let fits = |inner: &str| {
        let inner = inner.trim();
        inner.len() <= 80 && !inner.contains("-->") && TOOLS.iter().any(|tool| inner.starts_with(tool))
    };
    inner.is_some_and(fits)
}

/// That a command goes on behind the lines that are read together, where it does: what stands there is read as another
/// one, and nobody would know.
pub(super) fn cut(unit: &Unit<'_>, reading: &Reading, last: &Lexed, rules: &Rules) -> Option<Found> {
    let cut = matches!(reading.place, Place::Code(_) | Place::HereDoc)
        && rules.notices.blocks
        && !matches!(last.exit.leaf, Leaf::Fence { sub: Sub::Continued { .. } | Sub::Quoted { .. }, .. })
        && unit.text().ends_with(['\\', '|', '^'])
        && unit.lines().nth(usize::from(SPAN) - 1).is_some();
    let range = unit.lines().last().filter(|_| cut)?;
    let says = Says::Hit(Hit::new(notice::Ids::get().block, "command", Severity::Warning));
    Some(Found { range, says, pointer: None, reading: 0 })
}
