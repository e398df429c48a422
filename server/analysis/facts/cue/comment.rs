//! Comments in fences that say what the lines below them, or their own line, are.

use std::ops::Range;

use memchr::memchr_iter;

use super::Turn;
use super::phrase::{self, gives, leading_mark, negated_order};
use crate::facts::ban::sentence::{is_plain, tokens};
use crate::lines::Lang;

/// What opens a comment in a language: at the start of a line, and after white space in it.
fn openers(lang: Lang) -> (&'static [&'static str], &'static [&'static str]) {
    match lang {
        Lang::Shell | Lang::Console | Lang::PowerShell | Lang::Yaml | Lang::Toml | Lang::Python => {
            (&["#"], &["#"])
        }
        Lang::Dockerfile => (&["#"], &[]),
        Lang::Makefile => (&["#", "@#"], &["#"]),
        Lang::Cmd => (&["rem ", "::", "@rem "], &["& rem ", "&rem "]),
        Lang::Sql => (&["--", "#"], &["--"]),
        Lang::Json | Lang::JavaScript => (&["//"], &["//"]),
        Lang::Other => (&["//", "#", "--", ";"], &["//", "#"]),
        Lang::Unknown => (&["#", "//", "--"], &["#"]),
        Lang::Markdown => (&[], &[]),
    }
}

/// Whether what opens a comment stands anywhere in `text`.
pub(super) fn may_stand(text: &str, lang: Lang) -> bool {
    let (leading, trailing) = openers(lang);
    let bytes = text.as_bytes();
    leading.iter().chain(trailing).any(|opener| {
        let first = opener.as_bytes()[0];
        // A command opens comments of the shell of Windows, in either case.
        lang == Lang::Cmd || memchr_iter(first, bytes).any(|at| bytes[at..].starts_with(opener.as_bytes()))
    })
}

/// The comment of a line: its bytes, its text, and whether code stands before it.
pub(super) fn find(line: &str, lang: Lang) -> Option<(Range<usize>, &str, bool)> {
    let (leading, trailing) = openers(lang);
    let start = line.len() - line.trim_start().len();
    let end = line.trim_end().len();
    let opens = |at: usize, opener: &str| {
        line.as_bytes().get(at..at + opener.len()).is_some_and(|b| b.eq_ignore_ascii_case(opener.as_bytes()))
    };
    let found = |at: usize, opener: &str, trailing: bool| {
        let text = line.get(at + opener.len()..end).unwrap_or_default();
        (at..end, text.trim_matches(['#', '/', '-', '=', '!', ' ', '\t']), trailing)
    };
    if start >= end || !may_stand(line, lang) {
        return None;
    }
    if let Some(opener) = leading.iter().find(|opener| opens(start, opener)) {
        return Some(found(start, opener, false));
    }
    let bytes = line.as_bytes();
    let escapes_in_single = matches!(lang, Lang::JavaScript | Lang::Python | Lang::Json | Lang::Other);
    let mut quote = None;
    let mut at = start;
    while at < end {
        match (quote, bytes[at]) {
            (Some(b'\''), b'\\') if !escapes_in_single => {}
            (_, b'\\') => at += 1,
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, byte @ (b'"' | b'\'' | b'`')) => quote = Some(byte),
            (None, _) if at > start && bytes[at - 1].is_ascii_whitespace() => {
                if let Some(opener) = trailing.iter().find(|opener| opens(at, opener)) {
                    return Some(found(at, opener, true));
                }
            }
            (None, _) => {}
        }
        at += 1;
    }
    None
}

/// The first word of a line of a permission list ("deny rm -rf"), where the fence is in no shell's language: what stands
/// after it is a pattern. A line with an operator is none, for another command could stand behind that.
pub(super) fn denies(line: &str, lang: Lang) -> Option<Range<usize>> {
    if !matches!(lang, Lang::Unknown | Lang::Other) {
        return None;
    }
    let text = line.trim();
    let start = line.len() - line.trim_start().len();
    let word = text.split([' ', '\t']).next().unwrap_or_default();
    let fits = ["deny", "block", "forbid", "disallow", "reject"].contains(&word) && text.len() > word.len();
    let simple = || is_plain(text) && !text.contains([';', '&', '|', '`', '$', '<', '>', '(', '{']);
    (fits && simple()).then_some(start..start + word.len())
}

/// What a comment says of the lines that it stands above or behind.
pub(super) fn turn(text: &str) -> Option<Turn> {
    if super::given::is_loss(text) {
        return None;
    }
    if let Some(turn) = phrase::turn(text) {
        return Some(turn);
    }
    if super::given::by_comment(text) {
        return Some(Turn::Good);
    }
    // "❌ Don't push", "❌ Using `x`"
    let tokens = tokens(text, &[]);
    let (mark, at) = leading_mark(&tokens, 0);
    let rest = &tokens[at..];
    let first = rest.first()?;
    let opens = first.is_code()
        || negated_order(rest) > 0
        || first.is_in(&["using", "running", "executing", "calling", "pushing", "committing", "deleting"]);
    (mark == Some(Turn::Bad) && opens && is_plain(text) && !gives(rest, false)).then_some(Turn::Bad)
}
