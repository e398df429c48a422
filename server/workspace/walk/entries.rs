//! What stands below a folder.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use ignore::{WalkBuilder, WalkState};

use super::links;

/// What was found, each list sorted.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// Regular files.
    pub(super) files: Vec<PathBuf>,
    /// Links, and text files that are links of git's.
    pub(super) links: Vec<PathBuf>,
    /// Pipes, sockets, devices.
    pub(super) special: Vec<PathBuf>,
    /// Folders (and rarely files) that could not be looked into.
    pub(super) unreadable: Vec<PathBuf>,
    /// There was more than was asked for, and it was not looked on.
    pub(super) broken_off: bool,
}

/// How much is looked at before a walk is broken off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Most {
    /// Files that are wanted.
    pub(super) files: usize,
    /// Whatever stands in the folder.
    pub(super) entries: usize,
}

impl Most {
    /// All of it, however much it is.
    pub(super) const ALL: Most = Most { files: usize::MAX, entries: usize::MAX };
}

/// Walks `folder` in parallel. Dot-files are walked, `.git` is not, links are not followed; `.gitignore` and `.ignore`
/// are honoured if `honour_ignore`, inside a repository and outside. Global and per-clone ignore files are not: two
/// machines shall not find two things. Regular files for which `wanted` is false are left out. Above `most` the walk is
/// broken off.
pub(super) fn below(
    folder: &Path,
    honour_ignore: bool,
    most: Most,
    wanted: impl Fn(&Path) -> bool + Sync,
) -> Entries {
    let (files, entries) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let broken_off = AtomicBool::new(false);
    let in_repository = crate::git_root(folder).is_some();
    let walker = WalkBuilder::new(folder)
        .hidden(false)
        .follow_links(false)
        .ignore(honour_ignore)
        .git_ignore(honour_ignore)
        // Above a folder without a repository there is no project: a home folder's `*` is not meant for it.
        .parents(honour_ignore && in_repository)
        .require_git(false)
        .git_global(false)
        .git_exclude(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build_parallel();
    let found = Mutex::new(Entries::default());
    walker.run(|| {
        Box::new(|entry| {
            let mut add = None;
            match &entry {
                Ok(entry) => {
                    let (path, kind) = (entry.path(), entry.file_type());
                    let is = |f: fn(&std::fs::FileType) -> bool| kind.as_ref().is_some_and(f);
                    if is(std::fs::FileType::is_symlink) {
                        add = Some((path, List::Links));
                    } else if is(std::fs::FileType::is_file) {
                        let is_wanted = wanted(path);
                        // A link to a folder has no ending, whether it is one or git's text for one.
                        let may_link = path.extension().is_none();
                        if (is_wanted || may_link) && links::text_link(path).is_some() {
                            add = Some((path, List::Links));
                        } else if is_wanted {
                            add = Some((path, List::Files));
                        }
                    } else if !is(std::fs::FileType::is_dir) {
                        add = Some((path, List::Special));
                    }
                }
                Err(error) => add = path_of(error).map(|path| (path, List::Unreadable)),
            }
            let wanted = matches!(add, Some((_, List::Files)));
            let over = entries.fetch_add(1, Relaxed) >= most.entries
                || wanted && files.fetch_add(1, Relaxed) >= most.files;
            if over {
                broken_off.store(true, Relaxed);
                return WalkState::Quit;
            }
            if let Some((path, list)) = add {
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                list.of(&mut found).push(path.to_path_buf());
            }
            WalkState::Continue
        })
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    for list in [List::Files, List::Links, List::Special, List::Unreadable] {
        list.of(&mut found).sort();
    }
    found.broken_off = broken_off.into_inner();
    found
}

#[derive(Clone, Copy)]
enum List {
    Files,
    Links,
    Special,
    Unreadable,
}

impl List {
    fn of(self, found: &mut Entries) -> &mut Vec<PathBuf> {
        match self {
            List::Files => &mut found.files,
            List::Links => &mut found.links,
            List::Special => &mut found.special,
            List::Unreadable => &mut found.unreadable,
        }
    }
}

/// The path that an error of the walk is about. A bad line of an ignore file has one too, but is no failure to read.
fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, err } if err.is_io() => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}
