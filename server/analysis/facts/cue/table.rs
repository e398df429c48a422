//! Tables: cells, columns that say what their commands are, cells that say what becomes of their row's.

use std::ops::Range;

use super::Turn;
use super::phrase::{Mark, Phrase, STOPPED, gives, leading_mark};
use crate::facts::ban::sentence::{Kind, tokens};

/// GFM 4.10.
pub(super) fn cells(row: &str) -> Vec<Range<usize>> {
    let bytes = row.as_bytes();
    let mut start = row.len() - row.trim_start().len();
    let end = row.trim_end().len().max(start);
    if bytes.get(start) == Some(&b'|') {
        start += 1;
    }
    let mut cells = Vec::new();
    let mut escaped = false;
    let mut from = start;
    for (at, byte) in row.bytes().enumerate().take(end).skip(start) {
        match byte {
            b'\\' => escaped = !escaped,
            b'|' if !escaped => {
                cells.push(trim(row, from..at));
                from = at + 1;
            }
            _ => escaped = false,
        }
    }
    // the outer pipe opens no cell
    if from < end || cells.is_empty() {
        cells.push(trim(row, from..end.max(from)));
    }
    cells
}

fn trim(row: &str, cell: Range<usize>) -> Range<usize> {
    let text = &row[cell.clone()];
    let start = cell.start + (text.len() - text.trim_start().len());
    start..start + text.trim().len()
}

/// Columns of commands that are not to be run, besides the bad forms of headings.
const BAD_COLUMNS: [&str; 4] = ["never use", "do not use", "don't use", "instead of running"];

/// The turn of a column.
pub(super) fn column(cell: &str) -> Option<Turn> {
    let phrase = Phrase::read(cell);
    match phrase.mark {
        Some(Mark::Good) => Some(Turn::Good),
        Some(Mark::Bad) if phrase.words.is_empty() => Some(Turn::Bad),
        _ if phrase.is_bad() || BAD_COLUMNS.contains(&phrase.words.join(" ").as_str()) => Some(Turn::Bad),
        None if phrase.is_good() => Some(Turn::Good),
        _ => None,
    }
}

/// What may stand before the participle.
const COPULAS: [&str; 7] = ["is", "always", "are", "be", "will", "gets", "should"];

/// The turn of a cell that is a verdict.
pub(super) fn verdict(cell: &str) -> Option<Turn> {
    let phrase = Phrase::read(cell);
    let tokens = tokens(cell, &[]);
    let (mark, mut after) = leading_mark(&tokens);
    while tokens.get(after).is_some_and(|token| token.is_in(&COPULAS)) {
        after += 1;
    }
    let first = tokens.get(after).map_or("", |token| token.word());
    let second = tokens.get(after + 1);
    let negative = first == "not" && second.is_some_and(|t| t.is_in(&["allowed", "permitted"]));
    let rest = &tokens[(after + 1 + usize::from(negative)).min(tokens.len())..];
    // "Blocked (reason)", "Blocked by …"
    let closed = rest
        .first()
        .is_none_or(|t| matches!(t.kind, Kind::Mark('(' | ':' | ',' | '.' | '!')) || t.is_in(&["by"]));
    match (mark, phrase.words.is_empty()) {
        (Some(Mark::Good), _) => Some(Turn::Good),
        (Some(Mark::Bad), true) => Some(Turn::Bad),
        _ if (STOPPED.contains(&first) || negative)
            && closed
            && !gives(&rest[usize::from(rest.first().is_some_and(|t| t.is_in(&["by"])))..]) =>
        {
            Some(Turn::Bad)
        }
        _ if matches!(first, "allowed" | "permitted" | "allow" | "ok" | "yes" | "passes") => Some(Turn::Good),
        _ => None,
    }
}
