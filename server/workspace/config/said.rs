//! What is to be said of a configuration in its own file: it does not hold, or a suppression of it is past its day or
//! needed by nothing.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use caveat_analysis::Language;
use caveat_analysis::catalogue::{Catalogue, RuleId, Severity};
use caveat_analysis::document::{self, Rules};
use caveat_analysis::facts::view::Views;
use caveat_analysis::scope::LabelAt;
use caveat_analysis::text::{Source as _, Str};
use caveat_analysis::verdict::{Arg, Env, Finding, Message, Reach, Role, Span, Stance, Status};
use jiff::civil::Date;

use super::{Config, ConfigError, Suppression};
use crate::fingerprint::fingerprint;

/// Whether none of our rules fires on a reason.
pub(super) fn is_harmless(reason: &str) -> bool {
    let env = Env {
        role: Role::Runbook,
        stance: true,
        suppressions: true,
        today: Date::ZERO,
        policy: Arc::default(),
        accepted: Arc::default(),
    };
    document::check(reason, Language::Markdown, &Rules::default(), &env).is_empty()
}

/// What is to be said of `config` on the day `today`, whatever stands around it: its suppressions that are past their
/// day. In the order in which they stand; positions are those of its file.
#[must_use]
pub fn expired(config: &Config, today: Date) -> Vec<Finding> {
    let mut known = HashSet::new();
    let past = config.accepted.iter().filter(|one| today > one.accepts.expires);
    past.filter_map(|one| finding(config, "suppression-expired", one, &one.at.expires, &mut known)).collect()
}

/// The finding that a configuration does not hold, in its own file, of which `text` is the content.
#[must_use]
pub fn fault(error: &ConfigError, text: &str) -> Option<Finding> {
    let id = Catalogue::get().by_name(error.rule())?;
    let range = error.range.start.min(text.len())..error.range.end.min(text.len());
    let place = [error.line.to_le_bytes(), error.column.to_le_bytes()].concat();
    Some(raised(
        id,
        id.rule().severity,
        span(text, &range),
        error.problem.message(),
        fingerprint(&[error.rule().as_bytes(), &place]),
    ))
}

fn raised(rule: RuleId, severity: Severity, span: Span, message: Message, fingerprint: u128) -> Finding {
    Finding {
        pointer: None,
        rule,
        group: rule.rule().group,
        severity,
        status: Status::Reported,
        stance: Stance::Given,
        span,
        message,
        pattern: None,
        obfuscated: Views::empty(),
        scope: None,
        suppression: None,
        also: Vec::new(),
        fingerprint,
    }
}

/// Where an entry of a configuration stands: line and column in bytes, from zero.
pub type Place = (usize, usize);

/// The entries of their configuration that `findings` are suppressed by.
#[must_use]
pub fn needed(findings: &[Finding]) -> Vec<Place> {
    let by = findings.iter().filter_map(|finding| finding.suppression.as_ref());
    by.filter(|by| by.reach == Reach::Config).map(|by| key(by.at)).collect()
}

/// What is to be said of the suppressions of `config` that hold on the day `today`, were `needed` by nothing, and of whose
/// files `read` says that all were read whole.
pub(crate) fn unused(
    config: &Config,
    today: Date,
    needed: &HashSet<Place>,
    read: impl Fn(&Suppression) -> bool,
) -> Vec<Finding> {
    let mut known = HashSet::new();
    let unused = config
        .accepted
        .iter()
        .filter(|one| today <= one.accepts.expires && !needed.contains(&key(one.accepts.at)) && read(one));
    unused.filter_map(|one| finding(config, "suppression-unused", one, &one.at.entry, &mut known)).collect()
}

fn key(at: LabelAt) -> Place {
    (at.line, at.start)
}

/// The finding `rule` on the bytes `range` of the configuration's file, about `one` of its suppressions; `None` where the
/// project switched that rule off. `known` holds the fingerprints so far.
fn finding(
    config: &Config,
    rule: &str,
    one: &Suppression,
    range: &Range<usize>,
    known: &mut HashSet<u128>,
) -> Option<Finding> {
    let text = &config.source.as_ref()?.text;
    let id = Catalogue::get().by_name(rule)?;
    let severity = config.policy.of(id).unwrap_or(Some(id.rule().severity))?;
    let names = one.paths.iter().flatten().map(String::as_bytes);
    let number = one.accepts.fingerprint.map(u128::to_le_bytes).unwrap_or_default();
    let mut parts = vec![rule.as_bytes(), one.accepts.rule.name().as_bytes(), &number];
    parts.extend(names);
    let mut fingerprint = fingerprint(&parts);
    while !known.insert(fingerprint) {
        fingerprint = fingerprint.wrapping_add(1);
    }
    let message = Message::new("This {}.", [Arg::Name(&id.rule().summary)]);
    Some(raised(id, severity, span(text, range), message, fingerprint))
}

/// The bytes `range` of `text` as a span.
pub(crate) fn span(text: &str, range: &Range<usize>) -> Span {
    let source = Str::new(text);
    let (line, end_line) = (source.line_at(range.start), source.line_at(range.end));
    Span {
        line,
        column: range.start - source.line_start(line),
        end_line,
        end_column: range.end - source.line_start(end_line),
        offset: range.start,
        length: range.len(),
    }
}
