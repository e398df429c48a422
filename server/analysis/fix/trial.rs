//! A fix is tried on a copy of the document, and what is found then is compared with what was found before.

use std::collections::HashMap;

use super::{Fix, FixKind, Fixer, TextEdit};
use crate::catalogue::{RuleId, Severity};
use crate::document::Document;
use crate::text::{Edit, Encoding};
use crate::verdict::{Finding, Message, Status};

/// A copy of `document` with `edits` made to it: apart from each other, in order, in bytes of its text. None may begin or
/// end between the two bytes of a CRLF.
pub(super) fn edited(document: &Document, edits: &[TextEdit]) -> Document {
    let mut copy = document.clone();
    for edit in edits.iter().rev() {
        let position = |at| copy.text().position_of(at, Encoding::Utf8);
        let range = Some((position(edit.range.start), position(edit.range.end)));
        copy.apply(&Edit { range, text: edit.text.clone() }, Encoding::Utf8);
    }
    copy
}

/// What came of a trial in which the finding went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Nothing is reported that was not reported before, and nothing more gravely.
    pub(super) adds_none: bool,
    /// As above, or what is reported now stood behind a finding of the rule, which was the graver.
    pub(super) uncovers: bool,
    /// All else that was reported still is.
    pub(super) alone: bool,
}

/// How many findings of each rule and severity are reported.
type Counts = HashMap<(RuleId, Severity), usize>;

fn counts(findings: &[Finding]) -> Counts {
    let mut counts = Counts::new();
    for finding in findings.iter().filter(|finding| finding.status == Status::Reported) {
        *counts.entry((finding.rule, finding.severity)).or_default() += 1;
    }
    counts
}

/// How many findings of a rule are reported as gravely, or more.
fn at_least(counts: &Counts, (rule, least): (RuleId, Severity)) -> usize {
    counts
        .iter()
        .filter(|((of, severity), _)| *of == rule && *severity >= least)
        .map(|(_, count)| count)
        .sum()
}

impl Fixer<'_> {
    /// What comes of `edits`; `None` where `finding` would still be reported.
    pub(super) fn attempt(&self, finding: &Finding, edits: &[TextEdit]) -> Option<Outcome> {
        let after = (self.judge)(&edited(&self.document, edits).snapshot());
        let moved = moved(finding.span.offset, edits);
        let remains = after.iter().any(|other| {
            other.status == Status::Reported && other.rule == finding.rule && other.span.offset == moved
        });
        if remains {
            return None;
        }
        let (before, mut left) = (counts(&self.findings), counts(&after));
        // What is reported less gravely than before is not added.
        let more = left.keys().filter(|key| at_least(&left, **key) > at_least(&before, **key));
        let added: Vec<RuleId> = more.map(|(rule, _)| *rule).collect();
        *left.entry((finding.rule, finding.severity)).or_default() += 1;
        left.retain(|_, count| *count > 0);
        let alike = self.findings.iter().filter(|other| other.rule == finding.rule);
        let uncovers = added.iter().all(|rule| alike.clone().any(|other| other.also.contains(rule)));
        Some(Outcome { adds_none: added.is_empty(), uncovers, alone: left == before })
    }

    /// The fix, if it does what it is for.
    pub(super) fn tried(
        &self,
        kind: FixKind,
        title: Message,
        finding: &Finding,
        edits: Vec<TextEdit>,
    ) -> Option<Fix> {
        let outcome = self.attempt(finding, &edits)?;
        let offered = match kind {
            // A suppression that holds again may turn out to answer for nothing: that is the next thing to be told.
            FixKind::Renew | FixKind::Correct => true,
            FixKind::SuppressHere | FixKind::SuppressFile => outcome.uncovers,
            _ => outcome.adds_none,
        };
        if !offered {
            return None;
        }
        let chosen = matches!(
            kind,
            FixKind::Safer
                | FixKind::Sentence
                | FixKind::CloseFence
                | FixKind::RemoveHidden
                | FixKind::Renew
                | FixKind::Remove
                | FixKind::Correct
        );
        let preferred = outcome.adds_none && chosen;
        Some(Fix { kind, title, rule: finding.rule, edits, preferred, safe: false })
    }
}

/// Where the byte `at` stands after `edits`: what is put in right before it pushes it on.
fn moved(at: usize, edits: &[TextEdit]) -> usize {
    edits
        .iter()
        .rev()
        .filter(|edit| edit.range.end <= at)
        .fold(at, |at, edit| at - edit.range.len() + edit.text.len())
}
