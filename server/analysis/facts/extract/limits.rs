//! Text right above a label that limits it or only cites it, in a paragraph of its own: "In production:", "The guide of
//! 2023 said:".
//!
//! A label that holds nowhere, or not for its reader, forbids nothing. In doubt it is limited.

use std::cmp::Ordering;

use super::goes_on::{may_be_english, shown};
use super::{Place, Reading};
use crate::facts::ban::sentence::{CONDITIONS, EXCEPTIONS, LIMITS, lists, sentences, tokens, words};

/// How much of a unit's end is looked at.
const LOOK: usize = 400;

/// Words of a text that cites, refuses or dates what follows it, or says who else is meant.
const CITES: [&str; 56] = [
    "said",
    "says",
    "say",
    "saying",
    "wrote",
    "written",
    "writes",
    "claimed",
    "claims",
    "told",
    "quoted",
    "quote",
    "quotes",
    "citing",
    "cited",
    "citation",
    "according",
    "believed",
    "myth",
    "wrong",
    "false",
    "untrue",
    "mistake",
    "mistaken",
    "bad",
    "incorrect",
    "old",
    "older",
    "outdated",
    "obsolete",
    "former",
    "formerly",
    "deprecated",
    "superseded",
    "withdrawn",
    "revoked",
    "lifted",
    "historical",
    "previously",
    "once",
    "disagree",
    "joke",
    "fiction",
    "satire",
    "sample",
    "example",
    "contractors",
    "interns",
    "guests",
    "visitors",
    "others",
    "humans",
    "outsiders",
    "newcomers",
    "else",
    "ignore",
];

/// Words of a line with a colon that only announces what follows it, and leaves the label below it whole.
const NEUTRAL: [&str; 86] = [
    "a",
    "about",
    "above",
    "agent",
    "agents",
    "ai",
    "all",
    "and",
    "apply",
    "are",
    "assistant",
    "assistants",
    "attention",
    "boundaries",
    "bot",
    "bots",
    "by",
    "caution",
    "claude",
    "cli",
    "commands",
    "constraints",
    "critical",
    "danger",
    "dangerous",
    "destructive",
    "don'ts",
    "donts",
    "every",
    "everyone",
    "everybody",
    "first",
    "following",
    "for",
    "forbidden",
    "general",
    "git",
    "good",
    "guard",
    "guardrails",
    "guidelines",
    "hard",
    "here",
    "important",
    "instructions",
    "is",
    "keep",
    "limits",
    "mind",
    "must",
    "note",
    "notes",
    "notice",
    "of",
    "operations",
    "our",
    "please",
    "policies",
    "policy",
    "project",
    "prohibited",
    "read",
    "remember",
    "reminder",
    "repository",
    "restrictions",
    "rule",
    "rules",
    "safety",
    "security",
    "shell",
    "strict",
    "strictly",
    "the",
    "these",
    "this",
    "to",
    "unsafe",
    "warning",
    "warnings",
    "we",
    "with",
    "you",
    "your",
    "in",
    "that",
];

/// Words by which a sentence takes the force of what follows.
const VOID: [&str; 16] = [
    "void",
    "joke",
    "wrong",
    "lifted",
    "revoked",
    "superseded",
    "obsolete",
    "outdated",
    "expired",
    "ignore",
    "fiction",
    "satire",
    "untrue",
    "false",
    "suspended",
    "withdrawn",
];

/// Words with one of which a sentence bounds what follows begins, or that bound it.
const BOUNDS: [&str; 9] =
    ["only", "valid", "applies", "apply", "holds", "unless", "except", "excepting", "barring"];

/// Whether a sentence that is at its end says of what follows it that this holds for somebody else, or not at all.
fn is_of_the_label(words: &[&str]) -> bool {
    let has = |list: &[&str]| words.iter().any(|word| lists(list, word));
    let below =
        has(&["label", "rule", "rules", "line", "list", "below", "following", "follows", "next", "rest"]);
    let void = has(&VOID);
    let bounded = words.len() <= 6
        && (has(&["only"]) || matches!(words.first(), Some(&"valid" | &"applies" | &"apply" | &"holds")));
    (below && void && words.len() <= 12) || bounded
}

/// Whether what stands below a unit is limited or cited by it.
pub(super) fn limits(text: &str, reading: &Reading) -> bool {
    if !matches!(reading.place, Place::Prose | Place::Item) {
        return false;
    }
    let text = shown(text, reading.html);
    let text = if reading.html { text.split('<').next().unwrap_or_default() } else { without_tags(text) };
    let text = text.trim().trim_end_matches(['*', '_', ' ']);
    let mut start = text.len().saturating_sub(LOOK);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let text = &text[start..];
    let Some(end) = text.chars().next_back() else { return false };
    // Of a sentence that is at its end few words matter, and most paragraphs have none of them.
    if matches!(end, '.' | '!' | '?') && !reading.heading {
        let matters = |word: &str| VOID.iter().chain(&BOUNDS).any(|known| word.eq_ignore_ascii_case(known));
        if !text.split(|c: char| !c.is_alphanumeric()).any(matters) {
            return false;
        }
    }
    let goes_on = matches!(end, ',' | ';' | '-' | ':' | '\u{2013}' | '\u{2014}' | '\u{2026}');
    if !goes_on && !may_be_english(text) {
        return false;
    }
    let tokens = tokens(text, &[]);
    let Some(last) = sentences(text, &tokens).pop() else { return false };
    let words = words(last.tokens);
    let Some(first) = words.first() else { return false };
    let comma = last.tokens.iter().any(|token| token.is(','));
    let excepts = matches!(*first, "unless" | "except" | "excepting" | "only" | "barring");
    if excepts && !comma {
        return true;
    }
    if reading.heading {
        return matches!(*first, "if" | "when" | "whenever" | "until" | "till" | "without" | "while")
            && end != '?';
    }
    // "For your safety", "For all agents"
    const FOR_ALL: [&str; 10] = [
        "safety",
        "security",
        "agents",
        "agent",
        "all",
        "everyone",
        "everybody",
        "reference",
        "assistants",
        "good",
    ];
    let all = *first == "for" && words.iter().any(|word| lists(&FOR_ALL, word)) && !words.contains(&"only");
    let bounds = !all && lists(&LIMITS, first) || lists(&CONDITIONS, first) || lists(&EXCEPTIONS, first);
    let cites =
        words.iter().any(|word| lists(&CITES, word)) || words.windows(2).any(|two| two == ["used", "to"]);
    match end {
        '.' | '!' | '?' => is_of_the_label(&words),
        ',' | ';' | '-' | '\u{2013}' | '\u{2014}' | '\u{2026}' => true,
        ':' => bounds || cites || !words.iter().all(|word| lists(&NEUTRAL, word)),
        _ => bounds || cites || words.iter().any(|word| matches!(*word, "not" | "no" | "only")),
    }
}

/// The text without the tags at its end.
fn without_tags(mut text: &str) -> &str {
    while let Some(start) = text.rfind('<').filter(|_| text.ends_with('>')) {
        text = text[..start].trim_end();
    }
    text
}

/// Which way a unit of HTML turns what is struck out: it opens more of the elements that do so than it closes, or the
/// reverse.
pub(super) fn strikes(text: &str, reading: &Reading) -> Ordering {
    if !reading.html || !text.contains('<') {
        return Ordering::Equal;
    }
    let (mut opened, mut closed) = (0, 0);
    for tag in text.split('<').skip(1) {
        let name = tag.trim_start_matches('/');
        let len = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
        if ["del", "s", "strike"].iter().any(|struck| name[..len].eq_ignore_ascii_case(struck)) {
            if tag.starts_with('/') { closed += 1 } else { opened += 1 }
        }
    }
    opened.cmp(&closed)
}
