//! Edits that cannot be followed: which document is in doubt, and the one message that says so. Nothing is shown of it
//! until its whole text comes again, for a finding at a wrong place is worse than none.

use serde::Deserialize;
use serde_json::Value;
use tower_lsp::lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, Url,
};

use super::Session;
use crate::sync::Open;
use crate::uri::Key;

pub(super) const LOST: &str = "caveat lost track of the edits to a document. Nothing is shown for it until the editor sends its \
                    whole text again: save it, or close it and open it anew.";

/// Which documents lost an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// None.
    Nothing,
    /// That with this URI.
    One(String),
    /// It cannot be told.
    Any,
}

impl Lost {
    /// What a frame that could not be read may have carried, judged by its first bytes.
    pub(crate) fn in_frame(head: &[u8]) -> Lost {
        let has = |word: &[u8]| head.windows(word.len()).any(|window| window == word);
        if !has(b"textDocument/didChange") && !has(b"textDocument/didOpen") {
            return Lost::Nothing;
        }
        let text = String::from_utf8_lossy(head);
        let uri = text.split_once("\"uri\"").and_then(|(_, rest)| {
            let rest = rest.trim_start().strip_prefix(':')?;
            // The first value of the stream, whatever becomes of the rest.
            serde_json::Deserializer::from_str(rest).into_iter::<String>().next()?.ok()
        });
        uri.map_or(Lost::Any, Lost::One)
    }
}

impl Session {
    /// Which document a notification is about that does not decode; `None`: it decodes, or loses nothing.
    pub(crate) fn cannot_decode(&self, method: &str, params: Option<&Value>) -> Option<Lost> {
        fn decodes<'a, T: Deserialize<'a>>(params: Option<&'a Value>) -> bool {
            params.is_some_and(|params| T::deserialize(params).is_ok())
        }
        let decodes = match method {
            "textDocument/didChange" => decodes::<DidChangeTextDocumentParams>(params),
            "textDocument/didOpen" => decodes::<DidOpenTextDocumentParams>(params),
            "textDocument/didClose" => decodes::<DidCloseTextDocumentParams>(params),
            _ => true,
        };
        if decodes || !self.is_serving() {
            return None;
        }
        let uri = params.and_then(|params| params.pointer("/textDocument/uri")).and_then(Value::as_str);
        Some(uri.map_or(Lost::Any, |uri| Lost::One(uri.to_owned())))
    }

    /// Marks documents as being in doubt, with one message for all of which that is news.
    pub(crate) fn lose(&self, lost: &Lost) {
        if !self.is_serving() {
            return;
        }
        let keys: Vec<(Key, Url)> = match lost {
            Lost::Nothing => return,
            Lost::One(uri) => Url::parse(uri).ok().map(|uri| (Key::new(&uri), uri)).into_iter().collect(),
            Lost::Any => self.documents.iter().map(|open| (open.key().clone(), open.uri.clone())).collect(),
        };
        let news = keys.into_iter().filter(|(key, uri)| self.lose_one(key.clone(), uri.clone())).count();
        if news > 0 {
            self.client.show_warning(LOST);
        }
        self.ask_pull();
    }

    /// Marks the document `key` as being in doubt. `true`: that is news.
    pub(super) fn lose_one(&self, key: Key, uri: Url) -> bool {
        let reading = self.reading(&key, "");
        let lane = self.lane(&key);
        let mut document = self.documents.entry(key).or_insert_with(|| Open::unknown(uri, reading, lane));
        document.lose()
    }
}
