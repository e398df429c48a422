//! What a suppression reaches: the next sibling block, or the rest of the list item that it stands in (CONTRACTS,
//! "Suppressions").
//!
//! Nothing of this is stored. How many containers a line continues is a part of its record and summed up, so that the end
//! of an item or a list is one seek; an edit in between has nothing to bring up to date.

use std::ops::Range;

use super::block::{Block, BlockKind, at};
use crate::facts::Record;
use crate::lines::{Flags, LineKind};
use crate::seq::Seq;

/// The zero-based lines that the suppressions on `lines` reach, in their order, which is that of the document. `None`:
/// there is no such block. Only for suppressions that are HTML blocks.
#[must_use]
pub fn reaches(blocks: &Seq<Block>, records: &Seq<Record>, lines: &[usize]) -> Vec<Option<Range<usize>>> {
    let mut reaches: Vec<Option<Range<usize>>> = Vec::with_capacity(lines.len());
    // From the last on: several in a row have the same next block, and it is looked for once.
    let mut below: Option<(usize, u8)> = None;
    for line in lines.iter().rev() {
        let Some(record) = records.get(*line) else {
            reaches.push(None);
            continue;
        };
        let depth = record.line.depth;
        let reach = if record.line.flags.has(Flags::IN_ITEM) {
            Some(line + 1..ends(records, line + 1, depth)).filter(|reach| !reach.is_empty())
        } else {
            next(blocks, records, *line, depth).and_then(|(block, start)| {
                if below.is_some_and(|(line, same)| line == start && same == depth) {
                    return reaches.last().cloned().flatten();
                }
                whole(block, records, start, depth)
            })
        };
        reaches.push(reach);
        below = Some((*line, depth));
    }
    reaches.reverse();
    reaches
}

/// The first line from `line` on that continues fewer than `depth` containers, or the document's end.
fn ends(records: &Seq<Record>, line: usize, depth: u8) -> usize {
    let found = records.seek_from(line.min(records.len()), |sum| sum.kept < depth);
    found.map_or(records.len(), |(line, _)| line)
}

/// The next block with content below line `line` in the same `depth` containers, and its first line.
fn next<'a>(
    blocks: &'a Seq<Block>,
    records: &Seq<Record>,
    line: usize,
    depth: u8,
) -> Option<(&'a Block, usize)> {
    let (index, lines) = at(blocks, line)?;
    let mut start = lines.end;
    for block in blocks.iter_from(index + 1) {
        let first = records.get(start)?;
        if first.line.kept < depth {
            return None;
        }
        if block.kind != BlockKind::Blank {
            return Some((block, start));
        }
        start += block.lines as usize;
    }
    None
}

/// The lines of the sibling that begins with `block` on line `start`: of a list or a quote, all that it holds.
fn whole(block: &Block, records: &Seq<Record>, start: usize, depth: u8) -> Option<Range<usize>> {
    let first = records.get(start)?;
    if first.line.depth == depth {
        return Some(start..start + block.lines as usize);
    }
    let mut end = ends(records, start + 1, depth + 1);
    if let Some(family) = first.line.item {
        while let Some(record) = records.get(end) {
            let goes_on = record.line.item == Some(family) || record.line.kind == LineKind::Blank;
            if record.line.kept != depth || !goes_on {
                break;
            }
            end = ends(records, end + 1, depth + 1);
        }
    }
    Some(start..end)
}
