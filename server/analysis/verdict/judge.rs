//! Facts and scopes joined with the environment: what is reported, what is exempt, and how grave it is.

use std::collections::HashMap;
use std::ops::Range;

use super::grounds::Grounds;
use super::stance::{self, Turns};
use super::table::Bans;
use super::{Arg, Env, Finding, Message, Span, Stance, Status, fingerprint, overlap};
use crate::catalogue::{Catalogue, Group, RuleId, Severity};
use crate::facts::cue::{self, Turn};
use crate::facts::hidden::{self, Form};
use crate::facts::label::Noun;
use crate::facts::view::Views;
use crate::facts::{ByKind, Cues, Fact, Hit, Record, Says, notice, phrase};
use crate::scope::{self, Block, BlockKind, Governed, LabelAt, Proof, Reason, ScopeKind};
use crate::seq::Seq;
use crate::text::Source;

/// Every finding of a document in order of position, whatever its status: verdicts, then overlap. The caller caps.
#[must_use]
pub fn findings(source: &impl Source, records: &Seq<Record>, blocks: &Seq<Block>, env: &Env) -> Vec<Finding> {
    let grounds = Grounds { source, records, blocks, env };
    let mut findings = Vec::new();
    let named = grounds.run_from_below();
    let mut here: Option<Here<'_>> = None;
    let mut line = 0;
    while let Some((next, _)) = records.seek_from(line, |sum| sum.facts > 0) {
        line = next + 1;
        if here.as_ref().is_none_or(|here| !here.lines.contains(&next)) {
            here = grounds.enter(next, here, &named);
        }
        let (Some(here), Some(record)) = (&mut here, records.get(next)) else { continue };
        here.turns.pass(next, record, |line| !grounds.source.line(line).contains(char::is_alphanumeric));
        for fact in record.facts() {
            match fact.says {
                Says::Hit(hit) => {
                    let finding = grounds.hit(here, next, fact, hit);
                    let pointer = || record.pointer(fact).map(Box::from);
                    findings.extend(finding.map(|finding| Finding { pointer: pointer(), ..finding }));
                }
                Says::Imperative { plan } => findings.extend(grounds.imperative(record, next, fact, plan)),
                _ => {}
            }
        }
    }
    grounds.unclosed_fences(&mut findings);
    grounds.behind_blank_lines(&mut findings);
    grounds.suppress(&mut findings);
    grounds.accept(&mut findings, false);
    let mut findings = overlap::resolve(findings);
    fingerprint::assign(&mut findings, source);
    grounds.accept(&mut findings, true);
    findings
}

/// The block that the facts at hand stand in, and what governs it.
pub(super) struct Here<'a> {
    pub(super) block: &'a Block,
    /// Its index among the blocks.
    pub(super) index: usize,
    pub(super) lines: Range<usize>,
    /// The proof of the label above it, whether that holds or not.
    proof: Option<Proof>,
    /// The zero-based line of a text further down that tells to run what stands in it.
    named: Option<usize>,
    /// The cues for *shown* that count in it.
    turns: Turns,
    /// The sentences that forbid what a table lists.
    bans: Bans,
}

impl<'a, S: Source> Grounds<'a, S> {
    /// The block that holds line `line`; `before` is the one that was judged last.
    fn enter(
        &self,
        line: usize,
        before: Option<Here<'_>>,
        named: &HashMap<usize, usize>,
    ) -> Option<Here<'a>> {
        let (from, passed) = before.as_ref().map_or((0, 0), |before| (before.index, before.lines.start));
        let (index, skipped) = self.blocks.seek_from(from, |sum| passed + sum.lines > line)?;
        let block = self.blocks.get(index)?;
        let start = passed + skipped.lines;
        let lines = start..start + block.lines as usize;
        let governed = block.governed != Governed::Free;
        let proof = governed.then(|| scope::at_line(self.blocks, self.records, lines.start)).flatten();
        let known = before.as_ref().and_then(|before| Some((before.index, before.turns.section()?)));
        let named = named.get(&index).copied();
        let mut turns =
            if self.env.stance { self.turns(block, index, &lines, known) } else { Turns::default() };
        turns.taken_back |= named.is_some();
        let bans = before.map_or_else(Bans::default, |before| before.bans).below(self, index, lines.start);
        Some(Here { block, index, lines, proof, named, turns, bans })
    }

    fn hit(&self, here: &Here<'_>, line: usize, fact: &Fact, hit: Hit) -> Option<Finding> {
        if hit.inert && !self.here_doc_is_open(here, line) {
            return None;
        }
        let rule = Catalogue::get().rule(hit.rule);
        let hidden = !hit.obfuscated.is_empty();
        // Nobody hides what is meant to be read: it is graver, and nothing around it exempts or shows it.
        // What was only taken apart may have been so by chance.
        let raised = hidden && hit.obfuscated != Views::SPLIT && hit.severity == Severity::Warning;
        let grade = if raised { Severity::Error } else { hit.severity };
        let mut severity = self.severity_of(hit.rule, hit.pattern, grade)?;
        let span = self.span(line, fact);
        let (mut status, mut stance, mut proof) = (Status::Reported, Stance::Given, None);
        if hidden {
            // reported, and given
        } else if rule.group == Group::Danger {
            let place = LabelAt { line, start: span.column, end: span.end_column };
            (status, stance, proof) = self.standing(here, place, span, hit);
            if stance == Stance::Shown {
                severity = Severity::Info;
            }
        } else if rule.label_exempts || rule.group == Group::Injection {
            (status, stance, proof) = self.mention(here, line, hit);
            if stance == Stance::Shown {
                severity = Severity::Info;
            }
        }
        let summary = hidden::says(hit.pattern).unwrap_or(&rule.summary);
        let message = if hit.more {
            Message::new("This {}, and more of the same stands on this line.", [Arg::Name(summary)])
        } else if hidden {
            hidden_message(summary, hit.obfuscated)
        } else {
            message(summary, stance, proof.as_ref())
        };
        let pattern = Some(hit.pattern);
        let outcome = Outcome { status, stance, pattern, scope: proof };
        let on = |rule: &RuleId| self.severity(*rule, rule.rule().severity).is_some();
        let also = hit.also.filter(on).into_iter().collect();
        Some(Finding {
            obfuscated: hit.obfuscated,
            also,
            ..finding(hit.rule, severity, span, message, outcome)
        })
    }

    /// A directive that is one by its paragraph, unless its line has a notice of that code already.
    fn imperative(&self, record: &Record, line: usize, fact: &Fact, plan: bool) -> Option<Finding> {
        let id = notice::Ids::get().directive;
        let rule = Catalogue::get().rule(id);
        let severity = self.severity(id, rule.severity)?;
        let known = |fact: &Fact| matches!(fact.says, Says::Hit(hit) if hit.rule == id);
        if record.facts().iter().any(known) || !notice::directs(self.source, self.records, line, plan) {
            return None;
        }
        let message = message(&rule.summary, Stance::Given, None);
        let pattern = Some("imperative");
        let outcome = Outcome { status: Status::Reported, stance: Stance::Given, pattern, scope: None };
        Some(finding(id, severity, self.span(line, fact), message, outcome))
    }

    /// What the text does with a dangerous command: forbids it by a label, a sentence or a table, shows it, or gives it.
    fn standing(
        &self,
        here: &Here<'_>,
        place: LabelAt,
        span: Span,
        hit: Hit,
    ) -> (Status, Stance, Option<Proof>) {
        let back = here.named.or_else(|| self.revoked_below(here, place.line, hit));
        if let Some(by) = hit.by.filter(|by| by.kind == ByKind::Ban) {
            let proof =
                stance::proof(ScopeKind::Sentence, stance::at(place.line, by), place.line..place.line + 1);
            let struck = here.block.entry.struck.then_some(Reason::InHtml);
            let myth = (here.block.entry.myth != 0).then_some(Reason::Myth);
            if let Some(reason) = myth.or(struck).or(back.map(|_| Reason::TakenBack)) {
                let reason_line = back.filter(|_| reason == Reason::TakenBack);
                let proof = Proof { holds: false, reason: Some(reason), reason_line, ..proof };
                return (Status::Reported, Stance::Given, Some(proof));
            }
            return (Status::Exempt, Stance::Forbidden, Some(proof));
        }
        let mut proof = here.proof.clone();
        if let Governed::Forbidden(_) = here.block.governed {
            let given = here.turns.gives(place.line).then_some(Reason::Given);
            let named = here.named.map(|_| Reason::TakenBack);
            match self.objection(here.block.kind, place.line, hit).or(given).or(named) {
                None => return (Status::Exempt, Stance::Forbidden, proof),
                Some(reason) => {
                    if let Some(proof) = &mut proof {
                        (proof.holds, proof.reason, proof.reason_line) = (
                            false,
                            Some(reason),
                            here.named.filter(|_| reason == Reason::TakenBack).or(Some(place.line)),
                        );
                    }
                    let shown = reason == Reason::EntryProse
                        && self.env.stance
                        && here.named.is_none()
                        && !here.turns.gives(place.line)
                        && self.is_named_in_entry(place, hit);
                    let stance = if shown { Stance::Shown } else { Stance::Given };
                    return (Status::Reported, stance, proof);
                }
            }
        }
        let text = || self.source.slice(span.offset..span.offset + span.length);
        if let Some(ban) = here.bans.forbids(hit, text).filter(|_| here.named.is_none()) {
            let proof = stance::proof(ScopeKind::ReplacementTable, ban, here.lines.clone());
            return (Status::Exempt, Stance::Forbidden, Some(proof));
        }
        if proof.is_none()
            && let Some(by) = hit.by
            && let ByKind::Nearly { miss, .. } = by.kind
        {
            let line = place.line;
            let sentence = stance::proof(ScopeKind::Sentence, stance::at(line, by), line..line + 1);
            proof = Some(Proof { holds: false, reason: Some(Reason::of(miss)), ..sentence });
        }
        // "Refuse to run `x`" has an affirmative word before the command, too.
        let refused = matches!(hit.by.map(|by| by.kind), Some(ByKind::Nearly { turn: Some(Turn::Bad), .. }));
        let loose = here.block.kind == BlockKind::List
            && here.block.governed == Governed::Failed(Reason::SecondBlock);
        if self.env.stance
            && (!hit.affirmed || refused)
            && !hit.more
            && (!loose || hit.leads || self.is_named_in_entry(place, hit))
            && let Some((kind, cue)) = here.turns.shown(place.line, hit, here.block.governed)
            && (back.is_none()
                || !matches!(kind, ScopeKind::Sentence | ScopeKind::Description | ScopeKind::Mark))
        {
            // A near miss keeps its reason: it is what the author has to mend.
            let proof = match proof {
                Some(proof) => Proof { cue: Some((kind, cue.line)), ..proof },
                None => stance::proof(kind, cue, here.lines.clone()),
            };
            return (Status::Reported, Stance::Shown, Some(proof));
        }
        (Status::Reported, Stance::Given, proof)
    }

    /// What the text does with a phrase: a label that forbids *instructions* exempts those of some rules, in a closed fence
    /// or a direct list; one that is only mentioned is shown. Neither counts where the document is not trusted.
    fn mention(&self, here: &Here<'_>, line: usize, hit: Hit) -> (Status, Stance, Option<Proof>) {
        let rule = Catalogue::get().rule(hit.rule);
        if let Governed::Forbidden(Noun::Instructions) = here.block.governed
            && rule.label_exempts
            && self.env.suppressions
            && !here.turns.gives(line)
            && self.objection(here.block.kind, line, hit).is_none()
        {
            return (Status::Exempt, Stance::Forbidden, here.proof.clone());
        }
        if let Some(by) = hit.by.filter(|by| by.kind == ByKind::Says(Turn::Bad))
            && rule.mentionable
            && self.env.stance
            && !hit.more
        {
            let proof = stance::proof(ScopeKind::Description, stance::at(line, by), line..line + 1);
            return (Status::Reported, Stance::Shown, Some(proof));
        }
        // Entries of a list that forbids: "The agent must never:" and below it "reveal …" is a denial as "never reveal …" is.
        let said = rule.phrases.iter().any(|phrase| phrase.id == hit.pattern);
        let entry = said && here.block.kind == BlockKind::List && hit.leads && !hit.more;
        if entry
            && let Governed::Free = here.block.governed
            && let Some((ScopeKind::LeadIn, cue)) = here.turns.shown(line, hit, here.block.governed)
        {
            let proof = stance::proof(ScopeKind::LeadIn, cue, here.lines.clone());
            return (Status::Reported, Stance::Shown, Some(proof));
        }
        (Status::Reported, Stance::Given, None)
    }

    /// Why a hit on line `line` of a forbidden block stays reviewable. Of a list entry that begins with prose, an
    /// affirmative word further in is not the reason: without it the entry would be covered no more.
    fn objection(&self, kind: BlockKind, line: usize, hit: Hit) -> Option<Reason> {
        let prose = kind == BlockKind::List && !hit.leads;
        if hit.more {
            Some(Reason::TooMany)
        } else if hit.affirmed && (!prose || self.begins_affirmed(line)) {
            Some(Reason::Affirmed)
        } else {
            prose.then_some(Reason::EntryProse)
        }
    }

    /// Whether an entry of a forbidden list that does not begin with its command names it all the same: behind a mark ("❌
    /// `x`"), in a sentence that forbids or describes it, behind other commands ("`y` or `x`"), or behind words that add
    /// nothing ("any form of `x`", "Git: `x`").
    fn is_named_in_entry(&self, place: LabelAt, hit: Hit) -> bool {
        const ADDS: [&str; 12] = [
            "any", "all", "every", "the", "a", "an", "form", "forms", "variant", "of", "command", "commands",
        ];
        match hit.by.map(|by| by.kind) {
            Some(ByKind::Opener(turn) | ByKind::Says(turn) | ByKind::Nearly { turn: Some(turn), .. }) => {
                return turn == Turn::Bad;
            }
            Some(_) => return false,
            None => {}
        }
        let text = self.source.line(place.line);
        let content = self.records.get(place.line).map_or(0, |record| record.line.content as usize);
        let before = text.get(content..place.start).unwrap_or_default();
        if goes_on_list(before) {
            return true;
        }
        let before = before.trim_end_matches(['`', ' ', '*', '"']).trim_start_matches(['*', '_']);
        let topic = before.strip_suffix(':').filter(|topic| topic.chars().all(char::is_alphanumeric));
        let topic = topic.filter(|topic| cue::heading(topic) != Some(Turn::Good));
        topic.is_some() || before.split(' ').all(|word| ADDS.iter().any(|add| add.eq_ignore_ascii_case(word)))
    }

    /// Whether the text of line `line` begins with an affirmative word, marks aside.
    fn begins_affirmed(&self, line: usize) -> bool {
        let text = self.source.line(line);
        let content = self.records.get(line).map_or(0, |record| record.line.content as usize);
        text.get(content..).is_some_and(phrase::is_affirmed)
    }

    /// Whether the here-document that line `line` stands in never ends: then its text is no data but more commands,
    /// and whoever wrote it may have meant to hide them.
    fn here_doc_is_open(&self, here: &Here<'_>, line: usize) -> bool {
        let content = line..here.lines.end - usize::from(here.block.closed);
        here.block.open_here_doc && !self.records.fold(content).cues.has(Cues::OUTSIDE)
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
            let message = message(&Catalogue::get().rule(rule).summary, Stance::Given, None);
            let outcome =
                Outcome { status: Status::Reported, stance: Stance::Given, pattern: None, scope: None };
            findings.push(finding(rule, severity, span, message, outcome));
        }
    }

    /// What stands below more blank lines than a screen shows: a finding on its first line.
    fn behind_blank_lines(&self, findings: &mut Vec<Finding>) {
        let Some(rule) = *hidden::RULE else { return };
        let mut index = 0;
        while let Some((next, _)) = self.blocks.seek_from(index, |sum| sum.gaps > 0) {
            index = next + 1;
            let line = self.blocks.fold(0..index).lines;
            let blanks = line - self.blocks.fold(0..next).lines;
            if blanks < scope::FAR as usize && !hidden::speaks_to_agent(&self.source.line(line)) {
                continue;
            }
            let (Some(record), Some(severity)) =
                (self.records.get(line), self.severity(rule, Catalogue::get().rule(rule).severity))
            else {
                continue;
            };
            let end = self.source.line(line).trim_end_matches([' ', '\t']).len() as u32;
            let span = self.bytes(line, record.line.content.min(end), line, end);
            let message = message(&Catalogue::get().rule(rule).summary, Stance::Given, None);
            let pattern = Some(Form::BlankLines.id());
            let outcome = Outcome { status: Status::Reported, stance: Stance::Given, pattern, scope: None };
            findings.push(finding(rule, severity, span, message, outcome));
        }
    }
}

/// Whether what stands before a command in its code span is code spans and what joins them: "`a`, `b` or `".
fn goes_on_list(before: &str) -> bool {
    let join =
        |text: &str| matches!(text.trim(), "," | "/" | "or" | "and" | "nor" | ", or" | ", and" | "&" | "|");
    let Some(inside) = before.strip_suffix('`').and_then(|before| before.trim_start().strip_prefix('`'))
    else {
        return false;
    };
    // Code and joins take turns.
    let mut pieces = 0;
    inside.split('`').all(|piece| {
        pieces += 1;
        pieces % 2 == 1 && !piece.is_empty() || pieces % 2 == 0 && join(piece)
    }) && pieces % 2 == 0
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
        pointer: None,
        rule,
        group,
        severity,
        status,
        stance,
        span,
        message,
        pattern,
        obfuscated: Views::empty(),
        scope,
        suppression: None,
        also: Vec::new(),
        fingerprint: 0,
    }
}

/// The rule's summary, and by what it was hidden.
fn hidden_message(summary: &'static str, by: Views) -> Message {
    let (summary, names) = (Arg::Name(summary), by.names().map(Arg::Name).collect::<Vec<_>>());
    match names[..] {
        [one] => Message::new("This {}. It is hidden: {}.", [summary, one]),
        [one, two] => Message::new("This {}. It is hidden: {} and {}.", [summary, one, two]),
        [one, two, ..] => Message::new("This {}. It is hidden: {}, {} and more.", [summary, one, two]),
        [] => Message::new("This {}.", [summary]),
    }
}

/// The rule's summary, and a word on what forbids or shows it, or nearly does.
fn message(summary: &'static str, stance: Stance, proof: Option<&Proof>) -> Message {
    let summary = Arg::Name(summary);
    let Some(proof) = proof else { return Message::new("This {}.", [summary]) };
    let line = Arg::Line(proof.label.line);
    if let (Some(reason), Some((cue, at))) = (proof.reason, proof.other_cue()) {
        let template = match proof.kind {
            ScopeKind::Sentence => {
                "This {}. It is shown, not given: {} on line {}. The sentence on line {} does not forbid it: {}."
            }
            _ => {
                "This {}. It is shown, not given: {} on line {}. The label on line {} does not cover it: {}."
            }
        };
        let (cue, at) = (Arg::Name(cue.what()), Arg::Line(at));
        return Message::new(template, [summary, cue, at, line, Arg::Name(reason.why())]);
    }
    match (proof.reason, proof.kind) {
        (Some(reason), ScopeKind::Sentence) => Message::new(
            "This {}. The sentence on line {} does not forbid it: {}. What holds: Never run `...`.",
            [summary, line, Arg::Name(reason.why())],
        ),
        (Some(reason), _) if stance == Stance::Shown => Message::new(
            "This {}. It is shown, not given, by a label on line {} that does not cover it: {}.",
            [summary, line, Arg::Name(reason.why())],
        ),
        (Some(reason), _) => Message::new(
            "This {}. The label on line {} does not cover it: {}.",
            [summary, line, Arg::Name(reason.why())],
        ),
        (None, kind) if kind.shows() => Message::new(
            "This {}. It is shown, not given: {} on line {}.",
            [summary, Arg::Name(kind.what()), line],
        ),
        (None, kind) => {
            Message::new("This {}. Forbidden by {} on line {}.", [summary, Arg::Name(kind.what()), line])
        }
    }
}
