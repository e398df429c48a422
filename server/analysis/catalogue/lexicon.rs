//! The words of a language, by class: what phrase entries are slots over.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;

use super::Severity;

macro_rules! lexicons {
    ($($id:literal)*) => {
        /// Each language and the text of its file. English is the first: it has words for every class.
        pub(super) const FILES: &[(&str, &str)] =
            &[$(($id, include_str!(concat!("lexicon/", $id, ".toml")))),*];
    };
}

lexicons! { "en" "es" "fr" "de" "pt" "ru" "zh" "ja" "ko" "it" "nl" "pl" "tr" "id" "vi" "ar" }

/// A language's file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lexicon {
    /// Its code: the file's name.
    pub(super) language: String,
    /// The most that a finding in it may be, until honest text of the language was measured.
    #[serde(default)]
    pub(super) severity: Option<Severity>,
    /// Slots may stand in any order.
    #[serde(default)]
    pub(super) free: bool,
    /// Words are not parted by spaces: terms are found inside longer text.
    #[serde(default)]
    pub(super) unspaced: bool,
    /// So many more words (or characters, where unspaced) may stand between two slots.
    #[serde(default)]
    pub(super) gap: u8,
    /// Words so frequent that they make poor gates.
    #[serde(default)]
    pub(super) common: HashSet<String>,
    /// Slots of phrases by which a text addresses whoever reads it.
    #[serde(default)]
    pub(super) addresses: Vec<Vec<String>>,
    /// The same of phrases that do so by themselves, whether or not the text names an agent. The pseudo-slot `:` in front
    /// asks that the first slot opens its line, and that a mark stands behind it.
    #[serde(default)]
    pub(super) calls: Vec<Vec<String>>,
    /// The classes: terms of one or more words. `*` at a word's end stands for any ending, `@other` for another class.
    classes: BTreeMap<String, Vec<String>>,
}

/// How deep classes may stand in classes.
const DEPTH: usize = 4;

impl Lexicon {
    pub(super) fn has(&self, class: &str) -> bool {
        self.classes.contains_key(class)
    }

    /// Adds the terms of `class` to `into`: none where the language does not have it.
    pub(super) fn terms<'a>(&'a self, class: &str, into: &mut Vec<&'a str>) -> Result<(), &'static str> {
        self.expand(class, into, DEPTH)
    }

    fn expand<'a>(&'a self, class: &str, into: &mut Vec<&'a str>, depth: usize) -> Result<(), &'static str> {
        let depth = depth.checked_sub(1).ok_or("classes stand in each other too deep")?;
        for term in self.classes.get(class).into_iter().flatten() {
            match term.strip_prefix('@') {
                Some(other) if !self.has(other) => return Err("a class names another that is not there"),
                Some(other) => self.expand(other, into, depth)?,
                None => into.push(term),
            }
        }
        Ok(())
    }
}
