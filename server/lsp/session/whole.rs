//! The whole workspace: what the thread that goes through it is handed, and what it found out.

use std::collections::HashSet;

use super::{Pull, Session};
use crate::survey::{Gather, Gathered, Held, Opened, Survey};
use crate::sync::View;
use crate::transport::lock;

impl Session {
    /// The watch over the whole workspace.
    pub(crate) fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Takes a pull of the whole workspace over.
    pub(crate) fn hold(&self, held: Held) {
        self.survey.hold(held, &self.events);
    }

    /// Hands out the open documents, brought up to date here and now, and what stands around them.
    pub(crate) fn gather(&self, gather: Gather) {
        self.turn_day();
        self.take_configurations();
        let mut views = Vec::new();
        let mut parked = Vec::new();
        let mut open = HashSet::new();
        for mut document in self.documents.iter_mut() {
            let key = document.key().clone();
            open.insert(key.clone());
            if !gather.wants(&key) {
                continue;
            }
            if document.settle() {
                parked.push(document.uri.clone());
            }
            let (uri, version, view) = (document.uri.clone(), document.version, document.view());
            let said = match view {
                View::Read(..) => self.said_of(&key, &document),
                _ => Vec::new(),
            };
            views.push(Opened { key, uri, version, view, said });
        }
        for uri in parked {
            self.say_parked(&uri);
        }
        let mut folders = lock(&self.folders);
        let epoch = folders.epoch();
        let snapshot = gather.wants_folders(epoch).then(|| folders.snapshot());
        drop(folders);
        gather.answer(Gathered {
            on: self.shows_workspace(),
            today: *lock(&self.day),
            manner: self.manner(),
            epoch,
            folders: snapshot,
            open,
            views,
        });
    }

    /// Shows open configurations anew: what of them nothing needs is others than it was.
    pub(crate) fn show_unused(&self) {
        let mut any = false;
        for mut document in self.documents.iter_mut() {
            if document.key().path().is_some_and(|path| super::is_configuration(&path)) {
                document.stale = true;
                any = true;
            }
        }
        if any {
            self.ask_pull();
        }
    }
}

impl Pull {
    /// The pull of a closed file of the workspace, which is read on the pool.
    pub(super) fn of_closed(session: &Session, key: &crate::uri::Key) -> Option<View> {
        let file = session.survey.file(key)?;
        let said = match key.path().filter(|path| super::is_configuration(path)) {
            Some(path) => {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                session.said_of_text(&path, &text)
            }
            None => Vec::new(),
        };
        Some(View::Closed(file, *lock(&session.day), said))
    }
}
