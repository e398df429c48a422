//! Prose: code spans, and commands that stand bare in sentences.
//!
//! A bare command is looked for wherever the name of a program stands as a word, and must then show that it is one: by
//! an option, a path or a pipe, or by its place (after "run", or first in its line). Names that are English words need
//! the former. Where it ends is decided by a table of words and signs that no command has.

use std::ops::Range;

use super::ends::command_end;
use super::fence::{AFFIRMATIVE, after_affirmative, prompt};
use super::guess;
use super::names::{ENGLISH, INTRODUCERS, NEGATIONS, name_of, shaped};
use super::spans::{CodeSpan, code_spans};
use crate::facts::command::Dialect;
use crate::facts::command::origin::Origin;
use crate::facts::command::read::{read, read_part};
use crate::facts::command::script::{Candidate, Script, Simple};
use crate::lines::Lang;

/// The cells of a table row, each read as prose; `\|` inside one is a pipe (GFM 4.10).
pub(super) fn row(unit: &str, found: &mut Vec<Candidate>) {
    let spans = code_spans(unit, 0..unit.len());
    let mut start = 0;
    let mut cells = Vec::new();
    let mut inside = spans.iter().peekable();
    for (at, byte) in unit.bytes().enumerate() {
        while inside.peek().is_some_and(|span| span.whole.end <= at) {
            inside.next();
        }
        let in_span = inside.peek().is_some_and(|span| span.whole.contains(&at));
        if byte == b'|'
            && !in_span
            && unit[..at].bytes().rev().take_while(|byte| *byte == b'\\').count().is_multiple_of(2)
        {
            cells.push(start..at);
            start = at + 1;
        }
    }
    cells.push(start..unit.len());
    for cell in cells {
        prose(unit, cell, false, found);
    }
}

/// The commands in `range` of `unit`. `item`: it is the paragraph of a list entry, which may begin with one.
pub(super) fn prose(unit: &str, range: Range<usize>, item: bool, found: &mut Vec<Candidate>) {
    let mut at = range.start;
    // where the last command ends that went on behind its code span
    let mut spilt = at;
    for span in code_spans(&unit[..range.end], range.clone()) {
        bare(unit, at..span.whole.start, &range, item, found);
        let leads = item && begins(&unit[range.start..span.whole.start]);
        let affirmed = affirmed(&unit[range.start..span.whole.start]);
        let text = &unit[span.content.clone()];
        let dialect = guess::dialect(text, Dialect::Posix);
        let (words, inside) = after_affirmative(text);
        let affirmed = affirmed || inside;
        let prompt = prompt(text, Lang::Shell, false).max(words);
        let content = span.content.start + prompt..span.content.end;
        let script = if text.contains("\\|") || text.contains('\n') {
            let (text, origin) = as_shown(unit, content.clone());
            read(&text, Some(&origin), dialect, true)
        } else {
            read_part(unit, content.clone(), dialect, true)
        };
        let apart = lines_apart(unit, content, &script);
        if !script.commands.is_empty() {
            found.push(Candidate { script, leads, affirmed, bare: false });
        }
        found.extend(apart.into_iter().map(|script| Candidate {
            script,
            leads: false,
            affirmed,
            bare: true,
        }));
        if span.whole.start >= spilt
            && let Some((script, end)) = spilled(unit, &span, range.end)
        {
            spilt = end;
            found.push(Candidate { script, leads, affirmed, bare: true });
        }
        at = span.whole.end;
    }
    bare(unit, at..range.end, &range, item, found);
}

/// A command that begins in a code span and goes on behind it with an option, a path or a pipe: "`rm` -rf /". With it the
/// byte where it ends.
fn spilled(unit: &str, span: &CodeSpan, limit: usize) -> Option<(Script, usize)> {
    const WORDS: usize = 6;
    const LONGEST: usize = 256;
    let content = unit[span.content.clone()].trim();
    let behind = unit[span.whole.end..limit].trim_start_matches(' ');
    let mut first = behind.trim_start_matches('`').chars();
    let goes_on = match (first.next(), first.next()) {
        (Some('-'), Some(c)) => c.is_ascii_alphanumeric() || c == '-',
        (Some('/' | '~'), Some(c)) => c.is_ascii_alphanumeric(),
        (Some('|'), Some(c)) => c == ' ' && !behind.starts_with('`'),
        _ => false,
    };
    let words = content.split_whitespace().take(WORDS + 1).count();
    if !goes_on || words > WORDS || name_of(content.split_whitespace().next()?).is_none() {
        return None;
    }
    let mut end = limit.min(span.whole.end + LONGEST);
    while !unit.is_char_boundary(end) {
        end -= 1;
    }
    let (mut text, mut origin) = (String::new(), Origin::default());
    let mut piece = |range: Range<usize>| {
        if !range.is_empty() {
            origin.push(text.len(), range.start, range.end);
            text.push_str(&unit[range]);
        }
    };
    piece(span.content.clone());
    let mut at = span.whole.end;
    for part in unit[at..end].split_inclusive('`') {
        piece(at..at + part.trim_end_matches('`').len());
        at += part.len();
    }
    let stop = command_end(&text, 0, text.len(), false);
    let script = read(&text[..stop], Some(&origin), Dialect::Posix, true);
    (!script.commands.is_empty()).then(|| (script, origin.end(stop)))
}

/// Whether a list entry has not begun yet with `before`: marks of emphasis, a quote, a task's box (GFM 5.3), a prompt.
fn begins(before: &str) -> bool {
    let before = before.trim_start();
    let boxed = ["[ ]", "[x]", "[X]"].iter().find_map(|task| before.strip_prefix(task));
    boxed.unwrap_or(before).bytes().all(|byte| byte.is_ascii_whitespace() || b"*_\"'$".contains(&byte))
}

/// A code span's text as it is shown: `\\|` is a pipe (GFM 4.10), a line end a blank (CommonMark 6.1), unless a backslash
/// before it joins the lines.
fn as_shown(unit: &str, range: Range<usize>) -> (String, Origin) {
    let mut text = String::new();
    let mut origin = Origin::default();
    let mut at = range.start;
    for (found, sign) in unit[range.clone()].match_indices(['|', '\n']) {
        let sign_at = range.start + found;
        let escaped = unit[range.start..sign_at].ends_with('\\');
        let end = sign_at - usize::from(escaped && sign == "|");
        if at < end {
            origin.push(text.len(), at, end);
            text.push_str(&unit[at..end]);
        }
        origin.push(text.len(), sign_at, sign_at + 1);
        text.push_str(if sign == "\n" && !escaped { " " } else { sign });
        at = sign_at + 1;
    }
    if at < range.end {
        origin.push(text.len(), at, range.end);
        text.push_str(&unit[at..range.end]);
    }
    (text, origin)
}

/// Programs with subcommands that are also the names of programs: `git rm`.
const OUTER: &[&str] =
    &["git", "docker", "podman", "nerdctl", "npm", "pnpm", "svn", "hg", "aws", "gsutil", "s3cmd"];

/// The later lines of a code span that are commands of their own: who reads the text and not the page sees them as
/// such, behind a comment, or behind a command that would take them for its operands.
fn lines_apart(unit: &str, span: Range<usize>, shown: &Script) -> Vec<Script> {
    let mut found = Vec::new();
    let mut at = span.start;
    for line in unit[span.clone()].split_inclusive('\n') {
        let start = at + (line.len() - line.trim_start().len());
        let before = &unit[span.start..at];
        at += line.len();
        let text = unit[start..at].trim_end();
        let named = text.split_whitespace().next().is_some_and(|word| name_of(word).is_some());
        let begins = |simple: &Simple| simple.words.first().is_some_and(|word| word.span.start == start);
        let subcommand = |simple: &Simple| {
            OUTER.contains(&simple.program.as_str())
                && simple
                    .args()
                    .iter()
                    .take_while(|word| word.span.start < start)
                    .all(|word| word.value.starts_with('-'))
                && simple.args().iter().any(|word| word.span.start == start)
        };
        if before.is_empty()
            || before.trim_end_matches('\n').ends_with('\\')
            || !named
            || !shaped(text)
            || shown.commands.iter().any(|simple| begins(simple) || subcommand(simple))
        {
            continue;
        }
        let script = read_part(unit, start..start + text.len(), guess::dialect(text, Dialect::Posix), true);
        if !script.commands.is_empty() {
            found.push(script);
        }
    }
    found
}

/// Whether the text before a command ends in affirmative words, and nothing there takes them back.
fn affirmed(before: &str) -> bool {
    let mut any = false;
    for word in before
        .rsplit(|c: char| c.is_whitespace() || "*_`\"(".contains(c))
        .filter(|word| !word.is_empty())
        .take(8)
    {
        if word.ends_with(['.', ';', '!', '?']) {
            break;
        }
        let lower = word.trim_matches([':', ',', '\u{201C}']).to_lowercase();
        if AFFIRMATIVE.contains(&lower.as_str()) {
            any = true;
        } else if NEGATIONS.contains(&lower.as_str()) {
            return false;
        } else if any {
            break;
        } else if !matches!(
            lower.as_str(),
            "the"
                | "this"
                | "these"
                | "following"
                | "command"
                | "commands"
                | "just"
                | "simply"
                | "then"
                | "now"
                | "with"
                | ""
        ) {
            return false;
        }
    }
    any
}

/// A word of prose: its range without quotes and brackets around it.
fn words(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = range.start;
    // Up to the next blank, and the last `<` before it: looked for once, however many words that stretch is.
    let (mut blank, mut last_open) = (range.start, None);
    std::iter::from_fn(move || {
        let rest = &text[at..range.end];
        let mut opened = rest.trim_start_matches(|c: char| c.is_whitespace() || OPENERS.contains(&c));
        // a backtick that is shown, and opens no code span
        while let Some(shown) = opened.strip_prefix("\\`") {
            opened = shown.trim_start_matches(|c: char| OPENERS.contains(&c));
        }
        let start = range.end - opened.len();
        // a script without blanks between words runs up to the command
        let foreign = text[start..range.end].trim_start_matches(|c: char| !c.is_ascii());
        let start = range.end - foreign.len();
        let rest = &text[start..range.end];
        if rest.is_empty() {
            return None;
        }
        if start >= blank {
            blank = start + rest.find(char::is_whitespace).unwrap_or(rest.len());
            last_open = memchr::memrchr(b'<', &text.as_bytes()[start..blank]).map(|open| start + open);
        }
        let tagged = last_open.is_some_and(|open| open >= start);
        at = joint(&text[start..blank], tagged).map_or(blank, |joint| start + joint);
        Some(start..at)
    })
}

const OPENERS: [char; 14] =
    ['"', '\'', '`', '!', '(', '[', '*', '_', '\u{201C}', '\u{2018}', '\u{AB}', '>', ':', '\u{2014}'];

/// The most bytes of an introducer before its colon, in whatever letters.
const LONGEST_INTRODUCER: usize = 64;

/// Where a word of prose may begin inside `word`, though no blank says so: behind a tag, if it is `tagged`, a dash, an
/// arrow or the colon of "Run:". Looks no further than that.
fn joint(word: &str, tagged: bool) -> Option<usize> {
    let introduces = |before: &str| {
        before.len() <= LONGEST_INTRODUCER && INTRODUCERS.contains(&before.to_lowercase().as_str())
    };
    let joins = |(at, c): &(usize, char)| match c {
        '>' if tagged => true,
        _ if *at == 0 => false,
        '\u{2014}' | '\u{2013}' | '\u{2192}' | '\u{21D2}' => true,
        '>' => word[..*at].ends_with(['-', '=']),
        ':' => introduces(&word[..*at]),
        _ => false,
    };
    let (at, c) = word.char_indices().find(joins)?;
    Some(at + c.len_utf8()).filter(|at| *at < word.len())
}

/// The commands that stand bare in `part`, a stretch of the paragraph `whole` without code spans.
fn bare(unit: &str, part: Range<usize>, whole: &Range<usize>, item: bool, found: &mut Vec<Candidate>) {
    let mut end = part.start;
    let mut marks = Marks { text: &unit[..part.end], next: part.start };
    for word in words(unit, part.clone()) {
        if word.start < end {
            continue;
        }
        let text = &unit[word.clone()];
        let name = name_of(text);
        let sql = name.is_none()
            && text.starts_with(['D', 'T', 'A', 'U'])
            && guess::is_sql(sql_head(unit, word.start, part.end), true);
        if name.is_none() && !sql {
            continue;
        }
        let before = &unit[whole.start..word.start];
        // a name alone among words, far from any sign: only "run" before it makes it one
        if !sql && !marks.behind(word.end) && !introduced(before) && !begins_line(before) && !says_run(before)
        {
            continue;
        }
        let first = begins(before);
        let line_first = first || begins_line(before);
        let stop = command_end(unit, word.start, part.end, sql);
        if stop <= word.start {
            continue;
        }
        let command = &unit[word.start..stop];
        let introduced = line_first || introduced(before);
        let english = name.is_some_and(|name| ENGLISH.contains(&name));
        let placed = introduced && !english && command.contains(' ');
        if !(sql || shaped(command) || placed || (english && says_run(before))) {
            continue;
        }
        let dialect = guess::dialect(command, Dialect::Posix);
        let script = read_part(unit, word.start..stop, dialect, true);
        if script.commands.is_empty() {
            continue;
        }
        // a statement with its closing mark, or a name alone after "run", is no word of a sentence
        let closed = sql && line_first && unit[stop..].trim_start().starts_with(';');
        let alone = english && !command.contains(' ') && says_run(before);
        let bare = !(closed || alone || (sql && says_run(before)));
        found.push(Candidate { script, leads: item && first, affirmed: affirmed(before), bare });
        end = stop;
    }
}

fn begins_line(before: &str) -> bool {
    let rest = before.trim_end_matches([' ', '\t', '*', '_', '"']);
    rest.is_empty() || rest.ends_with('\n')
}

/// The signs of a text, of which a command has one that no sentence has: looked for once, however many names ask.
struct Marks<'t> {
    text: &'t str,
    next: usize,
}

impl Marks<'_> {
    /// Whether a sign stands behind the byte `at`, as near as any command reaches. Bytes are asked for in order.
    fn behind(&mut self, at: usize) -> bool {
        const REACH: usize = 4096;
        if self.next < at {
            let is_mark = |byte: &u8| {
                !(byte.is_ascii_alphabetic() || byte.is_ascii_whitespace() || b".,;()".contains(byte))
            };
            let rest = &self.text.as_bytes()[at..];
            self.next = rest.iter().position(is_mark).map_or(self.text.len(), |found| at + found);
        }
        self.next < self.text.len() && self.next - at < REACH
    }
}

/// A line of another language that is a command after all, with what no sentence or expression has.
pub(super) fn line(unit: &str, found: &mut Vec<Candidate>) {
    let prompt = prompt(unit, Lang::Shell, false);
    let start = unit.len() - unit[prompt..].trim_start_matches([' ', '\t', '!', '+', '@']).len();
    let first = unit[start..].split_whitespace().next().unwrap_or_default();
    if name_of(first).is_none() || !shaped(&unit[start..]) {
        return;
    }
    let script = read_part(unit, start..unit.len(), Dialect::Posix, true);
    if !script.commands.is_empty() {
        found.push(Candidate { script, leads: false, affirmed: false, bare: true });
    }
}

/// A few words from `start` on: enough to tell a statement.
fn sql_head(unit: &str, start: usize, end: usize) -> &str {
    let mut stop = end.min(start + 160);
    while !unit.is_char_boundary(stop) {
        stop -= 1;
    }
    &unit[start..stop]
}

fn last_word(before: &str) -> String {
    let trimmed =
        before.trim_end_matches(|c: char| c.is_whitespace() || "*_\"'([:\u{201C}\u{2018}".contains(c));
    let word = trimmed.rsplit(char::is_whitespace).next().unwrap_or_default();
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

fn introduced(before: &str) -> bool {
    let tail = tail(before);
    INTRODUCERS.contains(&last_word(tail).as_str())
        || tail
            .trim_end_matches([' ', '\n', '*', '_', '"', '('])
            .ends_with(['.', ':', ';', ',', '!', '?', '\u{2014}'])
}

fn says_run(before: &str) -> bool {
    matches!(last_word(tail(before)).as_str(), "run" | "execute" | "invoke" | "type")
}

/// The end of the text before a command: as much as decides.
fn tail(before: &str) -> &str {
    let mut start = before.len().saturating_sub(48);
    while !before.is_char_boundary(start) {
        start += 1;
    }
    &before[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_prose_begins_behind_a_tag_a_dash_an_arrow_and_an_introducer() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<&str> = words(text, 0..text.len()).map(|word| &text[word]).collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("a <b>ls</b> c", &["a", "<b>", "ls</b>", "c"]);
        check("a>b <c", &["a>b", "<c"]);
        check("a\u{2014}b->c=>d", &["a\u{2014}", "b->", "c=>", "d"]);
        check("Run:ls x:y run:", &["Run:", "ls", "x:y", "run:"]);
        check("<i><b>\u{4E2D}ls", &["<i>", "<b>", "ls"]);
    }

    /// However many words a stretch without blanks is, each ends where the next begins.
    #[test]
    fn many_tags_in_a_row_are_each_a_word() {
        for sign in ["<b>", "</b>", "a->", "a\u{2014}", "<a\u{2014}"] {
            let text = sign.repeat(50_000);
            let mut last = 0;
            let mut count = 0;
            for word in words(&text, 0..text.len()) {
                assert!(last <= word.start && word.start < word.end);
                (last, count) = (word.end, count + 1);
            }
            assert_eq!((last, count), (text.len(), 50_000), "{sign:?}");
        }
    }
}
