//! The session: the open documents, what the client is shown of them, and what was agreed with it.
//!
//! Every method that changes something is called from the loop, one after the other. What is left for a task is work on
//! a snapshot ([`Pull`]) or a conversation with the client, and neither touches a document.

mod asked;
mod configuration;
mod late;
mod lost;
mod whole;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};

use caveat_analysis::text::Position;
use caveat_analysis::{Edit, Encoding, Finding, Text};
use caveat_workspace::SkipReason;
use dashmap::DashMap;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::lsp_types::{
    InitializeParams, InitializeResult, TextDocumentContentChangeEvent, TextDocumentItem, Url,
};

pub(crate) use asked::Pull;
use configuration::is_configuration;
pub(crate) use configuration::with;
use lost::LOST;
pub(crate) use lost::Lost;

use jiff::civil::Date;

use crate::capabilities::{Peer, folders};
use crate::day;
use crate::lane::Lane;
use crate::project::{Folders, Reading};
use crate::publish::{self, Manner};
use crate::settings::Settings;
use crate::survey::Survey;
use crate::sync::{Open, View};
use crate::transport::client::Client;
use crate::transport::lock;
use crate::transport::read::Event;
use crate::uri::Key;

/// One client's session.
pub(crate) struct Session {
    client: Client,
    events: UnboundedSender<Event>,
    phase: AtomicU8,
    peer: OnceLock<Peer>,
    settings: RwLock<Settings>,
    folders: Mutex<Folders>,
    documents: DashMap<Key, Open>,
    /// The day as of which they were read.
    day: Mutex<Date>,
    /// The watch over the whole workspace.
    survey: Survey,
    /// By its file, what is shown of a closed configuration that holds, to a client that does not pull.
    shown: Mutex<BTreeMap<PathBuf, Vec<u128>>>,
    /// The configurations that do not hold, and what was said of each.
    broken: Mutex<BTreeMap<PathBuf, String>>,
}

const BEFORE: u8 = 0;
const SERVING: u8 = 1;
const SHUT_DOWN: u8 = 2;

impl Session {
    /// A session with nothing open, over `client`; `events` leads to the loop.
    pub(crate) fn new(client: Client, events: UnboundedSender<Event>) -> Session {
        Session {
            client,
            events,
            phase: AtomicU8::new(BEFORE),
            peer: OnceLock::new(),
            settings: RwLock::default(),
            folders: Mutex::default(),
            documents: DashMap::new(),
            day: Mutex::new(day::today()),
            survey: Survey::default(),
            shown: Mutex::default(),
            broken: Mutex::default(),
        }
    }

    /// What the client can; before `initialize`, nothing.
    pub(crate) fn peer(&self) -> Peer {
        self.peer.get().cloned().unwrap_or_default()
    }

    fn encoding(&self) -> Encoding {
        self.peer.get().map_or(Encoding::Utf16, |peer| peer.encoding)
    }

    /// `initialize`.
    pub(crate) fn initialize(&self, params: &InitializeParams) -> InitializeResult {
        let peer = self.peer.get_or_init(|| Peer::new(params));
        *lock(&self.folders) = Folders::new(folders(params));
        if let Some(options) = &params.initialization_options {
            self.configure(options);
        }
        self.phase.store(SERVING, Ordering::Relaxed);
        peer.greeting()
    }

    /// `shutdown`.
    pub(crate) fn shut_down(&self) {
        self.phase.store(SHUT_DOWN, Ordering::Relaxed);
        self.survey.end();
    }

    fn is_serving(&self) -> bool {
        self.phase.load(Ordering::Relaxed) == SERVING
    }

    /// Whether a pull is answered with a report now.
    pub(crate) fn serves_pull(&self) -> bool {
        self.is_serving()
    }

    /// Takes the section `caveat` of the client's settings, or what holds it. `true`: something changed.
    pub(crate) fn configure(&self, options: &Value) -> bool {
        let options = options.get("caveat").unwrap_or(options);
        let mut settings = self.settings.write().unwrap_or_else(PoisonError::into_inner);
        let old = settings.clone();
        let faults = settings.take(options);
        let changed = *settings != old;
        let untrusted = (settings.untrusted != old.untrusted).then(|| settings.untrusted.clone());
        drop(settings);
        if let Some(globs) = untrusted {
            lock(&self.folders).distrust(&globs);
        }
        for fault in faults {
            self.client.show_warning(fault);
        }
        changed
    }

    /// Tells the loop that everything is to be shown anew; for tasks.
    pub(crate) fn ask_refresh(&self) {
        // The loop has ended: so has the session.
        let _ = self.events.send(Event::Refresh);
    }

    /// Reads every open document as its surroundings now say and shows it anew.
    pub(crate) fn refresh(&self) {
        for mut document in self.documents.iter_mut() {
            let reading = self.reading(document.key(), &document.language);
            document.read_as(reading);
        }
        self.survey.anew();
        self.show_closed();
        self.ask_pull();
        self.ask_hints();
    }

    /// `refresh`, after a configuration was made, written or deleted.
    pub(crate) fn reload(&self) {
        lock(&self.folders).forget();
        self.refresh();
        self.look_at_broken();
    }

    /// `reload`, if a configuration on the disk is not what it was: not every client watches files.
    pub(crate) fn look_at_disk(&self) {
        if lock(&self.folders).have_changed() {
            self.reload();
        }
    }

    /// Has it looked what files there are, where the client does not tell when one comes or goes.
    pub(crate) fn look_around(&self) {
        if !self.peer().watches {
            self.survey.walk();
        }
    }

    /// How the document `key` is read. Of a configuration that does not hold that is told.
    fn reading(&self, key: &Key, language: &str) -> Reading {
        let (reading, fault) = lock(&self.folders).reading(key, language);
        if let Some(fault) = fault {
            self.tell_broken(&fault);
        }
        reading
    }

    /// Whether a client that asks for the whole workspace is shown it.
    fn shows_workspace(&self) -> bool {
        self.settings.read().unwrap_or_else(PoisonError::into_inner).workspace_diagnostics
    }

    /// Whether inlay hints are shown.
    pub(crate) fn shows_hints(&self) -> bool {
        self.settings.read().unwrap_or_else(PoisonError::into_inner).inlay_hints
    }

    /// Has the client ask for inlay hints again. After an edit it does by itself; of a setting it cannot know.
    fn ask_hints(&self) {
        if self.peer().refreshes_hints && self.is_serving() {
            let client = self.client.clone();
            tokio::spawn(async move { client.request("workspace/inlayHint/refresh", Value::Null).await });
        }
    }

    fn ask_pull(&self) {
        let peer = self.peer();
        if peer.pulls && peer.refreshes && self.is_serving() {
            let client = self.client.clone();
            tokio::spawn(async move { client.request("workspace/diagnostic/refresh", Value::Null).await });
        }
    }

    /// The open folders, absolute, and whether nobody vouches for anything in them: an editor's restricted mode.
    pub(crate) fn open_folders(&self) -> (Vec<std::path::PathBuf>, bool) {
        let folders = lock(&self.folders);
        (folders.open().to_vec(), folders.is_restricted())
    }

    /// `workspace/didChangeWorkspaceFolders`.
    pub(crate) fn change_folders(&self, added: &[Url], removed: &[Url]) {
        let paths = |urls: &[Url]| urls.iter().filter_map(|url| Key::new(url).path()).collect::<Vec<_>>();
        lock(&self.folders).change(paths(added), &paths(removed));
        self.refresh();
    }

    /// `textDocument/didOpen`. Opening a document that is open already puts its text in place of the old.
    pub(crate) fn open(&self, document: TextDocumentItem) {
        let key = Key::new(&document.uri);
        // From here on it counts, and shows by itself what is wrong with it.
        let configuration = key.path().filter(|path| is_configuration(path));
        let news = configuration.is_some_and(|file| {
            lock(&self.broken).remove(&file);
            lock(&self.folders).set_buffer(&file, Some(document.text.clone()))
        });
        let reading = self.reading(&key, &document.language_id);
        let lane = self.lane(&key);
        self.survey.set_open(&key, true);
        if let Some(old) = self.documents.insert(key, Open::new(document, reading, lane)) {
            old.lane.drop_work();
        }
        match news {
            true => self.refresh(),
            false => self.show_closed(),
        }
    }

    /// `textDocument/didChange`.
    pub(crate) fn change(&self, uri: Url, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        self.survey.typed();
        let key = Key::new(&uri);
        let edits = changes.into_iter().map(edit).collect();
        let lost = match self.documents.get_mut(&key) {
            Some(mut document) => document.change(version, edits, self.encoding()).is_err(),
            None => true,
        };
        if lost {
            if self.lose_one(key, uri) {
                self.client.show_warning(LOST);
            }
            self.ask_pull();
        }
    }

    /// `textDocument/didSave` with the whole text, which heals a document that is in doubt: some clients send edits in the
    /// wrong order while somebody types fast, and none sends a full text of its own accord.
    pub(crate) fn saved(&self, uri: &Url, text: &str) {
        let healed = self.documents.get_mut(&Key::new(uri)).is_some_and(|mut document| document.saved(text));
        if healed {
            self.ask_pull();
        }
    }

    /// `textDocument/didClose`: nothing is shown of a closed document.
    pub(crate) fn close(&self, uri: &Url) {
        let key = Key::new(uri);
        if let Some((_, document)) = self.documents.remove(&key) {
            self.survey.set_open(&key, false);
            self.survey.touched(&key);
            if !self.peer().pulls {
                document.lane.send(publish::notification(&document.uri, None, &[]));
            }
        }
        let configuration = key.path().filter(|path| is_configuration(path));
        if configuration.is_some_and(|file| lock(&self.folders).set_buffer(&file, None)) {
            self.refresh();
        }
    }

    /// The files or folders `uris` were deleted: nothing is shown of them until something else happens to them.
    pub(crate) fn deleted(&self, uris: &[Url]) {
        let gone: Vec<Key> = uris.iter().map(Key::new).collect();
        for path in gone.iter().filter_map(Key::path) {
            self.survey.written(path, false);
        }
        let mut any = false;
        for mut document in self.documents.iter_mut() {
            if gone.iter().any(|gone| document.key().is_at_or_below(gone)) {
                document.deleted = true;
                document.stale = true;
                any = true;
            }
        }
        if any {
            self.ask_pull();
        }
    }

    /// The file `uri` was made or written: if it was deleted before, its document is shown again.
    pub(crate) fn appeared(&self, uri: &Url) {
        if let Some(path) = Key::new(uri).path() {
            self.survey.written(path, true);
        }
        if let Some(mut document) = self.documents.get_mut(&Key::new(uri))
            && document.deleted
        {
            document.deleted = false;
            document.stale = true;
            drop(document);
            self.ask_pull();
        }
    }

    /// Shows everything anew if another day has begun since: what was suppressed until yesterday is not suppressed today.
    pub(crate) fn turn_day(&self) {
        let today = day::today();
        if std::mem::replace(&mut *lock(&self.day), today) != today {
            self.refresh();
        }
    }

    /// Settles every document that changed, and pushes what is to be shown of it to a client that does not pull.
    pub(crate) fn settle_all(&self) {
        self.turn_day();
        self.take_configurations();
        let stale: Vec<Key> = self
            .documents
            .iter()
            .filter(|document| document.stale)
            .map(|document| document.key().clone())
            .collect();
        for key in stale {
            self.settle_one(&key);
        }
    }

    fn settle_one(&self, key: &Key) {
        let manner = self.manner();
        let pulls = self.peer().pulls;
        let Some(mut document) = self.documents.get_mut(key) else { return };
        document.stale = false;
        self.survey.touched(key);
        let mut parked = document.settle();
        if document.is_late() {
            self.put_off(key, &mut document);
        } else if !pulls {
            let said = self.said_of(key, &document);
            parked |= push(&mut document, manner, said, &self.events);
        }
        let uri = document.uri.clone();
        drop(document);
        if parked {
            self.say_parked(&uri);
        }
    }

    fn lane(&self, key: &Key) -> Lane {
        Lane::new(self.client.outbox().clone(), key.as_str())
    }

    /// Judging the document `key` failed beside the loop: it is read afresh, and given up the second time.
    pub(crate) fn failed(&self, key: &Key) {
        let Some(mut document) = self.documents.get_mut(key) else { return };
        let (given_up, uri) = (document.failed(), document.uri.clone());
        drop(document);
        if given_up {
            self.say_parked(&uri);
        }
        self.ask_pull();
    }

    /// The texts of the open documents that stand in files.
    pub(crate) fn open_texts(&self) -> Vec<(PathBuf, Text)> {
        let open = self.documents.iter();
        open.filter_map(|document| Some((document.key().path()?, document.text_as_is()?))).collect()
    }

    /// Says, once, that the document `uri` is not read any more. Its name is a file's, and escaped like any.
    fn say_parked(&self, uri: &Url) {
        self.client.show_warning(&crate::sync::parked(uri));
    }

    fn manner(&self) -> Manner {
        let settings = self.settings.read().unwrap_or_else(PoisonError::into_inner);
        let peer = self.peer();
        Manner {
            encoding: peer.encoding,
            related: peer.related,
            exempt: settings.show_exempt,
            cap: settings.max_diagnostics,
        }
    }

    /// The length in bytes and a hash of an open document's text, so that tests can compare it with the client's.
    #[cfg(debug_assertions)]
    pub(crate) fn digest(&self, uri: &Url) -> Option<(usize, String)> {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let text = self.documents.get(&Key::new(uri))?.text()?;
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Some((text.len(), format!("{:016x}", hasher.finish())))
    }

    /// The client, for conversations.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }
}

/// Settles `document` and sends what is to be shown of it, `said` among it, or lets the pool find that out. The flag is
/// that of [`Open::settle`].
fn push(document: &mut Open, manner: Manner, said: Vec<Finding>, events: &UnboundedSender<Event>) -> bool {
    let (uri, version) = (document.uri.clone(), Some(document.version));
    let mut parked = document.settle();
    let body = if document.is_long()
        && let View::Read(snapshot, reading) = document.view()
    {
        let (failed_uri, failed_manner, events) = (uri.clone(), manner.clone(), events.clone());
        document.lane.send_later(
            move || {
                let findings = with(reading.findings(&snapshot), said);
                let diagnostics = publish::of_findings(&findings, snapshot.text(), &uri, &manner);
                publish::notification(&uri, version, &diagnostics)
            },
            move || fault(&failed_uri, version, &failed_manner, &events),
        );
        return parked;
    } else {
        let (findings, failed) = document.findings();
        let findings = with(findings, said);
        parked |= failed;
        let diagnostics = match document.view() {
            View::Nothing | View::Closed(..) | View::Late(..) => Vec::new(),
            View::Skipped(why) => publish::of_skipped(why, &uri, &manner),
            View::Read(snapshot, _) => publish::of_findings(&findings, snapshot.text(), &uri, &manner),
        };
        publish::notification(&uri, version, &diagnostics)
    };
    document.lane.send(body);
    parked
}

/// What is shown of a document of which judging failed beside the loop, which is told.
fn fault(uri: &Url, version: Option<i32>, manner: &Manner, events: &UnboundedSender<Event>) -> Vec<u8> {
    // The loop has ended: so has the session.
    let _ = events.send(Event::Failed(Key::new(uri)));
    publish::notification(uri, version, &publish::of_skipped(SkipReason::Fault, uri, manner))
}

fn edit(change: TextDocumentContentChangeEvent) -> Edit {
    let position = |at: tower_lsp::lsp_types::Position| Position { line: at.line, column: at.character };
    let range = change.range.map(|range| (position(range.start), position(range.end)));
    Edit { range, text: change.text }
}
