//! What stands around a document: how it is read, and in which role. The one place where the server asks the workspace.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use caveat_analysis::catalogue::Group;
use caveat_analysis::document::Rules;
use caveat_analysis::verdict::Role;
use caveat_analysis::{Env, Finding, Language, Snapshot};
use caveat_workspace::globs::Globs;
use caveat_workspace::kind::{is_generated, language_of};
use caveat_workspace::{ConfigError, Project, Settings, roles};

use crate::uri::Key;

/// The folders that are open in the editor, and those of documents outside them.
#[derive(Default)]
pub(crate) struct Folders {
    open: Vec<PathBuf>,
    projects: HashMap<PathBuf, Project>,
    /// The same folders for the files in them that the person at the editor does not trust.
    distrusted: HashMap<PathBuf, Project>,
    /// Which files these are, counted from their folder.
    untrusted: Globs,
    /// What was already said of configurations.
    said: Vec<String>,
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
    /// A machine wrote it for machines: only secrets and hidden content count.
    generated: bool,
}

impl Reading {
    /// Every finding of `snapshot`, whatever its status.
    pub(crate) fn findings(&self, snapshot: &Snapshot) -> Vec<Finding> {
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

    /// Adds and removes folders.
    pub(crate) fn change(&mut self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        self.open.retain(|folder| !removed.contains(folder));
        self.open.extend(added);
        self.forget();
    }

    /// Forgets every configuration that was read.
    pub(crate) fn forget(&mut self) {
        self.projects.clear();
        self.distrusted.clear();
        self.said.clear();
    }

    /// Distrusts the files that `globs` match: no configuration among them is read, and neither their suppressions nor
    /// their cues count.
    pub(crate) fn distrust(&mut self, globs: &[String]) {
        self.untrusted = Globs::new(globs.iter().map(String::as_str)).unwrap_or_default();
        self.forget();
    }

    /// How the document `key` is read, which the client says is in `language`, and what is wrong with its configuration
    /// if that was not said before.
    pub(crate) fn reading(&mut self, key: &Key, language: &str) -> (Reading, Option<String>) {
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
        let answer = project.settings_for(&path);
        let fault = answer.as_ref().err().and_then(|fault: &Arc<ConfigError>| {
            let fault = fault.to_string();
            (!self.said.contains(&fault)).then(|| {
                self.said.push(fault.clone());
                fault
            })
        });
        let instructs = matches!(role, Role::Instructions | Role::Runbook);
        let generated = is_generated(&path) && !instructs;
        (reading(&answer.unwrap_or_default(), language_of(&path), role, Some(&path), generated), fault)
    }

    /// The path of the document `key`, and the folder whose `caveat.toml` is about it, there already or to be made. `None`
    /// where it is in no file, or what is there does not hold.
    pub(crate) fn home(&mut self, key: &Key) -> Option<(PathBuf, PathBuf)> {
        let path = key.path()?;
        let folder = self.project(&path).home(&path)?;
        Some((path, folder))
    }

    /// The project of `path`: the innermost open folder above it, else the folder in which it is.
    fn project(&mut self, path: &Path) -> &Project {
        let above = self.open.iter().filter(|folder| path.starts_with(folder));
        let root = above.max_by_key(|folder| folder.as_os_str().len()).cloned();
        let root = root.unwrap_or_else(|| path.parent().unwrap_or(path).to_path_buf());
        let untrusted = path.strip_prefix(&root).is_ok_and(|path| self.untrusted.matches(path));
        match untrusted {
            true => self.distrusted.entry(root.clone()).or_insert_with(|| Project::new(root).untrusted()),
            false => self.projects.entry(root.clone()).or_insert_with(|| Project::new(root)),
        }
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
        rules: settings.rules(role, path),
        env: settings.env(role, path, crate::day::today()),
        limit: usize::try_from(settings.max_file_bytes()).unwrap_or(usize::MAX),
        generated,
    }
}
