//! Commands in the strings of Python and JavaScript: what is handed to `os.system`, `subprocess`, `child_process`.

use super::fence::push;
use super::{Candidate, guess, prose};
use crate::facts::command::Dialect;
use crate::facts::command::origin::Origin;
use crate::facts::command::read::{read, read_part};
use crate::lines::Lang;

/// Calls that run a command, by language. JavaScript's `exec` is also a method of regular expressions: what it is given
/// is no command then, and nothing matches.
const PYTHON: &[&str] = &[
    "os.system(",
    "os.popen(",
    "subprocess.",
    "Popen(",
    "check_call(",
    "check_output(",
    "run(",
    "getoutput(",
    "shell(",
];
const JAVASCRIPT: &[&str] = &[
    "exec(",
    "execSync(",
    "spawn(",
    "spawnSync(",
    "execFile(",
    "execFileSync(",
    "$`",
    "execa(",
    "shell(",
    "command(",
];
const OTHER: &[&str] = &[
    "exec.Command(",
    "Command::new(",
    "system(",
    "system '",
    "system \"",
    "exec '",
    "exec \"",
    "sh '",
    "sh \"",
    "os.execute(",
    "shell_exec(",
    "passthru(",
    "popen(",
    ".exec(",
    "ProcessBuilder(",
    "Process.Start(",
    "%x(",
    "Open3.",
    "local-exec",
    "command =",
];

/// The commands in the calls of a line, its SQL, and the line itself where it is a command after all: fences carry the
/// wrong tag often enough.
pub(super) fn calls(unit: &str, lang: Lang, found: &mut Vec<Candidate>) {
    let first = found.len();
    for literal in literals(unit, 0).into_iter().filter(|literal| {
        unit[literal.clone()].split(';').any(|part| guess::is_sql(part.trim_start(), false))
    }) {
        push(found, read_part(unit, literal, Dialect::Sql, false), false);
    }
    // a line of a string that began on an earlier one
    let start = unit.len() - unit.trim_start().len();
    if found.len() == first && guess::is_sql(&unit[start..], true) {
        let end = unit.trim_end_matches(|c: char| c.is_whitespace() || "`\"');,".contains(c)).len();
        push(found, read_part(unit, start..end.max(start), Dialect::Sql, false), false);
    }
    run(unit, lang, found);
    if found.len() == first {
        prose::line(unit, found);
    }
}

fn run(unit: &str, lang: Lang, found: &mut Vec<Candidate>) {
    let names = match lang {
        Lang::Python => PYTHON,
        Lang::JavaScript => JAVASCRIPT,
        _ => OTHER,
    };
    let Some(at) = names.iter().filter_map(|name| unit.find(name).map(|at| at + name.len() - 1)).min() else {
        return;
    };
    let literals = literals(unit, at);
    let Some((first, rest)) = literals.split_first() else { return };
    if unit[first.clone()].trim().contains(char::is_whitespace) {
        for literal in &literals {
            push(found, read_part(unit, literal.clone(), Dialect::Posix, true), false);
        }
        return;
    }
    let (text, origin) = joined(unit, std::iter::once(first).chain(rest).take(64).cloned());
    push(found, read(&text, Some(&origin), Dialect::Posix, true), false);
}

/// The strings of commands in the calls of a program given on a command line, whatever its language.
pub(in crate::facts::command) fn called(text: &str) -> Vec<std::ops::Range<usize>> {
    const MORE: &[&str] = &["do shell script", "spawn ", "exec "];
    let names = PYTHON.iter().chain(JAVASCRIPT).chain(OTHER).chain(MORE);
    let Some(at) = names.filter_map(|name| text.find(name).map(|at| at + name.len() - 1)).min() else {
        return Vec::new();
    };
    if text[at..].starts_with(' ') {
        return std::iter::once(at..text.len()).collect();
    }
    literals(text, at)
}

/// String literals as the words of one command, each quoted again where it holds blanks, so that it stays one word.
pub(super) fn joined(unit: &str, literals: impl Iterator<Item = std::ops::Range<usize>>) -> (String, Origin) {
    let mut text = String::new();
    let mut origin = Origin::default();
    for literal in literals {
        let value = &unit[literal.clone()];
        let quote = match value.contains(char::is_whitespace) {
            true => ["'", "\""].into_iter().find(|quote| !value.contains(quote)).unwrap_or_default(),
            false => "",
        };
        // an unclosed literal may end before a character of more than one byte
        let closed = unit[literal.end..].starts_with(['"', '\'', '`']);
        for (piece, from, to) in [
            (" ", literal.start - 1, literal.start),
            (quote, literal.start - 1, literal.start),
            (value, literal.start, literal.end),
            (quote, literal.end, literal.end + usize::from(closed)),
        ] {
            if !piece.is_empty() {
                origin.push(text.len(), from, to);
                text.push_str(piece);
            }
        }
    }
    (text, origin)
}

/// The contents of the string literals of `text` from `from` on.
pub(super) fn literals(text: &str, from: usize) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = from;
    while at < bytes.len() {
        let quote = bytes[at];
        if !matches!(quote, b'"' | b'\'' | b'`') {
            at += 1;
            continue;
        }
        let triple = bytes[at..].starts_with(&[quote, quote, quote]);
        let open = at + if triple { 3 } else { 1 };
        let mut close = open;
        while close < bytes.len() && bytes[close] != quote {
            close += if bytes[close] == b'\\' { 2 } else { 1 };
        }
        let close = close.min(bytes.len());
        if close > open && text.is_char_boundary(close) {
            found.push(open..close);
        }
        at = close + if triple { 3 } else { 1 };
    }
    found
}
