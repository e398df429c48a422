//! JSON (RFC 8259) as people write it in settings: with comments and trailing commas (JSONC), and with bare or
//! single-quoted keys (JSON5).
//!
//! A reader of our own, because a half-typed document has to keep its findings: missing commas and brackets are nothing
//! to it, several values may follow each other, members may stand without the braces around them, and where it gives up
//! all before that is read.

use std::ops::Range;

use super::tree::{DEPTH, NodeId, Text, Tree, What};
use crate::facts::view::Mapped;

/// Reads `unit`.
pub(super) fn read(unit: &str) -> Tree<'_> {
    let at = if unit.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut reader = Reader { unit, at, tree: Tree::default(), open: Vec::new(), key: None };
    if let Err(Fault) = reader.run() {
        let at = reader.at;
        reader.tree.fail(at);
    } else if let Some(unclosed) = reader.open.last()
        && unclosed.bracket.is_some()
    {
        reader.tree.fail(unit.len());
    }
    reader.tree
}

/// It cannot be read on.
struct Fault;

struct Open {
    node: NodeId,
    /// How deep it lies in its tree.
    depth: usize,
    map: bool,
    /// What closes it; `None` for members without braces.
    bracket: Option<u8>,
}

struct Reader<'a> {
    unit: &'a str,
    at: usize,
    tree: Tree<'a>,
    open: Vec<Open>,
    /// The key that was read and waits for its value.
    key: Option<Text<'a>>,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.unit.as_bytes().get(self.at).copied()
    }

    fn run(&mut self) -> Result<(), Fault> {
        loop {
            self.blanks()?;
            let Some(byte) = self.peek() else { return Ok(()) };
            match (byte, self.open.last()) {
                (b',' | b'}' | b']', _) if self.key.is_some() => {
                    let missing = Text::verbatim(self.unit, self.at..self.at);
                    self.add(What::Scalar(missing));
                }
                (b',', _) => self.at += 1,
                (b'}' | b']', Some(open)) if open.bracket == Some(byte) => {
                    self.at += 1;
                    self.open.pop();
                    self.key = None;
                }
                (_, Some(open)) if open.map && self.key.is_none() => self.member()?,
                _ => self.value(byte)?,
            }
        }
    }

    /// White space, comments, and the dots that stand for what an example leaves out.
    fn blanks(&mut self) -> Result<(), Fault> {
        let bytes = self.unit.as_bytes();
        while let Some(byte) = self.peek() {
            let rest = &bytes[self.at..];
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if rest.starts_with(b"//") {
                let end = memchr::memchr(b'\n', rest).map_or(bytes.len(), |end| self.at + end);
                self.comment(self.at + 2..end);
                self.at = end;
            } else if rest.starts_with(b"/*") {
                let Some(end) = self.unit[self.at + 2..].find("*/") else { return Err(Fault) };
                let (mut start, end) = (self.at + 2, self.at + 2 + end);
                for line in self.unit[start..end].split_inclusive('\n') {
                    self.comment(start..start + line.trim_end().len());
                    start += line.len();
                }
                self.at = end + 2;
            } else if rest.starts_with(b"...") {
                self.at += 3;
            } else if self.unit[self.at..].starts_with('\u{2026}') {
                self.at += '\u{2026}'.len_utf8();
            } else {
                break;
            }
        }
        Ok(())
    }

    fn comment(&mut self, range: Range<usize>) {
        let text = &self.unit[range.clone()];
        let start = range.start + (text.len() - text.trim_start_matches([' ', '\t', '*', '/']).len());
        if start < range.end {
            self.tree.comments.push(Text::verbatim(self.unit, start..range.end));
        }
    }

    /// A key and its colon.
    fn member(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let key = match self.peek() {
            Some(quote @ (b'"' | b'\'')) => self.string(quote)?,
            _ => self.word()?,
        };
        self.blanks()?;
        if self.peek() != Some(b':') {
            self.at = start;
            return Err(Fault);
        }
        self.at += 1;
        self.key = Some(key);
        Ok(())
    }

    fn value(&mut self, byte: u8) -> Result<(), Fault> {
        let start = self.at;
        match byte {
            b'{' | b'[' => {
                self.at += 1;
                let map = byte == b'{';
                let depth = self.depth(map);
                let node = self.add(if map { What::Map } else { What::List });
                self.open.push(Open { node, depth, map, bracket: Some(if map { b'}' } else { b']' }) });
            }
            b'"' | b'\'' => {
                let text = self.string(byte)?;
                // Members without braces: a part of an object, as examples show it.
                if self.open.is_empty() {
                    self.blanks()?;
                    if self.peek() == Some(b':') {
                        self.at = start;
                        let node = self.add(What::Map);
                        self.open.push(Open { node, depth: 1, map: true, bracket: None });
                        return Ok(());
                    }
                }
                self.add(What::Scalar(text));
            }
            _ => {
                let text = self.word()?;
                self.add(What::Scalar(text));
            }
        }
        Ok(())
    }

    /// How deep a list or map lies that begins here. So deep down a tree of its own begins: nothing is lost but the keys
    /// above, and no walk up is long. A list under a key stays with its map: the two may be one command.
    fn depth(&self, map: bool) -> usize {
        let above = self.open.last().map_or(0, |open| open.depth);
        if above >= DEPTH && (map || self.key.is_none()) { 1 } else { above + 1 }
    }

    fn add(&mut self, what: What<'a>) -> NodeId {
        let cuts = match what {
            What::Map => self.depth(true) == 1,
            What::List => self.depth(false) == 1,
            _ => false,
        };
        let parent = self.open.last().filter(|_| !cuts).map(|open| open.node);
        let key = self.key.take();
        self.tree.add(parent, key, what)
    }

    /// A number, `true`, `null`, or a name (JSON5).
    fn word(&mut self) -> Result<Text<'a>, Fault> {
        let rest = &self.unit.as_bytes()[self.at..];
        let word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$+.-".contains(byte) || *byte >= 0x80;
        let len = rest.iter().take_while(|byte| word(byte)).count();
        if len == 0 {
            return Err(Fault);
        }
        self.at += len;
        Ok(Text::verbatim(self.unit, self.at - len..self.at))
    }

    /// A string, which ends on its line unless a backslash joins the lines (JSON5).
    fn string(&mut self, quote: u8) -> Result<Text<'a>, Fault> {
        let bytes = self.unit.as_bytes();
        let open = self.at;
        let mut at = open + 1;
        let mut from = at;
        let mut mapped: Option<Mapped> = None;
        loop {
            let Some(found) = memchr::memchr3(quote, b'\\', b'\n', &bytes[at..]) else { return Err(Fault) };
            at += found;
            match bytes[at] {
                b'\n' => return Err(Fault),
                b'\\' => {
                    let mapped = mapped.get_or_insert_default();
                    mapped.push_verbatim(&self.unit[from..at], from);
                    let Some((character, len)) = escape(&self.unit[at..]) else { return Err(Fault) };
                    if let Some(character) = character {
                        mapped.push_replaced(character.encode_utf8(&mut [0; 4]), at..at + len);
                    }
                    at += len;
                    from = at;
                }
                _ => break,
            }
        }
        self.at = at + 1;
        Ok(match mapped {
            None => Text::verbatim(self.unit, from..at),
            Some(mut mapped) => {
                mapped.push_verbatim(&self.unit[from..at], from);
                Text::mapped(mapped)
            }
        })
    }
}

/// What the escape at the beginning of `text` stands for, and its length (RFC 8259, 7). A character that needs none
/// stands for itself; a half of a pair alone is U+FFFD; a line end is nothing.
fn escape(text: &str) -> Option<(Option<char>, usize)> {
    let character = text[1..].chars().next()?;
    Some(match character {
        'b' => (Some('\u{8}'), 2),
        'f' => (Some('\u{c}'), 2),
        'n' => (Some('\n'), 2),
        'r' => (Some('\r'), 2),
        't' => (Some('\t'), 2),
        '\n' => (None, 2),
        // JSON5: a byte of Latin-1.
        'x' => {
            let digits =
                text.get(2..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
            (u32::from_str_radix(digits, 16).ok().and_then(char::from_u32), 4)
        }
        'u' => {
            let unit = |at: usize| {
                let digits = text.get(at..at + 4)?;
                let known = text.get(at - 2..at) == Some("\\u")
                    && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                known.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
            };
            let first = unit(2)?;
            let pair = unit(8).filter(|_| (0xD800..0xDC00).contains(&first));
            let units = [first, pair.unwrap_or_default()];
            let both = pair.and_then(|_| char::decode_utf16(units).next()?.ok());
            match both {
                Some(character) => (Some(character), 12),
                None => (Some(char::from_u32(first.into()).unwrap_or('\u{fffd}')), 6),
            }
        }
        other => (Some(other), 1 + other.len_utf8()),
    })
}
