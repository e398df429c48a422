//! The state between two lines: which containers are open, and which leaf.
//!
//! Everything here is `Copy + Eq` and free of absolute positions, so that after an edit reading stops at the first
//! line that is entered as it was entered before.

use std::collections::HashMap;

use super::{Given, Lang, Sub};

/// Containers deeper than this are not opened: what stands in them is read as if it stood in the deepest that is.
pub(super) const DEPTH: u8 = 64;

/// An open block-quote or list item (CommonMark 5.1, 5.2). Columns count from where the parent's content begins, so
/// that equal containers are equal wherever they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// A block quote.
    Quote,
    /// A list item.
    Item {
        /// The bullet, or the delimiter after the number.
        family: Family,
        /// The column of the marker.
        marker: u16,
        /// The column from which a line is indented enough to stay in the item.
        content: u16,
    },
}

/// What makes two list markers kin (CommonMark 5.3): the bullet character, or the ordered delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// `-`, `+` or `*`.
    Bullet(u8),
    /// `.` or `)`.
    Ordered(u8),
}

/// A stack of open containers, by its number in a document's [`Containers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct StackId(u32);

#[derive(Clone, Copy, Debug)]
struct Node {
    below: StackId,
    container: Container,
    depth: u8,
    quoted: bool,
}

/// A document's container stacks, as a cons list: equal stacks have equal ids.
#[derive(Clone, Debug, Default)]
pub struct Containers {
    nodes: Vec<Node>,
    known: HashMap<(StackId, Container), StackId>,
}

impl Containers {
    /// The stack `below` with `container` opened on top.
    pub fn push(&mut self, below: StackId, container: Container) -> StackId {
        let depth = self.depth(below) + 1;
        let quoted = container == Container::Quote || self.is_quoted(below);
        let nodes = &mut self.nodes;
        *self.known.entry((below, container)).or_insert_with(|| {
            nodes.push(Node { below, container, depth, quoted });
            StackId(nodes.len() as u32)
        })
    }

    /// How many containers are open.
    #[must_use]
    pub fn depth(&self, stack: StackId) -> u8 {
        self.node(stack).map_or(0, |node| node.depth)
    }

    /// Whether one of them is a block quote.
    #[must_use]
    pub fn is_quoted(&self, stack: StackId) -> bool {
        self.node(stack).is_some_and(|node| node.quoted)
    }

    /// The innermost container and the stack below it; `None` for the empty stack.
    #[must_use]
    pub fn top(&self, stack: StackId) -> Option<(Container, StackId)> {
        self.node(stack).map(|node| (node.container, node.below))
    }

    /// The stacks from outermost to innermost: after `k` steps, the one with `k` containers.
    #[must_use]
    pub fn spine(&self, mut stack: StackId) -> Vec<(Container, StackId)> {
        let mut spine = Vec::with_capacity(self.depth(stack).into());
        while let Some((container, below)) = self.top(stack) {
            spine.push((container, stack));
            stack = below;
        }
        spine.reverse();
        spine
    }

    fn node(&self, stack: StackId) -> Option<&Node> {
        self.nodes.get((stack.0 as usize).checked_sub(1)?)
    }
}

/// What a document that is no Markdown is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// JSON, with comments or without: the whole document is one scan unit.
    Json,
    /// JSON Lines: each line is one.
    JsonLines,
    /// YAML: one scan unit.
    Yaml,
    /// TOML: one scan unit.
    Toml,
    /// Plain text and tables of values: each line is a scan unit.
    Text,
    /// XML and what is written like it, HTML and SVG: each line is a scan unit.
    Markup,
}

impl Format {
    /// Whether a line goes on with the scan unit of the line before.
    #[must_use]
    pub fn joins(self) -> bool {
        matches!(self, Format::Json | Format::Yaml | Format::Toml)
    }

    /// The format of a fence's language, if that is a record's.
    #[must_use]
    pub fn of(lang: Lang) -> Option<Format> {
        match lang {
            Lang::Json => Some(Format::Json),
            Lang::Yaml => Some(Format::Yaml),
            Lang::Toml => Some(Format::Toml),
            _ => None,
        }
    }

    /// The language in which its lines are read where it cannot be read as a whole.
    #[must_use]
    pub fn lang(self) -> Lang {
        match self {
            Format::Json | Format::JsonLines => Lang::Json,
            Format::Yaml => Lang::Yaml,
            Format::Toml => Lang::Toml,
            Format::Text | Format::Markup => Lang::Unknown,
        }
    }
}

/// A fence's marker (CommonMark 4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// `` ` ``
    Backtick,
    /// `~`
    Tilde,
}

impl Mark {
    /// The character.
    #[must_use]
    pub fn byte(self) -> u8 {
        match self {
            Mark::Backtick => b'`',
            Mark::Tilde => b'~',
        }
    }
}

/// What ends an HTML block (CommonMark 4.6, the seven conditions).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HtmlEnd {
    /// 1: a closing `script`, `pre`, `style` or `textarea` tag.
    Raw,
    /// The same, opened by `style`.
    Style,
    /// 2: `-->`.
    Comment,
    /// 3: `?>`.
    Instruction,
    /// 4: `>`.
    Declaration,
    /// 5: `]]>`.
    CData,
    /// 6 and 7: a blank line.
    Blank,
}

/// The open leaf block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Leaf {
    /// None.
    #[default]
    None,
    /// Nothing yet: the next line is the document's first, which alone may carry a BOM and open front matter.
    Begin {
        /// Whether the document has front matter: its first line opens it and a later one closes it.
        front: bool,
    },
    /// A list item without content so far: a blank line closes it (CommonMark 5.2, rule 3).
    EmptyItem,
    /// A paragraph.
    Para {
        /// How many cells its last line would have as a table's header; 0 if it has no pipe, or too many to tell.
        cells: u8,
        /// How much of the scan unit is used up, see [`UNIT`].
        weight: u8,
    },
    /// A fence.
    Fence {
        /// Its marker.
        mark: Mark,
        /// The length of its opening marker run.
        len: u16,
        /// The columns by which its opening line is indented.
        indent: u8,
        /// Its language.
        lang: Lang,
        /// Whether a command goes on.
        sub: Sub,
    },
    /// Indented code.
    Indented,
    /// An HTML block.
    Html(HtmlEnd),
    /// A table.
    Table,
    /// A document that is no Markdown: nothing else ever opens in it.
    Data(Format),
    /// A document that is a program: all of it is code, and its comments are for whoever reads it.
    Script {
        /// Its language.
        lang: Lang,
        /// Whether a command goes on.
        sub: Sub,
    },
    /// Front matter, closed by a line of three of this character (`...` closes `---`, too).
    FrontMatter(u8),
}

/// A paragraph is scanned as one unit up to this weight; a line weighs one, and one more for each 128 bytes begun
/// beyond the first: 64 lines or 8 KiB. What comes after is scanned line by line.
pub(super) const UNIT: u8 = 64;

/// The state between two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct LexState {
    /// The open containers.
    pub stack: StackId,
    /// The open leaf.
    pub leaf: Leaf,
    /// What the code above has given a name to.
    pub given: Given,
}

impl LexState {
    /// The state before, and behind, every line of a document that is no Markdown.
    #[must_use]
    pub fn data(format: Format) -> LexState {
        LexState { leaf: Leaf::Data(format), ..LexState::default() }
    }

    /// The state before the first line of a program in `lang`.
    #[must_use]
    pub fn script(lang: Lang) -> LexState {
        LexState { leaf: Leaf::Script { lang, sub: Sub::Fresh }, ..LexState::default() }
    }

    /// The state before the first line of a Markdown document.
    #[must_use]
    pub fn begin(front: bool) -> LexState {
        LexState { leaf: Leaf::Begin { front }, ..LexState::default() }
    }
}
