//! Taking out characters that nobody sees.

use super::{Fix, FixKind, Fixer, TextEdit};
use crate::facts::hidden::hidden_characters;
use crate::text::Source;
use crate::verdict::{Arg, Finding, Message};

impl Fixer<'_> {
    /// Takes out the hidden characters of `finding`; `None` where it is about something else that is hidden, which only
    /// its author can show or drop.
    pub(super) fn unhide(&self, finding: &Finding) -> Option<Fix> {
        let (span, text) = (finding.span, self.snapshot.text());
        let start = text.line_start(span.line);
        // What stands around a character decides whether it has work to do.
        let line = text.line(span.line);
        let mut count = 0;
        let edits: Vec<TextEdit> = hidden_characters(&line, span.line == 0)
            .into_iter()
            .filter(|hidden| span.column <= hidden.start && start + hidden.end <= span.offset + span.length)
            .map(|hidden| {
                count += hidden.count;
                TextEdit { range: start + hidden.start..start + hidden.end, text: String::new() }
            })
            .collect();
        let title = match count {
            0 => return None,
            1 => Message::from("Take out the hidden character"),
            _ => Message::new("Take out the {} hidden characters", [Arg::Count(count)]),
        };
        self.tried(FixKind::RemoveHidden, title, finding, edits)
    }
}
