//! What can be done about a finding by an edit: the right-most room, which reads verdicts and is read by reports.
//!
//! Nothing is offered on trust. Each fix is tried before it is offered: its edits are made to a copy of the document,
//! which is brought up to date as for any edit, and what is found then decides. So whatever a container, a line end or a
//! neighbouring block makes of an edit, a fix that is offered does what its title says, and once it is made it is not
//! offered again.

mod command;
mod config;
mod fence;
mod front;
mod hidden;
mod label;
mod place;
mod sentence;
mod slot;
mod suppression;
mod trial;

pub use config::{acceptance, glob_of};
pub use front::InFront;
pub use label::LABEL;
pub use slot::{Slot, slot};

use std::ops::Range;

use jiff::civil::Date;

use crate::catalogue::{Group, RuleId};
use crate::document::{Document, Language, Snapshot};
use crate::facts::allow::is_allowed_inline;
use crate::scope::Reason;
use crate::verdict::{Arg, Finding, Message, Stance, Status};

/// For how many days a suppression holds that a fix writes.
pub const DAYS: i32 = 90;

/// The reason that a fix writes: one that somebody has to replace.
pub const REASON: &str = "TODO: say why this is accepted";

/// What a fix does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FixKind {
    /// Writes the command as its rule's remedy says.
    Safer,
    /// Writes a label that holds above the block.
    Label,
    /// Writes a sentence in a form that forbids the command inside it.
    Sentence,
    /// Closes a fence.
    CloseFence,
    /// Takes out characters that nobody sees.
    RemoveHidden,
    /// Lets a suppression hold for another [`DAYS`] days.
    Renew,
    /// Takes out a suppression, or one of its rules.
    Remove,
    /// Puts right what is wrong with a suppression.
    Correct,
    /// Suppresses the finding where it stands.
    SuppressHere,
    /// Suppresses the rule in the whole file.
    SuppressFile,
}

/// A stretch of the text, and what is to stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The bytes that go.
    pub range: Range<usize>,
    /// What comes in their place.
    pub text: String,
}

impl TextEdit {
    fn insert(at: usize, text: String) -> TextEdit {
        TextEdit { range: at..at, text }
    }
}

/// A way to do something about one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does.
    pub kind: FixKind,
    /// What it is called: words of ours.
    pub title: Message,
    /// The rule of the finding.
    pub rule: RuleId,
    /// The edits, apart from each other and in order of position.
    pub edits: Vec<TextEdit>,
    /// It is the one to take: it removes the finding, adds none, and does what the author is likely to want.
    pub preferred: bool,
    /// It may be made without asking: it touches no command, and nothing but its own finding changes.
    pub safe: bool,
}

/// One document, and how findings are looked for in it: where fixes are made up and tried.
pub struct Fixer<'a> {
    document: Document,
    snapshot: Snapshot,
    findings: Vec<Finding>,
    judge: &'a dyn Fn(&Snapshot) -> Vec<Finding>,
    today: Date,
}

impl<'a> Fixer<'a> {
    /// The fixer of `document`. `judge` gives every finding of a snapshot, whatever its status; `today` is the day from
    /// which last days are counted.
    #[must_use]
    pub fn new(
        mut document: Document,
        judge: &'a dyn Fn(&Snapshot) -> Vec<Finding>,
        today: Date,
    ) -> Fixer<'a> {
        let snapshot = document.snapshot();
        let findings = judge(&snapshot);
        Fixer { document, snapshot, findings, judge, today }
    }

    /// What is found in the document, in order of position.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The document as it was read.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// What can be done about `finding`, one of [`findings`](Fixer::findings): the likeliest first.
    #[must_use]
    pub fn fixes(&self, finding: &Finding) -> Vec<Fix> {
        if finding.status != Status::Reported {
            return Vec::new();
        }
        let mut fixes = self.mends(finding);
        // One is the one to take.
        let mut taken = false;
        for fix in &mut fixes {
            fix.preferred &= !taken;
            taken |= fix.preferred;
        }
        if takes_comments(self.document.language()) && is_allowed_inline(finding.rule) {
            fixes.extend(self.suppress_here(finding));
            fixes.extend(self.suppress_file(finding));
        }
        fixes
    }

    /// What removes the cause of `finding`, not the finding alone.
    fn mends(&self, finding: &Finding) -> Vec<Fix> {
        match (finding.group, finding.rule.name()) {
            (Group::Suppression, _) => self.suppression(finding),
            // What was said in characters that nobody sees is gone with them.
            (Group::Danger, _) if !finding.obfuscated.is_empty() => {
                self.danger(finding).into_iter().chain(self.unhide(finding)).collect()
            }
            (Group::Danger, _) => self.danger(finding),
            (Group::Injection, _) => self.unhide(finding).into_iter().collect(),
            (_, "unclosed-fence") => self.close_fence(finding).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The command is forbidden where that was nearly said, else written more safely. One that is shown stays as it is.
    fn danger(&self, finding: &Finding) -> Vec<Fix> {
        let unclosed = finding.scope.as_ref().is_some_and(|scope| scope.reason == Some(Reason::Unclosed));
        let forbidden = match unclosed {
            true => self.close_fence(finding),
            false => self.sentence(finding).or_else(|| self.label(finding)),
        };
        let safer = if finding.stance == Stance::Given { self.safer(finding) } else { None };
        let mut fixes: Vec<Fix> = safer.into_iter().chain(forbidden).collect();
        if fixes.iter().any(|fix| fix.preferred && fix.kind != FixKind::Safer) {
            fixes.reverse();
        }
        fixes
    }

    /// Fixes that are safe, made together, `limit` of them at most, from the last in the document on: the edits to the
    /// document as it is, in order of position, and the rule of each finding that they remove.
    #[must_use]
    pub fn safe(&self, limit: usize) -> (Vec<TextEdit>, Vec<RuleId>) {
        // From the end to the beginning: what is before an edit stays where it was, so that every edit is one of the
        // document as it is now.
        let mut edits: Vec<TextEdit> = Vec::new();
        let mut rules = Vec::new();
        let mut free = usize::MAX;
        let mut now = Fixer::new(self.document.clone(), self.judge, self.today);
        for finding in self.findings.iter().rev().filter(|finding| may_be_safe(finding)) {
            // What is found may have moved from one to another; only what is still there is looked at.
            if !now.findings.iter().any(|other| {
                other.status == Status::Reported
                    && other.rule == finding.rule
                    && other.span.offset == finding.span.offset
                    && other.span.length == finding.span.length
            }) {
                continue;
            }
            let made = now
                .mends(finding)
                .into_iter()
                .find(|fix| fix.safe && fix.edits.last().is_some_and(|edit| edit.range.end <= free));
            let Some(fix) = made else { continue };
            free = fix.edits.first().map_or(free, |edit| edit.range.start);
            now = Fixer::new(trial::edited(&now.document, &fix.edits), self.judge, self.today);
            edits.extend(fix.edits.into_iter().rev());
            rules.push(fix.rule);
            if rules.len() == limit {
                break;
            }
        }
        edits.reverse();
        rules.reverse();
        (edits, rules)
    }

    /// The last day of a suppression that is written today.
    fn last_day(&self) -> Date {
        last_day(self.today)
    }
}

/// Whether a suppression is offered to be put into a document of `language`: as an HTML comment. In YAML and TOML it is
/// written by hand, behind `#`; JSON and lines of values have none.
fn takes_comments(language: Language) -> bool {
    language == Language::Markdown
}

/// Whether a fix of `finding` may be safe: no command is touched unasked, no suppression lengthened, and nothing hidden
/// goes before somebody saw that it was there.
fn may_be_safe(finding: &Finding) -> bool {
    finding.status == Status::Reported
        && matches!(finding.rule.name(), "suppression-unused" | "unclosed-fence")
}

/// The last day of a suppression that is written on `today`.
#[must_use]
pub fn last_day(today: Date) -> Date {
    today.saturating_add(jiff::Span::new().days(DAYS))
}

fn titled(template: &'static str, rule: RuleId) -> Message {
    Message::new(template, [Arg::Rule(rule)])
}

#[cfg(test)]
mod tests;
