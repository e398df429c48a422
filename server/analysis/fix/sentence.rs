//! A sentence that nearly forbids its command, written in the form that does.

use super::{Fix, FixKind, Fixer, TextEdit};
use crate::facts::ban::nearly;
use crate::lines::LineKind;
use crate::text::Source;
use crate::verdict::{Finding, Message};

impl Fixer<'_> {
    /// Forbids the command of `finding` by the sentence that it stands in. Only where that is on one line: what follows
    /// an edit that spans lines is a question of containers.
    pub(super) fn sentence(&self, finding: &Finding) -> Option<Fix> {
        let span = finding.span;
        let record = self.snapshot.records().get(span.line)?;
        if span.end_line != span.line || !matches!(record.line.kind, LineKind::Prose | LineKind::Item) {
            return None;
        }
        let text = self.snapshot.text();
        let content = record.line.content as usize;
        let line = text.line(span.line);
        let unit = line.get(content..)?;
        let hit = span.column.checked_sub(content)?..span.end_column.checked_sub(content)?;
        let nearly = nearly(unit, &[hit]).pop()??;
        let start = text.line_start(span.line) + content;
        let edits: Vec<TextEdit> = nearly
            .edits
            .into_iter()
            .map(|(range, text)| TextEdit { range: start + range.start..start + range.end, text })
            .collect();
        if edits.is_empty() {
            return None;
        }
        let title = match nearly.keeps {
            true => "Write the sentence in a form that forbids the command",
            false => "Forbid the command without what bounds that",
        };
        let fix = self.tried(FixKind::Sentence, Message::from(title), finding, edits)?;
        // What bounds a ban says something that the form does not.
        Some(Fix { preferred: fix.preferred && nearly.keeps, ..fix })
    }
}
