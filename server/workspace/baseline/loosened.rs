//! What a change takes away from the rules it is judged by. None of it counts for the change itself; all of it is told,
//! for the next change will be judged by it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use caveat_analysis::catalogue::{Catalogue, RuleId, Severity};
use toml::Spanned;

use crate::config::Config;

/// The kinds of loosening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// A suppression that the base does not have, in a file or in its configuration.
    SuppressionAdded,
    /// One that holds longer than at the base.
    SuppressionExtended,
    /// A rule is switched off.
    RuleOff,
    /// A rule is less grave.
    SeverityLowered,
    /// Cues for *shown* count again.
    StanceOn,
    /// A label of the project's own.
    LabelAdded,
    /// A command of the project's own, or a file that it distrusts, is no longer named.
    GuardRemoved,
    /// A file is no longer declared, or is declared to be addressed to nobody.
    RoleRelaxed,
    /// A folder scan reads less.
    LessRead,
    /// A configuration that stands between files and the one that held for them.
    ConfigurationAdded,
    /// A configuration is gone.
    ConfigurationRemoved,
    /// The base's configuration cannot be read; what holds without one was taken.
    BaseUnreadable,
}

impl What {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            What::SuppressionAdded => "suppression-added",
            What::SuppressionExtended => "suppression-extended",
            What::RuleOff => "rule-off",
            What::SeverityLowered => "severity-lowered",
            What::StanceOn => "stance-on",
            What::LabelAdded => "label-added",
            What::GuardRemoved => "guard-removed",
            What::RoleRelaxed => "role-relaxed",
            What::LessRead => "less-read",
            What::ConfigurationAdded => "configuration-added",
            What::ConfigurationRemoved => "configuration-removed",
            What::BaseUnreadable => "base-unreadable",
        }
    }

    /// The same for a person.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            What::SuppressionAdded => "a new suppression",
            What::SuppressionExtended => "a suppression that holds longer",
            What::RuleOff => "a rule is switched off",
            What::SeverityLowered => "a rule is less grave",
            What::StanceOn => "what is shown no longer counts as given",
            What::LabelAdded => "a new label",
            What::GuardRemoved => "a command or an untrusted path is no longer named",
            What::RoleRelaxed => "a file is addressed to somebody no longer",
            What::LessRead => "less is read",
            What::ConfigurationAdded => "a configuration that was not there",
            What::ConfigurationRemoved => "a configuration is gone",
            What::BaseUnreadable => "the base's configuration cannot be read and was left out",
        }
    }
}

/// Something that a change loosens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loosened {
    /// The file (absolute).
    pub file: PathBuf,
    /// Its line, from 1, where it stands on one.
    pub line: Option<usize>,
    /// What.
    pub what: What,
    /// The rule that it is about.
    pub rule: Option<RuleId>,
}

/// What `now` allows that `then` did not; `file` is the configuration's.
pub(super) fn between(then: Option<&Config>, now: Option<&Config>, file: &Path) -> Vec<Loosened> {
    let mut found = Vec::new();
    let mut add = |what, line, rule| found.push(Loosened { file: file.to_path_buf(), line, what, rule });
    match (then, now) {
        (Some(_), None) => add(What::ConfigurationRemoved, None, None),
        (None, Some(_)) => add(What::ConfigurationAdded, None, None),
        _ => {}
    }
    let nothing = Config::default();
    let (then, now) = (then.unwrap_or(&nothing), now.unwrap_or(&nothing));
    let line = |at: usize| {
        let text = now.source.as_ref().map_or("", |source| source.text.as_str());
        Some(text.get(..at).unwrap_or_default().matches('\n').count() + 1)
    };
    for (rule, _) in Catalogue::get().rules() {
        let (before, after) = (effective(then, rule), effective(now, rule));
        if after < before {
            let what = if after.is_none() { What::RuleOff } else { What::SeverityLowered };
            let at = now.decisions.iter().find(|one| one.rule == rule).map(|one| one.line);
            add(what, at, Some(rule));
        }
    }
    for one in &now.accepted {
        let reaches = |old: &&crate::config::Suppression| {
            old.accepts.rule == one.accepts.rule
                && (old.paths.is_none() || old.paths == one.paths)
                && (old.accepts.fingerprint.is_none() || old.accepts.fingerprint == one.accepts.fingerprint)
        };
        let until = then.accepted.iter().filter(reaches).map(|old| old.accepts.expires).max();
        let what = match until {
            None => Some(What::SuppressionAdded),
            Some(until) => (one.accepts.expires > until).then_some(What::SuppressionExtended),
        };
        if let Some(what) = what {
            add(what, Some(one.accepts.at.line + 1), Some(one.accepts.rule));
        }
    }
    if then.policy.no_stance && !now.policy.no_stance {
        add(What::StanceOn, None, None);
    }
    let added = |then: &[Spanned<String>], now: &[Spanned<String>]| -> Vec<usize> {
        let known: BTreeSet<&str> = then.iter().map(|one| one.get_ref().as_str()).collect();
        now.iter().filter(|one| !known.contains(one.get_ref().as_str())).map(|one| one.span().start).collect()
    };
    for (what, more) in [
        (What::LabelAdded, added(&then.labels, &now.labels)),
        (What::LessRead, added(&then.exclude, &now.exclude)),
        (What::RoleRelaxed, added(&then.roles.reference, &now.roles.reference)),
    ] {
        for at in more {
            add(what, line(at), None);
        }
    }
    for (what, fewer) in [
        (What::LessRead, added(&now.include, &then.include)),
        (What::RoleRelaxed, added(&now.roles.instructions, &then.roles.instructions)),
        (What::RoleRelaxed, added(&now.roles.runbook, &then.roles.runbook)),
        (What::GuardRemoved, added(&now.untrusted, &then.untrusted)),
    ] {
        fewer.iter().for_each(|_| add(what, None, None));
    }
    if now.max_file_bytes() < then.max_file_bytes() {
        add(What::LessRead, None, None);
    }
    if then.own.is_some() && then.own != now.own {
        add(What::GuardRemoved, None, None);
    }
    found
}

/// How grave a rule is under `config`; `None`: off.
fn effective(config: &Config, rule: RuleId) -> Option<Severity> {
    let of_its_own = (!rule.rule().off).then_some(rule.rule().severity);
    config.policy.of(rule).unwrap_or(of_its_own)
}
