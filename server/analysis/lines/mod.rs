//! What each line is: CommonMark's block structure, one line at a time.

mod lang;
mod sub;

pub use lang::Lang;
pub use sub::{NameId, Names, Sub, advance};

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
}
