//! What a line says, no matter who forbids it.
//!
//! A fact depends on the text of its *scan unit* and on how that is read, on nothing else: not on scopes, not on
//! configuration. It stands on the line where it begins, with offsets relative to that line, so that no edit elsewhere
//! touches it. A scan unit is a paragraph, a logical command of a fence, or a single line.

pub mod ban;
pub mod command;
pub mod cue;
pub mod label;
pub mod matching;
pub mod pattern;
mod unit;

use crate::catalogue::{Catalogue, GateCues, GateHits, RuleId, Severity};
use crate::lines::{Flags, Leaf, LexState, Lexed, LineKind, Sub};
use crate::seq;
use crate::text::Source;
use command::Place;
use label::Label;
use unit::Unit;

/// What a document's facts are read by: built once per configuration and shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The project's own whole-line labels from `caveat.toml`, as written there.
    pub labels: Vec<String>,
}

/// One thing that a text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The byte of its line where it begins.
    pub start: u32,
    /// How many lines after its own it ends.
    pub end_line: u16,
    /// The byte after its last one, in the line where it ends.
    pub end: u32,
    /// What it is.
    pub says: Says,
}

/// What a fact says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// Something that a rule of the catalogue is about.
    Hit(Hit),
    /// A label, or nearly one.
    Label(Label),
}

/// A rule's match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The rule.
    pub rule: RuleId,
    /// The id of the catalogue entry.
    pub pattern: &'static str,
    /// Graded by what is lost.
    pub severity: Severity,
    /// It belongs to the command with which a list entry begins.
    pub leads: bool,
    /// An affirmative prefix stands before it.
    pub affirmed: bool,
    /// It stands in a here-document that no shell runs, provided that the here-document ends.
    pub inert: bool,
}

/// What a line raises for the scopes: a set of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Cues(u8);

impl Cues {
    /// An exception word (seed 1).
    pub const EXCEPTION: Cues = Cues(1);
    /// The line ends outside of any here-document.
    pub const OUTSIDE: Cues = Cues(2);

    /// Whether all bits of `other` are set.
    #[must_use]
    pub const fn has(self, other: Cues) -> bool {
        self.0 & other.0 == other.0
    }

    /// Sets the bits of `other`.
    pub fn raise(&mut self, other: Cues) {
        self.0 |= other.0;
    }
}

/// A line as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What it is.
    pub line: Lexed,
    /// What it raises for the scopes.
    pub cues: Cues,
    /// What it says.
    pub facts: Option<Box<[Fact]>>,
}

impl Record {
    /// A line that was lexed and whose facts are not read yet.
    #[must_use]
    pub fn new(line: Lexed) -> Record {
        Record { line, cues: Cues::default(), facts: None }
    }

    /// The facts that begin on it, in order of position.
    #[must_use]
    pub fn facts(&self) -> &[Fact] {
        self.facts.as_deref().unwrap_or_default()
    }

    /// The label on it, with its byte columns.
    #[must_use]
    pub fn label(&self) -> Option<(Label, &Fact)> {
        self.facts().iter().find_map(|fact| match fact.says {
            Says::Label(label) => Some((label, fact)),
            Says::Hit(_) => None,
        })
    }
}

/// What a stretch of lines adds up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LineSum {
    /// How many facts.
    pub facts: u32,
    /// All their cues.
    pub cues: Cues,
}

impl seq::Item for Record {
    type Sum = LineSum;
    fn sum(&self) -> LineSum {
        LineSum { facts: self.facts().len() as u32, cues: self.cues }
    }
    fn join(mut a: LineSum, b: LineSum) -> LineSum {
        a.facts += b.facts;
        a.cues.raise(b.cues);
        a
    }
}

/// Reads the facts of `records`, which stand from line `first` on and are whole scan units. `before` is the state in
/// which the first of them was lexed, `next` the line after the last.
pub fn extract(
    records: &mut [Record],
    first: usize,
    before: LexState,
    next: Option<&Lexed>,
    source: &impl Source,
    rules: &Rules,
) {
    let mut hits = GateHits::default();
    let mut start = 0;
    while start < records.len() {
        let mut end = start + 1;
        while end < records.len() && records[end].line.flags.has(Flags::JOIN) {
            end += 1;
        }
        let entry = if start == 0 { before } else { records[start - 1].line.exit };
        let is_header =
            records.get(end).map(|r| &r.line).or(next).is_some_and(|l| l.flags.has(Flags::DELIMITER));
        for record in &mut records[start..end] {
            record.facts = None;
            record.cues = Cues::default();
            if !matches!(record.line.exit.leaf, Leaf::Fence { sub: Sub::HereDoc { .. }, .. }) {
                record.cues.raise(Cues::OUTSIDE);
            }
        }
        if let Some(reading) = Reading::of(&records[start].line, entry, is_header) {
            let unit = Unit::read(&records[start..end], first + start, source);
            scan(&unit, reading, &mut records[start..end], rules, &mut hits);
        }
        start = end;
    }
}

/// How a scan unit is read.
#[derive(Clone, Copy, Debug)]
struct Reading {
    place: Place,
    /// It stands in a here-document that no shell runs.
    inert: bool,
    /// Its `$(...)` is expanded although it is inert.
    expands: bool,
}

impl Reading {
    fn of(line: &Lexed, entry: LexState, is_header: bool) -> Option<Reading> {
        let place = match line.kind {
            LineKind::Blank | LineKind::Rule => return None,
            LineKind::Table if line.flags.has(Flags::DELIMITER) => return None,
            LineKind::Heading if line.flags.has(Flags::SETEXT) => return None,
            LineKind::Fence if line.flags.has(Flags::CLOSE) => return None,
            LineKind::Prose | LineKind::Item if is_header => Place::Row,
            LineKind::Heading | LineKind::Prose | LineKind::Fence | LineKind::Html => Place::Prose,
            LineKind::Item => Place::Item,
            LineKind::Table => Place::Row,
            LineKind::FrontMatter => Place::FrontMatter,
            LineKind::Code => {
                let (lang, sub) = match entry.leaf {
                    Leaf::Fence { lang, sub, .. } => (lang, sub),
                    _ => (crate::lines::Lang::Unknown, Sub::Fresh),
                };
                let (inert, expands) = match sub {
                    Sub::HereDoc { live, expands, .. } => (!live, expands),
                    _ => (false, false),
                };
                return Some(Reading { place: Place::Code(lang), inert, expands });
            }
        };
        Some(Reading { place, inert: false, expands: false })
    }
}

fn scan(unit: &Unit<'_>, reading: Reading, records: &mut [Record], rules: &Rules, hits: &mut GateHits) {
    let catalogue = Catalogue::get();
    let text = unit.text();
    catalogue.gate(text, hits);
    let mut found = Vec::new();
    // A name may be split over a continued line, where no literal can be seen: a command of several lines is read.
    if hits.commands() || (records.len() > 1 && matches!(reading.place, Place::Code(_))) || command::odd(text)
    {
        commands(text, reading.place, reading.inert, &mut found);
        if reading.inert && reading.expands {
            commands(text, Place::HereDoc, false, &mut found);
        }
    }
    if hits.patterns() {
        let mut matches = Vec::new();
        pattern::scan(text, hits, &mut matches);
        for hit in matches {
            let says = Hit {
                rule: hit.rule,
                pattern: hit.pattern,
                severity: hit.severity,
                leads: false,
                affirmed: false,
                inert: false,
            };
            found.push((hit.range, Says::Hit(says)));
        }
    }
    let label_noun = hits.cues().has(GateCues::LABEL_NOUN);
    if label_noun || !rules.labels.is_empty() {
        for (range, label) in labels(unit, reading.place, rules) {
            found.push((range, Says::Label(label)));
        }
    }
    if hits.cues().has(GateCues::EXCEPTION) {
        for (record, range) in records.iter_mut().zip(unit.lines()) {
            catalogue.gate(&text[range], hits);
            if hits.cues().has(GateCues::EXCEPTION) {
                record.cues.raise(Cues::EXCEPTION);
            }
        }
    }
    unit.place(found, records);
}

fn commands(text: &str, place: Place, inert: bool, found: &mut Vec<(std::ops::Range<usize>, Says)>) {
    let mut hits = Vec::new();
    command::scan(text, place, &mut hits);
    for hit in hits {
        let says = Hit {
            rule: hit.rule,
            pattern: hit.pattern,
            severity: hit.severity,
            leads: hit.leads,
            affirmed: hit.affirmed,
            inert,
        };
        found.push((hit.range, Says::Hit(says)));
    }
}

/// The labels of a unit, with their ranges. In code only a label to the letter counts, for the hover that says why it
/// has no force there.
fn labels(unit: &Unit<'_>, place: Place, rules: &Rules) -> Vec<(std::ops::Range<usize>, Label)> {
    if matches!(place, Place::Row | Place::FrontMatter | Place::HereDoc) {
        return Vec::new();
    }
    let mut labels = Vec::new();
    for range in unit.lines() {
        let line = &unit.text()[range.clone()];
        match label::read(line, &rules.labels) {
            Some(Label::Near(_)) if matches!(place, Place::Code(_)) => {}
            Some(label) => {
                let start = range.start + (line.len() - line.trim_start_matches([' ', '\t']).len());
                labels.push((start..start + line.trim_matches([' ', '\t']).len(), label));
            }
            None => {}
        }
    }
    labels
}
