//! Reported, exempt or suppressed: facts and scopes joined with the environment.

mod describe;
mod entries;
mod fingerprint;
mod grounds;
mod judge;
mod message;
mod overlap;
mod policy;
mod revoked;
mod stance;
mod suppress;
mod table;

pub use judge::findings;
pub use message::{Arg, Message};
pub use policy::{Accepted, Policy};
pub use suppress::{Reach, SuppressedBy, Suppression, suppressions};

use std::sync::Arc;

use jiff::civil::Date;

use crate::catalogue::{Group, RuleId, Severity};
use crate::facts::notice::{Links, Notices};
use crate::facts::view::Views;
use crate::scope::Proof;

/// Who may be addressed in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Files that instruct agents: AGENTS.md, SKILL.md, rules files.
    Instructions,
    /// Files that instruct operators.
    Runbook,
    /// Everything else that somebody declared.
    Reference {
        /// Whether configuration or `--role` says so; of undeclared files only the gravest findings are reported.
        declared: bool,
    },
}

impl Role {
    /// The notices that documents of this role want (CONTRACTS, "Roles"): of undeclared ones nobody sees any. `plan`:
    /// the document is the plan of a build, in which an imperative directs whoever reads it.
    #[must_use]
    pub fn notices(self, plan: bool) -> Notices {
        let (prompts, requests, links) = match self {
            Role::Instructions => (false, false, Links::Active),
            Role::Runbook => (true, false, Links::Active),
            Role::Reference { declared: true } => (true, true, Links::All),
            Role::Reference { declared: false } => return Notices::default(),
        };
        Notices { prompts, requests, blocks: true, links: Some(links), plan: plan && requests }
    }
}

/// What a verdict depends on beside the document.
#[derive(Clone, Debug)]
pub struct Env {
    /// The document's role.
    pub role: Role,
    /// Whether cues for *shown* count: off with `stance = "off"`, and for files that are not trusted.
    pub stance: bool,
    /// Whether the document's own suppressions count: not for files that are not trusted.
    pub suppressions: bool,
    /// The day, in UTC, that last days of suppressions are compared with.
    pub today: Date,
    /// What the project decided about rules.
    pub policy: Arc<Policy>,
    /// The suppressions of the configuration that are about this document.
    pub accepted: Arc<[Accepted]>,
}

/// What became of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// Shown to the reader.
    Reported,
    /// A proved scope forbids it.
    Exempt,
    /// A suppression covers it.
    Suppressed,
}

/// What the text does with a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stance {
    /// It gives it to be run.
    Given,
    /// It shows it.
    Shown,
    /// It forbids it.
    Forbidden,
}

/// A stretch of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Zero-based line where it starts.
    pub line: usize,
    /// Byte column where it starts.
    pub column: usize,
    /// Zero-based line where it ends.
    pub end_line: usize,
    /// Byte column after its last byte, in `end_line`.
    pub end_column: usize,
    /// Byte offset in the document.
    pub offset: usize,
    /// Length in bytes.
    pub length: usize,
}

/// One finding. Carries no text of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: RuleId,
    /// Its group.
    pub group: Group,
    /// How grave it is here.
    pub severity: Severity,
    /// What became of it.
    pub status: Status,
    /// What the text does with it.
    pub stance: Stance,
    /// Where it is.
    pub span: Span,
    /// What to tell the reader.
    pub message: Message,
    /// Which form of the rule it is: the id of the catalogue entry that matched.
    pub pattern: Option<&'static str>,
    /// By what it was hidden, if it was.
    pub obfuscated: Views,
    /// Where in a record the value is that it is about: a JSON Pointer (RFC 6901). A key is in it only if it is a plain
    /// name of at most 40 characters; else `~k` and the key's place stand for it.
    pub pointer: Option<Box<str>>,
    /// The scope that exempts it, or the label beside it that has no force.
    pub scope: Option<Proof>,
    /// What suppresses it.
    pub suppression: Option<SuppressedBy>,
    /// The other rules that see the same words.
    pub also: Vec<RuleId>,
    /// Stable across moves and renames: 128 bits, format version 1.
    pub fingerprint: u128,
}
