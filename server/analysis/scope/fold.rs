//! The fold over blocks: the one place that writes the state of the scopes.

use super::block::{Block, BlockKind};
use crate::facts::label::{Label, Near, Noun};
use crate::facts::{Cues, Record};
use crate::lines::Flags;

/// What governs the next block. It says *what*, never *where*: the proof finds the place when asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ScopeState {
    /// The label above, and how many blank lines stand between (at most two are told apart).
    pub label: Option<(Pending, u8)>,
}

/// A label that waits for its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pending {
    /// One that holds if its block does.
    Holds(Noun),
    /// One that does not.
    Fails(Reason),
}

/// What the scopes say of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Governed {
    /// Nothing.
    #[default]
    Free,
    /// A label forbids what is in it.
    Forbidden(Noun),
    /// A label stands above it without force.
    Failed(Reason),
}

/// Why a label, or a scope at one place, has no force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The label is a heading.
    InHeading,
    /// The label stands in a block quote.
    InQuote,
    /// The label stands in a list item.
    InItem,
    /// The label stands in code, or in a fence's opening line.
    InCode,
    /// The label stands in an HTML block.
    InHtml,
    /// The label is set in backticks.
    CodeQuoted,
    /// The label has an exception word.
    LabelException,
    /// The label has a condition, or limits place, person or time.
    Condition,
    /// The label's words are not those of a supported form.
    Wording,
    /// No fence and no direct list follows.
    NoBlock,
    /// More than one blank line stands between label and block.
    BlankLines,
    /// The fence below never closes.
    Unclosed,
    /// The block below stands in a quote or inside a list item.
    Nested,
    /// An entry of the list is a heading or a table.
    Mixed,
    /// An exception word stands in the block.
    Exception,
    /// The scope holds, but this line begins with an affirmative word.
    Affirmed,
    /// The scope holds, but this list entry does not begin with a command.
    EntryProse,
}

/// The state after `block`, and what governs it. `first` and `last` are its first and last lines, `cues` what its lines
/// raise together.
#[must_use]
pub fn step(
    entry: &ScopeState,
    block: &Block,
    first: &Record,
    last: &Record,
    cues: Cues,
) -> (ScopeState, Governed) {
    if block.kind == BlockKind::Blank {
        let blanks = |blanks: u8| blanks.saturating_add(block.lines.min(2) as u8).min(2);
        let label = entry.label.map(|(pending, between)| (pending, blanks(between)));
        return (ScopeState { label }, Governed::Free);
    }
    let governed = match (block.kind, entry.label) {
        (BlockKind::Fence | BlockKind::List, Some((pending, blanks))) => {
            govern(pending, blanks, block, first, cues)
        }
        _ => Governed::Free,
    };
    let label = last.label().map(|(label, _)| (pending(label, block, last), 0));
    (ScopeState { label }, governed)
}

fn govern(pending: Pending, blanks: u8, block: &Block, first: &Record, cues: Cues) -> Governed {
    let depth = u8::from(block.kind == BlockKind::List);
    match pending {
        Pending::Fails(reason) => Governed::Failed(reason),
        Pending::Holds(_) if blanks > 1 => Governed::Failed(Reason::BlankLines),
        Pending::Holds(_) if first.line.depth > depth || first.line.flags.has(Flags::QUOTED) => {
            Governed::Failed(Reason::Nested)
        }
        Pending::Holds(_) if !block.closed && block.kind == BlockKind::List => {
            Governed::Failed(Reason::Mixed)
        }
        Pending::Holds(_) if !block.closed => Governed::Failed(Reason::Unclosed),
        Pending::Holds(_) if cues.has(Cues::EXCEPTION) => Governed::Failed(Reason::Exception),
        Pending::Holds(noun) => Governed::Forbidden(noun),
    }
}

/// Whether a label holds where it stands.
pub(super) fn pending(label: Label, block: &Block, line: &Record) -> Pending {
    let place = match block.kind {
        BlockKind::Heading => Some(Reason::InHeading),
        BlockKind::Fence | BlockKind::Code => Some(Reason::InCode),
        BlockKind::Html => Some(Reason::InHtml),
        _ if line.line.flags.has(Flags::QUOTED) => Some(Reason::InQuote),
        _ if line.line.depth > 0 => Some(Reason::InItem),
        _ => None,
    };
    match (place, label) {
        (Some(reason), _) => Pending::Fails(reason),
        (None, Label::Holds(noun)) => Pending::Holds(noun),
        (None, Label::Near(near)) => Pending::Fails(match near {
            Near::CodeQuoted => Reason::CodeQuoted,
            Near::Exception => Reason::LabelException,
            Near::Condition => Reason::Condition,
            Near::Wording => Reason::Wording,
        }),
    }
}
