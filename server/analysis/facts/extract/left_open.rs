//! Comments of templates and folded elements that go on over blank lines.
//!
//! Markdown knows nothing of them: for it their content is paragraphs like any others. Whoever turns the source into a
//! page takes it out, or folds it away. As far as the window reaches, it is looked at with its beginning.

use std::ops::Range;

use super::{Found, Reading, Unit};
use crate::facts::command::Place;
use crate::facts::{Says, hidden};
use crate::lines::{Lexed, LineKind};
use crate::text::Source;

/// What `unit` leaves open and hides in the lines `behind` it. What is `known` is not told again.
pub(super) fn scan<'l>(
    unit: &mut Unit<'_>,
    reading: &Reading,
    behind: impl Iterator<Item = (usize, &'l Lexed)>,
    source: &impl Source,
    known: &[Found],
) -> Option<Found> {
    let place = matches!(reading.place, Place::Prose | Place::Item);
    if !place || reading.in_comment || reading.in_style {
        return None;
    }
    let (start, close) = hidden::left_open(unit.text())?;
    let rule = hidden::RULE.as_ref()?;
    let is_known = |found: &Found| match found.says {
        Says::Hit(hit) => hit.rule == *rule && found.range.end > start,
        _ => false,
    };
    if known.iter().any(is_known) {
        return None;
    }
    let own_lines = unit.lines().count();
    for (index, (line, lexed)) in behind.enumerate() {
        if matches!(lexed.kind, LineKind::Fence | LineKind::Code | LineKind::FrontMatter | LineKind::Data) {
            break;
        }
        if unit.line(own_lines + index).is_none() {
            unit.extend(line, lexed, source);
        }
        let ends: Option<Range<usize>> = unit.line(own_lines + index);
        if ends.is_some_and(|line| unit.window()[line].contains(close)) {
            break;
        }
    }
    let (range, hit) = hidden::in_open(unit.text(), unit.window())?;
    Some(Found { range, says: Says::Hit(hit), pointer: None, reading: 0 })
}
