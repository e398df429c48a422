//! Configurations as documents: one that does not hold is shown in its own file, open or closed, and an open one counts
//! for what is on the disk.

use std::path::{Path, PathBuf};

use caveat_analysis::{Finding, Text};
use caveat_workspace::ConfigError;
use caveat_workspace::config::{self, CONFIG_NAME};
use tower_lsp::lsp_types::Url;

use super::Session;
use crate::publish;
use crate::sync::Open;
use crate::transport::lock;
use crate::uri::Key;

impl Session {
    /// Says, once, what is wrong with a configuration that nobody has open, and shows it in its file to a client that does
    /// not pull. One that is open shows it itself.
    pub(super) fn tell_broken(&self, error: &ConfigError) {
        if lock(&self.folders).is_open(&error.file) {
            return;
        }
        let told = error.to_string();
        let before = lock(&self.broken).insert(error.file.clone(), told.clone());
        if before.as_ref() == Some(&told) {
            return;
        }
        self.client.show_warning(&told);
        let text = std::fs::read_to_string(&error.file).unwrap_or_default();
        let findings: Vec<_> = config::fault(error, &text).into_iter().collect();
        self.push_config(&error.file, &text, &findings);
    }

    /// Takes back what was said of configurations that hold now, and says what is wrong with those that do not.
    pub(super) fn look_at_broken(&self) {
        let files: Vec<PathBuf> = lock(&self.broken).keys().cloned().collect();
        for file in files {
            let fault = lock(&self.folders).fault_of(&file);
            match fault {
                Some(fault) => self.tell_broken(&fault),
                None => {
                    lock(&self.broken).remove(&file);
                    if !lock(&self.folders).is_open(&file) {
                        self.push_config(&file, "", &[]);
                    }
                }
            }
        }
    }

    /// Shows, to a client that does not pull, what of each closed configuration is past its day.
    pub(super) fn show_closed(&self) {
        if self.peer().pulls {
            return;
        }
        let (known, today) = (lock(&self.folders).configurations(), *lock(&self.day));
        let mut before = std::mem::take(&mut *lock(&self.shown));
        for settings in known {
            let Some(source) = settings.config().source.as_deref() else { continue };
            // These two show by other ways what there is to say.
            if lock(&self.folders).is_open(&source.file) || lock(&self.broken).contains_key(&source.file) {
                before.remove(&source.file);
                continue;
            }
            let findings = config::expired(settings.config(), today);
            let ids: Vec<u128> = findings.iter().map(|finding| finding.fingerprint).collect();
            if before.remove(&source.file).unwrap_or_default() != ids {
                self.push_config(&source.file, &source.text, &findings);
            }
            lock(&self.shown).insert(source.file.clone(), ids);
        }
        for (file, _) in before.into_iter().filter(|(_, ids)| !ids.is_empty()) {
            if !lock(&self.folders).is_open(&file) && !lock(&self.broken).contains_key(&file) {
                self.push_config(&file, "", &[]);
            }
        }
    }

    /// Shows `findings` in the closed configuration `file`, of which `text` is the content.
    fn push_config(&self, file: &Path, text: &str, findings: &[Finding]) {
        if self.peer().pulls || self.survey.pushes() {
            return;
        }
        if let Ok(uri) = Url::from_file_path(file) {
            let diagnostics = publish::of_findings(findings, &Text::new(text), &uri, &self.manner());
            let body = publish::notification(&uri, None, &diagnostics);
            self.client.outbox().publish(Key::new(&uri).as_str(), body);
        }
    }

    /// Has the texts of open configurations count, as they are now, for what is on the disk.
    pub(super) fn take_configurations(&self) {
        let changed = self.documents.iter().filter(|document| document.stale).filter_map(|document| {
            let file = document.key().path().filter(|path| is_configuration(path))?;
            Some((file, document.text()))
        });
        let changed: Vec<_> = changed.collect();
        let mut news = false;
        for (file, text) in changed {
            news |= lock(&self.folders).set_buffer(&file, text);
            // Once it is open it shows by itself what is wrong.
            lock(&self.broken).remove(&file);
        }
        if news {
            self.refresh();
        }
    }

    /// What is to be said of the document `key` beside what is found in its text: of a configuration, that it does not hold
    /// and what of it is past its day.
    pub(super) fn said_of(&self, key: &Key, document: &Open) -> Vec<Finding> {
        let Some(file) = key.path().filter(|path| is_configuration(path)) else { return Vec::new() };
        document.text().map(|text| self.said_of_text(&file, &text)).unwrap_or_default()
    }

    /// What is to be said of the configuration `file`, of which `text` is the content.
    pub(super) fn said_of_text(&self, file: &Path, text: &str) -> Vec<Finding> {
        let said = lock(&self.folders).said_of(file, text);
        with(said, self.survey.unused(file, text))
    }
}

pub(super) fn is_configuration(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == CONFIG_NAME)
}

/// `findings`, and what else is said of the document, in order of position.
pub(crate) fn with(mut findings: Vec<Finding>, said: Vec<Finding>) -> Vec<Finding> {
    if !said.is_empty() {
        findings.extend(said);
        findings.sort_by_key(|finding| finding.span.offset);
    }
    findings
}
