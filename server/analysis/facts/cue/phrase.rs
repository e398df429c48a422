//! Short forms: headings, labels and comments that are one of a list from end to end.

use super::Turn;
use super::words::{
    AGENTS, BAD, BAD_ADJECTIVES, BAD_MARKS, GOOD, GOOD_MARKS, MODIFIERS, NEGATES, NEUTRAL_MARKS, NOUNS,
    ORDERS, SECOND, STOP, STOPPED, STOPPED_ALONE, STOPS,
};
use crate::facts::ban::sentence::{
    CONDITIONS, EXCEPTIONS, Kind, LIMITS, Token, is_plain, lists, tokens, words,
};

/// The turn of a pictograph.
pub(super) fn mark_of(c: char) -> Option<Turn> {
    if BAD_MARKS.contains(&c) { Some(Turn::Bad) } else { GOOD_MARKS.contains(&c).then_some(Turn::Good) }
}

/// The turn of a pictograph at piece `at`, and the piece after it.
pub(super) fn leading_mark(tokens: &[Token], at: usize) -> (Option<Turn>, usize) {
    match tokens.get(at).map(|token| &token.kind) {
        Some(Kind::Mark(c)) if mark_of(*c).is_some() => {
            let rest = tokens[at + 1..].iter().take_while(|token| token.is('\u{fe0f}')).count();
            (mark_of(*c), at + 1 + rest)
        }
        _ => (None, at),
    }
}

/// The turn of a text that is one of the forms from end to end: a pictograph, a form, or a form with an explanation
/// after a colon, after a dash or in parentheses.
pub(super) fn turn(text: &str) -> Option<Turn> {
    let tokens = tokens(text, &[]);
    let tokens = without_end(&tokens);
    let number = after_number(tokens);
    let stressed = tokens[number..].iter().take_while(|token| is_mark(token, NEUTRAL_MARKS)).count();
    let (mark, at) = leading_mark(tokens, number + stressed);
    if mark == Some(Turn::Good) {
        return mark;
    }
    let rest = &tokens[at..];
    if rest.is_empty() {
        return mark;
    }
    let Some(form) = Form::read(rest) else {
        if mark != Some(Turn::Good) && is_plain(text) && is_named_bad(rest) {
            return Some(Turn::Bad);
        }
        return (mark.is_none() && is_good(&words(rest))).then_some(Turn::Good);
    };
    match form.turn {
        Turn::Bad if !is_plain(text) || gives(&rest[form.end..], true) => None,
        Turn::Good if mark.is_some() => None,
        turn => Some(turn),
    }
}

fn is_mark(token: &Token, marks: &[char]) -> bool {
    matches!(token.kind, Kind::Mark(mark) if marks.contains(&mark))
}

/// The pieces of a heading without its number and the marks around it.
pub(super) fn bare<'a>(tokens: &'a [Token<'a>]) -> &'a [Token<'a>] {
    let tokens = without_end(tokens);
    let tokens = &tokens[after_number(tokens)..];
    let marks =
        tokens.iter().take_while(|token| is_mark(token, NEUTRAL_MARKS) || is_mark(token, BAD_MARKS)).count();
    &tokens[marks..]
}

/// The pieces without the marks that may end a heading or a label.
fn without_end<'a>(mut tokens: &'a [Token<'a>]) -> &'a [Token<'a>] {
    while let [inner @ .., last] = tokens {
        let sign = !inner.is_empty() && (is_mark(last, NEUTRAL_MARKS) || is_mark(last, BAD_MARKS));
        // Where it is all there is, the mark is the heading.
        let sign = sign && inner.iter().any(|token| !token.word().is_empty());
        if !(last.is(':') || last.is('.') || last.is('!') || last.is_quote() || sign) {
            break;
        }
        tokens = inner;
    }
    while let [first, inner @ ..] = tokens {
        if !first.is_quote() {
            break;
        }
        tokens = inner;
    }
    tokens
}

/// The piece after the number of a heading ("3.2", "4."), 0 without one.
fn after_number(tokens: &[Token]) -> usize {
    let number = |token: &Token| {
        let word = token.word();
        !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    };
    match tokens {
        [first, mark, _, ..] if number(first) && (mark.is('.') || mark.is(')') || mark.is(':')) => 2,
        // "403 Forbidden" has a status, no number.
        [first, _, ..] if number(first) && (first.word().len() < 3 || first.word().contains('.')) => 1,
        _ => 0,
    }
}

/// A form at the start of some pieces.
pub(super) struct Form {
    pub(super) turn: Turn,
    /// The piece after it and after the colon or dash that ends it.
    pub(super) end: usize,
    /// It ends in a colon or a dash.
    pub(super) label: bool,
    /// It is a participle alone ("Blocked").
    pub(super) alone: bool,
}

impl Form {
    /// Reads the form with which the pieces begin. The pieces' end, a colon, a dash or a parenthesis must end it.
    pub(super) fn read(tokens: &[Token]) -> Option<Form> {
        let len =
            tokens.iter().position(|token| !matches!(token.kind, Kind::Word(_))).unwrap_or(tokens.len());
        if len == 0 || len > 8 {
            return None;
        }
        let label = tokens.get(len).is_some_and(|token| token.is(':') || is_dash(token, tokens.get(len + 1)));
        if !label && tokens.get(len).is_some_and(|token| !token.is('(')) {
            return None;
        }
        let mut words = words(&tokens[..len]);
        // "Anti-pattern 3: …"
        if words.len() > 1 && words.last().is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit())) {
            words.pop();
        }
        let turn = if is_bad(&words) {
            Turn::Bad
        } else if is_good(&words) {
            Turn::Good
        } else {
            return None;
        };
        let alone = matches!(words.as_slice(), [word] if lists(STOPPED, word));
        Some(Form { turn, end: len + usize::from(label), label, alone })
    }
}

/// A dash between clauses, and no option's hyphen.
fn is_dash(token: &Token, next: Option<&Token>) -> bool {
    token.is_dash() && next.is_none_or(|next| next.range.start > token.range.end)
}

/// Whether they have a good word, and none that negates.
pub(super) fn is_good(words: &[&str]) -> bool {
    words.iter().any(|word| lists(GOOD, word)) && !words.iter().any(|word| lists(NEGATES, word))
}

/// Whether they are one of the bad forms.
pub(super) fn is_bad(words: &[&str]) -> bool {
    if BAD.contains(&words.join(" ").as_str()) {
        return true;
    }
    match words {
        [a] => lists(STOPPED_ALONE, a),
        // "blocked commands", "bad git examples"
        [a, rest @ ..] if lists(STOPPED, a) || lists(BAD_ADJECTIVES, a) => is_noun_phrase(rest),
        // "what gets blocked", "what the hook blocks"
        ["what", "gets" | "is" | "get" | "are" | "was", a] | ["what's", a] => lists(STOPPED, a),
        ["what", rest @ .., verb] if rest.len() <= 3 && lists(STOPS, verb) => is_subject(rest),
        ["what", "we", verb] => lists(STOP, verb),
        ["what", "is", "not" | "never", "allowed" | "permitted"] => true,
        ["what", rest @ ..] if is_kept_from(rest) => true,
        ["you" | "we" | "agents", "must" | "should", rest @ ..] | ["please", rest @ ..] => {
            is_order_against(rest)
        }
        _ => is_order_against(words) || is_noun_stopped(words),
    }
}

/// "agents must not do", "you may never run", "the agent is not allowed to do".
fn is_kept_from(words: &[&str]) -> bool {
    const READERS: [&str; 12] = [
        "you",
        "we",
        "agents",
        "agent",
        "the",
        "claude",
        "assistant",
        "assistants",
        "ai",
        "developers",
        "an",
        "coding",
    ];
    let told = words.iter().take_while(|word| READERS.contains(word)).count();
    let verb = match &words[told..] {
        ["must" | "may" | "should" | "can" | "will" | "shall", "not" | "never", verb] => verb,
        ["cannot" | "can't" | "mustn't" | "shouldn't" | "won't" | "never", verb] => verb,
        ["is" | "are", "not" | "never", "allowed" | "permitted", "to", verb] => verb,
        _ => return false,
    };
    told > 0 && told <= 3 && (is_use(verb) || matches!(*verb, "touch" | "change"))
}

/// "Dangerous commands (never run)", "Destructive operations - do not use": a noun, and a bad form behind a dash or in
/// parentheses.
fn is_named_bad(tokens: &[Token]) -> bool {
    let is_word = |token: &Token| matches!(token.kind, Kind::Word(_));
    let len = tokens.iter().position(|token| !is_word(token)).unwrap_or(tokens.len());
    let (name, aside) = tokens.split_at(len);
    let aside = match aside {
        [open, inner @ .., close] if open.is('(') && close.is(')') => inner,
        [dash, inner @ ..] if is_dash(dash, inner.first()) || dash.is(':') => inner,
        _ => return false,
    };
    let topic = |word: &&str| MODIFIERS.contains(word) || matches!(*word, "hard" | "rules" | "rule" | "stop");
    let named = words(name);
    let named = is_noun_phrase(&named) || (!named.is_empty() && named.len() <= 2 && named.iter().all(topic));
    named && aside.len() <= 8 && aside.iter().all(is_word) && is_bad(&words(aside))
}

/// "git commands to avoid", "operations to block", "commands blocked", "things to never do".
fn is_noun_stopped(words: &[&str]) -> bool {
    if let Some(noun) = words.iter().position(|word| lists(NOUNS, word))
        && is_noun_phrase(&words[..=noun])
    {
        match &words[noun + 1..] {
            ["that", rest @ ..] | rest if is_kept_from(rest) => return true,
            ["we", verb] => return lists(STOP, verb),
            [rest @ .., verb] if !rest.is_empty() && rest.len() <= 3 && lists(STOPS, verb) => {
                return is_subject(rest);
            }
            _ => {}
        }
    }
    let split = words.iter().position(|word| matches!(*word, "to" | "that" | "not") || lists(STOPPED, word));
    let Some(split) = split.filter(|at| *at > 0) else { return false };
    if !is_noun_phrase(&words[..split]) {
        return false;
    }
    match &words[split..] {
        [a] => lists(STOPPED, a),
        ["to", verb] => lists(STOP, verb) || *verb == "avoid",
        ["to", "never", verb] | ["not", "to", verb] => is_use(verb),
        ["that", "are" | "get" | "is", a] | ["that", "will" | "must" | "should", "be", a] => {
            lists(STOPPED, a)
        }
        ["that", "are", "always", a] => lists(STOPPED, a),
        ["that", "are", "never" | "not", "allowed" | "permitted"] => true,
        _ => false,
    }
}

fn is_use(verb: &str) -> bool {
    matches!(verb, "run" | "execute" | "use" | "follow" | "do" | "type" | "invoke" | "call" | "issue")
}

/// "never run these commands", "do not use any of the following", "avoid commands like these".
pub(super) fn is_order_against(words: &[&str]) -> bool {
    let rest = match words {
        ["never", rest @ ..] | ["do" | "must", "not", rest @ ..] | ["don't", rest @ ..] => match rest {
            [verb, rest @ ..] if is_use(verb) => rest,
            _ => return false,
        },
        ["avoid", "running" | "using" | "executing" | "doing" | "calling", rest @ ..]
        | ["avoid", rest @ ..] => rest,
        _ => return false,
    };
    is_determined(rest)
}

/// "run these commands", "use any of the following", and nothing more.
pub(super) fn is_what_follows(words: &[&str]) -> bool {
    match words {
        [verb, rest @ ..] if is_use(verb) => {
            let rest = match rest {
                [rest @ .., "for", "any", "reason"] | rest => rest,
            };
            is_determined(rest)
        }
        _ => false,
    }
}

/// "these commands", "any of the following", "commands like these", or nothing.
fn is_determined(words: &[&str]) -> bool {
    let rest = match words {
        ["any", "of", rest @ ..] | rest => rest,
    };
    match rest {
        [] | ["these" | "this" | "those" | "that"] | ["the", "following"] => true,
        ["these" | "this" | "those", rest @ ..] | ["the", "following", rest @ ..] => is_noun_phrase(rest),
        [rest @ .., "like" | "as", "these" | "this" | "those"] => {
            is_noun_phrase(rest.strip_suffix(&["such"]).unwrap_or(rest))
        }
        _ => false,
    }
}

/// Whether the words name what stops commands: "it", "this hook", "the commit rule", "Safety Net".
pub(super) fn is_subject(words: &[&str]) -> bool {
    match words {
        ["it" | "this"] => true,
        ["this" | "that" | "the" | "a" | "an" | "each" | "every" | "one", rest @ .., agent] => {
            rest.len() <= 3 && lists(AGENTS, agent)
        }
        [rest @ .., agent] => rest.len() <= 1 && lists(AGENTS, agent),
        [] => false,
    }
}

/// A noun with at most two modifiers.
pub(super) fn is_noun_phrase(words: &[&str]) -> bool {
    let Some((noun, rest)) = words.split_last() else { return false };
    let rest = match rest {
        ["the", rest @ ..] | rest => rest,
    };
    lists(NOUNS, noun)
        && rest.len() <= 2
        && rest.iter().all(|word| lists(MODIFIERS, word) || lists(NOUNS, word))
}

/// How many pieces are an order not to do something: "Never run", "Don't push", "Avoid using"; 0 if none are. An order
/// not to skip or forget something is one to do it.
pub(super) fn negated_order(tokens: &[Token]) -> usize {
    let word = |i: usize| tokens.get(i).map_or("", Token::word);
    let head = match (word(0), word(1)) {
        ("do" | "must", "not") => 2,
        ("never" | "don't" | "avoid", _) => 1,
        _ => return 0,
    };
    let verb = word(head);
    let does = is_use(verb)
        || matches!(verb, "commit" | "push" | "force-push" | "delete" | "drop" | "rewrite")
        || matches!(verb, "running" | "using" | "executing" | "calling" | "committing" | "pushing");
    if does { head + 1 } else { usize::from(tokens.get(head).is_some_and(Token::is_code)) * head }
}

/// Whether a word addresses a reader or orders.
pub(super) fn addresses(token: &Token) -> bool {
    token.is_in(ORDERS) || token.is_in(SECOND)
}

/// Whether a word opens an exception or a condition.
pub(super) fn bounds(token: &Token) -> bool {
    token.is_in(&EXCEPTIONS) || token.is_in(&CONDITIONS)
}

/// Whether a sentence is an order to do what stands below it: whatever a heading further up says, that is given.
pub(super) fn orders(tokens: &[Token]) -> bool {
    const BEFORE: [&str; 12] = [
        "please", "now", "then", "first", "next", "finally", "always", "simply", "just", "instead", "so",
        "and",
    ];
    let before = tokens.iter().take_while(|token| token.is_in(&BEFORE) || token.is(',')).count();
    let [verb, rest @ ..] = &tokens[before..] else { return false };
    let ordered = verb.is_in(ORDERS) && !rest.first().is_some_and(|next| next.is_in(&["of", "by"]));
    ordered && !rest.iter().any(|token| token.is_in(STOPPED) || token.is_in(NEGATES))
}

/// Words by which what was said holds no more.
const LAPSED: [&str; 10] = [
    "lifted",
    "revoked",
    "withdrawn",
    "superseded",
    "rescinded",
    "formerly",
    "mandatory",
    "anymore",
    "obsolete",
    "outdated",
];

/// Whether the pieces after a bad form give something to do, or bound what it says. Where they explain, a word such as
/// "in" bounds only at their start and behind a command.
pub(super) fn gives(tokens: &[Token], explains: bool) -> bool {
    let mut at = 0;
    while at < tokens.len() {
        let skipped = negated_order(&tokens[at..]);
        if skipped > 0 {
            at += skipped;
            continue;
        }
        let token = &tokens[at];
        // "no exceptions"
        if token.is_in(&["no"])
            && tokens.get(at + 1).is_some_and(|next| next.is_in(&["exceptions", "exception"]))
        {
            at += 2;
            continue;
        }
        let after = at.checked_sub(1).map(|before| &tokens[before]);
        let opens = after.is_none_or(|before| before.is_code() || before.is(',') || before.is('('));
        let good = matches!(token.kind, Kind::Mark(c) if mark_of(c) == Some(Turn::Good));
        // "`a` → `b`": the one is to be put in the other's place
        let arrow = matches!(token.kind, Kind::Mark('\u{2190}'..='\u{21ff}' | '\u{279c}' | '\u{27a1}' | '>'));
        if good
            || arrow
            || token.is('?')
            || addresses(token)
            || bounds(token)
            || (token.is_in(&LIMITS) && (opens || !explains))
            || (token.is_in(NEGATES) && opens)
            || token.is_in(&["instead", "good", "correct", "right", "nothing", "none", "nonsense", "kidding"])
            || token.is_in(&LAPSED)
            || (token.is_in(&["more", "longer"]) && after.is_some_and(|before| before.is_in(&["no"])))
        {
            return true;
        }
        at += 1;
    }
    false
}
