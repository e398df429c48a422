//! Links: those of the file system, and the text files that git writes for them where there are none (Windows without
//! developer mode).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A path is longer nowhere; a text that is may be anything but a link.
const MAX_LINK_BYTES: u64 = 1024;
/// Links in a row, as file systems bound them too.
const MAX_HOPS: usize = 16;

/// Where `path` leads: absolute, without links of either kind. A file that is no link leads to itself.
///
/// # Errors
/// A link that leads nowhere, or in a circle.
pub(super) fn resolve(path: &Path) -> Result<PathBuf, ()> {
    let mut real = path.canonicalize().or_else(|_| {
        // What exists and cannot be resolved because of rights is a file that cannot be read: its reader says so.
        let link = path.symlink_metadata().map_err(|_| ())?.is_symlink();
        if link { Err(()) } else { Ok(path.to_path_buf()) }
    })?;
    for _ in 0..MAX_HOPS {
        match text_link(&real) {
            None => return Ok(real),
            Some(target) => real = target,
        }
    }
    Err(())
}

/// Where the text file at `path` leads if its whole text is a relative path to something that exists: what git writes
/// for a link where there are none.
pub(super) fn text_link(path: &Path) -> Option<PathBuf> {
    let meta = path.symlink_metadata().ok()?;
    if !meta.is_file() || meta.len() == 0 || meta.len() > MAX_LINK_BYTES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let text = text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text));
    if text.is_empty() || text.contains(['\n', '\r', '\0']) || Path::new(text).is_absolute() {
        return None;
    }
    let target = path.parent()?.join(text).canonicalize().ok()?;
    // A text that happens to be `.` or the name of the folder beside it is a text.
    let is_link = target != path && (target.is_file() || text.contains('/') && target.is_dir());
    is_link.then_some(target)
}

/// The other names by which files and folders of a scan are known.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    /// By real path, the links that lead to it.
    known: BTreeMap<PathBuf, Vec<PathBuf>>,
}

impl Aliases {
    pub(super) fn add(&mut self, real: PathBuf, link: PathBuf) {
        self.known.entry(real).or_default().push(link);
    }

    /// Every other path by which the file at `real` is reached through one link: to itself, or to a folder above it.
    pub(super) fn names_of<'a>(&'a self, real: &'a Path) -> impl Iterator<Item = PathBuf> + 'a {
        let above = real.ancestors().filter_map(|above| Some((above, self.known.get(above)?)));
        above.flat_map(move |(above, links)| {
            let rest = real.strip_prefix(above).ok().filter(|rest| !rest.as_os_str().is_empty());
            links.iter().map(move |link| rest.map_or_else(|| link.clone(), |rest| link.join(rest)))
        })
    }
}
