//! The stages tied together: incrementally for an open document, afresh for a file that is read once.
//!
//! One function, [`Analysis::update`], does both: a fresh reading is an update in which every line is new. So there is
//! one way to be right, and the property that matters most (after any edits the result equals a fresh reading) is a
//! property of how far an update goes, not of what it does.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::facts::{self, Record};
use crate::lines::{Flags, Format, Interned, Lang, LexState, Lexed, lex_line, opens_front_matter};
use crate::scope::{self, Block, Proof, Reason};
use crate::seq::Seq;
use crate::text::{Change, Edit, Encoding, Source, Str, Text};
use crate::verdict::{self, Env, Finding, Suppression};

pub use crate::facts::Rules;
pub use crate::facts::notice::Notices;

/// How a document is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// Markdown and what is written like it: `.md`, `.mdc`, `.cursorrules`, plain text.
    #[default]
    Markdown,
    /// JSON, with comments and trailing commas or without.
    Json,
    /// JSON Lines: a value on each line.
    JsonLines,
    /// YAML.
    Yaml,
    /// TOML.
    Toml,
    /// XML, HTML, SVG: line by line.
    Markup,
    /// What has no structure that is read, such as CSV: line by line.
    Text,
    /// A program: its commands, and what its comments and strings say to whoever reads them.
    Script(Lang),
}

impl Language {
    /// Whether any edit has the whole text read anew: a record's value may be anywhere, and so may what an edit breaks.
    #[must_use]
    pub fn reads_whole(self) -> bool {
        matches!(self, Language::Json | Language::Yaml | Language::Toml)
    }

    /// The state before the first line; `front` says that a Markdown document has front matter.
    fn begin(self, front: bool) -> LexState {
        LexState::data(match self {
            Language::Markdown => return LexState::begin(front),
            Language::Json => Format::Json,
            Language::JsonLines => Format::JsonLines,
            Language::Yaml => Format::Yaml,
            Language::Toml => Format::Toml,
            Language::Markup => Format::Markup,
            Language::Text => Format::Text,
            Language::Script(lang) => return LexState::script(lang),
        })
    }
}

/// Front matter that is not closed within this many lines is none.
const FRONT_MATTER: usize = 400;

/// All that was read from a text.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    language: Language,
    interned: Interned,
    front: bool,
    records: Seq<Record>,
    blocks: Seq<Block>,
}

impl Analysis {
    /// Reads `source` afresh.
    #[must_use]
    pub fn new(source: &impl Source, language: Language, rules: &Rules) -> Analysis {
        let mut analysis = Analysis { language, ..Analysis::default() };
        analysis.update(source, whole(0, source), rules);
        analysis
    }

    /// Brings everything up to date with `source` after `change`.
    fn update(&mut self, source: &impl Source, change: Change, rules: &Rules) {
        let may = self.language == Language::Markdown && change.first <= FRONT_MATTER;
        let front = may && has_front_matter(source);
        let change = if may && front != self.front {
            self.front = front;
            whole(self.records.len(), source)
        } else {
            change
        };
        let (mut lines, old, first) = self.lex(source, change);
        // Facts depend on their whole scan unit and on the lines of its window: widen to the first and last line.
        let mut start = first.saturating_sub(facts::WINDOW);
        while start > 0 && self.records.get(start).is_some_and(|r| r.line.flags.has(Flags::JOIN)) {
            start -= 1;
        }
        let mut head: Vec<Record> = self.records.iter_range(start..first).cloned().collect();
        let mut end = old.end;
        while let Some(record) = self.records.get(end).filter(|r| r.line.flags.has(Flags::JOIN)) {
            lines.push(record.clone());
            end += 1;
        }
        head.append(&mut lines);
        let before = self.entry(start);
        let after: Vec<Lexed> =
            self.records.iter_from(end).take(facts::WINDOW).map(|record| record.line).collect();
        let with = (rules, &self.interned.givens);
        facts::extract(&mut head, start, before, &after, source, with);
        let new = start..start + head.len();
        self.records.splice(start..end, head);
        scope::update(&mut self.blocks, &self.records, start..end, new);
    }

    /// Lexes the changed lines and those after them until one is entered as it was before. Gives the new records, the old
    /// lines that they replace, and the first of them.
    fn lex(&mut self, source: &impl Source, change: Change) -> (Vec<Record>, Range<usize>, usize) {
        let first = change.first;
        let mut entry = self.entry(first);
        let mut lines = Vec::with_capacity(change.inserted);
        let (changed, mut old) = (first + change.inserted, first + change.removed);
        let Analysis { interned, front, records, language, .. } = self;
        let begin = language.begin(*front);
        source.walk_lines(first..source.line_count(), &mut |line, text| {
            if line >= changed {
                if old < records.len() && entry_of(records, begin, old) == entry {
                    return ControlFlow::Break(());
                }
                old += 1;
            }
            let lexed = lex_line(&entry, text, interned);
            entry = lexed.exit;
            lines.push(Record::new(lexed));
            ControlFlow::Continue(())
        });
        (lines, first..old, first)
    }

    /// The state before line `line`.
    fn entry(&self, line: usize) -> LexState {
        entry_of(&self.records, self.language.begin(self.front), line)
    }

    fn findings(&self, source: &impl Source, env: &Env) -> Vec<Finding> {
        verdict::findings(source, &self.records, &self.blocks, env)
    }
}

fn entry_of(records: &Seq<Record>, begin: LexState, line: usize) -> LexState {
    match line.checked_sub(1).and_then(|before| records.get(before)) {
        Some(before) => before.line.exit,
        None => begin,
    }
}

fn whole(old: usize, source: &impl Source) -> Change {
    Change { first: 0, removed: old, inserted: source.line_count() }
}

fn has_front_matter(source: &impl Source) -> bool {
    let later = 1..source.line_count().min(FRONT_MATTER + 1);
    opens_front_matter(&source.line(0), later.map(|line| source.line(line)))
}

/// One open document: its text, and all that was read from it, kept up to date edit by edit.
#[derive(Clone, Debug)]
pub struct Document {
    text: Text,
    rules: Arc<Rules>,
    language: Language,
    /// What [`Document::apply`] touched since the last [`Document::settle`].
    dirty: Option<Change>,
    analysis: Analysis,
}

impl Document {
    /// Reads `text` afresh.
    #[must_use]
    pub fn new(text: &str, language: Language, rules: Arc<Rules>) -> Document {
        let mut document = Document::unread(Text::new(text), language, rules);
        document.settle();
        document
    }

    /// `text`, of which nothing is read before the document is settled.
    #[must_use]
    pub fn unread(text: Text, language: Language, rules: Arc<Rules>) -> Document {
        let dirty = Some(whole(0, &text));
        let analysis = Analysis { language, ..Analysis::default() };
        Document { text, rules, language, dirty, analysis }
    }

    /// Whether all of the text is read: nothing was edited since it was last settled.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.dirty.is_none()
    }

    /// How it is read.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// What its facts are read by.
    #[must_use]
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Carries out `edit` on the text and marks what it touched; cheap, reads nothing.
    pub fn apply(&mut self, edit: &Edit, encoding: Encoding) {
        let change = self.text.apply(edit, encoding);
        self.dirty = Some(self.dirty.map_or(change, |before| before.then(change)));
    }

    /// Brings all that was read up to date with the text. Work is proportional to the edits since the last call.
    pub fn settle(&mut self) {
        if let Some(change) = self.dirty.take() {
            self.analysis.update(&self.text, change, &self.rules);
        }
    }

    /// Forgets all that was read and reads the text afresh: after a change of `rules`, or when settling went wrong.
    pub fn reread(&mut self, rules: Arc<Rules>) {
        self.dirty = None;
        self.analysis = Analysis::new(&self.text, self.language, &rules);
        self.rules = rules;
    }

    /// The text as it is now.
    #[must_use]
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The document, settled and shared: for work that must not hold up edits. Costs about a microsecond once settled.
    #[must_use]
    pub fn snapshot(&mut self) -> Snapshot {
        self.settle();
        let Analysis { records, blocks, .. } = &self.analysis;
        Snapshot { text: self.text.clone(), records: records.clone(), blocks: blocks.clone() }
    }
}

/// A settled document that no edit touches any more.
#[derive(Clone, Debug)]
pub struct Snapshot {
    text: Text,
    records: Seq<Record>,
    blocks: Seq<Block>,
}

impl Snapshot {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Every finding, in order of position, whatever its status. The caller caps and filters.
    #[must_use]
    pub fn findings(&self, env: &Env) -> Vec<Finding> {
        verdict::findings(&self.text, &self.records, &self.blocks, env)
    }

    /// The proof of the scope that stands on zero-based line `line`: of a label that holds, on every line from the label
    /// to the scope's end, or of a label that does not, on the label's line and on the block below it.
    #[must_use]
    pub fn proof_at(&self, line: usize) -> Option<Proof> {
        scope::at_line(&self.blocks, &self.records, line)
    }

    /// What stands on zero-based line `line`, with `findings` those of this snapshot: the scopes of the findings on it
    /// and of those whose label, sentence or cue it is; else the label's scope that it lies in. Without repetitions.
    #[must_use]
    pub fn proofs_at(&self, line: usize, findings: &[Finding]) -> Vec<Proof> {
        let mut proofs: Vec<Proof> = Vec::new();
        let mut own = false;
        for finding in findings {
            let on_it = (finding.span.line..=finding.span.end_line).contains(&line);
            let Some(proof) = finding.scope.as_ref().filter(|proof| on_it || proof.label.line == line) else {
                continue;
            };
            own |= on_it;
            // What a line says of itself says nothing of the scope to those who ask on its label.
            let at_label = !on_it
                && matches!(
                    proof.reason,
                    Some(Reason::Affirmed | Reason::EntryProse | Reason::Given | Reason::TooMany)
                );
            if !at_label && !proofs.iter().any(|known| known.describe() == proof.describe()) {
                proofs.push(proof.clone());
            }
        }
        if !own && let Some(proof) = self.proof_at(line) {
            proofs.retain(|known| known.kind.shows());
            proofs.insert(0, proof);
        }
        proofs
    }

    /// The suppressions in it, in order, whether they can be read or not.
    #[must_use]
    pub fn suppressions(&self) -> Vec<Suppression> {
        verdict::suppressions(&self.text, &self.records, &self.blocks)
    }

    /// The lines as they were read.
    #[must_use]
    pub fn records(&self) -> &Seq<Record> {
        &self.records
    }

    /// The blocks that the lines form.
    #[must_use]
    pub fn blocks(&self) -> &Seq<Block> {
        &self.blocks
    }
}

/// Reads `text` once, without a rope, and gives every finding in order of position, whatever its status.
#[must_use]
pub fn check(text: &str, language: Language, rules: &Rules, env: &Env) -> Vec<Finding> {
    let source = Str::new(text);
    Analysis::new(&source, language, rules).findings(&source, env)
}

#[cfg(test)]
mod examples;
#[cfg(test)]
mod records;
#[cfg(test)]
mod tests;
