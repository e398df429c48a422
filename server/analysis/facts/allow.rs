//! Suppressions: comments that say which finding is accepted, until when, and why (CONTRACTS, "Suppressions").
//!
//! The form is closed: the whole comment matches, or it suppresses nothing and says so. Whatever begins like a
//! suppression is kept as one, so that a slip of the pen is an error and never silence.

mod fault;
#[cfg(test)]
mod tests;

use std::ops::Range;

use jiff::civil::Date;

use crate::catalogue::{Catalogue, Group, RuleId};
use crate::nearest::distance;
pub use fault::{Fault, FaultKind};

/// The most characters that a reason may have.
pub const REASON: usize = 500;

/// What kind of comment a line may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comment {
    /// `<!-- … -->`, from the line's first character to its last.
    Html,
    /// `# …`, to the end of the line.
    Hash,
}

/// A suppression. Ranges are bytes of the line that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allow {
    /// It holds in the whole file.
    pub file: bool,
    /// The rules, and where each is named.
    pub rules: Vec<(RuleId, Range<usize>)>,
    /// The last day on which it holds, in UTC.
    pub expires: Date,
    /// Where that day stands.
    pub expires_at: Range<usize>,
    /// Where the reason stands, without its quotes and with its escapes.
    pub reason: Range<usize>,
}

/// Whether a rule can be suppressed in the document itself.
#[must_use]
pub fn is_allowed_inline(rule: RuleId) -> bool {
    let group = rule.rule().group;
    !matches!(group, Group::Secret | Group::Suppression | Group::Config) && rule.name() != "hidden-content"
}

/// Reads `line`, which holds nothing but the comment if it holds one: where the comment stands, and what it says.
/// `None` where it is no suppression and is not meant to be one.
#[must_use]
pub fn read(line: &str, comment: Comment) -> Option<(Range<usize>, Result<Allow, Fault>)> {
    let start = line.len() - line.trim_start_matches([' ', '\t']).len();
    let end = line.trim_end_matches([' ', '\t']).len();
    let text = line.get(start..end)?;
    let (open, close) = match comment {
        Comment::Html => ("<!--", "-->"),
        Comment::Hash => ("#", ""),
    };
    let inside = text.strip_prefix(open)?;
    let blank = inside.len() - inside.trim_start_matches([' ', '\t']).len();
    let word = start + open.len() + blank;
    let length = word_len(&line[word..end])?;
    let word = word..word + length;
    let fault = |kind, range| Some((start..end, Err(Fault { kind, range })));
    let body = match comment {
        Comment::Hash => word.start..end,
        Comment::Html => {
            let Some(at) = line[word.start..end].find(close) else {
                return fault(FaultKind::SeveralLines, start..end);
            };
            let after = word.start + at + close.len();
            if after != end {
                let blank = line[after..end].len() - line[after..end].trim_start_matches([' ', '\t']).len();
                return fault(FaultKind::TextBehind, after + blank..end);
            }
            word.start..word.start + at
        }
    };
    let word = word.start..word.end.min(body.end);
    let body = body.start..body.start + line[body].trim_end_matches([' ', '\t']).len();
    let mut reader = Reader { line, at: word.end, end: body.end, word };
    Some((start..end, reader.read()))
}

/// Where in `text`, which is no comment alone, a comment stands that is meant as a suppression: its bytes, and whether its
/// opening mark has a dash that is no hyphen. The text has no code spans.
#[must_use]
pub fn misplaced(text: &str, from: usize) -> Option<(Range<usize>, bool)> {
    text.get(from..)?.match_indices("<!").find_map(|(at, _)| {
        let at = from + at;
        let rest = &text[at + 2..];
        let inside = rest.trim_start_matches(|c| c == '-' || is_dash(c));
        if inside.len() == rest.len() {
            return None;
        }
        let odd = rest[..rest.len() - inside.len()].contains(is_dash);
        word_len(inside.trim_start_matches([' ', '\t']))?;
        let line = text[at..].find('\n').map_or(text.len(), |end| at + end);
        let end = text[at..line].find('>').map_or(line, |end| at + end + 1);
        Some((at..end, odd))
    })
}

/// The length of the word with which `text` begins, if somebody who writes it means a suppression.
#[must_use]
pub fn word_len(text: &str) -> Option<usize> {
    const MEANT: [&str; 6] = ["allow", "ignore", "disable", "suppress", "noqa", "skip"];
    let first = |text: &str| {
        let of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || is_dash(c);
        text.find(|c: char| !of_word(c)).unwrap_or(text.len())
    };
    let len = first(text);
    let head = plain(&text[..len]);
    let meant = |tail: &str| MEANT.iter().any(|meant| tail.starts_with(meant));
    if head == "caveat" {
        // "caveat allow", "caveat: allow": words of a sentence, too, save where a suppression goes on.
        let rest = text[len..].trim_start_matches([' ', '\t', ':']);
        let second = first(rest);
        let end = text.len() - rest.len() + second;
        let goes_on = text[end..].contains("expires") || text[end..].contains("reason=");
        return (goes_on && meant(&plain(&rest[..second]))).then_some(end);
    }
    let tail = head.strip_prefix("caveat-");
    let misspelt = || (10..=20).contains(&head.len()) && WORDS.iter().any(|word| distance(&head, word) <= 2);
    (tail.is_some_and(meant) || misspelt()).then_some(len)
}

/// The first words that count.
pub const WORDS: [&str; 2] = ["caveat-allow", "caveat-allow-file"];

/// A word as it would be spelled, whatever its dashes and capitals.
#[must_use]
pub fn plain(word: &str) -> String {
    word.to_ascii_lowercase().replace(|c| c == '_' || is_dash(c), "-")
}

/// A dash that is no hyphen.
#[must_use]
pub fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// Words with which somebody says how far a suppression is to reach.
#[must_use]
pub fn is_reach(word: &str) -> bool {
    const REACHES: [&str; 14] = [
        "file", "files", "document", "global", "all", "here", "line", "block", "section", "next", "this",
        "start", "end", "below",
    ];
    word.split('-').any(|part| REACHES.contains(&part))
}

/// A place in the comment.
struct Reader<'a> {
    line: &'a str,
    at: usize,
    /// Where the comment's text ends.
    end: usize,
    /// The first word.
    word: Range<usize>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<Allow, Fault> {
        let file = match &self.line[self.word.clone()] {
            "caveat-allow" => false,
            "caveat-allow-file" => true,
            word => {
                let reach = plain(word).strip_prefix("caveat-allow-").is_some_and(|tail| tail != "file");
                return Err(self.missing(if reach { FaultKind::Reach } else { FaultKind::Word }));
            }
        };
        if self.rest().starts_with(|c: char| !matches!(c, ' ' | '\t')) {
            return Err(Fault { kind: FaultKind::Word, range: self.word.start..self.token().end });
        }
        let rules = self.rules()?;
        self.pass_blank();
        if !self.pass("expires=") {
            return Err(self.no_expiry());
        }
        let expires_at = self.token();
        let expires = day(&self.line[expires_at.clone()]);
        let Some(expires) = expires else {
            let written = &self.line[expires_at.clone()];
            let kind = if written.trim_matches(is_quote) != written
                && day(written.trim_matches(is_quote)).is_some()
            {
                FaultKind::QuotedDay
            } else if day(&plain(written)).is_some() {
                FaultKind::Dashes
            } else if is_spelled(written) {
                FaultKind::NoSuchDay
            } else {
                FaultKind::BadDate
            };
            let range = if expires_at.is_empty() { self.word.clone() } else { expires_at };
            return Err(Fault { kind, range });
        };
        self.pass_blank();
        if !self.pass("reason=\"") {
            return Err(self.no_reason());
        }
        let reason = self.reason()?;
        self.pass_blank();
        if self.at < self.end {
            let again = self.rest().starts_with("reason=") || self.rest().starts_with("expires=");
            let kind = if again { FaultKind::Doubled } else { FaultKind::Trailing };
            return Err(Fault { kind, range: self.at..self.end });
        }
        Ok(Allow { file, rules, expires, expires_at, reason })
    }

    /// What stands where the day should.
    fn no_expiry(&mut self) -> Fault {
        let (at, rest) = (self.at, self.rest());
        if rest.starts_with("reason=") {
            // Before the day or in its place; that is told by what comes behind it.
            let after = rest.find(" expires=");
            return match after {
                Some(after) => {
                    Fault { kind: FaultKind::Order, range: at..at + rest[..after].trim_end().len() }
                }
                None => self.missing(FaultKind::NoExpiry),
            };
        }
        if let Some(len) = key_len(rest, &["expires", "expire", "expiry", "expiration", "until", "exp"]) {
            return Fault { kind: FaultKind::Key, range: at..at + len };
        }
        let token = self.token();
        let name = plain(self.line[token.clone()].trim_end_matches(','));
        match Catalogue::get().by_name(&name) {
            Some(_) => Fault { kind: FaultKind::NoComma, range: token },
            None => self.missing(FaultKind::NoExpiry),
        }
    }

    /// What stands where the reason should.
    fn no_reason(&mut self) -> Fault {
        let (at, rest) = (self.at, self.rest());
        if rest.starts_with("expires=") {
            return Fault { kind: FaultKind::Doubled, range: self.token() };
        }
        if let Some(value) = rest.strip_prefix("reason=") {
            let blank = value.is_empty() || value.starts_with([' ', '\t']);
            let start = at + "reason=".len();
            return match blank {
                true if value.trim().is_empty() => self.missing(FaultKind::NoReason),
                true => Fault { kind: FaultKind::Key, range: at..self.end - value.trim_start().len() },
                false => Fault { kind: FaultKind::Quotes, range: start..self.end },
            };
        }
        match key_len(rest, &["reason", "because", "why", "justification"]) {
            Some(len) => Fault { kind: FaultKind::Key, range: at..at + len },
            None => self.missing(FaultKind::NoReason),
        }
    }

    fn missing(&self, kind: FaultKind) -> Fault {
        Fault { kind, range: self.word.clone() }
    }

    fn rest(&self) -> &str {
        &self.line[self.at..self.end]
    }

    fn pass_blank(&mut self) {
        self.at = self.end - self.rest().trim_start_matches([' ', '\t']).len();
    }

    fn pass(&mut self, text: &str) -> bool {
        let passes = self.rest().starts_with(text);
        self.at += if passes { text.len() } else { 0 };
        passes
    }

    /// What comes next, up to white space.
    fn token(&mut self) -> Range<usize> {
        let start = self.at;
        self.at += self.rest().find([' ', '\t']).unwrap_or(self.end - start);
        start..self.at
    }

    fn rules(&mut self) -> Result<Vec<(RuleId, Range<usize>)>, Fault> {
        let mut rules: Vec<(RuleId, Range<usize>)> = Vec::new();
        loop {
            self.pass_blank();
            let start = self.at;
            let len = self.rest().find([' ', '\t', ',']).unwrap_or(self.end - start);
            let name = &self.rest()[..len];
            if name.is_empty() || name.starts_with("expires=") || name.starts_with("reason=") {
                let comma = self.line[..start].trim_end_matches([' ', '\t']).len();
                return Err(match rules.is_empty() {
                    true => self.missing(FaultKind::NoRule),
                    false => Fault { kind: FaultKind::TrailingComma, range: comma - 1..comma },
                });
            }
            let range = start..start + len;
            let Some(rule) = Catalogue::get().by_name(name) else {
                let kind = if name.contains(is_dash) && Catalogue::get().by_name(&plain(name)).is_some() {
                    FaultKind::Dashes
                } else if rules.is_empty() && is_reach(name) && !self.rest()[len..].starts_with(',') {
                    FaultKind::Reach
                } else {
                    FaultKind::UnknownRule
                };
                return Err(Fault { kind, range });
            };
            if !is_allowed_inline(rule) {
                return Err(Fault { kind: FaultKind::OnlyInConfig, range });
            }
            self.at = range.end;
            if rules.iter().all(|(known, _)| *known != rule) {
                rules.push((rule, range));
            }
            self.pass_blank();
            if !self.pass(",") {
                return Ok(rules);
            }
        }
    }

    /// The reason, up to the quote that ends it.
    fn reason(&mut self) -> Result<Range<usize>, Fault> {
        let start = self.at;
        let mut escaped = false;
        let Some((len, _)) = self.rest().char_indices().find(|(_, c)| {
            let ends = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        }) else {
            return Err(Fault { kind: FaultKind::OpenReason, range: start - 1..self.end });
        };
        let range = start..start + len;
        self.at = range.end + 1;
        reason(&self.line[range.clone()].replace("\\\"", "\"")).map_err(|(kind, at)| {
            // Escapes are short, and only the place of a forbidden character is told.
            let at = if kind == FaultKind::ReasonCharacters {
                forbidden(&self.line[range.clone()]).unwrap_or(at)
            } else {
                0..range.len()
            };
            let range = range.start + at.start..range.start + at.end;
            Fault { kind, range: if range.is_empty() { self.word.clone() } else { range } }
        })?;
        Ok(range)
    }
}

/// The length of a key of `names` with which `text` begins, with the sign behind it and the white space around that; in
/// any case, and not as it has to be written.
fn key_len(text: &str, names: &[&str]) -> Option<usize> {
    let len = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let name = text[..len].to_ascii_lowercase();
    let behind = text[len..].trim_start_matches([' ', '\t']);
    let sign = behind.strip_prefix(['=', ':'])?.trim_start_matches([' ', '\t']);
    names.contains(&name.as_str()).then(|| text.len() - sign.len())
}

/// A mark that somebody takes for a quote.
#[must_use]
pub fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{ff02}')
}

/// Whether `text`, without escapes, will do as a reason; else what is wrong, and the bytes that are.
///
/// # Errors
/// It is blank, too long, or has characters that a reason must not have.
pub fn reason(text: &str) -> Result<(), (FaultKind, Range<usize>)> {
    if text.trim().is_empty() {
        return Err((FaultKind::NoReason, 0..text.len()));
    }
    if let Some(at) = forbidden(text) {
        return Err((FaultKind::ReasonCharacters, at));
    }
    if text.chars().count() > REASON {
        return Err((FaultKind::LongReason, 0..text.len()));
    }
    Ok(())
}

/// The first part of a reason that must not be there.
fn forbidden(text: &str) -> Option<Range<usize>> {
    let turns = |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let dashes = text.find("--").map(|at| at..at + 2);
    let hostile = text.char_indices().find(|(_, c)| c.is_control() || turns(*c));
    let hostile = hostile.map(|(at, c)| at..at + c.len_utf8());
    [dashes, hostile].into_iter().flatten().min_by_key(|range| range.start)
}

/// A day in the one spelling that counts, `YYYY-MM-DD`.
#[must_use]
pub fn day(text: &str) -> Option<Date> {
    is_spelled(text).then(|| text.parse().ok())?
}

/// Whether `text` has the form of a day, be it in the calendar or not.
#[must_use]
pub fn is_spelled(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}
