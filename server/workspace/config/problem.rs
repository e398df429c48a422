//! What can be wrong with a `caveat.toml`, in words of ours.

use std::fmt;
use std::path::{Path, PathBuf};

use caveat_analysis::text::{Encoding, column_of};

use crate::name::escaped;

/// Something is wrong with a configuration. Carries no text of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in Unicode scalar values.
    pub column: usize,
    /// Byte range in the file.
    pub range: std::ops::Range<usize>,
    /// What is wrong.
    pub problem: Problem,
}

/// The kinds of things that can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The file cannot be opened or read.
    Unreadable,
    /// It is larger than is sensible: limit in bytes.
    TooLarge(u64),
    /// It is not UTF-8.
    NotUtf8,
    /// It is not TOML.
    Syntax,
    /// The same key twice.
    DuplicateKey,
    /// A key that we do not have; the table it stands in ("" is the root), and the key that may have been meant.
    UnknownKey {
        /// Dotted path of the table, ours.
        table: &'static str,
        /// One of our keys.
        suggestion: Option<&'static str>,
    },
    /// A key of ours with a value that it does not take.
    WrongType {
        /// The key, dotted.
        key: &'static str,
        /// What it takes.
        takes: &'static str,
    },
    /// A glob that cannot be read as one; the key that it stands under.
    BadGlob(&'static str),
    /// A label that is empty, longer than 200 characters, or no single line.
    BadLabel,
    /// One of these, in the rule, the reason, the last day or the fingerprint of an entry of `[[suppressions]]`.
    BadSuppression(Box<Problem>),
    /// More entries in a list than are allowed: the key, the limit.
    TooMany(&'static str, usize),
    /// A rule that there is not, and the one that may have been meant.
    UnknownRule(Option<&'static str>),
    /// A rule is switched off, and nobody says why.
    OffWithoutReason,
    /// A notice is advisory, and cannot be an error.
    NoticeAsError,
    /// A key that has to be there.
    Missing(&'static str),
    /// A reason that is empty, too long or has characters that no reason has.
    BadReason,
    /// A last day that is no day.
    BadDay,
    /// A fingerprint that is none.
    BadFingerprint,
    /// An entry of `[[commands]]` that is none: what is wrong, in a sentence.
    BadEntry(&'static str),
    /// An example in `hits` that its entry does not find.
    MissedExample,
    /// An example in `hits` that its entry finds with another severity than it says.
    ExampleSeverity,
    /// An example in `honest` that its entry finds.
    CaughtHonest,
    /// It loosens a rule that a configuration further up does not let it loosen.
    Loosens,
}

impl Problem {
    /// The same, in an entry of `[[suppressions]]`.
    pub(super) fn in_suppression(self) -> Problem {
        Problem::BadSuppression(Box::new(self))
    }

    /// Sets the problem in its place: byte range `range` of `text`, the content of `file`.
    pub(super) fn at(self, range: std::ops::Range<usize>, text: &str, file: &Path) -> ConfigError {
        let (line, column) = place(text, range.start);
        ConfigError { file: file.to_path_buf(), line, column, range, problem: self }
    }
}

/// Line and column, both from 1, of a byte of `text`; columns in Unicode scalar values.
pub(super) fn place(text: &str, byte: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..byte.min(text.len())];
    let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    let line = before.iter().filter(|b| **b == b'\n').count();
    (line + 1, column_of(&text[start..], before.len() - start, Encoding::Utf32) + 1)
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unreadable => f.write_str("this configuration cannot be read"),
            Problem::TooLarge(limit) => write!(f, "this configuration is larger than {limit} bytes"),
            Problem::NotUtf8 => f.write_str("this configuration is not UTF-8 text"),
            Problem::Syntax => f.write_str("this is not valid TOML here"),
            Problem::DuplicateKey => f.write_str("this key is given a second time"),
            Problem::UnknownKey { table, suggestion } => {
                f.write_str("there is no such key ")?;
                match *table {
                    "" => f.write_str("at the top level")?,
                    table => write!(f, "in [{table}]")?,
                }
                suggestion.map_or(Ok(()), |key| write!(f, "; did you mean `{key}`?"))
            }
            Problem::WrongType { key, takes } => write!(f, "`{key}` takes {takes}"),
            Problem::BadGlob(key) => {
                write!(
                    f,
                    "this entry of `{key}` is not a glob: look for an unclosed `[` or `{{`, or a lone `\\`"
                )
            }
            Problem::BadSuppression(problem) => problem.fmt(f),
            Problem::BadLabel => f.write_str("a label is one whole line of 1 to 200 characters"),
            Problem::UnknownRule(suggestion) => {
                f.write_str("there is no such rule")?;
                suggestion.map_or(Ok(()), |rule| write!(f, "; did you mean `{rule}`?"))
            }
            Problem::OffWithoutReason => {
                f.write_str("a rule is switched off with a reason: { severity = \"off\", reason = \"…\" }")
            }
            Problem::NoticeAsError => f.write_str("a notice is advisory: it cannot be an error"),
            Problem::Missing(key) => write!(f, "`{key}` is missing here"),
            Problem::BadReason => f.write_str(
                "a reason has 1 to 500 characters, no double dash, no control character and none that turns text around",
            ),
            Problem::BadDay => f.write_str("a last day is written YYYY-MM-DD"),
            Problem::BadFingerprint => f.write_str("a fingerprint has 32 digits of 0-9 and a-f"),
            Problem::BadEntry(what) => f.write_str(what),
            Problem::MissedExample => f.write_str("this example is not found by its entry"),
            Problem::ExampleSeverity => f.write_str("this example is found with another severity"),
            Problem::CaughtHonest => f.write_str("this honest example is found by its entry"),
            Problem::Loosens => f.write_str(
                "rules about secrets and injections are loosened in the topmost caveat.toml or nowhere",
            ),
            Problem::TooMany(key, limit) => write!(f, "`{key}` takes at most {limit} entries"),
        }
    }
}

impl ConfigError {
    /// The rule that this is a finding of: what is wrong with the essential parts of a suppression has its own.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self.problem {
            Problem::BadSuppression(_) => "suppression-invalid",
            _ => "config-invalid",
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = escaped(&self.file.to_string_lossy()).into_owned();
        write!(f, "{file}:{}:{}: {}", self.line, self.column, self.problem)
    }
}

impl std::error::Error for ConfigError {}
