//! The work tree against a commit: what a change brings, judged by the rules that stood before it.
//!
//! Nothing is checked out. The commit's files are read as objects, and its configurations, taken in place of those on the
//! disk, judge both sides: a change cannot excuse itself by what it writes into `caveat.toml` or beside a command. What it
//! loosens is told, and does not count.

mod directive;
mod honour;
mod loosened;
mod lost;
mod matching;

pub use loosened::{Loosened, What};
pub use matching::Change;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use caveat_analysis::catalogue::{Catalogue, Group};
use caveat_analysis::facts::view::Views;
use caveat_analysis::verdict::{Arg, Finding, Message, Role, Span, Stance, Status};
use jiff::civil::Date;

use self::directive::{Polarity, directives, flips};
use self::matching::{Seen, Side, compare};
use crate::config::{self, Config, ConfigError, MAX_FILE_BYTES};
use crate::fingerprint::fingerprint;
use crate::git::{Entry, GitError, Repository};
use crate::name::{relative, relative_above};
use crate::project::{Project, git_root};
use crate::roles::graver;
use crate::scan::{self, Outcome};
use crate::walk::{self, BaseView, Plan, PlanError, Request, Target, lexically_normal};
use crate::{kind, read};

/// Why there is nothing to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaselineError {
    /// What is scanned is in no repository, or git does not answer.
    Git(GitError),
    /// As without a baseline.
    Plan(PlanError),
}

impl From<GitError> for BaselineError {
    fn from(error: GitError) -> BaselineError {
        BaselineError::Git(error)
    }
}

impl From<PlanError> for BaselineError {
    fn from(error: PlanError) -> BaselineError {
        BaselineError::Plan(error)
    }
}

/// A work tree, compared with a commit.
#[derive(Debug)]
pub struct Compared<T, U> {
    /// The commit's full name.
    pub commit: String,
    /// What was scanned.
    pub plan: Plan,
    /// For each target what `each` made of it, and what became of each of its findings.
    pub rows: Vec<(T, Vec<Change>)>,
    /// Findings about files that are gone, with their names. All are new.
    pub gone: Vec<(String, Finding)>,
    /// What `before` made of the findings that were there and are not.
    pub resolved: Vec<U>,
    /// What the change loosens, with the names of the files.
    pub loosened: Vec<(String, Loosened)>,
}

/// A file of the base that is not as it was, or is gone.
struct Before {
    target: Target,
    text: String,
    findings: Vec<Finding>,
    gone: bool,
}

/// What is known of a target after it was judged.
enum Now {
    /// It is as it was: all its findings are.
    Same(usize),
    /// It is not.
    Other { findings: Vec<Seen>, loosened: Vec<Loosened> },
}

/// Scans what `request` asks for, as of the day `today` in UTC, against the commit that `revision` names. `each` is handed
/// what [`scan::run`] hands out; `before` the name and the text of a file of the commit, and a finding in it that is
/// resolved.
///
/// # Errors
/// There is no such commit, an object of it is missing, or as [`walk::plan`].
pub fn run<T: Send, U>(
    request: Request,
    revision: &str,
    today: Date,
    each: impl Fn(&Target, Outcome<'_>) -> T + Sync,
    before: impl Fn(&str, &str, &Finding) -> U,
) -> Result<Compared<T, U>, BaselineError> {
    let root = walk::scanned_root(&request)?;
    let repository = Repository::at(git_root(&root).ok_or(GitError::NoRepository)?);
    let commit = repository.commit(revision)?;
    let entries = repository.files(&commit)?;
    let fixed = request.config.is_some() || request.untrusted;
    let (configs, mut loosened) =
        if fixed { (HashMap::new(), Vec::new()) } else { configurations(&repository, &entries)? };

    let exclude = request.exclude.clone();
    let (here, elsewhere): (Vec<_>, Vec<_>) = repository.tracked()?.into_iter().partition(|(_, here)| *here);
    let elsewhere: HashSet<PathBuf> = elsewhere.into_iter().map(|(path, _)| path).collect();
    // What a sparse checkout leaves out was not removed.
    let absent =
        |entry: &Entry| elsewhere.contains(&entry.path) && !repository.root().join(&entry.path).exists();
    let entries: Vec<Entry> = entries.into_iter().filter(|entry| !absent(entry)).collect();
    let tracked =
        entries.iter().map(|entry| entry.path.clone()).chain(here.into_iter().map(|(path, _)| path));
    let tracked = tracked.map(|path| repository.root().join(path)).collect();
    let base = (!fixed).then(|| configs.clone());
    let plan = walk::plan(Request { base: Some(BaseView { configs: base, tracked }), ..request })?;
    if !fixed {
        loosened.extend(configurations_changed(&plan, &configs)?);
    }

    let by_path: HashMap<&Path, &Target> = plan.targets.iter().map(|one| (one.path.as_path(), one)).collect();
    let wanted = |path: &Path| {
        by_path.contains_key(path)
            || plan.walked.iter().any(|folder| path.starts_with(folder))
                && walk::wants(&plan.project, &plan.root, &exclude, path)
    };
    let links = links(&repository, &entries, &plan.project)?;
    let files: Vec<(PathBuf, &Entry)> = entries
        .iter()
        .filter(|entry| !entry.link)
        .map(|entry| (repository.root().join(&entry.path), entry))
        .filter(|(path, _)| wanted(path))
        .collect();
    let mut same = HashSet::new();
    let mut changed = Vec::new();
    let objects: Vec<&str> = files.iter().map(|(_, entry)| entry.object.as_str()).collect();
    repository.contents(&objects, MAX_FILE_BYTES, |at, content| {
        let path = &files[at].0;
        let role = links.get(path).copied().into_iter().fold(plan.project.role_of(path), graver);
        let target = by_path.get(path.as_path());
        let (Some(content), Ok(settings)) = (content, plan.project.settings_for(path)) else { return };
        if target.is_some_and(|target| target.role == role)
            && std::fs::read(path).is_ok_and(|bytes| bytes == content)
        {
            same.insert(path.clone());
            return;
        }
        if let Ok(text) = read::decode(content) {
            let generated = kind::is_generated(path) && !walk::instructs(role);
            let name = relative(path, &plan.root);
            changed
                .push((Target { path: path.clone(), name, role, named: false, generated, settings }, text));
        }
    })?;
    let changed: Vec<Before> = scan::each(&changed, |(target, text)| Before {
        findings: scan::judge(target, today, text, &|_| {}).unwrap_or_default(),
        gone: !target.path.exists(),
        target: target.clone(),
        text: text.clone(),
    });

    let known: HashSet<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
    let origins = origins(&plan, &changed, &known);
    let rows = scan::run(&plan.targets, today, |target, outcome| {
        let (text, findings) = match outcome {
            Ok(read) => read,
            Err(unread) => {
                let now = Now::Other { findings: Vec::new(), loosened: Vec::new() };
                return (each(target, Err(unread)), now);
            }
        };
        if same.contains(&target.path) {
            let now = Now::Same(findings.len());
            return (each(target, Ok((text, findings))), now);
        }
        let old = origins.get(target.path.as_path()).map(|at| &changed[*at]);
        let then = old.map(|old| old.text.as_str());
        let again = |tweak: &dyn Fn(&mut caveat_analysis::Env)| scan::judge(target, today, text, tweak).ok();
        let (mut findings, loosened) = honour::honour(then, target, text, findings, today, again);
        if let Some(old) = old {
            lost::proofs((&old.text, &old.findings), text, &mut findings, again);
        }
        if let Some(old) = old.filter(|old| walk::instructs(old.target.role)) {
            findings.extend(turned(old, target, text));
            findings.sort_by_key(|finding| finding.span.offset);
        }
        let seen = findings.iter().map(|finding| Seen::new(finding, text)).collect();
        (each(target, Ok((text, findings))), Now::Other { findings: seen, loosened })
    });

    // Equal numbers for a file now and at the base; a file that is only here has one of its own.
    let then: Vec<Side> = changed
        .iter()
        .enumerate()
        .map(|(at, old)| Side {
            known: at,
            alone: old.gone,
            findings: old.findings.iter().map(|finding| Seen::new(finding, &old.text)).collect(),
        })
        .collect();
    let mut outs = Vec::with_capacity(rows.len());
    let mut now = Vec::with_capacity(rows.len());
    let mut unchanged = Vec::with_capacity(rows.len());
    for (at, ((out, state), target)) in rows.into_iter().zip(&plan.targets).enumerate() {
        let known_as = origins.get(target.path.as_path()).copied().unwrap_or(changed.len() + at);
        let findings = match state {
            Now::Same(count) => {
                unchanged.push(Some(count));
                Vec::new()
            }
            Now::Other { findings, loosened: more } => {
                loosened.extend(more);
                unchanged.push(None);
                findings
            }
        };
        now.push(Side { known: known_as, alone: !known.contains(&target.path), findings });
        outs.push(out);
    }
    let (changes, resolved) = compare(&then, &now);
    let rows = outs.into_iter().zip(changes).zip(unchanged).map(|((out, changes), unchanged)| {
        (out, unchanged.map_or(changes, |count| vec![Change::Unchanged; count]))
    });
    let rows = rows.collect();
    let moved: HashSet<usize> = origins.values().copied().collect();
    let gone = changed.iter().enumerate().filter(|(at, old)| old.gone && !moved.contains(at));
    let gone = gone.filter_map(|(_, old)| removed(old)).collect();
    // With a file goes what was wrong with its suppressions: nobody mended anything.
    let mended = resolved.into_iter().filter(|(file, at)| {
        let old = &changed[*file];
        !old.gone || moved.contains(file) || old.findings[*at].group != Group::Suppression
    });
    let resolved = mended.map(|(file, at)| {
        let old = &changed[file];
        before(&old.target.name, &old.text, &old.findings[at])
    });
    let resolved = resolved.collect();
    loosened.sort();
    let loosened = loosened.into_iter().map(|one| (relative_above(&one.file, &plan.root), one)).collect();
    Ok(Compared { commit, rows, gone, resolved, loosened, plan })
}

/// The configurations of the base, by their files; one that cannot be read is left out and told.
fn configurations(
    repository: &Repository,
    entries: &[Entry],
) -> Result<(HashMap<PathBuf, String>, Vec<Loosened>), GitError> {
    let is_one = |entry: &&Entry| {
        !entry.link && entry.path.file_name().is_some_and(|name| name == config::CONFIG_NAME)
    };
    let files: Vec<&Entry> = entries.iter().filter(is_one).collect();
    let objects: Vec<&str> = files.iter().map(|entry| entry.object.as_str()).collect();
    let (mut configs, mut loosened) = (HashMap::new(), Vec::new());
    repository.contents(&objects, MAX_FILE_BYTES, |at, content| {
        let file = repository.root().join(&files[at].path);
        let text = content.and_then(|content| String::from_utf8(content).ok());
        match text.filter(|text| config::parse(text, &file).is_ok()) {
            Some(text) => drop(configs.insert(file, text)),
            None => loosened.push(Loosened { file, line: None, what: What::BaseUnreadable, rule: None }),
        }
    })?;
    Ok((configs, loosened))
}

/// What the configurations of now allow that those of the base, `configs`, did not. One that is wrong is an error, as it
/// is without a baseline.
fn configurations_changed(
    plan: &Plan,
    configs: &HashMap<PathBuf, String>,
) -> Result<Vec<Loosened>, PlanError> {
    let project = Project::new(plan.project.root().to_path_buf());
    let mut wrong: BTreeMap<PathBuf, Arc<ConfigError>> = BTreeMap::new();
    let mut files: std::collections::BTreeSet<PathBuf> = configs.keys().cloned().collect();
    for target in &plan.targets {
        if let Err(error) = project.settings_for(&target.path) {
            wrong.insert(error.file.clone(), error);
        }
        let folders = target.path.ancestors().skip(1).take_while(|folder| folder.starts_with(project.root()));
        files.extend(folders.map(|folder| folder.join(config::CONFIG_NAME)));
    }
    if !wrong.is_empty() {
        return Err(PlanError::Config(wrong.into_values().collect()));
    }
    let mut found = Vec::new();
    for file in files {
        let then: Option<Config> = configs.get(&file).and_then(|text| config::parse(text, &file).ok());
        let now = file.symlink_metadata().is_ok().then(|| config::load(&file)).transpose();
        let now = now.map_err(|error| PlanError::Config(vec![Arc::new(error)]))?;
        found.extend(loosened::between(then.as_ref(), now.as_ref(), &file));
    }
    Ok(found)
}

/// The roles that links of the base gave to the files that they led to.
fn links(
    repository: &Repository,
    entries: &[Entry],
    project: &Project,
) -> Result<HashMap<PathBuf, Role>, GitError> {
    let links: Vec<&Entry> = entries.iter().filter(|entry| entry.link).collect();
    let objects: Vec<&str> = links.iter().map(|entry| entry.object.as_str()).collect();
    let mut roles: HashMap<PathBuf, Role> = HashMap::new();
    repository.contents(&objects, 4096, |at, content| {
        let link = repository.root().join(&links[at].path);
        let Some(leads) = content.and_then(|content| String::from_utf8(content).ok()) else { return };
        let Some(folder) = link.parent() else { return };
        let role = project.role_of(&link);
        let known = roles.entry(lexically_normal(&folder.join(leads))).or_insert(role);
        *known = graver(*known, role);
    })?;
    Ok(roles)
}

/// For each target that is not as it was, by its path: which of `changed` it was. A file that is new and says word for
/// word what one says that is gone is that file, moved.
fn origins<'a>(plan: &'a Plan, changed: &[Before], known: &HashSet<PathBuf>) -> HashMap<&'a Path, usize> {
    let mut origins = HashMap::new();
    let by_path: HashMap<&Path, usize> =
        changed.iter().enumerate().map(|(at, old)| (old.target.path.as_path(), at)).collect();
    let mut gone: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, old) in changed.iter().enumerate().rev().filter(|(_, old)| old.gone) {
        gone.entry(&old.text).or_default().push(at);
    }
    for target in &plan.targets {
        if let Some(at) = by_path.get(target.path.as_path()) {
            origins.insert(target.path.as_path(), *at);
        } else if !gone.is_empty()
            && !known.contains(&target.path)
            && let Ok(text) = target.read()
            && let Some(at) = gone.get_mut(text.as_str()).and_then(Vec::pop)
        {
            // Where nobody is instructed any more, the file did not move: it was taken away.
            if walk::instructs(target.role) || !walk::instructs(changed[at].target.role) {
                origins.insert(target.path.as_path(), at);
            } else if let Some(waiting) = gone.get_mut(text.as_str()) {
                waiting.push(at);
            }
        }
    }
    origins
}

/// What is to be said of a file that instructs and is not what it was: directives that turned, and that it is empty.
fn turned(old: &Before, target: &Target, text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for one in flips(&directives(&old.text), &directives(text)) {
        let pattern = match one.polarity {
            Polarity::Gives => "now-gives",
            Polarity::Forbids => "now-forbids",
        };
        found.extend(finding(target, "directive-polarity-flip", pattern, one.span, one.body.as_bytes()));
    }
    let emptied = text.trim().is_empty() && !old.text.trim().is_empty();
    if emptied && old.target.role == Role::Instructions {
        found.extend(finding(target, "instruction-file-removed", "emptied", NOWHERE, old.text.as_bytes()));
    }
    found
}

/// What is to be said of a file that is gone: something if it instructed.
fn removed(old: &Before) -> Option<(String, Finding)> {
    let said = old.target.role == Role::Instructions && !old.text.trim().is_empty();
    let found = said
        .then(|| finding(&old.target, "instruction-file-removed", "removed", NOWHERE, old.text.as_bytes()));
    found.flatten().map(|found| (old.target.name.clone(), found))
}

const NOWHERE: Span = Span { line: 0, column: 0, end_line: 0, end_column: 0, offset: 0, length: 0 };

/// A finding of `rule` in `target`; `None` where the project switched the rule off.
fn finding(target: &Target, rule: &str, pattern: &'static str, span: Span, about: &[u8]) -> Option<Finding> {
    let id = Catalogue::get().by_name(rule)?;
    let severity = target.settings.config().policy.of(id).unwrap_or(Some(id.rule().severity))?;
    let says = match pattern {
        "now-gives" => "This gives what the text forbade before.",
        "now-forbids" => "This forbids what the text gave before.",
        "emptied" => "This file instructed agents and is empty now.",
        _ => "This {}.",
    };
    let message = match says.contains("{}") {
        true => Message::new(says, [Arg::Name(&id.rule().summary)]),
        false => Message::from(says),
    };
    Some(Finding {
        pointer: None,
        rule: id,
        group: id.rule().group,
        severity,
        status: Status::Reported,
        stance: Stance::Given,
        span,
        message,
        pattern: Some(pattern),
        obfuscated: Views::empty(),
        scope: None,
        suppression: None,
        also: Vec::new(),
        fingerprint: fingerprint(&[rule.as_bytes(), pattern.as_bytes(), about]),
    })
}
