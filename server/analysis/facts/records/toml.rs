//! TOML 1.1. The library that reads `caveat.toml` tells its parts; ours is the tree, and the way back to the bytes.

use std::borrow::Cow;
use std::collections::HashMap;

use toml_parser::decoder::Encoding;
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};
use toml_parser::{ParseError, Source};

use super::align::{Style, align};
use super::tree::{DEPTH, NodeId, Text, Tree, What};

/// Reads `unit`.
pub(super) fn read(unit: &str) -> Tree<'_> {
    let source = Source::new(unit);
    let tokens = source.lex().into_vec();
    let mut events: Vec<Event> = Vec::new();
    let mut fault: Option<ParseError> = None;
    let mut receive = |event: Event| events.push(event);
    let mut guard = RecursionGuard::new(&mut receive, DEPTH as u32);
    parse_document(&tokens, &mut guard, &mut fault);
    let fault = fault.map(|fault| fault.unexpected().or(fault.context()).map_or(0, |span| span.start()));
    let mut tree = Tree::default();
    let root = tree.add(None, None, What::Map);
    let mut reader = Reader {
        unit,
        source,
        tree,
        known: HashMap::new(),
        path: Vec::new(),
        key: None,
        open: vec![Open { node: root, for_one: false }],
    };
    for event in events {
        if fault.is_some_and(|fault| event.span().start() >= fault) || reader.event(event).is_none() {
            reader.tree.fail(event.span().start());
            break;
        }
    }
    if let Some(fault) = fault {
        reader.tree.fail(fault);
    }
    reader.tree
}

struct Open {
    node: NodeId,
    /// It was entered by a key, for that key's value.
    for_one: bool,
}

struct Reader<'a> {
    unit: &'a str,
    source: Source<'a>,
    tree: Tree<'a>,
    /// The tables by where they stand: they may be named again.
    known: HashMap<(NodeId, String), NodeId>,
    /// The keys that were read and wait for what they name.
    path: Vec<Text<'a>>,
    key: Option<Text<'a>>,
    open: Vec<Open>,
}

impl<'a> Reader<'a> {
    fn event(&mut self, event: Event) -> Option<()> {
        match event.kind() {
            EventKind::SimpleKey => {
                let text = self.text(event, true);
                self.path.push(text);
            }
            EventKind::KeyValSep => {
                let into = self.open.last()?.node;
                let key = self.path.pop();
                let into = self.walk(into)?;
                self.key = key;
                // What follows goes into the table that the dots named.
                self.open.push(Open { node: into, for_one: true });
            }
            EventKind::Scalar => {
                let text = self.text(event, false);
                self.put(What::Scalar(text));
                self.leave();
            }
            EventKind::ArrayOpen | EventKind::InlineTableOpen => {
                let map = event.kind() == EventKind::InlineTableOpen;
                let node = self.put(if map { What::Map } else { What::List });
                self.open.push(Open { node, for_one: false });
            }
            EventKind::ArrayClose | EventKind::InlineTableClose => {
                self.open.pop();
                self.leave();
            }
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                self.open.truncate(1);
                self.path.clear();
                self.key = None;
            }
            EventKind::StdTableClose => {
                let table = self.walk(0)?;
                self.open.truncate(1);
                self.open.push(Open { node: table, for_one: false });
            }
            EventKind::ArrayTableClose => {
                let last = self.path.pop();
                let into = self.walk(0)?;
                let name = (into, last.as_ref()?.value.clone().into_owned());
                let list = match self.known.get(&name) {
                    Some(list) => *list,
                    None => {
                        let list = self.tree.add(Some(into), last, What::List);
                        self.known.insert(name, list);
                        list
                    }
                };
                let table = self.tree.add(Some(list), None, What::Map);
                // A table that is named below it stands in the newest one.
                self.open.truncate(1);
                self.open.push(Open { node: table, for_one: false });
            }
            EventKind::Comment => {
                let span = event.span();
                let text = self.unit[span.start()..span.end()].trim_start_matches(['#', ' ', '\t']);
                if !text.is_empty() {
                    self.tree.comments.push(Text::verbatim(self.unit, span.end() - text.len()..span.end()));
                }
            }
            EventKind::Error => return None,
            _ => {}
        }
        Some(())
    }

    /// A value is read: what was entered for its key's sake is left.
    fn leave(&mut self) {
        if self.open.last().is_some_and(|open| open.for_one) {
            self.open.pop();
        }
    }

    fn put(&mut self, what: What<'a>) -> NodeId {
        let key = self.key.take();
        let into = self.open.last().map(|open| open.node);
        self.tree.add(into, key, what)
    }

    /// The table that the waiting keys name below `from`; it is made where it is new.
    fn walk(&mut self, from: NodeId) -> Option<NodeId> {
        let mut at = from;
        if self.path.len() > DEPTH {
            return None;
        }
        for key in std::mem::take(&mut self.path) {
            let name = (at, key.value.clone().into_owned());
            at = match self.known.get(&name) {
                // The newest entry of an array of tables.
                Some(known) => match self.tree.node(*known).what {
                    What::List => self.tree.last(*known).unwrap_or(*known),
                    _ => *known,
                },
                None => {
                    let table = self.tree.add(Some(at), Some(key), What::Map);
                    self.known.insert(name, table);
                    table
                }
            };
        }
        Some(at)
    }

    fn text(&self, event: Event, key: bool) -> Text<'a> {
        let span = event.span();
        let range = span.start()..span.end();
        let Some(raw) = self.source.get(event) else { return Text::verbatim(self.unit, range) };
        let mut value: Cow<'a, str> = Cow::Borrowed("");
        if key {
            raw.decode_key(&mut value, &mut ());
        } else {
            let _kind = raw.decode_scalar(&mut value, &mut ());
        }
        let (style, mark) = match event.encoding() {
            None => return Text::verbatim(self.unit, range),
            Some(Encoding::LiteralString) => (Style::Plain, "'"),
            Some(Encoding::BasicString) => (Style::Escaped, "\""),
            Some(Encoding::MlLiteralString) => (Style::Plain, "'''"),
            Some(Encoding::MlBasicString) => (Style::Escaped, "\"\"\""),
        };
        let quotes = mark.len();
        let mut start = (range.start + quotes).min(range.end);
        // A line end right behind the opening quotes is no part of it.
        if quotes == 3 && self.unit[start..range.end].starts_with('\n') {
            start += 1;
        }
        // The closing one may be missing.
        let end = self.unit[start..range.end].strip_suffix(mark).map_or(range.end, |text| start + text.len());
        align(self.unit, start..end, &value, style).0
    }
}
