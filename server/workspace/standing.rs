//! What is to be said of the suppressions of configurations once every file was judged.
//!
//! Whether one is needed only a scan of everything that it is about can tell, so a [`Standing`] is kept while files are
//! judged, and asked when all of them were.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use caveat_analysis::verdict::Finding;
use jiff::civil::Date;

use crate::config::{self, Origin, Place, Suppression};
use crate::globs::Globs;
use crate::settings::Settings;

/// What the files of a scan have needed of the configurations that hold for them.
#[derive(Debug, Default)]
pub struct Standing {
    by_file: Mutex<BTreeMap<PathBuf, Needs>>,
}

#[derive(Debug)]
struct Needs {
    settings: Arc<Settings>,
    /// Where the suppressions stand that answered for something.
    used: HashSet<Place>,
    /// The files that were not read, or not whole.
    unread: Vec<PathBuf>,
}

/// What is to be said of one configuration.
#[derive(Debug)]
pub struct Said {
    /// Its file and its text.
    pub source: Arc<Origin>,
    /// In the order in which they stand.
    pub findings: Vec<Finding>,
}

impl Standing {
    /// Notes what the file at `path` (absolute), for which `settings` hold, needs: its `findings`, or `None` where it was
    /// not read whole.
    pub fn judged(&self, settings: &Arc<Settings>, path: &Path, findings: Option<&[Finding]>) {
        self.noted(settings, path, findings.map(config::needed).as_deref());
    }

    /// As [`judged`](Standing::judged), of a file whose findings gave `places` as what they [needed](config::needed).
    pub fn noted(&self, settings: &Arc<Settings>, path: &Path, places: Option<&[Place]>) {
        let Some(source) = &settings.config().source else { return };
        let fresh = || Needs { settings: Arc::clone(settings), used: HashSet::new(), unread: Vec::new() };
        let mut by_file = self.by_file.lock().unwrap_or_else(PoisonError::into_inner);
        let needs = by_file.entry(source.file.clone()).or_insert_with(fresh);
        match places {
            None => needs.unread.push(path.to_path_buf()),
            Some(places) => needs.used.extend(places),
        }
    }

    /// What is to be said on the day `today`. `whole` tells of a configuration's file whether everything was scanned that
    /// the configuration could be about.
    #[must_use]
    pub fn said(&self, today: Date, whole: impl Fn(&Path) -> bool) -> Vec<Said> {
        let by_file = self.by_file.lock().unwrap_or_else(PoisonError::into_inner);
        let said = by_file.iter().filter_map(|(file, needs)| {
            let config = needs.settings.config();
            let mut findings = config::expired(config, today);
            if whole(file) {
                findings.extend(config::unused(config, today, &needs.used, |one| needs.read(one)));
                findings.sort_by_key(|finding| finding.span.offset);
            }
            let source = Arc::clone(config.source.as_ref()?);
            (!findings.is_empty()).then_some(Said { source, findings })
        });
        said.collect()
    }
}

impl Needs {
    /// Whether every file that `suppression` is about was read whole.
    fn read(&self, suppression: &Suppression) -> bool {
        let Some(paths) = &suppression.paths else { return self.unread.is_empty() };
        let globs = Globs::new(paths.iter().map(String::as_str)).unwrap_or_default();
        !self.unread.iter().any(|path| self.settings.below(path).is_some_and(|path| globs.matches(path)))
    }
}
