//! What a project decided about rules: `stance`, `[rules]` and `[[suppressions]]`.
//!
//! They are read from the tree and not through structs: every word in them, a rule's name among others, has to keep its
//! place, and what a value may be depends on the rule.

use std::ops::Range;

use caveat_analysis::catalogue::{Catalogue, Group, RuleId, Severity};
use caveat_analysis::facts::allow::{day, is_spelled, reason};
use caveat_analysis::nearest::nearest;
use caveat_analysis::scope::LabelAt;
use caveat_analysis::verdict::{Accepted, Policy};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{called, children, find, top};
use super::problem::place;
use super::{Decision, MAX_ENTRIES, Parts, Problem, Suppression};
use crate::globs;

type Fault = (Problem, Range<usize>);

/// What is decided.
pub(super) struct Read {
    pub(super) policy: Policy,
    pub(super) decisions: Vec<Decision>,
    pub(super) suppressions: Vec<Suppression>,
}

/// What `tree`, read from `text`, decides.
pub(super) fn read(tree: &DeTable<'_>, text: &str) -> Result<Read, Fault> {
    let mut policy = Policy::default();
    let mut decisions = Vec::new();
    let mut suppressions = Vec::new();
    if let Some(stance) = tree.get("stance") {
        policy.no_stance = match text_of(stance) {
            Some("on") => false,
            Some("off") => true,
            _ => return Err(wrong("stance", stance.span())),
        };
    }
    if let Some(rules) = tree.get("rules") {
        let DeValue::Table(rules_table) = rules.get_ref() else { return Err(wrong("rules", rules.span())) };
        for (name, value) in rules_table {
            if let Some(key) = top(name.get_ref()) {
                return Err((Problem::BelowTable(key), name.span()));
            }
            let rule = rule(name.get_ref(), name.span())?;
            let (severity, reason) = severity(rule, value)?;
            policy.set(rule, severity);
            let (line, _) = place(text, name.span().start);
            decisions.push(Decision { rule, severity, reason, at: name.span(), line });
        }
        decisions.sort_by_key(|decision| decision.at.start);
    }
    if let Some(list) = tree.get("suppressions") {
        let DeValue::Array(entries) = list.get_ref() else { return Err(wrong("suppressions", list.span())) };
        for (index, entry) in entries.iter().enumerate() {
            let DeValue::Table(table) = entry.get_ref() else {
                return Err(wrong("suppressions", entry.span()));
            };
            if index == MAX_ENTRIES {
                return Err((Problem::TooMany("suppressions", MAX_ENTRIES), entry.span()));
            }
            suppressions.push(suppression(table, entry.span(), text)?);
        }
    }
    Ok(Read { policy, decisions, suppressions })
}

fn wrong(key: &'static str, range: Range<usize>) -> Fault {
    let takes = find(key).map_or("something else", |key| key.takes);
    (Problem::WrongType { key, takes }, range)
}

fn text_of<'a>(value: &'a Spanned<DeValue<'_>>) -> Option<&'a str> {
    match value.get_ref() {
        DeValue::String(text) => Some(text),
        _ => None,
    }
}

fn rule(name: &str, range: Range<usize>) -> Result<RuleId, Fault> {
    let names = Catalogue::get().rules().map(|(id, _)| id.name());
    let is_group = || Catalogue::get().rules().any(|(_, rule)| rule.group.name() == name);
    Catalogue::get().by_name(name).ok_or_else(|| match is_group() {
        true => (Problem::GroupAsRule, range),
        false => (Problem::UnknownRule(nearest(name, names)), range),
    })
}

/// What `value` makes of `rule`, and why: no severity switches it off.
fn severity(rule: RuleId, value: &Spanned<DeValue<'_>>) -> Result<(Option<Severity>, Option<String>), Fault> {
    const KEYS: [&str; 2] = ["severity", "reason"];
    let (word, because) = match value.get_ref() {
        DeValue::String(_) => (value, None),
        DeValue::Table(table) => {
            known(table, "rules.*", &KEYS)?;
            let word = table.get("severity").ok_or((Problem::Missing("severity"), value.span()))?;
            (word, table.get("reason"))
        }
        _ => return Err(wrong("rules", value.span())),
    };
    let severity = match text_of(word) {
        Some("error") => Some(Severity::Error),
        Some("warning") => Some(Severity::Warning),
        Some("info") => Some(Severity::Info),
        Some("off") => None,
        _ => return Err(wrong("rules", word.span())),
    };
    if rule.rule().group == Group::Notice && severity == Some(Severity::Error) {
        return Err((Problem::NoticeAsError, word.span()));
    }
    match because {
        None if severity.is_none() => Err((Problem::OffWithoutReason, word.span())),
        because => Ok((severity, because.map(read_reason).transpose()?)),
    }
}

fn read_reason(value: &Spanned<DeValue<'_>>) -> Result<String, Fault> {
    let text = text_of(value).ok_or_else(|| wrong("suppressions.reason", value.span()))?;
    reason(text).map_err(|(kind, _)| (Problem::BadReason(kind), value.span()))?;
    Ok(text.to_owned())
}

/// Refuses keys of `table` that are none of `keys`.
fn known(table: &DeTable<'_>, path: &'static str, keys: &[&'static str]) -> Result<(), Fault> {
    let mut unknown: Vec<_> = table.keys().filter(|key| !keys.contains(&key.get_ref().as_ref())).collect();
    unknown.sort_by_key(|key| key.span().start);
    let Some(key) = unknown.first() else { return Ok(()) };
    if let Some(top) = top(key.get_ref()) {
        return Err((Problem::BelowTable(top), key.span()));
    }
    let suggestion = nearest(key.get_ref(), keys.iter().copied());
    Err((Problem::UnknownKey { table: path, suggestion }, key.span()))
}

fn suppression(table: &DeTable<'_>, range: Range<usize>, text: &str) -> Result<Suppression, Fault> {
    let keys: Vec<_> = children("suppressions").collect();
    known(table, called("suppressions"), &keys)?;
    let essential = |(problem, range): Fault| (problem.in_suppression(), range);
    let get = |key: &'static str| {
        table.get(key).ok_or_else(|| (Problem::Missing(key).in_suppression(), range.clone()))
    };
    let named = get("rule")?;
    let name = text_of(named).ok_or_else(|| essential((Problem::UnknownRule(None), named.span())))?;
    let rule = rule(name, named.span()).map_err(essential)?;
    let because = get("reason")?;
    let reason = read_reason(because).map_err(essential)?;
    let last = get("expires")?;
    let expires = match last.get_ref() {
        DeValue::String(text) => day(text),
        DeValue::Datetime(date) => day(&date.to_string()),
        _ => None,
    };
    let expires = expires.ok_or_else(|| {
        let spelled = text_of(last).is_some_and(is_spelled);
        let problem = if spelled { Problem::NoSuchDay } else { Problem::BadDay };
        essential((problem, last.span()))
    })?;
    let mut paths = None;
    if let Some(list) = table.get("paths") {
        let DeValue::Array(entries) = list.get_ref() else {
            return Err(wrong("suppressions.paths", list.span()));
        };
        let mut globs = Vec::new();
        for entry in entries {
            let glob = text_of(entry).ok_or_else(|| wrong("suppressions.paths", entry.span()))?;
            globs::check(glob).map_err(|why| (Problem::BadGlob("suppressions.paths", why), entry.span()))?;
            globs.push(glob.to_owned());
        }
        if globs.len() > MAX_ENTRIES {
            return Err((Problem::TooMany("suppressions.paths", MAX_ENTRIES), list.span()));
        }
        paths = Some(globs);
    }
    let mut fingerprint = None;
    if let Some(value) = table.get("fingerprint") {
        let text = text_of(value).filter(|text| text.len() == 32 && text.bytes().all(is_hex));
        let number = text.and_then(|text| u128::from_str_radix(text, 16).ok());
        fingerprint = Some(number.ok_or_else(|| essential((Problem::BadFingerprint, value.span())))?);
    }
    let mut pointer = None;
    if let Some(value) = table.get("pointer") {
        let text = text_of(value).filter(|text| is_pointer(text));
        pointer = Some(text.ok_or_else(|| essential((Problem::BadPointer, value.span())))?.to_owned());
    }
    let (line, column) = place(text, range.start);
    let at = LabelAt { line: line - 1, start: column - 1, end: column - 1 };
    let parts = Parts { rule: named.span(), expires: last.span(), reason: because.span(), entry: range };
    Ok(Suppression {
        accepts: Accepted { rule, expires, at, fingerprint, pointer },
        paths,
        reason,
        at: parts,
    })
}

/// Whether a text is a JSON Pointer (RFC 6901) to something inside a record.
fn is_pointer(text: &str) -> bool {
    text.starts_with('/') && text.len() <= 1024 && !text.chars().any(char::is_control)
}

fn is_hex(byte: u8) -> bool {
    byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)
}
