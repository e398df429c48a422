//! Cues for *shown*: signs that a text displays a command and does not give it (CONTRACTS, "Stance").
//!
//! A cue changes a finding's severity only, so the lists may be wider than what forbids; they are still closed, and each
//! form is matched as a whole: a heading, a comment, a cell or the opening of a unit must be one of them from end to end.
//! A condition, an exception or a limit of place, person or time cancels. Where in doubt there is no cue.

mod comment;
mod describe;
mod phrase;
mod table;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::ban::sentence::{Kind, Token, sentences, tokens};
use super::ban::takes_back;
use crate::lines::Lang;
use phrase::Mark;

/// Which way a cue points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// What stands under it is shown: blocked, forbidden, a bad example.
    Bad,
    /// What stands under it is meant to be done: it ends a `Bad`.
    Good,
}

/// Reads the text of a heading. It governs what stands in its section.
#[must_use]
pub fn heading(text: &str) -> Option<Turn> {
    let phrase = phrase::Phrase::read(text);
    match phrase.mark {
        Some(Mark::Good) => Some(Turn::Good),
        Some(Mark::Bad) if phrase.words.is_empty() => Some(Turn::Bad),
        _ if phrase.is_bad() => Some(Turn::Bad),
        None if phrase.is_good() => Some(Turn::Good),
        _ => None,
    }
}

/// Reads a whole line that ends in a colon and stands directly above a block or list, which it governs.
#[must_use]
pub fn lead_in(line: &str) -> Option<Turn> {
    let line = line.trim().trim_end_matches(['*', '_']).strip_suffix(':').map_or_else(
        || line.trim().trim_end_matches(':').strip_suffix("**").filter(|rest| rest.ends_with(':')),
        Some,
    )?;
    heading(line).or_else(|| describe::introduces(line).then_some(Turn::Bad))
}

/// Reads how a unit (paragraph, list entry, table cell) begins: the bytes of the mark or label, and its turn. It governs
/// the unit. A `Bad` one that is followed by an order, by a condition or by a good example is none.
#[must_use]
pub fn opener(unit: &str) -> Option<(Range<usize>, Turn)> {
    let tokens = tokens(unit, &[]);
    let (mark, after) = phrase::leading_mark(&tokens);
    let (label, after) = phrase::label(&tokens, after);
    let range = tokens.first()?.range.start..tokens.get(after.checked_sub(1)?)?.range.end;
    match (mark, label) {
        (Some(Mark::Good), _) | (None, Some(Turn::Good)) => return Some((range, Turn::Good)),
        (Some(Mark::Bad), Some(Turn::Good)) | (None, None) => return None,
        _ => {}
    }
    let rest = &tokens[after..];
    let opens = label.is_some() || rest.first().is_some_and(Token::is_code) || phrase::is_negated_order(rest);
    (opens && !phrase::gives(rest)).then_some((range, Turn::Bad))
}

/// Reads the comment of a line in a fence: its bytes, its turn, and whether it follows code, so that it governs its own
/// line only.
#[must_use]
pub fn comment(line: &str, lang: Lang) -> Option<(Range<usize>, Turn, bool)> {
    let (range, text, trailing) = comment::find(line, lang)?;
    comment::turn(text).map(|turn| (range, turn, trailing))
}

/// The cells of a table row (GFM 4.10), without the white space around them: a pipe that no backslash escapes ends one,
/// in code spans also.
#[must_use]
pub fn cells(row: &str) -> Vec<Range<usize>> {
    table::cells(row)
}

/// Reads a cell of a table's header. It governs the column.
#[must_use]
pub fn column(header_cell: &str) -> Option<Turn> {
    table::column(header_cell)
}

/// Reads a cell that says what becomes of its row's command. It governs the row.
#[must_use]
pub fn verdict_cell(cell: &str) -> Option<Turn> {
    table::verdict(cell)
}

/// The bytes of the words that make the sentence around `hit` a description: its main verb is third person, and nothing
/// in it orders, addresses a reader or sets a condition.
#[must_use]
pub fn describes(unit: &str, hit: Range<usize>) -> Option<Range<usize>> {
    if hit.start >= hit.end || unit.get(hit.clone()).is_none() {
        return None;
    }
    let tokens = tokens(unit, std::slice::from_ref(&hit));
    let sentences = sentences(unit, &tokens);
    let holds = |token: &Token| match &token.kind {
        Kind::Code(content) => content.start <= hit.start && hit.end <= content.end,
        Kind::Bare => token.range == hit,
        _ => false,
    };
    let at = sentences.iter().position(|sentence| sentence.tokens.iter().any(holds))?;
    if sentences[at + 1..].iter().any(takes_back) {
        return None;
    }
    let place = sentences[at].tokens.iter().position(holds)?;
    describe::sentence(&sentences[at], place)
}
