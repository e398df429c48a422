//! The files of the workspace: which there are, and what is found in a closed one.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use caveat_analysis::{Finding, Text};
use caveat_workspace::config::{Place, needed};
use caveat_workspace::walk::{self, Target};
use caveat_workspace::{ConfigError, Unread, scan};
use jiff::civil::Date;
use tower_lsp::lsp_types::Url;

use crate::project::Folder;
use crate::publish::{Items, Manner, of_findings, of_skipped, report};
use crate::uri::Key;

/// A file that is the workspace's business. Cloning it gives another handle.
#[derive(Clone)]
pub(crate) struct File {
    pub(super) uri: Url,
    pub(super) path: PathBuf,
    what: Arc<What>,
}

enum What {
    /// One to be read.
    Target(Target),
    /// One that cannot be, and why.
    Skipped(Unread),
}

/// What is found in a closed file.
pub(super) struct Found {
    pub(super) items: Items,
    /// The entries of its configuration that it needs; `None`: it was not read.
    pub(super) needs: Option<Vec<Place>>,
}

/// How many files of a folder are read at most: whoever opens a home folder does not mean all that is in it.
#[cfg(not(debug_assertions))]
const MOST: usize = 50_000;
/// In tests fewer will do.
#[cfg(debug_assertions)]
const MOST: usize = 2_000;

/// By what a change of a file is noticed: when it was written, and its size. `None`: there is none.
pub(super) type Stamp = Option<(Option<SystemTime>, u64)>;

impl File {
    fn new(path: PathBuf, what: What) -> Option<(Key, File)> {
        let uri = Url::from_file_path(&path).ok()?;
        Some((Key::new(&uri), File { uri, path, what: Arc::new(what) }))
    }

    pub(super) fn stamp(&self) -> Stamp {
        stamp(&self.path)
    }

    /// What its configuration says; what cannot be read has none that counts.
    pub(super) fn target(&self) -> Option<&Target> {
        match &*self.what {
            What::Target(target) => Some(target),
            What::Skipped(_) => None,
        }
    }

    /// Reads and judges it as of the day `today`. `said` is what is said of it beside that.
    pub(super) fn find(&self, today: Date, manner: &Manner, said: &[Finding]) -> Found {
        super::debug::wait_if_told();
        match &*self.what {
            What::Skipped(unread) => {
                Found { items: Items::new(&of_skipped(unread.reason, &self.uri, manner)), needs: None }
            }
            What::Target(target) => scan::one(target, today, |_, outcome| match outcome {
                Err(unread) => {
                    Found { items: Items::new(&of_skipped(unread.reason, &self.uri, manner)), needs: None }
                }
                Ok((text, findings)) => {
                    let needs = Some(needed(&findings));
                    let findings = crate::session::with(findings, said.to_vec());
                    let items = Items::new(&of_findings(&findings, &Text::new(text), &self.uri, manner));
                    Found { items, needs }
                }
            }),
        }
    }

    /// The report for a client that pulls this one document, as JSON.
    pub(crate) fn report(
        &self,
        today: Date,
        manner: &Manner,
        said: &[Finding],
        previous: Option<&str>,
    ) -> Vec<u8> {
        report(&self.find(today, manner, said).items, previous)
    }
}

pub(super) fn stamp(path: &Path) -> Stamp {
    path.metadata().ok().map(|meta: Metadata| (meta.modified().ok(), meta.len()))
}

/// What stands in the open folders.
#[derive(Default)]
pub(super) struct Workspace {
    pub(super) files: BTreeMap<Key, File>,
    pub(super) broken: Vec<Arc<ConfigError>>,
    /// Whether a folder was left out because it is too large.
    pub(super) too_large: bool,
    /// The folders in which everything that counts can be read.
    pub(super) whole: Vec<PathBuf>,
}

/// Walks `folders`. A file belongs to the innermost that holds it.
pub(super) fn walk(folders: &[Folder]) -> Workspace {
    let mut all = Workspace::default();
    for folder in folders {
        let root = folder.root();
        let project = folder.walked();
        let Some(found) = walk::survey(project, !folder.is_untrusted(), MOST) else {
            all.too_large = true;
            continue;
        };
        let inner: Vec<&Path> = folders
            .iter()
            .map(Folder::root)
            .filter(|other| *other != root && other.starts_with(root))
            .collect();
        let is_ours = |path: &Path| !inner.iter().any(|inner| path.starts_with(inner));
        if found.skipped.is_empty() {
            all.whole.push(root.to_path_buf());
        }
        let targets = found.targets.into_iter().filter(|target| is_ours(&target.path));
        let targets = targets.map(|target| (target.path.clone(), What::Target(folder.as_trusted(target))));
        let skipped = found.skipped.into_iter().map(|one| (root.join(&one.name), What::Skipped(one.unread)));
        let skipped = skipped.filter(|(path, _)| is_ours(path));
        all.files.extend(targets.chain(skipped).filter_map(|(path, what)| File::new(path, what)));
        all.broken.extend(found.broken.into_iter().filter(|error| is_ours(&error.file)));
    }
    all
}
