//! A `&str` read in place, with a table of its line starts: the path of a file that is read once.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use memchr::memchr2_iter;

use super::{Encoding, Position, Source, byte_of, char_start, column_of, without_terminator};

/// A borrowed text and where its lines start.
#[derive(Clone)]
pub struct Str<'a> {
    text: &'a str,
    /// Byte offsets, ascending; the first is 0.
    starts: Vec<usize>,
}

impl<'a> Str<'a> {
    /// Finds the lines of `text`: they end at LF, CRLF or a lone CR.
    #[must_use]
    pub fn new(text: &'a str) -> Str<'a> {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for at in memchr2_iter(b'\n', b'\r', bytes) {
            // A CR before an LF ends nothing: the LF does.
            if bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n') {
                starts.push(at + 1);
            }
        }
        Str { text, starts }
    }

    /// The whole text.
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        self.text
    }

    /// Line `line` without its terminator, for as long as the text itself lives. Panics if there is none.
    #[must_use]
    pub fn line_str(&self, line: usize) -> &'a str {
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        without_terminator(&self.text[self.starts[line]..end])
    }

    /// The byte offset of `position`, clamped as [`Text::offset_of`](super::Text::offset_of) does.
    #[must_use]
    pub fn offset_of(&self, position: Position, encoding: Encoding) -> usize {
        let line = position.line as usize;
        match self.starts.get(line) {
            Some(start) => start + byte_of(self.line_str(line), position.column as usize, encoding),
            None => self.text.len(),
        }
    }

    /// The position of the byte `offset`, clamped as [`Text::position_of`](super::Text::position_of) does.
    #[must_use]
    pub fn position_of(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.line_at(offset);
        let column = column_of(self.line_str(line), offset - self.starts[line], encoding);
        Position::new(line, column)
    }
}

/// Sizes only, as for [`Text`](super::Text).
impl std::fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Str").field("bytes", &self.text.len()).field("lines", &self.starts.len()).finish()
    }
}

impl Source for Str<'_> {
    fn line_count(&self) -> usize {
        self.starts.len()
    }
    fn line(&self, line: usize) -> Cow<'_, str> {
        Cow::Borrowed(self.line_str(line))
    }
    fn line_start(&self, line: usize) -> usize {
        self.starts[line]
    }
    fn line_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }
    fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        let (start, end) = (char_start(self.text, range.start), char_start(self.text, range.end));
        Cow::Borrowed(&self.text[start.min(end)..end])
    }
    fn len(&self) -> usize {
        self.text.len()
    }
    fn walk_lines(&self, range: Range<usize>, read: &mut dyn FnMut(usize, &str) -> ControlFlow<()>) {
        for line in range {
            if read(line, self.line_str(line)).is_break() {
                return;
            }
        }
    }
}
