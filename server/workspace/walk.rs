//! Which files a scan reads: those named, and those that stand below a named folder and are somebody's business.

mod entries;
mod links;
mod notes;
mod roots;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use caveat_analysis::verdict::Role;

use crate::config::ConfigError;
use crate::globs::Globs;
use crate::name::{escaped, relative};
use crate::project::{Project, Settings};
use crate::read::{self, SkipReason, Unread};
use crate::{git_root, kind, roles};
use entries::Most;
use links::Aliases;
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
    let mut finder = Finder {
        root: &roots.root,
        real: &roots.root,
        project: &project,
        exclude: &request.exclude,
        aliases: Aliases::default(),
        files: BTreeMap::new(),
        skipped: BTreeMap::new(),
        errors: BTreeMap::new(),
        most: Most::ALL,
        broken_off: false,
        excluded: Mutex::default(),
    };
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
    let mut finder = Finder {
        root,
        real: &real,
        project,
        exclude: &exclude,
        aliases: Aliases::default(),
        files: BTreeMap::new(),
        skipped: BTreeMap::new(),
        errors: BTreeMap::new(),
        most: Most { files: most, entries: most.saturating_mul(ENTRIES) },
        broken_off: false,
        excluded: Mutex::default(),
    };
    finder.add_folder(root, honour_ignore);
    if finder.broken_off {
        return None;
    }
    let (targets, skipped, broken) = finder.found();
    Some(Survey { targets, skipped, broken })
}

struct Finder<'a> {
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
    broken_off: bool,
    /// What configurations exclude; folders are walked in parallel.
    excluded: Mutex<BTreeSet<PathBuf>>,
}

struct Wanted {
    name: String,
    named: bool,
}

impl Finder<'_> {
    fn add_named(&mut self, path: &Path) {
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

    fn add_folder(&mut self, folder: &Path, honour_ignore: bool) {
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
    fn add_tracked(&mut self, path: PathBuf) {
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
    fn wants(&self, path: &Path) -> bool {
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

    fn excluded(&self, path: &Path) -> bool {
        excluded(self.root, self.exclude, path)
    }

    fn skip(&mut self, path: &Path, reason: SkipReason, needed: bool) {
        let name = relative(path, self.root);
        let skipped = Skipped { name: name.clone(), unread: Unread { reason, bytes: None }, needed };
        self.skipped.entry(name).or_insert(skipped);
    }

    fn finish(self) -> Result<(Vec<Target>, Vec<Skipped>), PlanError> {
        let (targets, skipped, errors) = self.found();
        if errors.is_empty() { Ok((targets, skipped)) } else { Err(PlanError::Config(errors)) }
    }

    fn found(mut self) -> (Vec<Target>, Vec<Skipped>, Vec<Arc<ConfigError>>) {
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

fn excluded(root: &Path, exclude: &Globs, path: &Path) -> bool {
    path.strip_prefix(root).is_ok_and(|path| exclude.matches(path))
}

/// The scanned root of `request`: what names in reports count from.
pub(crate) fn scanned_root(request: &Request) -> Result<PathBuf, PlanError> {
    Ok(Roots::of(&request.paths, &request.current)?.root)
}

#[cfg(test)]
mod tests;
