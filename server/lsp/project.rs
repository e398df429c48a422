//! What stands around a document: how it is read, and in which role. The one place where the server asks the workspace.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use caveat_analysis::document::Rules;
use caveat_analysis::verdict::Role;
use caveat_analysis::{Env, Language};

/// The largest document that is read, in bytes, where configuration says nothing else.
const DOCUMENT_CAP: usize = 2 << 20;

/// The folders that are open in the editor.
#[derive(Default)]
pub(crate) struct Folders {
    roots: Vec<PathBuf>,
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
}

impl Folders {
    /// The folders `roots`, absolute.
    pub(crate) fn new(roots: Vec<PathBuf>) -> Folders {
        Folders { roots }
    }

    /// Adds and removes folders.
    pub(crate) fn change(&mut self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        self.roots.retain(|root| !removed.contains(root));
        self.roots.extend(added);
    }

    /// How the document at `path` is read; one that is in no file is instructions.
    pub(crate) fn reading(&self, _path: Option<&Path>) -> Reading {
        Reading {
            language: Language::Markdown,
            rules: Arc::default(),
            env: Env { role: Role::Instructions },
            limit: DOCUMENT_CAP,
        }
    }
}
