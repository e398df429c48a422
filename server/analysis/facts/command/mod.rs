//! Commands are read, not matched: one error-tolerant word lexer for sh, PowerShell and cmd.

mod dialect;
mod expand;
#[cfg(test)]
mod hostile;
mod indirect;
mod inline;
mod keys;
mod origin;
mod places;
mod quotes;
mod read;
mod redirects;
mod runners;
mod script;
mod sql;
#[cfg(test)]
mod tests;
mod words;
mod wrappers;

pub use dialect::Dialect;
pub use keys::{Holds, is_command, last_part};
pub use script::{
    Candidate, Feed, HereDoc, Parent, Pipeline, Redirect, RedirectOp, Script, Simple, Via, Word, Wrapper,
};

use std::ops::Range;

use crate::lines::Lang;

/// Where a scan unit stands, as far as it decides where commands may begin in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// One logical command (or one line) of a fence or of indented code.
    Code(Lang),
    /// A line of a here-document that no shell runs, but whose `$(...)` is expanded.
    HereDoc,
    /// A paragraph (also in a quote), a heading, an HTML line: prose, with code spans that may run over line ends.
    Prose,
    /// A list item's paragraph; it may begin with a command.
    Item,
    /// A table row.
    Row,
    /// A line of front matter.
    FrontMatter,
}

/// Whether quoting or escapes inside a word of `text` could hide a program's name from a search for its letters:
/// `r''m`, `\rm`, `$'\x72m'`, `r$@m`, `$a$b`, `r^d`. Such a text has to be read whatever the search says.
#[must_use]
pub fn odd(text: &str) -> bool {
    let bytes = text.as_bytes();
    let word = |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric());
    let mut marks = bytes.iter().enumerate().filter(|(_, byte)| MARKS[usize::from(**byte)]);
    marks.any(|(at, byte)| {
        let before = at > 0 && word(at - 1);
        match byte {
            b'\\' => word(at + 1),
            b'\'' | b'"' if bytes.get(at + 1) == Some(byte) => before && word(at + 2),
            b'\'' => {
                (at > 0 && bytes[at - 1] == b'$')
                    || (before && word(at + 1) && !crate::lines::is_apostrophe(text, at))
            }
            b'"' | b'^' | b'`' => before && (word(at + 1) || bytes.get(at + 1) == Some(&b'-')),
            b'$' => {
                let next = bytes.get(at + 1);
                (next == Some(&b'{') && stands_for_a_name(&bytes[at + 2..]))
                    || before
                        && next.is_some_and(|next| {
                            next.is_ascii_alphanumeric() || matches!(next, b'@' | b'*' | b'{')
                        })
            }
            _ => false,
        }
    })
}

/// Whether what stands behind `${` may be a program's name or a part of one: a default (`x-rm}`), or nothing before
/// letters (`x:+}rm`).
fn stands_for_a_name(rest: &[u8]) -> bool {
    const LONGEST: usize = 64;
    let rest = &rest[..rest.len().min(LONGEST)];
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    match rest.get(name) {
        Some(b'-' | b'=') => true,
        Some(b':') => matches!(rest.get(name + 1), Some(b'=' | b'+')),
        Some(b'}') => rest.get(name + 1).is_some_and(u8::is_ascii_alphabetic),
        _ => false,
    }
}

/// The marks that [`odd`] looks at: every line is looked through.
const MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let (bytes, mut at) = (br#"\'"^`$"#, 0);
    while at < bytes.len() {
        marks[bytes[at] as usize] = true;
        at += 1;
    }
    marks
};

/// Reads whatever in `unit` may be commands. Spans are byte ranges in `unit`.
#[must_use]
pub fn candidates(unit: &str, place: Place) -> Vec<Candidate> {
    places::candidates(unit, place)
}

/// Whether a text begins as a line of a script does, so that it is no sentence.
#[must_use]
pub fn begins_script(text: &str) -> bool {
    places::is_script(text.trim_start())
}

/// Reads the command of a permission rule, the bytes `range` of `unit`: `Bash(git push --force:*)`, or the command alone.
/// What follows the last `:*` or `*` is a pattern and no operand.
#[must_use]
pub fn permitted(unit: &str, range: Range<usize>) -> Option<Candidate> {
    let rule = &unit[range.clone()];
    let inner = rule.find('(').filter(|_| rule.ends_with(')')).map(|open| open + 1..rule.len() - 1);
    let inner =
        inner.filter(|inner| rule[..inner.start - 1].bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let inner = inner.unwrap_or(0..rule.len());
    let start = range.start + inner.start;
    let len = rule[inner].trim_end_matches([':', '*', ' ']).len();
    places::rule(unit, start..start + len)
}
