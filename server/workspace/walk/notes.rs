//! Globs of configurations that do nothing, or not all that they say: nothing is wrong with them, and nobody would know.

use std::path::{Path, PathBuf};

use caveat_analysis::text::{Source as _, Str};
use caveat_analysis::verdict::Role;
use toml::Spanned;

use super::Plan;
use crate::config::Origin;
use crate::globs::Globs;
use crate::name::relative;
use crate::roles;
use crate::settings::Settings;

/// Something worth knowing of a configuration that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The configuration's name in reports.
    pub file: String,
    /// Its one-based line.
    pub line: usize,
    /// One-based, in Unicode scalar values.
    pub column: usize,
    /// A sentence of ours.
    pub says: String,
}

/// The notes on the configurations of `plan`.
pub(super) fn of(plan: &Plan) -> Vec<Note> {
    let files: Vec<PathBuf> = (plan.targets.iter().map(|target| target.path.clone()))
        .chain(plan.skipped.iter().map(|skipped| plan.root.join(&skipped.name)))
        .chain(plan.excluded.iter().cloned())
        .collect();
    let mut notes = Vec::new();
    for settings in plan.project.configurations() {
        let Some(origin) = &settings.config().source else { continue };
        let Some(folder) = origin.file.parent() else { continue };
        if !plan.walked.iter().any(|walked| folder.starts_with(walked)) {
            continue;
        }
        let one = One { plan, settings: &settings, origin };
        let config = settings.config();
        let roles = &config.roles;
        let lists = [
            ("include", &config.include, None),
            ("roles.instructions", &roles.instructions, Some(Role::Instructions)),
            ("roles.runbook", &roles.runbook, Some(Role::Runbook)),
            ("roles.reference", &roles.reference, Some(Role::Reference { declared: true })),
        ];
        for (key, list, role) in lists {
            for glob in list {
                notes.extend(one.unmatched(key, glob, &files));
                notes.extend(role.and_then(|role| one.relaxes_nothing(glob, role)));
            }
        }
        notes.extend(config.exclude.iter().filter_map(|glob| one.leaves_nothing_out(glob)));
    }
    notes.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
    notes
}

/// One configuration.
struct One<'a> {
    plan: &'a Plan,
    settings: &'a Settings,
    origin: &'a Origin,
}

impl One<'_> {
    fn note(&self, glob: &Spanned<String>, says: String) -> Note {
        let (text, at) = (&self.origin.text, glob.span().start.min(self.origin.text.len()));
        let source = Str::new(text);
        let line = source.line_at(at);
        let column = text[source.line_start(line)..at].chars().count() + 1;
        Note { file: relative(&self.origin.file, &self.plan.root), line: line + 1, column, says }
    }

    fn matches(&self, glob: &Spanned<String>) -> impl Fn(&Path) -> bool {
        let globs = Globs::new([glob.get_ref().as_str()]).unwrap_or_default();
        move |path| self.settings.below(path).is_some_and(|path| globs.matches(path))
    }

    /// The note that a glob of the list `key` matches none of `files`.
    fn unmatched(&self, key: &str, glob: &Spanned<String>, files: &[PathBuf]) -> Option<Note> {
        let matches = self.matches(glob);
        let none = !files.iter().any(|path| matches(path));
        none.then(|| self.note(glob, format!("this glob of `{key}` matches no file that is read")))
    }

    /// How many targets for which this configuration holds `glob` matches and `more` is said of.
    fn kept(&self, glob: &Spanned<String>, more: impl Fn(Role) -> bool) -> usize {
        let matches = self.matches(glob);
        let held = self.plan.targets.iter().filter(|target| {
            let source = target.settings.config().source.as_ref();
            source.is_some_and(|source| source.file == self.origin.file)
        });
        held.filter(|target| !target.named && more(target.role) && matches(&target.path)).count()
    }

    /// The note that a glob asks less of files than the configuration above, or their names, do.
    fn relaxes_nothing(&self, glob: &Spanned<String>, role: Role) -> Option<Note> {
        let kept = self.kept(glob, |other| roles::graver(role, other) != role);
        let says = "below another configuration, which declares them or leaves it to their names";
        (self.settings.is_nested() && kept > 0).then(|| {
            self.note(
                glob,
                format!(
                    "{kept} of the files that this glob matches keep their graver role: it stands {says}"
                ),
            )
        })
    }

    /// The note that a glob leaves out files that the configuration above has read.
    fn leaves_nothing_out(&self, glob: &Spanned<String>) -> Option<Note> {
        let kept = self.kept(glob, |_| true);
        let says = "below another configuration, by which they are read";
        (self.settings.is_nested() && kept > 0).then(|| {
            self.note(
                glob,
                format!("{kept} of the files that this glob matches are read all the same: it stands {says}"),
            )
        })
    }
}
