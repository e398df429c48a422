//! Where a bare command ends in prose: at a sign or word with which prose goes on.

use super::names::{is_stop, name_of};

/// Marks of Chinese and Japanese that no command has.
const FULL_WIDTH: [char; 7] =
    ['\u{3002}', '\u{FF0C}', '\u{FF1B}', '\u{FF1A}', '\u{FF01}', '\u{FF1F}', '\u{3001}'];

/// Where the command that begins at `start` ends: at a sign or word with which prose goes on.
pub(super) fn command_end(unit: &str, start: usize, limit: usize, sql: bool) -> usize {
    let closer = closer(unit, start, limit);
    let limit = closer.unwrap_or(limit);
    // a closing tag: `<code>rm -rf x</code>`
    let within = &unit.as_bytes()[start..limit.min(start + 4096)];
    let tagged = unit[..start].ends_with('>');
    let closing_tag = if tagged { within.windows(2).position(|pair| pair == b"</") } else { None };
    let mut limit = closing_tag.map_or(limit, |at| start + at);
    let mut end = start;
    let mut at = start;
    let mut quote: Option<char> = None;
    let mut index = 0;
    while at < limit {
        let rest = &unit[at..limit];
        let blank = rest.len() - rest.trim_start().len();
        if quote.is_none() && rest[..blank].contains('\n') && new_line_begins(rest[blank..].trim_start()) {
            break;
        }
        at += blank;
        let rest = &unit[at..limit];
        if rest.is_empty() {
            break;
        }
        let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
        // full-width marks end a sentence without a blank after them
        let mark = if rest[..len].is_ascii() { None } else { rest[..len].find(|c| FULL_WIDTH.contains(&c)) };
        let len = match mark {
            Some(0) if index > 0 => break,
            Some(mark) if mark > 0 => {
                limit = at + mark;
                mark
            }
            _ => len,
        };
        let rest = &unit[at..limit];
        let word = &rest[..len];
        let quoted = quote.is_some();
        let paired = word.matches('\'').count().is_multiple_of(2);
        let opens = word.starts_with('\'') && !paired && unit[at + len..limit].contains('\'');
        for c in word.chars() {
            match quote {
                Some(open) if c == open => quote = None,
                None if c == '"' || (c == '\'' && (paired || opens)) => quote = Some(c),
                _ => {}
            }
        }
        if !quoted && index > 0 {
            let plain = word.trim_end_matches([',', '.', ';', ':', '!', '?', ')']);
            let stop = is_stop(plain)
                && !(sql
                    && matches!(
                        plain,
                        "if" | "from" | "where" | "or" | "and" | "in" | "on" | "to" | "is" | "as" | "by"
                    ));
            let dash =
                matches!(word, "-" | "--" | "\u{2014}" | "\u{2013}" | "->" | "-->" | "=>" | "\u{2192}");
            if stop
                || (dash && word != "--" && word != "-")
                || (word == "-" && !rest[len..].trim().is_empty())
            {
                break;
            }
        }
        if quoted || quote.is_some() {
            at += len;
            // the closing quote stays
            let sentence = word.len() - word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']).len();
            end = if quote.is_none() { at - sentence } else { at };
            index += 1;
            continue;
        }
        let cut = trailing(word);
        at += len;
        end = at - cut;
        if cut > 0
            && !(word.ends_with(';')
                && name_of(rest[len..].split_whitespace().next().unwrap_or_default()).is_some())
        {
            break;
        }
        if cut > 0 {
            end = at;
        }
        index += 1;
        if index >= 64 {
            break;
        }
    }
    // By characters: a no-break space has two bytes.
    end = unit[..end].trim_end().len().max(start.min(end));
    // emphasis around the whole
    let stars = unit[..start].bytes().rev().take_while(|byte| matches!(byte, b'*' | b'_')).count();
    for _ in 0..stars {
        if end > start + 1 && unit[..end].ends_with(['*', '_']) {
            end -= 1;
        }
    }
    end
}

/// Whether the next line of a paragraph is not the same command going on.
fn new_line_begins(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    name_of(word).is_some() || word.starts_with(char::is_uppercase) || word.starts_with(['$', '#'])
}

/// How many bytes of a word's end belong to the sentence: a full stop, a comma, a closing bracket.
fn trailing(word: &str) -> usize {
    let mut end = word.len();
    while let Some(c) = word[..end].chars().next_back() {
        let inner = &word[..end - c.len_utf8()];
        let closes = match c {
            '.' => !(inner.is_empty() || inner.ends_with('.') || inner.ends_with('/')),
            ',' | '!' | '?' | ':' | ';' => !inner.is_empty() && (c != '?' || !inner.contains('*')),
            ')' => !inner.contains('('),
            ']' => !inner.contains('['),
            '\u{201D}' | '\u{2019}' | '\u{BB}' | '\u{3002}' | '\u{FF0C}' => true,
            '"' => inner.matches('"').count().is_multiple_of(2),
            '\'' => inner.matches('\'').count().is_multiple_of(2),
            '\u{2026}' | '`' => true,
            // `\``: a backtick that is shown
            '\\' => word[end..].starts_with('`'),
            _ => false,
        };
        if !closes {
            break;
        }
        end = inner.len();
    }
    word.len() - end
}

/// Where the quote or bracket closes that opens right before `start`.
fn closer(unit: &str, start: usize, limit: usize) -> Option<usize> {
    let open = unit[..start].chars().next_back()?;
    let close = match open {
        '"' => '"',
        '\u{201C}' => '\u{201D}',
        '\u{2018}' => '\u{2019}',
        '\u{AB}' => '\u{BB}',
        '\'' => '\'',
        '(' => ')',
        '[' => ']',
        _ => return None,
    };
    let mut depth = 0usize;
    for (at, c) in unit[start..limit].char_indices().take(2048) {
        if c == close && depth == 0 {
            return Some(start + at);
        } else if c == close {
            depth -= 1;
        } else if c == open && open != close {
            depth += 1;
        }
    }
    None
}
