//! Headings and lines above a block that announce what mends, or what is done next: whatever a heading further up shows,
//! what stands below them is given.
//!
//! They only ever end what shows, so the lists are wide.

use super::Turn;
use super::phrase::{addresses, is_good};
use super::words::{NEGATES, STOPPED};
use crate::facts::ban::sentence::{Kind, Token, lists, sentences, tokens, words};

/// Words of which one is enough.
const MENDS: [&str; 44] = [
    "clears",
    "cleared",
    "cure",
    "cures",
    "cured",
    "resolve",
    "resolves",
    "resolved",
    "resolving",
    "solve",
    "solves",
    "solved",
    "repair",
    "repairs",
    "repairing",
    "repaired",
    "mend",
    "mends",
    "mending",
    "helps",
    "helped",
    "heal",
    "heals",
    "unblock",
    "unblocks",
    "unblocking",
    "unlocks",
    "rescue",
    "rescues",
    "fixing",
    "undoing",
    "restoring",
    "recovering",
    "recovers",
    "restores",
    "undoes",
    "truth",
    "task",
    "tasks",
    "antidote",
    "revives",
    "frees",
    "next",
    "remedies",
];

/// Words with which a part begins that is done.
const BEGINS: [&str; 16] = [
    "step",
    "start",
    "begin",
    "deploy",
    "deploying",
    "deployment",
    "release",
    "releasing",
    "now",
    "first",
    "then",
    "finally",
    "afterwards",
    "todo",
    "startup",
    "bootstrap",
];

/// Words for a time at which something is done.
const TIMES: [&str; 16] = [
    "start",
    "startup",
    "boot",
    "login",
    "morning",
    "mornings",
    "beginning",
    "end",
    "mondays",
    "monday",
    "session",
    "sessions",
    "checkout",
    "release",
    "demand",
    "day",
];

/// Headings that are nothing but these words announce what is done.
const DONE: [&str; 40] = [
    "preparation",
    "preparations",
    "prerequisites",
    "before",
    "after",
    "you",
    "start",
    "every",
    "each",
    "session",
    "on",
    "the",
    "checklist",
    "workflow",
    "daily",
    "weekly",
    "maintenance",
    "hotfix",
    "quickfix",
    "exception",
    "exceptions",
    "required",
    "mandatory",
    "your",
    "our",
    "job",
    "duty",
    "duties",
    "routine",
    "instructions",
    "initialisation",
    "initialization",
    "onboarding",
    "at",
    "startup",
    "login",
    "work",
    "day",
    "launch",
    "howto",
];

/// Whether a heading announces a remedy or a step.
pub(super) fn is_heading(heading: &str) -> bool {
    let tokens = tokens(heading, &[]);
    let words = words(&tokens);
    let done = !words.is_empty() && words.len() <= 5 && words.iter().all(|word| lists(&DONE, word));
    done || (words.len() <= 8 && announces(&words)) || matches!(words.as_slice(), ["how", "it" | "we", _, ..])
}

/// Whether a paragraph, whose end has no colon or stands in a tag, does by its last sentence, or as a heading that is none.
pub(super) fn closes(paragraph: &str) -> bool {
    const LONGEST: usize = 400;
    const POINTS: [&str; 6] = ["following", "below", "follows", "this", "it", "here"];
    let text = paragraph.trim().trim_matches(['*', '_', ' ']);
    // Every word that is looked for is English.
    if text.len() > LONGEST || !text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return false;
    }
    let (colon, ended) = (text.ends_with(':'), text.ends_with(['.', '!']));
    // Most paragraphs are done with here: they are longer than a heading, or point at nothing.
    let points = |word: &str| POINTS.iter().any(|known| word.eq_ignore_ascii_case(known));
    let may = match ended {
        true => text.split(|c: char| !c.is_alphanumeric()).any(points),
        false => colon || text.split_whitespace().nth(12).is_none(),
    };
    if !may {
        return false;
    }
    let pieces = tokens(text, &[]);
    let all = sentences(text, &pieces);
    let Some(last) = all.last() else { return false };
    if last.tokens.iter().any(Token::is_code) {
        return false;
    }
    if colon {
        return super::lead_in(text) == Some(Turn::Good);
    }
    if !ended {
        return all.len() == 1 && words(last.tokens).len() <= 6 && super::heading(text) == Some(Turn::Good);
    }
    let words = words(last.tokens);
    let points = words.iter().any(|word| matches!(*word, "following" | "below" | "follows" | "this"));
    let calm = !negates(&words) && !last.tokens.iter().any(|token| token.is_in(STOPPED));
    let mends =
        words.iter().any(|word| lists(&MENDS, word) || matches!(*word, "fix" | "solution" | "remedy"));
    let asks = last.tokens.iter().any(addresses);
    ended
        && calm
        && words.len() <= 14
        && (points || words.contains(&"it") || words.first() == Some(&"here"))
        && (mends || asks)
}

/// Whether what stands before a command in its sentence announces it as what mends or is done: "The cure:", "Clear it with".
pub(super) fn before(tokens: &[Token]) -> bool {
    let Some((last, rest)) = tokens.split_last() else { return false };
    let words = words(rest);
    if last.is(':') {
        let condition = words.first().is_some_and(|first| matches!(*first, "if" | "when" | "once"));
        return leads(rest) || (condition && !negates(&words)) || (words.len() <= 8 && is_good(&words));
    }
    let arrow = matches!(last.kind, Kind::Mark('\u{2190}'..='\u{21ff}' | '\u{279c}' | '\u{27a1}'));
    let mends = matches!(
        words.first(),
        Some(
            &("clear"
                | "recover"
                | "repair"
                | "restore"
                | "fix"
                | "cure"
                | "undo"
                | "resolve"
                | "solve"
                | "unblock")
        )
    );
    arrow || (mends && last.is_in(&["with", "by"]) && !negates(&words))
}

/// Whether what stands behind a command in its sentence says that it mends: "is the cure", "clears it".
pub(super) fn behind(tokens: &[Token]) -> bool {
    let words = words(tokens);
    match words.as_slice() {
        ["is", "the" | "what" | "your" | "a", rest @ ..] => rest
            .iter()
            .take(4)
            .any(|word| lists(&MENDS, word) || matches!(*word, "fix" | "solution" | "remedy")),
        [verb, rest @ ..] if lists(&MENDS, verb) || matches!(*verb, "fixes") => {
            matches!(rest, [] | ["it" | "this" | "that" | "them", ..])
        }
        _ => false,
    }
}

/// Whether a sentence that ends in a colon does.
pub(super) fn leads(tokens: &[Token]) -> bool {
    let words = words(tokens);
    let purpose = words.first() == Some(&"to") && words.len() <= 14;
    // "Clear it with", "Restore the data by"
    let by = words.len() <= 8 && words.len() > 1 && matches!(words.last(), Some(&"with" | &"by"));
    let calm = !negates(&words) && !tokens.iter().any(|token| token.is_in(STOPPED));
    // "Every morning", "At startup", "Before work"
    let time = words.first().is_some_and(|first| {
        matches!(*first, "every" | "each" | "at" | "before" | "after" | "during" | "daily" | "weekly")
            || (matches!(*first, "on" | "in") && words.iter().any(|word| lists(&TIMES, word)))
    });
    // "Reset it", "What to type", "This gets you going"
    let back = words.len() <= 8 && words.len() > 1 && matches!(words.last(), Some(&"it" | &"them"));
    let asks = matches!(words.as_slice(), ["what", "to", ..]) || tokens.iter().any(addresses);
    (words.len() <= 14 && announces(&words))
        || (words.len() <= 14 && calm && (purpose || by || time || back || asks))
}

fn announces(words: &[&str]) -> bool {
    const VERBS: [&str; 18] = [
        "clear", "undo", "restore", "recover", "get", "clean", "repair", "deploy", "run", "use", "do", "fix",
        "mend", "solve", "resolve", "unblock", "start", "release",
    ];
    let pair = |a: &str, b: &str| words.windows(2).any(|pair| pair == [a, b]);
    let begins = words.first().is_some_and(|first| lists(&BEGINS, first));
    !negates(words)
        && (begins
            || words.iter().any(|word| lists(&MENDS, word))
            || pair("way", "out")
            || pair("getting", "out")
            || pair("cleaning", "up")
            || pair("clean", "start")
            || (words.iter().any(|word| matches!(*word, "bring" | "brings" | "get" | "gets"))
                && words.contains(&"back"))
            || words
                .windows(3)
                .any(|three| matches!(three, ["how" | "what", "to", done] if lists(&VERBS, done))))
}

fn negates(words: &[&str]) -> bool {
    words.iter().any(|word| lists(NEGATES, word))
}
