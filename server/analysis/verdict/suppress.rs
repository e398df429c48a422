//! Suppressions at work: what they cover, and what is said of those that cannot be read, are past their day, or answer
//! for nothing (CONTRACTS, "Suppressions").
//!
//! What stands in a suppression is never suppressed: its reason is text like any other, and a reader of it may obey.

use std::collections::HashMap;
use std::ops::Range;

use jiff::civil::Date;

use super::entries;
use super::grounds::Grounds;
use super::{Arg, Finding, Message, Span, Stance, Status};
use crate::catalogue::{Catalogue, RuleId};
use crate::facts::allow::{self, Allow, Comment, Fault, FaultKind};
use crate::facts::view::Views;
use crate::facts::{Cues, Fact, Record, Says};
use crate::lines::LineKind;
use crate::scope::{self, Block, LabelAt};
use crate::seq::Seq;
use crate::text::Source;

/// A suppression as it stands in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// Where its comment stands.
    pub at: LabelAt,
    /// What it says, or what is wrong with it. Ranges are bytes of the line.
    pub says: Result<Allow, Fault>,
    /// The zero-based lines that it covers; `None` where it covers the whole file, or no block follows.
    pub covers: Option<Range<usize>>,
}

impl Suppression {
    /// What it covers, and for how long, as seen from `today`: sentences for a person.
    #[must_use]
    pub fn describe(&self, today: Date) -> Vec<Message> {
        let allow = match &self.says {
            Ok(allow) => allow,
            Err(fault) => {
                return vec![Message::new("This suppresses nothing: {}.", [Arg::Name(fault.kind.why())])];
            }
        };
        let mut lines: Vec<Message> = Vec::new();
        for (rule, _) in &allow.rules {
            let rule = Arg::Rule(*rule);
            lines.push(match &self.covers {
                _ if allow.file => Message::new("Covers {} in the whole file.", [rule]),
                Some(covers) if covers.len() == 1 => {
                    Message::new("Covers {} on line {}.", [rule, Arg::Line(covers.start)])
                }
                Some(covers) => Message::new(
                    "Covers {} on lines {} to {}.",
                    [rule, Arg::Line(covers.start), Arg::Line(covers.end - 1)],
                ),
                None => Message::new("Covers nothing of {}: no block follows.", [rule]),
            });
        }
        lines.push(left(today, allow.expires));
        lines
    }
}

/// How long what ends on the day `expires` holds, as seen from `today`.
fn left(today: Date, expires: Date) -> Message {
    let days = today.until(expires).map_or(0, |span| i64::from(span.get_days()));
    let day = Arg::Day(expires);
    match usize::try_from(days) {
        Err(_) => Message::new("It held through {} (UTC) and holds no more.", [day]),
        Ok(0) => Message::new("It holds through {} (UTC): today is its last day.", [day]),
        Ok(1) => Message::new("It holds through {} (UTC): one day is left after today.", [day]),
        Ok(left) => {
            Message::new("It holds through {} (UTC): {} days are left after today.", [day, Arg::Count(left)])
        }
    }
}

/// How far a suppression reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// A block, or the rest of a list item.
    Block,
    /// The whole file.
    File,
    /// What the configuration says.
    Config,
}

impl Reach {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Reach::Block => "block",
            Reach::File => "file",
            Reach::Config => "config",
        }
    }
}

/// Why a finding is suppressed. The reason that was given stays in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuppressedBy {
    /// How far it reaches.
    pub reach: Reach,
    /// Where it stands, in the document or in the configuration: zero-based line, byte columns.
    pub at: LabelAt,
    /// The rules that it names.
    pub rules: Vec<RuleId>,
    /// The last day on which it holds.
    pub expires: Date,
    /// The zero-based lines of the document that it covers, where that is a block.
    pub covers: Option<Range<usize>>,
}

impl SuppressedBy {
    /// What suppresses the finding, what that covers, and for how long as seen from `today`: sentences for a person.
    #[must_use]
    pub fn describe(&self, today: Date) -> Vec<Message> {
        let at = Arg::Line(self.at.line);
        let by = match (self.reach, &self.covers) {
            (Reach::Config, _) => Message::new("Suppressed by the entry on line {} of caveat.toml.", [at]),
            (Reach::File, _) => {
                Message::new("Suppressed by the comment on line {}, which covers the whole file.", [at])
            }
            (Reach::Block, Some(covers)) if covers.len() > 1 => Message::new(
                "Suppressed by the comment on line {}, which covers lines {} to {}.",
                [at, Arg::Line(covers.start), Arg::Line(covers.end - 1)],
            ),
            (Reach::Block, _) => {
                Message::new("Suppressed by the comment on line {}, which covers this line.", [at])
            }
        };
        vec![by, left(today, self.expires)]
    }
}

/// The suppressions of a document, in order. A comment in front matter that is a part of a longer value is none.
#[must_use]
pub fn suppressions(source: &impl Source, records: &Seq<Record>, blocks: &Seq<Block>) -> Vec<Suppression> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut front: Option<HashMap<usize, Option<Range<usize>>>> = None;
    while let Some((line, _)) = records.seek_from(from, |sum| sum.cues.has(Cues::ALLOW)) {
        from = line + 1;
        let Some(record) = records.get(line) else { break };
        let in_front = matches!(record.line.kind, LineKind::FrontMatter | LineKind::Data);
        let comment = if in_front { Comment::Hash } else { Comment::Html };
        let text = source.line(line);
        let content = record.line.content as usize;
        let Some((range, says)) = text.get(content..).and_then(|text| allow::read(text, comment)) else {
            // It reaches nothing, and is in nobody's way.
            found.extend(misplaced(record, line, &text).map(|misplaced| (true, misplaced)));
            continue;
        };
        let mut covers = None;
        if in_front {
            let reaches = front.get_or_insert_with(|| entries::comments(source, records, blocks));
            match reaches.remove(&line) {
                Some(reach) => covers = reach,
                None => continue,
            }
        }
        let at = LabelAt { line, start: content + range.start, end: content + range.end };
        found.push((in_front, Suppression { at, says: moved(says, content), covers }));
    }
    let lines: Vec<usize> =
        found.iter().filter(|(in_front, _)| !in_front).map(|(_, found)| found.at.line).collect();
    let mut reaches = scope::reaches(blocks, records, &lines).into_iter();
    found
        .into_iter()
        .map(|(in_front, mut suppression)| {
            if !in_front {
                suppression.covers = reaches.next().flatten();
            }
            if suppression.says.as_ref().is_ok_and(|allow| allow.file) {
                suppression.covers = None;
            }
            suppression
        })
        .collect()
}

/// The comments on a line that would be suppressions on a line of their own.
fn misplaced<'a>(
    record: &'a Record,
    line: usize,
    text: &'a str,
) -> impl Iterator<Item = Suppression> + use<'a> {
    let here = record.facts().iter().filter(|fact| fact.says == Says::Allow);
    here.map(move |fact| {
        let at = LabelAt { line, start: fact.start as usize, end: fact.end as usize };
        let odd = text.get(at.start..at.end).and_then(|text| allow::misplaced(text, 0));
        let kind = if odd.is_some_and(|(_, odd)| odd) { FaultKind::Dashes } else { FaultKind::TextBefore };
        Suppression { at, says: Err(Fault { kind, range: at.start..at.end }), covers: None }
    })
}

/// What was read of a line's content, in bytes of the line.
fn moved(says: Result<Allow, Fault>, by: usize) -> Result<Allow, Fault> {
    let moved = |range: Range<usize>| range.start + by..range.end + by;
    match says {
        Ok(allow) => Ok(Allow {
            rules: allow.rules.into_iter().map(|(rule, range)| (rule, moved(range))).collect(),
            expires_at: moved(allow.expires_at),
            reason: moved(allow.reason),
            ..allow
        }),
        Err(Fault { kind, range }) => Err(Fault { kind, range: moved(range) }),
    }
}

/// One that holds today, while it waits for findings.
struct Held {
    index: usize,
    by: SuppressedBy,
    /// For each of its rules, whether it answered for a finding.
    used: Vec<bool>,
}

/// Of what a finding about a suppression speaks.
enum Said {
    /// All of it.
    Whole,
    /// What is wrong with it.
    Fault(FaultKind),
    /// One of the rules that it names, where others answer for something.
    Rule(RuleId),
}

impl<S: Source> Grounds<'_, S> {
    /// Suppresses what the document's own suppressions cover, and adds what is to be said of them.
    pub(super) fn suppress(&self, findings: &mut Vec<Finding>) {
        if !self.env.suppressions || !self.records.total().cues.has(Cues::ALLOW) {
            return;
        }
        let all = suppressions(self.source, self.records, self.blocks);
        let mut held: Vec<Held> = all
            .iter()
            .enumerate()
            .filter_map(|(index, suppression)| {
                let allow = suppression.says.as_ref().ok().filter(|allow| self.env.today <= allow.expires)?;
                let by = SuppressedBy {
                    reach: if allow.file { Reach::File } else { Reach::Block },
                    at: suppression.at,
                    rules: allow.rules.iter().map(|(rule, _)| *rule).collect(),
                    expires: allow.expires,
                    covers: suppression.covers.clone(),
                };
                Some(Held { index, by, used: vec![false; allow.rules.len()] })
            })
            .collect();
        apply(&all, &mut held, self.records, findings);
        self.complain(&all, &held, findings);
    }

    /// What is to be said of the suppressions themselves.
    fn complain(&self, all: &[Suppression], held: &[Held], findings: &mut Vec<Finding>) {
        for suppression in all {
            let line = suppression.at.line;
            match &suppression.says {
                Err(fault) => {
                    let why = fault.kind;
                    self.say("suppression-invalid", line, fault.range.clone(), Said::Fault(why), findings);
                }
                Ok(allow) if self.env.today > allow.expires => {
                    self.say("suppression-expired", line, allow.expires_at.clone(), Said::Whole, findings);
                }
                Ok(_) => {}
            }
        }
        for Held { index, used, .. } in held {
            let Suppression { at, says: Ok(allow), .. } = &all[*index] else { continue };
            if used.iter().all(|used| !used) {
                self.say("suppression-unused", at.line, at.start..at.end, Said::Whole, findings);
            } else {
                let unused = allow.rules.iter().zip(used).filter(|(_, used)| !**used);
                for ((rule, range), _) in unused {
                    let said = Said::Rule(*rule);
                    self.say("suppression-unused", at.line, range.clone(), said, findings);
                }
            }
        }
    }

    fn say(&self, rule: &str, line: usize, range: Range<usize>, said: Said, findings: &mut Vec<Finding>) {
        let Some(id) = Catalogue::get().by_name(rule) else { return };
        let rule = Catalogue::get().rule(id);
        let Some(severity) = self.severity(id, rule.severity) else { return };
        let offset = self.source.line_start(line) + range.start;
        let summary = Arg::Name(&rule.summary);
        let (message, pattern) = match said {
            Said::Whole => (Message::new("This {}.", [summary]), None),
            Said::Fault(fault) => {
                (Message::new("This {}: {}.", [summary, Arg::Name(fault.why())]), Some(fault.name()))
            }
            Said::Rule(rule) => (
                Message::new(
                    "Nothing needs {} in this suppression; what else it names is needed.",
                    [Arg::Rule(rule)],
                ),
                None,
            ),
        };
        findings.push(Finding {
            rule: id,
            group: rule.group,
            severity,
            status: Status::Reported,
            stance: Stance::Given,
            span: Span {
                line,
                column: range.start,
                end_line: line,
                end_column: range.end,
                offset,
                length: range.len(),
            },
            message,
            pattern,
            obfuscated: Views::empty(),
            pointer: None,
            scope: None,
            suppression: None,
            also: Vec::new(),
            fingerprint: 0,
        });
    }
}

/// Gives every finding that is covered its suppression: the nearest above it, a block's before a file's.
///
/// What suppressions cover is nested or apart, as blocks are, so that of each rule a stack is enough.
fn apply(all: &[Suppression], held: &mut [Held], records: &Seq<Record>, findings: &mut [Finding]) {
    let mut files: HashMap<RuleId, usize> = HashMap::new();
    let mut ranges: Vec<(Range<usize>, usize)> = Vec::new();
    for (place, one) in held.iter().enumerate() {
        if one.by.reach == Reach::File {
            for rule in &one.by.rules {
                files.entry(*rule).or_insert(place);
            }
        } else if let Some(covers) = &all[one.index].covers {
            ranges.push((covers.clone(), place));
        }
    }
    ranges.sort_by_key(|(covers, place)| (covers.start, std::cmp::Reverse(covers.end), *place));
    let mut ranges = ranges.into_iter().peekable();
    let mut open: HashMap<RuleId, Vec<(usize, usize)>> = HashMap::new();
    findings.sort_by_key(|finding| finding.span.line);
    for finding in findings {
        let line = finding.span.line;
        while let Some((covers, place)) = ranges.next_if(|(covers, _)| covers.start <= line) {
            for rule in &held[place].by.rules {
                let stack = open.entry(*rule).or_default();
                while stack.last().is_some_and(|(end, _)| *end <= covers.start) {
                    stack.pop();
                }
                stack.push((covers.end, place));
            }
        }
        let column = finding.span.column;
        let in_suppression = records.get(line).is_some_and(|record| {
            let holds = |fact: &Fact| (fact.start as usize..fact.end as usize).contains(&column);
            record.facts().iter().any(|fact| fact.says == Says::Allow && holds(fact))
        });
        if finding.status != Status::Reported || in_suppression {
            continue;
        }
        let mut answers = |rule: RuleId| {
            let stack = open.entry(rule).or_default();
            while stack.last().is_some_and(|(end, _)| *end <= line) {
                stack.pop();
            }
            let place = stack.last().map(|(_, place)| *place);
            let place = place.or_else(|| files.get(&rule).copied())?;
            let one = &mut held[place];
            if let Some(at) = one.by.rules.iter().position(|named| *named == rule) {
                one.used[at] = true;
            }
            Some(place)
        };
        // What this finding takes in would stand here without it: who names that, too, needs it.
        for rule in &finding.also {
            answers(*rule);
        }
        let Some(place) = answers(finding.rule) else { continue };
        finding.status = Status::Suppressed;
        finding.suppression = Some(held[place].by.clone());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use jiff::civil::date;

    use super::*;
    use crate::document::{Document, Language, Rules, check};
    use crate::verdict::{Env, Role};

    fn env() -> Env {
        Env {
            role: Role::Instructions,
            stance: true,
            suppressions: true,
            today: date(2026, 6, 1),
            policy: Arc::default(),
            accepted: Arc::default(),
        }
    }

    fn rules_of(text: &str, env: &Env) -> Vec<(String, Status)> {
        let findings = check(text, Language::Markdown, &Rules::default(), env);
        findings.into_iter().map(|finding| (finding.rule.name().to_owned(), finding.status)).collect()
    }

    /// A rule may be called like the command that it is about.
    #[test]
    fn the_name_of_a_rule_is_no_command() {
        let unused = [("suppression-unused".to_owned(), Status::Reported)];
        for (rule, _) in Catalogue::get().rules().filter(|(rule, _)| allow::is_allowed_inline(*rule)) {
            let allow = format!("caveat-allow {} expires=2026-12-31 reason=\"x\"", rule.name());
            for text in [format!("<!-- {allow} -->\n"), format!("---\n# {allow}\n---\n")] {
                assert_eq!(rules_of(&text, &env()), unused, "{text}");
            }
        }
    }

    #[test]
    fn where_files_are_not_trusted_nothing_in_them_suppresses() {
        let text = "<!-- caveat-allow-file chmod-777 expires=2026-12-31 reason=\"x\" -->\n`chmod 777 /srv`\n";
        let found = |suppressions| rules_of(text, &Env { suppressions, ..env() });
        assert_eq!(found(true), [("chmod-777".to_owned(), Status::Suppressed)]);
        assert_eq!(found(false), [("chmod-777".to_owned(), Status::Reported)]);
    }

    #[test]
    fn what_it_covers_is_told_with_the_days_that_are_left() {
        let text = "<!-- caveat-allow chmod-777, sudo expires=2026-12-31 reason=\"x\" -->\na\nb\n\n\
                    <!-- caveat-allow-file chmod-777 expires=2026-06-01 reason=\"x\" -->\n\n\
                    <!-- caveat-allow chmod -->\n<!-- caveat-allow sudo expires=2026-06-02 reason=\"x\" -->\n";
        let mut document = Document::new(text, Language::Markdown, std::sync::Arc::default());
        let told = |today| -> Vec<String> {
            let suppressions = document.snapshot().suppressions();
            suppressions.iter().flat_map(|one| one.describe(today)).map(|line| line.to_string()).collect()
        };
        let mut told = told;
        let expected = [
            "Covers chmod-777 on lines 2 to 3.",
            "Covers sudo on lines 2 to 3.",
            "It holds through 2026-12-31 (UTC): 213 days are left after today.",
            "Covers chmod-777 in the whole file.",
            "It holds through 2026-06-01 (UTC): today is its last day.",
            "This suppresses nothing: there is no rule of this name.",
            "Covers nothing of sudo: no block follows.",
            "It holds through 2026-06-02 (UTC): one day is left after today.",
        ];
        assert_eq!(told(date(2026, 6, 1)), expected);
        assert_eq!(told(date(2027, 6, 1))[2], "It held through 2026-12-31 (UTC) and holds no more.");
    }
}
