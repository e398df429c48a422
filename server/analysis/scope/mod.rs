//! What is forbidden, and the proof.
//!
//! A label forbids the closed fence or the direct list below it (seed 1). The state of the scopes is folded over blocks
//! and says *what* governs, never *where* it stands; the [`Proof`] finds the places when somebody asks.

mod block;
mod fold;
mod name;
mod proof;
mod reach;
mod state;

pub(crate) use block::FAR;
pub use block::{Block, BlockKind, BlockSum, at};
pub use fold::{Ends, step};
pub use proof::{Closer, LabelAt, Proof, ScopeKind, at_line};
pub use reach::reaches;
pub use state::{Governed, Pending, Reason, ScopeState};

use std::ops::Range;

use crate::facts::Record;
use crate::seq::Seq;

/// Brings `blocks` up to date after lines `old` of the records became lines `new` (both start at the same line) and
/// `records` were brought up to date. Blocks are grouped anew until an old boundary is met behind the change, and the
/// fold goes on until a block is entered as it was entered before.
pub fn update(blocks: &mut Seq<Block>, records: &Seq<Record>, old: Range<usize>, new: Range<usize>) {
    // The block before the change may go on into it.
    let (first, mut line) = at(blocks, old.start.saturating_sub(1))
        .map_or((0, 0), |(i, lines)| block::looks_from(blocks, i, lines.start));
    let mut entry = blocks.get(first).map_or_else(ScopeState::default, |block| block.entry);
    let mut fresh = Vec::new();
    let stop = loop {
        if line >= records.len() {
            break blocks.len();
        }
        if line >= new.end
            && let Some((index, lines)) = at(blocks, line - new.end + old.end)
            && lines.start == line - new.end + old.end
        {
            break index;
        }
        let Some(block) = block::group(records.iter_from(line)) else { break blocks.len() };
        let lines = line..line + block.lines as usize;
        let (exit, block) = folded(entry, block, records, &lines);
        (entry, line) = (exit, lines.end);
        fresh.push(block);
    };
    let mut index = first + fresh.len();
    blocks.splice(first..stop, fresh);
    while let Some(block) = blocks.get(index)
        && block.entry != entry
    {
        let lines = line..line + block.lines as usize;
        let (exit, block) = folded(entry, block.clone(), records, &lines);
        blocks.update(index, |old| *old = block);
        (entry, line) = (exit, lines.end);
        index += 1;
    }
}

fn folded(
    entry: ScopeState,
    mut block: Block,
    records: &Seq<Record>,
    lines: &Range<usize>,
) -> (ScopeState, Block) {
    block.entry = entry;
    let text = block.last_text(lines, records);
    let (Some(first), Some(text), Some(last)) =
        (records.get(lines.start), records.get(text), records.get(lines.end - 1))
    else {
        return (entry, block);
    };
    let ends = Ends { first, text, last };
    let (exit, governed) = step(&entry, &block, ends, records.fold(lines.clone()).cues);
    block.governed = governed;
    (exit, block)
}
