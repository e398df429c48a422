//! The rope under an open document, and edits to it.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use memchr::memchr2;
use ropey::{Rope, RopeSlice};

use super::{Change, Edit, Encoding, Position, Source, byte_of, column_of, without_terminator};

/// An editable text. Cloning it shares the storage and costs nanoseconds.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Text {
    rope: Rope,
}

impl Text {
    /// A text with the content of `text`, byte for byte (a BOM and NULs are kept).
    #[must_use]
    pub fn new(text: &str) -> Text {
        Text { rope: Rope::from_str(text) }
    }

    /// The byte offset of `position`. A line past the end is the end of the text; a column past the line's end is the
    /// place before its terminator (LSP 3.17, `Position`); a column inside a character is its start.
    #[must_use]
    pub fn offset_of(&self, position: Position, encoding: Encoding) -> usize {
        let (line, column) = (position.line as usize, position.column as usize);
        if line >= self.line_count() {
            return self.len();
        }
        let slice = self.rope.line(line);
        let within = match slice.as_str() {
            Some(text) => byte_of(without_terminator(text), column, encoding),
            // A long line is not walked: the rope counts its units.
            None => {
                let content = content(slice);
                let char = match encoding {
                    Encoding::Utf8 => content.byte_to_char(column.min(content.len_bytes())),
                    Encoding::Utf16 => content.utf16_cu_to_char(column.min(content.len_utf16_cu())),
                    Encoding::Utf32 => column.min(content.len_chars()),
                };
                content.char_to_byte(char)
            }
        };
        self.line_start(line) + within
    }

    /// The position of the byte `offset`. Inside a character it is that character's start, inside a CRLF the place
    /// before it, past the end the text's end.
    #[must_use]
    pub fn position_of(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = offset.min(self.len());
        let line = self.rope.byte_to_line(offset);
        let within = offset - self.line_start(line);
        let slice = self.rope.line(line);
        let column = match slice.as_str() {
            Some(text) => column_of(without_terminator(text), within, encoding),
            None => {
                let content = content(slice);
                let char = content.byte_to_char(within.min(content.len_bytes()));
                match encoding {
                    Encoding::Utf8 => content.char_to_byte(char),
                    Encoding::Utf16 => content.char_to_utf16_cu(char),
                    Encoding::Utf32 => char,
                }
            }
        };
        Position::new(line, column)
    }

    /// Carries out `edit` and tells which lines it touched. Never fails: positions are clamped, a reversed range is
    /// read as its mirror image. What the edit replaces by the same is not touched, so an editor that sends its whole
    /// text for one new word costs little more than the word.
    pub fn apply(&mut self, edit: &Edit, encoding: Encoding) -> Change {
        let Some((from, to)) = edit.range else {
            return self.replace(0, self.len(), &edit.text);
        };
        let (a, b) = (self.offset_of(from, encoding), self.offset_of(to, encoding));
        self.replace(a.min(b), a.max(b), &edit.text)
    }

    /// Puts line `line` without its terminator into `buffer`, in place of what is there. Panics if there is no such
    /// line.
    pub fn line_into(&self, line: usize, buffer: &mut String) {
        buffer.clear();
        buffer.extend(self.rope.line(line).chunks());
        buffer.truncate(without_terminator(buffer).len());
    }

    /// Replaces the bytes `start..end`, both on character boundaries, by `text`.
    fn replace(&mut self, start: usize, end: usize, text: &str) -> Change {
        let old = self.rope.byte_slice(start..end);
        let head = shared_head(old, text);
        let tail = shared_tail(old.byte_slice(head..), &text[head..]);
        let (start, end, text) = (start + head, end - tail, &text[head..text.len() - tail]);

        let count = self.line_count();
        let (first, starts_line) = self.line_and_whether_its_start(start);
        if start == end && text.is_empty() {
            return Change { first, removed: 0, inserted: 0 };
        }
        let (last, tail_starts_line) = self.line_and_whether_its_start(end);
        if start == 0 && end == self.len() {
            self.rope = Rope::from_str(text);
        } else {
            let from = self.rope.byte_to_char(start);
            if start < end {
                let to = self.rope.byte_to_char(end);
                self.rope.remove(from..to);
            }
            if !text.is_empty() {
                self.rope.insert(from, text);
            }
        }
        // The line before ended at `start`, and ends there no more: its CR has met an LF.
        let joined = starts_line && !self.line_and_whether_its_start(start).1;
        let first = if joined { first - 1 } else { first };
        // Where the old tail begins a line in both texts, that line is untouched with all after it; else only those
        // after it are.
        let whole = tail_starts_line && self.line_and_whether_its_start(start + text.len()).1;
        let untouched = count - last - usize::from(!whole);
        Change { first, removed: count - first - untouched, inserted: self.line_count() - first - untouched }
    }

    /// The line that holds the byte `offset`, and whether it begins there.
    fn line_and_whether_its_start(&self, offset: usize) -> (usize, bool) {
        let line = self.rope.byte_to_line(offset);
        (line, self.rope.line_to_byte(line) == offset)
    }

    /// The last character start at or before `offset`, clamped to the text's end.
    fn char_start(&self, offset: usize) -> usize {
        self.rope.char_to_byte(self.rope.byte_to_char(offset.min(self.len())))
    }
}

/// A line's slice without its terminator.
fn content(line: RopeSlice<'_>) -> RopeSlice<'_> {
    let mut end = line.len_bytes();
    for terminator in *b"\n\r" {
        if end > 0 && line.byte(end - 1) == terminator {
            end -= 1;
        }
    }
    line.byte_slice(..end)
}

/// How many bytes `old` and `new` have in common at their start, in whole characters.
fn shared_head(old: RopeSlice<'_>, new: &str) -> usize {
    let bytes = new.as_bytes();
    let mut shared = 0;
    for chunk in old.chunks() {
        let rest = &bytes[shared..];
        if rest.starts_with(chunk.as_bytes()) {
            shared += chunk.len();
            continue;
        }
        shared += chunk.bytes().zip(rest).take_while(|(a, b)| a == *b).count();
        break;
    }
    super::char_start(new, shared)
}

/// How many bytes `old` and `new` have in common at their end, in whole characters.
fn shared_tail(old: RopeSlice<'_>, new: &str) -> usize {
    let mut rest = new.as_bytes();
    let (mut chunks, ..) = old.chunks_at_byte(old.len_bytes());
    while let Some(chunk) = chunks.prev() {
        if let Some(before) = rest.strip_suffix(chunk.as_bytes()) {
            rest = before;
            continue;
        }
        let shared = chunk.bytes().rev().zip(rest.iter().rev()).take_while(|(a, b)| a == *b).count();
        rest = &rest[..rest.len() - shared];
        break;
    }
    let mut start = rest.len();
    while !new.is_char_boundary(start) {
        start += 1;
    }
    new.len() - start
}

impl Source for Text {
    fn line_count(&self) -> usize {
        self.rope.len_lines()
    }
    fn line(&self, line: usize) -> Cow<'_, str> {
        match Cow::from(self.rope.line(line)) {
            Cow::Borrowed(text) => Cow::Borrowed(without_terminator(text)),
            Cow::Owned(mut text) => {
                text.truncate(without_terminator(&text).len());
                Cow::Owned(text)
            }
        }
    }
    fn line_start(&self, line: usize) -> usize {
        // The rope also answers for the line after the last.
        assert!(line < self.line_count(), "no such line");
        self.rope.line_to_byte(line)
    }
    fn line_at(&self, offset: usize) -> usize {
        self.rope.byte_to_line(offset.min(self.len()))
    }
    fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        let (start, end) = (self.char_start(range.start), self.char_start(range.end));
        Cow::from(self.rope.byte_slice(start.min(end)..end))
    }
    fn len(&self) -> usize {
        self.rope.len_bytes()
    }

    // One descent for the whole range, then chunk by chunk; only a line that spans chunks is copied. A CRLF never does:
    // ropey promises that no chunk ends inside of one.
    fn walk_lines(&self, range: Range<usize>, read: &mut dyn FnMut(usize, &str) -> ControlFlow<()>) {
        if range.is_empty() {
            return;
        }
        assert!(range.end <= self.line_count(), "no such line");
        let start = self.line_start(range.start);
        let (chunks, chunk_start, ..) = self.rope.chunks_at_byte(start);
        let mut skip = start - chunk_start;
        let mut number = range.start;
        let mut begun = String::new();
        for chunk in chunks {
            let mut rest = &chunk[skip..];
            skip = 0;
            while let Some(end) = memchr2(b'\n', b'\r', rest.as_bytes()) {
                let flow = if begun.is_empty() {
                    read(number, &rest[..end])
                } else {
                    begun.push_str(&rest[..end]);
                    let flow = read(number, &begun);
                    begun.clear();
                    flow
                };
                number += 1;
                if flow.is_break() || number == range.end {
                    return;
                }
                let crlf = rest.as_bytes()[end..].starts_with(b"\r\n");
                rest = &rest[end + if crlf { 2 } else { 1 }..];
            }
            begun.push_str(rest);
        }
        // The last line of the text, which has no terminator; there is nothing left to break off.
        let _ = read(number, &begun);
    }
}

/// Sizes only: what derives `Debug` from a document may be logged, and no log carries its text.
impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Text").field("bytes", &self.len()).field("lines", &self.line_count()).finish()
    }
}

/// The whole text, byte for byte.
impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.rope.chunks().try_for_each(|chunk| f.write_str(chunk))
    }
}

#[cfg(test)]
impl Text {
    /// An edit at byte offsets, which positions cannot name inside a CRLF.
    pub(super) fn replace_bytes(&mut self, range: Range<usize>, text: &str) -> Change {
        self.replace(range.start, range.end, text)
    }
}
