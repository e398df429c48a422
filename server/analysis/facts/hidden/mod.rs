//! Content that a person who reviews the file does not see, or takes for other content, and a program that reads it
//! does.
//!
//! Characters without form are hidden wherever they have no work to do. Comments, titles and alternative texts are where
//! people write notes to each other, so there only what speaks to an agent is held against them; what a style hides is
//! told whatever it says.

mod breaks;
mod characters;
mod element;
mod markup;
mod mixed;
mod style;
mod template;

use std::ops::Range;
use std::sync::LazyLock;

pub use characters::{HiddenCharacter, hidden_characters};

use super::command::Place;
use super::{Hit, phrase};
use crate::catalogue::{Catalogue, RuleId};

/// The forms of hiding: the rule's pattern ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    ZeroWidth,
    Bidi,
    Tags,
    Selectors,
    Mixed,
    Comment,
    Definition,
    Title,
    AltText,
    Attribute,
    Element,
    Style,
    Sheet,
    Spaces,
    BlankLines,
}

impl Form {
    /// All of them, in the order of the rule's page.
    #[cfg(test)]
    const ALL: [Form; 15] = [
        Form::ZeroWidth,
        Form::Bidi,
        Form::Tags,
        Form::Selectors,
        Form::Mixed,
        Form::Comment,
        Form::Definition,
        Form::Title,
        Form::AltText,
        Form::Attribute,
        Form::Element,
        Form::Style,
        Form::Sheet,
        Form::Spaces,
        Form::BlankLines,
    ];

    pub(crate) fn id(self) -> &'static str {
        match self {
            Form::ZeroWidth => "zero-width",
            Form::Bidi => "bidi-control",
            Form::Tags => "tag-characters",
            Form::Selectors => "variation-selectors",
            Form::Mixed => "mixed-alphabets",
            Form::Comment => "comment-to-reader",
            Form::Definition => "definition-to-reader",
            Form::Title => "title-to-reader",
            Form::AltText => "alt-text-to-reader",
            Form::Attribute => "attribute-to-reader",
            Form::Element => "element-to-reader",
            Form::Style => "hidden-element",
            Form::Sheet => "hiding-style",
            Form::Spaces => "behind-spaces",
            Form::BlankLines => "behind-blank-lines",
        }
    }
}

/// What a hit of the form with this id is, where the rule's summary says too little of it.
pub(crate) fn says(pattern: &str) -> Option<&'static str> {
    let mixed = pattern == Form::Mixed.id();
    mixed.then_some("has a letter of another alphabet that looks like one of its own, so it is not the word that it seems")
}

/// The rule.
pub(crate) static RULE: LazyLock<Option<RuleId>> =
    LazyLock::new(|| Catalogue::get().by_name("hidden-content"));

/// How many blank lines, or spaces on a line, push what stands behind them out of sight: more than any screen shows.
pub(crate) const FAR: usize = 200;

/// How many blank lines do so in a window of a usual height, and how many spaces beyond what tables and comments are set
/// apart by: enough where what stands behind them speaks to an agent.
pub(crate) const NEAR: (usize, usize) = (40, 80);

/// Where a unit stands, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Where {
    pub(super) place: Place,
    /// It begins inside an HTML comment.
    pub(super) in_comment: bool,
    /// It begins inside a style sheet.
    pub(super) in_style: bool,
    /// It is a suppression, which is a comment with a reader of its own.
    pub(super) allow: bool,
    /// It is the document's first line.
    pub(super) at_start: bool,
}

/// What is hidden in `text`, a scan unit.
pub(super) fn scan(text: &str, at: Where) -> Vec<(Range<usize>, Hit)> {
    let Some(rule) = *RULE else { return Vec::new() };
    let mut found: Vec<(Range<usize>, Form)> = Vec::new();
    characters(text, at.at_start, &mut found);
    mixed::scan(text, &mut found);
    if at.place != Place::Row {
        spaces(text, &mut found);
    }
    if matches!(at.place, Place::Prose | Place::Item | Place::Row) && !at.allow {
        markup::scan(text, at.in_comment, &mut found);
        if at.in_style || memchr::memchr(b'<', text.as_bytes()).is_some() {
            style::sheets(text, at.in_style, &mut found);
        }
    }
    let hit = |form: Form| Hit::new(rule, form.id(), rule.rule().severity);
    found.into_iter().map(|(range, form)| (range, hit(form))).collect()
}

/// The comment or folded element that `text` leaves open: where it begins and what ends it.
pub(super) fn left_open(text: &str) -> Option<(usize, &'static str)> {
    template::left_open(text).map(|(start, close, _)| (start, close))
}

/// What the comment or folded element that `text` leaves open hides in `whole`, which begins with `text` and goes on to
/// where it ends.
pub(super) fn in_open(text: &str, whole: &str) -> Option<(Range<usize>, Hit)> {
    let (start, close, form) = template::left_open(text)?;
    let rule = (*RULE)?;
    let end = whole[text.len()..].find(close).map_or(whole.len(), |length| text.len() + length);
    let said = whole[text.len()..end].split("\n\n").any(speaks_to_agent);
    let end = whole[..end].trim_end().len().max(text.len());
    said.then(|| (start..end, Hit::new(rule, form.id(), rule.rule().severity)))
}

/// What markup hides in `text` that begins in its first `own` bytes, ends behind the line that they are, and is told by
/// neither part alone.
pub(super) fn across(text: &str, own: usize, in_comment: bool) -> Vec<(Range<usize>, Hit)> {
    let Some(rule) = *RULE else { return Vec::new() };
    if !in_comment && !text[..own].contains(['<', '{', '%']) {
        return Vec::new();
    }
    let (mut all, mut first, mut later) = (Vec::new(), Vec::new(), Vec::new());
    markup::scan(&text[..own], in_comment, &mut first);
    // A line that is all comment and told already has nothing else to say.
    if first.iter().any(|(at, form)| *form == Form::Comment && *at == (0..own)) {
        return Vec::new();
    }
    markup::scan(text, in_comment, &mut all);
    all.retain(|(range, form)| {
        matches!(form, Form::Comment | Form::Element | Form::Style)
            && range.start < own
            && own + 1 < range.end
    });
    if all.is_empty() {
        return Vec::new();
    }
    let still = text[..own].rfind("<!--").map_or(in_comment, |open| !text[open..own].contains("-->"))
        && (!in_comment || text[..own].rfind("-->") <= text[..own].rfind("<!--"));
    markup::scan(&text[own + 1..], still, &mut later);
    all.retain(|(range, form)| {
        !first.iter().any(|(at, known)| known == form && at.start == range.start)
            && !later.iter().any(|(at, known)| known == form && own + 1 + at.start < range.end)
    });
    all.into_iter().map(|(range, form)| (range, Hit::new(rule, form.id(), rule.rule().severity))).collect()
}

/// Runs of hidden characters; those of one form in one word are one.
fn characters(text: &str, at_start: bool, found: &mut Vec<(Range<usize>, Form)>) {
    const NEAR: usize = 16;
    for hidden in hidden_characters(text, at_start) {
        match found.last_mut() {
            Some((last, form))
                if *form == hidden.form
                    && hidden.start - last.end <= NEAR
                    && !text[last.end..hidden.start].contains(char::is_whitespace) =>
            {
                last.end = hidden.end;
            }
            _ => found.push((hidden.range(), hidden.form)),
        }
    }
}

/// What stands on a line behind more spaces than a screen is wide.
fn spaces(text: &str, found: &mut Vec<(Range<usize>, Form)>) {
    if text.len() <= NEAR.1 {
        return;
    }
    let bytes = text.as_bytes();
    if memchr::memchr2(b'<', b'&', bytes).is_some() {
        breaks::scan(text, found);
    }
    // Spaces of other widths, in UTF-8; nothing else is made of these bytes alone.
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | 0xA0 | 0x80..=0x8A | 0xC2 | 0xE2 | 0xE3);
    let mut at = 0;
    while at + NEAR.1 < bytes.len() {
        match bytes[at..at + NEAR.1].iter().rposition(|byte| !blank(byte)) {
            Some(other) => at += other + 1,
            None => {
                let start =
                    bytes[at..].iter().position(|byte| !blank(byte)).map_or(bytes.len(), |len| at + len);
                // The byte may be the last of a character that begins as a space does.
                let start = (0..=start).rev().find(|start| text.is_char_boundary(*start)).unwrap_or(0);
                let end = bytes[start..]
                    .iter()
                    .position(|byte| *byte == b'\n')
                    .map_or(bytes.len(), |len| start + len);
                let line = text[start..end].trim_end();
                if !line.is_empty() && (start - at >= FAR || speaks_to_agent(line)) {
                    found.push((start..start + line.len(), Form::Spaces));
                }
                at = end;
            }
        }
    }
}

/// Whether `text` speaks to an agent: names one, and says something to it.
pub(crate) fn speaks_to_agent(text: &str) -> bool {
    const NAMES: [&str; 24] = [
        "agent",
        "agents",
        "ai",
        "ais",
        "assistant",
        "assistants",
        "bot",
        "bots",
        "chatbot",
        "chatgpt",
        "claude",
        "codex",
        "copilot",
        "crawler",
        "cursor",
        "gemini",
        "gpt",
        "llm",
        "llms",
        "model",
        "models",
        "scanner",
        "scanners",
        "reviewer",
    ];
    let named = || {
        text.split(|c: char| !c.is_alphanumeric())
            .any(|word| NAMES.iter().any(|name| word.eq_ignore_ascii_case(name)))
    };
    let names = named();
    // Who is spoken to without a name is spoken to as somebody who reads.
    let anybody = || {
        text.split(|c: char| !c.is_alphanumeric())
            .any(|word| ["you", "reader", "readers"].iter().any(|name| word.eq_ignore_ascii_case(name)))
    };
    (names || anybody()) && phrase::addresses_reader(text, names)
}

#[cfg(test)]
mod tests;
