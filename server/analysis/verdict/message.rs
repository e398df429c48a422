//! A message has no place for a string from a document.

use std::fmt;

use jiff::civil::Date;

use crate::catalogue::RuleId;

/// What a message may carry: nothing here can hold text of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A rule's id.
    Rule(RuleId),
    /// A line, zero-based; shown from 1.
    Line(usize),
    /// A number.
    Count(usize),
    /// One of our own words.
    Name(&'static str),
    /// A day, written YYYY-MM-DD.
    Day(Date),
}

/// A sentence of ours: a template with a `{}` for each argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    template: &'static str,
    args: Vec<Arg>,
}

impl Message {
    /// A sentence and what stands in its `{}`s, in order.
    #[must_use]
    pub fn new(template: &'static str, args: impl Into<Vec<Arg>>) -> Message {
        let args = args.into();
        debug_assert_eq!(template.matches("{}").count(), args.len(), "{template}");
        Message { template, args }
    }
}

impl From<&'static str> for Message {
    fn from(template: &'static str) -> Message {
        Message::new(template, [])
    }
}

impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arg::Rule(rule) => f.write_str(rule.name()),
            Arg::Line(line) => write!(f, "{}", line + 1),
            Arg::Count(count) => write!(f, "{count}"),
            Arg::Name(name) => f.write_str(name),
            Arg::Day(day) => write!(f, "{day}"),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = self.template.split("{}");
        f.write_str(parts.next().unwrap_or_default())?;
        parts.zip(&self.args).try_for_each(|(part, arg)| write!(f, "{arg}{part}"))
    }
}
