//! Long records: when they are settled, and what is shown of them then.

use std::time::{Duration, Instant};

use super::{Session, fault, push, with};
use crate::publish;
use crate::sync::Open;
use crate::transport::read::Event;
use crate::uri::Key;

impl Session {
    /// The long record `document` was edited: it is settled once the typing pauses.
    pub(super) fn put_off(&self, key: &Key, document: &mut Open) {
        let now = Instant::now();
        document.pause.edited(now);
        self.wait(key, document, document.pause.left(now));
    }

    fn wait(&self, key: &Key, document: &mut Open, left: Duration) {
        if std::mem::replace(&mut document.waits, true) {
            return;
        }
        let (events, key) = (self.events.clone(), key.clone());
        tokio::spawn(async move {
            tokio::time::sleep(left).await;
            // The loop has ended: so has the session.
            let _ = events.send(Event::Due(key));
        });
    }

    /// Has the pool settle the document `key`, if its time has come.
    pub(crate) fn settle_late(&self, key: &Key) {
        let Some(mut document) = self.documents.get_mut(key) else { return };
        document.waits = false;
        if document.settles {
            // When the pool is done with an earlier state, this one is looked at again.
            return;
        }
        let parked = document.settle();
        if !document.is_late() {
            // Somebody asked about it, and so it is settled already.
            let uri = document.uri.clone();
            drop(document);
            if parked {
                self.say_parked(&uri);
            }
            return self.show_late(key);
        }
        let left = document.pause.left(Instant::now());
        if !left.is_zero() {
            return self.wait(key, &mut document, left);
        }
        document.pause.over();
        document.settles = true;
        let ((late, version), events, key) = (document.late(), self.events.clone(), key.clone());
        tokio::task::spawn_blocking(move || {
            late.settle(version);
            let _ = events.send(Event::Settled(key));
        });
    }

    /// Takes over what the pool has settled of the document `key`, and shows it to a client that does not pull: if it was
    /// edited meanwhile, what was true when reading began. The next state is waited for like the one before, so whoever
    /// types without a pause still sees something.
    pub(crate) fn show_late(&self, key: &Key) {
        let (manner, pulls) = (self.manner(), self.peer().pulls);
        let Some(mut document) = self.documents.get_mut(key) else { return };
        document.settles = false;
        let mut parked = document.settle();
        let said = if pulls { Vec::new() } else { self.said_of(key, &document) };
        if document.is_late() {
            let left = document.pause.left(Instant::now());
            self.wait(key, &mut document, left);
            if let Some((version, snapshot, reading)) = document.superseded().filter(|_| !pulls) {
                let (uri, lane) = (document.uri.clone(), document.lane.clone());
                let (failed_uri, failed_manner) = (uri.clone(), manner.clone());
                let events = self.events.clone();
                lane.send_later(
                    move || {
                        let findings = with(reading.findings(&snapshot), said);
                        let diagnostics = publish::of_findings(&findings, snapshot.text(), &uri, &manner);
                        publish::notification(&uri, Some(version), &diagnostics)
                    },
                    move || fault(&failed_uri, Some(version), &failed_manner, &events),
                );
            }
        } else if !pulls {
            parked |= push(&mut document, manner, said, &self.events);
        }
        let uri = document.uri.clone();
        drop(document);
        if parked {
            self.say_parked(&uri);
        }
    }
}
