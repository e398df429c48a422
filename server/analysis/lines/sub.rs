//! The state between two lines of a fence: whether a command goes on.
//!
//! A *logical command* is one command over many lines: continued by a backslash, inside an open quote, or followed by
//! a here-document. It is the unit in which a fence is read, and its facts stand on its first line.

use super::{Fed, Format, Lang, permission_rules, shebang};

/// The name of a here-document's delimiter, interned per document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NameId(pub u32);

/// Where the next line of a fence stands with respect to the command before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Sub {
    /// A new command begins.
    #[default]
    Fresh,
    /// The command goes on after a trailing continuation (or a trailing `|`, `&&`, `||`).
    Continued {
        /// How many lines it may still go on: a bound, so that a missing end costs a bounded stretch.
        left: u16,
    },
    /// Inside a quoted string.
    Quoted {
        /// The quote character.
        by: u8,
        /// How many lines it may still go on.
        left: u8,
    },
    /// Inside a here-document.
    HereDoc {
        /// The delimiter that ends it.
        delim: NameId,
        /// Who runs its text.
        by: Fed,
        /// Whether leading tabs before the delimiter are stripped (`<<-`).
        tabs: bool,
        /// Whether `$(...)` in it is expanded: the delimiter was not quoted.
        expands: bool,
        /// If a command in it goes on: for how many lines it may; 0 where a new one begins.
        left: u8,
        /// What stood behind the delimiter on its line, if that holds further ones.
        rest: Option<NameId>,
    },
    /// Inside a list of permission rules (JSON), read by lines.
    Rules {
        /// Whether the list denies what it names.
        denied: bool,
    },
    /// Inside a record that is read as a whole.
    Record {
        /// How many bytes it may still have; at 0, what comes is read by lines.
        left: u32,
        /// Whether a list of permission rules is open here, and denies: for those who read by lines.
        rules: Option<bool>,
    },
}

/// A record in a fence is read as a whole up to this many bytes; what comes after is read by lines.
const RECORD: u32 = 256 * 1024;

impl Sub {
    /// Whether the next line belongs to the command before it.
    #[must_use]
    pub fn goes_on(self) -> bool {
        match self {
            Sub::Fresh | Sub::Rules { .. } => false,
            Sub::Record { left, .. } => left > 0,
            Sub::Continued { .. } | Sub::Quoted { .. } => true,
            Sub::HereDoc { left, .. } => left > 0,
        }
    }
}

/// How many lines a quoted string, a statement of SQL or a command in a here-document may span.
pub const SPAN: u8 = 64;

/// How many lines a command may span that says at the end of each that it goes on.
pub const LONGEST: u16 = 4096;

/// The delimiters of a document's here-documents, interned so that a state is `Copy`.
#[derive(Clone, Debug, Default)]
pub struct Names {
    names: Vec<Box<str>>,
}

impl Names {
    /// The id of `name`, new or known.
    pub fn intern(&mut self, name: &str) -> NameId {
        let at = self.names.iter().position(|known| **known == *name).unwrap_or_else(|| {
            self.names.push(name.into());
            self.names.len() - 1
        });
        NameId(at as u32)
    }

    /// The name behind an id of this document.
    #[must_use]
    pub fn get(&self, id: NameId) -> &str {
        &self.names[id.0 as usize]
    }
}

/// Whether no SQL statement goes on behind `line`: it ends with `;`, or is blank, or a client's own command (`\d`), or
/// a comment before any statement.
fn statement_ends(sub: Sub, line: &str) -> bool {
    let text = line.split("--").next().unwrap_or_default().trim();
    let fresh = sub == Sub::Fresh;
    text.ends_with(';') || line.trim().is_empty() || (fresh && (text.is_empty() || text.starts_with('\\')))
}

/// The state after `line`, a line of a fence in `lang` without its container prefix and indentation, read in state
/// `sub`.
///
/// A quoted string spans lines only where the tag says that the text is a script. A terminal session, and a fence
/// without a tag, hold output and sentences too, where an apostrophe or an inch sign would swallow what follows.
pub fn advance(sub: Sub, lang: Lang, line: &str, names: &mut Names) -> Sub {
    if Format::of(lang).is_some() {
        return record(sub, lang, line);
    }
    let (quote, left) = match sub {
        Sub::HereDoc { delim, tabs, by, expands, left, rest } => {
            let text = if tabs { line.trim_start_matches('\t') } else { line };
            if text == names.get(delim) {
                return next_document(rest, by, lang, names);
            }
            // What says by whom it is run will be, whatever its file is called.
            let by =
                if by == Fed::Nobody && text.starts_with("#!") { shebang(text).unwrap_or(by) } else { by };
            // what a shell runs may go on behind a backslash or a pipe
            let open = by == Fed::Shell
                && matches!(Scan { line, at: 0, marks: Marks::of(lang) }.run(None), End::Open);
            let left = match (open, left) {
                (false, _) => 0,
                (true, 0) => SPAN - 1,
                (true, left) => left - 1,
            };
            return Sub::HereDoc { delim, tabs, by, expands, left, rest };
        }
        Sub::Fresh | Sub::Rules { .. } | Sub::Record { .. } if lang == Lang::Sql => {
            (None, u16::from(SPAN) - 1)
        }
        Sub::Fresh | Sub::Rules { .. } | Sub::Record { .. } => (None, LONGEST - 1),
        Sub::Continued { left } => (None, left),
        Sub::Quoted { by, left } => (Some(by), left.into()),
    };
    if lang == Lang::Sql {
        return if left > 0 && !statement_ends(sub, line) {
            Sub::Continued { left: left - 1 }
        } else {
            Sub::Fresh
        };
    }
    let mut scan = Scan { line, at: 0, marks: Marks::of(lang) };
    let end = match (lang, sub) {
        // a comment inside a continued instruction is taken out of it (Dockerfile reference, "Format")
        (Lang::Dockerfile, Sub::Continued { .. }) if line.trim_start().starts_with('#') => End::Open,
        // behind an operator a shell reads on over comments and blank lines (POSIX 2.10, `linebreak`)
        (_, Sub::Continued { .. }) if scan.marks.escape != b'^' && is_no_command(line) => End::Open,
        _ => scan.run(quote),
    };
    match end {
        End::HereDoc(document) => document.state(line, Fed::of(line), names),
        End::Open if left > 0 => Sub::Continued { left: left - 1 },
        End::Quoted(by) if left > 0 && scan.marks.spans => {
            let most = SPAN - 2;
            Sub::Quoted { by, left: u8::try_from(left - 1).map_or(most, |left| left.min(most)) }
        }
        End::Open | End::Quoted(_) | End::Done => Sub::Fresh,
    }
}

/// Whether a line is blank or a comment. Behind a backslash it ends the command, but nothing is lost where it is read with
/// it.
fn is_no_command(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// The state behind a line of a record.
fn record(sub: Sub, lang: Lang, line: &str) -> Sub {
    let (left, rules) = match sub {
        Sub::Record { left, rules } => (left, rules),
        _ => (RECORD, None),
    };
    let rules = rules.map_or(Sub::Fresh, |denied| Sub::Rules { denied });
    let rules = match permission_rules(line, rules).1 {
        Sub::Rules { denied } if lang == Lang::Json => Some(denied),
        _ => None,
    };
    let len = u32::try_from(line.len() + 1).unwrap_or(u32::MAX);
    Sub::Record { left: left.saturating_sub(len), rules }
}

/// The state behind the end of a here-document, of which others began on the same line in `rest` (POSIX 2.7.4).
fn next_document(rest: Option<NameId>, by: Fed, lang: Lang, names: &mut Names) -> Sub {
    let Some(rest) = rest.map(|rest| names.get(rest).to_owned()) else { return Sub::Fresh };
    match (Scan { line: &rest, at: 0, marks: Marks::of(lang) }).run(None) {
        End::HereDoc(document) => document.state(&rest, by, names),
        End::Done | End::Open | End::Quoted(_) => Sub::Fresh,
    }
}

/// What the end of a line means.
enum End {
    Done,
    /// The command goes on.
    Open,
    Quoted(u8),
    HereDoc(Document),
}

/// A here-document that begins on a line.
struct Document {
    name: String,
    tabs: bool,
    expands: bool,
    /// The byte of the line behind its delimiter.
    end: usize,
}

impl Document {
    fn state(&self, line: &str, by: Fed, names: &mut Names) -> Sub {
        let rest = &line[self.end..];
        let rest = rest.contains("<<").then(|| names.intern(rest));
        let (tabs, expands) = (self.tabs, self.expands);
        Sub::HereDoc { delim: names.intern(&self.name), by, tabs, expands, left: 0, rest }
    }
}

/// What the characters of a language mean, as far as they carry a command over a line's end.
struct Marks {
    escape: u8,
    /// Whether quotes and here-documents are those of a POSIX shell.
    posix: bool,
    /// Whether a quoted string may span lines.
    spans: bool,
    /// Whether a sentence may stand here, with apostrophes.
    lax: bool,
}

impl Marks {
    fn of(lang: Lang) -> Marks {
        let marks = |escape, posix, spans, lax| Marks { escape, posix, spans, lax };
        match lang {
            Lang::PowerShell => marks(b'`', false, true, false),
            Lang::Cmd => marks(b'^', false, false, false),
            Lang::Unknown | Lang::Console => marks(b'\\', true, false, true),
            Lang::Dockerfile | Lang::Makefile => marks(b'\\', true, false, false),
            _ => marks(b'\\', true, true, false),
        }
    }
}

/// `$'…'`, which has escapes; the other quotes stand for themselves.
const ANSI: u8 = b'$';

/// PowerShell's here-strings, `@"` and `@'` at a line's end up to `"@` or `'@` at a line's start (about_Quoting_Rules).
const HERE_DOUBLE: u8 = b'D';
const HERE_SINGLE: u8 = b'S';

/// One pass over a line.
struct Scan<'l> {
    line: &'l str,
    at: usize,
    marks: Marks,
}

impl Scan<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.line.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn run(&mut self, mut quote: Option<u8>) -> End {
        let len = self.line.len();
        if let Some(by @ (HERE_DOUBLE | HERE_SINGLE)) = quote {
            if !self.line.starts_with(if by == HERE_DOUBLE { "\"@" } else { "'@" }) {
                return End::Quoted(by);
            }
            self.at = 2;
            quote = None;
        }
        let mut document = None;
        let mut operator = false;
        let mut word_start = true;
        // inside `(( ))`, where `<<` shifts
        let mut arithmetic = false;
        // Where the line's last `))` stands: looked for once, however many open.
        let mut closes: Option<Option<usize>> = None;
        if self.marks.lax && quote.is_none() {
            // a root prompt, not a comment
            let indent = len - self.line.trim_start().len();
            self.at = indent + if self.line[indent..].starts_with("# ") { 2 } else { 0 };
        }
        while self.at < len {
            let byte = self.byte(self.at);
            if let Some(by) = quote {
                let escapes = by != b'\'' && byte == if by == ANSI { b'\\' } else { self.marks.escape };
                if escapes {
                    self.at += 2;
                } else {
                    if byte == if by == ANSI { b'\'' } else { by } {
                        quote = None;
                    }
                    self.at += 1;
                }
                word_start = false;
                continue;
            }
            let next = self.byte(self.at + 1);
            match byte {
                b' ' | b'\t' => {
                    word_start = true;
                    self.at += 1;
                    continue;
                }
                _ if byte == self.marks.escape => {
                    if self.at + 1 >= len {
                        return document.map_or(End::Open, End::HereDoc);
                    }
                    self.at += 2;
                    operator = false;
                    word_start = false;
                    continue;
                }
                b'@' if matches!(next, b'"' | b'\'')
                    && self.marks.escape == b'`'
                    && self.line[self.at + 2..].trim().is_empty() =>
                {
                    return End::Quoted(if next == b'"' { HERE_DOUBLE } else { HERE_SINGLE });
                }
                b'#' if word_start && self.marks.escape != b'^' => break,
                b'\''
                    if self.marks.escape != b'^'
                        && !(self.marks.lax && is_apostrophe(self.line, self.at)) =>
                {
                    quote = Some(b'\'');
                }
                b'"' => quote = Some(b'"'),
                b'$' if next == b'\'' && self.marks.posix => {
                    quote = Some(ANSI);
                    self.at += 1;
                }
                b'(' if next == b'(' => {
                    let last = *closes.get_or_insert_with(|| self.line.rfind("))"));
                    arithmetic |= last.is_some_and(|last| self.at <= last);
                }
                b')' if next == b')' => arithmetic = false,
                b'<' if next == b'<' && self.marks.posix => {
                    if arithmetic {
                        self.at += 2;
                    } else if self.byte(self.at + 2) == b'<' {
                        self.at += 3;
                    } else if let Some(found) = self.delimiter() {
                        document = document.or(Some(found));
                    } else {
                        self.at += 2;
                    }
                    operator = false;
                    word_start = true;
                    continue;
                }
                _ => {}
            }
            operator = byte == b'|'
                || (byte == b'&' && self.byte(self.at.wrapping_sub(1)) == b'&')
                || (byte == b'&' && self.byte(self.at.wrapping_sub(1)) == b'|');
            word_start = matches!(byte, b'|' | b'&' | b';' | b'(' | b')' | b'<' | b'>');
            self.at += 1;
        }
        match (document, quote) {
            (Some(document), _) => End::HereDoc(document),
            (None, Some(by)) => End::Quoted(by),
            (None, None) if operator && self.marks.escape != b'^' => End::Open,
            (None, None) => End::Done,
        }
    }

    /// The here-document that begins at `<<`, if a delimiter follows.
    fn delimiter(&mut self) -> Option<Document> {
        let mut at = self.at + 2;
        let tabs = self.byte(at) == b'-';
        at += usize::from(tabs);
        while matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        let first = self.byte(at);
        if !(first.is_ascii_alphabetic() || matches!(first, b'_' | b'\'' | b'"' | b'\\')) {
            return None;
        }
        let mut name = String::new();
        let mut expands = true;
        let mut quote = None;
        for (offset, c) in self.line[at..].char_indices() {
            match (quote, c) {
                (Some(open), _) if c == open => quote = None,
                (Some(_), _) => name.push(c),
                (None, '\'' | '"') => {
                    quote = Some(c);
                    expands = false;
                }
                (None, '\\') => expands = false,
                (None, ' ' | '\t' | ';' | '&' | '|' | '<' | '>' | '(' | ')') => {
                    self.at = at + offset;
                    let end = self.at;
                    return (!name.is_empty()).then_some(Document { name, tabs, expands, end });
                }
                (None, _) => name.push(c),
            }
        }
        self.at = self.line.len();
        let end = self.at;
        (!name.is_empty() && quote.is_none()).then_some(Document { name, tabs, expands, end })
    }
}

/// Whether the quote at byte `at` of a line is an apostrophe: in a contraction ("don't"), or after a plural
/// ("users' files"). Anything looser would let `r'm'` pass for a word of English.
#[must_use]
pub fn is_apostrophe(line: &str, at: usize) -> bool {
    let before = line[..at].chars().next_back();
    let after = &line[at + 1..];
    let letters = after.len() - after.trim_start_matches(char::is_alphabetic).len();
    let behind = after[letters..].chars().next();
    if !before.is_some_and(char::is_alphabetic) || matches!(behind, Some('\'' | '"' | '$' | '\\' | '`')) {
        return false;
    }
    match &after[..letters] {
        "" => before == Some('s') && behind.is_none_or(char::is_whitespace),
        "t" | "s" | "re" | "ve" | "ll" | "d" | "m" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
