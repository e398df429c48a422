//! The files of a scan, collected: each real file once, under the name by which it is known, with what could not be read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use caveat_analysis::verdict::Role;

use super::entries::{self, Most};
use super::links::{self, Aliases};
use super::{PlanError, Skipped, Target, instructs};
use crate::config::ConfigError;
use crate::globs::Globs;
use crate::name::relative;
use crate::project::Project;
use crate::read::{SkipReason, Unread};
use crate::{kind, roles};

/// What was found so far, and where it is looked for.
pub(super) struct Finder<'a> {
    root: &'a Path,
    /// The root without links.
    real: &'a Path,
    project: &'a Project,
    exclude: &'a Globs,
    aliases: Aliases,
    /// Real path, and how it is called and whether it was named.
    files: BTreeMap<PathBuf, Wanted>,
    skipped: BTreeMap<String, Skipped>,
    errors: BTreeMap<PathBuf, Arc<ConfigError>>,
    most: Most,
    pub(super) broken_off: bool,
    /// What configurations exclude; folders are walked in parallel.
    pub(super) excluded: Mutex<BTreeSet<PathBuf>>,
}

struct Wanted {
    name: String,
    named: bool,
}

impl<'a> Finder<'a> {
    /// One that has found nothing yet, below `root`, which without links is `real`.
    pub(super) fn new(
        root: &'a Path,
        real: &'a Path,
        project: &'a Project,
        exclude: &'a Globs,
        most: Most,
    ) -> Finder<'a> {
        Finder {
            root,
            real,
            project,
            exclude,
            aliases: Aliases::default(),
            files: BTreeMap::new(),
            skipped: BTreeMap::new(),
            errors: BTreeMap::new(),
            most,
            broken_off: false,
            excluded: Mutex::default(),
        }
    }

    pub(super) fn add_named(&mut self, path: &Path) {
        if self.excluded(path) {
            return;
        }
        match links::resolve(path) {
            Err(()) => self.skip(path, SkipReason::LinkBroken, true),
            Ok(real) => {
                // Under its own name where that can be told from the root; a link that leads out keeps the link's name.
                let shown = if real.starts_with(self.root) { real.as_path() } else { path };
                let name = relative(shown, self.root);
                if real != path {
                    self.aliases.add(real.clone(), path.to_path_buf());
                }
                self.files.insert(real, Wanted { name, named: true });
            }
        }
    }

    pub(super) fn add_folder(&mut self, folder: &Path, honour_ignore: bool) {
        let found = entries::below(folder, honour_ignore, self.most, |path| self.wants(path));
        self.broken_off |= found.broken_off;
        for path in found.unreadable {
            self.skip(&path, SkipReason::Unreadable, true);
        }
        for path in found.special {
            if self.wants(&path) {
                self.skip(&path, SkipReason::Unreadable, instructs(self.project.role_of(&path)));
            }
        }
        for path in found.files {
            self.add_file(path);
        }
        for path in found.links {
            self.add_link(&path);
        }
    }

    /// A file that git knows; what the walk found already stays as it was found.
    pub(super) fn add_tracked(&mut self, path: PathBuf) {
        match links::resolve(&path) {
            Ok(real) if real == path => self.add_file(path),
            _ => self.add_link(&path),
        }
    }

    fn add_file(&mut self, path: PathBuf) {
        let name = relative(&path, self.root);
        self.files.entry(path).or_insert(Wanted { name, named: false });
    }

    /// A link in a walked folder, also one that is a text file with a path in it: its target is read once, under its own
    /// name, if it stands below the root.
    fn add_link(&mut self, link: &Path) {
        let Ok(real) = links::resolve(link) else {
            if self.wants(link) {
                self.skip(link, SkipReason::LinkBroken, instructs(self.project.role_of(link)));
            }
            return;
        };
        let is_folder = real.is_dir();
        if self.left_out(link) || !is_folder && !self.wants(link) {
            return;
        }
        let Ok(below) = real.strip_prefix(self.real) else {
            self.skip(link, SkipReason::LinkOutside, instructs(self.project.role_of(link)));
            return;
        };
        let real = self.root.join(below);
        self.aliases.add(real.clone(), link.to_path_buf());
        if !is_folder {
            self.add_file(real);
        }
    }

    /// Whether a folder scan reads a file of this path.
    pub(super) fn wants(&self, path: &Path) -> bool {
        let wanted = wants(self.project, self.root, self.exclude, path);
        if !wanted && !self.excluded(path) && is_business(self.project, path) {
            let mut excluded = self.excluded.lock().unwrap_or_else(PoisonError::into_inner);
            excluded.insert(path.to_path_buf());
        }
        wanted
    }

    fn left_out(&self, path: &Path) -> bool {
        left_out(self.project, self.root, self.exclude, path)
    }

    pub(super) fn excluded(&self, path: &Path) -> bool {
        excluded(self.root, self.exclude, path)
    }

    pub(super) fn skip(&mut self, path: &Path, reason: SkipReason, needed: bool) {
        let name = relative(path, self.root);
        let skipped = Skipped { name: name.clone(), unread: Unread { reason, bytes: None }, needed };
        self.skipped.entry(name).or_insert(skipped);
    }

    pub(super) fn finish(self) -> Result<(Vec<Target>, Vec<Skipped>), PlanError> {
        let (targets, skipped, errors) = self.found();
        if errors.is_empty() { Ok((targets, skipped)) } else { Err(PlanError::Config(errors)) }
    }

    pub(super) fn found(mut self) -> (Vec<Target>, Vec<Skipped>, Vec<Arc<ConfigError>>) {
        let mut targets = Vec::with_capacity(self.files.len());
        for (path, wanted) in std::mem::take(&mut self.files) {
            // A file that is not below the root is known by the link that was named.
            let (settings, error) = self.project.settings_or_last(&path);
            if let Some(error) = error {
                self.errors.insert(error.file.clone(), error);
            }
            let role = self.aliases.names_of(&path).map(|name| self.project.role_of(&name));
            let role = role.fold(self.project.role_of(&path), roles::graver);
            let generated = kind::is_generated(&path) && !instructs(role);
            targets.push(Target { path, name: wanted.name, role, named: wanted.named, generated, settings });
        }
        targets.sort_by(|a, b| a.name.cmp(&b.name));
        (targets, self.skipped.into_values().collect(), self.errors.into_values().collect())
    }
}

/// Whether a folder scan of `root` reads a file of this path (absolute).
pub(crate) fn wants(project: &Project, root: &Path, exclude: &Globs, path: &Path) -> bool {
    !left_out(project, root, exclude, path) && is_business(project, path)
}

/// Whether a folder scan would read a file of this path, if nothing leaves it out.
fn is_business(project: &Project, path: &Path) -> bool {
    kind::is_text(path)
        || project.settings_for(path).is_ok_and(|settings| settings.includes(path))
        || project.role_of(path) != (Role::Reference { declared: false })
}

/// Whether `--exclude` or a configuration leaves the path out. A wrong configuration leaves out nothing: it is told
/// when the scan's files are known.
fn left_out(project: &Project, root: &Path, exclude: &Globs, path: &Path) -> bool {
    excluded(root, exclude, path) || project.leaves_out(path)
}

pub(super) fn excluded(root: &Path, exclude: &Globs, path: &Path) -> bool {
    path.strip_prefix(root).is_ok_and(|path| exclude.matches(path))
}
