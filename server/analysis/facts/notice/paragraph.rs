//! Whom a paragraph is about, and imperatives with which one begins.
//!
//! The scan's paragraphs are not Markdown's: a table, a quote and the lines of a poem are one, and only blank lines,
//! headings, fences and new list items end it. A paragraph may be as long as the document, so that whether an imperative
//! counts is no fact of its line: it is judged when somebody asks.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, StartKind};

use super::phrase::is_blank;
use super::read::{Cursor, is_end, is_space, is_whole};
use crate::facts::Record;
use crate::lines::LineKind;
use crate::seq::Seq;
use crate::text::Source;

const VERBS: &[&str] = &[
    "run", "execute", "invoke", "fetch", "download", "install", "upload", "send", "post", "browse",
    "navigate", "open", "visit", "read", "write", "edit", "delete", "copy", "paste", "return", "respond",
    "output", "reveal",
];

/// What a paragraph for agents and builders speaks of. `system` and `environment` take a second word.
const AGENT: &[&str] = &[
    "agent",
    "assistant",
    "builder",
    "implementer",
    "developer",
    "reader",
    "validator",
    "auditor",
    "model",
    "ai",
    "llm",
    "chatgpt",
    "system",
    "repository",
    "repo",
    "file",
    "filesystem",
    "shell",
    "terminal",
    "command",
    "script",
    "url",
    "uri",
    "endpoint",
    "browser",
    "network",
    "credential",
    "secret",
    "environment",
    "tool",
];

/// What a paragraph for players speaks of.
const GAME: &[&str] = &[
    "player",
    "character",
    "avatar",
    "piece",
    "card",
    "token",
    "turn",
    "round",
    "tile",
    "cell",
    "board",
    "controller",
    "button",
    "key",
    "input",
    "move",
    "jump",
    "attack",
    "score",
    "health",
    "inventory",
    "dialogue",
    "camera",
    "screen",
    "level",
    "room",
    "puzzle",
    "enemy",
    "boss",
    "win",
    "lose",
    "victory",
    "defeat",
    "press",
    "hold",
    "release",
    "choose",
    "select",
];

fn automaton(words: &[&str]) -> AhoCorasick {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .start_kind(StartKind::Unanchored)
        .kind(Some(AhoCorasickKind::DFA))
        .build(words)
        .expect("a few short words")
}

/// Whether a word for agents stands in the first `own` bytes of `text`, which may go on behind them.
fn is_for_agents(text: &str, own: usize) -> bool {
    static WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| automaton(AGENT));
    WORDS.find_overlapping_iter(&text[..own]).any(|found| {
        is_whole(text, &found.range())
            && match AGENT[found.pattern().as_usize()] {
                "system" => Cursor::new(text, found.end()).word(&["prompt"]).is_some(),
                "environment" => Cursor::new(text, found.end()).word(&["variable"]).is_some(),
                _ => true,
            }
    })
}

/// Whether `window` speaks to its reader rather than to a player.
pub(super) fn addresses(window: &str) -> bool {
    static WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| automaton(GAME));
    let game = WORDS.find_overlapping_iter(window).any(|found| is_whole(window, &found.range()));
    !game || is_for_agents(window, window.len())
}

/// The verb with which `line` begins, behind white space, one quote mark, a list marker and the beginning of bold text.
pub(super) fn opener(line: &str) -> Option<Range<usize>> {
    let skip = |text: &str| text.len() - text.trim_start_matches(is_space).len();
    let mut at = skip(line);
    if line[at..].starts_with('>') {
        at += 1 + skip(&line[at + 1..]);
    }
    if let Some(marker) = marker(&line[at..]) {
        at += marker;
        at += skip(&line[at..]);
    }
    if line[at..].starts_with("**") || line[at..].starts_with("__") {
        at += 2;
    }
    let rest = Cursor::new(line, at);
    let mut ends = VERBS.iter().filter_map(|verb| rest.literal(verb)).map(|end| end.at);
    ends.find(|end| is_end(line, *end)).map(|end| at..end)
}

/// Where the marks stand that are all there is on line `line`, if the verb that [`opener`] looks for stands below them: a
/// paragraph's lines are read as one.
pub(super) fn opener_below(text: &str, line: usize, source: &impl Source) -> Option<Range<usize>> {
    let marks = text.trim_matches(is_space);
    let is_bare = |text: &str| {
        let text = text.strip_prefix('>').map_or(text, |behind| behind.trim_start_matches(is_space));
        let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
        text.is_empty()
            || matches!(digits, "." | ")" if digits.len() < text.len())
            || matches!(text, "-" | "+" | "*")
    };
    // A quote mark and a list's: three lines at most.
    if marks.is_empty() || marks.len() > 32 || !is_bare(marks) {
        return None;
    }
    let mut joined = text.to_owned();
    for next in line + 1..(line + 3).min(source.line_count()) {
        let below = source.line(next);
        let item = marker(below.trim_start_matches(is_space)).is_some();
        if is_blank(&below) || item {
            return None;
        }
        joined.push('\n');
        joined.push_str(&below);
        if !is_bare(below.trim_matches(is_space)) {
            break;
        }
    }
    let start = text.len() - text.trim_start_matches(is_space).len();
    opener(&joined).map(|_| start..start + marks.len())
}

/// The length of the list marker with which `text` begins; white space follows it.
fn marker(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let ends: &[char] = if digits > 0 { &['.', ')'] } else { &['-', '+', '*'] };
    let behind = text[digits..].strip_prefix(ends)?;
    behind.starts_with(is_space).then_some(digits + 1)
}

/// Whether the imperative on line `line` directs its reader: a paragraph begins there, and it is about agents and their
/// tools, or (`plan`) need not be.
#[must_use]
pub fn directs(source: &impl Source, records: &Seq<Record>, line: usize, plan: bool) -> bool {
    let begins_item = |text: &str| marker(text.trim_start_matches(is_space)).is_some();
    let own = source.line(line);
    let begins = begins_item(&own) || line.checked_sub(1).is_none_or(|before| ends(source, records, before));
    if !begins || plan {
        return begins;
    }
    let mut current = own.into_owned();
    let mut at = line + 1;
    loop {
        let goes_on = at < source.line_count() && !ends(source, records, at);
        let next = goes_on.then(|| source.line(at)).filter(|next| !begins_item(next));
        let length = current.len();
        if let Some(next) = &next {
            current.push('\n');
            current.push_str(next);
        }
        if is_for_agents(&current, length) {
            return true;
        }
        let Some(next) = next else { return false };
        current = next.into_owned();
        at += 1;
    }
}

/// Whether line `line` belongs to no paragraph.
fn ends(source: &impl Source, records: &Seq<Record>, line: usize) -> bool {
    if records.get(line).is_some_and(|record| record.line.kind == LineKind::Fence) {
        return true;
    }
    let text = source.line(line);
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    is_blank(&text) || ((1..=6).contains(&level) && text[level..].starts_with(is_space))
}
