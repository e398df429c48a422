//! YAML 1.2, several documents and all.
//!
//! What a line of YAML is depends on everything above it, and a reader that is nearly right would be a place to hide
//! commands in. So a library says what is there; ours is only the way back to the bytes.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::align::{Style, align};
use super::tree::{DEPTH, NodeId, Text, Tree, What};

/// Reads `unit`.
pub(super) fn read(unit: &str) -> Tree<'_> {
    let mut reader = Reader {
        unit,
        bytes: Bytes { unit, ascii: unit.is_ascii(), character: 0, byte: 0 },
        tree: Tree::default(),
        open: Vec::new(),
        anchors: HashMap::new(),
        end: 0,
    };
    for event in Parser::new_from_str(unit) {
        let read = match event {
            Ok((event, span)) => reader.event(event, span),
            Err(_) => None,
        };
        if read.is_none() {
            let end = reader.end;
            reader.tree.fail(end);
            return reader.tree;
        }
    }
    reader.gap(unit.len());
    reader.tree
}

/// From the library's characters to bytes; it goes forward, but for a few steps.
struct Bytes<'a> {
    unit: &'a str,
    ascii: bool,
    character: usize,
    byte: usize,
}

impl Bytes<'_> {
    fn of(&mut self, character: usize) -> usize {
        if self.ascii {
            return character.min(self.unit.len());
        }
        while self.character > character {
            let before = self.unit[..self.byte].chars().next_back().map_or(0, char::len_utf8);
            self.byte -= before;
            self.character -= 1;
        }
        let rest = self.unit[self.byte..].chars().take(character - self.character);
        for c in rest {
            self.byte += c.len_utf8();
            self.character += 1;
        }
        self.byte
    }
}

struct Open<'a> {
    node: NodeId,
    map: bool,
    /// In a map: the key that was read and waits for its value.
    key: Option<Text<'a>>,
    /// In a map: whether the next value is a key.
    at_key: bool,
}

struct Reader<'a> {
    unit: &'a str,
    bytes: Bytes<'a>,
    tree: Tree<'a>,
    open: Vec<Open<'a>>,
    /// The values that may be referred to, by the library's numbers.
    anchors: HashMap<usize, NodeId>,
    /// The byte behind what was read.
    end: usize,
}

impl<'a> Reader<'a> {
    /// `None`: it cannot be read on.
    fn event(&mut self, event: Event<'_>, span: Span) -> Option<()> {
        let (start, end) = (self.bytes.of(span.start.index()), self.bytes.of(span.end.index()));
        match event {
            Event::Scalar(value, style, anchor, tag) => {
                let (text, end) =
                    self.scalar(start..end.max(start), &value, style, anchor > 0 || tag.is_some());
                let from = text.source(0..1).start;
                self.gap(from.max(self.end).min(self.unit.len()));
                self.end = end.max(self.end);
                let node = self.put(What::Scalar(text));
                self.anchors.extend(node.filter(|_| anchor > 0).map(|node| (anchor, node)));
            }
            Event::Alias(anchor) => {
                self.put(What::Alias(self.anchors.get(&anchor).copied()));
            }
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                if self.open.len() >= DEPTH {
                    return None;
                }
                let map = matches!(event, Event::MappingStart(..));
                let node = self.put(if map { What::Map } else { What::List })?;
                if anchor > 0 {
                    self.anchors.insert(anchor, node);
                }
                self.open.push(Open { node, map, key: None, at_key: map });
            }
            Event::SequenceEnd | Event::MappingEnd => {
                self.open.pop();
            }
            _ => {}
        }
        Some(())
    }

    /// Adds a value, or takes it for a key. A key that is no scalar stands as a value without one.
    fn put(&mut self, what: What<'a>) -> Option<NodeId> {
        let Some(open) = self.open.last_mut() else { return Some(self.tree.add(None, None, what)) };
        let mut key = None;
        if open.map {
            open.at_key = !open.at_key;
            match what {
                What::Scalar(text) if !open.at_key => {
                    open.key = Some(text);
                    return None;
                }
                _ => key = if open.at_key { open.key.take() } else { None },
            }
        }
        Some(self.tree.add(Some(open.node), key, what))
    }

    fn scalar(
        &self,
        range: std::ops::Range<usize>,
        value: &str,
        style: ScalarStyle,
        marked: bool,
    ) -> (Text<'a>, usize) {
        let (style, quote) = match style {
            ScalarStyle::SingleQuoted => (Style::Single, Some('\'')),
            ScalarStyle::DoubleQuoted => (Style::Escaped, Some('"')),
            _ => (Style::Plain, None),
        };
        let mut start = range.start;
        // An anchor and a tag stand before the value.
        while marked && self.unit[start..range.end].starts_with(['&', '!']) {
            let rest = &self.unit[start..range.end];
            let word = rest.find([' ', '\t', '\n']).unwrap_or(rest.len());
            let blanks = rest[word..].len() - rest[word..].trim_start().len();
            start += word + blanks;
        }
        start += quote.filter(|quote| self.unit[start..].starts_with(*quote)).map_or(0, char::len_utf8);
        let (text, end) = align(self.unit, start..range.end.max(start), value, style);
        let closes = quote.is_some_and(|quote| self.unit[end..].starts_with(quote));
        (text, end + usize::from(closes))
    }

    /// The comments between what was read and the byte `to`.
    fn gap(&mut self, to: usize) {
        let unit = self.unit;
        let mut at = self.end.min(to);
        while !unit.is_char_boundary(at) {
            at += 1;
        }
        while let Some(found) = unit.get(at..to).and_then(|gap| gap.find('#')) {
            let mark = at + found;
            let before = unit[..mark].chars().next_back();
            if before.is_some_and(|c| !matches!(c, ' ' | '\t' | '\n')) {
                at = mark + 1;
                continue;
            }
            let end = unit[mark..].find('\n').map_or(unit.len(), |end| mark + end);
            let text = unit[mark..end].trim_start_matches(['#', ' ', '\t', '!']);
            if !text.is_empty() {
                self.tree.comments.push(Text::verbatim(unit, end - text.len()..end));
            }
            at = end;
            self.end = self.end.max(end);
            if at >= to {
                break;
            }
        }
    }
}
