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
    single: bool,
    double: bool,
    back: bool,
    ansi: bool,
    /// Not a quote: looking through substitutions for one found none.
    nested: bool,
}

/// A word in the making.
#[derive(Default)]
struct Draft {
    word: Word,
    /// Whether anything was read, even an empty pair of quotes.
    any: bool,
}

impl Draft {
    /// Copies bytes `from..to` of the text as they are.
    fn copy(&mut self, text: Text<'_>, from: usize, to: usize) {
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
    fn put(&mut self, text: Text<'_>, c: char, from: usize, to: usize) {
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
                | 0xE2
        )
}

impl Reader<'_> {
    /// The byte `ahead` bytes further on, 0 at the end.
    pub(super) fn peek(&self, ahead: usize) -> u8 {
        let at = self.at + ahead;
        if at < self.end { self.text.text.as_bytes()[at] } else { 0 }
    }

    fn byte(&self, at: usize) -> u8 {
        if at < self.end { self.text.text.as_bytes()[at] } else { 0 }
    }

    /// The length of the character at `at`.
    fn char_len(&self, at: usize) -> usize {
        self.text.text[at..].chars().next().map_or(1, char::len_utf8)
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
    fn piece(&mut self, draft: &mut Draft, parent: usize) -> bool {
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
                self.substitution(draft, parent, 2, via);
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
            b'(' | b'@' if self.parens_nest() && (byte == b'(' || self.peek(1) == b'(') => {
                self.substitution(draft, parent, if byte == b'@' { 2 } else { 1 }, Via::Substitution);
            }
            b';' if !marks.semicolon => self.ordinary(draft),
            _ if ends_word(byte) => return false,
            b'*' | b'?' => {
                draft.word.glob = true;
                self.ordinary(draft);
            }
            // no-break space: typed by accident or to deceive; the reader sees a blank
            0xC2 if self.byte(self.at + 1) == 0xA0 => return false,
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
    fn ordinary(&mut self, draft: &mut Draft) {
        let end = self.at + self.char_len(self.at);
        draft.copy(self.text, self.at, end);
        self.at = end;
    }

    fn escape(&mut self, draft: &mut Draft) -> bool {
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

    fn single(&mut self, draft: &mut Draft) {
        let open = self.at;
        let apostrophe = self.lax && self.is_apostrophe(open);
        let close = if apostrophe || self.dead.single { None } else { self.close_single(open + 1) };
        let Some(close) = close else {
            self.dead.single |= !apostrophe && !self.lax;
            if apostrophe {
                self.ordinary(draft);
            } else {
                self.at += 1;
                draft.word.quoted = true;
                draft.any = true;
            }
            return;
        };
        draft.word.quoted = true;
        draft.any = true;
        let mut from = open + 1;
        if self.marks.doubled {
            while let Some(found) = self.text.text[from..close].find("''") {
                draft.copy(self.text, from, from + found + 1);
                from += found + 2;
            }
        }
        draft.copy(self.text, from, close);
        self.at = close + 1;
    }

    fn is_apostrophe(&self, at: usize) -> bool {
        crate::lines::is_apostrophe(&self.text.text[..self.end], at)
    }

    fn close_single(&self, from: usize) -> Option<usize> {
        let bytes = &self.text.text.as_bytes()[..self.end];
        let mut at = from;
        loop {
            at += bytes.get(at..)?.iter().position(|byte| *byte == b'\'' || (*byte == b'\n' && self.lax))?;
            if bytes[at] == b'\n' {
                return None;
            }
            if !(self.marks.doubled && bytes.get(at + 1) == Some(&b'\'')) {
                return Some(at);
            }
            at += 2;
        }
    }

    fn double(&mut self, draft: &mut Draft, parent: usize) {
        let open = self.at;
        draft.word.quoted = true;
        draft.any = true;
        let close = if self.dead.double { None } else { self.close_double(open + 1) };
        self.at = open + 1;
        let Some(close) = close else {
            self.dead.double = true;
            return;
        };
        self.within(close, |reader| reader.double_body(draft, parent));
        self.at = close + 1;
    }

    /// Reads up to `end` as if the text ended there.
    pub(super) fn within(&mut self, end: usize, read: impl FnOnce(&mut Self)) {
        let outer = (self.end, self.dead);
        (self.end, self.dead) = (end, Dead::default());
        read(self);
        (self.end, self.dead) = outer;
    }

    /// The text between double quotes, up to the end in force (POSIX 2.2.3).
    fn double_body(&mut self, draft: &mut Draft, parent: usize) {
        while self.at < self.end {
            let begin = self.at;
            while self.at < self.end
                && !matches!(
                    self.text.text.as_bytes()[self.at],
                    b'\\' | b'`' | b'$' | b'^' | b'"' | b'{' | b'<' | b'%'
                )
            {
                self.at += 1;
            }
            draft.copy(self.text, begin, self.at);
            if self.at >= self.end {
                break;
            }
            let byte = self.peek(0);
            let next = self.byte(self.at + 1);
            match byte {
                b'"' => {
                    // a doubled quote, or one that the text escaped in another way
                    draft.copy(self.text, self.at, self.at + 1);
                    self.at += if next == b'"' { 2 } else { 1 };
                }
                b'\\' | b'`' | b'^' if byte == self.marks.escape => match next {
                    b'\n' => self.at += 2,
                    0 => self.ordinary(draft),
                    b'\\' | b'"' | b'$' | b'`' => {
                        draft.copy(self.text, self.at + 1, self.at + 2);
                        self.at += 2;
                    }
                    _ if byte == b'`' => {
                        let end = self.at + 1 + self.char_len(self.at + 1);
                        draft.copy(self.text, self.at + 1, end);
                        self.at = end;
                    }
                    _ => self.ordinary(draft),
                },
                b'`' if self.marks.backquotes => self.backquotes(draft, parent),
                b'$' if self.marks.dollar => {
                    self.dollar(draft, parent, true);
                }
                b'{' | b'<' | b'%' => match self.placeholder() {
                    Some(end) => {
                        draft.copy(self.text, self.at, end);
                        draft.word.placeholder = true;
                        self.at = end;
                    }
                    None => {
                        draft.word.expands |= byte == b'%' && self.is_cmd() && self.percent().is_some();
                        self.ordinary(draft);
                    }
                },
                _ => self.ordinary(draft),
            }
        }
    }

    /// The place of the double quote that closes. Looking through substitutions is tried until it fails once; then the
    /// next double quote closes.
    fn close_double(&mut self, from: usize) -> Option<usize> {
        if !self.dead.nested {
            if let Some(close) = self.close(from, b'"') {
                return Some(close);
            }
            self.dead.nested = true;
        }
        let mut at = from;
        while at < self.end {
            match self.byte(at) {
                byte if byte == self.marks.escape && byte != b'^' => at += 2,
                b'"' if self.marks.doubled && self.byte(at + 1) == b'"' => at += 2,
                b'"' => return Some(at),
                _ => at += 1,
            }
        }
        None
    }

    /// The place of `closer`, a double quote or a bracket, looking through what nests. One pass, whatever the text.
    fn close(&self, from: usize, closer: u8) -> Option<usize> {
        // what is open, outermost first, with the number of plain brackets open in it
        let mut open = [(closer, 0usize); DEPTH as usize + 1];
        let mut level = 0;
        let most = usize::from(DEPTH.saturating_sub(self.depth));
        let mut single = true;
        let mut at = from;
        while at < self.end {
            let byte = self.byte(at);
            let quoted = open[level].0 == b'"';
            match byte {
                _ if byte == self.marks.escape && byte != b'^' => at += 2,
                b'"' if quoted && self.marks.doubled && self.byte(at + 1) == b'"' => at += 2,
                b'"' if quoted && level == 0 => return Some(at),
                b'"' if quoted => {
                    level -= 1;
                    at += 1;
                }
                b'"' if level < most => {
                    level += 1;
                    open[level] = (b'"', 0);
                    at += 1;
                }
                b'$' if quoted && self.marks.dollar && self.byte(at + 1) == b'(' && level < most => {
                    level += 1;
                    open[level] = (b')', 0);
                    at += 2;
                }
                b'\'' if !quoted && self.marks.single && single && !(self.lax && self.is_apostrophe(at)) => {
                    match self.close_single(at + 1) {
                        Some(close) => at = close + 1,
                        None => {
                            single = false;
                            at += 1;
                        }
                    }
                }
                b'(' if !quoted => {
                    open[level].1 += 1;
                    at += 1;
                }
                b')' if !quoted && open[level].1 > 0 => {
                    open[level].1 -= 1;
                    at += 1;
                }
                b')' if !quoted && level == 0 => return Some(at),
                b')' if !quoted => {
                    level -= 1;
                    at += 1;
                }
                _ => at += 1,
            }
        }
        None
    }

    /// `$( )`, `<( )`, `>( )`, and PowerShell's `( )`: `skip` bytes open it. The text stays in the word as written.
    fn substitution(&mut self, draft: &mut Draft, parent: usize, skip: usize, via: Via) {
        let begin = self.at;
        draft.word.expands = true;
        if self.depth >= DEPTH {
            self.at += skip;
            draft.copy(self.text, begin, self.at);
            return;
        }
        let inner = begin + skip;
        let close = self.close(inner, b')');
        self.at = inner;
        // `$((` is arithmetic where it ends with `))`; nothing in it is run
        let arithmetic = via == Via::Substitution
            && skip == 2
            && self.byte(inner) == b'('
            && close.is_some_and(|close| self.byte(close.wrapping_sub(1)) == b')');
        if !arithmetic {
            self.nested(close.unwrap_or(self.end), parent, via);
        }
        self.at = close.map_or(self.end, |close| close + 1);
        draft.copy(self.text, begin, self.at);
    }

    fn backquotes(&mut self, draft: &mut Draft, parent: usize) {
        let begin = self.at;
        let mut close = begin + 1;
        let mut escaped = false;
        while close < self.end && self.byte(close) != b'`' {
            escaped |= self.byte(close) == b'\\';
            close += if self.byte(close) == b'\\' { 2 } else { 1 };
        }
        if self.dead.back || close >= self.end {
            self.dead.back = true;
            self.at += 1;
            draft.word.quoted = true;
            draft.any = true;
            return;
        }
        draft.word.expands = true;
        if self.depth < DEPTH && !escaped {
            self.at = begin + 1;
            self.nested(close, parent, Via::Substitution);
        } else if self.depth < DEPTH {
            let mut inner = Draft::default();
            let mut at = begin + 1;
            while at < close {
                let skip =
                    usize::from(self.byte(at) == b'\\' && matches!(self.byte(at + 1), b'`' | b'\\' | b'$'));
                let from = (at + skip).min(close);
                let end = (from + self.char_len(from)).min(close);
                inner.copy(self.text, from, end);
                at = end.max(at + 1);
            }
            self.again(
                &inner.word.value,
                &inner.word.origin,
                self.dialect,
                Some((parent, Via::Substitution)),
            );
        }
        self.at = close + 1;
        draft.copy(self.text, begin, self.at);
    }

    /// What `$` begins; whether the word goes on.
    fn dollar(&mut self, draft: &mut Draft, parent: usize, in_quotes: bool) -> bool {
        let next = self.byte(self.at + 1);
        match next {
            b'(' => self.substitution(draft, parent, 2, Via::Substitution),
            b'\'' if !in_quotes && self.marks.backquotes => self.ansi_c(draft),
            b'"' if !in_quotes => self.at += 1,
            b'{' => {
                if let Some(end) = self.placeholder() {
                    draft.copy(self.text, self.at, end);
                    draft.word.placeholder = true;
                    self.at = end;
                    return true;
                }
                let end = self.close_brace(self.at + 2).unwrap_or(self.at + 2);
                if !in_quotes && &self.text.text[self.at..end] == "${IFS}" {
                    self.at = end;
                    return false;
                }
                draft.word.expands = true;
                draft.copy(self.text, self.at, end);
                self.at = end;
            }
            // empty in an interactive shell; between letters it can only hide the word
            b'@' | b'*' | b'1'..=b'9'
                if !in_quotes
                    && draft.word.value.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
                    && self.byte(self.at + 2).is_ascii_alphanumeric() =>
            {
                draft.word.quoted = true;
                self.at += 2;
            }
            b'@' | b'*' | b'#' | b'?' | b'!' | b'-' | b'$' | b'0'..=b'9' => {
                draft.word.expands = true;
                draft.copy(self.text, self.at, self.at + 2);
                self.at += 2;
            }
            _ if next.is_ascii_alphabetic() || next == b'_' => {
                let mut end = self.at + 2;
                while self.byte(end).is_ascii_alphanumeric() || matches!(self.byte(end), b'_') {
                    end += 1;
                }
                // `$env:NAME` of PowerShell
                while self.marks.doubled && self.byte(end) == b':' && self.byte(end + 1).is_ascii_alphabetic()
                {
                    end += 2;
                    while self.byte(end).is_ascii_alphanumeric() || self.byte(end) == b'_' {
                        end += 1;
                    }
                }
                if !in_quotes && &self.text.text[self.at..end] == "$IFS" {
                    self.at = end;
                    if self.byte(end) == b'$' && self.byte(end + 1).is_ascii_digit() {
                        self.at += 2;
                    }
                    return false;
                }
                draft.word.expands = true;
                draft.copy(self.text, self.at, end);
                self.at = end;
            }
            _ => self.ordinary(draft),
        }
        true
    }

    /// The byte after the `}` that closes `${`.
    fn close_brace(&self, from: usize) -> Option<usize> {
        let mut at = from;
        let mut open = 1;
        while at < self.end && at < from + 512 {
            match self.byte(at) {
                b'\\' => at += 1,
                b'\n' => return None,
                b'{' if open >= DEPTH => return None,
                b'{' => open += 1,
                b'}' => {
                    open -= 1;
                    if open == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// `$'…'` (POSIX 2.2.4 of 2024).
    fn ansi_c(&mut self, draft: &mut Draft) {
        let mut close = self.at + 2;
        while close < self.end && self.byte(close) != b'\'' {
            close += if self.byte(close) == b'\\' { 2 } else { 1 };
        }
        draft.word.quoted = true;
        draft.any = true;
        if self.dead.ansi || close >= self.end {
            self.dead.ansi = true;
            self.at += 2;
            return;
        }
        let mut at = self.at + 2;
        while at < close {
            if self.byte(at) != b'\\' {
                let end = at + self.char_len(at);
                draft.copy(self.text, at, end);
                at = end;
                continue;
            }
            let digits = |from: usize, radix: u32, most: usize| {
                let mut code = 0u32;
                let mut end = from;
                while end < close.min(from + most) {
                    let Some(digit) = char::from(self.byte(end)).to_digit(radix) else { break };
                    code = code * radix + digit;
                    end += 1;
                }
                (end > from).then_some((code, end))
            };
            let code = match self.byte(at + 1) {
                b'x' => digits(at + 2, 16, 2),
                b'u' => digits(at + 2, 16, 4),
                b'U' => digits(at + 2, 16, 8),
                b'0'..=b'7' => digits(at + 1, 8, 3),
                b'n' => Some((10, at + 2)),
                b't' => Some((9, at + 2)),
                _ => None,
            };
            match code.and_then(|(code, end)| Some((char::from_u32(code)?, end))) {
                Some((c, end)) => {
                    draft.put(self.text, c, at, end);
                    at = end;
                }
                None => {
                    let end = (at + 1 + self.char_len(at + 1)).min(close);
                    draft.copy(self.text, (at + 1).min(end), end);
                    at = end.max(at + 1);
                }
            }
        }
        self.at = close + 1;
    }

    fn is_cmd(&self) -> bool {
        self.marks.escape == b'^'
    }

    /// Whether braces stand for themselves between words, as in PowerShell's blocks.
    fn braces_split(&self) -> bool {
        self.marks.doubled
    }

    /// Whether `(` inside a command opens an expression that is part of a word, as in PowerShell.
    pub(super) fn parens_nest(&self) -> bool {
        self.marks.doubled
    }

    /// The end of `%NAME%` here.
    fn percent(&self) -> Option<usize> {
        let rest = &self.text.text.as_bytes()[self.at + 1..self.end];
        let len = rest.iter().take(65).position(|byte| *byte == b'%')?;
        let name = &rest[..len];
        (!name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
            .then_some(self.at + len + 2)
    }

    /// The end of the placeholder here: `<name>`, `[NAME]`, `{{ x }}`, `${{ x }}`, `%NAME%`.
    pub(super) fn placeholder(&self) -> Option<usize> {
        let text = &self.text.text[self.at..self.end];
        let bytes = text.as_bytes();
        let close = |open: usize, end: &str| {
            let mut limit = text.len().min(open + 96);
            while !text.is_char_boundary(limit) {
                limit -= 1;
            }
            let inner = text.get(open..limit)?;
            let len = inner.find(end)?;
            let inner = &inner[..len];
            (!inner.is_empty() && !inner.contains('\n')).then_some((inner, open + len + end.len()))
        };
        let end = match bytes.first()? {
            b'{' if text.starts_with("{{") => close(2, "}}")?.1,
            b'$' if text.starts_with("${{") => close(3, "}}")?.1,
            b'<' => {
                let (inner, end) = close(1, ">")?;
                let named = inner.starts_with(char::is_alphabetic)
                    && !inner.ends_with(' ')
                    && inner.chars().all(|c| c.is_alphanumeric() || " _-./:|,'".contains(c));
                named.then_some(end)?
            }
            b'[' => {
                let (inner, end) = close(1, "]")?;
                let named = inner.len() > 1
                    && (inner
                        .bytes()
                        .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b" _-".contains(&b))
                        || inner.starts_with("your"));
                (named
                    && inner.contains(|c: char| c.is_alphabetic())
                    && !(inner.contains('-') && inner.len() < 4))
                    .then_some(end)?
            }
            b'%' if !self.is_cmd() => {
                let end = self.percent()?;
                bytes[1].is_ascii_uppercase().then_some(end - self.at)?
            }
            _ => return None,
        };
        Some(self.at + end)
    }
}
