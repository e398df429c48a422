//! The rope under an open document, and edits to it.

use std::borrow::Cow;

use ropey::Rope;

use super::{Change, Edit, Encoding, Position, Source, byte_of, column_of};

/// An editable text. Cloning it shares the storage and costs nanoseconds.
#[derive(Clone, Debug, Default)]
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
        let line = position.line as usize;
        if line >= self.line_count() {
            return self.len();
        }
        self.line_start(line) + byte_of(&self.line(line), position.column as usize, encoding)
    }

    /// The position of the byte `offset`; inside a character it is that character's start, past the end the text's end.
    #[must_use]
    pub fn position_of(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = offset.min(self.len());
        let line = self.rope.byte_to_line(offset);
        let column = column_of(&self.line(line), offset - self.line_start(line), encoding);
        Position { line: line as u32, column: column as u32 }
    }

    /// Carries out `edit` and tells which lines it touched. Never fails: positions are clamped, a reversed range is
    /// read as its mirror image.
    pub fn apply(&mut self, edit: &Edit, encoding: Encoding) -> Change {
        let Some((from, to)) = edit.range else {
            let removed = self.line_count();
            self.rope = Rope::from_str(&edit.text);
            return Change { first: 0, removed, inserted: self.line_count() };
        };
        let (a, b) = (self.offset_of(from, encoding), self.offset_of(to, encoding));
        self.replace(a.min(b), a.max(b), &edit.text)
    }

    /// Replaces the bytes `start..end`, both on character boundaries, by `text`.
    fn replace(&mut self, start: usize, end: usize, text: &str) -> Change {
        // An edit beside a CR or LF may split a CRLF or join one, which changes the line before it.
        let first = self.rope.byte_to_line(start);
        let first = if start == self.line_start(first) { first.saturating_sub(1) } else { first };
        let after_old = self.line_count() - self.rope.byte_to_line(end) - 1;
        let before = self.line_count();
        let (from, to) = (self.rope.byte_to_char(start), self.rope.byte_to_char(end));
        self.rope.remove(from..to);
        self.rope.insert(from, text);
        // Lines after the one where the edit ends are untouched, save that the edit's last line may now start later.
        let untouched = after_old.min(self.line_count() - first);
        Change { first, removed: before - first - untouched, inserted: self.line_count() - first - untouched }
    }
}

impl Source for Text {
    fn line_count(&self) -> usize {
        self.rope.len_lines()
    }
    fn line(&self, line: usize) -> Cow<'_, str> {
        let slice = self.rope.line(line);
        match Cow::from(slice) {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim_end_matches(['\r', '\n'])),
            Cow::Owned(mut text) => {
                text.truncate(text.trim_end_matches(['\r', '\n']).len());
                Cow::Owned(text)
            }
        }
    }
    fn line_start(&self, line: usize) -> usize {
        self.rope.line_to_byte(line)
    }
    fn len(&self) -> usize {
        self.rope.len_bytes()
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.rope.chunks().try_for_each(|chunk| f.write_str(chunk))
    }
}
