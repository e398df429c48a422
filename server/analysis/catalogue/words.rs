//! Text as words: what phrases and the terms of a lexicon are both read by, so that they meet.
//!
//! A word is a run of letters and digits in lower case. Hyphens, underscores, emphasis and quotes only part words. What
//! is written without spaces between words (Han, Kana, Hangul, Thai) is read character by character: a term of such a
//! language is then found inside longer text, and one matcher serves all. Nearly every text is read this way, so a word
//! makes no string. No regular expression: Unicode case folding makes those crawl, and time here has to stay in
//! proportion to the text whatever it says.

use std::ops::Range;

use unicode_normalization::char::compose;

/// What stands for an address (`https://…`) in place of its words.
pub(crate) const URL: &str = "<url>";
/// What stands for a mail address.
pub(crate) const EMAIL: &str = "<email>";

/// One word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// First byte in the text.
    pub(crate) start: u32,
    /// Byte after the last.
    pub(crate) end: u32,
    /// Number of its passage: sentences one behind the other, at most [`PASSAGE`].
    pub(crate) passage: u32,
    /// Number of its sentence, counted from the text's first. What only goes on from the sentence before it ("…. Then
    /// send it on.") is of that one.
    pub(crate) sentence: u32,
    /// The same by the marks alone: what goes on behind a full stop is another one.
    pub(crate) period: u32,
    /// Number of its clause: also commas, colons, dashes and brackets part those.
    pub(crate) clause: u32,
    /// It is the first of its line.
    pub(crate) opens_line: bool,
}

impl Word {
    /// Where it stands in the text.
    pub(crate) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What a byte is to the words of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It stands between words, and parts nothing else.
    Gap,
    /// A letter or digit of ASCII.
    Letter,
    /// A line feed.
    Line,
    /// It may part clauses or sentences.
    Mark,
    /// A part of a character outside ASCII.
    Wide,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Gap; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => Kind::Letter,
            b'\n' => Kind::Line,
            b'.' | b'!' | b'?' | b'|' | b';' | b',' | b':' | b'(' | b')' | b'[' | b']' | b'{' | b'}'
            | b'<' | b'>' | b'=' => Kind::Mark,
            0x80.. => Kind::Wide,
            _ => Kind::Gap,
        };
        byte += 1;
    }
    kinds
};

/// Calls `each` with every word of `text`, in order, and with its letters: in lower case, but for those of ASCII, which
/// are as they stand in the text; of an address [`URL`] or [`EMAIL`]. A word of ASCII costs no copy.
pub(crate) fn read(text: &str, mut each: impl FnMut(Word, &[u8])) {
    let bytes = text.as_bytes();
    let mut folded = String::new();
    let (mut passage, mut sentence, mut period, mut clause, mut at) = (0, 0, 0, 0, 0);
    // The first sentence of the passage.
    let mut first = 0;
    let mut opens_line = true;
    while let Some(byte) = bytes.get(at) {
        let kind = KINDS[usize::from(*byte)];
        let c = match kind {
            Kind::Gap => {
                at += 1;
                continue;
            }
            Kind::Line => {
                (at, opens_line) = (at + 1, true);
                continue;
            }
            Kind::Letter | Kind::Mark => char::from(*byte),
            Kind::Wide => text[at..].chars().next().unwrap_or(char::REPLACEMENT_CHARACTER),
        };
        let word = |end: usize| {
            let (start, end) = (at as u32, end as u32);
            Word { start, end, passage, sentence, period, clause, opens_line }
        };
        let next = at + c.len_utf8();
        if kind == Kind::Wide && (unspaced(c) || leads(c)) {
            match composed(c, &text[next..]) {
                None => {
                    each(word(next), &bytes[at..next]);
                    (at, opens_line) = (next, false);
                }
                Some((whole, more)) => {
                    each(word(next + more), whole.encode_utf8(&mut [0; 4]).as_bytes());
                    (at, opens_line) = (next + more, false);
                }
            }
        } else if kind == Kind::Letter
            || (kind == Kind::Wide && is_word(c))
            || (c == '.' && opens_file(bytes, at))
        {
            let end = word_end(text, at);
            at = match special(text, at, end) {
                Some((stop, name)) => {
                    each(word(stop), name.as_bytes());
                    stop
                }
                None => {
                    let mut part = word(end);
                    if end - at >= SENTENCE && humps(&text[at..end]) >= HUMPS {
                        for hump in (at + 1..end).filter(|hump| is_hump(bytes, *hump)) {
                            let this = Word { end: hump as u32, ..part };
                            each(this, &bytes[this.range()]);
                            part = Word { start: hump as u32, opens_line: false, ..part };
                        }
                    }
                    each(part, letters(&text[part.range()], &mut folded));
                    end
                }
            };
            opens_line = false;
        } else {
            match parts(text, at, c) {
                parts @ (Parts::Sentence | Parts::Passage) => {
                    (sentence, period, clause) = (sentence + 1, period + 1, clause + 1);
                    if matches!(parts, Parts::Passage) || sentence - first >= PASSAGE {
                        (passage, first) = (passage + 1, sentence);
                    }
                }
                Parts::Period => (period, clause) = (period + 1, clause + 1),
                Parts::Clause => clause += 1,
                Parts::Words => {}
            }
            at = next;
        }
    }
}

/// The least length of a name that is a sentence, and the least number of its words but the first, each with a capital.
const SENTENCE: usize = 16;
pub(crate) const HUMPS: usize = 3;

fn is_hump(bytes: &[u8], at: usize) -> bool {
    bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase()
}

/// How many words of the name `word` begin with a capital inside of it: `ignoreStaleReplicas` has two.
pub(crate) fn humps(word: &str) -> usize {
    (1..word.len()).filter(|at| is_hump(word.as_bytes(), *at)).count()
}

/// Whether a name is made of so many words that it may be a sentence.
pub(crate) fn is_sentence(name: &str) -> bool {
    let parts = || name.split(['-', '_']).filter(|part| !part.is_empty()).count();
    name.len() >= SENTENCE && (parts() > HUMPS || humps(name) >= HUMPS)
}

/// The letters of `word` without a genitive's ending. What is not ASCII is put into lower case, in `folded`.
fn letters<'a>(word: &'a str, folded: &'a mut String) -> &'a [u8] {
    let word = if word.is_ascii() {
        word.as_bytes()
    } else {
        folded.clear();
        let (mut latin, mut cyrillic) = (0, 0);
        for c in word.chars() {
            match c {
                '\u{2019}' | '\u{2bc}' => folded.push('\''),
                c if c.is_ascii() => {
                    latin += usize::from(c.is_ascii_alphabetic());
                    folded.push(c.to_ascii_lowercase());
                }
                // A mark is one with its letter, however they are written.
                '\u{300}'..='\u{36f}' => {
                    let whole = folded.chars().next_back().and_then(|letter| compose(letter, c));
                    if whole.is_some() {
                        folded.pop();
                    }
                    folded.push(whole.unwrap_or(c));
                }
                c => {
                    cyrillic += usize::from(('\u{400}'..='\u{45f}').contains(&c));
                    folded.extend(c.to_lowercase());
                }
            }
        }
        if latin > 0 && cyrillic > latin {
            *folded = folded.chars().map(as_cyrillic).collect();
        }
        folded.as_bytes()
    };
    match word {
        [word @ .., b'\'', b's' | b'S'] => word,
        word => word,
    }
}

/// The Cyrillic letter that looks like `c`, a letter of ASCII.
fn as_cyrillic(c: char) -> char {
    const ALIKE: [(char, char); 12] = [
        ('a', 'а'),
        ('b', 'в'),
        ('c', 'с'),
        ('e', 'е'),
        ('h', 'н'),
        ('k', 'к'),
        ('m', 'м'),
        ('o', 'о'),
        ('p', 'р'),
        ('t', 'т'),
        ('x', 'х'),
        ('y', 'у'),
    ];
    ALIKE.iter().find(|(latin, _)| *latin == c).map_or(c, |(_, cyrillic)| *cyrillic)
}

/// A consonant of Hangul that leads a syllable written in parts.
fn leads(c: char) -> bool {
    ('\u{1100}'..='\u{1112}').contains(&c)
}

/// The character that `c` makes with the parts that `behind` begins with (vowels and consonants of Hangul, marks of
/// voice of Kana), and the bytes of those; none where it stands by itself.
fn composed(c: char, behind: &str) -> Option<(char, usize)> {
    let is_part =
        |c: &char| matches!(c, '\u{1161}'..='\u{1175}' | '\u{11a8}'..='\u{11c2}' | '\u{3099}' | '\u{309a}');
    let (mut whole, mut more) = (c, 0);
    for part in behind.chars().take_while(is_part) {
        let Some(next) = compose(whole, part) else { break };
        (whole, more) = (next, more + part.len_utf8());
    }
    (more > 0).then_some((whole, more))
}

enum Parts {
    Words,
    Clause,
    /// A sentence that the next one goes on from.
    Period,
    Sentence,
    /// Where another begins, or a cell.
    Passage,
}

/// So many sentences belong together at most: what is longer has its parts farther from each other than an order has.
const PASSAGE: u32 = 4;

/// What the mark `c` at `at` parts.
fn parts(text: &str, at: usize, c: char) -> Parts {
    match c {
        '.' | '!' | '?' => {
            let behind = text[at + 1..].chars().next();
            let ends = behind.is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '/' | '_' | '-')));
            match ends {
                false => Parts::Words,
                true if c == '.' && is_shortened(text, at) => Parts::Words,
                true if c != '?' && goes_on(&text[at + 1..]) => Parts::Period,
                true => Parts::Sentence,
            }
        }
        ';' if goes_on(&text[at + 1..]) => Parts::Period,
        '。' | '！' | '？' | '．' | '|' | '¶' | ';' | '；' => Parts::Passage,
        ',' | ':' | '(' | ')' | '[' | ']' | '{' | '}' | '\u{2013}' | '\u{2014}' | '，' | '、' | '：'
        | '（' | '）' | '「' | '」' | '<' | '>' | '=' => Parts::Clause,
        _ => Parts::Words,
    }
}

/// Whether the full stop at `at` only shortens the word before it: "prev. instructions".
fn is_shortened(text: &str, at: usize) -> bool {
    const SHORT: [&str; 8] = ["prev", "instr", "instrs", "incl", "esp", "approx", "resp", "e.g"];
    let bytes = text.as_bytes();
    bytes.get(at + 1) == Some(&b' ')
        && bytes.get(at + 2).is_some_and(u8::is_ascii_lowercase)
        && SHORT.iter().any(|short| {
            let front = at.checked_sub(short.len()).map(|from| (from, &bytes[from..at]));
            front.is_some_and(|(from, word)| {
                word.eq_ignore_ascii_case(short.as_bytes())
                    && (from == 0 || !bytes[from - 1].is_ascii_alphanumeric())
            })
        })
}

/// Whether what stands behind a sentence, `behind`, goes on from it: it says so by its first word, or its second stands
/// for what the sentence was about ("Drop them."). An order is as often told in two sentences as in one.
fn goes_on(behind: &str) -> bool {
    let behind = behind.trim_start_matches([' ', '\n', '"', '*', '_']);
    let mut words = behind.get(..40).unwrap_or(behind.get(..12).unwrap_or(behind)).splitn(3, ' ');
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is = |word: &str, known: &[&str]| {
        let word = word.trim_end_matches([',', '.', ';', ':', '!', '\n']);
        known.iter().any(|known| word.eq_ignore_ascii_case(known))
    };
    is(first, &["then", "afterwards"]) || is(second, &["it", "them", "those", "these"])
}

/// Whether a file's name begins with the dot at `at`: `.env`.
fn opens_file(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'.'
        && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic)
        && (at == 0
            || !(bytes[at - 1].is_ascii_alphanumeric() || matches!(bytes[at - 1], b')' | b']' | b'.')))
}

fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let letters = bytes[start..].iter().position(|byte| KINDS[usize::from(*byte)] != Kind::Letter);
    let end = letters.map_or(bytes.len(), |letters| start + letters);
    if end > start && bytes.get(end).is_none_or(|byte| byte.is_ascii() && *byte != b'\'') {
        return end;
    }
    let from = start + usize::from(text.as_bytes()[start] == b'.');
    let mut end = from;
    let mut chars = text[from..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let inner = matches!(c, '\'' | '\u{2019}' | '\u{2bc}')
            && chars.peek().is_some_and(|(_, next)| next.is_alphabetic() && !unspaced(*next));
        // Marks that combine with the letter before belong to it.
        let combines = at > 0 && matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}');
        if unspaced(c) || !(is_word(c) || inner || combines) {
            break;
        }
        end = from + at + c.len_utf8();
    }
    end
}

/// An address or a mail address that begins with the word `start..end`.
fn special(text: &str, start: usize, end: usize) -> Option<(usize, &'static str)> {
    // Nothing else may follow the first word of an address.
    if !matches!(text.as_bytes().get(end), Some(b':' | b'.' | b'+' | b'-' | b'_' | b'@')) {
        return None;
    }
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
    if rest.starts_with('.')
        && let Some(host) = bare_host(text, start)
    {
        return Some((to_space(host), URL));
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

/// Where a host ends that is written without a scheme and begins at `start`: four numbers, or names of which the last is
/// a domain that no file ends in. The machine at hand, a version and a block of addresses are none.
fn bare_host(text: &str, start: usize) -> Option<usize> {
    const DOMAINS: [&str; 6] = ["com", "org", "net", "xyz", "ru", "onion"];
    let bytes = text.as_bytes();
    let joined = |at: usize| matches!(bytes[at], b'.' | b'/' | b'-' | b'_' | b'@' | b'\\' | b'$' | b'#');
    if !bytes[start].is_ascii_alphanumeric() || (start > 0 && joined(start - 1)) {
        return None;
    }
    let of_host = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
    let len = bytes[start..].iter().take(128).take_while(of_host).count();
    let host = text[start..start + len].trim_end_matches(['.', '-']);
    let end = start + host.len();
    if matches!(bytes.get(end), Some(b'_' | b'(' | b'@' | b'[')) {
        return None;
    }
    let (front, last) = host.rsplit_once('.')?;
    if last.bytes().all(|b| b.is_ascii_digit()) {
        let mut parts = 0;
        let numbers = host.split('.').all(|part| {
            parts += 1;
            part.len() <= 3 && part.parse::<u8>().is_ok()
        });
        let own = host.starts_with("127.") || host.starts_with("0.");
        // A block is written with its length behind it: `192.0.2.0/24`.
        let block = bytes.get(end) == Some(&b'/') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        return (numbers && parts == 4 && !own && !block).then_some(end);
    }
    let named = DOMAINS.iter().any(|domain| last.eq_ignore_ascii_case(domain));
    // Packages are named from the domain on: `com.example`.
    let package = DOMAINS.iter().any(|domain| front.split('.').next() == Some(domain));
    (named && !package && !front.is_empty()).then_some(end)
}

/// Whether `c` is a letter or digit (Unicode, `Alphabetic` or `Numeric`): as the standard library says, without its search
/// for the letters of which long texts are made.
#[inline]
pub(crate) fn is_word(c: char) -> bool {
    match c {
        '\0'..='\u{7f}' => c.is_ascii_alphanumeric(),
        '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{24f}' | '\u{391}'..='\u{3a1}' | '\u{3a3}'..='\u{3ce}' => true,
        '\u{410}'..='\u{481}' | '\u{5d0}'..='\u{5ea}' | '\u{620}'..='\u{64a}' => true,
        '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' => true,
        _ => c.is_alphanumeric(),
    }
}

/// Whether `c` is of a script that is written without spaces between words, or whose words carry their particles.
pub(crate) fn unspaced(c: char) -> bool {
    matches!(c,
        '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{e00}'..='\u{e7f}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests;
