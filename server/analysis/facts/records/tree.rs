//! A record's values, and where each stands.

use std::borrow::Cow;
use std::ops::Range;

use crate::facts::view::{Map, Mapped};

/// Values that lie deeper are not read as values: the record counts as broken there, and is read by lines.
pub(in crate::facts) const DEPTH: usize = 128;

/// How many maps one may have merged into it, and how deep.
const MERGES: (usize, usize) = (8, 2);

/// A string of a record as its reader gets it, and the way back to the unit that it was read from.
#[derive(Clone, Debug)]
pub(in crate::facts) struct Text<'a> {
    /// After unescaping.
    pub(in crate::facts) value: Cow<'a, str>,
    /// Where the value's first byte stands, if all others follow it one by one.
    start: usize,
    /// The way back where they do not.
    map: Option<Map>,
}

impl<'a> Text<'a> {
    /// The bytes `range` of `unit` as they are.
    pub(in crate::facts) fn verbatim(unit: &'a str, range: Range<usize>) -> Text<'a> {
        Text { start: range.start, value: Cow::Borrowed(&unit[range]), map: None }
    }

    /// A value that was put together.
    pub(in crate::facts) fn mapped(mapped: Mapped) -> Text<'a> {
        Text { start: 0, value: Cow::Owned(mapped.text), map: Some(mapped.map) }
    }

    /// Whether the unit shows it as it is.
    pub(in crate::facts) fn is_verbatim(&self) -> bool {
        self.map.is_none()
    }

    /// The bytes of the unit that the bytes `range` of the value stand for. What a value joins may stand in another
    /// order than it was written: then it is the stretch that holds both ends.
    pub(in crate::facts) fn source(&self, range: Range<usize>) -> Range<usize> {
        let Some(map) = &self.map else {
            let end = range.end.max(range.start);
            return self.start + range.start..self.start + end;
        };
        if range.end <= range.start + 1 {
            return map.source(range);
        }
        let first = map.source(range.start..range.start + 1);
        let last = map.source(range.end - 1..range.end);
        first.start.min(last.start)..first.end.max(last.end)
    }

    /// `inner`, which was read in this value, as a text of this one's unit.
    pub(in crate::facts) fn with<'b>(&self, inner: &Text<'_>) -> Text<'b> {
        let (mut mapped, mut at) = (Mapped::new(), 0);
        for c in inner.value.chars() {
            let end = at + c.len_utf8();
            let source = inner.source(at..end);
            mapped.push_replaced(&inner.value[at..end], self.source(source));
            at = end;
        }
        Text::mapped(mapped)
    }

    /// Adds it to `mapped`, a text of the same unit.
    pub(in crate::facts) fn append(&self, mapped: &mut Mapped) {
        self.append_part(0..self.value.len(), mapped);
    }

    /// Adds the bytes `part` of the value to `mapped`, a text of the same unit.
    pub(super) fn append_part(&self, part: Range<usize>, mapped: &mut Mapped) {
        if self.map.is_none() {
            let start = self.start + part.start;
            return mapped.push_verbatim(&self.value[part], start);
        }
        // One character at a time where it was unescaped: a run of the map is private to it.
        let mut at = part.start;
        for c in self.value[part].chars() {
            let end = at + c.len_utf8();
            let source = self.source(at..end);
            if source.len() == c.len_utf8() {
                mapped.push_verbatim(&self.value[at..end], source.start);
            } else {
                mapped.push_replaced(&self.value[at..end], source);
            }
            at = end;
        }
    }
}

/// A value's number in its [`Tree`].
pub(in crate::facts) type NodeId = u32;

/// A value.
#[derive(Debug)]
pub(in crate::facts) struct Node<'a> {
    /// What it stands in; `None` for the value of a whole document.
    pub(in crate::facts) parent: Option<NodeId>,
    /// How many stand before it in there.
    index: u32,
    /// Its key, where it stands in a map.
    pub(in crate::facts) key: Option<Text<'a>>,
    /// What it is.
    pub(in crate::facts) what: What<'a>,
    first: Option<NodeId>,
    last: Option<NodeId>,
    next: Option<NodeId>,
    children: u32,
}

/// What a value is.
#[derive(Debug)]
pub(in crate::facts) enum What<'a> {
    /// A map (JSON: object, TOML: table).
    Map,
    /// A list.
    List,
    /// Anything else: numbers and such are what is written.
    Scalar(Text<'a>),
    /// A reference to another value: which, if it stands before it.
    Alias(Option<NodeId>),
}

/// All the values of a text, those that hold others before them, in order.
#[derive(Debug, Default)]
pub(in crate::facts) struct Tree<'a> {
    pub(in crate::facts) nodes: Vec<Node<'a>>,
    /// The comments, each a line or a part of one, without its marks.
    pub(in crate::facts) comments: Vec<Text<'a>>,
    /// Where it could not be read on: from that byte's line on it is to be read by lines.
    pub(in crate::facts) fault: Option<usize>,
}

impl<'a> Tree<'a> {
    /// Adds a value behind all others of `parent`.
    pub(super) fn add(&mut self, parent: Option<NodeId>, key: Option<Text<'a>>, what: What<'a>) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let mut index = 0;
        if let Some(parent) = parent {
            let parent = &mut self.nodes[parent as usize];
            index = parent.children;
            parent.children += 1;
            parent.first = parent.first.or(Some(id));
            if let Some(before) = parent.last.replace(id) {
                self.nodes[before as usize].next = Some(id);
            }
        }
        self.nodes.push(Node { parent, index, key, what, first: None, last: None, next: None, children: 0 });
        id
    }

    /// Says that it could not be read on from `at`; the first time counts.
    pub(super) fn fail(&mut self, at: usize) {
        self.fault = Some(self.fault.map_or(at, |known| known.min(at)));
    }

    pub(in crate::facts) fn node(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[id as usize]
    }

    /// The values in `id`, in order.
    pub(in crate::facts) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(self.meant(id)).first, |id| self.node(*id).next)
    }

    /// The value that `id` is: of a reference the one that it refers to.
    pub(in crate::facts) fn meant(&self, id: NodeId) -> NodeId {
        match self.node(id).what {
            What::Alias(Some(to)) => to,
            _ => id,
        }
    }

    /// The last value in `id`.
    pub(super) fn last(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).last
    }

    /// What stands under `key` in the map `id`, or in those that are merged into it; case matters.
    pub(in crate::facts) fn get(&self, id: NodeId, key: &str) -> Option<NodeId> {
        self.own(id, key).or_else(|| self.merged(id, key, MERGES.1))
    }

    fn own(&self, id: NodeId, key: &str) -> Option<NodeId> {
        self.children(id).find(|child| self.key(*child) == Some(key))
    }

    /// The same in the maps that the merge key names (YAML, type `merge`).
    fn merged(&self, id: NodeId, key: &str, deep: usize) -> Option<NodeId> {
        let from = self.own(id, "<<").filter(|_| deep > 0)?;
        let look = |map: NodeId| self.own(map, key).or_else(|| self.merged(map, key, deep - 1));
        match self.node(self.meant(from)).what {
            What::Map => look(from),
            What::List => self.children(from).take(MERGES.0).find_map(look),
            _ => None,
        }
    }

    /// What stands there under `key` last, if it does so several times.
    pub(in crate::facts) fn get_last(&self, id: NodeId, key: &str) -> Option<NodeId> {
        self.children(id).filter(|child| self.key(*child) == Some(key)).last()
    }

    /// The key under which `id` stands.
    pub(in crate::facts) fn key(&self, id: NodeId) -> Option<&str> {
        self.node(id).key.as_ref().map(|key| &*key.value)
    }

    /// The string that `id` is.
    pub(in crate::facts) fn scalar(&self, id: NodeId) -> Option<&Text<'a>> {
        match &self.node(self.meant(id)).what {
            What::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// Where `id` is, as a JSON Pointer (RFC 6901). A key is shown only if it is a plain name; else `~k` and its place
    /// among its siblings stand for it, which no escape of a pointer begins with: a key is text of the document. Where
    /// `named` is not set, those stand for every key.
    pub(in crate::facts) fn pointer(&self, id: NodeId, named: bool) -> String {
        let mut path = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            let node = self.node(id);
            if node.parent.is_some() {
                path.push(match self.key(id) {
                    None => node.index.to_string(),
                    Some(key) if named && is_plain(key) => key.to_owned(),
                    Some(_) => format!("~k{}", node.index),
                });
            }
            at = node.parent;
        }
        let mut pointer = String::new();
        for part in path.iter().rev() {
            pointer.push('/');
            pointer.push_str(part);
        }
        pointer
    }
}

/// The most words that a key may have, and the most characters of one, to be shown: names have few, and a sentence to
/// whoever reads the report has more.
const WORDS: (usize, usize) = (3, 20);

/// `[A-Za-z0-9_.-]{1,40}` (CONTRACTS), of a few words.
fn is_plain(key: &str) -> bool {
    let sign = |byte: u8| b"_.-".contains(&byte);
    if !(1..=40).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_alphanumeric() || sign(byte)) {
        return false;
    }
    let (mut words, mut length, mut before) = (0, 0, b'-');
    for byte in key.bytes() {
        let begins = sign(before) || (byte.is_ascii_uppercase() && !before.is_ascii_uppercase());
        if !sign(byte) {
            length = if begins { 1 } else { length + 1 };
            words += usize::from(begins);
        }
        if words > WORDS.0 || length > WORDS.1 {
            return false;
        }
        before = byte;
    }
    true
}
