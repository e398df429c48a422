//! Markup that hides what is in it: comments, definitions, titles, alternative texts.

use std::ops::Range;

use memchr::{memchr, memmem};

use super::{Form, element, speaks_to_agent, template};

/// Looks through `text`, which begins inside an HTML comment if `in_comment` says so.
pub(super) fn scan(text: &str, in_comment: bool, found: &mut Vec<(Range<usize>, Form)>) {
    if in_comment || memmem::find(text.as_bytes(), b"<!--").is_some() {
        comments(text, in_comment, found);
    }
    if in_comment {
        return;
    }
    if memchr(b'<', text.as_bytes()).is_some() {
        element::scan(text, found);
    }
    template::scan(text, found);
    if memchr(b'[', text.as_bytes()).is_some() {
        links(text, found);
    }
}

/// Comments that speak to an agent. A directive of a known tool is none, if it is the whole comment: what stands beside it
/// is read as any other.
fn comments(text: &str, mut inside: bool, found: &mut Vec<(Range<usize>, Form)>) {
    let mut at = 0;
    loop {
        let start = at;
        if !inside {
            let Some(open) = text[at..].find("<!--") else { return };
            at += open + 4;
        }
        let (start, words) = (if inside { start } else { at - 4 }, at);
        let close = text[words..].find("-->").map(|len| words + len);
        let comment = &text[words..close.unwrap_or(text.len())];
        at = close.map_or(text.len(), |close| close + 3);
        if !is_directive(comment) && speaks_to_agent(comment) {
            found.push((start..at, Form::Comment));
        }
        if close.is_none() {
            return;
        }
        inside = false;
    }
}

/// Whether a whole comment is a word to a tool: `markdownlint-disable MD013`, `prettier-ignore`, `toc`, `end-of-file`.
fn is_directive(comment: &str) -> bool {
    const TOOLS: [&str; 14] = [
        "markdownlint-",
        "prettier-ignore",
        "textlint-",
        "vale ",
        "cspell:",
        "spell-checker:",
        "eslint-",
        "remark-",
        "lint ",
        "dprint-ignore",
        "toc",
        "alex ",
        "write-good-",
        "mdformat ",
    ];
    let words = comment.trim();
    let lower = words.to_ascii_lowercase();
    TOOLS.iter().any(|tool| lower.starts_with(tool))
        && words.len() <= 120
        && words.split_whitespace().skip(1).all(|word| {
            // Names of rules and words to spell, no sentence.
            word.chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ',' | '/' | '.' | '=' | ':'))
                && (word.contains(|c: char| !c.is_ascii_lowercase())
                    || matches!(
                        word,
                        "off" | "on" | "disable" | "enable" | "start" | "end" | "stop" | "ignore"
                    ))
        })
}

/// The most bytes of a link's target and title, and of an alternative text.
const LONGEST_LINK: usize = 4096;

/// Titles, alternative texts and definitions that speak to an agent.
fn links(text: &str, found: &mut Vec<(Range<usize>, Form)>) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with('[') {
            definition(&text[start..], line.len(), start, found);
        }
        start += line.len();
    }
    let mut at = 0;
    while let Some(close) = text[at..].find("](") {
        let close = at + close;
        at = close + 2;
        let near = close.saturating_sub(LONGEST_LINK);
        let open = memchr::memrchr(b'[', &text.as_bytes()[near..close]).map(|open| near + open);
        if let Some(open) = open.filter(|open| text[..*open].ends_with('!')) {
            let words = open + 1..close;
            if speaks_to_agent(&text[words.clone()]) {
                found.push((words, Form::AltText));
            }
        }
        let near = &text.as_bytes()[at..text.len().min(at + LONGEST_LINK)];
        let Some(end) = memchr(b')', near).map(|len| at + len) else { continue };
        // A title may hold a parenthesis; it ends with its quote.
        let Some(quote) = text[at..end].find(['"', '\'']).map(|len| at + len) else { continue };
        let mark = text.as_bytes()[quote];
        let Some(title) = memchr(mark, &text.as_bytes()[quote + 1..text.len().min(quote + LONGEST_LINK)])
            .map(|len| quote + 1..quote + 1 + len)
        else {
            continue;
        };
        if speaks_to_agent(&text[title.clone()]) {
            found.push((title, Form::Title));
        }
    }
}

/// A definition (CommonMark 4.7), which nobody sees: `[label]: target "title"`. It begins `text`, on a line of `length`
/// bytes; its title may stand on the next one.
fn definition(text: &str, length: usize, start: usize, found: &mut Vec<(Range<usize>, Form)>) {
    let line = text[..length].trim_end();
    let Some((label, rest)) = line[1..].split_once("]:") else { return };
    if label.contains([']', '[']) {
        return;
    }
    let next = text[length..].split('\n').next().unwrap_or_default();
    let titled = next.trim_start().starts_with(['(', '"', '\'']);
    let (words, rest) = match titled && !rest.trim().contains(char::is_whitespace) {
        true => (text[..length + next.len()].trim_end(), next),
        false => (line, rest),
    };
    let said = speaks_to_agent(label)
        || rest.find(['(', '"', '\'', '<']).is_some_and(|at| speaks_to_agent(&rest[at + 1..]));
    if said {
        found.push((start..start + words.len(), Form::Definition));
    }
}
