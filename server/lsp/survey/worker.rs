//! The thread that walks, reads and judges: one file after the other, so that most of the machine is left to whoever
//! types, and never a document, of which it gets what the loop hands out.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use caveat_analysis::{Finding, Text};
use caveat_workspace::SkipReason;
use caveat_workspace::config::{self, CONFIG_NAME, Place, needed};
use caveat_workspace::standing::{Said, Standing};
use jiff::civil::Date;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::lsp_types::Url;

use super::files::{self, File, Stamp, Workspace};
use super::held::Held;
use super::{Gather, Gathered, News, Opened, REST, REST_AT_MOST, Survey};
use crate::project::Folder;
use crate::publish::{Items, Manner, of_findings, of_skipped};
use crate::sync::View;
use crate::transport::read::Event;
use crate::uri::Key;

/// How long is waited before each file while somebody types.
const STEP_ASIDE: Duration = Duration::from_millis(5);
const TOO_LARGE: &str = "caveat shows only open documents of a folder that holds very many files. Open the project's own folder, or \
                         leave out with .gitignore, or `exclude` in caveat.toml, what is not to be read.";

/// How often progress is told.
const PROGRESS: Duration = Duration::from_millis(250);

/// Begins the thread.
pub(super) fn start(survey: Survey, events: UnboundedSender<Event>) {
    std::thread::spawn(move || {
        let mut worker = Worker {
            survey,
            events,
            held: None,
            epoch: None,
            basis: None,
            folders: Vec::new(),
            workspace: Workspace::default(),
            read: HashMap::new(),
            open: HashMap::new(),
            said_too_large: false,
            configurations: HashSet::new(),
            others_are_needed: false,
            walked: false,
            heavy: false,
            rested: Instant::now(),
        };
        worker.run();
    });
}

struct Worker {
    survey: Survey,
    events: UnboundedSender<Event>,
    held: Option<Held>,
    /// The state of the folders that `folders` is.
    epoch: Option<u64>,
    /// As of when, and how said, that is which `read` knows.
    basis: Option<(Date, Manner)>,
    folders: Vec<Folder>,
    workspace: Workspace,
    /// The closed files that were read.
    read: HashMap<PathBuf, Read>,
    /// The open documents, and what they need of their configuration.
    open: HashMap<Key, Option<Vec<Place>>>,
    said_too_large: bool,
    /// The configurations that were told of.
    configurations: HashSet<Key>,
    /// Other entries of configurations are needed than when it was looked last.
    others_are_needed: bool,
    walked: bool,
    /// What is being done is a lot.
    heavy: bool,
    /// When it may be walked again.
    rested: Instant,
}

/// A closed file that was read.
struct Read {
    stamp: Stamp,
    id: u64,
    needs: Option<Vec<Place>>,
}

/// Why not everything was gone through.
enum Stop {
    /// Something else is to be done first, and this again after it.
    Overtaken,
    /// The session is over.
    Over,
}

impl Worker {
    fn run(&mut self) {
        while let Some(news) = self.survey.next(&mut self.held, self.rested) {
            let Some(mut held) = self.held.take() else { continue };
            let begun = Instant::now();
            let round = AssertUnwindSafe(|| self.go_through(&mut held, &news));
            let done = catch_unwind(round);
            if std::mem::take(&mut self.heavy) {
                self.rested = Instant::now() + (begun.elapsed() * REST).min(REST_AT_MOST);
            }
            match done {
                Ok(Ok(())) => self.held = held.gone_through(),
                Ok(Err(Stop::Overtaken)) => {
                    self.held = Some(held);
                    self.survey.give_back(news);
                }
                Ok(Err(Stop::Over)) => return held.refuse("the session has ended"),
                Err(_) => {
                    // What was known may be half done.
                    (self.epoch, self.walked) = (None, false);
                    self.read.clear();
                    self.open.clear();
                    held.fail();
                }
            }
        }
        if let Some(held) = self.held.take() {
            held.refuse("the session has ended");
        }
    }

    /// Tells `held` what it does not know, `news` having come.
    fn go_through(&mut self, held: &mut Held, news: &News) -> Result<(), Stop> {
        let all = held.first || !held.may_begin_again() || !self.walked;
        let gathered = self.gather(all, news)?;
        held.begin_progress();
        let basis = (gathered.today, gathered.manner.clone());
        let mut walk = news.walk || !self.walked || held.first && Instant::now() >= self.rested;
        if self.basis.as_ref() != Some(&basis) {
            self.read.clear();
            self.basis = Some(basis);
        }
        if let Some(folders) = gathered.folders {
            (self.folders, self.epoch) = (folders, Some(gathered.epoch));
            self.read.clear();
            walk = true;
        }
        for file in &news.files {
            self.read.remove(file);
        }
        self.open.retain(|key, _| gathered.open.contains(key));
        for key in news.documents.iter().filter(|key| !gathered.open.contains(key)) {
            // What is shown of it is what the client asked for while it was open.
            held.forget(key);
        }
        if !gathered.on && !held.is_check() {
            self.walked = false;
            self.read.clear();
            self.survey.set_files(Arc::default());
            held.tell_gone(|_| false);
            return Ok(());
        }
        let manner = gathered.manner;
        for view in gathered.views {
            let needs = tell_open(held, &view, &manner).unwrap_or_else(|| {
                // The loop has ended: so has the session.
                let _ = self.events.send(Event::Failed(view.key.clone()));
                let skipped = of_skipped(SkipReason::Fault, &view.uri, &manner);
                held.tell(&view.key, &view.uri, Some(view.version), &Items::new(&skipped));
                None
            });
            let before = self.open.insert(view.key, needs.clone());
            self.others_are_needed |= before != Some(needs);
        }
        if walk {
            (self.heavy, self.walked) = (true, false);
            self.workspace = files::walk(&self.folders);
            let files = &self.workspace.files;
            self.read.retain(|path, _| key_of(path).is_some_and(|key| files.contains_key(&key)));
            self.survey.set_files(Arc::new(files.clone()));
            if self.workspace.too_large && !std::mem::replace(&mut self.said_too_large, true) {
                // The loop has ended: so has the session.
                let _ = self.events.send(Event::Say(TOO_LARGE));
            }
            self.walked = true;
        }
        // Where it is known what happened, it is not looked at the rest.
        let only = (!walk && !news.anew && !held.first && held.may_begin_again()).then(|| {
            let files = news.files.iter().filter_map(|path| key_of(path));
            files.chain(news.documents.iter().cloned()).collect::<HashSet<Key>>()
        });
        self.go_through_files(held, &gathered.open, only.as_ref(), gathered.today, &manner)?;
        if only.is_none_or(|only| only.iter().any(Key::is_configuration)) || self.others_are_needed {
            self.configurations =
                self.go_through_configurations(held, &gathered.open, gathered.today, &manner);
            self.others_are_needed = false;
        }
        let (files, configurations) = (&self.workspace.files, &self.configurations);
        held.tell_gone(|key| {
            files.contains_key(key) || gathered.open.contains(key) || configurations.contains(key)
        });
        Ok(())
    }

    /// What the loop says there is now.
    fn gather(&self, all: bool, news: &News) -> Result<Gathered, Stop> {
        let (reply, gathered) = sync_channel(1);
        let gather = Gather { all, documents: news.documents.clone(), epoch: self.epoch, reply };
        self.events.send(Event::Gather(gather)).map_err(|_| Stop::Over)?;
        gathered.recv().map_err(|_| Stop::Over)
    }

    /// Tells of the closed files, all or `only` some, configurations left out.
    fn go_through_files(
        &mut self,
        held: &mut Held,
        open: &HashSet<Key>,
        only: Option<&HashSet<Key>>,
        today: Date,
        manner: &Manner,
    ) -> Result<(), Stop> {
        let mut told = Instant::now();
        let files = &self.workspace.files;
        let some: Vec<(&Key, &File)> = match only {
            Some(only) => only.iter().filter_map(|key| files.get_key_value(key)).collect(),
            None => files.iter().collect(),
        };
        let count = some.len();
        for (index, (key, file)) in some.into_iter().enumerate() {
            if !held.is_wanted() || self.survey.is_overtaken(held.may_begin_again()) {
                return Err(Stop::Overtaken);
            }
            if open.contains(key) || is_configuration(&file.path) {
                continue;
            }
            let stamp = file.stamp();
            if let Some(known) = self.read.get(&file.path).filter(|known| known.stamp == stamp)
                && held.knows(key, known.id)
            {
                held.tell_unchanged(key, &file.uri, None, known.id);
                continue;
            }
            if self.survey.is_typing() {
                std::thread::sleep(STEP_ASIDE);
            }
            let found = file.find(today, manner, &[]);
            // Opened meanwhile, it is told of as it is typed.
            if self.survey.is_open(key) {
                continue;
            }
            held.tell(key, &file.uri, None, &found.items);
            let read = Read { stamp, id: found.items.id(), needs: found.needs };
            let before = self.read.insert(file.path.clone(), read);
            let after = self.read.get(&file.path).map(|read| &read.needs);
            self.others_are_needed |= before.as_ref().map(|read| &read.needs) != after;
            if told.elapsed() > PROGRESS {
                told = Instant::now();
                held.report_progress(index * 100 / count);
            }
        }
        Ok(())
    }

    /// Tells of the closed configurations, and has the loop know what of any is needed by nothing. Gives those told of.
    fn go_through_configurations(
        &mut self,
        held: &mut Held,
        open: &HashSet<Key>,
        today: Date,
        manner: &Manner,
    ) -> HashSet<Key> {
        let mut told = HashSet::new();
        let said = self.standing().said(today, |file| self.is_whole(file));
        let mut of_file: BTreeMap<&Path, Vec<Finding>> = BTreeMap::new();
        for one in &said {
            of_file.insert(&one.source.file, one.findings.clone());
        }
        let texts: Vec<(PathBuf, String)> = (self.workspace.broken.iter())
            .map(|error| (error.file.clone(), std::fs::read_to_string(&error.file).unwrap_or_default()))
            .collect();
        for (error, (file, text)) in self.workspace.broken.iter().zip(&texts) {
            of_file.insert(file, config::fault(error, text).into_iter().collect());
        }
        let walked = self.workspace.files.values().filter(|file| is_configuration(&file.path));
        let all: BTreeSet<&Path> =
            walked.map(|file| file.path.as_path()).chain(of_file.keys().copied()).collect();
        for path in all {
            let Some(key) = key_of(path).filter(|key| !open.contains(key)) else { continue };
            let findings = of_file.get(path).map(Vec::as_slice).unwrap_or_default();
            match self.workspace.files.get(&key) {
                Some(file) => held.tell(&key, &file.uri, None, &file.find(today, manner, findings).items),
                // One that the walk leaves out still holds.
                None => {
                    let Ok(uri) = Url::from_file_path(path) else { continue };
                    let text = std::fs::read_to_string(path).unwrap_or_default();
                    let items = of_findings(findings, &Text::new(&text), &uri, manner);
                    held.tell(&key, &uri, None, &Items::new(&items));
                }
            }
            told.insert(key);
        }
        let unused = said.into_iter().map(|said| Said {
            findings: (said.findings.into_iter())
                .filter(|finding| finding.rule.name() == "suppression-unused")
                .collect(),
            ..said
        });
        if self.survey.set_unused(unused.filter(|said| !said.findings.is_empty()).collect()) {
            // The loop has ended: so has the session.
            let _ = self.events.send(Event::Unused);
        }
        told
    }

    /// What all files need of their configurations.
    fn standing(&self) -> Standing {
        let standing = Standing::default();
        for (key, file) in &self.workspace.files {
            let Some(target) = file.target() else { continue };
            let open = self.open.get(key);
            let closed = || self.read.get(&file.path).and_then(|read| read.needs.as_deref());
            let needs = open.map_or_else(closed, |needs| needs.as_deref());
            // A configuration is judged too, and needs nothing of itself that would count.
            let needs = if is_configuration(&file.path) { Some(&[][..]) } else { needs };
            standing.noted(&target.settings, &file.path, needs);
        }
        standing
    }

    /// Whether everything was looked at that the configuration `file` could be about.
    fn is_whole(&self, file: &Path) -> bool {
        let above = |root: &PathBuf| file.parent().is_some_and(|own| own.starts_with(root));
        self.workspace.whole.iter().any(above)
    }
}

/// Tells what is found in an open document, and gives what it needs of its configuration, `None` if it was not read. `None`:
/// that failed.
fn tell_open(held: &mut Held, opened: &Opened, manner: &Manner) -> Option<Option<Vec<Place>>> {
    let Opened { key, uri, version, view, said } = opened;
    let settled;
    let view = match view {
        View::Late(late, version, reading) => {
            settled = View::settled(late, *version, reading);
            &settled
        }
        view => view,
    };
    let (items, needs) = match view {
        View::Nothing | View::Closed(..) | View::Late(..) => (Items::new(&[]), None),
        View::Skipped(why) => (Items::new(&of_skipped(*why, uri, manner)), None),
        View::Read(snapshot, reading) => {
            let judge = AssertUnwindSafe(|| {
                let findings = reading.findings(snapshot);
                let needs = needed(&findings);
                let findings = crate::session::with(findings, said.clone());
                (Items::new(&of_findings(&findings, snapshot.text(), uri, manner)), Some(needs))
            });
            catch_unwind(judge).ok()?
        }
    };
    held.tell(key, uri, Some(*version), &items);
    Some(needs)
}

fn key_of(path: &Path) -> Option<Key> {
    Url::from_file_path(path).ok().map(|uri| Key::new(&uri))
}

fn is_configuration(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == CONFIG_NAME)
}
