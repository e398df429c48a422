//! The fold over blocks: the one place that writes the state of the scopes.

use super::block::{Block, BlockKind};
use super::state::{Governed, Pending, Reason, ScopeState};
use crate::facts::cue::Turn;
use crate::facts::label::{Label, Near};
use crate::facts::{Cues, Governs, Record};
use crate::lines::Flags;

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
    if block.kind == BlockKind::Html && block.lines == 1 && cues.has(Cues::DIRECTIVE) {
        // Adjacent it is no more: what the label would forbid is shown.
        let label = entry.label.filter(|(pending, _)| matches!(pending, Pending::Holds(_)));
        let lead = entry.lead.or(label.map(|(_, blanks)| (Turn::Bad, blanks)));
        exit.lead = lead.filter(|(_, blanks)| *blanks <= 1).map(|(turn, _)| (turn, 0));
        exit.label = None;
        return (exit, Governed::Free);
    }
    let governed = match (block.kind, entry.label) {
        (BlockKind::Fence | BlockKind::List, Some((Pending::Holds(_), _))) if entry.myth != 0 => {
            Governed::Failed(Reason::Myth)
        }
        (BlockKind::Fence | BlockKind::List, Some((pending, blanks))) => {
            govern(pending, blanks, block, first, cues)
        }
        _ => Governed::Free,
    };
    let own = text.label().and_then(|(label, _)| pending(label, block, text, entry));
    exit.limited = text.cues.has(Cues::LIMITS);
    if cues.has(Cues::STRIKES) || cues.has(Cues::UNSTRIKES) {
        exit.struck = cues.has(Cues::STRIKES) && (!cues.has(Cues::UNSTRIKES) || last.cues.has(Cues::STRIKES));
    }
    // A label that was used up is remembered: who puts a second block below the first means both.
    let used = matches!(governed, Governed::Forbidden(_) | Governed::Failed(Reason::SecondBlock));
    exit.label = own.or(used.then_some(Pending::Fails(Reason::SecondBlock))).map(|pending| (pending, 0));
    exit.loose = match (block.kind, governed) {
        (BlockKind::List, Governed::Forbidden(_)) => first.line.item,
        (BlockKind::List, Governed::Failed(Reason::SecondBlock)) if entry.goes_on(first) => entry.loose,
        _ => None,
    };
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
        exit.section[level - 1] =
            first.turn(Governs::Section).map(|(turn, _)| turn).filter(|_| !entry.struck);
        exit.section[level..].fill(None);
        // What has a heading of its own is no list of what somebody is warned of.
        for above in (0..level - 1).filter(|above| entry.only_warns(*above)) {
            exit.section[above] = None;
        }
        exit.warns = u8::from(cues.has(Cues::WARNS)) << (level - 1);
        exit.myth = (entry.myth & ((1 << (level - 1)) - 1)) | (u8::from(cues.has(Cues::MYTH)) << (level - 1));
    } else if (cues.has(Cues::NOTHING) || cues.has(Cues::REVOKES))
        && matches!(block.kind, BlockKind::Paragraph | BlockKind::List | BlockKind::Html)
    {
        // What stands further down is something else, or is given.
        exit.section.fill(None);
        exit.banned &= !cues.has(Cues::REVOKES);
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
        Pending::Holds(_) if block.kind == BlockKind::List && takes_back(cues) => {
            Governed::Failed(Reason::TakenBack)
        }
        Pending::Holds(_) if block.taken_back => Governed::Failed(Reason::TakenBack),
        Pending::Holds(noun) => Governed::Forbidden(noun),
    }
}

/// Whether an item of a list takes back what those above it say.
fn takes_back(cues: Cues) -> bool {
    cues.has(Cues::REVOKES) || cues.has(Cues::RUNS_ABOVE)
}

/// Whether a label holds where it stands; `None` where it may be meant as anything.
pub(super) fn pending(label: Label, block: &Block, line: &Record, entry: &ScopeState) -> Option<Pending> {
    let limited = entry.limited && block.lines == 1;
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
        (None, Label::Holds(_)) if entry.struck => Pending::Fails(Reason::InHtml),
        (None, Label::Holds(_)) if limited => Pending::Fails(Reason::MidSentence),
        (None, Label::Holds(noun)) => Pending::Holds(noun),
        (None, Label::Near(near)) => Pending::Fails(match near {
            Near::CodeQuoted => Reason::CodeQuoted,
            Near::Exception => Reason::LabelException,
            Near::Condition => Reason::Condition,
            Near::Wording => Reason::Wording,
            Near::NoColon => Reason::NoColon,
            Near::Singular => Reason::Singular,
            Near::MidSentence => Reason::MidSentence,
        }),
    })
}
