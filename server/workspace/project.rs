//! What a project says about a file: which configuration holds for it, and who is addressed in it. The command line and
//! the server ask the same questions here, so that they cannot give two answers.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use caveat_analysis::verdict::{Finding, Role};
use jiff::civil::Date;

use crate::config::{self, Config, ConfigError};
use crate::globs::Globs;
use crate::settings::{Settings, distrusting, for_file};
use crate::vendored::is_vendored;
use crate::{imports, roles};

/// A folder with the configurations in it: a workspace folder for the server, a repository for the command line.
#[derive(Debug)]
pub struct Project {
    root: PathBuf,
    /// Where the paths that built-in roles are matched on begin.
    role_base: PathBuf,
    /// Whether the root is no repository and may hold several.
    several: bool,
    /// `--config`: holds for every file.
    fixed: Option<Arc<Settings>>,
    /// `--role`: holds for every file.
    role: Option<Role>,
    /// Configurations that are open in an editor: their texts stand for what is on the disk.
    buffers: HashMap<PathBuf, String>,
    /// Whether those are all there are: a commit's, say.
    only_buffers: bool,
    /// Configurations that are not read, counted from the root.
    passed_over: Globs,
    /// By folder, what holds for the files in it.
    known: Mutex<HashMap<PathBuf, Answer>>,
    /// By its file, the configuration as it was when it was last right.
    good: Mutex<HashMap<PathBuf, Arc<Settings>>>,
    /// By folder, the files that are brought in from there and above.
    imports: Mutex<HashMap<PathBuf, Arc<HashSet<PathBuf>>>>,
    /// The state of each file that was looked for: configurations, and files that bring others in.
    stamps: Mutex<HashMap<PathBuf, Stamp>>,
}

/// By what a change of a file is noticed: when it was written, and its size. `None`: there is none.
type Stamp = Option<(Option<SystemTime>, u64)>;

fn stamp(file: &Path) -> Stamp {
    file.symlink_metadata().ok().map(|meta| (meta.modified().ok(), meta.len()))
}

type Answer = Result<Arc<Settings>, Arc<ConfigError>>;

impl Project {
    /// The project at `root`, an absolute path: no configuration above it is read. Built-in roles are those of paths
    /// below its repository's root; where there is none, the root's own name counts, so that a folder `runbooks` which is
    /// opened or checked by itself holds runbooks still.
    #[must_use]
    pub fn new(root: PathBuf) -> Project {
        let role_base = git_root(&root).unwrap_or_else(|| root.parent().unwrap_or(&root).to_path_buf());
        Project {
            root,
            role_base,
            several: false,
            fixed: None,
            role: None,
            buffers: HashMap::new(),
            only_buffers: false,
            passed_over: Globs::default(),
            known: Mutex::default(),
            good: Mutex::default(),
            imports: Mutex::default(),
            stamps: Mutex::default(),
        }
    }

    /// A project of files that are on no disk: their paths are relative, and `config` holds for all of them.
    #[must_use]
    pub fn detached(config: Config) -> Project {
        let project = Project { role_base: PathBuf::new(), ..Project::new(PathBuf::new()) };
        project.with_config(config)
    }

    /// With one configuration for every file; its globs count from the project's root.
    #[must_use]
    pub fn with_config(mut self, config: Config) -> Project {
        self.fixed = Some(Arc::new(Settings::new(config, &self.root)));
        self
    }

    /// For files that nobody vouches for (`--untrusted`): no configuration among them is read, and neither their
    /// suppressions nor their cues count. What `with_config` was given stays: it comes from whoever runs the scan.
    #[must_use]
    pub fn untrusted(mut self) -> Project {
        let settings = self.fixed.take().map(Arc::unwrap_or_clone).unwrap_or_default();
        self.fixed = Some(Arc::new(settings.distrustful()));
        self
    }

    /// With a root that is no repository itself: a file in a repository below it is not governed by what stands above
    /// that repository. (A repository inside a repository, a submodule say, is a part of the outer one.)
    #[must_use]
    pub fn of_repositories(mut self) -> Project {
        self.several = true;
        self
    }

    /// With configurations that are on no disk, by their files (absolute), and no others.
    #[must_use]
    pub fn with_texts(mut self, texts: HashMap<PathBuf, String>) -> Project {
        (self.buffers, self.only_buffers) = (texts, true);
        self
    }

    /// With one role for every file.
    #[must_use]
    pub fn with_role(mut self, role: Role) -> Project {
        self.role = Some(role);
        self
    }

    /// The project's root.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What holds for the file at `path` (absolute): the nearest `caveat.toml` at or above it, unless one further up does
    /// not trust the file.
    ///
    /// # Errors
    /// That configuration cannot be read or something in it is wrong.
    pub fn settings_for(&self, path: &Path) -> Answer {
        self.settings_in(path.parent().unwrap_or(path)).map(|settings| for_file(settings, path))
    }

    /// What holds for the file at `path` (absolute), and what is wrong with its configuration: then that holds which was
    /// last right, as long as this project has lived.
    #[must_use]
    pub fn settings_or_last(&self, path: &Path) -> (Arc<Settings>, Option<Arc<ConfigError>>) {
        match self.settings_for(path) {
            Ok(settings) => (settings, None),
            Err(error) => {
                let good = lock(&self.good).get(&error.file).cloned();
                (good.map(|settings| for_file(settings, path)).unwrap_or_default(), Some(error))
            }
        }
    }

    /// What holds for the files of `folder` (absolute).
    ///
    /// # Errors
    /// As [`settings_for`](Project::settings_for).
    pub fn settings_in(&self, folder: &Path) -> Answer {
        if let Some(settings) = &self.fixed {
            return Ok(Arc::clone(settings));
        }
        if let Some(known) = lock(&self.known).get(folder) {
            return known.clone();
        }
        let answer = self.read_in(folder);
        // Folders are walked in parallel: of two that read it at once the first is right for both, so that one configuration
        // is one.
        lock(&self.known).entry(folder.to_path_buf()).or_insert(answer).clone()
    }

    fn read_in(&self, folder: &Path) -> Answer {
        if !folder.starts_with(&self.root) {
            return Ok(Arc::default());
        }
        let above = folder.parent().filter(|above| {
            folder != self.root
                && above.starts_with(&self.root)
                && !(self.several && folder.join(".git").exists())
        });
        let above = above.map_or_else(|| Ok(Arc::default()), |above| self.settings_in(above))?;
        let own = folder.join(config::CONFIG_NAME);
        if own.strip_prefix(&self.root).is_ok_and(|own| self.passed_over.matches(own)) {
            return Ok(above);
        }
        let found = if self.only_buffers { None } else { stamp(&own) };
        lock(&self.stamps).insert(own.clone(), found);
        let buffer = self.buffers.get(&own);
        if (found.is_none() && buffer.is_none()) || distrusting(&above, &own).is_some() {
            return Ok(above);
        }
        let config = buffer.map_or_else(|| config::load(&own), |text| config::parse(text, &own));
        let nested = above.folder.is_some() || is_vendored(folder, &self.root, self.several);
        let config = if nested { config.and_then(|config| config.below(&above.config)) } else { config };
        let settings = Settings::new(config.map_err(Arc::new)?, folder);
        let settings = Arc::new(settings.under(nested.then_some(above)));
        lock(&self.good).insert(own, Arc::clone(&settings));
        Ok(settings)
    }

    /// The configurations that were read since the last change, and hold.
    #[must_use]
    pub fn configurations(&self) -> Vec<Arc<Settings>> {
        let known = lock(&self.known);
        let mut all: Vec<Arc<Settings>> = Vec::new();
        for settings in known.values().flatten().filter(|settings| settings.config.source.is_some()) {
            if !all.iter().any(|other| Arc::ptr_eq(other, settings)) {
                all.push(Arc::clone(settings));
            }
        }
        all
    }

    /// The folder whose configuration is about the file at `path` (absolute): that of the one which holds for it, else the
    /// root, where one would be made. `None` where what is there does not hold.
    #[must_use]
    pub fn home(&self, path: &Path) -> Option<PathBuf> {
        let settings = self.settings_for(path).ok()?;
        Some(settings.folder.clone().unwrap_or_else(|| self.root.clone()))
    }

    /// Whether a configuration that stands below another one is about the file at `path` (absolute): it may not loosen
    /// everything.
    #[must_use]
    pub fn is_nested(&self, path: &Path) -> bool {
        self.settings_for(path).is_ok_and(|settings| settings.is_nested())
    }

    /// The project as it is now, for work beside the one who goes on changing it: what is last right of each configuration
    /// comes along, and all is read anew. No configuration is read that `passed_over`, counted from the root, matches.
    #[must_use]
    pub fn snapshot(&self, passed_over: Globs) -> Project {
        Project {
            root: self.root.clone(),
            role_base: self.role_base.clone(),
            several: self.several,
            fixed: self.fixed.clone(),
            role: self.role,
            buffers: self.buffers.clone(),
            only_buffers: self.only_buffers,
            passed_over,
            known: Mutex::default(),
            good: Mutex::new(lock(&self.good).clone()),
            imports: Mutex::default(),
            stamps: Mutex::default(),
        }
    }

    /// Forgets every configuration that was read, on a change of one, save what was last right of each.
    pub fn reload(&self) {
        lock(&self.known).clear();
        lock(&self.imports).clear();
        lock(&self.stamps).clear();
    }

    /// What is to be said of the configuration `file` (absolute), of which `text` is the content, on the day `today`: that it
    /// does not hold, or what of it is past its day. One that is not read because nobody vouches for it has nothing said of
    /// it.
    #[must_use]
    pub fn said_of(&self, file: &Path, text: &str, today: Date) -> Vec<Finding> {
        match self.settings_in(file.parent().unwrap_or(file)) {
            Err(error) if error.file == file => config::fault(&error, text).into_iter().collect(),
            Ok(settings) if settings.config.source.as_ref().is_some_and(|source| source.file == file) => {
                config::expired(&settings.config, today)
            }
            _ => Vec::new(),
        }
    }

    /// Takes `text` for the content of the configuration `file`, whatever is on the disk; `None`: what is on the disk counts
    /// again. Everything is read anew.
    pub fn set_buffer(&mut self, file: &Path, text: Option<String>) {
        match text {
            Some(text) => self.buffers.insert(file.to_path_buf(), text),
            None => self.buffers.remove(file),
        };
        self.reload();
    }

    /// Whether a configuration that was read, or was not there, is not what it was.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        lock(&self.stamps).iter().any(|(file, known)| stamp(file) != *known)
    }

    /// Who is addressed in the file at `path` (absolute): by `--role`, by the configuration, by the built-in globs. A
    /// configuration that cannot be read declares nothing, none can have an untrusted file taken for less than its
    /// name says, and none below another one for less than that one says.
    #[must_use]
    pub fn role_of(&self, path: &Path) -> Role {
        if let Some(role) = self.role {
            return role;
        }
        let (settings, _) = self.settings_or_last(path);
        let role = settings.addressed(path, self.built_in_role(path));
        role.unwrap_or(Role::Reference { declared: false })
    }

    /// Whether a configuration has a folder scan leave `path` (absolute) out. One that cannot be read leaves out nothing.
    #[must_use]
    pub fn leaves_out(&self, path: &Path) -> bool {
        self.settings_for(path).is_ok_and(|settings| settings.leaves_out(path, self.built_in_role(path)))
    }

    /// Who is addressed in the file at `path` (absolute) by its name alone, if that says so, or as a part of a skill.
    pub(crate) fn built_in_role(&self, path: &Path) -> Option<Role> {
        let by_name = roles::built_in(path.strip_prefix(&self.role_base).unwrap_or(path));
        by_name.or_else(|| (self.is_of_a_skill(path) || self.is_imported(path)).then_some(Role::Instructions))
    }

    /// Whether a file that instructs agents, at or above this one, brings it into its reader.
    fn is_imported(&self, path: &Path) -> bool {
        path.is_absolute() && path.parent().is_some_and(|folder| self.imports_above(folder).contains(path))
    }

    /// The files that are brought in by such files in `folder` (absolute) and above.
    fn imports_above(&self, folder: &Path) -> Arc<HashSet<PathBuf>> {
        if !folder.starts_with(&self.root) {
            return Arc::default();
        }
        if let Some(known) = lock(&self.imports).get(folder) {
            return Arc::clone(known);
        }
        let mut all = folder.parent().map(|above| self.imports_above(above)).unwrap_or_default();
        for importer in imports::IMPORTERS.map(|name| folder.join(name)) {
            let Some(now) = stamp(&importer) else { continue };
            let found = imports::imported(&importer, &self.root);
            if !found.is_empty() {
                Arc::make_mut(&mut all).extend(found);
                lock(&self.stamps).insert(importer, Some(now));
            }
        }
        lock(&self.imports).insert(folder.to_path_buf(), Arc::clone(&all));
        all
    }

    /// Whether the file stands in a folder that a skill brings: its `SKILL.md` is on the disk beside that, at or below the
    /// root. The disk is not asked of a path that is on none.
    fn is_of_a_skill(&self, path: &Path) -> bool {
        path.is_absolute()
            && roles::skills(path)
                .any(|skill| skill.starts_with(&self.root) && skill.join("SKILL.md").is_file())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The folder with a `.git` (folder or file: a worktree has a file) at or above `folder`.
#[must_use]
pub fn git_root(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_path_buf)
}
