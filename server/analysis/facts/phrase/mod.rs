//! Phrases: words that turn on their reader, whoever says them.
//!
//! A runbook is made of imperatives, so no phrase keys on the imperative mood; each is slots over word classes, and
//! among them is what makes the reader its addressee: the reader's own instructions, role, answers, approvals (seed 2).
//! The text is read as words, most of which tell of no phrase; only where one does are its slots looked for, in time
//! proportional to the text.

mod mention;
mod reading;
mod slots;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use mention::Mentions;

use crate::catalogue::words;
use crate::catalogue::{CALLS, Catalogue, Example, Form, Own, Phrases, RuleId, Severity};
use reading::Reading;

/// How many hits of one rule a text may have.
const MOST: usize = 64;

/// A phrase's match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhraseHit {
    /// The rule.
    pub rule: RuleId,
    /// The catalogue entry's id within the rule.
    pub pattern: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// A frame gave it: what another entry says of the same words says more.
    pub(crate) frame: bool,
    /// Byte range of the matched words in the text.
    pub range: Range<usize>,
}

/// Looks in `text`, which may have several lines, for phrases and adds them to `out` in order of their start. Of one
/// rule's hits on overlapping words the gravest, then the first, stays; a frame's only where no other overlaps it.
pub fn scan(text: &str, out: &mut Vec<PhraseHit>) {
    resolve(found(text), out);
}

/// The same for the project's own phrases.
pub fn scan_own(text: &str, own: &Own, out: &mut Vec<PhraseHit>) {
    resolve(matches(text, own.phrases(), |form| own.named(form)), out);
}

/// What an entry's example gives, by the built-in catalogue and by `own`, as a paragraph.
#[must_use]
pub fn in_example(example: &Example, own: &Own) -> Vec<PhraseHit> {
    let mut out = Vec::new();
    scan(&example.text, &mut out);
    scan_own(&example.text, own, &mut out);
    out
}

/// Every match of every built-in entry.
pub(crate) fn found(text: &str) -> Vec<PhraseHit> {
    let catalogue = Catalogue::get();
    matches(text, catalogue.phrases(), |form| (form.rule, catalogue.phrase(form).id.as_str()))
}

fn matches<'a>(
    text: &str,
    phrases: &'a Phrases,
    named: impl Fn(&'a Form) -> (RuleId, &'static str),
) -> Vec<PhraseHit> {
    let mut found = Vec::new();
    Reading::of(text, phrases).each(&phrases.forms, &mut |form, sentence| {
        let (rule, pattern) = named(form);
        let matches = slots::matches(form, sentence).into_iter();
        found.extend(matches.filter_map(|range| {
            let severity = match form.spaced && is_one_name(&text[range.clone()]) {
                false => form.severity,
                // What is written in one word is a name, but one that says so much is read as a sentence is.
                true if form.named => form.severity,
                true if says_much(&text[range.clone()]) => form.severity.min(Severity::Warning),
                true => return None,
            };
            Some(PhraseHit { rule, pattern, severity, frame: form.frame.is_some(), range })
        }));
        true
    });
    found
}

/// Adds to `out` what stays of `found`: of one rule's hits on overlapping words the gravest, then the first.
fn resolve(mut found: Vec<PhraseHit>, out: &mut Vec<PhraseHit>) {
    // An entry that looks in fewer roles must not stand for one that looks in all.
    let kind = |hit: &PhraseHit| (hit.rule, hit.rule.rule().roles_of(hit.pattern) != hit.rule.rule().roles());
    found.sort_by_cached_key(|hit| {
        (
            kind(hit),
            hit.frame,
            std::cmp::Reverse(hit.severity),
            hit.range.start,
            std::cmp::Reverse(hit.range.end),
        )
    });
    let first = out.len();
    for same in found.chunk_by(|a, b| kind(a) == kind(b)) {
        let mut kept: Vec<PhraseHit> = Vec::new();
        for hit in same {
            let near = kept.partition_point(|known| known.range.start < hit.range.end);
            let overlaps = kept[..near].last().is_some_and(|known| known.range.end > hit.range.start);
            if !overlaps && kept.len() < MOST {
                kept.insert(near, hit.clone());
            }
        }
        out.append(&mut kept);
    }
    out[first..].sort_by_key(|hit| (hit.range.start, hit.range.end, hit.rule));
}

/// Whether `words` are one name: a branch, an id, a file. What has no white space was written for a machine.
fn is_one_name(words: &str) -> bool {
    !words.contains(char::is_whitespace)
        && (words.contains(['-', '_', '.', '/']) || words::humps(words) >= words::HUMPS)
}

/// Whether a name, `words`, is a sentence: four words.
fn says_much(words: &str) -> bool {
    !words.contains(['.', '/']) && words::is_sentence(words)
}

/// Whether `text` speaks to whoever reads it: it calls an agent, assistant or model by that name, or orders the reader
/// to do something with what a reader has (its instructions, tools, answers, the user). For text that no person sees.
/// Where no agent is `named` in it only what calls upon whoever reads it counts ("when you read this file, …").
#[must_use]
pub fn addresses_reader(text: &str, named: bool) -> bool {
    if named && calls_agent(text) {
        return true;
    }
    let phrases = Catalogue::get().phrases();
    let mut addressed = false;
    Reading::of(text, phrases).each(&phrases.addresses, &mut |form, sentence| {
        addressed = (named || form.entry == CALLS) && !slots::matches(form, sentence).is_empty();
        !addressed
    });
    addressed
}

/// Whether a text begins by calling an agent and tells it something: "agent: run …", "@claude …", "AI assistants: skip …". Not
/// what only names one: "Model: large", "Assistant: Anna".
fn calls_agent(text: &str) -> bool {
    const AGENTS: [&str; 16] = [
        "agent",
        "agents",
        "ai",
        "assistant",
        "assistants",
        "bots",
        "llm",
        "llms",
        "claude",
        "copilot",
        "codex",
        "cursor",
        "gemini",
        "gpt",
        "chatgpt",
        "aider",
    ];
    const WORDS: usize = 3;
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '@');
    let mut at = 0;
    for word in start.split_inclusive(|c: char| !c.is_alphanumeric() && c != '@').take(WORDS) {
        at += word.len();
        let name = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let called = name.strip_prefix('@').unwrap_or(name);
        if AGENTS.iter().any(|agent| called.eq_ignore_ascii_case(agent))
            && (called.len() < name.len() || word.ends_with(':'))
        {
            let told = start[at..].trim_start();
            let words = told.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic));
            return told.starts_with(|c: char| c.is_lowercase() || c == '`')
                && words.take(WORDS).count() == WORDS;
        }
    }
    false
}

/// Whether the line with which `text` begins opens with an affirmative word of seed 1, marks aside.
#[must_use]
pub fn is_affirmed(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    ["always", "must", "run", "execute", "use", "follow"].iter().any(|known| word.eq_ignore_ascii_case(known))
}
