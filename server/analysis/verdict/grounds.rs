//! What a verdict is given on: the document as it was read, and the environment.

use super::{Env, Role, Span};
use crate::catalogue::{Catalogue, Group, Look, RuleId, Severity};
use crate::facts::{Fact, Record};
use crate::scope::Block;
use crate::seq::Seq;
use crate::text::Source;

/// A document as it was read, and what a verdict on it depends on beside that.
pub(super) struct Grounds<'a, S> {
    pub(super) source: &'a S,
    pub(super) records: &'a Seq<Record>,
    pub(super) blocks: &'a Seq<Block>,
    pub(super) env: &'a Env,
}

impl<S: Source> Grounds<'_, S> {
    /// How grave a rule's finding is in a document of this role; `None` where it does not look there.
    pub(super) fn severity(&self, id: RuleId, severity: Severity) -> Option<Severity> {
        self.severity_of(id, "", severity)
    }

    /// The same for a finding of the rule's entry `pattern`, which may look elsewhere than the rule.
    pub(super) fn severity_of(&self, id: RuleId, pattern: &str, severity: Severity) -> Option<Severity> {
        let rule = Catalogue::get().rule(id);
        let severity = match self.env.policy.of(id) {
            Some(decided) => decided?,
            None if rule.off => return None,
            None => severity,
        };
        let roles = rule.roles_of(pattern);
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

    /// The stretch of a fact that begins on line `line`.
    pub(super) fn span(&self, line: usize, fact: &Fact) -> Span {
        self.bytes(line, fact.start, line + usize::from(fact.end_line), fact.end)
    }

    /// The stretch between two places: zero-based lines, byte columns.
    pub(super) fn bytes(&self, line: usize, start: u32, end_line: usize, end: u32) -> Span {
        let offset = self.source.line_start(line) + start as usize;
        let length = if line == end_line {
            (end - start) as usize
        } else {
            self.source.line_start(end_line) + end as usize - offset
        };
        Span { line, column: start as usize, end_line, end_column: end as usize, offset, length }
    }
}
