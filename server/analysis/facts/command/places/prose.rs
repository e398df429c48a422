//! Prose: code spans, and commands that stand bare in sentences.
//!
//! A bare command is looked for wherever the name of a program stands as a word, and must then show that it is one: by
//! an option, a path or a pipe, or by its place (after "run", or first in its line). Names that are English words need
//! the former. Where it ends is decided by a table of words and signs that no command has.

use std::ops::Range;

use super::fence::AFFIRMATIVE;
use super::guess;
use super::spans::code_spans;
use crate::facts::command::Dialect;
use crate::facts::command::origin::Origin;
use crate::facts::command::read::{read, read_part};
use crate::facts::command::script::Candidate;

/// Programs that are looked for in prose. Sorted.
const PROGRAMS: &[&str] = &[
    "add-type",
    "ansible",
    "apt",
    "apt-get",
    "ash",
    "aws",
    "az",
    "bash",
    "bfg",
    "blkdiscard",
    "brew",
    "bun",
    "cargo",
    "cdk",
    "chmod",
    "chown",
    "claude",
    "codex",
    "crontab",
    "curl",
    "dd",
    "del",
    "diskpart",
    "diskutil",
    "doas",
    "docker",
    "docker-compose",
    "doctl",
    "dropdb",
    "env",
    "erase",
    "eval",
    "fdisk",
    "find",
    "firewall-cmd",
    "flux",
    "fly",
    "flyctl",
    "format",
    "gcloud",
    "gem",
    "gemini",
    "gh",
    "git",
    "gsutil",
    "halt",
    "helm",
    "heroku",
    "http",
    "iex",
    "init",
    "invoke-expression",
    "invoke-webrequest",
    "ip6tables",
    "ipfw",
    "iptables",
    "irm",
    "iwr",
    "kill",
    "killall",
    "ksh",
    "kubectl",
    "launchctl",
    "mkfs",
    "mongo",
    "mongosh",
    "mv",
    "mysql",
    "mysqladmin",
    "nc",
    "nft",
    "node",
    "nohup",
    "npm",
    "npx",
    "oc",
    "parted",
    "perl",
    "php",
    "pip",
    "pkill",
    "pnpm",
    "podman",
    "poweroff",
    "powershell",
    "psql",
    "pulumi",
    "pwsh",
    "python",
    "python3",
    "rd",
    "reboot",
    "redis-cli",
    "reg",
    "remove-item",
    "rm",
    "rmdir",
    "robocopy",
    "rsync",
    "ruby",
    "sed",
    "service",
    "set-executionpolicy",
    "sfdisk",
    "sgdisk",
    "sh",
    "shred",
    "shutdown",
    "source",
    "srm",
    "stop-process",
    "su",
    "sudo",
    "svc",
    "swapoff",
    "systemctl",
    "taskkill",
    "tee",
    "terraform",
    "terragrunt",
    "timeout",
    "tofu",
    "truncate",
    "twine",
    "ufw",
    "unlink",
    "vault",
    "vercel",
    "wget",
    "wipefs",
    "xargs",
    "yarn",
    "zfs",
    "zpool",
    "zsh",
];

/// Names among them that English sentences use for something else.
const ENGLISH: &[&str] = &[
    "find", "format", "kill", "service", "source", "timeout", "truncate", "init", "halt", "reboot",
    "shutdown", "node", "fly", "env", "parted", "shred", "tee", "sh", "claude", "codex", "gemini", "http",
    "unlink", "erase", "del", "flux", "vault", "perl", "ruby", "gem", "python", "brew", "helm", "su", "apt",
];

/// Words that say that a command follows.
const INTRODUCERS: &[&str] = &[
    "run",
    "runs",
    "running",
    "execute",
    "executes",
    "executing",
    "use",
    "using",
    "follow",
    "call",
    "type",
    "invoke",
    "issue",
    "enter",
    "try",
    "do",
    "via",
    "command",
    "commands",
    "must",
    "always",
    "then",
    "just",
    "with",
    "never",
    "not",
    "launch",
    "perform",
    "ejecuta",
    "ejecute",
    "exécutez",
    "führe",
];

/// Words with which prose goes on after a command.
const STOPS: &[&str] = &[
    "and",
    "or",
    "nor",
    "then",
    "to",
    "before",
    "after",
    "when",
    "while",
    "if",
    "because",
    "in",
    "on",
    "from",
    "for",
    "with",
    "without",
    "which",
    "that",
    "is",
    "are",
    "was",
    "were",
    "will",
    "would",
    "should",
    "can",
    "could",
    "may",
    "as",
    "but",
    "unless",
    "until",
    "since",
    "so",
    "at",
    "by",
    "into",
    "instead",
    "here",
    "ever",
    "again",
    "first",
    "once",
    "where",
    "who",
    "it",
    "this",
    "has",
    "have",
    "does",
    "do",
    "under",
    "except",
    "however",
    "yet",
    "only",
    "now",
    "also",
    "you",
    "we",
    "they",
    "removes",
    "deletes",
    "during",
    "via",
    "using",
    "against",
    "twice",
    "afterwards",
    "immediately",
];

const NEGATIONS: &[&str] = &[
    "not",
    "never",
    "don't",
    "don\u{2019}t",
    "dont",
    "avoid",
    "cannot",
    "can't",
    "no",
    "without",
    "forbidden",
    "prohibited",
];

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
            && unit[..at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0
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
    for span in code_spans(&unit[..range.end], range.clone()) {
        bare(unit, at..span.whole.start, &range, item, found);
        let leads = item && unit[range.start..span.whole.start].bytes().all(|byte| b" \t*_".contains(&byte));
        let affirmed = affirmed(&unit[range.start..span.whole.start]);
        let before = found.len();
        let text = &unit[span.content.clone()];
        let dialect = guess::dialect(text, Dialect::Posix);
        let prompt = super::fence::prompt(text, crate::lines::Lang::Shell, false).min(text.len());
        let script = if text.contains("\\|") {
            let (text, origin) = unescape_pipes(unit, span.content.start + prompt..span.content.end);
            read(&text, Some(&origin), dialect, true)
        } else {
            read_part(unit, span.content.start + prompt..span.content.end, dialect, true)
        };
        if !script.commands.is_empty() {
            found.push(Candidate { script, leads, affirmed, bare: false });
        }
        debug_assert!(found.len() <= before + 1);
        at = span.whole.end;
    }
    bare(unit, at..range.end, &range, item, found);
}

fn unescape_pipes(unit: &str, range: Range<usize>) -> (String, Origin) {
    let mut text = String::new();
    let mut origin = Origin::default();
    let mut at = range.start;
    while at < range.end {
        let len = unit[at..range.end].find("\\|").unwrap_or(range.end - at);
        if len > 0 {
            origin.push(text.len(), at, at + len);
            text.push_str(&unit[at..at + len]);
            at += len;
        }
        if at < range.end {
            origin.push(text.len(), at + 1, at + 2);
            text.push('|');
            at += 2;
        }
    }
    (text, origin)
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
    std::iter::from_fn(move || {
        let rest = &text[at..range.end];
        let skip =
            rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || OPENERS.contains(&c)).len();
        let start = at + skip;
        let rest = &text[start..range.end];
        if rest.is_empty() {
            return None;
        }
        let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
        at = start + len;
        Some(start..at)
    })
}

const OPENERS: [char; 12] =
    ['"', '\'', '(', '[', '*', '_', '\u{201C}', '\u{2018}', '\u{AB}', '>', ':', '\u{2014}'];

/// The commands that stand bare in `part`, a stretch of the paragraph `whole` without code spans.
fn bare(unit: &str, part: Range<usize>, whole: &Range<usize>, item: bool, found: &mut Vec<Candidate>) {
    let mut end = part.start;
    for word in words(unit, part.clone()) {
        if word.start < end {
            continue;
        }
        let text = &unit[word.clone()];
        let name = name_of(text);
        let sql = name.is_none() && guess::is_sql(sql_head(unit, word.start, part.end), true);
        if name.is_none() && !sql {
            continue;
        }
        let before = &unit[whole.start..word.start];
        let first = before.bytes().all(|byte| byte.is_ascii_whitespace() || b"*_\"'".contains(&byte));
        let line_first = first || before.trim_end_matches([' ', '\t', '*', '_', '"']).ends_with('\n');
        let stop = command_end(unit, word.start, part.end, sql);
        if stop <= word.start {
            continue;
        }
        let command = &unit[word.start..stop];
        let introduced = line_first || introduced(before);
        let english = name.is_some_and(|name| ENGLISH.contains(&name));
        if !sql
            && !(shaped(command)
                || (introduced && !english && command.contains(' '))
                || (english && says_run(before)))
        {
            continue;
        }
        let dialect = guess::dialect(command, Dialect::Posix);
        let script = read_part(unit, word.start..stop, dialect, true);
        if script.commands.is_empty() {
            continue;
        }
        found.push(Candidate { script, leads: item && first, affirmed: affirmed(before), bare: true });
        end = stop;
    }
}

/// A line of another language that is a command after all, with what no sentence or expression has.
pub(super) fn line(unit: &str, found: &mut Vec<Candidate>) {
    let start = unit.len() - unit.trim_start_matches([' ', '\t', '!', '+', '@']).len();
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

/// The program that a word names, if it is looked for in prose.
fn name_of(word: &str) -> Option<&'static str> {
    let word = word.trim_end_matches(['.', ',', ';', ':', ')', '"', '\'']);
    if word.len() > 128 || !word.starts_with(|c: char| c.is_ascii_alphabetic() || "/~.\\$".contains(c)) {
        return None;
    }
    let plain: String =
        word.rsplit('/').next()?.chars().filter(|c| !matches!(c, '\\' | '\'' | '"')).collect();
    let plain = plain.strip_suffix(".exe").unwrap_or(&plain);
    let found = if guess::is_cmdlet(plain) || plain.starts_with("mkfs.") {
        PROGRAMS.binary_search(&if plain.starts_with("mkfs.") { "mkfs" } else { "remove-item" })
    } else {
        PROGRAMS.binary_search(&plain)
    };
    found.ok().map(|at| PROGRAMS[at])
}

/// Whether a text has what no English sentence has.
fn shaped(command: &str) -> bool {
    command.split_ascii_whitespace().skip(1).any(|word| {
        let bytes = word.as_bytes();
        (bytes[0] == b'-' && bytes.len() > 1 && (bytes[1].is_ascii_alphanumeric() || bytes[1] == b'-'))
            || bytes[0] == b'/'
            || bytes[0] == b'~'
            || bytes[0] == b'$'
            || (bytes[0] == b'+' && bytes.len() > 1)
            || word.contains(['|', '>', '*', '='])
            || word.contains("://")
            || word.contains("$(")
            || word.ends_with('/')
            || word.starts_with("./")
            || (bytes.len() > 1 && bytes[1] == b':' && bytes[0].is_ascii_alphabetic())
            || matches!(word, "777" | "0777" | "a+rwx")
    }) || command.contains("&&")
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

/// Where the command that begins at `start` ends: at a sign or word with which prose goes on.
fn command_end(unit: &str, start: usize, limit: usize, sql: bool) -> usize {
    let closer = closer(unit, start, limit);
    let limit = closer.unwrap_or(limit);
    let mut end = start;
    let mut at = start;
    let mut quote: Option<char> = None;
    let mut index = 0;
    while at < limit {
        let rest = &unit[at..limit];
        let blank = rest.len() - rest.trim_start().len();
        if quote.is_none() && rest[..blank].contains('\n') && new_line_begins(rest[blank..].trim_start()) {
            break;
        }
        at += blank;
        let rest = &unit[at..limit];
        if rest.is_empty() {
            break;
        }
        let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = &rest[..len];
        let quoted = quote.is_some();
        for c in word.chars() {
            match quote {
                Some(open) if c == open => quote = None,
                None if c == '"' || (c == '\'' && word.matches('\'').count() % 2 == 0) => quote = Some(c),
                None if c == '\'' && word.starts_with('\'') && unit[at + len..limit].contains('\'') => {
                    quote = Some(c)
                }
                _ => {}
            }
        }
        if !quoted && index > 0 {
            let plain = word.trim_end_matches([',', '.', ';', ':', '!', '?', ')']);
            let stop = STOPS.contains(&plain)
                && !(sql
                    && matches!(
                        plain,
                        "if" | "from" | "where" | "or" | "and" | "in" | "on" | "to" | "is" | "as" | "by"
                    ));
            let dash = matches!(word, "-" | "--" | "\u{2014}" | "\u{2013}" | "->" | "=>" | "\u{2192}");
            if stop
                || (dash && word != "--" && word != "-")
                || (word == "-" && !rest[len..].trim().is_empty())
            {
                break;
            }
        }
        if quoted || quote.is_some() {
            at += len;
            end = if quote.is_none() { at - trailing(word) } else { at };
            index += 1;
            continue;
        }
        let cut = trailing(word);
        at += len;
        end = at - cut;
        if cut > 0
            && !(word.ends_with(';')
                && name_of(rest[len..].split_whitespace().next().unwrap_or_default()).is_some())
        {
            break;
        }
        if cut > 0 {
            end = at;
        }
        index += 1;
        if index >= 64 {
            break;
        }
    }
    while end > start && unit[..end].ends_with(|c: char| c.is_whitespace()) {
        end -= 1;
    }
    // emphasis around the whole
    let stars = unit[..start].bytes().rev().take_while(|byte| matches!(byte, b'*' | b'_')).count();
    for _ in 0..stars {
        if end > start + 1 && unit[..end].ends_with(['*', '_']) {
            end -= 1;
        }
    }
    end
}

/// Whether the next line of a paragraph is not the same command going on.
fn new_line_begins(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    name_of(word).is_some() || word.starts_with(char::is_uppercase) || word.starts_with(['$', '#'])
}

/// How many bytes of a word's end belong to the sentence: a full stop, a comma, a closing bracket.
fn trailing(word: &str) -> usize {
    let mut end = word.len();
    while let Some(c) = word[..end].chars().next_back() {
        let inner = &word[..end - c.len_utf8()];
        let closes = match c {
            '.' => !(inner.is_empty() || inner.ends_with('.') || inner.ends_with('/')),
            ',' | '!' | '?' | ':' | ';' => !inner.is_empty() && !(c == '?' && inner.contains('*')),
            ')' => !inner.contains('('),
            ']' => !inner.contains('['),
            '\u{201D}' | '\u{2019}' | '\u{BB}' | '\u{3002}' | '\u{FF0C}' => true,
            '"' => inner.matches('"').count() % 2 == 0,
            '\'' => inner.matches('\'').count() % 2 == 0,
            '\u{2026}' => true,
            _ => false,
        };
        if !closes {
            break;
        }
        end = inner.len();
    }
    word.len() - end
}

/// Where the quote or bracket closes that opens right before `start`.
fn closer(unit: &str, start: usize, limit: usize) -> Option<usize> {
    let open = unit[..start].chars().next_back()?;
    let close = match open {
        '"' => '"',
        '\u{201C}' => '\u{201D}',
        '\u{2018}' => '\u{2019}',
        '\u{AB}' => '\u{BB}',
        '\'' => '\'',
        '(' => ')',
        '[' => ']',
        _ => return None,
    };
    let mut depth = 0usize;
    for (at, c) in unit[start..limit].char_indices().take(2048) {
        if c == close && depth == 0 {
            return Some(start + at);
        } else if c == close {
            depth -= 1;
        } else if c == open && open != close {
            depth += 1;
        }
    }
    None
}
