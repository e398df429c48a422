//! Raw patterns: what is told by its form alone, whoever wrote it and wherever it stands: credentials, and the marks of
//! a prompt's boundaries.
//!
//! A credential in a prohibited example is as public as anywhere else (seed 1), so nothing here depends on scopes.
//! What makes a finding useful is that placeholders stay quiet: documents are full of them, and a rule that cries at
//! each is soon turned off.

use std::ops::Range;

use regex::Captures;

use super::placeholder::{is_common_password, is_placeholder, is_web_token};
use crate::catalogue::{Catalogue, Check, GateHits, Group, RuleId, Severity};

/// How far behind its literal a pattern may end, in bytes.
const REACH: usize = 2048;

/// How many hits of one rule a line may have.
const MOST: usize = 64;

/// A raw pattern's hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternHit {
    /// The rule.
    pub rule: RuleId,
    /// The catalogue entry's id within the rule.
    pub pattern: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// Byte range in the text: of a secret, the value.
    pub range: Range<usize>,
}

/// Confirms what the gate found in the first line of `text`, which may go on with the lines after it (joined by `\n`),
/// and adds the hits to `out` in order of their start. `hits` must come from the gate's pass over that first line.
pub fn scan(text: &str, hits: &GateHits, out: &mut Vec<PatternHit>) {
    let catalogue = Catalogue::get();
    let first = out.len();
    let mut yielding = false;
    for candidate in &hits.patterns {
        let (rule, entry) = catalogue.pattern(candidate.entry);
        let at = candidate.at as usize;
        let Some(rest) = text.get(at..) else { continue };
        let known = out[first..].iter().filter(|hit| hit.rule == rule);
        if known.clone().any(|hit| hit.range.contains(&at)) || known.count() >= MOST {
            continue;
        }
        let reach = (0..=REACH.min(rest.len())).rev().find(|end| rest.is_char_boundary(*end));
        let window = &rest[..reach.unwrap_or(0)];
        let Some(captures) = entry.regex().and_then(|regex| regex.captures(window)) else { continue };
        let value = captures.name("value").or(captures.get(1)).or(captures.get(0));
        let Some(value) = value else { continue };
        // Only a credential can be a placeholder for a real one.
        let counts = match (catalogue.rule(rule).group, entry.check) {
            (_, Some(Check::SecondTurn)) => speaks_again(text, at),
            (Group::Secret, check) => counts(check, value.as_str(), &captures),
            _ => true,
        };
        if counts {
            // A form may ask for a line's end; that is no part of what it marks.
            let range = at + value.start()..at + value.start() + value.as_str().trim_end().len();
            // What begins with either of two literals is one value.
            if out[first..].iter().any(|hit| hit.rule == rule && hit.range == range) {
                continue;
            }
            let severity = entry.severity.unwrap_or(catalogue.rule(rule).severity);
            let named = entry.check == Some(Check::Marker) && is_named(text, &range);
            let severity = if named { severity.min(Severity::Warning) } else { severity };
            out.push(PatternHit { rule, pattern: &entry.id, severity, range });
            yielding |= entry.yields;
        }
    }
    if yielding {
        give_way(out, first);
    }
    out[first..].sort_by_key(|hit| (hit.range.start, hit.range.end));
}

/// Takes those from `first` on that yield out where another speaks of the same words.
fn give_way(out: &mut Vec<PatternHit>, first: usize) {
    let yields = |hit: &PatternHit| {
        let entries = &hit.rule.rule().patterns;
        entries.iter().any(|entry| entry.yields && entry.id == hit.pattern)
    };
    // Only to another credential: what else is said of the same words takes nothing away from the loss.
    let firm = |hit: &&PatternHit| !yields(hit) && hit.rule.rule().group == Group::Secret;
    let firm: Vec<Range<usize>> = out[first..].iter().filter(firm).map(|hit| hit.range.clone()).collect();
    let mut index = 0;
    out.retain(|hit| {
        index += 1;
        index <= first
            || !yields(hit)
            || firm.iter().all(|range| hit.range.end <= range.start || range.end <= hit.range.start)
    });
}

/// Whether `value`, which `captures` has found, is one that opens something.
fn counts(check: Option<Check>, value: &str, captures: &Captures<'_>) -> bool {
    let named = |name| captures.name(name).map_or("", |found| found.as_str());
    match check {
        // A value that passes was made by a machine, whatever it looks like; one that does not opens nothing. Tokens of
        // other lengths have none.
        Some(Check::Crc32Base62) => {
            has_checksum(value) || (!is_placeholder(value) && body(value).len() != CHECKED)
        }
        Some(Check::Password) => !is_common_password(value, named("user"), named("host")),
        Some(Check::WebToken) => is_web_token(value) && !is_placeholder(value),
        Some(Check::SecondTurn | Check::Marker) => false,
        None => !is_placeholder(value),
    }
}

/// Whether the running text of its line only names the marker at `range`: a word for such things stands on that line, and
/// the marker stands among its words as one of them: not at the line's beginning, with no word joined to it, and with
/// nothing behind it that would be the turn which it opens.
fn is_named(text: &str, range: &Range<usize>) -> bool {
    const NAMES: [&str; 18] = [
        "token",
        "tokens",
        "tag",
        "tags",
        "marker",
        "markers",
        "template",
        "templates",
        "delimiter",
        "delimiters",
        "wrap",
        "wraps",
        "wrapped",
        "block",
        "element",
        "elements",
        "sequence",
        "sequences",
    ];
    let start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |newline| range.end + newline);
    let near = |from: usize, to: usize| {
        let from = (from..=range.start).find(|at| text.is_char_boundary(*at)).unwrap_or(range.start);
        let to = (range.end..=to).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(range.end);
        from..to
    };
    let near = near(start.max(range.start.saturating_sub(160)), end.min(range.end + 160));
    let (before, behind) = (&text[near.start..range.start], &text[range.end..near.end]);
    let words =
        |text: &str| text.split_whitespace().filter(|word| word.chars().all(char::is_alphabetic)).count();
    let apart =
        |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '>' | '<' | ']' | '['));
    let named = |text: &str| {
        let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
        words.any(|word| NAMES.iter().any(|name| word.eq_ignore_ascii_case(name)))
    };
    words(before) >= 2
        && apart(before.chars().next_back())
        && apart(behind.chars().next())
        && !behind.contains(':')
        && (named(before) || named(behind))
}

/// Whether a speaker's label opens the line of byte `at`, marks aside, and another speaker's one of the lines behind it.
fn speaks_again(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let opens = text[start..at].chars().all(|c| matches!(c, ' ' | '\t' | '*' | '_' | '#' | '>' | '`' | '['));
    let own = text[start..].lines().next().and_then(speaker);
    // In an example the turns are told of, as descriptions of agents do.
    let example = text[..at].rfind("<example").is_some_and(|open| !text[open..at].contains("</example"));
    let answers = |next: &Turn| {
        own.as_ref().is_some_and(|own| next.speaker != own.speaker && (own.talks || next.talks))
    };
    opens && !example && text[at..].lines().skip(1).filter_map(speaker).any(|next| answers(&next))
}

/// What the label that opens a line says.
struct Turn {
    speaker: &'static str,
    /// It is talk: a speaker has it that is never a field's name, or it is more than one word, as a field's value is.
    talks: bool,
}

/// The turn that opens `line`, marks aside. What is said in quotes is cited.
fn speaker(line: &str) -> Option<Turn> {
    const SPEAKERS: [&str; 8] = ["system", "assistant", "user", "human", "developer", "model", "tool", "ai"];
    let line = line.trim_start_matches([' ', '\t', '*', '_', '#', '>', '`', '[']);
    let (label, said) = line.split_once(':')?;
    if said.trim_start().starts_with(['"', '\'', '\u{201C}', '\u{2018}', '\u{AB}']) {
        return None;
    }
    let label = label.trim_end_matches([' ', '*', '_', '`', ']']);
    let speaker = SPEAKERS.into_iter().find(|speaker| label.eq_ignore_ascii_case(speaker))?;
    let words = said.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
    Some(Turn { speaker, talks: words > 1 || matches!(speaker, "assistant" | "human" | "ai") })
}

/// So many characters stand behind the prefix of a token that ends in a checksum.
const CHECKED: usize = 36;

/// What stands behind the prefix.
fn body(value: &str) -> &str {
    value.rsplit('_').next().unwrap_or_default()
}

/// Whether the last six characters behind the prefix are the checksum of those before them.
fn has_checksum(value: &str) -> bool {
    let body = body(value);
    let Some(split) = body.len().checked_sub(6) else { return false };
    body.is_char_boundary(split) && checksum(&body[..split]) == body[split..]
}

/// The CRC-32 (ISO 3309) of `body`, six digits in base 62: how GitHub and npm close their tokens.
pub(crate) fn checksum(body: &str) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut crc = u32::MAX;
    for byte in body.bytes() {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
        }
    }
    let (mut left, mut digits) = (!crc, [b'0'; 6]);
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(left % 62) as usize];
        left /= 62;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(text: &str) -> Vec<(&'static str, &'static str, &str)> {
        let (mut gate, mut out) = (GateHits::default(), Vec::new());
        Catalogue::get().gate(text.lines().next().unwrap_or_default(), &mut gate);
        scan(text, &gate, &mut out);
        out.into_iter().map(|hit| (hit.rule.name(), hit.pattern, &text[hit.range])).collect()
    }

    /// Letters and digits drawn by a fixed rule: the form of a credential, and nobody's.
    fn drawn(count: usize) -> String {
        let digits = b"aB3dE5fG7hJ9kLmN2pQ4rS6tU8vWxY1zA0cDZ";
        (0..count).map(|at| char::from(digits[(at * 23 + at / 7) % digits.len()])).collect()
    }

    /// A token with its checksum.
    fn checked() -> String {
        let body = drawn(30);
        format!("ghp_{body}{}", checksum(&body))
    }

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        // The check value of CRC-32 over "123456789" is CBF43926 in hexadecimal.
        let mut left = 0xCBF4_3926_u32;
        let digits: Vec<char> = ('0'..='9').chain('A'..='Z').chain('a'..='z').collect();
        let mut expected = String::new();
        for _ in 0..6 {
            expected.insert(0, digits[(left % 62) as usize]);
            left /= 62;
        }
        assert_eq!(checksum("123456789"), expected);
    }

    #[test]
    fn a_checksum_that_holds_outweighs_the_look_of_a_placeholder() {
        let body = format!("EXAMPLE{}", drawn(23));
        let (real, fake) = (format!("ghp_{body}{}", checksum(&body)), format!("ghp_{body}000aaa"));
        assert_eq!(hits(&real), [("github-token", "token", real.as_str())]);
        assert_eq!(hits(&fake), []);
    }

    #[test]
    fn a_value_of_that_length_with_another_checksum_opens_nothing() {
        let token = checked();
        let (front, last) = token.split_at(token.len() - 1);
        let other = if last == "0" { "1" } else { "0" };
        assert_eq!(hits(&format!("{front}{other}")), []);
        assert_eq!(hits(&token), [("github-token", "token", token.as_str())]);
    }

    #[test]
    fn the_range_is_the_value() {
        let secret = drawn(40);
        let text = format!("aws_secret_access_key = \"{secret}\" # of the build");
        assert_eq!(hits(&text), [("aws-access-key", "secret-access-key", secret.as_str())]);
        let token = checked();
        let text = format!("é https://x:{token}@example.com and {token}.");
        assert_eq!(hits(&text), [("github-token", "token", token.as_str()); 2]);
    }

    #[test]
    fn a_value_is_one_hit_of_one_rule() {
        let key = format!("sk-proj-{}", drawn(60));
        assert_eq!(hits(&key), [("openai-key", "project-key", key.as_str())]);
    }

    #[test]
    fn a_rule_has_at_most_64_hits_in_a_line() {
        let line = format!("{} ", checked()).repeat(100);
        assert_eq!(hits(&line).len(), MOST);
    }

    #[test]
    fn a_character_across_the_window_is_no_panic() {
        let line = format!("-----BEGIN PRIVATE KEY-----{}", "é".repeat(600));
        for cut in 0..4 {
            assert_eq!(hits(&format!("{}{line}", "-".repeat(cut))), []);
        }
    }
}
