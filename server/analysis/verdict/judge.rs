//! Facts and scopes joined with the environment: what is reported, what is exempt, and how grave it is.

use std::ops::Range;

use super::{Arg, Env, Finding, Message, Role, Span, Stance, Status, fingerprint, overlap};
use crate::catalogue::{Catalogue, Group, Look, RuleId, Severity};
use crate::facts::{Cues, Fact, Hit, Record, Says};
use crate::scope::{self, Block, BlockKind, Governed, Proof, Reason};
use crate::seq::Seq;
use crate::text::Source;

/// Every finding of a document in order of position, whatever its status: verdicts, then overlap. The caller caps.
#[must_use]
pub fn findings(source: &impl Source, records: &Seq<Record>, blocks: &Seq<Block>, env: &Env) -> Vec<Finding> {
    let judge = Judge { source, records, blocks, env };
    let mut findings = Vec::new();
    let mut here = None;
    let mut line = 0;
    while let Some((next, _)) = records.seek_from(line, |sum| sum.facts > 0) {
        line = next + 1;
        let here = match &here {
            Some(block @ Here { lines, .. }) if lines.contains(&next) => block,
            _ => match Here::of(records, blocks, next) {
                Some(block) => here.insert(block),
                None => continue,
            },
        };
        for fact in records.get(next).map(Record::facts).unwrap_or_default() {
            if let Says::Hit(hit) = fact.says {
                findings.extend(judge.hit(here, next, fact, hit));
            }
        }
    }
    judge.unclosed_fences(&mut findings);
    let mut findings = overlap::resolve(findings);
    fingerprint::assign(&mut findings, source);
    findings
}

/// The block that the facts at hand stand in.
struct Here<'a> {
    block: &'a Block,
    lines: Range<usize>,
    proof: Option<Proof>,
}

impl<'a> Here<'a> {
    fn of(records: &Seq<Record>, blocks: &'a Seq<Block>, line: usize) -> Option<Here<'a>> {
        let (index, lines) = scope::at(blocks, line)?;
        let block = blocks.get(index)?;
        let governed = block.governed != Governed::Free;
        let proof = governed.then(|| scope::at_line(blocks, records, lines.start)).flatten();
        Some(Here { block, lines, proof })
    }
}

struct Judge<'a, S> {
    source: &'a S,
    records: &'a Seq<Record>,
    blocks: &'a Seq<Block>,
    env: &'a Env,
}

impl<S: Source> Judge<'_, S> {
    fn hit(&self, here: &Here<'_>, line: usize, fact: &Fact, hit: Hit) -> Option<Finding> {
        if hit.inert && !self.here_doc_is_open(here, line) {
            return None;
        }
        let rule = Catalogue::get().rule(hit.rule);
        let severity = self.severity(hit.rule, hit.severity)?;
        let (mut status, mut stance, mut proof) = (Status::Reported, Stance::Given, None);
        if rule.group == Group::Danger {
            proof = here.proof.clone();
            if let Governed::Forbidden(_) = here.block.governed {
                match objection(here.block.kind, hit) {
                    None => (status, stance) = (Status::Exempt, Stance::Forbidden),
                    Some(reason) => {
                        if let Some(proof) = &mut proof {
                            (proof.holds, proof.reason, proof.reason_line) =
                                (false, Some(reason), Some(line));
                        }
                    }
                }
            }
        }
        let message = message(&rule.summary, proof.as_ref());
        let span = self.span(line, fact);
        let pattern = Some(hit.pattern);
        Some(finding(hit.rule, severity, span, message, Outcome { status, stance, pattern, scope: proof }))
    }

    /// Whether the here-document that line `line` stands in never ends: then its text is no data but more commands,
    /// and whoever wrote it may have meant to hide them.
    fn here_doc_is_open(&self, here: &Here<'_>, line: usize) -> bool {
        let content = line..here.lines.end - usize::from(here.block.closed);
        here.block.open_here_doc && !self.records.fold(content).cues.has(Cues::OUTSIDE)
    }

    /// How grave a rule's finding is in a document of this role; `None` where it does not look there.
    fn severity(&self, rule: RuleId, severity: Severity) -> Option<Severity> {
        let rule = Catalogue::get().rule(rule);
        if rule.off {
            return None;
        }
        let roles = rule.roles();
        let look = match self.env.role {
            Role::Instructions => roles.instructions,
            Role::Runbook => roles.runbook,
            Role::Reference { .. } => roles.reference,
        };
        let severity = match look {
            Look::Yes => severity,
            Look::Info => Severity::Info,
            Look::No => return None,
        };
        // An ordinary README stays calm: what nobody declared shows only what turns on its reader, and secrets.
        let calm = self.env.role == Role::Reference { declared: false };
        let grave = severity == Severity::Error && matches!(rule.group, Group::Injection | Group::Secret);
        (!calm || grave).then_some(severity)
    }

    /// A fence that nothing closes is a finding on its opening marker and info string; its text is read all the same.
    fn unclosed_fences(&self, findings: &mut Vec<Finding>) {
        let Some(rule) = Catalogue::get().by_name("unclosed-fence") else { return };
        let Some(severity) = self.severity(rule, Catalogue::get().rule(rule).severity) else { return };
        let mut index = 0;
        while let Some((next, _)) = self.blocks.seek_from(index, |sum| sum.unclosed > 0) {
            index = next + 1;
            let line = self.blocks.fold(0..next).lines;
            let Some(record) = self.records.get(line) else { continue };
            let text = self.source.line(line);
            let end = text.trim_end_matches([' ', '\t']).len() as u32;
            let start = record.line.content.min(end);
            let span = self.bytes(line, start, line, end);
            let message = message(&Catalogue::get().rule(rule).summary, None);
            let outcome =
                Outcome { status: Status::Reported, stance: Stance::Given, pattern: None, scope: None };
            findings.push(finding(rule, severity, span, message, outcome));
        }
    }

    fn span(&self, line: usize, fact: &Fact) -> Span {
        self.bytes(line, fact.start, line + usize::from(fact.end_line), fact.end)
    }

    fn bytes(&self, line: usize, start: u32, end_line: usize, end: u32) -> Span {
        let offset = self.source.line_start(line) + start as usize;
        let length = self.source.line_start(end_line) + end as usize - offset;
        Span { line, column: start as usize, end_line, end_column: end as usize, offset, length }
    }
}

/// Why a hit in a forbidden block stays reviewable.
fn objection(kind: BlockKind, hit: Hit) -> Option<Reason> {
    if hit.affirmed {
        Some(Reason::Affirmed)
    } else if kind == BlockKind::List && !hit.leads {
        Some(Reason::EntryProse)
    } else {
        None
    }
}

struct Outcome {
    status: Status,
    stance: Stance,
    pattern: Option<&'static str>,
    scope: Option<Proof>,
}

fn finding(rule: RuleId, severity: Severity, span: Span, message: Message, outcome: Outcome) -> Finding {
    let Outcome { status, stance, pattern, scope } = outcome;
    let group = Catalogue::get().rule(rule).group;
    Finding {
        rule,
        group,
        severity,
        status,
        stance,
        span,
        message,
        pattern,
        scope,
        also: Vec::new(),
        fingerprint: 0,
    }
}

/// The rule's summary, and a word on the label beside it.
fn message(summary: &'static str, proof: Option<&Proof>) -> Message {
    let summary = Arg::Name(summary);
    match proof {
        None => Message::new("This {}.", [summary]),
        Some(proof) => match proof.reason {
            None => Message::new(
                "This {}. The label on line {} forbids it.",
                [summary, Arg::Line(proof.label.line)],
            ),
            Some(reason) => Message::new(
                "This {}. The label on line {} does not cover it: {}.",
                [summary, Arg::Line(proof.label.line), Arg::Name(reason.why())],
            ),
        },
    }
}
