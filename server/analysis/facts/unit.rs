//! A scan unit's text, put together from its lines, and the way back to them.

use std::borrow::Cow;
use std::ops::Range;

use super::records::Text;
use super::{Fact, Hit, Pointer, Record, Says};
use crate::lines::Lexed;
use crate::text::Source;

/// Something that was found: where in the unit, what, and the pointer of the value that says it.
pub(super) struct Found {
    pub(super) range: Range<usize>,
    pub(super) says: Says,
    pub(super) pointer: Option<Box<str>>,
    /// The value that says it, counted as they were read; 0 for the lines as they are.
    pub(super) reading: u32,
}

/// The text of one or more lines without container prefixes, markers and indentation, joined by `\n`; or a part of a
/// value that was read in such a unit.
pub(super) struct Unit<'a> {
    text: Cow<'a, str>,
    /// For each line: where it begins in the unit, and the byte of the line that stands there.
    pieces: Vec<(usize, u32)>,
    /// How much of the text, and how many of the lines, are the unit's own: the rest is its window.
    own: (usize, usize),
    /// Of a part of a value: the way back.
    value: Option<Value<'a>>,
}

/// Where a part of a value comes from.
#[derive(Clone, Copy)]
struct Value<'a> {
    /// The unit that the value was read in.
    outer: &'a Unit<'a>,
    text: &'a Text<'a>,
    /// The byte of `outer` at which the record begins.
    base: usize,
    /// The byte of the value at which the part begins.
    part: usize,
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
            return Unit { text, pieces: vec![(0, content(0))], own, value: None };
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
        Unit { text: Cow::Owned(text), pieces, own, value: None }
    }

    /// The bytes `part` of the value `text`, which was read in `outer` from its byte `base` on, and the value's bytes up
    /// to `window` for what goes on behind them.
    pub(super) fn value(
        outer: &'a Unit<'a>,
        base: usize,
        text: &'a Text<'a>,
        part: Range<usize>,
        window: usize,
    ) -> Unit<'a> {
        let whole = &text.value[part.start..window];
        let own = &whole[..part.len()];
        let breaks = memchr::memchr_iter(b'\n', whole.as_bytes()).map(|at| (at + 1, 0));
        let pieces: Vec<(usize, u32)> = std::iter::once((0, 0)).chain(breaks).collect();
        let lines = pieces.partition_point(|(start, _)| *start <= own.len()).max(1);
        let value = Some(Value { outer, text, base, part: part.start });
        Unit { text: Cow::Borrowed(whole), pieces, own: (own.len(), lines), value }
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

    /// Where line `index` stands in the text, those of the window included.
    pub(super) fn line(&self, index: usize) -> Option<Range<usize>> {
        let (start, _) = *self.pieces.get(index)?;
        let end = self.pieces.get(index + 1).map_or(self.text.len(), |(next, _)| next - 1);
        Some(start..end)
    }

    /// The bytes of the unit of lines that the bytes `range` of this one stand for.
    pub(super) fn outward(&self, range: Range<usize>) -> Range<usize> {
        let Some(Value { text, base, part, .. }) = &self.value else { return range };
        let source = text.source(part + range.start..part + range.end);
        base + source.start..base + source.end
    }

    /// Of the bytes `range`, those on the line where they begin: that line, counted from the first of the unit of lines,
    /// and where they begin and end in it.
    pub(super) fn first_line(&self, range: Range<usize>) -> (usize, u32, u32) {
        let range = self.outward(range);
        let lines = self.value.as_ref().map_or(self, |value| value.outer);
        let (line, start) = lines.locate(range.start);
        let next = lines.pieces.get(line + 1).map(|(next, _)| next - 1);
        let line_end = next.unwrap_or(lines.text.len());
        let (_, end) = lines.locate(range.end.min(line_end).max(range.start));
        (line, start, end)
    }

    /// The line, counted from the first of the unit of lines, and the byte of that line, of a byte of the text.
    pub(super) fn locate(&self, at: usize) -> (usize, u32) {
        if let Some(value) = &self.value {
            return value.outer.locate(self.outward(at..at).start);
        }
        let line = self.pieces.partition_point(|(start, _)| *start <= at) - 1;
        let (start, byte) = self.pieces[line];
        (line, byte + (at - start) as u32)
    }

    /// Puts what was found onto the lines where it begins.
    pub(super) fn place(&self, mut found: Vec<Found>, records: &mut [Record]) {
        found.sort_by_key(|found| (found.range.start, found.range.end));
        let mut facts: Vec<Facts> = Vec::new();
        for Found { range, says, pointer, .. } in found {
            let (line, start) = self.locate(range.start);
            // What a record folds or a form asks for may end with blanks and line ends: no word is there.
            let words =
                self.text.get(range.clone()).map_or(0, |words| words.trim_end_matches([' ', '\n']).len());
            let range = if words > 0 { range.start..range.start + words } else { range };
            // The byte before the end decides its line, so that a range never ends on a line it has no byte of.
            let (end_line, end) = match range.end.checked_sub(1).filter(|last| *last >= range.start) {
                Some(last) => self.locate(last),
                None => (line, start.wrapping_sub(1)),
            };
            facts.resize_with(facts.len().max(line + 1), Facts::default);
            let end_line = (end_line - line).min(u16::MAX.into()) as u16;
            facts[line].add(Fact { start, end_line, end: end.wrapping_add(1), says }, pointer);
        }
        for (record, Facts { facts, pointers }) in records.iter_mut().zip(facts) {
            if !pointers.is_empty() {
                record.pointers = Some(pointers.into_boxed_slice());
            }
            if !facts.is_empty() {
                record.facts = Some(facts.into_boxed_slice());
            }
        }
    }
}

/// A line's facts, and the pointer of each.
#[derive(Default)]
struct Facts {
    facts: Vec<Fact>,
    pointers: Vec<Pointer>,
}

impl Facts {
    fn add(&mut self, fact: Fact, pointer: Option<Box<str>>) {
        let of = (fact.start, fact.end_line, fact.end);
        add(&mut self.facts, fact);
        self.pointers.extend(pointer.map(|to| Pointer { of, to }));
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
