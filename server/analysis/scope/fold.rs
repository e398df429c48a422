//! The fold over blocks: the one place that writes the state of the scopes.

use super::block::{Block, BlockKind};
use crate::facts::ban::Miss;
use crate::facts::cue::Turn;
use crate::facts::label::{Label, Near, Noun};
use crate::facts::{Cues, Governs, Record};
use crate::lines::Flags;

/// What governs the next block. It says *what*, never *where*: the proof finds the place when asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ScopeState {
    /// The label above, and how many blank lines stand between (at most two are told apart).
    pub label: Option<(Pending, u8)>,
    /// The cue that the line above raises for this block, and how many blank lines stand between.
    pub lead: Option<(Turn, u8)>,
    /// The cue of each open heading, by level.
    pub section: [Option<Turn>; 6],
    /// A sentence of this section forbids a command: a table further down may be its list of replacements.
    pub banned: bool,
}

impl ScopeState {
    /// The cue of the nearest heading above that has one, and its level counted from zero.
    #[must_use]
    pub fn section_turn(&self) -> Option<(usize, Turn)> {
        self.section.iter().enumerate().rev().find_map(|(level, turn)| Some((level, (*turn)?)))
    }
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
    /// The label has no colon at its end.
    NoColon,
    /// The label's noun stands in the singular.
    Singular,
    /// No fence and no direct list follows.
    NoBlock,
    /// The label holds, and governs the block before this one.
    SecondBlock,
    /// More than one blank line stands between label and block.
    BlankLines,
    /// The fence below never closes.
    Unclosed,
    /// Another fence seems to open inside the one below before it closes: its closing line may be missing.
    Reopened,
    /// The block below stands in a quote or inside a list item.
    Nested,
    /// An entry of the list is a heading or a table.
    Mixed,
    /// An exception word stands in the block.
    Exception,
    /// The scope holds, but this line begins with an affirmative word.
    Affirmed,
    /// The scope holds, but a comment in the block says that this line is meant to be run.
    Given,
    /// The scope holds, but so many stand on this line that they are not told apart.
    TooMany,
    /// The scope holds, but this list entry does not begin with a command.
    EntryProse,
    /// The sentence's head is not one that forbids.
    Head,
    /// The sentence's verb is not one of those that it may have.
    Verb,
    /// Words stand between the sentence's head and the command.
    Between,
    /// Words stand before the sentence's head.
    Before,
    /// The sentence says of the command what must not be done to it.
    Passive,
    /// The sentence names what to use in the command's place.
    Alternative,
    /// The sentence asks for leave, and so gives the command.
    AsksFirst,
    /// More stands behind the command than the sentence may have.
    Behind,
    /// What follows the sentence takes it back.
    TakenBack,
}

impl Reason {
    /// The reason why a sentence that nearly forbids does not.
    #[must_use]
    pub fn of(miss: Miss) -> Reason {
        match miss {
            Miss::Head => Reason::Head,
            Miss::Verb => Reason::Verb,
            Miss::Between => Reason::Between,
            Miss::Before => Reason::Before,
            Miss::Passive => Reason::Passive,
            Miss::Alternative => Reason::Alternative,
            Miss::AsksFirst => Reason::AsksFirst,
            Miss::Condition => Reason::Condition,
            Miss::Exception => Reason::LabelException,
            Miss::Behind => Reason::Behind,
            Miss::TakenBack => Reason::TakenBack,
        }
    }
}

/// The lines of a block that decide.
#[derive(Clone, Copy, Debug)]
pub struct Ends<'a> {
    /// The first.
    pub first: &'a Record,
    /// The last with text: not a setext heading's underline.
    pub text: &'a Record,
    /// The last.
    pub last: &'a Record,
}

/// The state after `block`, and what governs it. `cues` is what its lines raise together.
#[must_use]
pub fn step(entry: &ScopeState, block: &Block, ends: Ends<'_>, cues: Cues) -> (ScopeState, Governed) {
    let Ends { first, text, last } = ends;
    let mut exit = *entry;
    if block.kind == BlockKind::Blank {
        let blanks = |blanks: u8| blanks.saturating_add(block.lines.min(2) as u8).min(2);
        exit.label = entry.label.map(|(pending, between)| (pending, blanks(between)));
        exit.lead = entry.lead.map(|(turn, between)| (turn, blanks(between)));
        return (exit, Governed::Free);
    }
    let governed = match (block.kind, entry.label) {
        (BlockKind::Fence | BlockKind::List, Some((pending, blanks))) => {
            govern(pending, blanks, block, first, cues)
        }
        _ => Governed::Free,
    };
    let own = text.label().and_then(|(label, _)| pending(label, block, text));
    // A label that was used up is remembered: who puts a second block below the first means both.
    let used = matches!(governed, Governed::Forbidden(_) | Governed::Failed(Reason::SecondBlock));
    exit.label = own.or(used.then_some(Pending::Fails(Reason::SecondBlock))).map(|pending| (pending, 0));
    // A label of the grammar is a label and no cue besides: where it fails, what is below it is given at full severity.
    let is_label = matches!(exit.label, Some((Pending::Holds(_), _)));
    let above = entry.lead.filter(|(_, blanks)| *blanks <= 1 && block.kind == BlockKind::List);
    let lead = text.turn(Governs::Block).map(|(turn, _)| turn).or(above.map(|(turn, _)| turn));
    exit.lead = lead.filter(|_| !is_label).map(|turn| (turn, 0));
    // A table's section ends at headings, thematic breaks and fences (seed 1, "Implementation and deliberate limits").
    exit.banned = match block.kind {
        BlockKind::Heading | BlockKind::Rule | BlockKind::Fence => false,
        _ => entry.banned || cues.has(Cues::BAN),
    };
    if block.kind == BlockKind::Heading && first.line.depth == 0 {
        let level = usize::from(last.line.level).clamp(1, 6);
        exit.section[level - 1] = first.turn(Governs::Section).map(|(turn, _)| turn);
        exit.section[level..].fill(None);
    }
    (exit, governed)
}

fn govern(pending: Pending, blanks: u8, block: &Block, first: &Record, cues: Cues) -> Governed {
    let depth = u8::from(block.kind == BlockKind::List);
    match pending {
        Pending::Fails(Reason::SecondBlock) if blanks > 1 => Governed::Free,
        Pending::Fails(reason) => Governed::Failed(reason),
        Pending::Holds(_) if blanks > 1 => Governed::Failed(Reason::BlankLines),
        Pending::Holds(_) if first.line.depth > depth || first.line.flags.has(Flags::QUOTED) => {
            Governed::Failed(Reason::Nested)
        }
        Pending::Holds(_) if !block.closed && block.kind == BlockKind::List => {
            Governed::Failed(Reason::Mixed)
        }
        Pending::Holds(_) if !block.closed => Governed::Failed(Reason::Unclosed),
        Pending::Holds(_) if cues.has(Cues::REOPENED) => Governed::Failed(Reason::Reopened),
        Pending::Holds(_) if cues.has(Cues::EXCEPTION) => Governed::Failed(Reason::Exception),
        Pending::Holds(noun) => Governed::Forbidden(noun),
    }
}

/// Whether a label holds where it stands; `None` where it may be meant as anything.
pub(super) fn pending(label: Label, block: &Block, line: &Record) -> Option<Pending> {
    let place = match block.kind {
        BlockKind::Heading => Some(Reason::InHeading),
        BlockKind::Fence | BlockKind::Code => Some(Reason::InCode),
        BlockKind::Html => Some(Reason::InHtml),
        _ if line.line.flags.has(Flags::QUOTED) => Some(Reason::InQuote),
        _ if line.line.depth > 0 => Some(Reason::InItem),
        _ => None,
    };
    Some(match (place, label) {
        // Without its colon it is a sentence like any other, save right above a block and as a heading.
        (Some(reason), Label::Near(Near::NoColon)) if reason != Reason::InHeading => return None,
        (Some(reason), _) => Pending::Fails(reason),
        (None, Label::Holds(noun)) => Pending::Holds(noun),
        (None, Label::Near(near)) => Pending::Fails(match near {
            Near::CodeQuoted => Reason::CodeQuoted,
            Near::Exception => Reason::LabelException,
            Near::Condition => Reason::Condition,
            Near::Wording => Reason::Wording,
            Near::NoColon => Reason::NoColon,
            Near::Singular => Reason::Singular,
        }),
    })
}
