//! The trail of exceptions: everything in a workspace that keeps a finding from being reported as it is, with who let it
//! in and until when.
//!
//! What a configuration decides (files that are left out or addressed to somebody else, rules that are off or less grave),
//! what an ignore file hides, suppressions, scopes that exempt, cues that show. What was written as a reason is shown,
//! unless a rule of ours fires on it: whoever reads an audit may be the one that it is meant for.

mod decided;
mod provenance;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use caveat_analysis::text::Str;
use caveat_analysis::verdict::{Finding, Reach, Stance, Status, Suppression};
use caveat_analysis::{Document, catalogue::RuleId};
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use self::decided::Decisions;
use self::provenance::{Line, introduced};
use crate::config;
use crate::kind::language_of_text;
use crate::name::relative;
use crate::project::git_root;
use crate::scan;
use crate::settings::Settings;
use crate::walk::{Plan, Target};

/// All exceptions of a workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(title = "caveat audit, version 1")]
pub struct Audit {
    /// The version of this format.
    #[schemars(range(min = 1, max = 1))]
    pub version: u32,
    /// How many files were read whole.
    pub files: usize,
    /// The exceptions, by file and place.
    pub entries: Vec<Entry>,
    /// What was not read, and so may hold more.
    pub skipped: Vec<Unaudited>,
}

/// A file that was not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unaudited {
    /// Its name.
    pub file: String,
    /// Why, as in a report.
    pub reason: &'static str,
}

/// The kinds of exceptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A suppression.
    Suppression,
    /// A rule that is switched off.
    Off,
    /// A scope that forbids, so that what stands in it is exempt.
    Exempt,
    /// A cue that shows, so that what stands under it is information.
    Shown,
    /// A glob of `exclude`: what it matches is not read.
    Excluded,
    /// A glob of `[roles]` by which less is asked of a file than its name says.
    Role,
    /// A rule that is less grave than it is by itself.
    Lowered,
    /// A file may be less large than it may be by itself.
    Limit,
    /// A file that instructs somebody, is tracked by git, and is not read because an ignore file names it.
    Ignored,
}

impl Kind {
    /// Whether a configuration or an ignore file decides it for whole files or rules, and not one place for itself.
    #[must_use]
    pub fn is_decided(self) -> bool {
        !matches!(self, Kind::Suppression | Kind::Exempt | Kind::Shown)
    }
}

/// Whether an exception holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It does.
    Active,
    /// It did, until its last day.
    Expired,
    /// It does, and nothing needs it.
    Unused,
    /// It cannot be read.
    Invalid,
    /// The file is not trusted: what it says of itself does not count.
    Ignored,
}

/// One exception.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The file in which it stands.
    pub file: String,
    /// The line, from 1, on which it stands: of the comment, the label, the cue's finding.
    pub line: usize,
    /// The last line of what it covers in this file; `null` where that is the whole file, or nothing.
    pub end_line: Option<usize>,
    /// What it is.
    pub kind: Kind,
    /// How far it reaches (`block`, `file`, `config`), or the kind of scope or cue, as in a report.
    pub scope: &'static str,
    /// The rules that it is about.
    pub rules: Vec<&'static str>,
    /// How many findings it answers for.
    pub findings: usize,
    /// Whether it holds.
    pub state: State,
    /// Why, as whoever wrote it says. `null` where nobody said, or where it is withheld.
    pub reason: Option<String>,
    /// A rule fires on the reason: it can be read where it stands.
    pub withheld: bool,
    /// What is wrong with it.
    pub problem: Option<&'static str>,
    /// The same for a person, as the end of a sentence.
    #[serde(skip)]
    pub says: Option<&'static str>,
    /// Of a rule that is less grave: how grave it is now.
    pub severity: Option<&'static str>,
    /// And how grave it is by itself.
    pub was: Option<&'static str>,
    /// The files that instruct somebody and that it keeps from being read, or from being read as their names say.
    pub files: Vec<String>,
    /// How many other files it keeps from being read.
    pub others: usize,
    /// The last day on which it holds, in UTC.
    pub expires: Option<String>,
    /// How many days are left after today; below zero, how many have passed since the last.
    pub days_left: Option<i64>,
    /// The commit that brought the line, in a git work tree; `null` where it is not committed.
    pub commit: Option<String>,
    /// The day of that commit, in UTC.
    pub date: Option<String>,
}

impl Entry {
    fn new(file: &str, line: usize, kind: Kind, scope: &'static str, state: State) -> Entry {
        Entry {
            file: file.to_owned(),
            line,
            end_line: None,
            kind,
            scope,
            rules: Vec::new(),
            findings: 0,
            state,
            reason: None,
            withheld: false,
            problem: None,
            says: None,
            severity: None,
            was: None,
            files: Vec::new(),
            others: 0,
            expires: None,
            days_left: None,
            commit: None,
            date: None,
        }
    }

    fn because(&mut self, reason: &str) {
        self.reason = config::shown(reason).map(str::to_owned);
        self.withheld = self.reason.is_none();
    }

    fn until(&mut self, expires: Date, today: Date) {
        self.expires = Some(expires.to_string());
        self.days_left = today.until(expires).ok().map(|span| i64::from(span.get_days()));
    }
}

/// An entry and the line of text by which git is asked where it comes from.
struct Found {
    entry: Entry,
    path: PathBuf,
    line: Line,
}

/// The line and the column of an entry of a configuration, from zero.
type Place = (usize, usize);

/// What one file holds.
struct Read {
    found: Vec<Found>,
    /// Where the suppressions of the configuration stand that answered for something, how often.
    used: Vec<Place>,
    unread: Option<&'static str>,
}

/// Lists the exceptions in what `plan` would scan, as of the day `today` in UTC.
#[must_use]
pub fn run(plan: &Plan, today: Date) -> Audit {
    run_with(plan, today, &HashMap::new())
}

/// As [`run`], with the texts of some files, by their paths (absolute, without links), in place of what is on the disk: an
/// editor's, say. Configurations among them have to be in the request of the plan as well.
#[must_use]
pub fn run_with(plan: &Plan, today: Date, texts: &HashMap<PathBuf, String>) -> Audit {
    let reads = scan::run_with(&plan.targets, today, texts, |target, outcome| match outcome {
        Ok((text, findings)) => {
            let by_config = findings.iter().filter_map(|finding| finding.suppression.as_ref());
            let by_config = by_config.filter(|by| by.reach == Reach::Config);
            let used = by_config.map(|by| (by.at.line, by.at.start)).collect();
            Read { found: of_file(target, text, &findings, today), used, unread: None }
        }
        Err(unread) => Read { found: Vec::new(), used: Vec::new(), unread: Some(unread.reason.name()) },
    });
    let mut found = of_configurations(plan, &reads, today);
    found.extend(decided::ignored(plan));
    let mut files = 0;
    let mut skipped: Vec<Unaudited> = plan
        .skipped
        .iter()
        .map(|skipped| Unaudited { file: skipped.name.clone(), reason: skipped.unread.reason.name() })
        .collect();
    for (read, target) in reads.into_iter().zip(&plan.targets) {
        match read.unread {
            None => files += 1,
            Some(reason) => skipped.push(Unaudited { file: target.name.clone(), reason }),
        }
        found.extend(read.found);
    }
    if let Some(root) = git_root(&plan.root) {
        date(&mut found, root);
    }
    let mut entries: Vec<Entry> = found.into_iter().map(|found| found.entry).collect();
    entries.sort_by(|a, b| (&a.file, a.line, a.kind, &a.rules).cmp(&(&b.file, b.line, b.kind, &b.rules)));
    skipped.sort_by(|a, b| a.file.cmp(&b.file));
    Audit { version: 1, files, entries, skipped }
}

/// Asks git where the lines come from, file by file.
fn date(found: &mut [Found], root: PathBuf) {
    let mut by_file: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    for (at, one) in found.iter().enumerate() {
        by_file.entry(one.path.clone()).or_default().push(at);
    }
    let files: Vec<(PathBuf, Vec<usize>)> = by_file.into_iter().collect();
    let known = scan::each(&files, |(path, at)| {
        let lines: Vec<&Line> = at.iter().map(|at| &found[*at].line).collect();
        introduced(&root, path, &lines)
    });
    for ((_, at), origins) in files.iter().zip(known) {
        for (at, origin) in at.iter().zip(origins) {
            if let Some((commit, date)) = origin {
                let entry = &mut found[*at].entry;
                (entry.commit, entry.date) = (Some(commit), date);
            }
        }
    }
}

fn of_file(target: &Target, text: &str, findings: &[Finding], today: Date) -> Vec<Found> {
    let source = Str::new(text);
    let mut found = Vec::new();
    let place = |entry: Entry| {
        let line = Line::of(&source, entry.line - 1);
        Found { path: target.path.clone(), line, entry }
    };
    if text.contains("caveat-allow") {
        let mut document = Document::new(
            text,
            language_of_text(&target.path, text),
            target.settings.rules(target.role, Some(&target.path)),
        );
        let of = |one: &Suppression| suppression(target, &source, one, findings, today);
        found.extend(document.snapshot().suppressions().iter().map(|one| place(of(one))));
    }
    // What a scope exempts is one exception, however much stands in it.
    let mut scopes: BTreeMap<(usize, &str, Option<usize>), Entry> = BTreeMap::new();
    for finding in findings {
        let Some(proof) = &finding.scope else { continue };
        if finding.status == Status::Exempt {
            let (scope, last) = (proof.kind.name(), proof.covers.map(|(_, last)| last + 1));
            let fresh = || Entry {
                end_line: last,
                ..Entry::new(&target.name, proof.label.line + 1, Kind::Exempt, scope, State::Active)
            };
            let entry = scopes.entry((proof.label.line, scope, last)).or_insert_with(fresh);
            add(entry, finding.rule);
        } else if finding.stance == Stance::Shown && finding.status == Status::Reported {
            let line = finding.span.line + 1;
            let mut entry = Entry {
                end_line: Some(finding.span.end_line + 1),
                ..Entry::new(&target.name, line, Kind::Shown, proof.kind.name(), State::Active)
            };
            add(&mut entry, finding.rule);
            found.push(place(entry));
        }
    }
    found.extend(scopes.into_values().map(place));
    found
}

fn add(entry: &mut Entry, rule: RuleId) {
    entry.findings += 1;
    if !entry.rules.contains(&rule.name()) {
        entry.rules.push(rule.name());
    }
}

/// A suppression in a file.
fn suppression(
    target: &Target,
    source: &Str<'_>,
    one: &Suppression,
    findings: &[Finding],
    today: Date,
) -> Entry {
    let line = one.at.line + 1;
    let allow = match &one.says {
        Ok(allow) => allow,
        Err(fault) => {
            return Entry {
                problem: Some(fault.kind.name()),
                says: Some(fault.kind.why()),
                ..Entry::new(&target.name, line, Kind::Suppression, "block", State::Invalid)
            };
        }
    };
    let answers = |finding: &&Finding| {
        finding.suppression.as_ref().is_some_and(|by| by.reach != Reach::Config && by.at.line == one.at.line)
    };
    let answered = findings.iter().filter(answers).count();
    let state = match answered {
        _ if target.settings.is_untrusted() => State::Ignored,
        _ if today > allow.expires => State::Expired,
        0 => State::Unused,
        _ => State::Active,
    };
    let scope = if allow.file { Reach::File.name() } else { Reach::Block.name() };
    let mut entry = Entry::new(&target.name, line, Kind::Suppression, scope, state);
    entry.end_line = one.covers.as_ref().map(|covers| covers.end);
    entry.rules = allow.rules.iter().map(|(rule, _)| rule.name()).collect();
    entry.findings = answered;
    let reason = source.line_str(one.at.line).get(allow.reason.clone()).unwrap_or_default();
    entry.because(&reason.replace("\\\"", "\""));
    entry.until(allow.expires, today);
    entry
}

/// What the configurations of the files decide: their suppressions, and what they take from the scan.
fn of_configurations(plan: &Plan, reads: &[Read], today: Date) -> Vec<Found> {
    let mut by_file: BTreeMap<PathBuf, (Arc<Settings>, Vec<Place>)> = BTreeMap::new();
    for (read, target) in reads.iter().zip(&plan.targets) {
        if let Some(source) = &target.settings.config().source {
            let known = by_file.entry(source.file.clone());
            let known = known.or_insert_with(|| (Arc::clone(&target.settings), Vec::new()));
            known.1.extend(&read.used);
        }
    }
    for path in &plan.excluded {
        let Ok(settings) = plan.project.settings_for(path) else { continue };
        if let Some(source) = &settings.config().source {
            let file = source.file.clone();
            by_file.entry(file).or_insert_with(|| (settings, Vec::new()));
        }
    }
    let complete = plan.skipped.is_empty() && reads.iter().all(|read| read.unread.is_none());
    let mut found = Vec::new();
    for (file, (settings, used)) in by_file {
        let config = settings.config();
        let Some(origin) = &config.source else { continue };
        let (name, source) = (relative(&file, &plan.root), Str::new(&origin.text));
        let below = |folder: &PathBuf| file.parent().is_some_and(|own| own.starts_with(folder));
        // Only of what was looked at whole can it be said that nothing needs it.
        let whole = complete && plan.walked.iter().any(below);
        let place =
            |entry: Entry| Found { path: file.clone(), line: Line::of(&source, entry.line - 1), entry };
        for one in &config.accepted {
            let at = (one.accepts.at.line, one.accepts.at.start);
            let answered = used.iter().filter(|used| **used == at).count();
            let state = match answered {
                _ if today > one.accepts.expires => State::Expired,
                0 if whole => State::Unused,
                _ => State::Active,
            };
            let mut entry = Entry::new(&name, at.0 + 1, Kind::Suppression, Reach::Config.name(), state);
            entry.rules.push(one.accepts.rule.name());
            entry.findings = answered;
            entry.because(&one.reason);
            entry.until(one.accepts.expires, today);
            found.push(place(entry));
        }
        // What is left out is known without a look into any file.
        let walked = plan.skipped.is_empty() && plan.walked.iter().any(below);
        let decisions = Decisions { settings: &settings, origin, plan, reads, whole: walked };
        found.extend(decisions.entries().into_iter().map(place));
    }
    found
}
