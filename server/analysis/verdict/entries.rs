//! What a `#` comment of YAML or TOML covers: the next entry with all that it holds (CONTRACTS, "Suppressions").
//!
//! Told by lines and their indentation, so that a record which is broken somewhere keeps its suppressions.

use std::collections::HashMap;
use std::ops::Range;

use crate::facts::Record;
use crate::lines::{Format, Leaf};
use crate::scope::{Block, BlockKind};
use crate::seq::Seq;
use crate::text::Source;

/// An entry that comments stand above.
struct Entry {
    comments: Vec<usize>,
    /// The zero-based line on which it begins.
    first: usize,
    indent: usize,
    /// It is an item of a YAML list.
    item: bool,
    /// It is the header of a TOML table, which holds all up to the next one.
    table: bool,
}

impl Entry {
    /// Whether a line with this text, `indent` bytes in, is no part of it any more.
    fn ends(&self, rest: &str, indent: usize, toml: bool) -> bool {
        if self.table {
            return is_table(rest);
        }
        let item = rest == "-" || rest.starts_with("- ");
        indent <= self.indent
            && !(item && !self.item && indent == self.indent)
            && !(toml && rest.starts_with([']', '}']))
    }
}

/// The comment lines of the record that the document is, or begins with, and what each covers; `None` where nothing
/// follows. A line of a value that only looks like a comment is left out.
pub(super) fn comments(
    source: &impl Source,
    records: &Seq<Record>,
    blocks: &Seq<Block>,
) -> HashMap<usize, Option<Range<usize>>> {
    let mut found = HashMap::new();
    let (Some(block), Some(first)) = (blocks.get(0), records.get(0)) else { return found };
    let (lines, toml) = match (block.kind, first.line.exit.leaf) {
        (BlockKind::FrontMatter, leaf) => {
            (1..(block.lines as usize).saturating_sub(1).max(1), leaf == Leaf::FrontMatter(b'+'))
        }
        (BlockKind::Data, Leaf::Data(format @ (Format::Yaml | Format::Toml))) => {
            (0..block.lines as usize, format == Format::Toml)
        }
        _ => return found,
    };
    let end = lines.end;
    let mut waiting: Vec<usize> = Vec::new();
    let mut open: Vec<Entry> = Vec::new();
    let mut literal: Option<usize> = None;
    let mut quoted = false;
    source.for_lines(lines, &mut |line, text| {
        let text = text.trim_start_matches('\u{feff}');
        let rest = text.trim_start_matches([' ', '\t']);
        let indent = text.len() - rest.len();
        let rest = rest.trim_end();
        if rest.is_empty() || literal.is_some_and(|outer| indent > outer) || quoted {
            quoted ^= toml && turns_quoted(rest);
            return;
        }
        literal = None;
        if rest.starts_with('#') && !(toml && open.last().is_some_and(|entry| entry.table)) {
            close(&mut open, &mut found, line, |entry| entry.ends(rest, indent, toml));
        }
        if rest.starts_with('#') {
            return waiting.push(line);
        }
        close(&mut open, &mut found, line, |entry| entry.ends(rest, indent, toml));
        // The marks between documents are no entry.
        let mark = !toml && (rest == "---" || rest == "..." || rest.starts_with('%'));
        if !waiting.is_empty() && !mark {
            open.push(Entry {
                comments: std::mem::take(&mut waiting),
                first: line,
                indent,
                item: rest == "-" || rest.starts_with("- "),
                table: toml && is_table(rest),
            });
        }
        literal = (!toml && opens_literal(rest)).then_some(indent);
        quoted = toml && turns_quoted(rest);
    });
    close(&mut open, &mut found, end, |_| true);
    found.extend(waiting.into_iter().map(|comment| (comment, None)));
    found
}

/// Closes the entries that end before line `line`: what is inside one of them ends with it.
fn close(
    open: &mut Vec<Entry>,
    found: &mut HashMap<usize, Option<Range<usize>>>,
    line: usize,
    ends: impl Fn(&Entry) -> bool,
) {
    let Some(first) = open.iter().position(ends) else { return };
    for entry in open.drain(first..) {
        let covers = entry.first..line;
        found.extend(entry.comments.into_iter().map(|comment| (comment, Some(covers.clone()))));
    }
}

/// Whether a TOML line is the header of a table.
fn is_table(line: &str) -> bool {
    let line = line.split(" #").next().unwrap_or(line).trim_end();
    line.starts_with('[') && line.ends_with(']') && !line.contains([',', '='])
}

/// Whether a YAML line ends in the sign of a block scalar: `|`, `>`, with their modifiers.
fn opens_literal(line: &str) -> bool {
    let line = line.split(" #").next().unwrap_or(line).trim_end();
    let last = line.rsplit([' ', '\t']).next().unwrap_or_default();
    last.starts_with(['|', '>']) && last[1..].chars().all(|c| matches!(c, '+' | '-' | '1'..='9'))
}

/// Whether a TOML line opens a string of several lines, or closes one.
fn turns_quoted(line: &str) -> bool {
    (line.matches("\"\"\"").count() + line.matches("'''").count()) % 2 == 1
}
