//! The whole workspace, for a client that pulls it (LSP 3.17, `workspace/diagnostic`).
//!
//! One request is held for as long as the client lets it stand: first the report of every file goes out, then only those
//! that are not what they were. So an idle workspace costs nothing, and a client that asks again after every answer has
//! nothing to ask. One that takes no partial results is answered as soon as something differs from what it knows.
//!
//! The loop notes here what happened, and goes on; a thread of its own walks, reads and judges ([`worker`]).

mod files;
mod held;
mod worker;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use caveat_analysis::Finding;
use caveat_workspace::config::Origin;
use caveat_workspace::standing::Said;
use jiff::civil::Date;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::lsp_types::Url;

use crate::project::Folder;
use crate::publish::Manner;
use crate::sync::View;
use crate::transport::lock;
use crate::transport::read::Event;
use crate::uri::Key;

pub(crate) use files::File;
pub(crate) use held::Held;

/// How long nothing may have happened before it is looked at what did, and how long it may go on happening at most.
const QUIET: Duration = Duration::from_millis(300);
const AT_MOST: Duration = Duration::from_secs(1);
/// How many times as long as it took the thread rests after it looked at everything, and how long at most.
const REST: u32 = 4;
const REST_AT_MOST: Duration = Duration::from_secs(10);
/// Who typed within this time goes first.
const TYPING: Duration = Duration::from_millis(150);
/// Of more files than this it is not noted which were written: all are looked at.
const NOTED: usize = 1_000;

/// What the loop and the thread share. Cloning it gives another handle.
#[derive(Clone, Default)]
pub(crate) struct Survey {
    shared: Arc<(Mutex<State>, Condvar)>,
}

#[derive(Default)]
struct State {
    /// A request that the thread has not taken yet.
    asked: Option<Held>,
    news: News,
    /// When the first and the last of the news came.
    since: Option<(Instant, Instant)>,
    /// When somebody typed last.
    typed: Option<Instant>,
    /// The thread runs.
    begun: bool,
    /// What is found in closed files is pushed.
    pushes: bool,
    /// The open documents.
    open: HashSet<Key>,
    /// The session is over.
    ended: bool,
    /// The files that were found, as of the last walk.
    files: Arc<BTreeMap<Key, File>>,
    /// By its file, the entries of a configuration that nothing needs.
    unused: HashMap<PathBuf, (Arc<Origin>, Vec<Finding>)>,
}

/// What happened since it was looked last.
#[derive(Default)]
struct News {
    /// Files may have come or gone.
    walk: bool,
    /// What holds for files may have changed.
    anew: bool,
    /// Files that were written.
    files: HashSet<PathBuf>,
    /// Documents that were opened, changed or closed.
    documents: HashSet<Key>,
}

impl News {
    fn any(&self) -> bool {
        self.walk || self.anew || !self.files.is_empty() || !self.documents.is_empty()
    }

    fn add(&mut self, other: News) {
        self.walk |= other.walk;
        self.anew |= other.anew;
        self.files.extend(other.files);
        self.documents.extend(other.documents);
    }
}

/// What the thread asks of the loop, which alone may touch documents.
pub(crate) struct Gather {
    /// Whether every open document is wanted, or which.
    all: bool,
    documents: HashSet<Key>,
    /// As of which state of the folders the thread knows them.
    epoch: Option<u64>,
    reply: SyncSender<Gathered>,
}

/// What the loop hands out.
pub(crate) struct Gathered {
    /// Whether the workspace is to be shown.
    pub(crate) on: bool,
    pub(crate) today: Date,
    pub(crate) manner: Manner,
    pub(crate) epoch: u64,
    /// The open folders, unless the thread knows them.
    pub(crate) folders: Option<Vec<Folder>>,
    /// Every open document.
    pub(crate) open: HashSet<Key>,
    /// Those that were wanted.
    pub(crate) views: Vec<Opened>,
}

/// An open document, as it is now.
pub(crate) struct Opened {
    pub(crate) key: Key,
    pub(crate) uri: Url,
    pub(crate) version: i32,
    pub(crate) view: View,
    /// What is said beside what is found in the text.
    pub(crate) said: Vec<Finding>,
}

impl Gather {
    /// Which documents are wanted, of all that are open.
    pub(crate) fn wants(&self, key: &Key) -> bool {
        self.all || self.documents.contains(key)
    }

    /// Whether the folders are wanted, whose state is `epoch`.
    pub(crate) fn wants_folders(&self, epoch: u64) -> bool {
        self.epoch != Some(epoch)
    }

    /// Hands out what was wanted.
    pub(crate) fn answer(self, gathered: Gathered) {
        // The thread waits for nothing else.
        let _ = self.reply.send(gathered);
    }
}

impl Survey {
    /// Takes a request over. What it replaces is answered with an error.
    pub(crate) fn hold(&self, held: Held, events: &UnboundedSender<Event>) {
        let mut state = self.lock();
        if state.ended {
            return held.refuse("the session has ended");
        }
        let mut held = held;
        state.pushes |= held.is_check();
        if let Some(old) = state.asked.take() {
            held.replace(old);
        }
        state.asked = Some(held);
        if !state.begun {
            state.begun = true;
            worker::start(self.clone(), events.clone());
        }
        self.shared.1.notify_all();
    }

    /// A request may have been cancelled: whoever takes it out of the list of those that wait has answered it.
    pub(crate) fn look(&self) {
        self.shared.1.notify_all();
    }

    /// The session is over.
    pub(crate) fn end(&self) {
        self.lock().ended = true;
        self.shared.1.notify_all();
    }

    /// Whether what is found in closed files is pushed from here.
    pub(crate) fn pushes(&self) -> bool {
        self.lock().pushes
    }

    /// The document `key` was opened, or closed.
    pub(crate) fn set_open(&self, key: &Key, is_open: bool) {
        let mut state = self.lock();
        match is_open {
            true => state.open.insert(key.clone()),
            false => state.open.remove(key),
        };
    }

    fn is_open(&self, key: &Key) -> bool {
        self.lock().open.contains(key)
    }

    /// The document `key` was opened, changed or closed.
    pub(crate) fn touched(&self, key: &Key) {
        self.note(|news| {
            news.documents.insert(key.clone());
        });
    }

    /// Somebody types.
    pub(crate) fn typed(&self) {
        let mut state = self.lock();
        if state.begun {
            state.typed = Some(Instant::now());
        }
    }

    /// The file at `path` was written, made or deleted.
    pub(crate) fn written(&self, path: PathBuf, is_there_still: bool) {
        let known =
            Url::from_file_path(&path).is_ok_and(|uri| self.lock().files.contains_key(&Key::new(&uri)));
        self.note(|news| {
            // Whether a new file counts, or a folder held any, only a walk can tell.
            news.walk |= !(known && is_there_still);
            if known {
                news.files.insert(path);
            }
            if news.files.len() > NOTED {
                news.walk = true;
                news.files.clear();
            }
        });
    }

    /// Files may have come or gone.
    pub(crate) fn walk(&self) {
        self.note(|news| news.walk = true);
    }

    /// What holds for files may have changed.
    pub(crate) fn anew(&self) {
        self.note(|news| news.anew = true);
    }

    /// The closed file `key`, if it is one of the workspace's.
    pub(crate) fn file(&self, key: &Key) -> Option<File> {
        self.lock().files.get(key).cloned()
    }

    /// The entries of the configuration `file`, of which `text` is the content, that nothing in the workspace needs.
    pub(crate) fn unused(&self, file: &Path, text: &str) -> Vec<Finding> {
        let state = self.lock();
        let known = state.unused.get(file).filter(|(origin, _)| origin.text == text);
        known.map(|(_, findings)| findings.clone()).unwrap_or_default()
    }

    fn note(&self, what: impl FnOnce(&mut News)) {
        let mut state = self.lock();
        if !state.begun {
            return;
        }
        what(&mut state.news);
        if state.news.any() {
            let now = Instant::now();
            state.since = Some((state.since.map_or(now, |(first, _)| first), now));
            self.shared.1.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.shared.0)
    }

    /// Waits until there is something to do, and gives it. `held`: the request that is being held, dropped here when it has
    /// been answered by somebody else; everything is walked again not before `rested`. `None`: the session is over.
    fn next(&self, held: &mut Option<Held>, rested: Instant) -> Option<News> {
        let mut state = self.lock();
        loop {
            if state.ended {
                return None;
            }
            if let Some(mut asked) = state.asked.take() {
                if let Some(old) = held.take() {
                    asked.replace(old);
                }
                *held = Some(asked);
                state.since = None;
                return Some(std::mem::take(&mut state.news));
            }
            if let Some(old) = held.take_if(|held| !held.is_wanted()) {
                old.drop_it();
            }
            let now = Instant::now();
            let due = held.as_ref().and(state.due(rested));
            state = match due {
                Some(due) if due <= now => {
                    state.since = None;
                    return Some(std::mem::take(&mut state.news));
                }
                Some(due) => {
                    let waited = self.shared.1.wait_timeout(state, due - now);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.shared.1.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Whether what is being done is out of date already: it is over, another request came, or, which may be passed over,
    /// other rules hold.
    fn is_overtaken(&self, by_rules: bool) -> bool {
        let state = self.lock();
        state.ended || state.asked.is_some() || by_rules && state.news.anew
    }

    /// Whether somebody is typing, who goes first.
    fn is_typing(&self) -> bool {
        self.lock().typed.is_some_and(|typed| typed.elapsed() < TYPING)
    }

    /// Gives back what was not dealt with.
    fn give_back(&self, news: News) {
        self.note(|all| all.add(news));
    }

    fn set_files(&self, files: Arc<BTreeMap<Key, File>>) {
        self.lock().files = files;
    }

    /// Takes `said` for what nothing needs. `true`: that is news.
    fn set_unused(&self, said: Vec<Said>) -> bool {
        let new: HashMap<_, _> =
            said.into_iter().map(|said| (said.source.file.clone(), (said.source, said.findings))).collect();
        let mut state = self.lock();
        let same = state.unused.len() == new.len()
            && new.iter().all(|(file, (origin, findings))| {
                state
                    .unused
                    .get(file)
                    .is_some_and(|(old, said)| old == origin && said.len() == findings.len())
            });
        state.unused = new;
        !same
    }
}

impl State {
    /// When it is to be looked at the news, if there are any.
    fn due(&self, rested: Instant) -> Option<Instant> {
        let (first, last) = self.since.filter(|_| self.news.any())?;
        // Who types is shown by other ways what is in the document, and is not to be held up for this.
        let only_documents = !self.news.walk && !self.news.anew && self.news.files.is_empty();
        let quiet = last + QUIET;
        let quiet = if only_documents { quiet } else { quiet.min(first + AT_MOST) };
        Some(if self.news.walk || self.news.anew { quiet.max(rested) } else { quiet })
    }
}

/// A halt on demand, so that the tests over stdio can see what goes on meanwhile. Not in a released binary.
pub(crate) mod debug {
    #[cfg(debug_assertions)]
    use std::sync::{Condvar, Mutex};

    #[cfg(debug_assertions)]
    static HALTED: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

    /// Whether the thread is to stand still before the next file.
    #[cfg(debug_assertions)]
    pub(crate) fn halt(halted: bool) {
        *super::lock(&HALTED.0) = halted;
        HALTED.1.notify_all();
    }

    pub(super) fn wait_if_told() {
        #[cfg(debug_assertions)]
        drop(HALTED.1.wait_while(super::lock(&HALTED.0), |halted| *halted));
    }
}
