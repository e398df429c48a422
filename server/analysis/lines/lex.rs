//! One line read in the state that the line before it left: CommonMark's block phase (appendix, "Parsing strategy").
//!
//! The stated subset: block quotes (5.1), list items (5.2), thematic breaks (4.1), ATX and setext headings (4.2, 4.3),
//! indented and fenced code (4.4, 4.5), HTML blocks (4.6), paragraphs with lazy continuation (4.8), blank lines (4.9),
//! GFM tables, whose header is a paragraph's last line (4.10), front matter. Left out on purpose: link reference
//! definitions (4.7) are paragraphs. Property tests compare this with pulldown-cmark.

use super::cursor::{Cursor, is_blank};
use super::given::Givens;
use super::script;
use super::starts;
use super::state::{Container, Containers, DEPTH, Family, Format, HtmlEnd, Leaf, LexState, StackId, UNIT};
use super::sub::{Names, Sub, advance};
use super::{Flags, Lang, Lexed, LineKind};

/// The ids that states refer to; they grow with the document and never change their meaning.
#[derive(Clone, Debug, Default)]
pub struct Interned {
    /// The container stacks.
    pub containers: Containers,
    /// The here-document delimiters.
    pub names: Names,
    /// What the code has given a name to.
    pub givens: Givens,
}

/// Reads `line`, without its terminator, in the state `entry`.
#[must_use]
pub fn lex_line(entry: &LexState, line: &str, interned: &mut Interned) -> Lexed {
    let at = match entry.leaf {
        Leaf::Begin { .. } if line.starts_with('\u{feff}') => '\u{feff}'.len_utf8(),
        _ => 0,
    };
    match entry.leaf {
        Leaf::Begin { front: true } => {
            let mark = front_mark(line).unwrap_or(b'-');
            return front_matter(Leaf::FrontMatter(mark), Flags::START, at);
        }
        Leaf::FrontMatter(mark) => {
            let closes = closes_front_matter(line, mark);
            let leaf = if closes { Leaf::None } else { entry.leaf };
            return front_matter(leaf, if closes { Flags::CLOSE } else { Flags::JOIN }, 0);
        }
        Leaf::Data(format) => return data(entry, line, format),
        _ => {}
    }
    let mut lexed = match entry.leaf {
        Leaf::Script { lang, sub } => script::line(line, lang, sub, &mut interned.names),
        _ => Lexer {
            line,
            interned: &mut *interned,
            entry: *entry,
            cursor: Cursor::new(line, at),
            stack: StackId::default(),
            depth: 0,
            kept: 0,
            item: None,
            marker: 0,
        }
        .lex(),
    };
    lexed.exit.given = interned.givens.behind(entry, &lexed, line);
    lexed
}

/// Whether a document with these first lines has front matter: the first line is its mark, and one of the next 400
/// closes it. A brace is a mark only if a member follows it: what else begins so is no record.
pub fn opens_front_matter<'a>(
    first: &str,
    mut later: impl Iterator<Item = std::borrow::Cow<'a, str>>,
) -> bool {
    let Some(mark) = front_mark(first) else { return false };
    if mark == b'{' {
        let member = |line: &str| line.trim_start().starts_with('"') && line.contains("\":");
        if !later.next().is_some_and(|line| member(&line)) {
            return false;
        }
    }
    later.any(|line| closes_front_matter(&line, mark))
}

/// How the first line of a document marks its front matter: `-` for YAML, `+` for TOML; for JSON `{` where it is the
/// record's own brace, `;` and `j` (three dashes and a name) where lines stand around it.
fn front_mark(first: &str) -> Option<u8> {
    match first.strip_prefix('\u{feff}').unwrap_or(first).trim_end() {
        "---" | "---yaml" => Some(b'-'),
        "+++" => Some(b'+'),
        "{" => Some(b'{'),
        ";;;" => Some(b';'),
        "---json" => Some(b'j'),
        _ => None,
    }
}

fn closes_front_matter(line: &str, mark: u8) -> bool {
    match line.trim_end_matches([' ', '\t']) {
        "---" => matches!(mark, b'-' | b'j'),
        "..." => mark == b'-',
        "}" => mark == b'{',
        ";;;" => mark == b';',
        "+++" => mark == b'+',
        _ => false,
    }
}

fn front_matter(leaf: Leaf, flags: Flags, content: usize) -> Lexed {
    let exit = LexState { leaf, ..LexState::default() };
    Lexed::plain(exit, LineKind::FrontMatter, flags, content)
}

/// A line of a document that is no Markdown. A BOM is no part of its content.
fn data(entry: &LexState, line: &str, format: Format) -> Lexed {
    let content = if line.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let (kind, flags) = match format {
        _ if format.joins() => (LineKind::Data, Flags::JOIN),
        Format::Markup if line.trim().is_empty() => (LineKind::Blank, Flags::START),
        Format::Markup => (LineKind::Html, Flags::START),
        _ => (LineKind::Data, Flags::default()),
    };
    Lexed::plain(*entry, kind, flags, content)
}

struct Lexer<'a> {
    line: &'a str,
    interned: &'a mut Interned,
    entry: LexState,
    cursor: Cursor<'a>,
    /// The containers that this line stands in so far.
    stack: StackId,
    depth: u8,
    /// How many of them were open before.
    kept: u8,
    /// The family of the outermost container that begins here, if that is an item.
    item: Option<Family>,
    /// The column of the marker of the item that was opened last.
    marker: u8,
}

impl<'a> Lexer<'a> {
    fn lex(mut self) -> Lexed {
        let all_matched = self.match_containers();
        self.kept = self.depth;
        if all_matched {
            self.pass_deeper();
        }
        if all_matched && let Some(done) = self.continue_leaf() {
            return done;
        }
        self.begin_blocks(all_matched)
    }

    /// Passes the prefixes of the open containers; true if the line stands in all of them.
    fn match_containers(&mut self) -> bool {
        if self.entry.stack == StackId::default() {
            return true;
        }
        let spine = self.interned.containers.spine(self.entry.stack);
        let last = spine.len();
        for (index, (container, stack)) in spine.into_iter().enumerate() {
            let (indent, behind) = self.cursor.indent();
            match container {
                Container::Quote => {
                    if indent > 3 || behind.peek() != Some(b'>') {
                        return false;
                    }
                    self.cursor = behind;
                    self.pass_quote_marker();
                }
                Container::Item { content, .. } => {
                    if behind.peek().is_none() {
                        if index + 1 == last && self.entry.leaf == Leaf::EmptyItem {
                            return false;
                        }
                        self.cursor = behind;
                    } else if indent >= usize::from(content) {
                        self.cursor.skip_columns(content.into());
                    } else {
                        return false;
                    }
                }
            }
            self.stack = stack;
            self.depth += 1;
        }
        true
    }

    /// In the deepest container that is opened, passes what would be the prefixes of deeper ones: what stands in those is
    /// read as if it stood in this one. Otherwise a fence could be too deep to be seen.
    fn pass_deeper(&mut self) {
        while self.depth == DEPTH {
            let (indent, behind) = self.cursor.indent();
            let rest = behind.rest();
            if rest.first() == Some(&b'>') {
                self.cursor = behind;
                self.pass_quote_marker();
                continue;
            }
            let fenced = matches!(self.entry.leaf, Leaf::Fence { .. });
            if indent > 3
                && (fenced || starts::fence_open(rest).is_some() || starts::list_marker(rest).is_some())
            {
                self.cursor = behind;
            }
            break;
        }
    }

    /// Passes what would open deeper containers on a line that opens the deepest: all of it at once, for a line may be
    /// made of nothing else.
    fn pass_markers(&mut self) {
        self.pass_deeper();
        loop {
            let behind = self.cursor.indent().1;
            let Some((_, len, _)) = starts::list_marker(behind.rest()) else { break };
            self.cursor = behind;
            self.cursor.skip_bytes(len);
            self.pass_deeper();
        }
    }

    fn pass_quote_marker(&mut self) {
        self.cursor.skip_bytes(1);
        self.cursor.skip_columns(1);
    }

    /// Leaves that take a line before any block may begin on it.
    fn continue_leaf(&mut self) -> Option<Lexed> {
        match self.entry.leaf {
            Leaf::Fence { mark, len, indent, lang, sub } => {
                let (columns, behind) = self.cursor.indent();
                if columns <= 3 && starts::fence_close(behind.rest(), mark, len.into()) {
                    return Some(self.done(LineKind::Fence, Flags::CLOSE, Leaf::None, behind.at));
                }
                let mut content = self.cursor;
                content.skip_columns(columns.min(indent.into()));
                let text = &self.line[content.at..];
                let after = if lang.continues() {
                    advance(sub, lang, text, &mut self.interned.names)
                } else {
                    Sub::Fresh
                };
                let mut flags = if sub.goes_on() { Flags::JOIN } else { Flags::default() };
                let opens = starts::fence_open(behind.rest());
                if columns <= 3 && opens.is_some_and(|(other, run)| other == mark && run >= usize::from(len))
                {
                    flags = flags | Flags::REOPENS;
                }
                let leaf = Leaf::Fence { mark, len, indent, lang, sub: after };
                Some(self.done(LineKind::Code, flags, leaf, content.at))
            }
            Leaf::Html(end) => {
                if end == HtmlEnd::Blank && self.cursor.is_blank() {
                    return None;
                }
                let closes = starts::html_close(self.cursor.rest(), end);
                let leaf = if closes { Leaf::None } else { self.entry.leaf };
                let flags = if closes { Flags::CLOSE } else { Flags::default() };
                Some(self.done(LineKind::Html, flags, leaf, self.cursor.at))
            }
            _ => None,
        }
    }

    /// Opens the containers and the leaf that begin on this line, or continues the paragraph.
    fn begin_blocks(&mut self, all_matched: bool) -> Lexed {
        // The paragraph (or table) that this line would continue, as long as no new container begins.
        let mut tip = if all_matched { self.entry.leaf } else { Leaf::None };
        let lazy = !all_matched && matches!(self.entry.leaf, Leaf::Para { .. });
        let mut opened = None;
        loop {
            let (indent, behind) = self.cursor.indent();
            let rest = behind.rest();
            if rest.is_empty() {
                return match opened {
                    Some(flags) => self.done(LineKind::Item, flags, Leaf::EmptyItem, behind.at),
                    None => self.done(LineKind::Blank, Flags::START, Leaf::None, behind.at),
                };
            }
            let in_paragraph = matches!(tip, Leaf::Para { .. });
            if indent > 3 {
                if in_paragraph || (lazy && opened.is_none()) {
                    return self.text(tip, lazy, opened, behind.at);
                }
                let mut content = self.cursor;
                content.skip_columns(4);
                let flags = if tip == Leaf::Indented { Flags::default() } else { Flags::START };
                return self.done(LineKind::Code, flags, Leaf::Indented, content.at);
            }
            if let Leaf::Para { cells, .. } = tip
                && cells > 0
                && starts::delimiter_row(rest) == Some(cells.into())
            {
                return self.done(LineKind::Table, Flags::DELIMITER, Leaf::Table, behind.at);
            }
            if rest[0] == b'>' {
                self.cursor = behind;
                self.pass_quote_marker();
                if self.depth < DEPTH {
                    self.open(Container::Quote);
                }
                (tip, opened) = (Leaf::None, Some(Flags::START));
                self.pass_deeper();
                continue;
            }
            if let Some(skip) = starts::atx_heading(rest) {
                let level = rest.iter().take_while(|b| **b == b'#').count() as u8;
                return Lexed {
                    level,
                    ..self.done(LineKind::Heading, Flags::START, Leaf::None, behind.at + skip)
                };
            }
            if let Some((mark, len)) = starts::fence_open(rest) {
                let lang = Lang::of_info(&self.line[behind.at + len..]);
                let len16 = len.min(u16::MAX.into()) as u16;
                let leaf = Leaf::Fence { mark, len: len16, indent: indent as u8, lang, sub: Sub::Fresh };
                return self.done(LineKind::Fence, Flags::START, leaf, behind.at);
            }
            if let Some(end) = starts::html_open(rest, in_paragraph || (lazy && opened.is_none())) {
                let closes = starts::html_close(rest, end);
                let leaf = if closes { Leaf::None } else { Leaf::Html(end) };
                let flags = if closes { Flags::START | Flags::CLOSE } else { Flags::START };
                return self.done(LineKind::Html, flags, leaf, self.cursor.at);
            }
            if in_paragraph && starts::setext_underline(rest) {
                let level = if rest[0] == b'=' { 1 } else { 2 };
                return Lexed { level, ..self.done(LineKind::Heading, Flags::SETEXT, Leaf::None, behind.at) };
            }
            if starts::thematic_break(rest) {
                return self.done(LineKind::Rule, Flags::START, Leaf::None, behind.at);
            }
            if let Some((family, len, first)) = starts::list_marker(rest)
                && !(in_paragraph && (!first || is_blank(&rest[len..])))
            {
                if self.depth == DEPTH {
                    self.cursor = behind;
                    self.cursor.skip_bytes(len);
                    self.pass_markers();
                    (tip, opened) = (Leaf::None, Some(Flags::START));
                    continue;
                }
                let flags = self.open_item(family, len, indent, behind, opened.is_none());
                (tip, opened) = (Leaf::None, Some(flags));
                continue;
            }
            return self.text(tip, lazy, opened, behind.at);
        }
    }

    /// Opens a list item whose marker stands at `marker`, `indent` columns in.
    fn open_item(
        &mut self,
        family: Family,
        len: usize,
        indent: usize,
        marker: Cursor<'a>,
        outermost: bool,
    ) -> Flags {
        let mut cursor = marker;
        cursor.skip_bytes(len);
        let (spaces, behind) = cursor.indent();
        let blank = behind.peek().is_none();
        let padding = if spaces > 4 || blank { 1 } else { spaces };
        cursor.skip_columns(padding);
        self.cursor = cursor;
        let item = Container::Item {
            family,
            marker: indent.min(u16::MAX.into()) as u16,
            content: (indent + len + padding).min(u16::MAX.into()) as u16,
        };
        self.marker = indent.min(u8::MAX.into()) as u8;
        let sibling = outermost && self.continues_list(family, indent);
        self.open(item);
        if sibling { Flags::START | Flags::SIBLING } else { Flags::START }
    }

    /// Whether the line before belongs to an item of the same family and indentation in the same containers, with
    /// nothing but its paragraph in between: then a new item continues the direct list.
    fn continues_list(&self, family: Family, indent: usize) -> bool {
        if !matches!(self.entry.leaf, Leaf::Para { .. } | Leaf::EmptyItem) {
            return false;
        }
        match self.interned.containers.top(self.entry.stack) {
            Some((Container::Item { family: before, marker, .. }, below)) => {
                below == self.stack && before == family && usize::from(marker) == indent
            }
            _ => false,
        }
    }

    fn open(&mut self, container: Container) {
        if let Container::Item { family, .. } = container
            && self.depth == self.kept
        {
            self.item = Some(family);
        }
        self.stack = self.interned.containers.push(self.stack, container);
        self.depth += 1;
    }

    /// A line of text: it continues a paragraph or a table, or begins a paragraph.
    fn text(&mut self, tip: Leaf, lazy: bool, opened: Option<Flags>, content: usize) -> Lexed {
        let weight = (1 + (self.line.len().saturating_sub(1)) / 128).min(UNIT.into()) as u8;
        if lazy && opened.is_none() {
            // CommonMark 4.8 and 5.1: the line belongs to the paragraph in the containers that it does not name.
            self.stack = self.entry.stack;
            self.depth = self.interned.containers.depth(self.stack);
        }
        match (tip, self.entry.leaf) {
            (Leaf::Table, _) => self.done(LineKind::Table, Flags::default(), Leaf::Table, content),
            (Leaf::Para { weight: used, .. }, _) => {
                self.continue_paragraph(used, weight, Flags::default(), content)
            }
            (_, Leaf::Para { weight: used, .. }) if lazy && opened.is_none() => {
                self.continue_paragraph(used, weight, Flags::LAZY, content)
            }
            _ => {
                let leaf = Leaf::Para { cells: self.cells(content), weight };
                let flags = opened.unwrap_or(Flags::START);
                let in_item = matches!(
                    self.interned.containers.top(self.stack),
                    Some((Container::Item { .. }, _)) if opened.is_some()
                );
                let kind = if in_item { LineKind::Item } else { LineKind::Prose };
                self.done(kind, flags, leaf, content)
            }
        }
    }

    /// How many cells the line has as a table's header.
    fn cells(&self, content: usize) -> u8 {
        u8::try_from(starts::header_cells(&self.line.as_bytes()[content..])).unwrap_or(0)
    }

    fn continue_paragraph(&mut self, used: u8, weight: u8, flags: Flags, content: usize) -> Lexed {
        let sum = used.saturating_add(weight);
        let (flags, weight) = if sum > UNIT { (flags, UNIT) } else { (flags | Flags::JOIN, sum) };
        // A lazy line cannot be a table's header: the delimiter row would have to be lazy, too.
        let cells = if flags.has(Flags::LAZY) { 0 } else { self.cells(content) };
        self.done(LineKind::Prose, flags, Leaf::Para { cells, weight }, content)
    }

    fn done(&self, kind: LineKind, flags: Flags, leaf: Leaf, content: usize) -> Lexed {
        let mut flags = flags;
        if self.interned.containers.is_quoted(self.stack) {
            flags = flags | Flags::QUOTED;
        }
        if let Some((Container::Item { .. }, _)) = self.interned.containers.top(self.stack) {
            flags = flags | Flags::IN_ITEM;
        }
        let exit = LexState { stack: self.stack, leaf, given: self.entry.given };
        let Lexer { depth, kept, item, marker, .. } = *self;
        Lexed { exit, kind, flags, depth, kept, item, level: 0, marker, content: content as u32 }
    }
}
