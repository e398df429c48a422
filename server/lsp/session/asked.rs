//! What is asked of one document: its diagnostics, what stands under the caret, what can be done. Each is brought up to date by
//! the loop; what is left needs no document.

use std::panic::{AssertUnwindSafe, catch_unwind};

use caveat_analysis::Finding;
use caveat_workspace::SkipReason;
use caveat_workspace::config::CONFIG_NAME;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::lsp_types::{DocumentDiagnosticParams, Url};

use super::{Session, with};
use crate::actions::{Desk, Home};
use crate::publish::{self, Items, Manner};
use crate::sync::View;
use crate::transport::lock;
use crate::transport::read::Event;
use crate::uri::Key;

/// A pull, prepared by the loop; the rest needs no document.
pub(crate) struct Pull {
    uri: Url,
    events: UnboundedSender<Event>,
    view: View,
    /// What is said beside what is found in the text.
    said: Vec<Finding>,
    manner: Manner,
    previous: Option<String>,
}

impl Session {
    /// `textDocument/diagnostic`: the document is brought up to date here and now.
    ///
    /// # Errors
    /// The parameters do not decode.
    pub(crate) fn pull(&self, params: Option<Value>) -> Result<Pull, &'static str> {
        let params: DocumentDiagnosticParams = params
            .and_then(|params| serde_json::from_value(params).ok())
            .ok_or("the parameters do not decode")?;
        self.turn_day();
        self.take_configurations();
        let uri = params.text_document.uri;
        let key = Key::new(&uri);
        let (manner, previous) = (self.manner(), params.previous_result_id);
        let Some(mut document) = self.documents.get_mut(&key) else {
            let view = Pull::of_closed(self, &key).unwrap_or(View::Nothing);
            return Ok(Pull { uri, events: self.events.clone(), view, said: Vec::new(), manner, previous });
        };
        let parked = document.settle();
        let (view, said) = (document.view(), self.said_of(&key, &document));
        drop(document);
        if parked {
            self.say_parked(&uri);
        }
        Ok(Pull { uri, events: self.events.clone(), view, said, manner, previous })
    }

    /// What `textDocument/hover` asks of the document `uri`.
    pub(crate) fn view(&self, uri: &Url) -> Option<View> {
        self.turn_day();
        self.take_configurations();
        let mut document = self.documents.get_mut(&Key::new(uri))?;
        let parked = document.settle();
        let view = document.view();
        drop(document);
        if parked {
            self.say_parked(uri);
        }
        Some(view)
    }

    /// What `textDocument/codeAction` and `codeAction/resolve` ask of the document `uri`, brought up to date here and now.
    pub(crate) fn desk(&self, uri: &Url) -> Option<Desk> {
        self.turn_day();
        self.take_configurations();
        let key = Key::new(uri);
        let mut document = self.documents.get_mut(&key)?;
        let parked = document.settle();
        let (uri, version, read) = (document.uri.clone(), document.version, document.document());
        let late = document.is_late().then(|| document.late().0);
        drop(document);
        if parked {
            self.say_parked(&uri);
        }
        let (document, reading) = read?;
        let home = lock(&self.folders).home(&key).map(|(path, folder, nested)| {
            let file = Url::from_file_path(folder.join(CONFIG_NAME)).ok();
            let open = file.and_then(|file| {
                let open = self.documents.get(&Key::new(&file))?;
                Some((open.uri.clone(), open.version, open.text()?))
            });
            Home { path, folder, nested, open }
        });
        Some(Desk { uri, version, document, late, reading, manner: self.peer().actions, home })
    }
}

impl Pull {
    /// The report, as JSON. If judging fails, it is that the document was not read.
    pub(crate) fn report(&self) -> Vec<u8> {
        catch_unwind(AssertUnwindSafe(|| self.try_report())).unwrap_or_else(|_| {
            // The loop has ended: so has the session.
            let _ = self.events.send(Event::Failed(Key::new(&self.uri)));
            let diagnostics = publish::of_skipped(SkipReason::Fault, &self.uri, &self.manner);
            publish::report(&Items::new(&diagnostics), self.previous.as_deref())
        })
    }

    fn try_report(&self) -> Vec<u8> {
        let settled;
        let view = match &self.view {
            View::Late(late, version, reading) => {
                settled = View::settled(late, *version, reading);
                &settled
            }
            view => view,
        };
        let diagnostics = match view {
            View::Closed(file, today, said) => {
                return file.report(*today, &self.manner, said, self.previous.as_deref());
            }
            View::Nothing | View::Late(..) => Vec::new(),
            View::Skipped(why) => publish::of_skipped(*why, &self.uri, &self.manner),
            View::Read(snapshot, reading) => {
                let findings = with(reading.findings(snapshot), self.said.clone());
                publish::of_findings(&findings, snapshot.text(), &self.uri, &self.manner)
            }
        };
        publish::report(&Items::new(&diagnostics), self.previous.as_deref())
    }
}
