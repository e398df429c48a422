//! What was named, made absolute, and the one folder that all names in reports count from.

use std::io;
use std::path::{Path, PathBuf};

use super::PlanError;

/// Where a scan begins.
#[derive(Debug)]
pub(super) struct Roots {
    /// What names are relative to: the folder, if exactly one was named; else the current folder, if it holds all
    /// that was named; else the deepest folder that does.
    pub(super) root: PathBuf,
    /// Named folders, without links.
    pub(super) folders: Vec<PathBuf>,
    /// Named files; the last part may be a link.
    pub(super) files: Vec<PathBuf>,
    /// What was named and lies in a folder that may not be looked into.
    pub(super) unreachable: Vec<PathBuf>,
}

impl Roots {
    pub(super) fn of(paths: &[PathBuf], current: &Path) -> Result<Roots, PlanError> {
        let current = current.canonicalize().map_err(|_| PlanError::NoCurrentFolder)?;
        let (mut folders, mut files, mut unreachable) = (Vec::new(), Vec::new(), Vec::new());
        for path in paths {
            let whole = current.join(path);
            let missing = || PlanError::NoSuchPath(path.clone());
            match whole.symlink_metadata() {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    unreachable.push(whole);
                    continue;
                }
                Err(_) => return Err(missing()),
                Ok(_) => {}
            }
            if whole.is_dir() {
                folders.push(whole.canonicalize().map_err(|_| missing())?);
            } else {
                let name = whole.file_name().ok_or_else(missing)?;
                let folder = whole.parent().ok_or_else(missing)?;
                files.push(folder.canonicalize().map_err(|_| missing())?.join(name));
            }
        }
        if paths.is_empty() {
            folders.push(current.clone());
        }
        let root = match (folders.as_slice(), files.as_slice()) {
            ([folder], []) => folder.clone(),
            ([], []) => current,
            _ => common(&folders, &files, current),
        };
        Ok(Roots { root, folders, files, unreachable })
    }
}

fn common(folders: &[PathBuf], files: &[PathBuf], current: PathBuf) -> PathBuf {
    let holders =
        || folders.iter().map(PathBuf::as_path).chain(files.iter().filter_map(|file| file.parent()));
    if holders().all(|folder| folder.starts_with(&current)) {
        return current;
    }
    let Some(first) = holders().next() else { return current };
    let shared = first.ancestors().find(|above| holders().all(|folder| folder.starts_with(above)));
    shared.map_or(current, Path::to_path_buf)
}
