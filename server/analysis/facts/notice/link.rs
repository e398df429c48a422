//! Links that are more than a citation.

use super::read::is_space;
use super::{Found, Mark, Word};

/// The forms of links that are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// Links that act when they are opened, and links with a password.
    Active,
    /// All of the safety scan's.
    All,
}

/// How far an action may stand from its link, in characters.
const NEAR: usize = 120;

/// The first link of `line` that is suspicious.
pub(super) fn find(line: &str, marks: &[Mark], links: Links) -> Option<Found> {
    let pattern = |mark: &Mark| match links {
        Links::All => dangerous(line, mark).or_else(|| acts(line, marks, mark).then_some("action")),
        Links::Active => dangerous(line, mark).filter(|pattern| is_active(line, mark, pattern)),
    };
    let mut found = marks.iter().filter(|mark| mark.word.is_link());
    found.find_map(|mark| {
        let pattern = pattern(mark)?;
        Some((mark.range.start..end(line, mark), pattern))
    })
}

/// As much of a link as is looked at: no program takes a longer one.
fn head(rest: &str) -> &str {
    const LONGEST: usize = 2048;
    let end = (0..=LONGEST.min(rest.len())).rev().find(|end| rest.is_char_boundary(*end));
    &rest[..end.unwrap_or_default()]
}

/// Where a link ends, as far as a line of prose says.
fn end(line: &str, mark: &Mark) -> usize {
    let rest = &line[mark.range.end..];
    let closes = |c: char| is_space(c) || matches!(c, ')' | '>' | '"' | '\'' | '`' | ']' | '|');
    mark.range.end + rest.find(closes).unwrap_or(rest.len())
}

/// Whether it would act, or lets somebody in, in a document that gives instructions: a list of languages names
/// JavaScript and a colon, and pictures are data.
fn is_active(line: &str, mark: &Mark, pattern: &str) -> bool {
    let rest = &line[mark.range.end..];
    match mark.word {
        Word::Script => {
            rest.chars().next().is_some_and(|c| !is_space(c) && !matches!(c, '*' | '`' | '"' | '\''))
        }
        Word::Data => !["image/", "font/", "audio/", "video/"].iter().any(|kind| {
            rest.as_bytes().get(..kind.len()).is_some_and(|there| there.eq_ignore_ascii_case(kind.as_bytes()))
        }),
        _ => pattern == "credentials",
    }
}

/// What is wrong with the link by itself.
fn dangerous(line: &str, mark: &Mark) -> Option<&'static str> {
    let rest = head(&line[mark.range.end..]);
    match mark.word {
        Word::Script => Some("active-scheme"),
        Word::Share => Some("file-sharing"),
        Word::Data => is_data(rest).then_some("data-url"),
        Word::Web if has_password(rest) => Some("credentials"),
        Word::Web if is_local(rest) => Some("local-network"),
        Word::Web if is_executable(rest) => Some("executable"),
        _ => None,
    }
}

/// Whether an action stands before the link, or in it.
fn acts(line: &str, marks: &[Mark], link: &Mark) -> bool {
    if !matches!(link.word, Word::Web | Word::Www) {
        return false;
    }
    // Most verbs of a long line are farther away than so many characters may take.
    let reach = 4 * NEAR + 64;
    let first = marks.partition_point(|mark| mark.range.start + reach < link.range.start);
    let near = marks[first..].iter().take_while(|mark| mark.range.start <= link.range.end + reach);
    near.filter(|mark| mark.word.acts()).any(|verb| {
        if verb.range.end <= link.range.start {
            line[verb.range.end..link.range.start].chars().count() <= NEAR
        } else if let Some(between) = line.get(link.range.end..verb.range.start) {
            between.chars().count() <= NEAR && !between.chars().any(is_space)
        } else {
            false
        }
    })
}

/// A media type, perhaps `;base64`, and a comma.
fn is_data(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    let kind = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    if kind == 0 || bytes.get(kind) != Some(&b'/') {
        return false;
    }
    let sub = &bytes[kind + 1..];
    let in_sub = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-');
    let length = sub.iter().take_while(in_sub).count();
    let behind = &sub[length..];
    let encoded = behind.get(..7).filter(|start| start.eq_ignore_ascii_case(b";base64"));
    length > 0 && behind.get(encoded.map_or(0, <[u8]>::len)) == Some(&b',')
}

/// `user:password@`.
fn has_password(rest: &str) -> bool {
    let Some(end) = rest.find(|c: char| is_space(c) || matches!(c, '/' | '@')) else { return false };
    let user = &rest[..end];
    // A colon with something on either side, and it may be any of several.
    let colon = user.char_indices().skip(1).any(|(at, c)| c == ':' && at + 1 < user.len());
    colon && rest[end..].starts_with('@')
}

/// This machine, or a private network.
fn is_local(rest: &str) -> bool {
    let ends = |left: &str| left.chars().next().is_none_or(|c| matches!(c, ':' | '/') || is_space(c));
    let name = rest.as_bytes().get(..9).is_some_and(|name| name.eq_ignore_ascii_case(b"localhost"));
    if name && ends(&rest[9..]) {
        return true;
    }
    let bare = rest.strip_prefix('[').unwrap_or(rest);
    if let Some(left) = bare.strip_prefix("::1")
        && (ends(left.strip_prefix(']').unwrap_or(left)) || ends(left))
    {
        return true;
    }
    let mut parts = [""; 4];
    let mut left = rest;
    for (index, part) in parts.iter_mut().enumerate() {
        if index > 0 {
            let Some(behind) = left.strip_prefix('.') else { return false };
            left = behind;
        }
        let digits = left.bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=3).contains(&digits) {
            return false;
        }
        (*part, left) = left.split_at(digits);
    }
    // Compared as they are written: `010` is no `10`.
    let private = match parts {
        ["127" | "10", ..] | ["192", "168", ..] => true,
        ["172", second, ..] => second.len() == 2 && ("16"..="31").contains(&second),
        _ => false,
    };
    private && ends(left)
}

/// The file name of something that runs.
fn is_executable(rest: &str) -> bool {
    const ENDINGS: [&str; 8] = ["ps1", "bat", "cmd", "exe", "msi", "sh", "js", "zip"];
    let end = rest.find(|c: char| is_space(c) || c == ')').unwrap_or(rest.len());
    let path = &rest[..end];
    path.match_indices('.').skip_while(|(dot, _)| *dot == 0).any(|(dot, _)| {
        let behind = &path.as_bytes()[dot + 1..];
        ENDINGS.iter().any(|ending| {
            behind.get(..ending.len()).is_some_and(|there| there.eq_ignore_ascii_case(ending.as_bytes()))
                && behind.get(ending.len()).is_none_or(|next| matches!(next, b'?' | b'#'))
        })
    })
}
