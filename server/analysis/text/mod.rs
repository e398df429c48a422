//! Text, positions and edits.
//!
//! The only module that knows the rope. A *line* ends at LF, CRLF or a lone CR and nowhere else (LSP 3.17, "Text
//! Documents"); the rope is built without `unicode_lines` so that it agrees, and a test guards that.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

mod rope;
mod source;
#[cfg(test)]
mod tests;

pub use rope::Text;
pub use source::Str;

/// What the columns of a [`Position`] count. LSP 3.17, `PositionEncodingKind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units: the protocol's default.
    #[default]
    Utf16,
    /// Unicode scalar values.
    Utf32,
}

/// A place in a text, as an editor names it: both zero-based, the column in units of an [`Encoding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// Zero-based line.
    pub line: u32,
    /// Zero-based column, in units of the encoding in force.
    pub column: u32,
}

impl Position {
    /// The position at `line` and `column`; a number that the protocol cannot carry becomes the largest that it can.
    #[must_use]
    pub fn new(line: usize, column: usize) -> Position {
        let carried = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Position { line: carried(line), column: carried(column) }
    }
}

/// One change as an editor sends it: the range to replace (`None`: the whole text) and the text to put there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Start and end, in either order: a reversed range is read as its mirror image.
    pub range: Option<(Position, Position)>,
    /// The text that takes the range's place.
    pub text: String,
}

/// What an edit did, in lines: lines `first..first + removed` became `first..first + inserted`.
///
/// Lines outside are the same to the byte, terminators included, so a line whose terminator alone changed (a CRLF split
/// or joined by an edit beside it) is inside. Either number may be zero: whole lines put in or taken out at a line's
/// start touch no other line, and an edit that changes nothing has both zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Zero-based first line touched.
    pub first: usize,
    /// How many old lines were touched.
    pub removed: usize,
    /// How many new lines stand in their place.
    pub inserted: usize,
}

impl Change {
    /// Whether the text is the same as before.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.removed == 0 && self.inserted == 0
    }

    /// The one change that covers this one and `later`, which was made to the text that this one left: from the text
    /// before both to the text after both.
    #[must_use]
    pub fn then(self, later: Change) -> Change {
        if self.is_empty() {
            return later;
        }
        if later.is_empty() {
            return self;
        }
        // The stretch that holds both, in lines of the text between the two.
        let first = self.first.min(later.first);
        let end = (self.first + self.inserted).max(later.first + later.removed);
        let both = end - first;
        Change {
            first,
            removed: both - self.inserted + self.removed,
            inserted: both - later.removed + later.inserted,
        }
    }
}

/// A text that can be read line by line: a rope, or a plain `&str` on the path that reads a file once.
pub trait Source {
    /// The number of lines; a text that ends with a line end has an empty last line, so this is at least 1.
    fn line_count(&self) -> usize;
    /// The zero-based line `line` without its terminator. Panics if there is none.
    fn line(&self, line: usize) -> Cow<'_, str>;
    /// The byte offset at which line `line` begins. Panics if there is none.
    fn line_start(&self, line: usize) -> usize;
    /// The zero-based line that holds the byte `offset`; past the end, the last line. A terminator belongs to the line
    /// that it ends.
    fn line_at(&self, offset: usize) -> usize;
    /// The bytes of `range`, clamped to the text and to the starts of the characters they stand in; a reversed range is
    /// empty.
    fn slice(&self, range: Range<usize>) -> Cow<'_, str>;
    /// The text's length in bytes.
    fn len(&self) -> usize;
    /// Whether the text is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Hands the lines in `range` to `read`, in order, each with its zero-based number and without its terminator,
    /// until `read` breaks off. Reads many lines far faster than [`line`](Source::line) does one by one. Panics if
    /// `range` goes past the last line.
    fn walk_lines(&self, range: Range<usize>, read: &mut dyn FnMut(usize, &str) -> ControlFlow<()>);

    /// As [`walk_lines`](Source::walk_lines), with nothing to break off.
    fn for_lines(&self, range: Range<usize>, read: &mut dyn FnMut(usize, &str)) {
        self.walk_lines(range, &mut |number, line| {
            read(number, line);
            ControlFlow::Continue(())
        });
    }
}

/// `line` without the one terminator it may end with.
fn without_terminator(line: &str) -> &str {
    let length = match line.as_bytes() {
        [.., b'\r', b'\n'] => 2,
        [.., b'\r' | b'\n'] => 1,
        _ => return line,
    };
    &line[..line.len() - length]
}

/// The last character start at or before the byte `at`, clamped to the text's end.
fn char_start(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The column, in units of `encoding`, of the byte `byte` of a line. A byte inside a character counts as its start, a
/// byte past the end as the end.
#[must_use]
pub fn column_of(line: &str, byte: usize, encoding: Encoding) -> usize {
    let byte = char_start(line, byte);
    let before = &line[..byte];
    match encoding {
        Encoding::Utf8 => byte,
        _ if before.is_ascii() => byte,
        Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
        Encoding::Utf32 => before.chars().count(),
    }
}

/// The byte of a line at column `column` in units of `encoding`, clamped to the line's length. A column inside a
/// character (a lone surrogate, a continuation byte) is that character's start.
#[must_use]
pub fn byte_of(line: &str, column: usize, encoding: Encoding) -> usize {
    if encoding == Encoding::Utf8 {
        return char_start(line, column);
    }
    // Where all is ASCII up to the column, the encodings agree.
    if line.as_bytes()[..column.min(line.len())].is_ascii() {
        return column.min(line.len());
    }
    let mut left = column;
    for (at, c) in line.char_indices() {
        let units = if encoding == Encoding::Utf16 { c.len_utf16() } else { 1 };
        if left < units {
            return at;
        }
        left -= units;
    }
    line.len()
}
