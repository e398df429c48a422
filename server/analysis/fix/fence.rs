//! Closing a fence that nothing closes: where it ends anyway, so that what stands below it is read as before.

use super::{Fix, FixKind, Fixer, TextEdit};
use crate::lines::Leaf;
use crate::scope;
use crate::text::Source;
use crate::verdict::{Finding, Message};

impl Fixer<'_> {
    /// Closes the fence that begins on the line of `finding`.
    pub(super) fn close_fence(&self, finding: &Finding) -> Option<Fix> {
        let (text, records) = (self.snapshot.text(), self.snapshot.records());
        let (_, lines) = scope::at(self.snapshot.blocks(), finding.span.line)?;
        let opening = records.get(lines.start)?;
        let Leaf::Fence { mark, len, .. } = opening.line.exit.leaf else { return None };
        let first = text.line(lines.start);
        let content = opening.line.content as usize;
        // A marker of a list belongs to the item's first line only; below it stands white space.
        let prefix: String = first
            .get(..content)?
            .trim_start_matches('\u{feff}')
            .chars()
            .map(|c| if matches!(c, ' ' | '\t' | '>') { c } else { ' ' })
            .collect();
        let close: String = prefix + &char::from(mark.byte()).to_string().repeat(len.into());
        let blank = |line: usize| {
            let own = text.line(line);
            let content = records.get(line).map_or(0, |record| record.line.content as usize);
            own.get(content..).unwrap_or_default().trim().is_empty()
        };
        let last = lines.clone().rev().find(|line| *line == lines.start || !blank(*line))?;
        let end = self.line_end(last);
        let edit = if last + 1 < text.line_count() {
            TextEdit::insert(text.line_start(last + 1), close + end)
        } else {
            TextEdit::insert(text.len(), format!("{end}{close}{end}"))
        };
        let outcome = self.attempt(finding, std::slice::from_ref(&edit))?;
        let title = Message::from("Close this fence");
        let fix = self.tried(FixKind::CloseFence, title, finding, vec![edit])?;
        Some(Fix { safe: outcome.alone, ..fix })
    }
}
