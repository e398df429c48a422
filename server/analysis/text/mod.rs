//! Text, positions and edits.
//!
//! The only module that knows the rope. A *line* ends at LF, CRLF or a lone CR and nowhere else (LSP 3.17, "Text
//! Documents"); the rope is built without `unicode_lines` so that it agrees, and a test guards that.

use std::borrow::Cow;

mod rope;
mod source;

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
/// Lines outside are the same to the byte, terminators included. CRLF may have been split or joined at either end, so
/// `first` may stand one line before the edit itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Zero-based first line touched.
    pub first: usize,
    /// How many old lines were touched.
    pub removed: usize,
    /// How many new lines stand in their place.
    pub inserted: usize,
}

/// A text that can be read line by line: a rope, or a plain `&str` on the path that reads a file once.
pub trait Source {
    /// The number of lines; a text that ends with a line end has an empty last line, so this is at least 1.
    fn line_count(&self) -> usize;
    /// The zero-based line `line` without its terminator. Panics if there is none.
    fn line(&self, line: usize) -> Cow<'_, str>;
    /// The byte offset at which line `line` begins. Panics if there is none.
    fn line_start(&self, line: usize) -> usize;
    /// The text's length in bytes.
    fn len(&self) -> usize;
    /// Whether the text is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The column, in units of `encoding`, of the byte `byte` of a line. A byte inside a character counts as its start.
#[must_use]
pub fn column_of(line: &str, byte: usize, encoding: Encoding) -> usize {
    let mut byte = byte.min(line.len());
    while !line.is_char_boundary(byte) {
        byte -= 1;
    }
    match encoding {
        Encoding::Utf8 => byte,
        Encoding::Utf16 => line[..byte].chars().map(char::len_utf16).sum(),
        Encoding::Utf32 => line[..byte].chars().count(),
    }
}

/// The byte of a line at column `column` in units of `encoding`, clamped to the line's length. A column inside a
/// character (a lone surrogate, a continuation byte) is that character's start.
#[must_use]
pub fn byte_of(line: &str, column: usize, encoding: Encoding) -> usize {
    let mut left = column;
    for (at, c) in line.char_indices() {
        let units = match encoding {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        };
        if left < units {
            return at;
        }
        left -= units;
    }
    line.len()
}
