//! A configuration below another one: not merged with it, and not free to loosen what guards the reader.
//!
//! Whoever may write a folder of a repository may write its `caveat.toml`. A secret, or text that turns on its reader,
//! must not vanish by that: rules of these groups are as grave below as they are above, or graver.

use std::ops::Range;

use caveat_analysis::catalogue::{Catalogue, Group, RuleId, Severity};

use super::{Config, ConfigError, Problem};

/// Whether a nested configuration may not loosen the rule.
#[must_use]
pub fn is_guarded(rule: RuleId) -> bool {
    matches!(rule.rule().group, Group::Injection | Group::Secret)
}

/// How grave a rule is under `config`; `None`: off.
fn effective(config: &Config, rule: RuleId) -> Option<Severity> {
    let of_its_own = if rule.rule().off { None } else { Some(rule.rule().severity) };
    config.policy.of(rule).unwrap_or(of_its_own)
}

impl Config {
    /// This configuration as it holds below `above`: rules about secrets and injections that it does not speak of are as
    /// grave as `above` makes them.
    ///
    /// # Errors
    /// It loosens such a rule, or suppresses it.
    pub(crate) fn below(mut self, above: &Config) -> Result<Config, ConfigError> {
        let fail = |at: &Range<usize>| match &self.source {
            Some(source) => Problem::Loosens.at(at.clone(), &source.text, &source.file),
            None => Problem::Loosens.at(0..0, "", std::path::Path::new("")),
        };
        for decision in self.decisions.iter().filter(|decision| is_guarded(decision.rule)) {
            if decision.severity < effective(above, decision.rule) {
                return Err(fail(&decision.at));
            }
        }
        if let Some(first) = self.accepted.iter().find(|one| is_guarded(one.accepts.rule)) {
            return Err(fail(&first.at.rule));
        }
        for (rule, _) in Catalogue::get().rules().filter(|(rule, _)| is_guarded(*rule)) {
            let there = effective(above, rule);
            if self.policy.of(rule).is_none() && there > effective(&self, rule) {
                self.policy.set(rule, there);
            }
        }
        Ok(self)
    }
}
