//! How leaf blocks begin and end: one function per construct of CommonMark chapter 4 and GFM's tables.
//!
//! Each reads the bytes behind the line's indentation (at most three columns) up to the line's end.

use super::cursor::is_blank;
use super::state::{Family, HtmlEnd, Mark};

/// 4.1: three or more of `*`, `-` or `_`, spaces between them allowed.
pub(super) fn thematic_break(rest: &[u8]) -> bool {
    let Some(&mark @ (b'*' | b'-' | b'_')) = rest.first() else { return false };
    let mut count = 0;
    for b in rest {
        match b {
            b if *b == mark => count += 1,
            b' ' | b'\t' => {}
            _ => return false,
        }
    }
    count >= 3
}

/// 4.2: the length of `#`s and the white space after them, where the heading's text begins.
pub(super) fn atx_heading(rest: &[u8]) -> Option<usize> {
    let level = rest.iter().take_while(|b| **b == b'#').count();
    if level == 0 || level > 6 {
        return None;
    }
    match rest.get(level) {
        None => Some(level),
        Some(b' ' | b'\t') => {
            Some(level + rest[level..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count())
        }
        Some(_) => None,
    }
}

/// 4.3: the underline of a setext heading.
pub(super) fn setext_underline(rest: &[u8]) -> bool {
    let Some(&mark @ (b'=' | b'-')) = rest.first() else { return false };
    let run = rest.iter().take_while(|b| **b == mark).count();
    is_blank(&rest[run..])
}

/// 4.5: the marker and its length; the info string is what follows.
pub(super) fn fence_open(rest: &[u8]) -> Option<(Mark, usize)> {
    let mark = match rest.first()? {
        b'`' => Mark::Backtick,
        b'~' => Mark::Tilde,
        _ => return None,
    };
    let run = rest.iter().take_while(|b| **b == mark.byte()).count();
    (run >= 3 && !(mark == Mark::Backtick && rest[run..].contains(&b'`'))).then_some((mark, run))
}

/// 4.5: whether the line closes a fence opened with `len` of `mark`.
pub(super) fn fence_close(rest: &[u8], mark: Mark, len: usize) -> bool {
    let run = rest.iter().take_while(|b| **b == mark.byte()).count();
    run >= len && is_blank(&rest[run..])
}

/// 5.2: the family of a list marker, its length in bytes, and whether it is one that may interrupt a paragraph by its
/// number (a bullet, or 1). The marker must be followed by white space or the line's end.
pub(super) fn list_marker(rest: &[u8]) -> Option<(Family, usize, bool)> {
    let (family, len, first) = match *rest.first()? {
        bullet @ (b'-' | b'+' | b'*') => (Family::Bullet(bullet), 1, true),
        b'0'..=b'9' => {
            let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
            let delimiter @ (b'.' | b')') = *rest.get(digits)? else { return None };
            if digits > 9 {
                return None;
            }
            let is_one = rest[..digits].iter().rev().skip(1).all(|d| *d == b'0') && rest[digits - 1] == b'1';
            (Family::Ordered(delimiter), digits + 1, is_one)
        }
        _ => return None,
    };
    matches!(rest.get(len), None | Some(b' ' | b'\t')).then_some((family, len, first))
}

/// GFM 4.10: the number of cells of a delimiter row, which must have a pipe.
pub(super) fn delimiter_row(rest: &[u8]) -> Option<usize> {
    if !rest.contains(&b'|') || !rest.iter().all(|b| matches!(b, b'|' | b'-' | b':' | b' ' | b'\t')) {
        return None;
    }
    let row = strip_pipes(rest);
    row.split(|b| *b == b'|').all(is_delimiter_cell).then(|| row.split(|b| *b == b'|').count())
}

fn is_delimiter_cell(cell: &[u8]) -> bool {
    let cell = cell.trim_ascii();
    let cell = cell.strip_prefix(b":").unwrap_or(cell);
    let cell = cell.strip_suffix(b":").unwrap_or(cell);
    !cell.is_empty() && cell.iter().all(|b| *b == b'-')
}

/// GFM 4.10: the number of cells of a header row, 0 if it has no pipe.
pub(super) fn header_cells(rest: &[u8]) -> usize {
    if !rest.contains(&b'|') {
        return 0;
    }
    let row = strip_pipes(rest);
    1 + unescaped_pipes(row)
}

/// The row without white space around it and without an outer pipe at either end.
fn strip_pipes(row: &[u8]) -> &[u8] {
    let row = row.trim_ascii();
    let row = row.strip_prefix(b"|").unwrap_or(row);
    match row.strip_suffix(b"|") {
        Some(inner) if inner.iter().rev().take_while(|b| **b == b'\\').count() % 2 == 0 => inner,
        _ => row,
    }
}

fn unescaped_pipes(row: &[u8]) -> usize {
    let mut count = 0;
    let mut escaped = false;
    for b in row {
        match b {
            b'\\' => escaped = !escaped,
            b'|' if !escaped => count += 1,
            _ => escaped = false,
        }
    }
    count
}

/// 4.6: which end condition an HTML block has that begins here. Kind 7 cannot interrupt a paragraph.
pub(super) fn html_open(rest: &[u8], in_paragraph: bool) -> Option<HtmlEnd> {
    if rest.first() != Some(&b'<') {
        return None;
    }
    let tag = &rest[1..];
    if tag.starts_with(b"!--") {
        return Some(HtmlEnd::Comment);
    }
    if tag.starts_with(b"?") {
        return Some(HtmlEnd::Instruction);
    }
    if tag.starts_with(b"![CDATA[") {
        return Some(HtmlEnd::CData);
    }
    if tag.first() == Some(&b'!') {
        return tag.get(1).is_some_and(u8::is_ascii_alphabetic).then_some(HtmlEnd::Declaration);
    }
    let closing = tag.first() == Some(&b'/');
    let name = &tag[usize::from(closing)..];
    let len = name.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let after = name.get(len);
    let name = name[..len].to_ascii_lowercase();
    let is = |list: &[&str]| list.iter().any(|tag| tag.as_bytes() == name);
    if !closing && is(&RAW_TAGS) && matches!(after, None | Some(b' ' | b'\t' | b'>')) {
        return Some(if name == b"style" { HtmlEnd::Style } else { HtmlEnd::Raw });
    }
    let self_closed = after == Some(&b'/') && rest.get(1 + usize::from(closing) + len + 1) == Some(&b'>');
    if is(&BLOCK_TAGS) && (matches!(after, None | Some(b' ' | b'\t' | b'>')) || self_closed) {
        return Some(HtmlEnd::Blank);
    }
    (!in_paragraph && complete_tag(rest).is_some_and(|end| is_blank(&rest[end..]))).then_some(HtmlEnd::Blank)
}

/// 4.6: whether a line inside an HTML block (its opening line included) fulfils the end condition.
pub(super) fn html_close(line: &[u8], end: HtmlEnd) -> bool {
    let has = |needle: &[u8]| line.windows(needle.len()).any(|w| w.eq_ignore_ascii_case(needle));
    match end {
        HtmlEnd::Raw | HtmlEnd::Style => RAW_TAGS.iter().any(|tag| has(format!("</{tag}>").as_bytes())),
        HtmlEnd::Comment => has(b"-->"),
        HtmlEnd::Instruction => has(b"?>"),
        HtmlEnd::Declaration => has(b">"),
        HtmlEnd::CData => has(b"]]>"),
        HtmlEnd::Blank => false,
    }
}

/// 6.6: the end of a complete open or closing tag that begins at `<`.
fn complete_tag(rest: &[u8]) -> Option<usize> {
    let mut at = 1;
    let closing = rest.get(at) == Some(&b'/');
    at += usize::from(closing);
    if !rest.get(at)?.is_ascii_alphabetic() {
        return None;
    }
    at += rest[at..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
    let space = |at: usize| rest[at..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    if closing {
        at += space(at);
        return (rest.get(at) == Some(&b'>')).then_some(at + 1);
    }
    loop {
        let gap = space(at);
        at += gap;
        match *rest.get(at)? {
            b'>' => return Some(at + 1),
            b'/' => return (rest.get(at + 1) == Some(&b'>')).then_some(at + 2),
            b if gap > 0 && (b.is_ascii_alphabetic() || matches!(b, b'_' | b':')) => {
                at += rest[at..]
                    .iter()
                    .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.' | b'-'))
                    .count();
                let value = at + space(at);
                if rest.get(value) == Some(&b'=') {
                    at = attribute_value(rest, value + 1 + space(value + 1))?;
                }
            }
            _ => return None,
        }
    }
}

fn attribute_value(rest: &[u8], at: usize) -> Option<usize> {
    match *rest.get(at)? {
        quote @ (b'"' | b'\'') => Some(at + 1 + rest[at + 1..].iter().position(|b| *b == quote)? + 1),
        _ => {
            let stop = |b: &u8| matches!(b, b' ' | b'\t' | b'"' | b'\'' | b'=' | b'<' | b'>' | b'`');
            let len = rest[at..].iter().position(stop).unwrap_or(rest.len() - at);
            (len > 0).then_some(at + len)
        }
    }
}

const RAW_TAGS: [&str; 4] = ["script", "pre", "style", "textarea"];

const BLOCK_TAGS: [&str; 62] = [
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];
