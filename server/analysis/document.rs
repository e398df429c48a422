//! The stages tied together: incrementally for an open document, afresh for a file that is read once.

use crate::scope::Proof;
use crate::text::{Edit, Encoding, Source, Text};
use crate::verdict::{Env, Finding};

/// How a document is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// Markdown and what is written like it: `.md`, `.mdc`, `.cursorrules`, plain text.
    #[default]
    Markdown,
}

/// What a document's facts are read by: built once per configuration and shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The project's own whole-line labels from `caveat.toml`, as written there.
    pub labels: Vec<String>,
}

/// One open document: its text, and all that was read from it, kept up to date edit by edit.
#[derive(Clone, Debug)]
pub struct Document {
    text: Text,
    rules: std::sync::Arc<Rules>,
    language: Language,
}

impl Document {
    /// Reads `text` afresh.
    #[must_use]
    pub fn new(text: &str, language: Language, rules: std::sync::Arc<Rules>) -> Document {
        Document { text: Text::new(text), rules, language }
    }

    /// Carries out `edit` on the text and marks what it touched; cheap, reads nothing.
    pub fn apply(&mut self, edit: &Edit, encoding: Encoding) {
        self.text.apply(edit, encoding);
    }

    /// Brings all that was read up to date with the text. Work is proportional to the edits since the last call.
    pub fn settle(&mut self) {}

    /// The text as it is now.
    #[must_use]
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The document as it was last settled, shared: for work that must not hold up edits. Costs about a microsecond.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { text: self.text.clone() }
    }
}

/// A settled document that no edit touches any more.
#[derive(Clone, Debug)]
pub struct Snapshot {
    text: Text,
}

impl Snapshot {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Every finding, in order of position, whatever its status. The caller caps and filters.
    #[must_use]
    pub fn findings(&self, _env: &Env) -> Vec<Finding> {
        Vec::new()
    }

    /// The proof of the scope that stands on zero-based line `line`: that of a label that holds, on every line from the
    /// label to the scope's end, or of a label that does not, on the label's line and on the block below it.
    #[must_use]
    pub fn proof_at(&self, line: usize) -> Option<Proof> {
        let _ = (line, self.text.len());
        None
    }
}

/// Reads `text` once, without a rope, and gives every finding in order of position, whatever its status.
#[must_use]
pub fn check(text: &str, language: Language, rules: &Rules, env: &Env) -> Vec<Finding> {
    let _ = (text, language, rules, env);
    Vec::new()
}
