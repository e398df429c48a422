//! Suppressions: comments that say which finding is accepted, until when, and why (CONTRACTS, "Suppressions").
//!
//! The form is closed: the whole comment matches, or it suppresses nothing and says so. Whatever begins like a
//! suppression is kept as one, so that a slip of the pen is an error and never silence.

use std::ops::Range;

use jiff::civil::Date;

use crate::catalogue::{Catalogue, Group, RuleId};

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

/// Why a comment that begins like a suppression is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The part that is wrong, in bytes of the line; the suppression's first word where something is missing.
    pub range: Range<usize>,
}

/// What can be wrong with a suppression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// Its first word is not one of the two.
    Word,
    /// It does not end on its line.
    SeveralLines,
    /// Something stands behind the comment.
    TextBehind,
    /// It names no rule.
    NoRule,
    /// It names a rule that there is not.
    UnknownRule,
    /// It names a rule that only the configuration may suppress.
    OnlyInConfig,
    /// It says no last day.
    NoExpiry,
    /// Its last day is not a day.
    BadDate,
    /// Its last day is written as one, and the calendar has none like it.
    NoSuchDay,
    /// It gives no reason.
    NoReason,
    /// The reason never ends.
    OpenReason,
    /// The reason is longer than [`REASON`] characters.
    LongReason,
    /// The reason has two dashes, a control character or one that turns text around.
    ReasonCharacters,
    /// Something follows the reason.
    Trailing,
}

impl FaultKind {
    /// The name in JSON: the finding's pattern.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Word => "word",
            FaultKind::SeveralLines => "several-lines",
            FaultKind::TextBehind => "text-behind",
            FaultKind::NoRule => "no-rule",
            FaultKind::UnknownRule => "unknown-rule",
            FaultKind::OnlyInConfig => "only-in-configuration",
            FaultKind::NoExpiry => "no-expiry",
            FaultKind::BadDate | FaultKind::NoSuchDay => "bad-date",
            FaultKind::NoReason => "no-reason",
            FaultKind::OpenReason => "open-reason",
            FaultKind::LongReason => "long-reason",
            FaultKind::ReasonCharacters => "reason-characters",
            FaultKind::Trailing => "trailing",
        }
    }

    /// What is wrong, as the end of a sentence.
    #[must_use]
    pub fn why(self) -> &'static str {
        match self {
            FaultKind::Word => "its first word is caveat-allow or caveat-allow-file, in lower case",
            FaultKind::SeveralLines => "it has to end on the line where it begins",
            FaultKind::TextBehind => "it has to stand on its line alone",
            FaultKind::NoRule => "it names no rule",
            FaultKind::UnknownRule => "there is no rule of this name",
            FaultKind::OnlyInConfig => "this rule is suppressed in caveat.toml or not at all",
            FaultKind::NoExpiry => "behind the rules, expires=YYYY-MM-DD is missing",
            FaultKind::BadDate => "this is not a day written YYYY-MM-DD",
            FaultKind::NoSuchDay => "this is no day of the calendar",
            FaultKind::NoReason => "behind the day, a reason=\"…\" with words in it is missing",
            FaultKind::OpenReason => "the quote that ends the reason is missing",
            FaultKind::LongReason => "the reason has more than 500 characters",
            FaultKind::ReasonCharacters => {
                "a reason has no double dash, no control character and none that turns text around"
            }
            FaultKind::Trailing => "nothing may follow the reason",
        }
    }
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

/// The length of the word with which `text` begins, if somebody who writes it means a suppression.
fn word_len(text: &str) -> Option<usize> {
    const MEANT: [&str; 5] = ["allow", "ignore", "disable", "suppress", "noqa"];
    let len =
        text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(text.len());
    let head = text.get(..len)?.to_ascii_lowercase().replace('_', "-");
    let tail = head.strip_prefix("caveat-")?;
    MEANT.iter().any(|meant| tail.starts_with(meant)).then_some(len)
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
            _ => return Err(self.missing(FaultKind::Word)),
        };
        if self.rest().starts_with(|c: char| !matches!(c, ' ' | '\t')) {
            return Err(Fault { kind: FaultKind::Word, range: self.word.start..self.token().end });
        }
        let rules = self.rules()?;
        self.pass_blank();
        if !self.pass("expires=") {
            return Err(self.missing(FaultKind::NoExpiry));
        }
        let expires_at = self.token();
        let expires = day(&self.line[expires_at.clone()]);
        let Some(expires) = expires else {
            let range = if expires_at.is_empty() { self.word.clone() } else { expires_at };
            let spelled = is_spelled(&self.line[range.clone()]);
            let kind = if spelled { FaultKind::NoSuchDay } else { FaultKind::BadDate };
            return Err(Fault { kind, range });
        };
        self.pass_blank();
        if !self.pass("reason=\"") {
            return Err(self.missing(FaultKind::NoReason));
        }
        let reason = self.reason()?;
        self.pass_blank();
        if self.at < self.end {
            return Err(Fault { kind: FaultKind::Trailing, range: self.at..self.end });
        }
        Ok(Allow { file, rules, expires, expires_at, reason })
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
                return Err(self.missing(FaultKind::NoRule));
            }
            let range = start..start + len;
            let Some(rule) = Catalogue::get().by_name(name) else {
                return Err(Fault { kind: FaultKind::UnknownRule, range });
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

/// Whether `text` has the form of a day.
fn is_spelled(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a comment comes to: the rules and the day, or the fault and the words that it points to.
    fn told(line: &str, comment: Comment) -> String {
        match read(line, comment) {
            None => "none".to_owned(),
            Some((_, Ok(allow))) => {
                let rules: Vec<_> = allow.rules.iter().map(|(rule, _)| rule.name()).collect();
                for (rule, range) in &allow.rules {
                    assert_eq!(&line[range.clone()], rule.name());
                }
                assert_eq!(line[allow.expires_at.clone()], allow.expires.to_string());
                let scope = if allow.file { "file" } else { "block" };
                format!("{scope} {} {} [{}]", rules.join("+"), allow.expires, &line[allow.reason])
            }
            Some((_, Err(fault))) => format!("{}: {}", fault.kind.name(), &line[fault.range]),
        }
    }

    #[test]
    fn the_whole_comment_matches_or_says_why_not() {
        let cases = [
            (r#"caveat-allow rm-rf expires=2027-01-31 reason="a b""#, "block rm-rf 2027-01-31 [a b]"),
            (
                r#"caveat-allow-file rm-rf,sudo expires=2027-01-31 reason="x""#,
                "file rm-rf+sudo 2027-01-31 [x]",
            ),
            (
                r#"caveat-allow  rm-rf , sudo  expires=2027-01-31	reason="x""#,
                "block rm-rf+sudo 2027-01-31 [x]",
            ),
            (
                r#"caveat-allow rm-rf expires=2027-01-31 reason="say \"no\"""#,
                r#"block rm-rf 2027-01-31 [say \"no\"]"#,
            ),
            ("caveat lector", "none"),
            ("caveat-emptor", "none"),
            ("caveat", "none"),
            ("caveat-allow", "no-rule: caveat-allow"),
            (r#"Caveat-Allow rm-rf expires=2027-01-31 reason="x""#, "word: Caveat-Allow"),
            (r#"caveat_allow rm-rf expires=2027-01-31 reason="x""#, "word: caveat_allow"),
            ("caveat-allow-next rm-rf", "word: caveat-allow-next"),
            ("caveat-ignore rm-rf", "word: caveat-ignore"),
            ("caveat-disable", "word: caveat-disable"),
            (r#"caveat-allow: rm-rf expires=2027-01-31 reason="x""#, "word: caveat-allow:"),
            (r#"caveat-allow expires=2027-01-31 reason="x""#, "no-rule: caveat-allow"),
            (r#"caveat-allow rm-rf, expires=2027-01-31 reason="x""#, "no-rule: caveat-allow"),
            (r#"caveat-allow rm-fr expires=2027-01-31 reason="x""#, "unknown-rule: rm-fr"),
            (r#"caveat-allow RM-RF expires=2027-01-31 reason="x""#, "unknown-rule: RM-RF"),
            (r#"caveat-allow * expires=2027-01-31 reason="x""#, "unknown-rule: *"),
            (
                r#"caveat-allow rm-rf, openai-key expires=2027-01-31 reason="x""#,
                "only-in-configuration: openai-key",
            ),
            (
                r#"caveat-allow suppression-unused expires=2027-01-31 reason="x""#,
                "only-in-configuration: suppression-unused",
            ),
            (r#"caveat-allow rm-rf reason="x""#, "no-expiry: caveat-allow"),
            (r#"caveat-allow rm-rf sudo expires=2027-01-31 reason="x""#, "no-expiry: caveat-allow"),
            (r#"caveat-allow rm-rf expires=2027-02-29 reason="x""#, "bad-date: 2027-02-29"),
            (r#"caveat-allow rm-rf expires=2027-2-9 reason="x""#, "bad-date: 2027-2-9"),
            (r#"caveat-allow rm-rf expires=20270209 reason="x""#, "bad-date: 20270209"),
            (r#"caveat-allow rm-rf expires=never reason="x""#, "bad-date: never"),
            (r#"caveat-allow rm-rf expires= reason="x""#, "bad-date: caveat-allow"),
            (r#"caveat-allow rm-rf expires="2027-01-31" reason="x""#, r#"bad-date: "2027-01-31""#),
            ("caveat-allow rm-rf expires=2027-01-31", "no-reason: caveat-allow"),
            ("caveat-allow rm-rf expires=2027-01-31 reason=x", "no-reason: caveat-allow"),
            (r#"caveat-allow rm-rf expires=2027-01-31 reason="""#, "no-reason: caveat-allow"),
            (r#"caveat-allow rm-rf expires=2027-01-31 reason=" ""#, "no-reason:  "),
            (r#"caveat-allow rm-rf expires=2027-01-31 reason="x"#, r#"open-reason: "x"#),
            (r#"caveat-allow rm-rf expires=2027-01-31 reason="x\""#, r#"open-reason: "x\""#),
            (r#"caveat-allow rm-rf expires=2027-01-31 reason="x" y"#, "trailing: y"),
            (r#"caveat-allow rm-rf expires=2027-01-31 reason="a\"b--c""#, "reason-characters: --"),
            ("caveat-allow rm-rf expires=2027-01-31 reason=\"a\u{202e}b\"", "reason-characters: \u{202e}"),
            ("caveat-allow rm-rf expires=2027-01-31 reason=\"a\u{1b}b\"", "reason-characters: \u{1b}"),
        ];
        for (body, expected) in cases {
            for (line, comment) in [
                (format!("<!-- {body} -->"), Comment::Html),
                (format!("  <!--{body}-->\t"), Comment::Html),
                (format!("# {body}"), Comment::Hash),
                (format!(" #{body} "), Comment::Hash),
            ] {
                assert_eq!(told(&line, comment), expected, "{line}");
            }
        }
    }

    #[test]
    fn a_comment_has_its_line_to_itself() {
        let allow = r#"caveat-allow rm-rf expires=2027-01-31 reason="x""#;
        let cases = [
            (format!("<!-- {allow} --> text"), "text-behind: text".to_owned()),
            (format!("<!-- {allow}"), format!("several-lines: <!-- {allow}")),
            (format!("<!-- {allow} -- >"), format!("several-lines: <!-- {allow} -- >")),
            (format!("<!-- x {allow} -->"), "none".to_owned()),
            (format!("text <!-- {allow} -->"), "none".to_owned()),
            (format!("<!-- {allow} ---->"), "trailing: --".to_owned()),
        ];
        for (line, expected) in cases {
            assert_eq!(told(&line, Comment::Html), expected, "{line}");
        }
    }

    #[test]
    fn reasons_have_a_length() {
        let line = |count: usize| {
            let reason = format!("{}\\\"", "é".repeat(count - 1));
            format!("# caveat-allow rm-rf expires=2027-01-31 reason=\"{reason}\"")
        };
        assert!(told(&line(REASON), Comment::Hash).starts_with("block"));
        assert!(told(&line(REASON + 1), Comment::Hash).starts_with("long-reason"));
    }
}
