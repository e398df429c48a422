//! What text further down takes back: a block whose commands somebody is told to run from below, a sentence that the next
//! one revokes.
//!
//! Looked for when a document is judged and stored nowhere, so that no edit has anything to bring up to date.

use std::collections::HashMap;

use super::grounds::Grounds;
use super::judge::Here;
use crate::facts::cue::Turn;
use crate::facts::{ByKind, Cues, Hit, Says};
use crate::lines::{Flags, LineKind};
use crate::scope::{self, Block, BlockKind, Governed};
use crate::text::Source;

/// Lines below a sentence among which one that revokes it is looked for: what a screen shows.
const FAR: usize = 100;

/// Units of text below a sentence that may revoke it.
const UNITS: usize = 2;

impl<S: Source> Grounds<'_, S> {
    /// The blocks of which a text further down tells to run the commands ("Run the block above"), each with the zero-based
    /// line that does. It means the nearest block with code in it.
    pub(super) fn run_from_below(&self) -> HashMap<usize, usize> {
        let mut named = HashMap::new();
        let (mut line, mut known) = (0, None);
        while let Some((at, _)) = self.records.seek_from(line, |sum| sum.cues.has(Cues::RUNS_ABOVE)) {
            line = at + 1;
            let Some((index, lines)) = scope::at(self.blocks, at) else { break };
            let mut start = lines.start;
            for above in (0..index).rev() {
                // What stands above the last such text was looked at for that.
                let Some(block) = self.blocks.get(above).filter(|_| known != Some(above)) else { break };
                let lines = start - block.lines as usize..start;
                start = lines.start;
                let code = match block.kind {
                    BlockKind::Fence | BlockKind::Code => true,
                    BlockKind::List | BlockKind::Table => {
                        lines.clone().any(|line| self.source.line(line).contains('`'))
                    }
                    _ => false,
                };
                let bans = block.kind == BlockKind::Paragraph && self.records.fold(lines).facts > 0;
                if code || bans {
                    named.entry(above).or_insert(at);
                }
                if code {
                    break;
                }
            }
            known = Some(index);
        }
        if let Some((at, _)) = self.records.seek_from(0, |sum| sum.cues.has(Cues::RUNS_ELSEWHERE)) {
            self.all_forbidden(at, &mut named);
        }
        named
    }

    /// Adds every block that a label forbids, which the text on line `at` tells to run.
    fn all_forbidden(&self, at: usize, named: &mut HashMap<usize, usize>) {
        let forbidden = |block: &Block| matches!(block.governed, Governed::Forbidden(_));
        for (index, _) in self.blocks.iter_from(0).enumerate().filter(|(_, block)| forbidden(block)) {
            named.entry(index).or_insert(at);
        }
    }

    /// The zero-based line of the text that takes back what the sentence or mark around `hit`, on line `line`, says of it.
    pub(super) fn revoked_below(&self, here: &Here<'_>, line: usize, hit: Hit) -> Option<usize> {
        let kind = hit.by?.kind;
        if !matches!(kind, ByKind::Ban | ByKind::Says(Turn::Bad) | ByKind::Opener(Turn::Bad)) {
            return None;
        }
        let mut at = line + 1;
        while at < here.lines.end && self.records.get(at)?.line.flags.has(Flags::JOIN) {
            at += 1;
        }
        let mut units = 0;
        for at in at..at + FAR {
            let record = self.records.get(at)?;
            match record.line.kind {
                LineKind::Blank => continue,
                LineKind::Prose | LineKind::Item | LineKind::Html => {}
                _ => return None,
            }
            if record.cues.has(Cues::REVOKES) || record.cues.has(Cues::RUNS_ABOVE) {
                return Some(at);
            }
            let hits = record.facts().iter().any(|fact| matches!(fact.says, Says::Hit(_)));
            units += usize::from(record.line.kind != LineKind::Html && !record.line.flags.has(Flags::JOIN));
            if hits || units > UNITS {
                return None;
            }
        }
        None
    }
}
