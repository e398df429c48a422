//! Elements that a page does not show, and attributes that speak.
//!
//! What a style or an attribute hides is told whatever it says. What HTML itself keeps from the page (templates, what
//! stands in for a script, descriptions of drawings, folded details) and what stands in attributes has honest uses by
//! the dozen, and is told only where it speaks to an agent.

use std::ops::Range;

use memchr::memchr;

use super::style::{Colours, hides_by_style};
use super::{Form, speaks_to_agent};

/// The most bytes of a tag.
const LONGEST: usize = 4096;

/// Elements whose content a page keeps to itself, or shows only when somebody asks, or where something else fails.
const KEPT: [&str; 17] = [
    "template", "noscript", "script", "desc", "title", "metadata", "details", "dialog", "datalist", "canvas",
    "video", "audio", "object", "iframe", "noframes", "noembed", "rp",
];

/// Classes that stylesheets hide an element by, by convention. What the stylesheet says is not known.
const CLASSES: [&str; 8] = [
    "hidden",
    "d-none",
    "invisible",
    "visually-hidden",
    "sr-only",
    "screen-reader-text",
    "is-hidden",
    "hide",
];

/// Elements without content.
const VOID: [&str; 6] = ["img", "br", "hr", "input", "link", "meta"];

/// Attributes that hold no words.
const NAMES: [&str; 10] =
    ["href", "src", "srcset", "class", "id", "style", "d", "points", "xmlns", "viewbox"];

/// Looks through `text` for such elements and attributes.
pub(super) fn scan(text: &str, found: &mut Vec<(Range<usize>, Form)>) {
    // Names that nothing closes from some byte on: looked for once.
    let mut unclosed: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr(b'<', &text.as_bytes()[at..]) {
        let start = at + open;
        at = start + 1;
        let Some(name_length) = name_length(&text[at..]) else { continue };
        let name = &text[at..at + name_length];
        let Some(end) = tag_end(text, at + name_length) else { continue };
        let attributes = Attributes { text, at: at + name_length, end: end - 1 };
        let closed = text[..end - 1].ends_with('/');
        at = end;
        let is = |known: &&str| name.eq_ignore_ascii_case(known);
        for (key, value) in attributes.clone() {
            let words = &text[value.clone()];
            let names = NAMES.iter().any(|known| key.eq_ignore_ascii_case(known));
            if !names && words.contains(char::is_whitespace) && speaks_to_agent(words) {
                found.push((value, Form::Attribute));
            }
        }
        if closed || VOID.iter().any(is) {
            continue;
        }
        let hidden = hides(attributes.clone());
        let kept = KEPT.iter().any(is) || sets_apart(attributes.clone());
        if !hidden && !kept {
            continue;
        }
        let open_details = || attributes.clone().any(|(key, _)| key.eq_ignore_ascii_case("open"));
        if !hidden
            && (name.eq_ignore_ascii_case("details") || name.eq_ignore_ascii_case("dialog"))
            && open_details()
        {
            continue;
        }
        let inner = if unclosed.contains(&name) { None } else { closing(text, end, name) };
        if inner.is_none() {
            unclosed.push(name);
        }
        let inner = inner.unwrap_or(text.len());
        if !hidden {
            if speaks_to_agent(&text[end..inner]) {
                found.push((start..inner, Form::Element));
                at = inner;
            }
        } else if text[end..inner].contains(char::is_alphanumeric) {
            found.push((start..inner, Form::Style));
            at = inner;
        } else if inner == text.len() {
            // What it hides stands on the lines below.
            found.push((start..end, Form::Style));
        }
    }
}

/// Where behind `from` a closing tag of `name` begins.
fn closing(text: &str, from: usize, name: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'<', &bytes[from..]).map(|at| from + at).find(|at| {
        let rest = &bytes[at + 1..];
        rest.first() == Some(&b'/')
            && rest.get(1..1 + name.len()).is_some_and(|known| known.eq_ignore_ascii_case(name.as_bytes()))
    })
}

/// The length of a tag's name at the beginning of `text`.
fn name_length(text: &str) -> Option<usize> {
    let length = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    text.bytes().next().filter(u8::is_ascii_alphabetic).map(|_| length)
}

/// The byte behind the `>` that closes a tag whose attributes begin at `at`; quoted values may hold one.
fn tag_end(text: &str, at: usize) -> Option<usize> {
    let mut quote = None;
    for (offset, byte) in text.as_bytes()[at..].iter().enumerate().take(LONGEST) {
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

/// The attributes of a tag: each key, and where its value stands, which is empty without one.
#[derive(Clone)]
struct Attributes<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.at..self.end];
        let start = self.at + rest.find(|c: char| c.is_ascii_alphabetic())?;
        let rest = &self.text[start..self.end];
        let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
        let key = &rest[..rest.find(|c| !named(c)).unwrap_or(rest.len())];
        let behind = rest[key.len()..].trim_start();
        let Some(value) = behind.strip_prefix('=').map(str::trim_start) else {
            self.at = start + key.len();
            return Some((key, self.at..self.at));
        };
        let (from, length, quotes) = match value.strip_prefix(['"', '\'']) {
            Some(inner) => (1, inner.find(&value[..1]).unwrap_or(inner.len()), 1),
            None => (0, value.find(char::is_whitespace).unwrap_or(value.len()), 0),
        };
        let from = self.end - value.len() + from;
        self.at = (from + length + quotes).min(self.end);
        Some((key, from..from + length))
    }
}

/// Whether the attributes keep their element from some of those who read the page: from whoever hears it read, or, by a
/// class's name, from whoever sees it.
fn sets_apart(mut attributes: Attributes<'_>) -> bool {
    let text = attributes.text;
    attributes.any(|(key, value)| {
        let value = &text[value];
        let class = |name: &str| CLASSES.iter().any(|known| name.eq_ignore_ascii_case(known));
        match key.len() {
            5 if key.eq_ignore_ascii_case("class") => value.split_ascii_whitespace().any(class),
            11 if key.eq_ignore_ascii_case("aria-hidden") => value.eq_ignore_ascii_case("true"),
            _ => false,
        }
    })
}

/// Whether the attributes hide their element.
fn hides(attributes: Attributes<'_>) -> bool {
    let text = attributes.text;
    let mut colours = Colours::default();
    for (key, value) in attributes {
        let value = || text[value.clone()].to_ascii_lowercase();
        match key.to_ascii_lowercase().as_str() {
            "hidden" if value() != "until-found" => return true,
            "style" if hides_by_style(&value(), &mut colours) => return true,
            "color" => colours.text(&value()),
            "bgcolor" => colours.ground(&value()),
            _ => {}
        }
    }
    colours.hide()
}
