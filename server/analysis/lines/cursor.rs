//! A place in a line that counts columns: a tab reaches to the next multiple of four (CommonMark 2.2), and may be
//! used up by halves.

/// The reading place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    /// The byte to read next.
    pub(super) at: usize,
    /// The column of that byte, not counting what `owed` holds.
    column: usize,
    /// Columns of a tab already passed that still count as white space before the next byte.
    owed: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(line: &'a str, at: usize) -> Cursor<'a> {
        Cursor { bytes: line.as_bytes(), at, column: 0, owed: 0 }
    }

    /// What is left of the line.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The byte to read next.
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The columns of white space ahead, and the cursor behind them.
    pub(super) fn indent(&self) -> (usize, Cursor<'a>) {
        let mut to = *self;
        let mut columns = self.owed;
        to.owed = 0;
        while let Some(b @ (b' ' | b'\t')) = to.peek() {
            let width = if b == b' ' { 1 } else { 4 - to.column % 4 };
            columns += width;
            to.column += width;
            to.at += 1;
        }
        (columns, to)
    }

    /// Passes up to `columns` columns of white space; true if there were as many.
    pub(super) fn skip_columns(&mut self, columns: usize) -> bool {
        let mut left = columns;
        let used = self.owed.min(left);
        self.owed -= used;
        left -= used;
        while left > 0 {
            let width = match self.peek() {
                Some(b' ') => 1,
                Some(b'\t') => 4 - self.column % 4,
                _ => return false,
            };
            self.at += 1;
            self.column += width;
            let used = width.min(left);
            left -= used;
            self.owed = width - used;
        }
        true
    }

    /// Passes `count` bytes that are one column wide each.
    pub(super) fn skip_bytes(&mut self, count: usize) {
        self.at += count;
        self.column += count;
        self.owed = 0;
    }

    /// Whether only white space is left.
    pub(super) fn is_blank(&self) -> bool {
        is_blank(self.rest())
    }
}

/// Whether there is nothing but spaces and tabs (CommonMark 2.1, *blank line*).
pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| matches!(b, b' ' | b'\t'))
}
