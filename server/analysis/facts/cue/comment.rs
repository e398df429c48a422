//! Comments in fences that say what the lines below them, or their own line, are.

use std::ops::Range;

use super::Turn;
use super::phrase::{Mark, Phrase, gives, label, leading_mark};
use crate::facts::ban::sentence::tokens;
use crate::lines::Lang;

/// What opens a comment in a language: at the start of a line, or after white space in it.
fn openers(lang: Lang) -> (&'static [&'static str], &'static [&'static str]) {
    match lang {
        Lang::Shell | Lang::Console | Lang::PowerShell | Lang::Yaml | Lang::Toml | Lang::Python => {
            (&["#"], &["#"])
        }
        Lang::Dockerfile => (&["#"], &[]),
        Lang::Cmd => (&["rem ", "::", "@rem "], &["& rem ", "&rem "]),
        Lang::Sql => (&["--", "#"], &["--"]),
        Lang::Json | Lang::JavaScript => (&["//"], &["//"]),
        Lang::Other => (&["//", "#", "--", ";"], &["//", "#"]),
        Lang::Unknown => (&["#", "//", "--"], &["#"]),
        Lang::Markdown => (&[], &[]),
    }
}

/// The comment of a line: its bytes, its text, and whether code stands before it.
pub(super) fn find(line: &str, lang: Lang) -> Option<(Range<usize>, &str, bool)> {
    let (leading, trailing) = openers(lang);
    let start = line.len() - line.trim_start().len();
    let end = line.trim_end().len();
    let starts = |at: usize, opener: &str| {
        line.as_bytes()[at..].len() >= opener.len()
            && line.as_bytes()[at..at + opener.len()].eq_ignore_ascii_case(opener.as_bytes())
    };
    let text = |at: usize, opener: &str| {
        line[at + opener.len()..end.max(at + opener.len())]
            .trim_matches(['#', '/', '-', '=', '!', ' ', '\t'])
            .trim()
    };
    for opener in leading {
        if start < end && starts(start, opener) {
            return Some((start..end, text(start, opener), false));
        }
    }
    let mut quote = None;
    let bytes = line.as_bytes();
    let mut at = start;
    while at < end {
        match (quote, bytes[at]) {
            (Some(b'\''), b'\\') if lang != Lang::JavaScript && lang != Lang::Python => {}
            (_, b'\\') => at += 1,
            (Some(open), b) if b == open => quote = None,
            (Some(_), _) => {}
            (None, b @ (b'"' | b'\'' | b'`')) => quote = Some(b),
            (None, _) => {
                let begins = at > start && bytes[at - 1].is_ascii_whitespace();
                if let Some(opener) = trailing.iter().find(|opener| begins && starts(at, opener)) {
                    return Some((at..end, text(at, opener), true));
                }
            }
        }
        at += 1;
    }
    None
}

/// What a comment says of the lines that it stands above or behind.
pub(super) fn turn(text: &str) -> Option<Turn> {
    let phrase = Phrase::read(text);
    match phrase.mark {
        Some(Mark::Good) => return Some(Turn::Good),
        Some(Mark::Bad) if phrase.words.is_empty() => return Some(Turn::Bad),
        _ => {}
    }
    if phrase.is_bad() {
        return Some(Turn::Bad);
    }
    let tokens = tokens(text, &[]);
    let (mark, after) = leading_mark(&tokens);
    match label(&tokens, after) {
        (Some(Turn::Bad), after) if !gives(&tokens[after..]) => Some(Turn::Bad),
        (Some(Turn::Good), _) => Some(Turn::Good),
        (None, _) if mark.is_none() && phrase.is_good() => Some(Turn::Good),
        _ => None,
    }
}
