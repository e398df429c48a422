//! What can be wrong with a `caveat.toml`, in words of ours.

use std::fmt;
use std::path::{Path, PathBuf};

use caveat_analysis::facts::allow::FaultKind;
use caveat_analysis::text::{Encoding, column_of};
use caveat_analysis::verdict::{Arg, Message};

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
    /// It is not TOML: what is wrong, in a sentence.
    Syntax(&'static str),
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
    /// A glob that cannot be read as one; the key that it stands under, and what is wrong, as the end of a sentence.
    BadGlob(&'static str, &'static str),
    /// A key of the top level that stands below a table's head: the key.
    BelowTable(&'static str),
    /// A group of rules where a rule is named.
    GroupAsRule,
    /// A label that is empty, longer than 200 characters, no single line, or without a colon at its end.
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
    BadReason(FaultKind),
    /// A last day that is no day.
    BadDay,
    /// A last day that the calendar has not.
    NoSuchDay,
    /// A fingerprint that is none.
    BadFingerprint,
    /// A pointer that is none.
    BadPointer,
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

impl Problem {
    /// What to tell a person: one sentence, without its full stop.
    #[must_use]
    pub fn message(&self) -> Message {
        let limit = |template, limit: u64| {
            Message::new(template, [Arg::Count(usize::try_from(limit).unwrap_or(usize::MAX))])
        };
        match self {
            Problem::Unreadable => Message::from("This configuration cannot be read"),
            Problem::TooLarge(bytes) => limit("This configuration is larger than {} bytes", *bytes),
            Problem::NotUtf8 => Message::from("This configuration is not UTF-8 text"),
            Problem::Syntax(what) => Message::new("{}", [Arg::Name(what)]),
            Problem::DuplicateKey => Message::from("This key is given a second time"),
            Problem::UnknownKey { table: "", suggestion: None } => {
                Message::from("There is no such key at the top level")
            }
            Problem::UnknownKey { table: "", suggestion: Some(key) } => {
                Message::new("There is no such key at the top level; did you mean `{}`?", [Arg::Name(key)])
            }
            Problem::UnknownKey { table, suggestion: None } => {
                Message::new("There is no such key in [{}]", [Arg::Name(table)])
            }
            Problem::UnknownKey { table, suggestion: Some(key) } => Message::new(
                "There is no such key in [{}]; did you mean `{}`?",
                [Arg::Name(table), Arg::Name(key)],
            ),
            Problem::WrongType { key, takes } => {
                Message::new("`{}` takes {}", [Arg::Name(key), Arg::Name(takes)])
            }
            Problem::BadGlob(key, why) => {
                Message::new("This entry of `{}` is not a glob: {}", [Arg::Name(key), Arg::Name(why)])
            }
            Problem::BadSuppression(problem) => problem.message(),
            Problem::BadLabel => {
                Message::from("A label is one whole line of 1 to 200 characters that ends in a colon")
            }
            Problem::BelowTable(key) => Message::new(
                "`{}` is a key of the top level: it belongs above the first [table]",
                [Arg::Name(key)],
            ),
            Problem::GroupAsRule => {
                Message::from("This is a group of rules, not a rule; `caveat rules` lists the rules of each")
            }
            Problem::TooMany(key, most) => {
                Message::new("`{}` takes at most {} entries", [Arg::Name(key), Arg::Count(*most)])
            }
            Problem::UnknownRule(None) => Message::from("There is no such rule"),
            Problem::UnknownRule(Some(rule)) => {
                Message::new("There is no such rule; did you mean `{}`?", [Arg::Name(rule)])
            }
            Problem::OffWithoutReason => {
                Message::from("A rule is switched off with a reason: { severity = \"off\", reason = \"…\" }")
            }
            Problem::NoticeAsError => Message::from("A notice is advisory: it cannot be an error"),
            Problem::Missing(key) => Message::new("`{}` is missing here", [Arg::Name(key)]),
            Problem::BadReason(FaultKind::NoReason) => {
                Message::from("A reason has 1 to 500 characters, and this one has no words")
            }
            Problem::BadReason(FaultKind::LongReason) => {
                Message::from("A reason has 1 to 500 characters, and this one has more")
            }
            Problem::BadReason(_) => Message::from(
                "A reason has no double dash, no control character and none that turns text around",
            ),
            Problem::BadDay => Message::from("A last day is written YYYY-MM-DD"),
            Problem::NoSuchDay => Message::from("There is no such day in the calendar"),
            Problem::BadPointer => Message::from("A pointer is a JSON Pointer, which begins with /"),
            Problem::BadFingerprint => Message::from("A fingerprint has 32 digits of 0-9 and a-f"),
            Problem::BadEntry(what) => Message::new("{}", [Arg::Name(what)]),
            Problem::MissedExample => Message::from("This example is not found by its entry"),
            Problem::ExampleSeverity => Message::from("This example is found with another severity"),
            Problem::CaughtHonest => Message::from("This honest example is found by its entry"),
            Problem::Loosens => Message::from(
                "Rules about secrets and injections are loosened in the topmost caveat.toml or nowhere",
            ),
        }
    }
}

/// The message as it stands behind a place: it goes on in lower case.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.message().to_string();
        let mut rest = message.chars();
        let first = rest.next().map(|c| c.to_ascii_lowercase());
        first.map_or(Ok(()), |first| write!(f, "{first}{}", rest.as_str()))
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
