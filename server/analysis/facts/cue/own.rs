//! What the sentence around a command says of it.

use std::ops::Range;

use super::{Turn, describe, remedy, told};
use crate::facts::ban::sentence::{CONDITIONS, EXCEPTIONS, LIMITS, Token, holding, sentences, tokens};
use crate::facts::ban::{HEDGES, is_of_all, takes_back};

/// Pieces of the longest sentence that is looked at: no description is longer, and the work stays bounded where a unit
/// of many commands is one sentence. A longer one gives its commands.
const LONGEST: usize = 200;

/// See [`super::own`].
pub(super) fn read(unit: &str, hits: &[Range<usize>]) -> Vec<Option<(Range<usize>, Turn)>> {
    let whole: Vec<Range<usize>> = hits
        .iter()
        .filter(|hit| hit.start < hit.end && unit.get((*hit).clone()).is_some())
        .cloned()
        .collect();
    let tokens = tokens(unit, &whole);
    let sentences = sentences(unit, &tokens);
    let back = sentences.iter().rposition(takes_back);
    hits.iter()
        .map(|hit| {
            let (at, place) = holding(&sentences, hit)?;
            let sentence = &sentences[at];
            let command = unit.get(hit.clone()).unwrap_or_default();
            let skips = command.contains("--no-verify") || command.contains("commit -n");
            if sentence.tokens.len() > LONGEST || gives(sentence.tokens, place, skips) {
                return Some((hit.clone(), Turn::Good));
            }
            let stands = back.is_none_or(|back| back <= at);
            let words = stands
                .then(|| {
                    describe::sentence(unit, sentence, place)
                        .or_else(|| told::narrates(&sentences, at, place))
                        .or_else(|| told::is_refused(&sentences, at, place))
                })
                .flatten()?;
            Some((words, Turn::Bad))
        })
        .collect()
}

/// Whether the words `before` a command say that it is left out: under "Common mistakes", "Forgetting to run `x`" is the
/// mistake, and `x` is what is to be done.
fn is_left_out(before: &[Token]) -> bool {
    const BETWEEN: [&str; 11] =
        ["the", "a", "this", "to", "run", "running", "first", "step", "call", "calling", "out"];
    const LEAVES: [&str; 17] = [
        "leaving",
        "leave",
        "leaves",
        "skip",
        "skips",
        "skipping",
        "forget",
        "forgets",
        "forgetting",
        "omit",
        "omits",
        "omitting",
        "neglect",
        "neglecting",
        "without",
        "missing",
        "lacking",
    ];
    let verb = before.iter().rev().take(4).find(|token| !token.is_in(&BETWEEN));
    verb.is_some_and(|token| token.is_in(&LEAVES))
}

/// Whether the sentence gives the command at `place`, or bounds its own ban. `skips`: the command skips checks, and "Never
/// skip" forbids it.
fn gives(tokens: &[Token], place: usize, skips: bool) -> bool {
    let hedges = |token: &Token| token.is_in(&HEDGES) && !(skips && token.is_in(&["skip", "skipping"]));
    let instead = |at: usize| {
        tokens[at].is_in(&["instead"]) && !tokens.get(at + 1).is_some_and(|token| token.is_in(&["of"]))
    };
    // A reason may have limits of its own.
    let reason = tokens[place..]
        .iter()
        .position(|token| token.is(':') || token.is_dash() || token.is_in(&["because", "since"]))
        .map_or(tokens.len(), |at| place + at);
    let negated = tokens[..place].iter().position(|token| token.is_in(&["never", "don't", "not", "avoid"]));
    let bounded = (place..reason).any(|at| {
        let token = &tokens[at];
        (token.is_in(&LIMITS) && !is_of_all(&tokens[at..]))
            || token.is_in(&CONDITIONS)
            || token.is_in(&["habitually"])
    });
    tokens.iter().any(|token| token.is_in(&EXCEPTIONS))
        || (!skips && is_left_out(&tokens[..place]))
        || remedy::before(&tokens[..place])
        || remedy::behind(&tokens[place + 1..])
        || (tokens[0].is_in(&["not"]) && place == 2 && tokens[1].is_in(&["running", "using", "calling", "doing"]))
        || (tokens[0].is_in(&["after"]) && place > 1 && tokens[1].is_in(&["that", "this"]))
        || (0..tokens.len()).any(instead)
        // a step of several
        || (negated.is_none()
            && tokens.first().is_some_and(|token| token.is_in(&["first", "then", "next", "finally", "lastly"])))
        || tokens.first().is_some_and(|token| token.is_in(&["always"]))
        || negated.is_some_and(|at| bounded || tokens[at..place].iter().any(hedges))
}
