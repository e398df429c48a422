//! A scan unit's text, put together from its lines, and the way back to them.

use std::borrow::Cow;
use std::ops::Range;

use super::{Fact, Hit, Record, Says};
use crate::lines::Lexed;
use crate::text::Source;

/// The text of one or more lines without container prefixes, markers and indentation, joined by `\n`.
pub(super) struct Unit<'a> {
    text: Cow<'a, str>,
    /// For each line: where it begins in the unit, and the byte of the line that stands there.
    pieces: Vec<(usize, u32)>,
    /// How much of the text, and how many of the lines, are the unit's own: the rest is its window.
    own: (usize, usize),
}

impl<'a> Unit<'a> {
    /// The text of `records`, which stand from line `first` on.
    pub(super) fn read(records: &[Record], first: usize, source: &'a impl Source) -> Unit<'a> {
        let content = |index: usize| records[index].line.content;
        if records.len() == 1 {
            let at = content(0) as usize;
            let text = match source.line(first) {
                Cow::Borrowed(line) => Cow::Borrowed(&line[at..]),
                Cow::Owned(mut line) => {
                    line.drain(..at);
                    Cow::Owned(line)
                }
            };
            let own = (text.len(), 1);
            return Unit { text, pieces: vec![(0, content(0))], own };
        }
        let mut text = String::new();
        let mut pieces = Vec::with_capacity(records.len());
        for index in 0..records.len() {
            if index > 0 {
                text.push('\n');
            }
            pieces.push((text.len(), content(index)));
            text.push_str(&source.line(first + index)[content(index) as usize..]);
        }
        let own = (text.len(), pieces.len());
        Unit { text: Cow::Owned(text), pieces, own }
    }

    /// Adds line `line` to the window: what begins in the unit may end there.
    pub(super) fn extend(&mut self, line: usize, lexed: &Lexed, source: &impl Source) {
        let text = self.text.to_mut();
        text.push('\n');
        self.pieces.push((text.len(), lexed.content));
        text.push_str(&source.line(line)[lexed.content as usize..]);
    }

    /// The text of the unit's own lines.
    pub(super) fn text(&self) -> &str {
        &self.text[..self.own.0]
    }

    /// The text with the lines of the window.
    pub(super) fn window(&self) -> &str {
        &self.text
    }

    /// Where each line stands in the text, without its `\n`.
    pub(super) fn lines(&self) -> impl Iterator<Item = Range<usize>> {
        let own = &self.pieces[..self.own.1];
        let ends = own.iter().skip(1).map(|(start, _)| start - 1).chain([self.own.0]);
        own.iter().zip(ends).map(|((start, _), end)| *start..end)
    }

    /// The line, counted from the unit's first, and the byte of that line, of a byte of the text.
    pub(super) fn locate(&self, at: usize) -> (usize, u32) {
        let line = self.pieces.partition_point(|(start, _)| *start <= at) - 1;
        let (start, byte) = self.pieces[line];
        (line, byte + (at - start) as u32)
    }

    /// Puts what was found onto the lines where it begins.
    pub(super) fn place(&self, mut found: Vec<(Range<usize>, Says)>, records: &mut [Record]) {
        found.sort_by_key(|(range, _)| (range.start, range.end));
        let mut facts: Vec<Vec<Fact>> = Vec::new();
        for (range, says) in found {
            let (line, start) = self.locate(range.start);
            // The byte before the end decides its line, so that a range never ends on a line it has no byte of.
            let (end_line, end) = match range.end.checked_sub(1).filter(|last| *last >= range.start) {
                Some(last) => self.locate(last),
                None => (line, start.wrapping_sub(1)),
            };
            facts.resize(facts.len().max(line + 1), Vec::new());
            let end_line = (end_line - line).min(u16::MAX.into()) as u16;
            add(&mut facts[line], Fact { start, end_line, end: end.wrapping_add(1), says });
        }
        for (record, facts) in records.iter_mut().zip(facts) {
            if !facts.is_empty() {
                record.facts = Some(facts.into_boxed_slice());
            }
        }
    }
}

/// At most this many facts of one rule stand on a line.
const MOST: usize = 64;

/// Adds `fact` to a line's. From the 64th of a rule on, one fact stands for all that follow: it reaches to the last of
/// them and is given whatever stands around it, so that nothing hides behind the number.
fn add(facts: &mut Vec<Fact>, fact: Fact) {
    let Says::Hit(hit) = fact.says else { return facts.push(fact) };
    let same = |known: &&mut Fact| matches!(known.says, Says::Hit(known) if known.rule == hit.rule);
    let mut known = facts.iter_mut().filter(same);
    let Some(last) = known.nth(MOST - 1) else { return facts.push(fact) };
    if let Says::Hit(more) = &mut last.says {
        *more = Hit {
            severity: more.severity.max(hit.severity),
            obfuscated: more.obfuscated | hit.obfuscated,
            more: true,
            ..Hit::new(more.rule, more.pattern, more.severity)
        };
    }
    (last.end_line, last.end) = (last.end_line, last.end).max((fact.end_line, fact.end));
}
