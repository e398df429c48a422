//! What is to be said of a configuration's own suppressions: past their day, or needed by nothing.
//!
//! Whether one is needed only a scan of everything that it is about can tell, so a [`Standing`] is kept while files are
//! judged, and asked when all of them were.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use caveat_analysis::Language;
use caveat_analysis::catalogue::{Catalogue, RuleId, Severity};
use caveat_analysis::document::{self, Rules};
use caveat_analysis::facts::view::Views;
use caveat_analysis::scope::LabelAt;
use caveat_analysis::text::{Source as _, Str};
use caveat_analysis::verdict::{Arg, Finding, Message, Reach, Role, Span, Stance, Status};
use jiff::civil::Date;

use super::{Config, ConfigError, Origin, Suppression};
use crate::globs::Globs;
use crate::project::Settings;
use crate::scan::fingerprint;

/// Whether none of our rules fires on a reason.
pub(super) fn is_harmless(reason: &str) -> bool {
    let env = Settings::default().env(Role::Runbook, None, Date::ZERO);
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

/// What the files of a scan have needed of the configurations that hold for them.
#[derive(Debug, Default)]
pub struct Standing {
    by_file: Mutex<BTreeMap<PathBuf, Needs>>,
}

#[derive(Debug)]
struct Needs {
    settings: Arc<Settings>,
    /// Where the suppressions stand that answered for something.
    used: HashSet<Place>,
    /// The files that were not read, or not whole.
    unread: Vec<PathBuf>,
}

/// What is to be said of one configuration.
#[derive(Debug)]
pub struct Said {
    /// Its file and its text.
    pub source: Arc<Origin>,
    /// In the order in which they stand.
    pub findings: Vec<Finding>,
}

impl Standing {
    /// Notes what the file at `path` (absolute), for which `settings` hold, needs: its `findings`, or `None` where it was
    /// not read whole.
    pub fn judged(&self, settings: &Arc<Settings>, path: &Path, findings: Option<&[Finding]>) {
        self.noted(settings, path, findings.map(needed).as_deref());
    }

    /// As [`judged`](Standing::judged), of a file whose findings gave `places` as what they [`needed`].
    pub fn noted(&self, settings: &Arc<Settings>, path: &Path, places: Option<&[Place]>) {
        let Some(source) = &settings.config().source else { return };
        let fresh = || Needs { settings: Arc::clone(settings), used: HashSet::new(), unread: Vec::new() };
        let mut by_file = self.by_file.lock().unwrap_or_else(PoisonError::into_inner);
        let needs = by_file.entry(source.file.clone()).or_insert_with(fresh);
        match places {
            None => needs.unread.push(path.to_path_buf()),
            Some(places) => needs.used.extend(places),
        }
    }

    /// What is to be said on the day `today`. `whole` tells of a configuration's file whether everything was scanned that
    /// the configuration could be about.
    #[must_use]
    pub fn said(&self, today: Date, whole: impl Fn(&Path) -> bool) -> Vec<Said> {
        let by_file = self.by_file.lock().unwrap_or_else(PoisonError::into_inner);
        let said =
            by_file.iter().filter_map(|(file, needs)| {
                let config = needs.settings.config();
                let mut findings = expired(config, today);
                if whole(file) {
                    let mut known = HashSet::new();
                    let unused = config.accepted.iter().filter(|one| {
                        today <= one.accepts.expires
                            && !needs.used.contains(&key(one.accepts.at))
                            && needs.read(one)
                    });
                    findings.extend(unused.filter_map(|one| {
                        finding(config, "suppression-unused", one, &one.at.entry, &mut known)
                    }));
                    findings.sort_by_key(|finding| finding.span.offset);
                }
                let source = Arc::clone(config.source.as_ref()?);
                (!findings.is_empty()).then_some(Said { source, findings })
            });
        said.collect()
    }
}

impl Needs {
    /// Whether every file that `suppression` is about was read whole.
    fn read(&self, suppression: &Suppression) -> bool {
        let Some(paths) = &suppression.paths else { return self.unread.is_empty() };
        let globs = Globs::new(paths.iter().map(String::as_str)).unwrap_or_default();
        !self.unread.iter().any(|path| self.settings.below(path).is_some_and(|path| globs.matches(path)))
    }
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
