//! What a project decided about rules, whatever a document says.

use std::collections::HashMap;

use jiff::civil::Date;

use super::grounds::Grounds;
use super::{Finding, Reach, Status, SuppressedBy};
use crate::catalogue::{RuleId, Severity};
use crate::scope::LabelAt;

/// How grave rules are, and whether cues count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Cues for *shown* do not count.
    pub no_stance: bool,
    severities: HashMap<RuleId, Option<Severity>>,
}

impl Policy {
    /// Makes findings of `rule` that grave; `None` switches it off.
    pub fn set(&mut self, rule: RuleId, severity: Option<Severity>) {
        self.severities.insert(rule, severity);
    }

    /// What was decided about `rule`: nothing, off, or a severity.
    #[must_use]
    pub fn of(&self, rule: RuleId) -> Option<Option<Severity>> {
        self.severities.get(&rule).copied()
    }
}

/// A suppression by the configuration, for one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The rule.
    pub rule: RuleId,
    /// The last day on which it holds, in UTC.
    pub expires: Date,
    /// Where it stands in the configuration: zero-based line, byte columns.
    pub at: LabelAt,
    /// The one finding that it is about; `None`: all of the rule.
    pub fingerprint: Option<u128>,
    /// The value of a record that it is about, with all inside it: a JSON Pointer (RFC 6901) as findings have it.
    pub pointer: Option<String>,
}

impl Accepted {
    /// Whether it is about what stands at `pointer`.
    fn reaches(&self, pointer: Option<&str>) -> bool {
        let Some(own) = &self.pointer else { return true };
        let below = pointer.and_then(|pointer| pointer.strip_prefix(own.as_str()));
        below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
    }
}

impl<S> Grounds<'_, S> {
    /// Suppresses what the configuration accepts. Before overlaps are resolved those for a whole rule, so that what
    /// stands behind such a finding comes to light; behind them, when findings have their names, those for one finding.
    pub(super) fn accept(&self, findings: &mut [Finding], named: bool) {
        let today = self.env.today;
        let holds = |one: &&Accepted| one.fingerprint.is_some() == named && today <= one.expires;
        for accepted in self.env.accepted.iter().filter(holds) {
            for finding in findings.iter_mut() {
                if finding.rule == accepted.rule
                    && finding.status == Status::Reported
                    && accepted.reaches(finding.pointer.as_deref())
                    && accepted.fingerprint.is_none_or(|fingerprint| fingerprint == finding.fingerprint)
                {
                    finding.status = Status::Suppressed;
                    finding.suppression = Some(SuppressedBy {
                        reach: Reach::Config,
                        at: accepted.at,
                        rules: vec![accepted.rule],
                        expires: accepted.expires,
                        covers: None,
                    });
                }
            }
        }
    }
}
