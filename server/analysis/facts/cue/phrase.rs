//! Short forms: headings, labels and comments that are one of a list from end to end.

use super::Turn;
use crate::facts::ban::sentence::{CONDITIONS, EXCEPTIONS, Kind, LIMITS, Token, is_plain, tokens};

/// A pictograph before a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A cross, a no-entry sign.
    Bad,
    /// A check mark.
    Good,
}

const BAD_MARKS: [char; 9] = [
    '\u{274c}',
    '\u{1f6ab}',
    '\u{26d4}',
    '\u{1f6d1}',
    '\u{2717}',
    '\u{2718}',
    '\u{2716}',
    '\u{2715}',
    '\u{1f44e}',
];
const GOOD_MARKS: [char; 6] = ['\u{2705}', '\u{2713}', '\u{2714}', '\u{2611}', '\u{1f44d}', '\u{1f7e2}'];

/// The turn of a pictograph.
pub(super) fn mark_of(c: char) -> Option<Mark> {
    if BAD_MARKS.contains(&c) { Some(Mark::Bad) } else { GOOD_MARKS.contains(&c).then_some(Mark::Good) }
}

/// The mark with which a text begins, and the piece after it.
pub(super) fn leading_mark(tokens: &[Token]) -> (Option<Mark>, usize) {
    match tokens.first().map(|token| &token.kind) {
        Some(Kind::Mark(c)) if mark_of(*c).is_some() => {
            let rest = tokens[1..].iter().take_while(|t| t.is('\u{fe0f}')).count();
            (mark_of(*c), 1 + rest)
        }
        _ => (None, 0),
    }
}

/// What is done to a command that is stopped, as a participle.
pub(super) const STOPPED: [&str; 13] = [
    "blocked",
    "forbidden",
    "prohibited",
    "denied",
    "rejected",
    "banned",
    "disallowed",
    "refused",
    "prevented",
    "intercepted",
    "flagged",
    "caught",
    "detected",
];
/// What makes an example a bad one.
const BAD_ADJECTIVES: [&str; 6] = ["bad", "wrong", "incorrect", "unacceptable", "invalid", "poor"];
/// What such a word may be said of.
const NOUNS: [&str; 44] = [
    "command",
    "commands",
    "operation",
    "operations",
    "action",
    "actions",
    "pattern",
    "patterns",
    "example",
    "examples",
    "flag",
    "flags",
    "option",
    "options",
    "usage",
    "usages",
    "use",
    "uses",
    "practice",
    "practices",
    "approach",
    "approaches",
    "way",
    "ways",
    "thing",
    "things",
    "call",
    "calls",
    "code",
    "behavior",
    "behaviors",
    "behaviour",
    "behaviours",
    "invocation",
    "invocations",
    "tool",
    "tools",
    "habit",
    "habits",
    "instructions",
    "arguments",
    "list",
    "answer",
    "scripts",
];
/// What may stand before the noun.
const MODIFIERS: [&str; 34] = [
    "git",
    "shell",
    "bash",
    "command",
    "code",
    "docker",
    "kubernetes",
    "kubectl",
    "tool",
    "common",
    "usage",
    "security",
    "sql",
    "database",
    "cli",
    "terminal",
    "hook",
    "test",
    "testing",
    "dangerous",
    "destructive",
    "unsafe",
    "risky",
    "harmful",
    "irreversible",
    "powershell",
    "terraform",
    "cloud",
    "aws",
    "system",
    "file",
    "these",
    "all",
    "always",
];
/// The same, third person.
pub(super) const STOPS: [&str; 14] = [
    "blocks",
    "denies",
    "rejects",
    "refuses",
    "intercepts",
    "forbids",
    "bans",
    "prevents",
    "flags",
    "detects",
    "catches",
    "prohibits",
    "disallows",
    "stops",
];
/// Whole forms.
const BAD: [&str; 56] = [
    "anti-pattern",
    "anti-patterns",
    "antipattern",
    "antipatterns",
    "never",
    "never ever",
    "never do",
    "never do this",
    "never do these",
    "never do that",
    "never do any of these",
    "never do the following",
    "don't",
    "don'ts",
    "dont",
    "donts",
    "the don'ts",
    "do not",
    "don't do this",
    "do not do this",
    "don't do that",
    "do not do that",
    "don't do these",
    "do not do these",
    "don't do the following",
    "do not do the following",
    "not this",
    "not like this",
    "instead of",
    "instead of this",
    "rather than",
    "rather than this",
    "avoid",
    "avoid this",
    "avoid these",
    "avoid doing this",
    "avoid the following",
    "bad",
    "wrong",
    "incorrect",
    "mistake",
    "mistakes",
    "common mistakes",
    "common errors to avoid",
    "red flags",
    "red flag",
    "what not to do",
    "what not to run",
    "what not to use",
    "what to avoid",
    "how not to do it",
    "how not to do this",
    "no-go",
    "no-gos",
    "never run",
    "do not run",
];
/// Words of which a heading or label with one is meant to be done. Wide: it only ever ends a bad one.
const GOOD: [&str; 40] = [
    "instead",
    "good",
    "right",
    "correct",
    "correctly",
    "allowed",
    "permitted",
    "safe",
    "safer",
    "recommended",
    "preferred",
    "better",
    "best",
    "do",
    "dos",
    "do's",
    "fix",
    "fixes",
    "fixed",
    "solution",
    "solutions",
    "recovery",
    "recover",
    "recovering",
    "resolution",
    "remedy",
    "remediation",
    "mitigation",
    "alternative",
    "alternatives",
    "approved",
    "acceptable",
    "works",
    "workaround",
    "procedure",
    "steps",
    "proper",
    "properly",
    "use",
    "yes",
];

/// A heading, label or comment, ready to be compared.
pub(super) struct Phrase {
    pub(super) mark: Option<Mark>,
    pub(super) words: Vec<String>,
    /// It is made of words only, and of nothing that could be something else.
    whole: bool,
}

impl Phrase {
    /// Reads a text without its trailing `:`, `.` and `!`.
    pub(super) fn read(text: &str) -> Phrase {
        let tokens = tokens(text, &[]);
        let (mark, after) = leading_mark(&tokens);
        let mut rest = &tokens[after..];
        while let [inner @ .., last] = rest {
            if !(last.is(':') || last.is('.') || last.is('!') || last.is_quote()) {
                break;
            }
            rest = inner;
        }
        while let [first, inner @ ..] = rest {
            if !first.is_quote() {
                break;
            }
            rest = inner;
        }
        let words: Vec<String> =
            rest.iter().map(|token| token.word().to_owned()).filter(|w| !w.is_empty()).collect();
        Phrase { mark, whole: words.len() == rest.len() && is_plain(text), words }
    }

    /// Whether it is one of the bad forms.
    pub(super) fn is_bad(&self) -> bool {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        self.whole && !words.is_empty() && is_bad(&words)
    }

    /// Whether it has a good word.
    pub(super) fn is_good(&self) -> bool {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        is_good(&words)
    }
}

/// Whether they have a good word, and none that negates.
fn is_good(words: &[&str]) -> bool {
    let negates = ["never", "not", "don't", "no", "avoid"];
    words.iter().any(|word| GOOD.contains(word)) && !words.iter().any(|word| negates.contains(word))
}

fn is_bad(words: &[&str]) -> bool {
    let in_ = |word: &str, list: &[&str]| list.contains(&word);
    let joined = words.join(" ");
    if BAD.contains(&joined.as_str()) {
        return true;
    }
    match words {
        // "blocked commands", "bad git examples"
        [a, rest @ ..] if in_(a, &STOPPED) || in_(a, &BAD_ADJECTIVES) => {
            rest.is_empty() || is_noun_phrase(rest)
        }
        // "what gets blocked", "what is blocked", "what the hook blocks"
        ["what", "gets" | "is" | "get" | "are" | "was", a] | ["what's", a] => in_(a, &STOPPED),
        ["what", rest @ .., verb] if rest.len() <= 3 => in_(verb, &STOPS) || *verb == "block",
        // "never run these commands", "do not use"
        ["you" | "we" | "agents", "must" | "should", rest @ ..] | ["please", rest @ ..] => {
            is_order_against(rest)
        }
        _ => is_order_against(words) || is_noun_stopped(words),
    }
}

/// "git commands to avoid", "operations to block", "commands blocked", "things to never do".
fn is_noun_stopped(words: &[&str]) -> bool {
    let split = words.iter().position(|word| matches!(*word, "to" | "that") || STOPPED.contains(word));
    let Some(split) = split.filter(|at| *at > 0) else { return false };
    if !is_noun_phrase(&words[..split]) {
        return false;
    }
    match &words[split..] {
        [a] => STOPPED.contains(a),
        [
            "to",
            "avoid" | "block" | "deny" | "reject" | "refuse" | "intercept" | "forbid" | "ban" | "prevent"
            | "flag",
        ] => true,
        ["to", "never", verb] | ["never", "to", verb] | ["not", "to", verb] => is_use(verb),
        ["that", "are" | "get" | "is", a] | ["that", "will" | "must" | "should", "be", a] => {
            STOPPED.contains(a)
        }
        ["that", "are", "always" | "never", a] => STOPPED.contains(a) || *a == "allowed",
        ["that", "are", "not", "allowed" | "permitted"] => true,
        _ => false,
    }
}

fn is_use(verb: &str) -> bool {
    matches!(verb, "run" | "execute" | "use" | "follow" | "do" | "type" | "invoke" | "call" | "issue")
}

/// "never run these commands", "do not use any of the following", "avoid commands like these".
fn is_order_against(words: &[&str]) -> bool {
    let (rest, ing) = match words {
        ["never", rest @ ..] | ["do" | "must", "not", rest @ ..] | ["don't", rest @ ..] => (rest, false),
        ["avoid", rest @ ..] => (rest, true),
        _ => return false,
    };
    let rest = match rest {
        [verb, rest @ ..] if !ing && is_use(verb) => rest,
        ["running" | "using" | "executing" | "doing" | "calling", rest @ ..] if ing => rest,
        rest if ing => rest,
        _ => return false,
    };
    let rest = match rest {
        ["any", "of", rest @ ..] | rest => rest,
    };
    match rest {
        [] => true,
        ["these" | "this" | "those" | "that"] | ["the", "following"] => true,
        ["these" | "this" | "those", rest @ ..] | ["the", "following", rest @ ..] => is_noun_phrase(rest),
        [rest @ .., "like" | "such", "these" | "this" | "those"] => is_noun_phrase(rest),
        _ => false,
    }
}

/// A noun with at most two modifiers.
fn is_noun_phrase(words: &[&str]) -> bool {
    let Some((noun, rest)) = words.split_last() else { return false };
    let rest = match rest {
        ["the", rest @ ..] | rest => rest,
    };
    NOUNS.contains(noun)
        && rest.len() <= 2
        && rest.iter().all(|word| MODIFIERS.contains(word) || NOUNS.contains(word))
}

/// A label at piece `at` (`Bad:`, `Don't do this:`), its turn, and the piece after its colon.
pub(super) fn label(tokens: &[Token], at: usize) -> (Option<Turn>, usize) {
    let rest = &tokens[at.min(tokens.len())..];
    let Some(len) = rest.iter().take(8).position(|token| !matches!(token.kind, Kind::Word(_))) else {
        return (None, at);
    };
    let colon = rest[len].is(':');
    let dash = rest[len].is_dash() && !rest[len].is('-');
    if len == 0 || !(colon || dash) {
        return (None, at);
    }
    let words: Vec<&str> = rest[..len].iter().map(Token::word).collect();
    let turn = if is_bad(&words) { Some(Turn::Bad) } else { is_good(&words).then_some(Turn::Good) };
    (turn, if turn.is_some() { at + len + 1 } else { at })
}

/// Whether the text is an order not to do something: "Never …", "Don't …".
pub(super) fn is_negated_order(tokens: &[Token]) -> bool {
    negation(tokens) > 0
}

fn negation(tokens: &[Token]) -> usize {
    let word = |i: usize| tokens.get(i).map_or("", Token::word);
    match (word(0), word(1)) {
        ("do" | "must", "not") => 2,
        ("never" | "don't" | "avoid", _) => 1,
        _ => 0,
    }
}

/// Verbs with which somebody is told to do what a text names. Base forms.
pub(super) const ORDERS: [&str; 30] = [
    "run", "execute", "use", "invoke", "type", "paste", "enter", "issue", "perform", "proceed", "launch",
    "try", "apply", "follow", "call", "do", "go", "start", "ensure", "make", "repeat", "continue", "submit",
    "trigger", "copy", "confirm", "please", "must", "should", "need",
];
const SECOND: [&str; 16] = [
    "you",
    "your",
    "yours",
    "yourself",
    "you're",
    "you'll",
    "you'd",
    "you've",
    "we",
    "us",
    "our",
    "let's",
    "let",
    "needed",
    "required",
    "necessary",
];

/// Whether a word addresses a reader or orders.
pub(super) fn addresses(token: &Token) -> bool {
    token.is_in(&ORDERS) || token.is_in(&SECOND)
}

/// Whether the pieces after a bad opener give something to do, or bound what it says.
pub(super) fn gives(tokens: &[Token]) -> bool {
    let mut at = 0;
    while at < tokens.len() {
        // "Don't run `x`": the order is the negation's
        let skipped = negation(&tokens[at..]);
        if skipped > 0 {
            at += skipped + 1;
            continue;
        }
        let token = &tokens[at];
        let good = matches!(token.kind, Kind::Mark(c) if mark_of(c) == Some(Mark::Good));
        if good
            || token.is('?')
            || addresses(token)
            || bounds(token)
            || token.is_in(&LIMITS)
            || token.is_in(&["instead", "not", "no", "good", "correct", "right", "nothing"])
        {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether a word opens an exception or a condition.
pub(super) fn bounds(token: &Token) -> bool {
    token.is_in(&EXCEPTIONS) || token.is_in(&CONDITIONS)
}
