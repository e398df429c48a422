//! What a line is: what all stages to the right read of it.

use super::state::{Family, LexState};

/// What a line is, and the state behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexed {
    /// The state in which the next line is read.
    pub exit: LexState,
    /// What the line is.
    pub kind: LineKind,
    /// More about it.
    pub flags: Flags,
    /// How many containers its content stands in.
    pub depth: u8,
    /// How many of them were open before it: those that the line continues. A lazy line continues fewer than it stands in.
    pub kept: u8,
    /// Where the outermost container that begins on it is a list item: what makes it kin to other items.
    pub item: Option<Family>,
    /// A heading's level, 1 to 6; 0 for any other line.
    pub level: u8,
    /// The column of a list item's marker, behind the prefixes of the containers around it; 0 for any other line.
    pub marker: u8,
    /// The byte at which its content begins: behind container prefixes, markers and indentation.
    pub content: u32,
}

impl Lexed {
    /// A line in no container, whose content begins at the byte `content`.
    pub(super) fn plain(exit: LexState, kind: LineKind, flags: Flags, content: usize) -> Lexed {
        Lexed {
            exit,
            kind,
            flags,
            depth: 0,
            kept: 0,
            item: None,
            level: 0,
            marker: 0,
            content: content as u32,
        }
    }
}

/// What a line is, from its own text and the state it is read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// An ATX heading, or the underline of a setext heading (CommonMark 4.2, 4.3).
    Heading,
    /// A line of a paragraph (4.8).
    Prose,
    /// The first line of a list item whose content is a paragraph, or empty (5.2).
    Item,
    /// A fence's opening or closing line (4.5).
    Fence,
    /// A line inside a fence, or an indented code line (4.4, 4.5).
    Code,
    /// A table's delimiter row or body row (GFM 4.10).
    Table,
    /// A line of an HTML block, comments included (4.6).
    Html,
    /// A line of front matter, delimiters included.
    FrontMatter,
    /// A thematic break (4.1).
    Rule,
    /// A line without content.
    Blank,
    /// A line of a document that is no Markdown: a record's, or one of plain text.
    Data,
}

/// More about a line: a set of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Flags(u16);

impl Flags {
    /// A leaf block, or a list item, begins on it.
    pub const START: Flags = Flags(1);
    /// It belongs to the scan unit of the line before: the paragraph, or the logical command, goes on.
    pub const JOIN: Flags = Flags(2);
    /// A list item that continues a direct list: same containers, family and indentation, nothing in between.
    pub const SIBLING: Flags = Flags(4);
    /// A setext underline: the paragraph before it is a heading.
    pub const SETEXT: Flags = Flags(8);
    /// A table's delimiter row: the line before it is the table's header.
    pub const DELIMITER: Flags = Flags(16);
    /// It closes its fence, HTML block or front matter.
    pub const CLOSE: Flags = Flags(32);
    /// A lazy continuation line: it names fewer containers than it stands in.
    pub const LAZY: Flags = Flags(64);
    /// One of its containers is a block quote.
    pub const QUOTED: Flags = Flags(128);
    /// A line of a fence that looks as if it opened another of the same kind: the closing line before it may be missing.
    pub const REOPENS: Flags = Flags(256);
    /// Its innermost container is a list item.
    pub const IN_ITEM: Flags = Flags(512);

    /// Whether all bits of `other` are set.
    #[must_use]
    pub const fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }
}

impl std::ops::BitOr for Flags {
    type Output = Flags;
    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}
