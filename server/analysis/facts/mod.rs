//! What a line says, no matter who forbids it.
//!
//! A fact depends on the text of its *scan unit* and on how that is read, on nothing else: not on scopes, not on
//! configuration. It stands on the line where it begins, with offsets relative to that line, so that no edit elsewhere
//! touches it. A scan unit is a paragraph, a logical command of a fence, or a single line.

pub mod allow;
pub mod ban;
pub mod command;
pub mod cue;
mod extract;
pub mod hidden;
pub mod label;
pub mod matching;
pub mod notice;
pub mod pattern;
pub mod phrase;
mod placeholder;
mod records;
mod through;
mod unit;
pub mod view;

pub use extract::{WINDOW, extract};

use std::sync::Arc;

use crate::catalogue::{Own, RuleId, Severity};
use crate::lines::Lexed;
use crate::seq;
use ban::Miss;
use cue::Turn;
use label::Label;
use notice::Notices;
use view::Views;

/// What a document's facts are read by: built once per configuration and shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The project's own whole-line labels from `caveat.toml`, as written there.
    pub labels: Vec<String>,
    /// The project's own commands from `caveat.toml`.
    pub own: Option<Arc<Own>>,
    /// The notices that the document's role wants: nobody else pays for them.
    pub notices: Notices,
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
    /// A sentence that forbids the commands inside it.
    Ban,
    /// A cue for what it governs: shown, or given after all.
    Turn(Turn, Governs),
    /// A verb with which the line begins: a directive if a paragraph begins there too that is about agents and their
    /// tools, or whatever it is about, if the document is a `plan`. [`notice::directs`] says so.
    Imperative {
        /// The document is the plan of a build.
        plan: bool,
    },
    /// A suppression, or what was meant to be one: [`allow::read`] says which.
    Allow,
}

/// What a cue governs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Governs {
    /// The section below it: it is a heading.
    Section,
    /// The block below it: it is a line that ends in a colon.
    Block,
    /// The lines below it in its fence: it is a comment on a line of its own.
    Below,
    /// The lines below it in its fence: it is a comment that begins another part of that. A `Good` one is a step, and ends
    /// whatever a comment above it shows; a `Bad` one says nothing, and goes on with a comment right above it.
    Part,
    /// Its own line: it is a comment behind a command in a fence, or what a list entry says behind its command.
    Line,
    /// A column of the table of which this is the header: its zero-based number.
    Column(u8),
    /// The rows of the table of which this is the header, by what they say in this column: whether it is allowed.
    Leave(u8),
    /// Its own row: this column says no.
    Denial(u8),
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
    /// It stands for more of its rule on the same line than are counted one by one.
    pub more: bool,
    /// The column of the table row that it stands in, zero-based.
    pub cell: u8,
    /// What its own sentence, or row, does with it.
    pub by: Option<By>,
    /// By what it was hidden.
    pub obfuscated: Views,
    /// The rule that yields to this one on the same words.
    pub also: Option<RuleId>,
}

impl Hit {
    /// A match of which nothing but the form is known.
    #[must_use]
    pub fn new(rule: RuleId, pattern: &'static str, severity: Severity) -> Hit {
        Hit {
            rule,
            pattern,
            severity,
            leads: false,
            affirmed: false,
            inert: false,
            more: false,
            cell: 0,
            by: None,
            obfuscated: Views::empty(),
            also: None,
        }
    }
}

/// What the text around a command does with it, in the same scan unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct By {
    /// What it is.
    pub kind: ByKind,
    /// Where it stands: how many lines after the command's own (negative: before it), and bytes in that line.
    pub line: i16,
    /// First byte of the cue's words.
    pub start: u32,
    /// Byte after the last, in the same line, or the line's end where the words go on.
    pub end: u32,
}

/// The kinds of [`By`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByKind {
    /// A sentence forbids it.
    Ban,
    /// A sentence nearly forbids it.
    Nearly {
        /// Why it does not.
        miss: Miss,
        /// It gives the command whatever stands around, for it bounds what it says; or it shows it, for it says no less
        /// than a ban.
        turn: Option<Turn>,
    },
    /// The text begins with a mark that says so.
    Opener(Turn),
    /// A cell of its row says so.
    Cell(Turn),
    /// A list of permission rules denies it.
    Denied,
    /// Its sentence describes it, or gives it whatever stands around.
    Says(Turn),
}

/// What a line raises for the scopes: a set of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Cues(u16);

impl Cues {
    /// An exception word (seed 1).
    pub const EXCEPTION: Cues = Cues(1);
    /// A sentence forbids a command.
    pub const BAN: Cues = Cues(4);
    /// Another fence seems to open inside this one.
    pub const REOPENED: Cues = Cues(8);
    /// The line ends outside of any here-document.
    pub const OUTSIDE: Cues = Cues(2);
    /// A suppression.
    pub const ALLOW: Cues = Cues(16);
    /// Its text goes on with what stands above it, and bounds that or takes it back.
    pub const TAKES_BACK: Cues = Cues(32);
    /// It says that there is nothing of what its heading names.
    pub const NOTHING: Cues = Cues(64);
    /// A heading under which things stand that are not so.
    pub const MYTH: Cues = Cues(128);
    /// It takes back what was said above it, or gives what was named there, whatever that is.
    pub const REVOKES: Cues = Cues(256);
    /// It tells to run the commands that stand above it, wherever that is.
    pub const RUNS_ABOVE: Cues = Cues(512);
    /// It tells to run what stands somewhere else in the document, by its number, its place or what it is called.
    pub const RUNS_ELSEWHERE: Cues = Cues(8192);
    /// It limits or cites what stands below it.
    pub const LIMITS: Cues = Cues(1024);
    /// An element opens in it that strikes out what it holds.
    pub const STRIKES: Cues = Cues(2048);
    /// Such an element ends in it.
    pub const UNSTRIKES: Cues = Cues(4096);
    /// A heading that only warns of what stands below it.
    pub const WARNS: Cues = Cues(8192);
    /// A comment that is for a tool and says nothing to a reader: it parts nothing.
    pub const DIRECTIVE: Cues = Cues(16384);

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

/// Where in a record the value is that says a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The fact: where it begins, how many lines later it ends, and where.
    of: (u32, u16, u32),
    /// A JSON Pointer (RFC 6901), without any key that is more than a name.
    to: Box<str>,
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
    /// Where in a record the values are that say so.
    pub pointers: Option<Box<[Pointer]>>,
}

impl Record {
    /// A line that was lexed and whose facts are not read yet.
    #[must_use]
    pub fn new(line: Lexed) -> Record {
        Record { line, cues: Cues::default(), facts: None, pointers: None }
    }

    /// The facts that begin on it, in order of position.
    #[must_use]
    pub fn facts(&self) -> &[Fact] {
        self.facts.as_deref().unwrap_or_default()
    }

    /// The JSON Pointer of what says `fact`, one of its facts.
    #[must_use]
    pub fn pointer(&self, fact: &Fact) -> Option<&str> {
        let of = (fact.start, fact.end_line, fact.end);
        self.pointers.as_deref()?.iter().find(|pointer| pointer.of == of).map(|pointer| &*pointer.to)
    }

    /// The label on it, with its byte columns.
    #[must_use]
    pub fn label(&self) -> Option<(Label, &Fact)> {
        self.facts().iter().find_map(|fact| match fact.says {
            Says::Label(label) => Some((label, fact)),
            _ => None,
        })
    }

    /// The cue on it for a section or a block.
    #[must_use]
    pub fn turn(&self, governs: Governs) -> Option<(Turn, &Fact)> {
        self.facts().iter().find_map(|fact| match fact.says {
            Says::Turn(turn, what) if what == governs => Some((turn, fact)),
            _ => None,
        })
    }
}

/// What a stretch of lines adds up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineSum {
    /// How many facts.
    pub facts: u32,
    /// All their cues.
    pub cues: Cues,
    /// The fewest containers that one of them continues: where it falls below a container's depth, that has ended.
    pub kept: u8,
}

impl Default for LineSum {
    fn default() -> LineSum {
        LineSum { facts: 0, cues: Cues::default(), kept: u8::MAX }
    }
}

impl seq::Item for Record {
    type Sum = LineSum;
    fn sum(&self) -> LineSum {
        LineSum { facts: self.facts().len() as u32, cues: self.cues, kept: self.line.kept }
    }
    fn join(mut a: LineSum, b: LineSum) -> LineSum {
        a.facts += b.facts;
        a.cues.raise(b.cues);
        a.kept = a.kept.min(b.kept);
        a
    }
}
