//! What configurations and ignore files take from a scan, whatever the files themselves say: files that are left out, that
//! are larger than a limit or addressed to somebody else, rules that are off or less grave.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use caveat_analysis::text::{Source as _, Str};
use caveat_analysis::verdict::Role;
use toml::Spanned;

use super::{Entry, Found, Kind, Line, Read, State};
use crate::config::{MAX_FILE_BYTES, Origin};
use crate::git::Repository;
use crate::globs::Globs;
use crate::name::relative;
use crate::project::git_root;
use crate::read::SkipReason;
use crate::roles;
use crate::settings::Settings;
use crate::walk::{Plan, instructs};

/// The scope of what stands in a configuration, as a suppression has it there.
const CONFIG: &str = "config";

/// One configuration whose decisions are listed.
pub(super) struct Decisions<'a> {
    pub(super) settings: &'a Settings,
    pub(super) origin: &'a Origin,
    pub(super) plan: &'a Plan,
    pub(super) reads: &'a [Read],
    /// Whether everything was looked at that it could be about.
    pub(super) whole: bool,
}

impl Decisions<'_> {
    /// All of them.
    pub(super) fn entries(&self) -> Vec<Entry> {
        let mut entries = self.excluded();
        entries.extend(self.roles());
        entries.extend(self.limit());
        entries.extend(self.rules());
        entries
    }

    fn entry(&self, at: usize, kind: Kind) -> Entry {
        let name = relative(&self.origin.file, &self.plan.root);
        let line = Str::new(&self.origin.text).line_at(at.min(self.origin.text.len()));
        Entry::new(&name, line + 1, kind, CONFIG, State::Active)
    }

    /// Whether this configuration holds under `settings`.
    fn holds(&self, settings: &Settings) -> bool {
        settings.config().source.as_ref().is_some_and(|source| source.file == self.origin.file)
    }

    /// For each glob of `exclude` the files that it leaves out.
    fn excluded(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        for glob in &self.settings.config().exclude {
            let globs = alone(glob);
            let mut entry = self.entry(glob.span().start, Kind::Excluded);
            for path in &self.plan.excluded {
                let holds = self.plan.project.settings_for(path).is_ok_and(|settings| self.holds(&settings));
                if !holds || !self.settings.below(path).is_some_and(|path| globs.matches(path)) {
                    continue;
                }
                match instructs(self.plan.project.role_of(path)) {
                    true => entry.files.push(relative(path, &self.plan.root)),
                    false => entry.others += 1,
                }
            }
            if self.whole && entry.files.is_empty() && entry.others == 0 {
                entry.state = State::Unused;
            }
            entries.push(entry);
        }
        entries
    }

    /// For each glob of `[roles]` the files that by their names would be addressed to somebody of whom more is asked.
    fn roles(&self) -> Vec<Entry> {
        let declared = &self.settings.config().roles;
        let lists =
            [(&declared.runbook, Role::Runbook), (&declared.reference, Role::Reference { declared: true })];
        let mut entries = Vec::new();
        for (list, role) in lists {
            for glob in list {
                let globs = alone(glob);
                let mut entry = self.entry(glob.span().start, Kind::Role);
                for target in self.plan.targets.iter().filter(|target| target.role == role) {
                    let built_in = self.plan.project.built_in_role(&target.path);
                    let moved = built_in.is_some_and(|built_in| roles::graver(role, built_in) != role);
                    let matches =
                        || self.settings.below(&target.path).is_some_and(|path| globs.matches(path));
                    if moved && self.holds(&target.settings) && matches() {
                        entry.files.push(target.name.clone());
                    }
                }
                if !entry.files.is_empty() {
                    entries.push(entry);
                }
            }
        }
        entries
    }

    /// The limit, if it is below the default, and the files that are not read because of it.
    fn limit(&self) -> Option<Entry> {
        let limit = self.settings.config().limits.max_file_bytes.as_ref()?;
        if *limit.get_ref() >= MAX_FILE_BYTES {
            return None;
        }
        let mut entry = self.entry(limit.span().start, Kind::Limit);
        for (read, target) in self.reads.iter().zip(&self.plan.targets) {
            if read.unread == Some(SkipReason::TooLarge.name()) && self.holds(&target.settings) {
                match instructs(target.role) {
                    true => entry.files.push(target.name.clone()),
                    false => entry.others += 1,
                }
            }
        }
        Some(entry)
    }

    /// The rules that are off or less grave than they are by themselves.
    fn rules(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        for decision in &self.settings.config().decisions {
            let was = decision.rule.rule().severity;
            let kind = match decision.severity {
                None => Kind::Off,
                Some(now) if now < was => Kind::Lowered,
                Some(_) => continue,
            };
            let mut entry = self.entry(decision.at.start, kind);
            entry.rules.push(decision.rule.name());
            entry.severity = decision.severity.map(|now| now.name());
            entry.was = (kind == Kind::Lowered).then(|| was.name());
            if let Some(reason) = &decision.reason {
                entry.because(reason);
            }
            entries.push(entry);
        }
        entries
    }
}

fn alone(glob: &Spanned<String>) -> Globs {
    Globs::new([glob.get_ref().as_str()]).unwrap_or_default()
}

/// The files that instruct somebody and that git tracks, but that an ignore file keeps from the scan: whoever clones the
/// repository has them.
pub(super) fn ignored(plan: &Plan) -> Vec<Found> {
    let Some(root) = git_root(&plan.root).filter(|_| !plan.walked.is_empty()) else { return Vec::new() };
    let tracked = Repository::at(root.clone()).tracked().unwrap_or_default();
    let excluded: HashSet<&Path> = plan.excluded.iter().map(PathBuf::as_path).collect();
    let known: HashSet<&str> = plan
        .targets
        .iter()
        .map(|target| target.name.as_str())
        .chain(plan.skipped.iter().map(|skipped| skipped.name.as_str()))
        .collect();
    let mut found = Vec::new();
    for (path, _) in tracked {
        let path = root.join(path);
        let name = relative(&path, &plan.root);
        let below = |folder: &PathBuf| path.starts_with(folder);
        let counts = plan.walked.iter().any(below)
            && instructs(plan.project.role_of(&path))
            && !known.contains(name.as_str())
            && !excluded.contains(path.as_path())
            && !plan.excludes(&path)
            // A link is read under its target's name, or is told as skipped.
            && path.symlink_metadata().is_ok_and(|meta| meta.is_file());
        if counts {
            let entry = Entry::new(&name, 1, Kind::Ignored, "file", State::Active);
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            found.push(Found { line: Line::of(&Str::new(&text), 0), path, entry });
        }
    }
    found
}
