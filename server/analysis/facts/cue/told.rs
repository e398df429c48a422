//! Sentences that tell what somebody did ("an engineer ran `x`"), and questions that are answered with no.
//!
//! What was done is not to be done by that; but who tells it may go on with an order, or praise it. So nothing of the unit may
//! do either.

use std::ops::Range;

use super::phrase::addresses;
use crate::facts::ban::sentence::{Kind, Sentence, Token};

/// Who did it.
const PEOPLE: [&str; 17] = [
    "someone",
    "somebody",
    "engineer",
    "developer",
    "operator",
    "intern",
    "admin",
    "administrator",
    "agent",
    "assistant",
    "colleague",
    "teammate",
    "contractor",
    "script",
    "job",
    "bot",
    "user",
];

/// Who attacks.
const ATTACKERS: [&str; 9] = [
    "attacker",
    "attackers",
    "adversary",
    "adversaries",
    "intruder",
    "intruders",
    "malware",
    "worm",
    "botnet",
];

/// What was done with the command.
const DID: [&str; 8] = ["ran", "typed", "executed", "issued", "pasted", "entered", "invoked", "used"];

/// What those do who attack.
const DO: [&str; 8] = ["try", "tries", "run", "runs", "use", "uses", "execute", "executes"];

/// Words by which it was right, or is done again and again.
const PRAISE: [&str; 30] = [
    "fixed",
    "fixes",
    "helped",
    "helps",
    "worked",
    "works",
    "solved",
    "resolved",
    "cleared",
    "restored",
    "recovered",
    "mended",
    "saved",
    "repaired",
    "every",
    "each",
    "always",
    "daily",
    "usually",
    "normally",
    "successfully",
    "correctly",
    "rightly",
    "first",
    "again",
    "same",
    "likewise",
    "too",
    "so",
    "good",
];

/// The words with which the sentence at `at` tells that somebody ran its command, which is the piece `hit`.
pub(super) fn narrates(sentences: &[Sentence<'_>], at: usize, hit: usize) -> Option<Range<usize>> {
    let tokens = sentences[at].tokens;
    let words = did(tokens, hit).or_else(|| was_run(tokens, hit))?;
    // Of the sentence itself, the words that tell are none that ask.
    let asks = |token: &Token| {
        !(words.start <= token.range.start && token.range.end <= words.end) && addresses(token)
    };
    let calm = sentences
        .iter()
        .all(|sentence| !sentence.tokens.iter().any(|token| asks(token) || token.is_in(&PRAISE)));
    calm.then_some(words)
}

/// "An engineer ran `x`", "Attackers often try `x`".
fn did(tokens: &[Token], hit: usize) -> Option<Range<usize>> {
    let verb = hit.checked_sub(1)?;
    let before = tokens[..verb].iter().rev().find(|token| {
        !token.is_in(&["once", "accidentally", "mistakenly", "often", "then", "typically", "may", "might"])
    })?;
    let past = tokens[verb].is_in(&DID);
    let attacker = before.is_in(&ATTACKERS);
    let did = past || (attacker && tokens[verb].is_in(&DO));
    (did && (attacker || before.is_in(&PEOPLE))).then(|| before.range.start..tokens[verb].range.end)
}

/// "`x` was run by mistake".
fn was_run(tokens: &[Token], hit: usize) -> Option<Range<usize>> {
    let word = |at: usize| tokens.get(hit + at).map_or("", Token::word);
    let article = tokens[..hit].iter().all(|token| token.is_in(&["a", "an", "the"]));
    let run = matches!(word(1), "was" | "were") && matches!(word(2), "run" | "executed" | "typed" | "issued");
    let end = match (word(3), word(4)) {
        ("by", "accident" | "mistake") => 4,
        ("accidentally" | "mistakenly", _) => 3,
        _ => return None,
    };
    (article && run).then(|| tokens[hit + 1].range.start..tokens[hit + end].range.end)
}

/// The words of the question whose command is the piece `hit`, where the next sentence says no: "Can I run `x`? No."
pub(super) fn is_refused(sentences: &[Sentence<'_>], at: usize, hit: usize) -> Option<Range<usize>> {
    let tokens = sentences[at].tokens;
    let modal = ["can", "may", "should", "could", "must"];
    let asks = sentences[at].asks()
        && tokens[0].is_in(&modal)
        && hit <= 4
        && tokens[1..hit].iter().all(|token| {
            token.is_in(&["i", "we", "you", "agents", "the", "agent", "run", "use", "execute", "ever"])
        });
    let answer = sentences.get(at + 1)?.tokens;
    let no = answer.first()?.is_in(&["no", "never"])
        && answer[1..].iter().all(|token| match &token.kind {
            Kind::Mark(mark) => matches!(mark, '.' | '!' | ','),
            Kind::Word(_) => token.is_in(&["never", "not", "ever", "it", "deletes", "is", "forbidden"]),
            _ => false,
        });
    let last = at + 2 == sentences.len()
        || !sentences[at + 2..].iter().any(|sentence| sentence.tokens.iter().any(addresses));
    (asks && no && last).then(|| tokens[0].range.start..tokens[hit].range.start)
}
