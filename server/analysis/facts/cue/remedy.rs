//! Headings and lines above a block that announce what mends, or what is done next: whatever a heading further up shows,
//! what stands below them is given.
//!
//! They only ever end what shows, so the lists are wide.

use super::words::NEGATES;
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

/// Whether a heading announces a remedy or a step.
pub(super) fn is_heading(heading: &str) -> bool {
    let tokens = tokens(heading, &[]);
    let words = words(&tokens);
    words.len() <= 8 && announces(&words)
}

/// Whether a sentence that ends in a colon does.
pub(super) fn leads(tokens: &[Token]) -> bool {
    let words = words(tokens);
    let purpose = words.first() == Some(&"to") && words.len() <= 14;
    // "Clear it with", "Restore the data by"
    let by = words.len() <= 8 && words.len() > 1 && matches!(words.last(), Some(&"with" | &"by"));
    (words.len() <= 14 && announces(&words)) || ((purpose || by) && !negates(&words))
}

fn announces(words: &[&str]) -> bool {
    const DONE: [&str; 18] = [
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
                .any(|three| matches!(three, ["how" | "what", "to", done] if DONE.contains(done))))
}

fn negates(words: &[&str]) -> bool {
    words.iter().any(|word| NEGATES.contains(word))
}

fn words(tokens: &[Token]) -> Vec<&str> {
    tokens.iter().map(Token::word).filter(|word| !word.is_empty()).collect()
}
