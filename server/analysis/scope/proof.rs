//! The proof of a scope: what, where, and what closed it, or why it has no force.

use std::ops::Range;

use super::block::{Block, BlockKind, at};
use super::fold::pending;
use super::state::{Governed, Pending, Reason};
use crate::facts::{Cues, LineSum, Record};
use crate::lines::Flags;
use crate::seq::Seq;

/// Why a finding is exempt, or why a label beside it has no force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What kind of scope it is.
    pub kind: ScopeKind,
    /// Whether the scope holds.
    pub holds: bool,
    /// Why it does not hold; `None` where it holds.
    pub reason: Option<Reason>,
    /// The line that the reason points to, zero-based: the exception word's, the fence's that never closes.
    pub reason_line: Option<usize>,
    /// The label that opens the scope.
    pub label: LabelAt,
    /// Zero-based first and last line that it covers, if there is a block below it.
    pub covers: Option<(usize, usize)>,
    /// What ends the scope; `None` where there is none, or nothing ends it.
    pub closed_by: Option<Closer>,
    /// What shows a command that the scope does not cover, and its zero-based line.
    pub cue: Option<(ScopeKind, usize)>,
}

impl Proof {
    /// What shows the command, where that is something else than the label that does not cover it: a label in a heading
    /// may itself be the cue.
    #[must_use]
    pub fn other_cue(&self) -> Option<(ScopeKind, usize)> {
        self.cue.filter(|(_, line)| self.kind == ScopeKind::Sentence || *line != self.label.line)
    }
}

/// Where a label stands: zero-based line, byte columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelAt {
    /// Zero-based line.
    pub line: usize,
    /// First byte within the line.
    pub start: usize,
    /// Byte after the last, within the line.
    pub end: usize,
}

/// The kinds of scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScopeKind {
    /// A label, and no block that it could govern.
    Label,
    /// A label above a fence.
    LabelledFence,
    /// A label above a direct list.
    LabelledList,
    /// A sentence that forbids the command inside it.
    Sentence,
    /// A table below a sentence that forbids the same command.
    ReplacementTable,
    /// Shown: a heading above says so.
    Heading,
    /// Shown: the line above the block says so.
    LeadIn,
    /// Shown: a comment in the fence says so.
    Comment,
    /// Shown: the table's column says so.
    Column,
    /// Shown: a cell of the row says so.
    Row,
    /// Shown: the mark at the beginning of the text says so.
    Mark,
    /// Shown: the sentence describes it.
    Description,
    /// Shown: a list of permission rules denies it.
    DenyList,
}

impl ScopeKind {
    /// Whether it only shows a command, which lowers the severity, and does not forbid it.
    #[must_use]
    pub fn shows(self) -> bool {
        use ScopeKind::{Column, Comment, DenyList, Description, Heading, LeadIn, Mark, Row};
        matches!(self, Heading | LeadIn | Comment | Column | Row | Mark | Description | DenyList)
    }
}

/// What ends a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Closer {
    /// The fence's closing line.
    ClosingFence,
    /// A blank line.
    BlankLine,
    /// An item, or other content, at another indentation.
    Indentation,
    /// An item with another kind of marker.
    Marker,
    /// A paragraph.
    Paragraph,
    /// A heading.
    Heading,
    /// A thematic break.
    ThematicBreak,
    /// A fence or indented code.
    Code,
    /// Another block: a table, a quote, HTML.
    Block,
    /// The end of the document.
    EndOfDocument,
}

/// The proof for `line`: of a label that holds, on every line from the label to the scope's end; of one that does not, on
/// its own line, on the block below it and in between.
#[must_use]
pub fn at_line(blocks: &Seq<Block>, records: &Seq<Record>, line: usize) -> Option<Proof> {
    let (index, lines) = at(blocks, line)?;
    let block = blocks.get(index)?;
    if block.governed != Governed::Free {
        return governing(blocks, records, index, lines);
    }
    if let Some((label, _)) = records.get(line)?.label() {
        let is_last = line == block.last_text(&lines, records);
        let next = is_last.then(|| following(blocks, index, lines.end)).flatten();
        if let Some((next, next_lines)) = next {
            return governing(blocks, records, next, next_lines);
        }
        let reason = match pending(label, block, records.get(line)?, &block.entry)? {
            Pending::Fails(reason) => reason,
            Pending::Holds(_) => Reason::NoBlock,
        };
        let label = label_at(records, line)?;
        let kind = ScopeKind::Label;
        return Some(Proof {
            kind,
            holds: false,
            reason: Some(reason),
            reason_line: None,
            label,
            covers: None,
            closed_by: None,
            cue: None,
        });
    }
    if block.kind == BlockKind::Blank && block.entry.label.is_some() {
        let (next, next_lines) = following(blocks, index, lines.end)?;
        return governing(blocks, records, next, next_lines);
    }
    None
}

/// The governed block after block `index`, blank lines in between or not.
fn following(blocks: &Seq<Block>, index: usize, mut start: usize) -> Option<(usize, Range<usize>)> {
    let mut next = index + 1;
    while let Some(block) = blocks.get(next) {
        let lines = start..start + block.lines as usize;
        if block.kind != BlockKind::Blank {
            return (block.governed != Governed::Free).then_some((next, lines));
        }
        start = lines.end;
        next += 1;
    }
    None
}

/// The proof of what governs block `index`, which stands on `lines`.
fn governing(blocks: &Seq<Block>, records: &Seq<Record>, index: usize, lines: Range<usize>) -> Option<Proof> {
    let block = blocks.get(index)?;
    let (first, first_lines) = match block.governed {
        Governed::Failed(Reason::SecondBlock) => first_governed(blocks, index, lines.start)?,
        _ => (index, lines.clone()),
    };
    let label_line = label_line(blocks, records, first, first_lines.start)?;
    let label = label_at(records, label_line)?;
    let kind =
        if block.kind == BlockKind::Fence { ScopeKind::LabelledFence } else { ScopeKind::LabelledList };
    let reason = match block.governed {
        Governed::Free => return None,
        Governed::Forbidden(_) => None,
        Governed::Failed(reason) => Some(reason),
    };
    let reason_line = match reason {
        Some(Reason::Exception) => {
            let exception = records.seek_from(lines.start, |sum| sum.cues.has(Cues::EXCEPTION));
            exception.map(|(line, _)| line).filter(|line| lines.contains(line))
        }
        Some(Reason::Reopened) => {
            let reopened = records.seek_from(lines.start, |sum| sum.cues.has(Cues::REOPENED));
            reopened.map(|(line, _)| line).filter(|line| lines.contains(line))
        }
        Some(Reason::TakenBack) => {
            let item = |sum: &LineSum| sum.cues.has(Cues::REVOKES) || sum.cues.has(Cues::RUNS_ABOVE);
            let inside = records.seek_from(lines.start, item).filter(|(line, _)| lines.contains(line));
            let back = inside.or_else(|| records.seek_from(lines.end, |sum| sum.cues.has(Cues::TAKES_BACK)));
            back.map(|(line, _)| line)
        }
        Some(Reason::Unclosed | Reason::Nested) => Some(lines.start),
        Some(Reason::SecondBlock) => {
            first_governed(blocks, index, lines.start).map(|(_, lines)| lines.end - 1)
        }
        _ => None,
    };
    let covers = Some((lines.start, lines.end - 1));
    let closed_by = closer(blocks, records, index, &lines);
    Some(Proof { kind, holds: reason.is_none(), reason, reason_line, label, covers, closed_by, cue: None })
}

/// The block that the label governs which was used up before block `index`, and its lines.
fn first_governed(blocks: &Seq<Block>, index: usize, start: usize) -> Option<(usize, Range<usize>)> {
    let mut end = start;
    for index in (0..index).rev() {
        let block = blocks.get(index)?;
        let lines = end - block.lines as usize..end;
        if let Governed::Forbidden(_) = block.governed {
            return Some((index, lines));
        }
        end = lines.start;
    }
    None
}

/// The line of the label that waits before block `index`.
fn label_line(blocks: &Seq<Block>, records: &Seq<Record>, index: usize, start: usize) -> Option<usize> {
    let mut end = start;
    for index in (0..index).rev() {
        let block = blocks.get(index)?;
        let lines = end - block.lines as usize..end;
        if block.kind != BlockKind::Blank {
            return Some(block.last_text(&lines, records));
        }
        end = lines.start;
    }
    None
}

fn label_at(records: &Seq<Record>, line: usize) -> Option<LabelAt> {
    let (_, fact) = records.get(line)?.label()?;
    Some(LabelAt { line, start: fact.start as usize, end: fact.end as usize })
}

fn closer(blocks: &Seq<Block>, records: &Seq<Record>, index: usize, lines: &Range<usize>) -> Option<Closer> {
    let block = blocks.get(index)?;
    if block.kind == BlockKind::Fence {
        return block.closed.then_some(Closer::ClosingFence);
    }
    let Some(next) = blocks.get(index + 1) else { return Some(Closer::EndOfDocument) };
    let first = records.get(lines.start)?;
    let after = records.get(lines.end)?;
    Some(match next.kind {
        // The empty line behind the last line end is no line of the document for its reader.
        BlockKind::Blank if lines.end + 1 == records.len() => Closer::EndOfDocument,
        BlockKind::Blank => Closer::BlankLine,
        _ if after.line.flags.has(Flags::QUOTED) && !first.line.flags.has(Flags::QUOTED) => Closer::Block,
        BlockKind::List if first.line.depth == after.line.depth && first.line.marker == after.line.marker => {
            Closer::Marker
        }
        BlockKind::List => Closer::Indentation,
        BlockKind::Paragraph => Closer::Paragraph,
        BlockKind::Heading => Closer::Heading,
        BlockKind::Rule => Closer::ThematicBreak,
        BlockKind::Fence | BlockKind::Code => Closer::Code,
        BlockKind::Table | BlockKind::Html | BlockKind::FrontMatter | BlockKind::Data => Closer::Block,
    })
}
