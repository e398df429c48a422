//! Headings and lines above a block that announce what mends, or what is done next: whatever a heading further up shows,
//! what stands below them is given.
//!
//! They only ever end what shows, so the lists are wide.

use super::phrase::addresses;
use super::words::{NEGATES, STOPPED};
use crate::facts::ban::sentence::{Token, tokens};

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
    let done = !words.is_empty() && words.len() <= 5 && words.iter().all(|word| DONE.contains(word));
    done || (words.len() <= 8 && announces(&words)) || matches!(words.as_slice(), ["how", "it" | "we", _, ..])
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
            || (matches!(*first, "on" | "in") && words.iter().any(|word| TIMES.contains(word)))
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
    let begins = words.first().is_some_and(|first| BEGINS.contains(first));
    !negates(words)
        && (begins
            || words.iter().any(|word| MENDS.contains(word))
            || pair("way", "out")
            || pair("getting", "out")
            || pair("cleaning", "up")
            || pair("clean", "start")
            || (words.iter().any(|word| matches!(*word, "bring" | "brings" | "get" | "gets"))
                && words.contains(&"back"))
            || words
                .windows(3)
                .any(|three| matches!(three, ["how" | "what", "to", done] if VERBS.contains(done))))
}

fn negates(words: &[&str]) -> bool {
    words.iter().any(|word| NEGATES.contains(word))
}

fn words(tokens: &[Token]) -> Vec<&str> {
    tokens.iter().map(Token::word).filter(|word| !word.is_empty()).collect()
}
