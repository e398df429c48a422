//! Which files a scan reads: those named, and those that stand below a named folder and are somebody's business.

mod entries;
mod finder;
mod links;
mod notes;
mod roots;

use std::collections::HashMap;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, PoisonError};

use caveat_analysis::verdict::Role;

use crate::config::ConfigError;
use crate::globs::Globs;
use crate::name::{escaped, relative};
use crate::project::Project;
use crate::read::{self, SkipReason, Unread};
use crate::settings::Settings;
use crate::{git_root, kind};
use entries::Most;
pub(crate) use finder::wants;
use finder::{Finder, excluded};
pub use notes::Note;
use roots::Roots;

/// What to look for, and where.
#[derive(Debug, Default)]
pub struct Request {
    /// Files and folders, absolute or relative to `current`. Empty: `current` itself.
    pub paths: Vec<PathBuf>,
    /// The folder that relative paths start from, absolute.
    pub current: PathBuf,
    /// Globs, counted from the scanned root, of what is left out, named or not.
    pub exclude: Globs,
    /// Whether `.gitignore` and `.ignore` are passed over.
    pub no_ignore: bool,
    /// One configuration for every file, in place of those on disk.
    pub config: Option<crate::Config>,
    /// One role for every file.
    pub role: Option<Role>,
    /// Whether nobody vouches for the files: what they say of themselves (configuration, ignore files, suppressions, cues)
    /// does not count.
    pub untrusted: bool,
    /// Configurations that are open in an editor, by their files (absolute, without links): these texts hold in place of
    /// what is on the disk.
    pub buffers: HashMap<PathBuf, String>,
    /// What stands in place of the disk where a commit judges.
    pub base: Option<BaseView>,
}

/// What a scan against a commit takes from it, and from git.
#[derive(Debug, Default)]
pub struct BaseView {
    /// Configurations in place of those on the disk, by their files (absolute); `None`: those that hold otherwise.
    pub configs: Option<HashMap<PathBuf, String>>,
    /// Files that git knows (absolute): where they are on the disk, no ignore file leaves them out.
    pub tracked: Vec<PathBuf>,
}

/// A file to be read.
#[derive(Clone, Debug)]
pub struct Target {
    /// Where it is: absolute, without links.
    pub path: PathBuf,
    /// Its name in reports: relative to the scanned root, with `/`. Not escaped.
    pub name: String,
    /// Who is addressed in it.
    pub role: Role,
    /// Whether it was named, and not found in a folder.
    pub named: bool,
    /// Whether only secrets and hidden content are looked for.
    pub generated: bool,
    /// What its configuration says.
    pub settings: Arc<Settings>,
}

/// Something that was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its name in reports.
    pub name: String,
    /// Why, and how large it is.
    pub unread: Unread,
    /// Whether the scan is incomplete without it: it was named, instructs somebody, or is a folder.
    pub needed: bool,
}

/// What a scan will read.
#[derive(Debug)]
pub struct Plan {
    /// The scanned root: the named folder, or the folder that holds all that was named.
    pub root: PathBuf,
    /// The folders of which everything was looked at.
    pub walked: Vec<PathBuf>,
    /// Where configurations and roles come from.
    pub project: Project,
    /// The files, in the order of their names, each real file once.
    pub targets: Vec<Target>,
    /// What cannot be read, in the order of names.
    pub skipped: Vec<Skipped>,
    /// The files (absolute) that would be read if no configuration excluded them, in order.
    pub excluded: Vec<PathBuf>,
    exclude: Globs,
}

impl Plan {
    /// What is worth saying of the globs of its configurations, in their order: see [`Note`]. Of a configuration whose folder was
    /// not walked nothing is.
    #[must_use]
    pub fn notes(&self) -> Vec<Note> {
        notes::of(self)
    }

    /// Whether whoever asked for the scan left out the file at `path` (absolute).
    pub(crate) fn excludes(&self, path: &Path) -> bool {
        excluded(&self.root, &self.exclude, path)
    }
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// A named path does not exist.
    NoSuchPath(PathBuf),
    /// The current folder cannot be found.
    NoCurrentFolder,
    /// Configurations that hold for files of the scan are wrong, in the order of their names.
    Config(Vec<Arc<ConfigError>>),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::NoSuchPath(path) => {
                write!(f, "no such file or folder: {}", escaped(&path.to_string_lossy()))
            }
            PlanError::NoCurrentFolder => f.write_str("the current folder cannot be found"),
            PlanError::Config(errors) => errors
                .iter()
                .enumerate()
                .try_for_each(|(index, error)| write!(f, "{}{error}", if index == 0 { "" } else { "\n" })),
        }
    }
}

impl std::error::Error for PlanError {}

impl Target {
    /// Its text.
    ///
    /// # Errors
    /// It was not read: as [`read::read`].
    pub fn read(&self) -> Result<String, Unread> {
        read::read(&self.path, self.settings.max_file_bytes())
    }

    /// Whether the scan is incomplete if this file is not read whole.
    #[must_use]
    pub fn needed(&self) -> bool {
        self.named || instructs(self.role)
    }
}

pub(crate) fn instructs(role: Role) -> bool {
    matches!(role, Role::Instructions | Role::Runbook)
}

/// Finds the files to read.
///
/// # Errors
/// A named path does not exist, or a configuration is wrong.
pub fn plan(request: Request) -> Result<Plan, PlanError> {
    let roots = Roots::of(&request.paths, &request.current)?;
    // Without a repository the current folder bounds the search for a configuration, if it holds what is scanned.
    let repository = git_root(&roots.root);
    let several = repository.is_none();
    let project_root = repository.unwrap_or_else(|| {
        let current = request.current.canonicalize().unwrap_or_default();
        if roots.root.starts_with(&current) { current } else { roots.root.clone() }
    });
    let mut project = project(project_root, request.config, request.role, request.untrusted);
    if several {
        project = project.of_repositories();
    }
    for (file, text) in request.buffers {
        project.set_buffer(&file, Some(text));
    }
    let base = request.base.unwrap_or_default();
    if let Some(configs) = base.configs {
        project = project.with_texts(configs);
    }
    let mut finder = Finder::new(&roots.root, &roots.root, &project, &request.exclude, Most::ALL);
    for file in &roots.files {
        finder.add_named(file);
    }
    for path in &roots.unreachable {
        finder.skip(path, SkipReason::Unreadable, true);
    }
    for folder in &roots.folders {
        finder.add_folder(folder, !request.no_ignore && !request.untrusted);
    }
    for path in base.tracked {
        let is_file = || path.symlink_metadata().is_ok_and(|meta| meta.is_file());
        let below = |folder: &PathBuf| path.starts_with(folder);
        if roots.folders.iter().any(below) && finder.wants(&path) && is_file() {
            finder.add_tracked(path);
        }
    }
    let excluded = std::mem::take(&mut finder.excluded).into_inner().unwrap_or_else(PoisonError::into_inner);
    let (targets, skipped) = finder.finish()?;
    Ok(Plan {
        root: roots.root,
        walked: roots.folders,
        project,
        targets,
        skipped,
        excluded: excluded.into_iter().collect(),
        exclude: request.exclude,
    })
}

/// The target that a text which is in no file stands for, and the root that its name counts from: the text is read as if
/// it stood at `path`; without one it is instructions, as an untitled document is in an editor. `config` is the text itself
/// where that path is a configuration's: it holds in place of the one on the disk.
///
/// # Errors
/// There is no current folder, or the configuration that would hold for it is wrong.
pub fn unsaved(
    request: Request,
    path: Option<&Path>,
    config: Option<String>,
) -> Result<(PathBuf, Target), PlanError> {
    let current = request.current.canonicalize().map_err(|_| PlanError::NoCurrentFolder)?;
    let whole = lexically_normal(&current.join(path.unwrap_or(Path::new("-"))));
    let folder = whole.parent().unwrap_or(&current);
    let root = if folder.starts_with(&current) { current.clone() } else { folder.to_path_buf() };
    let role = request.role.or(path.is_none().then_some(Role::Instructions));
    let project_root = git_root(folder).unwrap_or_else(|| root.clone());
    let mut project = project(project_root, request.config, role, request.untrusted);
    if config.is_some() {
        project.set_buffer(&whole, config);
    }
    let settings = project.settings_for(&whole).map_err(|error| PlanError::Config(vec![error]))?;
    let role = project.role_of(&whole);
    let generated = kind::is_generated(&whole) && !instructs(role);
    let name = relative(&whole, &root);
    Ok((root, Target { path: whole, name, role, named: true, generated, settings }))
}

/// `path` without `.` and `..`, by its words alone: the file need not exist.
pub(crate) fn lexically_normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(normal.pop()),
            part => normal.push(part),
        }
    }
    normal
}

fn project(root: PathBuf, config: Option<crate::Config>, role: Option<Role>, untrusted: bool) -> Project {
    let project = Project::new(root);
    let project = match config {
        Some(config) => project.with_config(config),
        None => project,
    };
    let project = if untrusted { project.untrusted() } else { project };
    match role {
        Some(role) => project.with_role(role),
        None => project,
    }
}

/// How many things a folder may hold for each file that is read in it.
const ENTRIES: usize = 20;

/// What stands in a project's whole folder.
#[derive(Debug)]
pub struct Survey {
    /// The files that a scan of the folder reads, each real file once. Where a configuration does not hold, that holds which
    /// was last right.
    pub targets: Vec<Target>,
    /// What cannot be read.
    pub skipped: Vec<Skipped>,
    /// The configurations that do not hold.
    pub broken: Vec<Arc<ConfigError>>,
}

/// Finds the files that a scan of the whole of `project` reads, as [`plan`] does, whatever is wrong with configurations. Paths
/// begin with the project's root as that is spelled; `honour_ignore` says whether `.gitignore` and `.ignore` count. `None`: it
/// would read more than `most` files, or stands among very many that it would not.
#[must_use]
pub fn survey(project: &Project, honour_ignore: bool, most: usize) -> Option<Survey> {
    let root = project.root();
    let real = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let exclude = Globs::default();
    let most = Most { files: most, entries: most.saturating_mul(ENTRIES) };
    let mut finder = Finder::new(root, &real, project, &exclude, most);
    finder.add_folder(root, honour_ignore);
    if finder.broken_off {
        return None;
    }
    let (targets, skipped, broken) = finder.found();
    Some(Survey { targets, skipped, broken })
}

/// The scanned root of `request`: what names in reports count from.
pub(crate) fn scanned_root(request: &Request) -> Result<PathBuf, PlanError> {
    Ok(Roots::of(&request.paths, &request.current)?.root)
}

#[cfg(test)]
mod tests;
