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
    /// More entries in a list than are allowed: the key, the limit.
    TooMany(&'static str, usize),
}

impl Problem {
    /// Sets the problem in its place: byte range `range` of `text`, the content of `file`.
    pub(super) fn at(self, range: std::ops::Range<usize>, text: &str, file: &Path) -> ConfigError {
        let (line, column) = place(text, range.start);
        ConfigError { file: file.to_path_buf(), line, column, range, problem: self }
    }
}

/// Line and column, both from 1, of a byte of `text`; columns in Unicode scalar values.
fn place(text: &str, byte: usize) -> (usize, usize) {
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
            Problem::BadLabel => f.write_str("a label is one whole line of 1 to 200 characters"),
            Problem::TooMany(key, limit) => write!(f, "`{key}` takes at most {limit} entries"),
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
