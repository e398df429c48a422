//! Markup that hides what is in it: comments, definitions, titles, alternative texts, styles.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memmem};

use super::{Form, speaks_to_agent};
use crate::facts::view;

/// Looks through `text`, which begins inside an HTML comment if `in_comment` says so.
pub(super) fn scan(text: &str, in_comment: bool, found: &mut Vec<(Range<usize>, Form)>) {
    if in_comment || memmem::find(text.as_bytes(), b"<!--").is_some() {
        comments(text, in_comment, found);
    }
    if !in_comment && memchr(b'<', text.as_bytes()).is_some() {
        elements(text, found);
    }
    if !in_comment && memchr(b'[', text.as_bytes()).is_some() {
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

/// Elements that a style or an attribute hides, with text in them.
fn elements(text: &str, found: &mut Vec<(Range<usize>, Form)>) {
    let mut at = 0;
    while let Some(open) = memchr(b'<', &text.as_bytes()[at..]) {
        let start = at + open;
        at = start + 1;
        let Some(name_length) = name_length(&text[at..]) else { continue };
        let name = &text[at..at + name_length];
        let Some(end) = tag_end(text, at + name_length) else { continue };
        let attributes = text[at + name_length..end - 1].to_ascii_lowercase();
        at = end;
        if attributes.ends_with('/') || !hides(name, &attributes) {
            continue;
        }
        let close = format!("</{}", name.to_ascii_lowercase());
        let lower = text[end..].to_ascii_lowercase();
        let inner = lower.find(&close).map_or(text.len(), |len| end + len);
        if text[end..inner].contains(char::is_alphanumeric) {
            found.push((start..inner.max(end), Form::Style));
            at = inner;
        } else if inner == text.len() {
            // What it hides stands on the lines below.
            found.push((start..end, Form::Style));
        }
    }
}

/// The length of a tag's name at the beginning of `text`.
fn name_length(text: &str) -> Option<usize> {
    let length = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    text.bytes().next().filter(u8::is_ascii_alphabetic).map(|_| length)
}

/// The byte behind the `>` that closes a tag whose attributes begin at `at`; quoted values may hold one.
fn tag_end(text: &str, at: usize) -> Option<usize> {
    let mut quote = None;
    for (offset, byte) in text.as_bytes()[at..].iter().enumerate().take(1024) {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(*byte),
            (Some(open), byte) if open == *byte => quote = None,
            (None, b'>') => return Some(at + offset + 1),
            (None, b'<') => return None,
            _ => {}
        }
    }
    None
}

/// Whether the attributes, in lower case, hide the element.
fn hides(name: &str, attributes: &str) -> bool {
    const VOID: [&str; 6] = ["img", "br", "hr", "input", "link", "meta"];
    if VOID.iter().any(|void| name.eq_ignore_ascii_case(void)) || attributes.is_empty() {
        return false;
    }
    let mut rest = attributes;
    let mut white = [false; 2];
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic()) {
        rest = &rest[start..];
        let length = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':')))
            .unwrap_or(rest.len());
        let (key, behind) = rest.split_at(length);
        let behind = behind.trim_start();
        let (value, behind) = match behind.strip_prefix('=').map(str::trim_start) {
            None => ("", behind),
            Some(value) => match value.strip_prefix(['"', '\'']) {
                Some(inner) => {
                    let quote = &value[..1];
                    inner.split_once(quote).unwrap_or((inner, ""))
                }
                None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
            },
        };
        rest = behind;
        match key {
            "hidden" if value != "until-found" => return true,
            "style" if style_hides(value, &mut white) => return true,
            "color" => white[0] |= is_white(value),
            "bgcolor" => white[1] |= is_white(value),
            _ => {}
        }
    }
    // A page is white where it does not say otherwise.
    white[0]
}

fn is_white(value: &str) -> bool {
    let value: String = value.chars().filter(|c| !c.is_whitespace()).collect();
    matches!(value.as_str(), "white" | "#fff" | "#ffffff" | "rgb(255,255,255)" | "transparent")
}

fn style_hides(style: &str, white: &mut [bool; 2]) -> bool {
    let mut dark = false;
    let mut is_hidden = false;
    let (mut away, mut far, mut empty, mut cut) = (false, false, false, false);
    let style = written_plainly(style);
    for declaration in style.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let value = value.trim().trim_end_matches("!important").trim();
        let zero = || {
            let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
            digits.parse::<f32>().is_ok_and(|number| number.abs() < 0.05)
        };
        match property.trim() {
            "display" => is_hidden |= value == "none",
            "visibility" => is_hidden |= matches!(value, "hidden" | "collapse"),
            "opacity" | "font-size" => is_hidden |= zero(),
            "position" => away |= matches!(value, "absolute" | "fixed"),
            "left" | "right" | "top" | "bottom" => far |= beyond(value),
            "text-indent" | "margin-left" => is_hidden |= beyond(value),
            "clip" => cut |= value.starts_with("rect("),
            "clip-path" => is_hidden |= matches!(value, "inset(50%)" | "inset(100%)" | "circle(0)"),
            "width" | "height" | "max-width" | "max-height" => empty |= zero(),
            "overflow" | "overflow-x" | "overflow-y" => cut |= matches!(value, "hidden" | "clip"),
            "transform" => is_hidden |= value == "scale(0)",
            "color" => white[0] |= is_white(value),
            "background" | "background-color" => dark |= !is_white(value),
            _ => {}
        }
    }
    if dark {
        white[0] = false;
    }
    is_hidden || (away && far) || (empty && cut)
}

/// Whether a length is far beyond the left or upper edge of any page.
fn beyond(length: &str) -> bool {
    let digits = length.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    let few = !length.ends_with("px") && digits.len() < length.len();
    digits.parse::<f32>().is_ok_and(|number| number <= if few { -100.0 } else { -500.0 })
}

/// A style without its comments, and with character references read.
fn written_plainly(style: &str) -> Cow<'_, str> {
    if !style.contains(['&', '/']) {
        return Cow::Borrowed(style);
    }
    let mut style = view::without_references(style);
    while let Some(open) = style.find("/*") {
        let end = style[open + 2..].find("*/").map_or(style.len(), |length| open + length + 4);
        style.replace_range(open..end, "");
    }
    Cow::Owned(style.to_ascii_lowercase())
}

/// The most bytes of a link's target and title, and of an alternative text.
const LONGEST_LINK: usize = 4096;

/// Titles, alternative texts and definitions that speak to an agent.
fn links(text: &str, found: &mut Vec<(Range<usize>, Form)>) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        definition(line, start, found);
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

/// A definition (CommonMark 4.7), which nobody sees: `[label]: target "title"`.
fn definition(line: &str, start: usize, found: &mut Vec<(Range<usize>, Form)>) {
    let words = line.trim_end();
    if !words.starts_with('[') {
        return;
    }
    let Some((label, rest)) = words[1..].split_once("]:") else { return };
    if label.contains([']', '[']) {
        return;
    }
    let said = speaks_to_agent(label)
        || rest.find(['(', '"', '\'', '<']).is_some_and(|at| speaks_to_agent(&rest[at + 1..]));
    if said {
        found.push((start..start + words.len(), Form::Definition));
    }
}
