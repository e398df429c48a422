//! What may be written in front of a block: what suppresses all that is found in it, and a label that holds.

use super::label::LABEL;
use super::{Fixer, REASON, TextEdit, trial};
use crate::catalogue::{Group, RuleId};
use crate::facts::allow::is_allowed_inline;
use crate::scope;
use crate::text::Source;
use crate::verdict::{Finding, Status};

/// What may be written in front of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InFront {
    /// A suppression of all that is found in it, and the rules of that.
    Suppression(String, Vec<RuleId>),
    /// A label that forbids it.
    Label(String),
}

impl Fixer<'_> {
    /// What may stand on line `line` behind its byte `from`, in place of all that stands there, for the block below it.
    /// What is given does what it is for: that was tried.
    #[must_use]
    pub fn in_front(&self, line: usize, from: usize) -> Vec<InFront> {
        let text = self.snapshot.text();
        if line >= text.line_count() {
            return Vec::new();
        }
        let start = text.line_start(line);
        let here = start + from..start + text.line(line).len();
        // What was begun may have swallowed the block, as an open comment does.
        let without = TextEdit { range: here.clone(), text: String::new() };
        let without = Fixer::new(trial::edited(&self.document, &[without]), self.judge, self.today);
        let found = without.below(line);
        let mut rules: Vec<RuleId> = found.iter().map(|finding| finding.rule).collect();
        rules.sort_unstable();
        rules.dedup();
        let mut proposals = Vec::new();
        let mut propose = |proposal: InFront| {
            let (InFront::Suppression(put, _) | InFront::Label(put)) = &proposal;
            let edit = TextEdit { range: here.clone(), text: put.clone() };
            let after = (self.judge)(&trial::edited(&self.document, &[edit]).snapshot());
            let count =
                |findings: &[Finding]| findings.iter().filter(|f| f.status == Status::Reported).count();
            if count(&after) < count(&without.findings) {
                proposals.push(proposal);
            }
        };
        if !rules.is_empty() {
            let names: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
            let (names, day) = (names.join(", "), self.last_day());
            let put = format!("<!-- caveat-allow {names} expires={day} reason=\"{REASON}\" -->");
            propose(InFront::Suppression(put, rules));
        }
        if found.iter().any(|finding| finding.group == Group::Danger) {
            propose(InFront::Label(LABEL.to_owned()));
        }
        proposals
    }

    /// What is reported in the next block below line `line` and can be suppressed by a comment.
    fn below(&self, line: usize) -> Vec<&Finding> {
        let text = self.snapshot.text();
        let bare = |line: &usize| text.line(*line).bytes().any(|b| !matches!(b, b' ' | b'\t' | b'>'));
        let Some(first) = (line + 1..text.line_count()).find(bare) else { return Vec::new() };
        let Some((_, lines)) = scope::at(self.snapshot.blocks(), first) else { return Vec::new() };
        let here = |finding: &&Finding| {
            finding.status == Status::Reported
                && lines.contains(&finding.span.line)
                && is_allowed_inline(finding.rule)
        };
        self.findings.iter().filter(here).collect()
    }
}
