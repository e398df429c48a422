//! Text as words: what phrases and the terms of a lexicon are both read by, so that they meet.
//!
//! A word is a run of letters and digits in lower case. Hyphens, underscores, emphasis and quotes only part words. What
//! is written without spaces between words (Han, Kana, Hangul, Thai) is read character by character: a term of such a
//! language is then found inside longer text, and one matcher serves all. No regular expression: Unicode case folding
//! makes those crawl, and time here has to stay in proportion to the text whatever it says.

use std::ops::Range;

/// What stands for an address (`https://…`) in place of its words.
pub(crate) const URL: &str = "<url>";
/// What stands for a mail address.
pub(crate) const EMAIL: &str = "<email>";

/// The words of a text. Their letters stand together in one string, so that a line costs few allocations.
#[derive(Debug, Default)]
pub(crate) struct Words {
    letters: String,
    words: Vec<Word>,
}

/// One word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// First byte in the text.
    pub(crate) start: u32,
    /// Byte after the last.
    pub(crate) end: u32,
    /// Number of its sentence, counted from the text's first.
    pub(crate) sentence: u32,
    /// Number of its clause: also commas, colons, dashes and brackets part those.
    pub(crate) clause: u32,
    /// It is the first of its line.
    pub(crate) opens_line: bool,
    letters: (u32, u32),
}

impl Word {
    /// Where it stands in the text.
    pub(crate) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Words {
    /// The words of `text`.
    pub(crate) fn of(text: &str) -> Words {
        let mut words = Words::default();
        words.read(text);
        words
    }

    pub(crate) fn all(&self) -> &[Word] {
        &self.words
    }

    /// The letters of `word` in lower case, or [`URL`] or [`EMAIL`].
    pub(crate) fn letters(&self, word: &Word) -> &str {
        &self.letters[word.letters.0 as usize..word.letters.1 as usize]
    }

    fn read(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let (mut sentence, mut clause, mut at) = (0, 0, 0);
        let mut opens_line = true;
        while at < text.len() {
            let Some(c) = text[at..].chars().next() else { break };
            let next = at + c.len_utf8();
            if unspaced(c) {
                self.push(text, at..next, (sentence, clause), opens_line);
                (at, opens_line) = (next, false);
            } else if c.is_alphanumeric() || opens_file(bytes, at) {
                let end = word_end(text, at);
                let special = special(text, at, end);
                let (stop, name) = special.unwrap_or((end, ""));
                if name.is_empty() {
                    self.push(text, at..stop, (sentence, clause), opens_line);
                } else {
                    let from = self.letters.len() as u32;
                    self.letters.push_str(name);
                    let letters = (from, self.letters.len() as u32);
                    let (start, end) = (at as u32, stop as u32);
                    self.words.push(Word { start, end, sentence, clause, opens_line, letters });
                }
                (at, opens_line) = (stop, false);
            } else {
                match parts(text, at, c) {
                    Parts::Sentence => (sentence, clause) = (sentence + 1, clause + 1),
                    Parts::Clause => clause += 1,
                    Parts::Words => {}
                }
                opens_line |= c == '\n';
                at = next;
            }
        }
    }

    /// Adds the word at `range`, of the given sentence and clause.
    fn push(&mut self, text: &str, range: Range<usize>, (sentence, clause): (u32, u32), opens_line: bool) {
        let from = self.letters.len() as u32;
        for c in text[range.clone()].chars() {
            match c {
                '\u{2019}' | '\u{2bc}' => self.letters.push('\''),
                c if c.is_ascii() => self.letters.push(c.to_ascii_lowercase()),
                c => self.letters.extend(c.to_lowercase()),
            }
        }
        if self.letters[from as usize..].ends_with("'s") {
            self.letters.truncate(self.letters.len() - 2);
        }
        let letters = (from, self.letters.len() as u32);
        let (start, end) = (range.start as u32, range.end as u32);
        self.words.push(Word { start, end, sentence, clause, opens_line, letters });
    }
}

enum Parts {
    Words,
    Clause,
    Sentence,
}

/// What the mark `c` at `at` parts.
fn parts(text: &str, at: usize, c: char) -> Parts {
    match c {
        '.' | '!' | '?' => {
            let behind = text[at + 1..].chars().next();
            let ends = behind.is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '/' | '_' | '-')));
            if ends { Parts::Sentence } else { Parts::Words }
        }
        '。' | '！' | '？' | '．' | '|' | '¶' | ';' | '；' => Parts::Sentence,
        ',' | ':' | '(' | ')' | '[' | ']' | '{' | '}' | '\u{2013}' | '\u{2014}' | '，' | '、' | '：'
        | '（' | '）' | '「' | '」' | '<' | '>' | '=' => Parts::Clause,
        _ => Parts::Words,
    }
}

/// Whether a file's name begins with the dot at `at`: `.env`.
fn opens_file(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'.'
        && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic)
        && (at == 0
            || !(bytes[at - 1].is_ascii_alphanumeric() || matches!(bytes[at - 1], b')' | b']' | b'.')))
}

fn word_end(text: &str, start: usize) -> usize {
    let from = start + usize::from(text.as_bytes()[start] == b'.');
    let mut end = from;
    let mut chars = text[from..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let inner = matches!(c, '\'' | '\u{2019}' | '\u{2bc}')
            && chars.peek().is_some_and(|(_, next)| next.is_alphabetic() && !unspaced(*next));
        // Marks that combine with the letter before belong to it.
        let combines = at > 0 && matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}');
        if unspaced(c) || !(c.is_alphanumeric() || inner || combines) {
            break;
        }
        end = from + at + c.len_utf8();
    }
    end
}

/// An address or a mail address that begins with the word `start..end`.
fn special(text: &str, start: usize, end: usize) -> Option<(usize, &'static str)> {
    let rest = &text[end..];
    let word = &text[start..end];
    let to_space = |from: usize| {
        let stop = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>' | ')' | ']' | '|');
        let len = text[from..].find(stop).unwrap_or(text.len() - from);
        from + text[from..from + len].trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']).len()
    };
    let scheme = rest.starts_with("://") && word.len() <= 8 && word.is_ascii();
    let www = word.eq_ignore_ascii_case("www") && rest.starts_with('.');
    if scheme || www {
        return Some((to_space(end), URL));
    }
    // The local part may go on: `first.last+tag@example.com`.
    let local = rest
        .bytes()
        .take(64)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'-' | b'_'));
    let at = end + local.count();
    if text[at..].starts_with('@') {
        let host = text[at + 1..].bytes().take(128);
        let host = host.take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-')).count();
        let host = text[at + 1..at + 1 + host].trim_end_matches(['.', '-']);
        if host.contains('.') {
            return Some((at + 1 + host.len(), EMAIL));
        }
    }
    None
}

/// Whether `c` is of a script that is written without spaces between words, or whose words carry their particles.
pub(crate) fn unspaced(c: char) -> bool {
    matches!(c,
        '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{e00}'..='\u{e7f}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, u32, u32)]) {
        let words = Words::of(text);
        let got: Vec<_> =
            words.all().iter().map(|word| (words.letters(word), word.sentence, word.clause)).collect();
        assert_eq!(got, expected, "{text}");
        for word in words.all() {
            assert!(text.is_char_boundary(word.range().start) && text.is_char_boundary(word.range().end));
        }
    }

    #[test]
    fn words_sentences_and_clauses() {
        check("Don\u{2019}t, ever. STOP", &[("don't", 0, 0), ("ever", 0, 1), ("stop", 1, 2)]);
        check(
            "the model's pre-set *role*",
            &[("the", 0, 0), ("model", 0, 0), ("pre", 0, 0), ("set", 0, 0), ("role", 0, 0)],
        );
        check(
            "send .env to v1.2 of AGENTS.md.",
            &[
                ("send", 0, 0),
                (".env", 0, 0),
                ("to", 0, 0),
                ("v1", 0, 0),
                ("2", 0, 0),
                ("of", 0, 0),
                ("agents", 0, 0),
                ("md", 0, 0),
            ],
        );
        check("Игнорируй ИНСТРУКЦИИ", &[("игнорируй", 0, 0), ("инструкции", 0, 0)]);
        check("忽略x。指", &[("忽", 0, 0), ("略", 0, 0), ("x", 0, 0), ("指", 1, 1)]);
    }

    #[test]
    fn addresses_are_one_word() {
        check("to https://a.example/x?y=1. Then", &[("to", 0, 0), (URL, 0, 0), ("then", 1, 1)]);
        check("mail a.b@c.example, now", &[("mail", 0, 0), (EMAIL, 0, 0), ("now", 0, 1)]);
        check("me @ home, a@b", &[("me", 0, 0), ("home", 0, 0), ("a", 0, 1), ("b", 0, 1)]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_in_order(text in "\\PC{0,80}") {
            let words = Words::of(&text);
            let mut end = 0;
            for word in words.all() {
                proptest::prop_assert!(word.start >= end && word.end > word.start);
                proptest::prop_assert!(text.get(word.range()).is_some());
                end = word.end;
            }
        }
    }
}
