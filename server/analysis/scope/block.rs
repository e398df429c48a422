//! Lines put together to blocks: what a label can govern, and what ends a scope.

use std::ops::Range;

use super::state::{Governed, ScopeState};
use crate::facts::{Cues, Record, hidden};
use crate::lines::{Flags, Leaf, LineKind, Sub};
use crate::seq::{self, Seq};

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// Blank lines.
    Blank,
    /// A paragraph.
    Paragraph,
    /// An ATX heading, or a setext heading with its underline.
    Heading,
    /// A fence.
    Fence,
    /// Indented code.
    Code,
    /// A direct list: items of one family and indentation, with nothing between them.
    List,
    /// A table.
    Table,
    /// An HTML block.
    Html,
    /// A thematic break.
    Rule,
    /// Front matter.
    FrontMatter,
    /// A document that is no Markdown.
    Data,
}

/// A block: the lines it has, and what the scopes made of it. Blocks tile the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// How many lines.
    pub lines: u32,
    /// What it is.
    pub kind: BlockKind,
    /// Whether it ends by itself: false for a fence that its container or the document cuts off, and for a list of which
    /// an entry turns out to be a heading or a table.
    pub closed: bool,
    /// A fence that ends inside a here-document whose delimiter never comes.
    pub open_here_doc: bool,
    /// The text below it goes on with it, and bounds what is said of it or takes that back.
    pub taken_back: bool,
    /// The state of the scopes before it.
    pub entry: ScopeState,
    /// What governs it.
    pub governed: Governed,
}

/// What a stretch of blocks adds up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct BlockSum {
    /// How many lines.
    pub lines: usize,
    /// How many fences that nothing closes.
    pub unclosed: usize,
    /// How many stretches of [`NEAR`] blank lines or more.
    pub gaps: usize,
}

/// How many blank lines push what stands below them out of sight: more than any screen shows.
pub(crate) const FAR: u32 = 100;

/// How many do so where what stands below speaks to an agent.
const NEAR: u32 = hidden::NEAR.0 as u32;

impl Block {
    /// The last of its lines, which are `lines`, that has text: not a setext heading's underline.
    pub(super) fn last_text(&self, lines: &Range<usize>, records: &Seq<Record>) -> usize {
        let last = lines.end - 1;
        let underlined = records.get(last).is_some_and(|record| record.line.flags.has(Flags::SETEXT));
        if underlined && lines.len() > 1 { last - 1 } else { last }
    }
}

impl seq::Item for Block {
    type Sum = BlockSum;
    fn sum(&self) -> BlockSum {
        BlockSum {
            lines: self.lines as usize,
            unclosed: usize::from(self.kind == BlockKind::Fence && !self.closed),
            gaps: usize::from(self.kind == BlockKind::Blank && self.lines >= NEAR),
        }
    }
    fn join(a: BlockSum, b: BlockSum) -> BlockSum {
        BlockSum { lines: a.lines + b.lines, unclosed: a.unclosed + b.unclosed, gaps: a.gaps + b.gaps }
    }
}

/// The index of the block that holds line `line`, and the lines of that block.
#[must_use]
pub fn at(blocks: &Seq<Block>, line: usize) -> Option<(usize, Range<usize>)> {
    let (index, before) = blocks.seek(|sum| sum.lines > line)?;
    let lines = blocks.get(index)?.lines as usize;
    Some((index, before.lines..before.lines + lines))
}

/// The block that begins with the first of `records`, not yet folded into the scopes.
///
/// A table's header looks like a line of a paragraph until its delimiter row, and a setext heading like a paragraph
/// until its underline: a paragraph's line looks one line ahead, and nothing looks further.
pub(super) fn group<'a>(records: impl Iterator<Item = &'a Record>) -> Option<Block> {
    let mut records = records.peekable();
    let first = records.next()?;
    let mut kind = match first.line.kind {
        LineKind::Blank => BlockKind::Blank,
        LineKind::Prose => BlockKind::Paragraph,
        LineKind::Heading => BlockKind::Heading,
        LineKind::Fence => BlockKind::Fence,
        LineKind::Code => BlockKind::Code,
        LineKind::Item => BlockKind::List,
        LineKind::Table => BlockKind::Table,
        LineKind::Html => BlockKind::Html,
        LineKind::Rule => BlockKind::Rule,
        LineKind::FrontMatter => BlockKind::FrontMatter,
        LineKind::Data => BlockKind::Data,
    };
    let mut lines = 1;
    let mut last = first;
    let mut closed = kind != BlockKind::Fence;
    while let Some(next) = records.peek().copied().filter(|next| match kind {
        BlockKind::Blank => next.line.kind == LineKind::Blank,
        BlockKind::List if next.line.flags.has(Flags::SIBLING) => true,
        // For CommonMark a line at the margin goes on with the item above it; for seed 1 it is a paragraph and ends the
        // list. What a reader may take for an instruction of its own is not covered.
        BlockKind::List if next.line.flags.has(Flags::LAZY) => false,
        _ => !next.line.flags.has(Flags::START),
    }) {
        let flags = next.line.flags;
        records.next();
        let is_header = records.peek().is_some_and(|after| after.line.flags.has(Flags::DELIMITER));
        if is_header && next.line.kind == LineKind::Prose {
            break;
        }
        lines += 1;
        let turns = flags.has(Flags::DELIMITER) || flags.has(Flags::SETEXT);
        if turns && kind == BlockKind::List {
            // The entry at hand is a heading or a table after all: this is no list of commands.
            closed = false;
        } else if turns {
            kind = if flags.has(Flags::SETEXT) { BlockKind::Heading } else { BlockKind::Table };
        }
        if flags.has(Flags::SETEXT) {
            break;
        } else if flags.has(Flags::CLOSE) {
            closed = true;
            break;
        }
        last = next;
    }
    let open_here_doc = matches!(
        last.line.exit.leaf,
        Leaf::Fence { sub: Sub::HereDoc { .. }, .. } | Leaf::Script { sub: Sub::HereDoc { .. }, .. }
    );
    let labelled = matches!(kind, BlockKind::Fence | BlockKind::List | BlockKind::Code | BlockKind::Table);
    let taken_back = labelled && is_taken_back(records);
    let (entry, governed) = (ScopeState::default(), Governed::default());
    Some(Block { lines, kind, closed, open_here_doc, taken_back, entry, governed })
}

/// Whether the next text among `below` takes back what stands above it. Blank lines part nothing for its reader, as long
/// as a screen shows both; nor does markup that shows nothing.
fn is_taken_back<'a>(below: impl Iterator<Item = &'a Record>) -> bool {
    let mut seen = below.take(FAR as usize).map(|record| {
        let back = record.cues.has(Cues::TAKES_BACK);
        (back || !is_passed(record.line.kind)).then_some(back)
    });
    seen.find_map(|back| back) == Some(true)
}

/// Whether a look for what goes on passes over lines of this kind.
fn is_passed(kind: LineKind) -> bool {
    matches!(kind, LineKind::Blank | LineKind::Html)
}

/// The first block whose grouping may depend on the line after block `index`, which begins on line `start`: the one above
/// blank lines and markup, which its look at what goes on passes over.
pub(super) fn looks_from(blocks: &Seq<Block>, mut index: usize, mut start: usize) -> (usize, usize) {
    let mut passed = 0;
    while passed < FAR
        && let Some(block) = blocks.get(index)
        && matches!(block.kind, BlockKind::Blank | BlockKind::Html)
        && let Some(above) = index.checked_sub(1).and_then(|above| blocks.get(above))
    {
        passed += block.lines;
        (index, start) = (index - 1, start - above.lines as usize);
    }
    (index, start)
}
