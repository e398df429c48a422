//! Headings, lead-ins and columns that warn of what stands below them ("Destructive commands"), and headings that are none.
//!
//! Such words do not say that nobody is to run it: a runbook has destructive commands, too. So as a heading they show only
//! what stands right below them in a fence, a bulleted list or a table (see [`super::warns`]).

use super::Turn;
use super::phrase::{self, is_noun_phrase};
use super::words::{BAD_MARKS, NEUTRAL_MARKS};
use crate::facts::ban::sentence::{Kind, Token, is_plain, tokens, words};

/// What is said of commands of which somebody is warned.
const DANGERS: [&str; 12] = [
    "dangerous",
    "destructive",
    "unsafe",
    "malicious",
    "restricted",
    "denied",
    "off-limits",
    "harmful",
    "irreversible",
    "suspicious",
    "known-bad",
    "risky",
];

/// Whole headings that warn.
const WHOLE: [&str; 8] = [
    "denied",
    "indicators of compromise",
    "signs of compromise",
    "examples of attacks",
    "attack examples",
    "attacks",
    "do with caution",
    "hostile examples",
];

/// Whether a heading, or a line before a block without its colon, warns of what stands below it.
pub(super) fn is_warning(text: &str) -> bool {
    const LONGEST: usize = 80;
    if text.len() > LONGEST || !is_plain(text) {
        return false;
    }
    let tokens = tokens(text, &[]);
    let words: Vec<&str> = phrase::bare(&tokens).iter().map(Token::word).collect();
    // Anything but words is not only that.
    if words.contains(&"") {
        return false;
    }
    let words = match words.as_slice() {
        ["examples" | "example", "of", rest @ ..] | rest => rest,
    };
    WHOLE.contains(&words.join(" ").as_str())
        || matches!(words, [danger, noun @ ..] if DANGERS.contains(danger) && is_noun_phrase(noun))
}

/// Whether it is a word with which somebody is warned of a command.
pub(super) fn is_danger(word: &str) -> bool {
    DANGERS.contains(&word)
}

/// Whether a cell of a table's header says of its column what such a heading says.
pub(super) fn is_column(header: &str) -> bool {
    let tokens = tokens(header, &[]);
    let words: Vec<&str> = phrase::bare(&tokens).iter().map(Token::word).collect();
    matches!(words.as_slice(), [danger] if DANGERS.contains(danger)) || is_warning(header)
}

/// Whether a paragraph is a heading that is none, and shows what stands below it: "**Don't**", "❌ Never do this".
pub(super) fn is_bad_heading(paragraph: &str) -> bool {
    const LONGEST: usize = 80;
    let text = paragraph.trim();
    if text.len() > LONGEST || text.contains('\n') {
        return false;
    }
    let mark = |c: char| BAD_MARKS.contains(&c) || NEUTRAL_MARKS.contains(&c) || c == ' ';
    let inner = text.trim_matches(mark);
    let marked = text.starts_with(BAD_MARKS);
    let set =
        ["**", "__"].iter().any(|sign| inner.len() > 4 && inner.starts_with(sign) && inner.ends_with(sign));
    (marked || set)
        && !text.trim_end_matches(['*', '_']).ends_with(['.', ','])
        && (phrase::turn(text) == Some(Turn::Bad) || (set && is_warning(text)))
}

/// Words that announce what they stand before, and that a ban may stand behind: "IMPORTANT:".
const STRESS: [&str; 9] =
    ["important", "note", "warning", "caution", "danger", "critical", "attention", "remember", "stop"];

/// Who is told.
const READERS: [&str; 16] = [
    "you",
    "we",
    "agents",
    "agent",
    "the",
    "claude",
    "codex",
    "copilot",
    "cursor",
    "assistant",
    "assistants",
    "ai",
    "developers",
    "all",
    "coding",
    "please",
];

/// Whether a sentence, whose pieces end in a colon, forbids what follows it or warns of that.
pub(super) fn leads(sentence: &str, tokens: &[Token]) -> bool {
    let end = tokens.iter().rposition(|token| !token.is(':')).map_or(0, |last| last + 1);
    forbids_below(&tokens[..end]) || is_warning(sentence)
}

/// Whether a sentence before a colon tells its readers not to run what follows: "IMPORTANT: never, ever run these
/// commands", "The agent must not run the following commands".
fn forbids_below(tokens: &[Token]) -> bool {
    let tokens = match tokens {
        [word, colon, rest @ ..] if word.is_in(&STRESS) && (colon.is(':') || colon.is('!')) => rest,
        rest => rest,
    };
    let plain = tokens.iter().all(|token| matches!(token.kind, Kind::Word(_)) || token.is(','));
    let words = words(tokens);
    let told = words.iter().take_while(|word| READERS.contains(word)).count();
    let words = match &words[told..] {
        ["must" | "should" | "may" | "shall" | "can", "not" | "never", rest @ ..] if told > 0 => rest,
        ["cannot" | "can't" | "mustn't" | "shouldn't", rest @ ..] if told > 0 => rest,
        ["are" | "is", "not" | "never", "allowed" | "permitted", "to", rest @ ..] if told > 0 => rest,
        ["never", "ever", rest @ ..] | ["never" | "don't", rest @ ..] | ["do", "not", "ever", rest @ ..] => {
            rest
        }
        ["do" | "must", "not", rest @ ..] => rest,
        ["it", "is", "forbidden" | "prohibited", "to", rest @ ..] => rest,
        _ => return false,
    };
    plain && words.len() <= 9 && phrase::is_what_follows(words)
}
