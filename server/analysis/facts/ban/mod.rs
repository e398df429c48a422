//! Sentences that forbid the command inside them ("Never run `rm -rf build`.").
//!
//! What such a sentence forbids is exempt, so the grammar is closed and is read as a whole: a head, at most one verb, the
//! commands, and after them nothing but the sentence's end or a reason. Whatever is not in it leaves the command
//! reported. The words that cancel are therefore kept wider than the words that forbid.

mod after_all;
mod back;
mod elsewhere;
mod near;
pub(in crate::facts) mod sentence;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub(in crate::facts) use after_all::{approves, leaves_it, names_above, orders_it, runs_above, runs_it};
pub(in crate::facts) use back::{REST_OPENERS, is_rest, revokes, runs_what_was_named, takes_back};
pub(in crate::facts) use elsewhere::{may_run_elsewhere, runs_elsewhere};
pub(in crate::facts) use near::HEDGES;
pub use near::{Miss, Nearly, nearly};
use sentence::{CONDITIONS, EXCEPTIONS, Kind, LIMITS, Sentence, Token, is_plain, lists, sentences, tokens};

/// A sentence that forbids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ban {
    /// Bytes of the unit, from the head's first word to the end of the last command that it forbids, without that
    /// command's backticks.
    pub range: Range<usize>,
    /// Which of the hits it forbids: indexes into the list that was given, in order; at least one.
    pub hits: Vec<usize>,
}

/// Verbs between head and command.
const VERBS: [&str; 8] = ["run", "execute", "use", "follow", "call", "type", "invoke", "issue"];
/// The same after `avoid`.
const VERBS_ING: [&str; 8] =
    ["running", "executing", "using", "following", "calling", "typing", "invoking", "issuing"];

/// What may stand before the head, with a colon after it.
const LEADS: [&str; 15] = [
    "important",
    "note",
    "warning",
    "caution",
    "danger",
    "critical",
    "attention",
    "remember",
    "reminder",
    "security",
    "safety",
    "rule",
    "rules",
    "notice",
    "nb",
];

/// Marks that may stand before the head. None that approves.
const SIGNS: [char; 14] = [
    '\u{26a0}',
    '\u{274c}',
    '\u{1f6ab}',
    '\u{26d4}',
    '\u{1f6d1}',
    '\u{2757}',
    '\u{203c}',
    '\u{2755}',
    '\u{1f534}',
    '\u{2717}',
    '\u{2718}',
    '\u{2716}',
    '\u{1f6a8}',
    '\u{fe0f}',
];

/// Who is told.
const SUBJECTS: [&[&str]; 6] =
    [&["you"], &["we"], &["agents"], &["the", "agent"], &["the", "agents"], &["agent"]];

/// The sentences of `unit` that forbid a command inside them.
///
/// `unit` is the text of a paragraph, list entry, heading or table row, its lines joined by `\n`. `hits` are the byte
/// ranges of the dangerous commands in it, by start; one may be a part of a code span (without the backticks) or stand
/// in the text without being code.
#[must_use]
pub fn bans(unit: &str, hits: &[Range<usize>]) -> Vec<Ban> {
    if hits.is_empty() {
        return Vec::new();
    }
    let tokens = tokens(unit, hits);
    if is_struck(unit) {
        return Vec::new();
    }
    let sentences = sentences(unit, &tokens);
    let mut bans = Vec::new();
    let revoked = sentences.iter().rposition(revokes);
    let quoted = quoted(&sentences);
    for (index, sentence) in sentences.iter().enumerate() {
        let Some((head, commands)) = forbids(unit, sentence) else { continue };
        if quoted[index]
            || revoked.is_some_and(|revoked| revoked > index)
            || continues(unit, sentences[..index].last(), sentence)
            || sentences
                .get(index + 1)
                .is_some_and(|next| takes_back(next) || bounds_what_was_said(sentence, next))
        {
            continue;
        }
        let inside = |hit: &Range<usize>| {
            hit.start < hit.end
                && commands.iter().any(|command| command.start <= hit.start && hit.end <= command.end)
        };
        let forbidden: Vec<usize> = (0..hits.len()).filter(|hit| inside(&hits[*hit])).collect();
        if let (false, Some(last)) = (forbidden.is_empty(), commands.last()) {
            bans.push(Ban { range: head..last.end, hits: forbidden });
        }
    }
    bans
}

/// Whether the byte `at` of a unit stands in a code span.
pub(in crate::facts) fn is_code(unit: &str, at: usize) -> bool {
    tokens(unit, &[]).iter().any(|token| token.is_code() && token.range.contains(&at))
}

/// Whether some of the text is struck out; what of it still counts is not read.
fn is_struck(unit: &str) -> bool {
    let lower = unit.to_ascii_lowercase();
    ["~~", "<del", "<s>", "<strike"].iter().any(|mark| lower.contains(mark))
}

/// Whether a full stop before the sentence may be that of a short form, and the sentence go on: it does not begin with a
/// capital.
fn continues(unit: &str, before: Option<&Sentence<'_>>, sentence: &Sentence<'_>) -> bool {
    let stop = before.and_then(|before| before.tokens.iter().rfind(|token| !token.is_quote()));
    let first = sentence.tokens.iter().find(|token| matches!(token.kind, Kind::Word(_)));
    stop.is_some_and(|stop| stop.is('.'))
        && first.is_some_and(|first| unit[first.range.start..].starts_with(char::is_lowercase))
}

/// For each of these sentences, whether a quotation or a parenthesis is open before it.
fn quoted(sentences: &[Sentence<'_>]) -> Vec<bool> {
    let (mut straight, mut curly, mut angle, mut round) = (0_usize, 0_isize, 0_isize, 0_isize);
    let mut quoted = Vec::with_capacity(sentences.len());
    for sentence in sentences {
        quoted.push(straight % 2 == 1 || curly > 0 || angle > 0 || round > 0);
        for token in sentence.tokens {
            match token.kind {
                Kind::Mark('"') => straight += 1,
                Kind::Mark('\u{201c}') => curly += 1,
                Kind::Mark('\u{201d}') => curly -= 1,
                Kind::Mark('\u{ab}') => angle += 1,
                Kind::Mark('\u{bb}') => angle -= 1,
                Kind::Mark('(') => round += 1,
                Kind::Mark(')') => round -= 1,
                _ => {}
            }
        }
    }
    quoted
}

/// Whether what follows is a limit of the sentence, cut off by a full stop or semicolon: "Never run `x`; at least on
/// main."
fn bounds_what_was_said(sentence: &Sentence<'_>, next: &Sentence<'_>) -> bool {
    let limit = |token: &Token| token.is_in(&LIMITS) || token.is_in(&CONDITIONS);
    let stressed = ["not", "or", "and", "especially", "particularly", "mostly", "mainly", "just", "even"];
    let Some(first) = next.tokens.first() else { return false };
    let semicolon = sentence.tokens.last().is_some_and(|token| token.is(';'));
    let fragment = next.tokens.len() <= 6 && !next.tokens.iter().any(|token| token.is(','));
    // "Only commit when asked" is a rule of its own.
    let own = first.is_in(&["only"]) && !semicolon && !is_rest(next);
    (limit(first) && !own && (semicolon || fragment))
        || (first.is_in(&stressed) && fragment && next.tokens.iter().any(limit))
}

/// Where the head begins, and the bytes of each command, if the sentence is one of the grammar.
fn forbids(unit: &str, sentence: &Sentence<'_>) -> Option<(usize, Vec<Range<usize>>)> {
    let tokens = sentence.tokens;
    if sentence.asks() {
        return None;
    }
    let at = opener(tokens);
    let (after, ing) = head(tokens, at)?;
    let start = tokens[at].range.start;
    let mut next = after;
    if tokens.get(next)?.is_in(if ing { &VERBS_ING } else { &VERBS }) {
        next += 1;
    }
    if tokens.get(next)?.is_in(&["the"]) && tokens.get(next + 1)?.is_in(&["command", "commands"]) {
        next += 2;
    }
    let (commands, rest) = list(unit, tokens, next)?;
    ends(unit, tokens, rest).then_some((start, commands))
}

/// How many pieces stand before the head that may: marks, one label with its colon, `please`, who is told.
fn opener(tokens: &[Token]) -> usize {
    // "- [ ] Never run": a box that is not ticked
    let mut at = if matches!(tokens, [open, close, ..] if open.is('[') && close.is(']')) { 2 } else { 0 };
    at += tokens[at..]
        .iter()
        .take_while(|token| matches!(token.kind, Kind::Mark(c) if SIGNS.contains(&c)))
        .count();
    let label = |at: usize| tokens.get(at).is_some_and(|token| token.is_in(&LEADS));
    if label(at) && tokens.get(at + 1).is_some_and(|token| token.is(':')) {
        at += 2;
    }
    if tokens.get(at).is_some_and(|token| token.is_in(&["please"])) {
        at += 1;
    }
    for subject in SUBJECTS {
        let fits =
            subject.iter().enumerate().all(|(i, word)| tokens.get(at + i).is_some_and(|t| t.word() == *word));
        let next = at + subject.len();
        if fits && tokens.get(next).is_some_and(|token| token.is_in(&["must", "do", "don't"])) {
            return next;
        }
    }
    at
}

/// The piece after the head, and whether `-ing` forms follow it.
fn head(tokens: &[Token], at: usize) -> Option<(usize, bool)> {
    let word = |i: usize| tokens.get(at + i).map_or("", Token::word);
    match (word(0), word(1)) {
        ("must", "never") | ("do" | "must", "not") => Some((at + 2, false)),
        ("never" | "don't", _) => Some((at + 1, false)),
        ("avoid", _) => Some((at + 1, true)),
        ("forbidden" | "prohibited", _) if tokens.get(at + 1)?.is(':') => Some((at + 2, false)),
        _ => None,
    }
}

/// The commands from piece `at` on, joined by commas and `or`, `nor`, `and`, each perhaps in quotes; and the piece
/// after them.
fn list(unit: &str, tokens: &[Token], mut at: usize) -> Option<(Vec<Range<usize>>, usize)> {
    let mut commands = Vec::new();
    loop {
        let quoted = tokens.get(at)?.is_quote();
        at += usize::from(quoted);
        let command = tokens.get(at)?;
        match &command.kind {
            Kind::Code(content) => commands.push(content.clone()),
            Kind::Bare if is_bare_command(&unit[command.range.clone()]) => {
                commands.push(command.range.clone())
            }
            _ => return None,
        }
        at += 1;
        if quoted {
            if !tokens.get(at)?.is_quote() {
                return None;
            }
            at += 1;
        }
        let mut next = at;
        let mut joined = false;
        if tokens.get(next).is_some_and(|token| token.is(',')) {
            next += 1;
            joined = true;
        }
        if tokens.get(next).is_some_and(|token| token.is_in(&["or", "nor", "and"])) {
            next += 1;
            joined = true;
        }
        let continues = tokens.get(next).is_some_and(|token| {
            token.is_code() || (token.is_quote() && tokens.get(next + 1).is_some_and(Token::is_code))
        });
        if !(joined && continues) {
            return Some((commands, at));
        }
        at = next;
    }
}

/// Whether the pieces begin with words that bound nothing: "for any reason", "in any environment".
pub(in crate::facts) fn is_of_all(tokens: &[Token]) -> bool {
    let (Some(place), Some(all), Some(noun)) = (tokens.first(), tokens.get(1), tokens.get(2)) else {
        return false;
    };
    place.is_in(&["for", "in", "on", "under", "at", "from", "within"])
        && all.is_in(&["any", "no"])
        && noun.is_in(&[
            "reason",
            "reasons",
            "circumstance",
            "circumstances",
            "case",
            "environment",
            "branch",
            "cluster",
            "condition",
            "conditions",
            "situation",
            "time",
            "host",
            "machine",
            "account",
        ])
}

/// Whether a command that stands in the text is no more than one: its reader may have taken words of the sentence, or
/// the next sentence, for operands.
fn is_bare_command(text: &str) -> bool {
    let words = tokens(text, &[]);
    let prose = [
        "and", "or", "nor", "then", "to", "with", "instead", "because", "since", "so", "just", "please",
        "not", "never",
    ];
    let is_prose = |token: &Token| {
        token.is_in(&EXCEPTIONS)
            || token.is_in(&CONDITIONS)
            || token.is_in(&LIMITS)
            || token.is_in(&prose)
            || token.is_in(&VERBS)
    };
    let dash = text.split_whitespace().any(|word| matches!(word, "-" | "--" | "\u{2013}" | "\u{2014}"));
    let stops = text.split_whitespace().any(|word| {
        word.ends_with(['.', '!', '?', ';', ':', ',']) && word.len() > 1 && !word.starts_with(['.', '~', '/'])
    });
    is_plain(text) && !text.contains('`') && !dash && !stops && !words.iter().skip(1).any(is_prose)
}

/// Whether nothing follows the commands that could narrow what the sentence says.
fn ends(unit: &str, tokens: &[Token], at: usize) -> bool {
    let mut at = at;
    loop {
        let rest = &tokens[at..];
        let word = |i: usize| rest.get(i).map_or("", Token::word);
        at += match (word(0), word(1), word(2)) {
            ("here" | "ever" | "again", _, _) => 1,
            ("at", "all", _) => 2,
            ("under", "any", "circumstances") => 3,
            _ => break,
        };
    }
    let rest = &tokens[at..];
    if rest.iter().all(|token| token.is('.') || token.is('!') || token.is(';')) {
        return true;
    }
    let comma = usize::from(rest[0].is(',') && rest.len() > 1 && rest[1].is_in(&["because", "since"]));
    let (opener, reason) = (&rest[comma], &rest[comma + 1..]);
    if opener.is_in(&["because", "since"]) {
        return is_reason(unit, reason);
    }
    let dash = opener.is_dash() && spaced(unit, &opener.range);
    if !(dash || opener.is(':')) {
        return false;
    }
    let reason = match reason {
        // `--` is a dash, too
        [second, reason @ ..] if dash && second.is('-') && second.range.start == opener.range.end => reason,
        reason => reason,
    };
    let first = |words: &[&str]| reason.first().is_some_and(|token| token.is_in(words));
    !first(&LIMITS) && is_reason(unit, reason)
}

/// A hyphen is a dash only with white space before it; a long dash always is.
fn spaced(unit: &str, dash: &Range<usize>) -> bool {
    !unit[dash.clone()].starts_with('-') || unit[..dash.start].ends_with(|c: char| c.is_whitespace())
}

/// Whether a reason gives one: it is there, and neither takes the ban back nor bounds it.
fn is_reason(unit: &str, reason: &[Token]) -> bool {
    let (Some(first), Some(last)) = (reason.first(), reason.last()) else { return false };
    reason.iter().any(|token| matches!(token.kind, Kind::Word(_) | Kind::Code(_) | Kind::Bare))
        && is_plain(&unit[first.range.start..last.range.end])
        && !reason.windows(2).any(|pair| is_split(unit, &pair[0], &pair[1]))
        && !reason.iter().any(|token| matches!(token.kind, Kind::Mark('<' | '&' | '\\' | '`' | '|')))
        && !approves(reason)
        && !runs_it(reason)
        && !orders_it(reason)
        && !says_itself_wrong(reason)
        && !(0..reason.len()).any(|at| cancels(unit, reason, at))
}

/// "This sentence is wrong."
fn says_itself_wrong(reason: &[Token]) -> bool {
    let word = |at: usize| reason.get(at).map_or("", Token::word);
    let itself = |at: usize| matches!(word(at), "sentence" | "rule" | "line" | "ban" | "note");
    let says = (0..reason.len()).any(|at| {
        (itself(at) || matches!(word(at), "this" | "that"))
            && matches!(word(at + 1), "is" | "was")
            && (matches!(word(at + 2), "old" | "past" | "history") || (itself(at) && word(at + 2) == "wrong"))
    });
    let cited =
        reason.iter().any(|token| token.is_in(&["opposite", "say", "said", "says", "means", "meant"]));
    says || (cited && reason.len() <= 8)
}

/// Whether two words are one, set apart by emphasis within it: "un*less*".
fn is_split(unit: &str, a: &Token, b: &Token) -> bool {
    let between = &unit[a.range.end..b.range.start];
    matches!((&a.kind, &b.kind), (Kind::Word(_), Kind::Word(_))) && !between.contains(char::is_whitespace)
}

/// Words in a reason that say that the command is all right.
const APPROVING: [&str; 15] = [
    "allowed",
    "permitted",
    "okay",
    "ok",
    "fine",
    "kidding",
    "joke",
    "joking",
    "ignore",
    "disregard",
    "anyway",
    "false",
    "untrue",
    "outdated",
    "obsolete",
];

/// Whether the piece at `at`, with those after it, bounds a ban, or tells to run what it names.
fn cancels(unit: &str, reason: &[Token], at: usize) -> bool {
    let (token, after) = (&reason[at], &reason[at + 1..]);
    let bounds = |word: &str| lists(&EXCEPTIONS, word) || lists(&CONDITIONS, word) || lists(&APPROVING, word);
    match &token.kind {
        // "only use `x`" names what to use in its place
        Kind::Word(word) if word == "only" => {
            !matches!(after, [verb, code, ..] if verb.is_in(&VERBS) && code.is_code())
        }
        Kind::Word(word) if word.starts_with("exception") => !(at > 0 && reason[at - 1].is_in(&["no"])),
        Kind::Word(word) => {
            bounds(&word.replace(['-', '_', '.'], "")) || (is_order(token) && points_back(&reason[at..]))
        }
        Kind::Code(content) => bounds(&unit[content.clone()].trim().to_ascii_lowercase()),
        _ => false,
    }
}

/// Whether it is a verb with which a command is given.
fn is_order(token: &Token) -> bool {
    token.is_in(&VERBS) || token.is_in(&["do", "try", "paste", "enter", "perform"])
}

/// Whether the word after the first stands for something said before.
fn points_back(tokens: &[Token]) -> bool {
    let back = ["it", "this", "that", "them", "these", "those", "both", "so", "anyway", "now"];
    tokens.get(1).is_some_and(|token| token.is_in(&back))
}
