//! Sentences that take back what was said before them: an exception, a revocation, leave, an order to run what was named.
//!
//! Each only ever ends what forbids or describes, so the lists are wide.

use super::sentence::{CONDITIONS, EXCEPTIONS, Kind, LIMITS, Sentence, Token, lists, words};
use super::{APPROVING, approves, is_order, leaves_it, points_back, runs_above, runs_it};

/// Whether a sentence after a ban or a description takes it back: it opens with an exception, says that it does not
/// hold, or tells to run what was named.
pub(in crate::facts) fn takes_back(sentence: &Sentence<'_>) -> bool {
    let tokens = sentence.tokens;
    let has = |words: &[&str]| tokens.iter().any(|token| token.is_in(words));
    let Some(first) = tokens.iter().find(|token| matches!(token.kind, Kind::Word(_))) else { return false };
    if declines(tokens) {
        return false;
    }
    let in_place = has(&["instead"]) && !has(&["it", "them"]);
    revokes(sentence)
        || approves(tokens)
        || runs_above(sentence)
        || leaves_it(sentence)
        || (runs_it(tokens) && !in_place)
        || is_rest(sentence)
        // What turns to another command ("But `git push` is fine") takes nothing back.
        || (first.is_in(&EXCEPTIONS)
            && !first.is_in(&REST_OPENERS)
            && (has(&BACK) || !tokens.iter().any(Token::is_code)))
        || (first.is_in(&["that", "this", "it"])
            && (has(&APPROVING) || has(&["wrong", "lie", "longer", "true"])))
        || (0..tokens.len()).any(|at| {
            is_order(&tokens[at]) && points_back(&tokens[at..]) && !negated(&tokens[..at]) && !in_place
        })
}

/// Words that point back.
const BACK: [&str; 9] = ["it", "them", "this", "that", "these", "those", "above", "both", "so"];

/// Words with which a rest of what was said before begins: see [`is_rest`] for what has to follow them.
pub(in crate::facts) const REST_OPENERS: [&str; 10] = [
    "except",
    "excepting",
    "unless",
    "excluding",
    "apart",
    "aside",
    "barring",
    "exception",
    "exceptions",
    "only",
];

/// Words that bound what was said before behind "Only"; behind it others begin a rule of their own.
const ONLY: [&str; 25] = [
    "in", "on", "if", "when", "while", "for", "at", "by", "with", "without", "where", "as", "during",
    "after", "before", "from", "outside", "inside", "unless", "because", "until", "under", "through", "via",
    "once",
];

/// Whether a sentence is a rest of the one before it: it has no clause of its own. "Unless the disk is full." bounds what
/// stands before; "Unless told otherwise, write tests" and "Only commit when asked" say something else.
pub(in crate::facts) fn is_rest(sentence: &Sentence<'_>) -> bool {
    let from = sentence.tokens.iter().position(|token| !token.word().is_empty()).unwrap_or_default();
    let tokens = &sentence.tokens[from..];
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let comma = tokens.iter().position(|token| token.is(','));
    let clause = comma.is_some_and(|comma| tokens[comma + 1..].iter().any(|token| !token.word().is_empty()));
    match word(0) {
        // "Exceptions must be caught" speaks of programs, "Exception: none" of none.
        "exception" | "exceptions" => {
            let none = matches!(word(2), "none" | "no" | "nothing");
            (tokens.get(1).is_some_and(|token| token.is(':')) && !none)
                || matches!(
                    word(1),
                    "for" | "to" | "apply" | "applies" | "hold" | "holds" | "on" | "in" | "when" | "if"
                )
                || (matches!(word(1), "is" | "are")
                    && matches!(word(2), "made" | "granted" | "allowed" | "permitted" | "given"))
        }
        "only" => !clause && lists(&ONLY, word(1)),
        opener => lists(&REST_OPENERS, opener) && !clause,
    }
}

/// Whether a sentence revokes whatever was said before it: "Just kidding, do.", "Or do.", "This sentence is void."
pub(in crate::facts) fn revokes(sentence: &Sentence<'_>) -> bool {
    let words = words(sentence.tokens);
    let has = |list: &[&str]| words.iter().any(|word| lists(list, word));
    let speaks_of_it = has(&[
        "this",
        "that",
        "it",
        "above",
        "previous",
        "preceding",
        "rule",
        "sentence",
        "line",
        "ban",
        "label",
        "list",
        "heading",
        "section",
        "policy",
        "hook",
        "guard",
        "these",
        "those",
        "commands",
    ]);
    let revoked = has(&[
        "void",
        "revoked",
        "retracted",
        "withdrawn",
        "rescinded",
        "lifted",
        "overruled",
        "superseded",
        "invalid",
        "obsolete",
        "outdated",
        "satire",
        "sarcasm",
        "fiction",
        "untrue",
        "nonsense",
        "repealed",
        "suspended",
        "emptied",
        "dropped",
        "unblocked",
        "removed",
        "gone",
        "disabled",
        "leftover",
    ]);
    let dated = words.windows(3).any(|three| three == ["out", "of", "date"]);
    let plain = !has(&["not", "never", "isn't", "don't", "no", "nor"]);
    let dismisses = matches!(
        words.as_slice(),
        [
            "ignore" | "disregard" | "forget" | "scratch" | "strike" | "skip" | "overlook",
            "this" | "that" | "the",
            ..
        ]
    ) && (words.len() <= 2 || speaks_of_it);
    has(&["kidding", "joking"])
        || (plain && has(&["joke"]) && speaks_of_it)
        || (plain && (revoked || dated) && (speaks_of_it || words.len() <= 3) && words.len() <= 10)
        || words == ["not"]
        || turns_round(&words)
        || (plain && has(&["exempt", "exempted"]) && words.len() <= 6)
        || dismisses
        || (speaks_of_it && words.len() <= 14 && has_lapsed(&words))
        || (plain && permits(&words))
        || agrees(&words)
}

/// "Not any more.", "The opposite holds.", "Nothing here is blocked now.", "This is for humans."
fn turns_round(words: &[&str]) -> bool {
    let has = |list: &[&str]| words.iter().any(|word| lists(list, word));
    let pointed = has(&["this", "that", "these", "it", "rule", "above", "line"]);
    let negated =
        words.iter().position(|word| matches!(*word, "not" | "none" | "nothing" | "no" | "doesn't"));
    let short = words.len() <= 8;
    let lapsed = matches!(words, ["not", "any", "more"] | ["not", "anymore"] | ["no", "more"])
        || matches!(words, ["no", "longer", _]);
    let opposite = has(&["opposite"]) && words.len() <= 5;
    let changed = has(&["changed"]) && (pointed || has(&["mind", "minds"])) && short;
    let reopened = short
        && negated.is_some_and(|at| {
            let stops = ["blocked", "forbidden", "prohibited", "banned", "bound"];
            words[at..].iter().any(|word| stops.contains(word))
        });
    // "This rule applies to agents and people" leaves nobody out.
    let all = negated.is_none() && has(&["agents"]) && !has(&["only"]);
    let others = pointed
        && short
        && !all
        && (has(&["humans", "people", "interns", "contractors", "guests"])
            || (negated.is_some() && has(&["apply"]) && has(&["agents", "you", "us"])));
    let wrong = has(&["wrong"]) && has(&["line", "rule", "sentence", "above"]) && short;
    lapsed || opposite || changed || reopened || others || wrong
}

/// "The above no longer applies."
fn has_lapsed(words: &[&str]) -> bool {
    const HOLDS: [&str; 10] =
        ["applies", "apply", "holds", "hold", "stands", "stand", "valid", "counts", "binding", "current"];
    words.windows(3).any(|three| matches!(three, ["no", "longer", holds] if lists(&HOLDS, holds)))
}

/// "These are required on every deploy", "On staging they are fine": what was named is given. Not "These are safe
/// alternatives", which names something else.
fn permits(words: &[&str]) -> bool {
    const LEAVE: [&str; 11] = [
        "required",
        "mandatory",
        "needed",
        "necessary",
        "fine",
        "allowed",
        "permitted",
        "ok",
        "okay",
        "safe",
        "welcome",
    ];
    const GOES_ON: [&str; 17] = [
        "on", "in", "for", "at", "when", "if", "every", "each", "before", "after", "now", "again", "there",
        "here", "to", "during", "with",
    ];
    (0..words.len()).any(|at| {
        let follows = words.get(at + 3).is_none_or(|next| lists(&GOES_ON, next));
        matches!(words[at..], ["these" | "they" | "those", "are", leave, ..] if lists(&LEAVE, leave) && follows)
            || matches!(words[at..], ["go", "ahead", "with", "all" | "any" | "both" | "them" | "these", ..])
    })
}

/// Whether a short sentence gives leave and names nothing: "Or do.", "You may."
fn agrees(words: &[&str]) -> bool {
    const BEFORE: [&str; 20] = [
        "or", "and", "just", "please", "then", "so", "now", "ok", "okay", "yes", "actually", "always", "but",
        "well", "rather", "you", "we", "agents", "really", "sure",
    ];
    let (last, before) = match words {
        [before @ .., "go", "ahead"] => ("do", before),
        [before @ .., "feel", "free"] => ("do", before),
        [before @ .., last] => (*last, before),
        [] => return false,
    };
    // "Codex must.", "Others may."
    let others = matches!(words, [who, "must" | "may" | "should" | "can"]
        if !lists(&["nobody", "none", "neither", "nothing", "no-one", "one", "it", "that", "this"], who));
    if others {
        return true;
    }
    let fits = before.len() <= 4 && before.iter().all(|word| lists(&BEFORE, word));
    let leave = matches!(last, "may" | "can" | "should" | "must")
        && before.iter().any(|word| matches!(*word, "you" | "we" | "agents"));
    // "In staging you must."
    if matches!(words, [_, .., "you" | "we" | "agents", "must" | "may" | "should"]) && words.len() <= 12 {
        return true;
    }
    fits && (matches!(last, "do" | "proceed") || leave)
}

/// Whether a sentence tells to run what was named before it: "Run them after each build."
pub(in crate::facts) fn runs_what_was_named(sentence: &Sentence<'_>) -> bool {
    let tokens = sentence.tokens;
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    // "Run these checks" names something else; "Do this:" introduces it.
    let back = |at: usize| match word(at + 1) {
        "it" | "them" | "both" | "anyway" => !tokens.get(at + 2).is_some_and(|token| token.is(':')),
        // "Run the block above", "Run all of the commands listed above"
        "the" | "all" | "each" | "every" => {
            let named = |token: &Token| {
                token.is_in(&[
                    "block", "blocks", "fence", "snippet", "list", "command", "commands", "line", "lines",
                    "steps",
                ])
            };
            let mut noun = tokens[at + 1..].iter().take(5);
            noun.any(named) && noun.any(|token| token.is_in(&["above", "previous"]))
                || matches!(
                    (word(at + 2), word(at + 3)),
                    ("above" | "aforementioned", _) | ("previous", "block" | "list" | "commands" | "command")
                )
        }
        "this" | "these" | "those" | "that" => {
            matches!(word(at + 2), "command" | "commands" | "anyway" | "now")
                || tokens.get(at + 2).is_none_or(|next| {
                    next.is('.')
                        || next.is('!')
                        || next.is(',')
                        || next.is_in(&LIMITS)
                        || next.is_in(&CONDITIONS)
                })
        }
        _ => false,
    };
    let instead = tokens.iter().any(|token| token.is_in(&["instead"]));
    !instead
        && !declines(tokens)
        && (0..tokens.len()).any(|at| {
            is_order(&tokens[at])
                && back(at)
                && !tokens[..at].iter().any(|t| t.is_in(&["not", "never", "don't", "avoid", "nobody", "no"]))
                && !tokens[at.saturating_sub(2)..at].iter().any(|t| t.is_in(&["before", "if", "when", "who"]))
        })
}

/// Words behind "refuse" by which it stays refused.
pub(super) const EXPLAINS: [&str; 18] = [
    "and", "explain", "explains", "why", "report", "tell", "the", "user", "it", "them", "stop", "politely",
    "say", "so", "this", "that", "request", "requests",
];

/// Whether a sentence says what to do when somebody asks for what was forbidden: to refuse it.
pub(in crate::facts) fn declines(tokens: &[Token]) -> bool {
    let Some(at) = tokens.iter().position(|token| token.is_in(&["refuse", "decline"])) else { return false };
    let opens = tokens[0].is_in(&["if", "when", "whenever", "should"]);
    let negated =
        tokens[..at].iter().any(|token| token.is_in(&["not", "never", "don't", "unless", "except"]));
    let explains =
        |token: &Token| token.is_in(&EXPLAINS) || matches!(token.kind, Kind::Mark(',' | '.' | '!'));
    opens && !negated && tokens[at + 1..].iter().all(explains)
}

/// Whether the words before a verb forbid it: "never run it", "nobody may run it".
fn negated(before: &[Token]) -> bool {
    let nobody = before.iter().rev().take(4).any(|token| token.is_in(&["nobody", "no-one", "none"]));
    nobody || before.last().is_some_and(|token| token.is_in(&["not", "never", "don't"]))
}
