//! The word lexer: one word from its first byte to its last, decoded, whatever the quoting.
//!
//! It never fails. A quote or bracket that does not close is looked for once and then counts as nothing, so that text
//! behind it is still read as commands; nesting is bounded; the work is linear in the text.

use super::origin::Origin;
use super::read::Reader;
use super::script::{Via, Word};

/// How deep substitutions and inner strings are followed.
pub(super) const DEPTH: u8 = 8;

/// A text that is read, and where it stands in the unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'t> {
    pub(super) text: &'t str,
    /// `None`: the text is the unit itself.
    pub(super) origin: Option<&'t Origin>,
}

impl Text<'_> {
    pub(super) fn start(&self, at: usize) -> usize {
        self.origin.map_or(at, |origin| origin.start(at))
    }

    pub(super) fn end(&self, at: usize) -> usize {
        self.origin.map_or(at, |origin| origin.end(at))
    }
}

/// The kinds of quotes that are known not to close before the end in force; another one of the kind counts as nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dead {
    pub(super) single: bool,
    pub(super) double: bool,
    pub(super) back: bool,
    pub(super) ansi: bool,
    pub(super) here: bool,
    /// Not a quote: looking through substitutions for one found none.
    pub(super) nested: bool,
}

/// A word in the making.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) word: Word,
    /// Whether anything was read, even an empty pair of quotes.
    pub(super) any: bool,
}

impl Draft {
    /// Copies bytes `from..to` of the text as they are.
    pub(super) fn copy(&mut self, text: Text<'_>, from: usize, to: usize) {
        let at = self.word.value.len();
        match text.origin {
            None if from < to => self.word.origin.push(at, from, to),
            None => {}
            Some(origin) => origin.copy(from, to, at, &mut self.word.origin),
        }
        self.word.value.push_str(&text.text[from..to]);
        self.any = true;
    }

    /// Puts `c` for the bytes `from..to`.
    pub(super) fn put(&mut self, text: Text<'_>, c: char, from: usize, to: usize) {
        self.word.origin.push(self.word.value.len(), text.start(from), text.end(to));
        self.word.value.push(c);
        self.any = true;
    }
}

/// Whether a byte ends an unquoted word in a POSIX shell (POSIX 2.2: blanks and operators).
fn ends_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

/// Whether a byte means something inside an unquoted word.
fn is_special(byte: u8) -> bool {
    ends_word(byte)
        || matches!(
            byte,
            b'\\'
                | b'\''
                | b'"'
                | b'`'
                | b'$'
                | b'*'
                | b'?'
                | b'['
                | b'{'
                | b'}'
                | b'%'
                | b'^'
                | b'@'
                | 0xC2
                | 0xE1
                | 0xE2
                | 0xE3
        )
}

impl Reader<'_> {
    /// The byte `ahead` bytes further on, 0 at the end.
    pub(super) fn peek(&self, ahead: usize) -> u8 {
        let at = self.at + ahead;
        if at < self.end { self.text.text.as_bytes()[at] } else { 0 }
    }

    pub(super) fn byte(&self, at: usize) -> u8 {
        if at < self.end { self.text.text.as_bytes()[at] } else { 0 }
    }

    /// The length of the character at `at`.
    pub(super) fn char_len(&self, at: usize) -> usize {
        self.text.text[at..].chars().next().map_or(1, char::len_utf8)
    }

    /// The length of the blank beyond ASCII here, 0 if there is none: a no-break space and its kin (Unicode's class Zs),
    /// typed by accident or to deceive; the reader sees a blank.
    pub(super) fn wide_blank(&self) -> usize {
        match (self.peek(0), self.peek(1), self.peek(2)) {
            (0xC2, 0xA0, _) => 2,
            (0xE1, 0x9A, 0x80) | (0xE3, 0x80, 0x80) | (0xE2, 0x81, 0x9F) => 3,
            (0xE2, 0x80, 0x80..=0x8A | 0xAF) => 3,
            _ => 0,
        }
    }

    /// Reads the word at the current place; `None` if there is none. Substitutions in it become children of `parent`.
    pub(super) fn word(&mut self, parent: usize) -> Option<Word> {
        let begin = self.at;
        let mut draft = Draft::default();
        while self.at < self.end {
            if !self.piece(&mut draft, parent) {
                break;
            }
        }
        if self.at == begin || !draft.any {
            return None;
        }
        let mut word = draft.word;
        word.span = self.text.start(begin)..self.text.end(self.at);
        if word.value.is_empty() {
            word.origin = Origin::verbatim(word.span.start, 0);
        }
        if matches!(word.value.as_str(), "..." | "\u{2026}") {
            word.placeholder = true;
        }
        Some(word)
    }

    /// Reads a piece that belongs to no word.
    pub(super) fn loose_piece(&mut self, parent: usize) -> bool {
        self.piece(&mut Draft::default(), parent)
    }

    /// Reads the next piece of a word; whether the word goes on.
    pub(super) fn piece(&mut self, draft: &mut Draft, parent: usize) -> bool {
        let marks = self.marks;
        let begin = self.at;
        while self.at < self.end && !is_special(self.text.text.as_bytes()[self.at]) {
            self.at += 1;
        }
        if self.at > begin {
            draft.copy(self.text, begin, self.at);
            return true;
        }
        let byte = self.peek(0);
        if byte == marks.escape {
            return self.escape(draft);
        }
        match byte {
            b'\'' if marks.single => self.single(draft),
            b'"' => self.double(draft, parent),
            b'`' if marks.backquotes => self.backquotes(draft, parent),
            b'$' if marks.dollar => return self.dollar(draft, parent, false),
            b'<' | b'>' if self.peek(1) == b'(' && marks.backquotes => {
                let via = if byte == b'<' { Via::Output } else { Via::Input };
                return self.substitution(draft, parent, 2, via);
            }
            b'<' | b'[' | b'{' | b'%' => match self.placeholder() {
                Some(end) => {
                    draft.copy(self.text, self.at, end);
                    draft.word.placeholder = true;
                    self.at = end;
                }
                None if byte == b'<' => return false,
                None if byte == b'{' && self.braces_split() => return false,
                None => {
                    draft.word.glob |= byte == b'[';
                    draft.word.expands |= byte == b'%' && self.is_cmd() && self.percent().is_some();
                    self.ordinary(draft);
                }
            },
            b'}' if self.braces_split() => return false,
            b'@' if self.here_string(draft, parent) => {}
            b'(' | b'@' if self.parens_nest() && (byte == b'(' || self.peek(1) == b'(') => {
                return self.substitution(draft, parent, if byte == b'@' { 2 } else { 1 }, Via::Substitution);
            }
            b';' if !marks.semicolon => self.ordinary(draft),
            _ if ends_word(byte) => return false,
            b'*' | b'?' => {
                draft.word.glob = true;
                self.ordinary(draft);
            }
            _ if byte > 0x7F && self.wide_blank() > 0 => return false,
            // curly quotes: an editor's work on what was typed as straight ones
            0xE2 if self.byte(self.at + 1) == 0x80 && matches!(self.byte(self.at + 2), 0x98..=0x9D) => {
                draft.word.quoted = true;
                draft.any = true;
                self.at += 3;
            }
            _ => self.ordinary(draft),
        }
        true
    }

    /// One character that means nothing here.
    pub(super) fn ordinary(&mut self, draft: &mut Draft) {
        let end = self.at + self.char_len(self.at);
        draft.copy(self.text, self.at, end);
        self.at = end;
    }

    pub(super) fn escape(&mut self, draft: &mut Draft) -> bool {
        let next = self.at + 1;
        if next >= self.end {
            self.at = self.end;
            draft.any |= !draft.word.value.is_empty();
            return false;
        }
        if self.byte(next) == b'\n' {
            self.at = next + 1;
            // in the middle of a word the parts are joined
            return draft.any;
        }
        let end = next + self.char_len(next);
        draft.word.quoted = true;
        draft.copy(self.text, next, end);
        self.at = end;
        true
    }
}
