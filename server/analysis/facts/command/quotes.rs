//! Quotes: what they hold, and where they close.

use super::read::Reader;
use super::script::Via;
use super::words::{DEPTH, Dead, Draft};

impl Reader<'_> {
    pub(super) fn single(&mut self, draft: &mut Draft) {
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

    /// PowerShell's `@"` … `"@` or `@'` … `'@` (about_Quoting_Rules), if one stands here and closes.
    pub(super) fn here_string(&mut self, draft: &mut Draft, parent: usize) -> bool {
        let quote = self.byte(self.at + 1);
        if !self.marks.doubled || !matches!(quote, b'"' | b'\'') || self.dead.here {
            return false;
        }
        let rest = &self.text.text[self.at + 2..self.end];
        let head = rest.find('\n').filter(|head| rest[..*head].trim().is_empty());
        let Some(body) = head.map(|head| self.at + 2 + head + 1) else { return false };
        let closer = if quote == b'"' { "\n\"@" } else { "\n'@" };
        // the body may be empty: its line end is the one that opens
        let Some(close) = self.text.text[body - 1..self.end].find(closer).map(|len| body - 1 + len) else {
            self.dead.here = true;
            return false;
        };
        draft.word.quoted = true;
        draft.any = true;
        if body < close {
            self.at = body;
            if quote == b'"' {
                self.within(close, |reader| reader.double_body(draft, parent));
            } else {
                draft.copy(self.text, body, close);
            }
        }
        self.at = close + closer.len();
        true
    }

    pub(super) fn is_apostrophe(&self, at: usize) -> bool {
        crate::lines::is_apostrophe(&self.text.text[..self.end], at)
    }

    pub(super) fn close_single(&self, from: usize) -> Option<usize> {
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

    pub(super) fn double(&mut self, draft: &mut Draft, parent: usize) {
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
    pub(super) fn double_body(&mut self, draft: &mut Draft, parent: usize) {
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
                    // too deep inside quotes: what follows is text of the string
                    let _ = self.dollar(draft, parent, true);
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
    pub(super) fn close_double(&mut self, from: usize) -> Option<usize> {
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
    pub(super) fn close(&self, from: usize, closer: u8) -> Option<usize> {
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

    pub(super) fn backquotes(&mut self, draft: &mut Draft, parent: usize) {
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
        } else {
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

    /// `$'…'` (POSIX 2.2.4 of 2024).
    pub(super) fn ansi_c(&mut self, draft: &mut Draft) {
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
}
