//! Sentences as the forms see them: words, code spans, bare commands and marks, without emphasis.
//!
//! This is no parser of English. It makes just enough of a text for closed grammars to be written over it: a word that
//! has a letter from another script, an invisible character or a backslash stays what it is and fits no grammar.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use memchr::memchr;

use crate::catalogue::words::is_word;

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::facts) struct Token<'u> {
    /// Its bytes in the unit. Of a code span: with its backticks.
    pub(in crate::facts) range: Range<usize>,
    pub(in crate::facts) kind: Kind<'u>,
}

/// What a piece is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::facts) enum Kind<'u> {
    /// A word in lower case, its apostrophe made straight.
    Word(Cow<'u, str>),
    /// A code span (CommonMark 6.1), with the bytes of its content.
    Code(Range<usize>),
    /// A command that stands in the text without being code.
    Bare,
    /// Any other character that is not white space or emphasis.
    Mark(char),
}

impl Token<'_> {
    /// The word, or nothing.
    pub(in crate::facts) fn word(&self) -> &str {
        match &self.kind {
            Kind::Word(word) => word,
            _ => "",
        }
    }

    /// Whether it is one of these words.
    pub(in crate::facts) fn is_in(&self, words: &[&str]) -> bool {
        matches!(&self.kind, Kind::Word(word) if lists(words, word))
    }

    /// Whether it is this mark.
    pub(in crate::facts) fn is(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }

    /// Whether it is a command or other code.
    pub(in crate::facts) fn is_code(&self) -> bool {
        matches!(self.kind, Kind::Code(_) | Kind::Bare)
    }

    /// A dash between clauses: one of the long ones, or a hyphen.
    pub(in crate::facts) fn is_dash(&self) -> bool {
        matches!(self.kind, Kind::Mark('-' | '\u{2013}' | '\u{2014}'))
    }

    /// A quotation mark.
    pub(in crate::facts) fn is_quote(&self) -> bool {
        matches!(
            self.kind,
            Kind::Mark('"' | '\'' | '\u{201c}' | '\u{201d}' | '\u{2018}' | '\u{2019}' | '\u{ab}' | '\u{bb}')
        )
    }
}

/// The words among some pieces.
pub(in crate::facts) fn words<'a>(tokens: &'a [Token<'_>]) -> Vec<&'a str> {
    tokens.iter().map(Token::word).filter(|word| !word.is_empty()).collect()
}

/// Whether a list has the word. The grammars ask some hundred lists for every word of a document: nearly
/// all entries are told apart by their length and first letter, without a call to compare them.
#[inline]
pub(in crate::facts) fn lists(words: &[&str], word: &str) -> bool {
    let Some(first) = word.as_bytes().first() else { return words.contains(&"") };
    words
        .iter()
        .any(|known| known.len() == word.len() && known.as_bytes().first() == Some(first) && *known == word)
}

/// Marks that end a sentence, if white space or the end follows.
pub(in crate::facts) const STOPS: [char; 4] = ['.', '!', '?', ';'];

/// Short forms whose full stop ends no sentence.
const SHORT: [&str; 8] = ["e.g", "i.e", "eg", "ie", "etc", "vs", "cf", "approx"];

/// The pieces of a unit. `hits` are the commands in it, by start; those outside of code become [`Kind::Bare`].
pub(in crate::facts) fn tokens<'u>(unit: &'u str, hits: &[Range<usize>]) -> Vec<Token<'u>> {
    let last_runs = last_runs(unit);
    let mut tokens = Vec::with_capacity((unit.len() / 5).min(128));
    let mut hits = hits.iter().peekable();
    let mut at = 0;
    while let Some(c) = unit[at..].chars().next() {
        while hits.peek().is_some_and(|hit| hit.start < at) {
            hits.next();
        }
        if let Some(hit) = hits.peek()
            && hit.start == at
            && hit.end > at
            && unit.is_char_boundary(hit.end)
        {
            let mut end = hit.end;
            while let Some(next) = hits.next_if(|next| next.start < end) {
                if unit.is_char_boundary(next.end) {
                    end = end.max(next.end);
                }
            }
            tokens.push(Token { range: at..end, kind: Kind::Bare });
            at = end;
            continue;
        }
        let (len, kind) = match c {
            '`' => match code(unit, at, &last_runs) {
                Some((content, end)) => (end - at, Some(Kind::Code(content))),
                None => (unit[at..].bytes().take_while(|b| *b == b'`').count(), Some(Kind::Mark('`'))),
            },
            '*' | '_' => (1, None),
            c if is_word(c) => {
                let len = word_len(&unit[at..]);
                (len, Some(Kind::Word(lower(&unit[at..at + len]))))
            }
            c if c.is_whitespace() => (c.len_utf8(), None),
            c => (c.len_utf8(), Some(Kind::Mark(c))),
        };
        // A bare command that begins inside of a word or of a run is none that this lexer can see: it stays reported.
        if let Some(kind) = kind {
            tokens.push(Token { range: at..at + len, kind });
        }
        at += len.max(1);
    }
    tokens
}

/// A word in lower case, with a straight apostrophe.
fn lower(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    if word.is_ascii() {
        return Cow::Owned(word.to_ascii_lowercase());
    }
    Cow::Owned(word.replace('\u{2019}', "'").to_lowercase())
}

/// Letters and digits, and between two of them apostrophes, hyphens, underscores, full stops and zero-width
/// characters: what a reader takes for one word.
fn word_len(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let joins = matches!(
            c,
            '\'' | '\u{2019}' | '-' | '_' | '.' | '\u{ad}' | '\u{200b}'
                ..='\u{200d}' | '\u{2060}' | '\u{feff}'
        );
        if is_word(c) || (joins && chars.peek().is_some_and(|(_, next)| is_word(*next))) {
            end = at + c.len_utf8();
        } else {
            break;
        }
    }
    end
}

/// For each length of backtick runs, where the last one begins.
fn last_runs(unit: &str) -> HashMap<usize, usize> {
    let bytes = unit.as_bytes();
    let mut last = HashMap::new();
    let mut at = 0;
    while let Some(next) = memchr(b'`', &bytes[at..]) {
        at += next;
        let len = bytes[at..].iter().take_while(|b| **b == b'`').count();
        last.insert(len, at);
        at += len;
    }
    last
}

/// The code span that opens at `at`: its content, and the byte after its closing backticks.
fn code(unit: &str, at: usize, last_runs: &HashMap<usize, usize>) -> Option<(Range<usize>, usize)> {
    let bytes = unit.as_bytes();
    if at > 0 && bytes[at - 1] == b'\\' {
        return None;
    }
    let len = bytes[at..].iter().take_while(|b| **b == b'`').count();
    last_runs.get(&len).filter(|last| **last > at)?;
    let mut next = at + len;
    while next < bytes.len() {
        let run = bytes[next..].iter().take_while(|b| **b == b'`').count();
        if run == len {
            return Some((at + len..next, next + len));
        }
        next += run.max(1);
    }
    None
}

/// A sentence: its pieces, with the mark that ends it, and whether that is the end of the unit.
#[derive(Clone, Copy, Debug)]
pub(in crate::facts) struct Sentence<'a> {
    pub(in crate::facts) tokens: &'a [Token<'a>],
}

impl Sentence<'_> {
    /// Whether it asks.
    pub(in crate::facts) fn asks(&self) -> bool {
        let end = self.tokens.iter().rposition(|t| !(t.is('?') || t.is('!') || t.is('.') || t.is_quote()));
        self.tokens[end.map_or(0, |end| end + 1)..].iter().any(|token| token.is('?'))
    }
}

/// The sentences of a unit: they end at `.`, `!`, `?` or `;` before white space or the end.
pub(in crate::facts) fn sentences<'a>(unit: &str, tokens: &'a [Token<'a>]) -> Vec<Sentence<'a>> {
    let mut sentences = Vec::new();
    let mut start = alert(unit, tokens);
    for (index, token) in tokens.iter().enumerate().skip(start) {
        let Kind::Mark(mark) = token.kind else { continue };
        if !STOPS.contains(&mark) {
            continue;
        }
        let after = unit[token.range.end..]
            .trim_start_matches(['*', '_', '"', '\'', '\u{201d}', '\u{2019}', ')', ']', '\u{bb}']);
        let ends = after.chars().next().is_none_or(char::is_whitespace);
        let short = mark == '.' && index > start && SHORT.contains(&tokens[index - 1].word());
        if ends && !short {
            let mut end = index + 1;
            while end < tokens.len() && tokens[end].range.end <= unit.len() - after.len() {
                end += 1;
            }
            sentences.push(Sentence { tokens: &tokens[start..end] });
            start = end;
        }
    }
    if start < tokens.len() {
        sentences.push(Sentence { tokens: &tokens[start..] });
    }
    sentences.retain(|sentence| !sentence.tokens.is_empty());
    sentences
}

/// The pieces of the line with which a quote is marked as an alert, if the unit begins with one: `[!WARNING]` (GitHub's
/// and Obsidian's Markdown). It is no part of the sentence below it.
fn alert(unit: &str, tokens: &[Token]) -> usize {
    let [open, mark, word, close, ..] = tokens else { return 0 };
    let known = word.is_in(&["note", "tip", "important", "warning", "caution", "danger"]);
    let line = unit[close.range.end..].trim_start_matches([' ', '\t']);
    let alone = line.starts_with('\n') && unit[..open.range.start].trim().is_empty();
    match known && open.is('[') && mark.is('!') && close.is(']') && alone {
        true => 4 + tokens[4..].iter().take_while(|token| token.is('>')).count(),
        false => 0,
    }
}

/// The sentence and the piece in it that is or holds `hit`.
pub(in crate::facts) fn holding(sentences: &[Sentence<'_>], hit: &Range<usize>) -> Option<(usize, usize)> {
    let at = sentences
        .partition_point(|sentence| sentence.tokens.last().is_some_and(|token| token.range.end <= hit.start));
    let tokens = sentences.get(at)?.tokens;
    let place = tokens.partition_point(|token| token.range.end <= hit.start);
    let holds = match &tokens.get(place)?.kind {
        Kind::Code(content) => content.start <= hit.start && hit.end <= content.end,
        Kind::Bare => tokens[place].range.start <= hit.start && hit.end <= tokens[place].range.end,
        _ => false,
    };
    (holds && hit.start < hit.end).then_some((at, place))
}

/// Exception words (seed 1), and others that open one.
pub(in crate::facts) const EXCEPTIONS: [&str; 20] = [
    "but",
    "however",
    "except",
    "unless",
    "excepting",
    "excluding",
    "exception",
    "exceptions",
    "apart",
    "aside",
    "barring",
    "besides",
    "although",
    "though",
    "otherwise",
    "yet",
    "nonetheless",
    "nevertheless",
    "albeit",
    "notwithstanding",
];

/// Words that open a condition or set a time.
pub(in crate::facts) const CONDITIONS: [&str; 14] = [
    "if", "when", "whenever", "until", "till", "without", "while", "whilst", "once", "provided", "assuming",
    "whether", "only", "lest",
];

/// Words that limit place, person or time.
pub(in crate::facts) const LIMITS: [&str; 15] = [
    "on", "in", "from", "as", "at", "by", "before", "after", "during", "for", "outside", "within", "inside",
    "under", "past",
];

/// Whether a text has a character with which letters can be hidden or imitated: any letter that is not ASCII, or a
/// character that is neither ASCII nor one of the marks that English prose is set with.
pub(in crate::facts) fn is_plain(text: &str) -> bool {
    text.chars().all(|c| match c {
        '\n' | '\t' => true,
        c if c.is_ascii() => !c.is_ascii_control(),
        '\u{2013}' | '\u{2014}' | '\u{2018}'..='\u{201d}' | '\u{2022}' | '\u{2026}' | '\u{fe0f}' => true,
        '\u{2190}'..='\u{21ff}' | '\u{2600}'..='\u{27bf}' | '\u{1f300}'..='\u{1faff}' | '\u{203c}' => true,
        _ => false,
    })
}
