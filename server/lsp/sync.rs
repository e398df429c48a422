//! One open document: its text in step with the client's, and what was read from it.
//!
//! The text is what must not be lost. Analysis can be thrown away at any time and begun afresh from it; where the text
//! itself is in doubt, the document says so and shows nothing until the client sends it whole.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use caveat_analysis::text::Source;
use caveat_analysis::{Document, Edit, Encoding, Finding, Snapshot, Text};
use caveat_workspace::SkipReason;
use caveat_workspace::kind::language_of_line;
use jiff::civil::Date;
use tower_lsp::lsp_types::{TextDocumentItem, Url};

use crate::lane::Lane;
use crate::late::{Late, Pause, is_late};
use crate::project::Reading;
use crate::survey::File;
use crate::uri::Key;

/// A document that the client has opened.
pub(crate) struct Open {
    /// Its URI as the client spelled it.
    pub(crate) uri: Url,
    /// What the client says it is written in; empty where that was never said.
    pub(crate) language: String,
    /// The version of its text.
    pub(crate) version: i32,
    /// What the client is shown may differ from what is true: it was changed since.
    pub(crate) stale: bool,
    /// Its file was deleted; it is shown again when something happens to it.
    pub(crate) deleted: bool,
    /// How it reaches the client.
    pub(crate) lane: Lane,
    /// Where the pool settles it, if it is a long record.
    late: Late,
    /// The pause in the typing that is waited for before that.
    pub(crate) pause: Pause,
    /// The loop will be told when to look at the pause again.
    pub(crate) waits: bool,
    /// The pool is settling it because the loop said so.
    pub(crate) settles: bool,
    reading: Reading,
    content: Content,
    panics: u8,
    /// The text is in doubt, and that was noticed: since then nothing has been news.
    known_lost: bool,
}

enum Content {
    /// Text and what was read from it.
    Read(Box<Document>),
    /// Text alone: it was not read yet, is too large, or analysis failed on it.
    Held(Text),
    /// An edit was lost, so the text is in doubt.
    OutOfSync,
}

/// What there is to show of a document.
pub(crate) enum View {
    /// Nothing: its text is in doubt, or its file is gone.
    Nothing,
    /// That it was not read, and why.
    Skipped(SkipReason),
    /// What was found in it.
    Read(Snapshot, Reading),
    /// That it is a closed file of the workspace, as of which day it is judged, and what is said of it beside that.
    Closed(File, Date, Vec<Finding>),
    /// What is found in it when it is settled, beside the loop: where, as which version or a later one, how it is read.
    Late(Late, i32, Reading),
}

impl View {
    /// What there is to show of a document once `late` has settled it; for the pool, and it may take long.
    pub(crate) fn settled(late: &Late, version: i32, reading: &Reading) -> View {
        match late.settle(version).map(|settled| settled.document) {
            Some(Some(mut document)) => View::Read(document.snapshot(), reading.clone()),
            Some(None) => View::Skipped(SkipReason::Fault),
            None => View::Nothing,
        }
    }
}

/// After how many failures of analysis a document is not read any more.
const FAILURES_BORNE: u8 = 2;

/// Up to how many bytes of text the findings of a document are gathered at once.
const AT_ONCE: usize = 256 << 10;

/// Why an edit could not be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfSync;

/// What is said, once, of the document `uri`, on which analysis failed for good.
pub(crate) fn parked(uri: &Url) -> String {
    let name = Key::new(uri).name();
    format!(
        "caveat failed twice on {name} and does not read it any more: nothing is known of what it says. Close it and open it \
         anew to try again."
    )
}

impl Open {
    /// `document`, not read yet.
    pub(crate) fn new(document: TextDocumentItem, reading: Reading, lane: Lane) -> Open {
        let content = Content::Held(Text::new(&document.text));
        let TextDocumentItem { uri, language_id: language, version, .. } = document;
        Open {
            uri,
            language,
            version,
            stale: true,
            known_lost: false,
            deleted: false,
            lane,
            late: Late::default(),
            pause: Pause::default(),
            waits: false,
            settles: false,
            reading,
            content,
            panics: 0,
        }
    }

    /// A document of which an edit came, or was lost, but never the text.
    pub(crate) fn unknown(uri: Url, reading: Reading, lane: Lane) -> Open {
        let nothing = TextDocumentItem::new(uri, String::new(), i32::MIN, String::new());
        Open { content: Content::OutOfSync, ..Open::new(nothing, reading, lane) }
    }

    /// Carries out `edits`, which make version `version` of the text. Reads nothing. After an error the text is in doubt,
    /// and the caller says so to [`lose`](Open::lose).
    pub(crate) fn change(
        &mut self,
        version: i32,
        edits: Vec<Edit>,
        encoding: Encoding,
    ) -> Result<(), OutOfSync> {
        self.stale = true;
        self.deleted = false;
        let in_doubt = matches!(self.content, Content::OutOfSync);
        if !in_doubt && version <= self.version {
            return Err(OutOfSync);
        }
        // Only a full text heals, and what comes before it in the same message is in doubt like the text.
        let edits = match edits.iter().rposition(|edit| edit.range.is_none()) {
            Some(whole) => {
                self.put(Text::new(&edits[whole].text));
                self.known_lost = false;
                &edits[whole + 1..]
            }
            None if in_doubt => return Ok(()),
            None => &edits[..],
        };
        self.version = version;
        let applied = catch_unwind(AssertUnwindSafe(|| {
            for edit in edits {
                match &mut self.content {
                    Content::Read(document) => document.apply(edit, encoding),
                    Content::Held(text) => {
                        text.apply(edit, encoding);
                    }
                    Content::OutOfSync => {}
                }
            }
        }));
        applied.map_err(|_| OutOfSync)
    }

    /// Puts `text`, not read yet, in place of whatever there was.
    fn put(&mut self, text: Text) {
        self.content = Content::Held(text);
        // What the pool still reads is of the old one, perhaps under the same version.
        self.late = Late::default();
    }

    /// The client saved `text`, which is the whole of it: if the text was in doubt, it is no more. `true`: it was.
    pub(crate) fn saved(&mut self, text: &str) -> bool {
        let in_doubt = matches!(self.content, Content::OutOfSync);
        if in_doubt {
            self.put(Text::new(text));
            self.known_lost = false;
            self.stale = true;
        }
        in_doubt
    }

    /// Marks the text as being in doubt. `true`: that is news.
    pub(crate) fn lose(&mut self) -> bool {
        let news = !self.known_lost;
        self.content = Content::OutOfSync;
        self.known_lost = true;
        self.stale = true;
        news
    }

    /// Whether gathering its findings may take longer than the loop should be held up.
    pub(crate) fn is_long(&self) -> bool {
        matches!(&self.content, Content::Read(document) if document.text().len() > AT_ONCE)
    }

    /// The document as it was last settled, and how it is read; `None` where there is nothing to show of it.
    pub(crate) fn document(&self) -> Option<(Document, Reading)> {
        match &self.content {
            Content::Read(document) if !self.deleted => {
                Some((Document::clone(document), self.reading.clone()))
            }
            _ => None,
        }
    }

    /// The whole text; `None` where it is in doubt.
    pub(crate) fn text(&self) -> Option<String> {
        self.text_as_is().map(|text| text.to_string())
    }

    /// Reads the document as `reading` says from now on.
    pub(crate) fn read_as(&mut self, reading: Reading) {
        if let Content::Read(document) = &self.content
            && document_differs(&self.reading, &reading)
        {
            self.put(document.text().clone());
        }
        self.reading = reading;
        self.stale = true;
    }

    /// Whether settling it is left to the pool, and is not done.
    pub(crate) fn is_late(&self) -> bool {
        matches!(&self.content, Content::Read(document) if is_late(document))
    }

    /// Where the pool settles it, and as which version: what it is now is put there.
    pub(crate) fn late(&self) -> (Late, i32) {
        if let Content::Read(document) = &self.content {
            self.late.put(self.version, Document::clone(document));
        }
        (self.late.clone(), self.version)
    }

    /// What the pool settled last although it is not the newest: its version and what is to be shown of it.
    pub(crate) fn superseded(&self) -> Option<(i32, Snapshot, Reading)> {
        let settled = self.late.last().filter(|_| self.is_late() && !self.deleted)?;
        Some((settled.version, settled.document?.snapshot(), self.reading.clone()))
    }

    /// Takes over what the pool has settled, if that is the newest.
    fn take_over(&mut self) {
        if !self.is_late() {
            return;
        }
        let Some(settled) = self.late.last().filter(|settled| settled.version == self.version) else {
            return;
        };
        self.panics = self.panics.saturating_add(settled.panics);
        let borne = self.panics < FAILURES_BORNE;
        match (settled.document.filter(|_| borne), &self.content) {
            (Some(document), _) => self.content = Content::Read(Box::new(document)),
            (None, Content::Read(document)) => self.put(document.text().clone()),
            (None, _) => {}
        }
    }

    /// Brings what was read up to date with the text, or leaves it to the pool ([`is_late`](Open::is_late)). `true`: that failed for the second time just now, and the document
    /// is not read any more.
    pub(crate) fn settle(&mut self) -> bool {
        let failed_before = self.panics;
        self.take_over();
        while self.panics < FAILURES_BORNE && !self.try_settle() {
            self.fail();
        }
        self.panics >= FAILURES_BORNE && failed_before < FAILURES_BORNE
    }

    /// Settles, and gives every finding; the flag is that of [`settle`](Open::settle).
    pub(crate) fn findings(&mut self) -> (Vec<Finding>, bool) {
        let mut parked = false;
        loop {
            parked |= self.settle();
            let Content::Read(document) = &mut self.content else { return (Vec::new(), parked) };
            match catch_unwind(AssertUnwindSafe(|| self.reading.findings(&document.snapshot()))) {
                Ok(findings) => return (findings, parked),
                Err(_) => self.fail(),
            }
            parked |= self.panics == FAILURES_BORNE;
        }
    }

    /// What there is to show of the document as it was last settled.
    pub(crate) fn view(&mut self) -> View {
        match &mut self.content {
            _ if self.deleted => View::Nothing,
            Content::OutOfSync => View::Nothing,
            Content::Held(_) if self.panics >= FAILURES_BORNE => View::Skipped(SkipReason::Fault),
            Content::Held(_) => View::Skipped(SkipReason::TooLarge),
            Content::Read(document) if is_late(document) => {
                let (late, version) = self.late();
                View::Late(late, version, self.reading.clone())
            }
            Content::Read(document) => View::Read(document.snapshot(), self.reading.clone()),
        }
    }

    /// One attempt at reading; `false` if it panicked, and then nothing but the text may be used.
    fn try_settle(&mut self) -> bool {
        let limit = self.reading.limit;
        // Whoever edits the first line may make a program of it, or none.
        if let Content::Read(document) = &self.content
            && self.reading.nameless
            && language_of_line(&document.text().line(0)) != document.language()
        {
            self.put(document.text().clone());
        }
        match &mut self.content {
            Content::Read(document) if is_late(document) && document.text().len() <= limit => true,
            Content::Read(document) if document.text().len() <= limit => {
                catch_unwind(AssertUnwindSafe(|| {
                    debug::fail_if_told();
                    document.settle();
                }))
                .is_ok()
            }
            Content::Read(document) => {
                self.content = Content::Held(document.text().clone());
                true
            }
            Content::Held(text) if text.len() <= limit => {
                let rules = Arc::clone(&self.reading.rules);
                let language = match self.reading.nameless {
                    true => language_of_line(&text.line(0)),
                    false => self.reading.language,
                };
                let mut document = Document::unread(text.clone(), language, rules);
                if is_late(&document) {
                    self.content = Content::Read(Box::new(document));
                    return true;
                }
                let read = catch_unwind(AssertUnwindSafe(|| {
                    debug::fail_if_told();
                    document.settle();
                    document
                }));
                read.map(|document| self.content = Content::Read(Box::new(document))).is_ok()
            }
            Content::Held(_) | Content::OutOfSync => true,
        }
    }

    /// Judging what was read failed elsewhere. `true`: for the second time just now.
    pub(crate) fn failed(&mut self) -> bool {
        self.fail();
        self.stale = true;
        self.panics == FAILURES_BORNE
    }

    /// The text as it is, which may be made whole elsewhere; `None` where it is in doubt.
    pub(crate) fn text_as_is(&self) -> Option<Text> {
        match &self.content {
            Content::Read(document) => Some(document.text().clone()),
            Content::Held(text) => Some(text.clone()),
            Content::OutOfSync => None,
        }
    }

    fn fail(&mut self) {
        self.panics = self.panics.saturating_add(1);
        if let Content::Read(document) = &self.content {
            self.content = Content::Held(document.text().clone());
        }
    }
}

fn document_differs(old: &Reading, new: &Reading) -> bool {
    old.language != new.language || old.rules != new.rules
}

/// Faults on demand, so that the tests over stdio can see what follows from one. Not in a released binary.
pub(crate) mod debug {
    #[cfg(debug_assertions)]
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[cfg(debug_assertions)]
    static READING: AtomicUsize = AtomicUsize::new(0);
    #[cfg(debug_assertions)]
    static JUDGING: AtomicUsize = AtomicUsize::new(0);

    /// Lets the next `times` attempts at reading panic.
    #[cfg(debug_assertions)]
    pub(crate) fn fail_next(times: usize) {
        READING.store(times, Relaxed);
    }

    /// Lets the next `times` attempts at judging what was read panic.
    #[cfg(debug_assertions)]
    pub(crate) fn fail_judging_next(times: usize) {
        JUDGING.store(times, Relaxed);
    }

    pub(crate) fn fail_if_told() {
        #[cfg(debug_assertions)]
        count_down(&READING);
    }

    pub(crate) fn fail_judging_if_told() {
        #[cfg(debug_assertions)]
        count_down(&JUDGING);
    }

    #[cfg(debug_assertions)]
    fn count_down(left: &AtomicUsize) {
        let told = left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok();
        assert!(!told, "told to fail");
    }
}
