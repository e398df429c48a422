//! Sentences that describe: their main verb is third person.

use std::ops::Range;

use super::phrase::{addresses, bounds, is_noun_phrase, is_subject};
use super::verbs::{
    ADVERBS, DOES, EFFECTS, EFFECTS_BASE, FOUND, LISTS, NEGATIVES, PLACES, TURNED_ROUND, TURNS,
};
use super::words::{AGENTS_MANY, MODIFIERS, NOUNS, STOP, STOPPED, STOPS};
use crate::facts::ban::sentence::{Kind, Sentence, Token, is_plain, lists, tokens};
use crate::facts::ban::{approves, runs_it};

/// Modal verbs that describe.
const MODALS: &[&str] = &["will", "would", "can", "could", "may", "might"];

/// The describing words of a sentence whose piece `hit` is the command.
pub(super) fn sentence(unit: &str, sentence: &Sentence<'_>, hit: usize) -> Option<Range<usize>> {
    let tokens = sentence.tokens;
    let (first, last) = (tokens.first()?, tokens.last()?);
    if !is_plain(&unit[first.range.start..last.range.end]) {
        return None;
    }
    if let Some(range) = asks(sentence, hit) {
        return Some(range);
    }
    if sentence.asks() || (0..tokens.len()).any(|at| orders(tokens, at)) {
        return None;
    }
    if approves(tokens) || runs_it(tokens) || has(tokens, TURNED_ROUND) {
        return None;
    }
    active(tokens, hit).or_else(|| passive(tokens, hit)).or_else(|| effect(tokens, hit))
}

/// Whether a word orders, addresses or bounds. Not where it is a noun ("any use of"), or what somebody is kept from doing
/// ("that run", "attempts to run").
fn orders(tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", Token::word);
    let (before, further) = (word(at.checked_sub(1)), word(at.checked_sub(2)));
    if bounds(token) {
        return true;
    }
    if !addresses(token) {
        return false;
    }
    // "must be blocked" asks nobody to run anything
    if token.is_in(&["must", "should"]) && word(Some(at + 1)) == "be" && STOPPED.contains(&word(Some(at + 2)))
    {
        return false;
    }
    let attempts = ["attempts", "attempt", "tries", "trying", "attempting", "refuses"];
    let noun = token.is_in(&["use", "call"])
        && matches!(before, "any" | "the" | "a" | "every" | "each" | "all")
        && matches!(word(Some(at + 1)), "of" | "to");
    !(noun || matches!(before, "that" | "which" | "who") || (before == "to" && attempts.contains(&further)))
}

fn has(tokens: &[Token], words: &[&str]) -> bool {
    tokens.iter().any(|token| token.is_in(words))
}

/// Whether a word bounds where or when the sentence holds.
fn limits(tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| {
        tokens[at].is_in(PLACES) && !at.checked_sub(1).is_some_and(|before| tokens[before].is_in(FOUND))
    })
}

/// "What does `x` do?"
fn asks(sentence: &Sentence<'_>, hit: usize) -> Option<Range<usize>> {
    let tokens = sentence.tokens;
    let fits = hit == 2
        && tokens[0].is_in(&["what"])
        && tokens[1].is_in(&["does", "do", "will", "would"])
        && tokens.get(3)?.is_in(&["do", "mean", "delete", "remove"])
        && sentence.asks()
        && tokens[4..].iter().all(|token| matches!(token.kind, Kind::Mark(_)));
    fits.then(|| tokens[0].range.start..tokens[1].range.end)
}

/// The piece of the verb with which something stops commands, if the pieces begin with that.
fn stopping(tokens: &[Token]) -> Option<usize> {
    // "**Command blocking**: Blocks …"
    let label = tokens.iter().take(6).position(|token| token.is(':')).map_or(0, |colon| colon + 1);
    let label =
        if tokens[..label].iter().all(|t| matches!(t.kind, Kind::Word(_)) || t.is(':')) { label } else { 0 };
    let at = label + tokens[label..].iter().position(|token| token.is_in(STOPS) || token.is_in(STOP))?;
    let subject = &tokens[label..at];
    if tokens[at].is_in(STOPS) {
        let code = matches!(subject, [name] if matches!(name.kind, Kind::Code(_)));
        // without a subject, "flags" may be a noun
        let bare = subject.is_empty()
            && tokens.get(at + 1).is_none_or(|next| {
                matches!(next.kind, Kind::Word(_)) || !tokens[at].is_in(&["flags", "blocks"])
            });
        return (code || bare || is_all_words(subject, is_subject)).then_some(at);
    }
    let (last, subject) = subject.split_last()?;
    if last.is_in(&["will", "would"]) {
        return is_all_words(subject, is_subject).then_some(at);
    }
    // "The hooks block `x`"
    let many = last.is_in(AGENTS_MANY)
        && matches!(subject, [det, rest @ ..] if det.is_in(&["the", "these", "both", "all"]) && rest.len() <= 2);
    many.then_some(at)
}

/// Whether a word behind "and" or a comma is a verb in the third person, and no other one that stops: "blocks `x` and
/// runs `y`".
fn is_verb(token: &Token) -> bool {
    token.is_in(DOES) || token.is_in(EFFECTS)
}

fn is_all_words(tokens: &[Token], fits: impl Fn(&[&str]) -> bool) -> bool {
    let words: Vec<&str> = tokens.iter().map(Token::word).collect();
    !words.contains(&"") && fits(&words)
}

/// Whether what stands behind the first command that is stopped, before the one at hand, is more than a list of those: a
/// clause with a verb of its own ("and the agent types").
fn names_more(between: &[Token]) -> bool {
    let Some(first) = between.iter().position(Token::is_code) else { return false };
    between[first + 1..].iter().any(|token| match token.kind {
        Kind::Word(_) => !(token.is_in(LISTS) || token.is_in(NOUNS) || token.is_in(MODIFIERS)),
        Kind::Mark(mark) => !matches!(mark, ',' | '/' | '(' | ')' | '"' | '+' | '&' | '\'' | '\u{2019}'),
        _ => false,
    })
}

/// "This hook blocks `x`."
fn active(tokens: &[Token], hit: usize) -> Option<Range<usize>> {
    let verb = stopping(&tokens[..hit])?;
    let between = &tokens[verb + 1..hit];
    let listed = between.iter().any(Token::is_code);
    let goes_on = tokens.get(hit + 1).is_some_and(|next| {
        let known = next.is_in(LISTS) || next.is_in(NOUNS) || next.is_in(PLACES) || bounds(next);
        listed && matches!(next.kind, Kind::Word(_)) && !known
    });
    let turned = names_more(between)
        || goes_on
        || between.last().is_some_and(|token| token.is_in(&["that"]))
        || (0..between.len()).any(|at| {
            between[at].is_in(TURNS)
                || (at > 0 && between[at - 1].is_in(&["and", "then"]) && is_verb(&between[at]))
                || (at > 0 && between[at - 1].is(',') && is_verb(&between[at]))
        });
    (!turned && !has(tokens, NEGATIVES) && !limits(tokens)).then(|| tokens[verb].range.clone())
}

/// "`x` is blocked", "Commands such as `x` are rejected".
fn passive(tokens: &[Token], hit: usize) -> Option<Range<usize>> {
    let subject: Vec<&str> = tokens[..hit].iter().map(Token::word).collect();
    let starts = match subject.as_slice() {
        [] | ["the", "command"] | ["running"] | ["using"] => true,
        [rest @ .., "like"] | [rest @ .., "such", "as"] => is_noun_phrase(rest),
        rest => rest.iter().enumerate().all(|(at, word)| {
            matches!(*word, "and" | "or" | "both")
                || tokens[at].is(',')
                || matches!(tokens[at].kind, Kind::Code(_))
        }),
    };
    let copulas = ["is", "are", "was", "were", "gets", "get", "remains", "remain", "be", "been"];
    let after = hit + 1;
    let copula = after + tokens[after..].iter().position(|token| token.is_in(&copulas))?;
    let joins =
        ["and", "or", "will", "would", "must", "should", "always", "commands", "command", "has", "have"];
    let plain =
        tokens[after..copula].iter().all(|token| token.is(',') || token.is_code() || token.is_in(&joins));
    let word = |i: usize| tokens.get(copula + i).map_or("", Token::word);
    let end = match (word(1), word(2)) {
        ("not", "allowed" | "permitted") => copula + 2,
        ("always" | "also", a) if lists(STOPPED, a) => copula + 2,
        (a, _) if lists(STOPPED, a) => copula + 1,
        _ => return None,
    };
    let calm = !has(&tokens[..copula], NEGATIVES) && !has(&tokens[end + 1..], NEGATIVES) && !limits(tokens);
    (starts && plain && calm).then(|| tokens[copula].range.start..tokens[end].range.end)
}

/// "`x` will destroy the workspace", "Running `x` deletes …".
fn effect(tokens: &[Token], hit: usize) -> Option<Range<usize>> {
    let subject: Vec<&str> = tokens[..hit].iter().map(Token::word).collect();
    let starts = matches!(
        subject.as_slice(),
        [] | ["the", "command"] | ["running"] | ["note", "that"] | ["the"] | ["a"] | ["using"]
    );
    let mut at = hit + 1;
    let modal = tokens.get(at)?.is_in(MODALS);
    at += usize::from(modal);
    while tokens.get(at)?.is_in(ADVERBS) {
        at += 1;
    }
    let verb = tokens.get(at)?;
    let fits =
        verb.is_in(if modal { EFFECTS_BASE } else { EFFECTS }) && !has(&tokens[at..], &["before", "after"]);
    (starts && fits && !has(tokens, NEGATIVES)).then(|| tokens[hit + 1].range.start..verb.range.end)
}

/// Whether a sentence before a colon introduces commands that are stopped: "The hook blocks", "These commands are
/// blocked".
pub(super) fn introduces(text: &str) -> bool {
    let tokens = tokens(text, &[]);
    let plain = tokens.len() <= 24
        && is_plain(text)
        && tokens.iter().all(|token| matches!(token.kind, Kind::Word(_) | Kind::Mark(',' | '/')));
    // "even in", "even when" bound nothing
    let even = |at: usize| at > 0 && tokens[at - 1].is_in(&["even"]);
    let calm = !(0..tokens.len()).any(|at| orders(&tokens, at) && !even(at))
        && !limits(&tokens)
        && !has(&tokens, NEGATIVES)
        && !has(&tokens, &["now", "therefore", "so", "thus", "hence", "still"]);
    if !plain || !calm {
        return false;
    }
    let Some(copula) =
        tokens.iter().position(|t| t.is_in(&["are", "is", "be", "get", "gets", "remain", "stay"]))
    else {
        return stopping(&tokens).is_some();
    };
    let word = |i: usize| tokens.get(i).map_or("", Token::word);
    let subject: Vec<&str> = tokens[..copula].iter().map(Token::word).collect();
    let noun = |words: &[&str]| words.is_empty() || is_noun_phrase(words);
    let fits = match subject.as_slice() {
        ["these" | "those" | "they", rest @ ..] => noun(rest),
        ["the", "following", rest @ ..] => noun(rest),
        ["examples" | "example", "of", rest @ .., "that" | "which"] => is_noun_phrase(rest),
        _ => false,
    };
    let stopped = copula + 1 + usize::from(matches!(word(copula + 1), "always" | "all" | "also"));
    (fits && lists(STOPPED, word(stopped))) || stopping(&tokens).is_some()
}
