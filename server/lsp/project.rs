//! What stands around a document: how it is read, and in which role. The one place where the server asks the workspace.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use caveat_analysis::catalogue::Group;
use caveat_analysis::document::Rules;
use caveat_analysis::verdict::Role;
use caveat_analysis::{Env, Finding, Language, Snapshot};
use caveat_workspace::globs::Globs;
use caveat_workspace::kind::{is_generated, is_nameless, language_of};
use caveat_workspace::walk::Target;
use caveat_workspace::{ConfigError, Project, Settings, roles};

use crate::uri::Key;

/// The folders that are open in the editor, and those of documents outside them.
#[derive(Default)]
pub(crate) struct Folders {
    open: Vec<PathBuf>,
    /// By their roots, and whether they are read as nobody's.
    projects: HashMap<(PathBuf, bool), Project>,
    /// The configurations that are open in the editor, and their texts.
    buffers: HashMap<PathBuf, String>,
    /// Files that nobody vouches for, counted from their folder.
    untrusted: Globs,
    /// Whether those are all files: an editor's restricted mode.
    restricted: bool,
    /// Counts the changes of any of this.
    epoch: u64,
}

/// An open folder as it is now, for work beside the loop.
pub(crate) struct Folder {
    project: Project,
    /// The same, read as nobody's.
    theirs: Project,
    untrusted: Globs,
    restricted: bool,
}

impl Folder {
    /// The folder, as the client spells it.
    pub(crate) fn root(&self) -> &Path {
        self.project.root()
    }

    /// Whether nobody vouches for anything in it.
    pub(crate) fn is_untrusted(&self) -> bool {
        self.restricted
    }

    /// The project by which it is walked.
    pub(crate) fn walked(&self) -> &Project {
        if self.restricted { &self.theirs } else { &self.project }
    }

    /// `target`, which was found in a walk, as far as it is trusted.
    pub(crate) fn as_trusted(&self, target: Target) -> Target {
        let below = target.path.strip_prefix(self.root());
        if self.restricted || !below.is_ok_and(|path| self.untrusted.matches(path)) {
            return target;
        }
        let (settings, _) = self.theirs.settings_or_last(&target.path);
        let role = roles::graver(target.role, self.theirs.role_of(&target.path));
        let instructs = matches!(role, Role::Instructions | Role::Runbook);
        let generated = is_generated(&target.path) && !instructs;
        Target { role, settings, generated, ..target }
    }
}

/// How one document is read.
#[derive(Clone)]
pub(crate) struct Reading {
    /// As what.
    pub(crate) language: Language,
    /// By which rules.
    pub(crate) rules: Arc<Rules>,
    /// In which role.
    pub(crate) env: Env,
    /// Up to which size, in bytes.
    pub(crate) limit: usize,
    /// Only its first line may say that it is a program.
    pub(crate) nameless: bool,
    /// A machine wrote it for machines: only secrets and hidden content count.
    generated: bool,
}

impl Reading {
    /// Every finding of `snapshot`, whatever its status.
    pub(crate) fn findings(&self, snapshot: &Snapshot) -> Vec<Finding> {
        crate::sync::debug::fail_judging_if_told();
        let mut findings = snapshot.findings(&self.env);
        if self.generated {
            findings
                .retain(|finding| finding.group == Group::Secret || finding.rule.name() == "hidden-content");
        }
        findings
    }
}

impl Folders {
    /// The folders `open`, absolute.
    pub(crate) fn new(open: Vec<PathBuf>) -> Folders {
        Folders { open, ..Folders::default() }
    }

    /// The open folders.
    pub(crate) fn open(&self) -> &[PathBuf] {
        &self.open
    }

    /// Adds and removes folders.
    pub(crate) fn change(&mut self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        self.open.retain(|folder| !removed.contains(folder));
        self.open.extend(added);
        self.projects.clear();
        self.epoch += 1;
    }

    /// Which state of the folders this is.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The open folders as they are now, each once.
    pub(crate) fn snapshot(&mut self) -> Vec<Folder> {
        let mut roots = self.open.clone();
        roots.sort();
        roots.dedup();
        let (untrusted, restricted) = (self.untrusted.clone(), self.restricted);
        let mut folder = |root: &PathBuf| Folder {
            project: self.project_at(root.clone(), false).snapshot(untrusted.clone()),
            theirs: self.project_at(root.clone(), true).snapshot(Globs::default()),
            untrusted: untrusted.clone(),
            restricted,
        };
        roots.iter().map(&mut folder).collect()
    }

    /// Forgets every configuration that was read, save what holds as long as a new one does not.
    pub(crate) fn forget(&mut self) {
        self.projects.values().for_each(Project::reload);
        self.epoch += 1;
    }

    /// Which files nobody vouches for: globs that are some.
    pub(crate) fn distrust(&mut self, globs: &[String]) {
        self.untrusted = Globs::new(globs.iter().map(String::as_str)).unwrap_or_default();
        self.restricted = globs.iter().any(|glob| glob == "**");
        self.epoch += 1;
    }

    /// Whether nobody vouches for anything.
    pub(crate) fn is_restricted(&self) -> bool {
        self.restricted
    }

    /// Takes `text` for the content of the configuration `file`; `None`: it is not open any more. `true`: that is news.
    pub(crate) fn set_buffer(&mut self, file: &Path, text: Option<String>) -> bool {
        if self.buffers.get(file) == text.as_ref() {
            return false;
        }
        for project in self.projects.values_mut() {
            project.set_buffer(file, text.clone());
        }
        match text {
            Some(text) => self.buffers.insert(file.to_path_buf(), text),
            None => self.buffers.remove(file),
        };
        self.epoch += 1;
        true
    }

    /// Whether the configuration `file` is open in the editor.
    pub(crate) fn is_open(&self, file: &Path) -> bool {
        self.buffers.contains_key(file)
    }

    /// Whether a configuration on the disk is not what it was when it was read.
    pub(crate) fn have_changed(&self) -> bool {
        self.projects.values().any(Project::has_changed)
    }

    /// The configurations that are known to hold somewhere, each once.
    pub(crate) fn configurations(&self) -> Vec<Arc<Settings>> {
        self.projects.values().flat_map(Project::configurations).collect()
    }

    /// What is to be said of the configuration `file`, of which `text` is the content.
    pub(crate) fn said_of(&mut self, file: &Path, text: &str) -> Vec<Finding> {
        self.project(file).said_of(file, text, crate::day::today())
    }

    /// What is wrong with the configuration `file`, if it does not hold.
    pub(crate) fn fault_of(&mut self, file: &Path) -> Option<Arc<ConfigError>> {
        let answer = self.project(file).settings_in(file.parent()?);
        answer.err().filter(|error| error.file == file)
    }

    /// How the document `key` is read, which the client says is in `language`, and what is wrong with its configuration.
    pub(crate) fn reading(&mut self, key: &Key, language: &str) -> (Reading, Option<Arc<ConfigError>>) {
        let Some(path) = key.path() else {
            let role = match key.virtual_path() {
                Some(path) => roles::built_in(Path::new(path)),
                None => matches!(language, "markdown" | "mdc").then_some(Role::Instructions),
            };
            let role = role.unwrap_or(Role::Reference { declared: false });
            return (reading(&Settings::default(), Language::Markdown, role, None, false), None);
        };
        let project = self.project(&path);
        let role = project.role_of(&path);
        let (settings, fault) = project.settings_or_last(&path);
        let instructs = matches!(role, Role::Instructions | Role::Runbook);
        let generated = is_generated(&path) && !instructs;
        (reading(&settings, language_of(&path), role, Some(&path), generated), fault)
    }

    /// The path of the document `key`, the folder whose `caveat.toml` is about it, there already or to be made, and whether
    /// that stands below another one. `None` where it is in no file, or what is there does not hold.
    pub(crate) fn home(&mut self, key: &Key) -> Option<(PathBuf, PathBuf, bool)> {
        let path = key.path()?;
        let project = self.project(&path);
        let (folder, nested) = (project.home(&path)?, project.is_nested(&path));
        Some((path, folder, nested))
    }

    /// The project of `path`: the innermost open folder above it, else the folder in which it is.
    fn project(&mut self, path: &Path) -> &Project {
        let above = self.open.iter().filter(|folder| path.starts_with(folder));
        let root = above.max_by_key(|folder| folder.as_os_str().len()).cloned();
        let root = root.unwrap_or_else(|| path.parent().unwrap_or(path).to_path_buf());
        let untrusted = path.strip_prefix(&root).is_ok_and(|path| self.untrusted.matches(path));
        self.project_at(root, untrusted)
    }

    fn project_at(&mut self, root: PathBuf, untrusted: bool) -> &Project {
        let Folders { projects, buffers, .. } = self;
        projects.entry((root.clone(), untrusted)).or_insert_with(|| {
            let mut project = Project::new(root);
            for (file, text) in buffers.iter() {
                project.set_buffer(file, Some(text.clone()));
            }
            if untrusted { project.untrusted() } else { project }
        })
    }
}

fn reading(
    settings: &Settings,
    language: Language,
    role: Role,
    path: Option<&Path>,
    generated: bool,
) -> Reading {
    Reading {
        language,
        nameless: path.is_some_and(is_nameless),
        rules: settings.rules(role, path),
        env: settings.env(role, path, crate::day::today()),
        limit: usize::try_from(settings.max_file_bytes()).unwrap_or(usize::MAX),
        generated,
    }
}
