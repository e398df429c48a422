//! A label that holds, above a block that was meant as forbidden: the author's own line written in one of the supported
//! forms, or a line of its own.

use std::ops::Range;

use super::{Fix, FixKind, Fixer, TextEdit};
use crate::facts::label::{Label, Near};
use crate::scope::{self, BlockKind};
use crate::text::Source;
use crate::verdict::{Finding, Message};

/// The form of label that a fix writes.
pub const LABEL: &str = "Never run these commands:";

impl Fixer<'_> {
    /// Forbids the block of `finding`.
    pub(super) fn label(&self, finding: &Finding) -> Option<Fix> {
        let blocks = self.snapshot.blocks();
        let (index, lines) = scope::at(blocks, finding.span.line)?;
        let block = blocks.get(index)?;
        let top = self.snapshot.records().get(lines.start)?.line.kept == 0;
        if !top || !matches!(block.kind, BlockKind::Fence | BlockKind::List) {
            return None;
        }
        self.rewritten(finding)
            .or_else(|| self.nearer(finding, &lines))
            .or_else(|| self.above(finding, &lines))
    }

    /// The line above, which nearly is a label, in a form that is one.
    fn rewritten(&self, finding: &Finding) -> Option<Fix> {
        let proof = finding.scope.as_ref().filter(|proof| !proof.holds && !proof.kind.shows())?;
        let line = proof.label.line;
        let (Label::Near(near), _) = self.snapshot.records().get(line)?.label()? else { return None };
        let start = self.snapshot.text().line_start(line);
        let range = start + proof.label.start..start + proof.label.end;
        let written = self.snapshot.text().slice(range.clone());
        let (text, title) = match near {
            Near::NoColon => (with_colon(&written), "Put a colon at the label's end"),
            _ => (LABEL.to_owned(), "Write the label in a form that holds"),
        };
        let edits = vec![TextEdit { range, text }];
        let title = Message::from(title);
        let fix = self.tried(FixKind::Label, title, finding, edits)?;
        // What makes an exception or a condition says something that the form does not.
        let bounds = matches!(near, Near::Exception | Near::Condition);
        Some(Fix { preferred: !bounds, ..fix })
    }

    /// The label that holds but for the blank lines below it, with one of them.
    fn nearer(&self, finding: &Finding, lines: &Range<usize>) -> Option<Fix> {
        let text = self.snapshot.text();
        let blank = |line: &usize| text.line(*line).trim().is_empty();
        let first = (0..lines.start).rev().take_while(blank).last()?;
        if lines.start - first < 2 {
            return None;
        }
        let edits = vec![TextEdit {
            range: text.line_start(first + 1)..text.line_start(lines.start),
            text: String::new(),
        }];
        let title = Message::from("Leave one blank line below the label");
        let fix = self.tried(FixKind::Label, title, finding, edits)?;
        Some(Fix { preferred: true, ..fix })
    }

    /// A label of its own right above the block.
    fn above(&self, finding: &Finding, lines: &Range<usize>) -> Option<Fix> {
        let text = self.snapshot.text();
        let end = self.line_end(lines.start);
        let apart = lines.start > 0 && !text.line(lines.start - 1).trim().is_empty();
        let before = if apart { end } else { "" };
        let put = format!("{before}{LABEL}{end}{end}");
        let title = Message::from("Forbid this block: put a label above it");
        let edits = vec![TextEdit::insert(self.line_start(lines.start), put)];
        self.tried(FixKind::Label, title, finding, edits)
    }
}

/// A label with a colon at its end, inside of emphasis that ends there.
fn with_colon(label: &str) -> String {
    let bare = label.trim_end_matches(['*', '_']);
    let words = bare.trim_end_matches(['.', '!']);
    format!("{words}:{}", &label[bare.len()..])
}
