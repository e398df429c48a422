//! Comments that begin another part of a fence, and signs of leave that are comments for a reader only.

use std::ops::Range;

use super::words::GOOD_MARKS;
use super::{Turn, comment, given, phrase};
use crate::facts::ban::sentence::{Token, tokens};
use crate::lines::Lang;

/// Words with which a comment that is a step begins.
const STEPS: [&str; 22] = [
    "deploy",
    "release",
    "start",
    "begin",
    "first",
    "next",
    "then",
    "finally",
    "now",
    "step",
    "required",
    "setup",
    "run",
    "use",
    "do",
    "install",
    "build",
    "bootstrap",
    "afterwards",
    "publish",
    "restart",
    "required",
];

/// Stems of words that say what is lost or wrong: a comment with one of them goes on with what stands above it.
const HARMS: [&str; 36] = [
    "delet", "remov", "los", "destr", "wip", "eras", "overwrit", "drop", "discard", "bad", "wrong", "never",
    "don't", "danger", "forc", "rewrit", "skip", "bypass", "reset", "kill", "break", "fail", "purg",
    "truncat", "undo", "disabl", "nuke", "unsafe", "irrevers", "leak", "expos", "secret", "without", "also",
    "avoid", "risk",
];

/// See [`super::part`].
pub(super) fn begins(line: &str, lang: Lang) -> Option<(Range<usize>, bool)> {
    let (range, text, trailing) = comment::find(line, lang)?;
    if trailing || text.starts_with('!') {
        return None;
    }
    let tokens = tokens(text, &[]);
    let mut words = tokens.iter().map(Token::word).filter(|word| word.chars().any(char::is_alphabetic));
    let first = words.next()?;
    let step = STEPS.contains(&first);
    let harm = |word: &str| matches!(word, "no" | "not") || HARMS.iter().any(|stem| word.starts_with(stem));
    (step || !(harm(first) || words.any(harm))).then_some((range, step))
}

/// Signs with which comments begin in some language. In another one they are code, and a comment for its reader.
const SIGNS: [&str; 14] =
    ["//", "-- ", "#", ";", "% ", "/*", "<!--", "rem ", "' ", "\"\"\"", "::", "== ", "(*", "=> "];

/// What prints the rest of its line.
const PRINTS: [&str; 7] = ["echo ", "printf ", ": '", ": \"", "print ", "print(", "write-host "];

/// Leave that a line of a fence gives by a sign that is no comment of its language ("// good" in a shell), by a text that
/// it only prints, or by a check mark: its bytes, and whether it stands beside code and gives its own line.
pub(super) fn given_by_any_sign(line: &str, lang: Lang) -> Option<(Range<usize>, bool)> {
    if lang == Lang::Markdown {
        return None;
    }
    let text = line.trim();
    let start = line.len() - line.trim_start().len();
    let whole = start..start + text.len();
    let begins = |sign: &&&str| text.get(..sign.len()).is_some_and(|head| head.eq_ignore_ascii_case(sign));
    if let Some(sign) = SIGNS.iter().find(begins) {
        if says_good(&text[sign.len()..]) {
            return Some((whole, false));
        }
    } else if let Some(sign) = PRINTS.iter().find(begins) {
        let printed = &text[sign.len()..];
        if !printed.contains(['|', '>', '&', ';', '$']) && says_good(printed) {
            return Some((whole, false));
        }
    }
    let marked =
        (!text.is_ascii() && text.contains(GOOD_MARKS)) || text.contains("[x]") || text.contains("[X]");
    if marked {
        let alone = text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count() <= 1;
        return Some((whole, !alone));
    }
    [" // ", " -- ", " # ", " ; ", " => "].iter().find_map(|sign| {
        let at = text.rfind(sign)?;
        let rest = text[at + sign.len()..].trim();
        let few = rest.split_whitespace().count() <= 4 && rest.contains(char::is_alphabetic);
        (few && phrase::turn(rest) == Some(Turn::Good) && !given::is_loss(rest))
            .then(|| (start + at..start + text.len(), true))
    })
}

/// Whether a text, marks at its ends aside, gives what stands below it.
fn says_good(text: &str) -> bool {
    const LONGEST: usize = 200;
    let text = text.trim_matches(|c: char| !c.is_alphanumeric() && !GOOD_MARKS.contains(&c));
    if text.is_empty() || text.len() > LONGEST || given::is_loss(text) {
        return false;
    }
    phrase::turn(text) == Some(Turn::Good) || given::by_comment(text) || phrase::orders(&tokens(text, &[]))
}
