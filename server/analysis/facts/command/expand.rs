//! What is replaced when a word runs, and what a person is to replace before: substitutions, variables, placeholders.

use super::read::Reader;
use super::script::Via;
use super::words::{DEPTH, Draft};

impl Reader<'_> {
    /// `$( )`, `<( )`, `>( )`, and PowerShell's `( )`: `skip` bytes open it. The text stays in the word as written.
    /// Whether the word goes on: too deep, the bracket is left for the list, which reads on as if nothing nested.
    pub(super) fn substitution(&mut self, draft: &mut Draft, parent: usize, skip: usize, via: Via) -> bool {
        let begin = self.at;
        draft.word.expands = true;
        if self.depth >= DEPTH {
            self.at += skip - 1;
            draft.copy(self.text, begin, self.at);
            return false;
        }
        let inner = begin + skip;
        let close = self.close(inner, b')');
        self.at = inner;
        // `$((` too is read: what is arithmetic makes no command that matters
        self.nested(close.unwrap_or(self.end), parent, via);
        self.at = close.map_or(self.end, |close| close + 1);
        draft.copy(self.text, begin, self.at);
        true
    }

    /// What `$` begins; whether the word goes on.
    pub(super) fn dollar(&mut self, draft: &mut Draft, parent: usize, in_quotes: bool) -> bool {
        let next = self.byte(self.at + 1);
        match next {
            b'(' if in_quotes && self.depth >= DEPTH => {
                let begin = self.at;
                let mut rest = Draft::default();
                rest.copy(self.text, begin, self.end);
                let via = Some((parent, Via::Substitution));
                self.again(&rest.word.value, &rest.word.origin, self.dialect, via);
                draft.word.expands = true;
                draft.copy(self.text, begin, self.end);
                self.at = self.end;
            }
            b'(' => return self.substitution(draft, parent, 2, Via::Substitution),
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
                let inner = self.at + 2;
                if self.text.text[inner..end].contains(['(', '`']) && self.depth < DEPTH {
                    self.at = inner;
                    self.depth += 1;
                    self.within(end - 1, |reader| reader.expansions(parent));
                    self.depth -= 1;
                }
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
    pub(super) fn close_brace(&self, from: usize) -> Option<usize> {
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

    pub(super) fn is_cmd(&self) -> bool {
        self.marks.escape == b'^'
    }

    /// Whether braces stand for themselves between words, as in PowerShell's blocks.
    pub(super) fn braces_split(&self) -> bool {
        self.marks.doubled
    }

    /// Whether `(` inside a command opens an expression that is part of a word, as in PowerShell.
    pub(super) fn parens_nest(&self) -> bool {
        self.marks.doubled
    }

    /// The end of `%NAME%` here.
    pub(super) fn percent(&self) -> Option<usize> {
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
