//! Sentences that describe: their main verb is third person.

use std::ops::Range;

use super::phrase::{STOPPED, STOPS, addresses, bounds};
use crate::facts::ban::sentence::{Kind, Sentence, Token, tokens};

/// What a command does to things, third person.
const EFFECTS: [&str; 26] = [
    "destroys",
    "deletes",
    "removes",
    "discards",
    "wipes",
    "erases",
    "overwrites",
    "drops",
    "rewrites",
    "skips",
    "bypasses",
    "resets",
    "kills",
    "loses",
    "breaks",
    "fails",
    "purges",
    "clears",
    "truncates",
    "formats",
    "undoes",
    "reverts",
    "disables",
    "terminates",
    "nukes",
    "reclaims",
];
/// The same after `will`, `would`, `can`, `could`, `may`.
const EFFECTS_BASE: [&str; 26] = [
    "destroy",
    "delete",
    "remove",
    "discard",
    "wipe",
    "erase",
    "overwrite",
    "drop",
    "rewrite",
    "skip",
    "bypass",
    "reset",
    "kill",
    "lose",
    "break",
    "fail",
    "purge",
    "clear",
    "truncate",
    "format",
    "undo",
    "revert",
    "disable",
    "terminate",
    "nuke",
    "reclaim",
];
/// What may stand between the command and its verb.
const ADVERBS: [&str; 12] = [
    "also",
    "permanently",
    "irreversibly",
    "silently",
    "immediately",
    "recursively",
    "always",
    "simply",
    "even",
    "then",
    "irrevocably",
    "forcibly",
];
const NEGATIVES: [&str; 16] = [
    "not", "never", "no", "nothing", "none", "neither", "nor", "cannot", "can't", "doesn't", "isn't",
    "won't", "longer", "hardly", "rarely", "nobody",
];
/// Limits that bound what is stopped, and where.
const PLACES: [&str; 10] =
    ["on", "in", "before", "after", "during", "outside", "within", "inside", "instead", "except"];

/// The describing words of a sentence whose piece `hit` is the command.
pub(super) fn sentence(sentence: &Sentence<'_>, hit: usize) -> Option<Range<usize>> {
    let tokens = sentence.tokens;
    if let Some(range) = asks(sentence, hit) {
        return Some(range);
    }
    if sentence.asks() || tokens.iter().enumerate().any(|(at, token)| orders(tokens, at, token)) {
        return None;
    }
    active(tokens, hit).or_else(|| passive(tokens, hit)).or_else(|| effect(tokens, hit))
}

/// Whether a word orders, addresses or bounds; not in "that run", "attempts to run".
fn orders(tokens: &[Token], at: usize, token: &Token) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| tokens[at].word());
    if bounds(token) {
        return true;
    }
    if !addresses(token) {
        return false;
    }
    let attempt = ["attempts", "attempt", "tries", "try", "trying", "attempting"];
    !(matches!(before(1), "that" | "which" | "who") || (before(1) == "to" && attempt.contains(&before(2))))
}

/// "What does `x` do?"
fn asks(sentence: &Sentence<'_>, hit: usize) -> Option<Range<usize>> {
    let words: Vec<&str> = sentence.tokens.iter().map(Token::word).collect();
    let tokens = sentence.tokens;
    let tail = tokens.get(hit + 1)?;
    let fits = hit == 2
        && matches!((words[0], words[1]), ("what", "does" | "do" | "will" | "would"))
        && tail.is_in(&["do", "mean", "delete", "remove"])
        && sentence.asks()
        && tokens[hit + 2..].iter().all(|token| matches!(token.kind, Kind::Mark(_)));
    fits.then(|| tokens[0].range.start..tokens[1].range.end)
}

fn has(tokens: &[Token], words: &[&str]) -> bool {
    tokens.iter().any(|token| token.is_in(words))
}

/// "This hook blocks `x`": one stopping verb, near the sentence's start, before the command.
fn active(tokens: &[Token], hit: usize) -> Option<Range<usize>> {
    let verb = tokens[..hit].iter().position(|token| token.is_in(&STOPS))?;
    let subject = &tokens[..verb];
    let plain = subject.len() <= 8
        && subject.iter().all(|token| matches!(token.kind, Kind::Word(_) | Kind::Code(_) | Kind::Mark(':')));
    (plain && !has(tokens, &NEGATIVES) && !has(tokens, &PLACES)).then(|| tokens[verb].range.clone())
}

/// "`x` is blocked", "commands such as `x` are rejected".
fn passive(tokens: &[Token], hit: usize) -> Option<Range<usize>> {
    let copulas = ["is", "are", "was", "were", "gets", "get", "remains", "remain", "be", "been"];
    let after = hit + 1;
    let copula = after + tokens[after..].iter().position(|token| token.is_in(&copulas))?;
    let between = &tokens[after..copula];
    let plain = between.len() <= 8
        && between.iter().all(|t| {
            t.is(',')
                || t.is_code()
                || t.is_in(&["and", "or", "will", "would", "always", "commands", "command"])
        });
    let word = |i: usize| tokens.get(copula + i).map_or("", Token::word);
    let end = match (word(1), word(2)) {
        ("not", "allowed" | "permitted") => copula + 2,
        ("always" | "also", a) if STOPPED.contains(&a) => copula + 2,
        (a, _) if STOPPED.contains(&a) => copula + 1,
        _ => return None,
    };
    let others =
        has(&tokens[..copula], &NEGATIVES) || has(&tokens[end + 1..], &NEGATIVES) || has(tokens, &PLACES);
    (plain && !others).then(|| tokens[copula].range.start..tokens[end].range.end)
}

/// "`x` will destroy the workspace", "Running `x` deletes …".
fn effect(tokens: &[Token], hit: usize) -> Option<Range<usize>> {
    let subject: Vec<&str> = tokens[..hit].iter().map(Token::word).collect();
    let starts = matches!(
        subject.as_slice(),
        [] | ["the", "command"] | ["running"] | ["note", "that"] | ["the"] | ["a"] | ["using"]
    );
    if !starts {
        return None;
    }
    let mut at = hit + 1;
    let modal = tokens.get(at)?.is_in(&["will", "would", "can", "could", "may", "might"]);
    at += usize::from(modal);
    while tokens.get(at)?.is_in(&ADVERBS) {
        at += 1;
    }
    let verb = tokens.get(at)?;
    let fits = verb.is_in(if modal { &EFFECTS_BASE } else { &EFFECTS });
    fits.then(|| tokens[hit + 1].range.start..verb.range.end)
}

/// Whether a line before a colon introduces commands that are stopped: "The hook blocks", "These commands are blocked".
pub(super) fn introduces(line: &str) -> bool {
    let tokens = tokens(line, &[]);
    if tokens.len() > 24 || tokens.iter().any(|token| !matches!(token.kind, Kind::Word(_) | Kind::Mark(',')))
    {
        return false;
    }
    let calm = |at: usize| {
        let even = at > 0 && tokens[at - 1].is_in(&["even"]);
        let token = &tokens[at];
        !token.is_in(&NEGATIVES) && (even || !(orders(&tokens, at, token) || token.is_in(&PLACES)))
    };
    if !(0..tokens.len()).all(calm) || has(&tokens, &["now", "therefore", "so"]) {
        return false;
    }
    let word = |i: usize| tokens.get(i).map_or("", Token::word);
    // "These commands are blocked …", "Examples of commands that get blocked"
    let copula = tokens.iter().position(|t| t.is_in(&["are", "is", "be", "get", "gets", "remain", "stay"]));
    let subject = |end: usize| {
        end <= 8
            && (matches!(word(0), "these" | "those" | "examples" | "example")
                || (word(0) == "the" && matches!(word(1), "following" | "commands")))
    };
    if let Some(at) = copula
        && subject(at)
        && (STOPPED.contains(&word(at + 1)) || (word(at + 1) == "always" && STOPPED.contains(&word(at + 2))))
    {
        return true;
    }
    // "The hook blocks", "It rejects the following commands"
    let Some(verb) = tokens.iter().position(|token| token.is_in(&STOPS)) else { return false };
    (1..=6).contains(&verb)
}
