//! Inlay hints, where somebody turned them on: how much a label or a suppression answers for, and what nobody sees.

use std::collections::BTreeMap;

use caveat_analysis::facts::hidden::hidden_characters;
use caveat_analysis::text::{Source as _, column_of};
use caveat_analysis::verdict::{Reach, Status};
use tower_lsp::lsp_types::{InlayHint, InlayHintLabel, Position, Range};

use crate::actions::Desk;

/// How many hints are shown at once.
const MOST: usize = 1_000;

impl Desk {
    /// The hints on the lines of `range`.
    pub(crate) fn hints(self, range: Range) -> Vec<InlayHint> {
        let snapshot = self.document.clone().snapshot();
        let mut counts: BTreeMap<(usize, &str), usize> = BTreeMap::new();
        for finding in self.reading.findings(&snapshot) {
            let place = match finding.status {
                Status::Exempt => finding.scope.as_ref().map(|proof| (proof.label.line, "exempt")),
                Status::Suppressed => finding
                    .suppression
                    .as_ref()
                    .filter(|by| by.reach != Reach::Config)
                    .map(|by| (by.at.line, "suppressed")),
                Status::Reported => None,
            };
            if let Some(place) = place {
                *counts.entry(place).or_default() += 1;
            }
        }
        let text = snapshot.text();
        let lines = range.start.line as usize..=range.end.line as usize;
        let counted = counts.into_iter().filter(|((line, _), _)| lines.contains(line));
        let mut hints: Vec<InlayHint> = counted
            .map(|((line, what), count)| {
                let own = text.line(line);
                self.hint(line, &own, own.len(), format!("{count} {what}"))
            })
            .collect();
        let shown = *lines.start()..text.line_count().min(lines.end().saturating_add(1));
        for line in shown {
            let own = text.line(line);
            let hidden = hidden_characters(&own, line == 0).into_iter();
            hints.extend(hidden.take(MOST.saturating_sub(hints.len())).map(|hidden| {
                self.hint(line, &own, hidden.start, format!("{} \u{d7} {}", hidden.count, hidden.name))
            }));
        }
        hints
    }

    /// A hint behind the byte `byte` of line `line`, whose text is `own`.
    fn hint(&self, line: usize, own: &str, byte: usize, label: String) -> InlayHint {
        InlayHint {
            position: Position {
                line: u32::try_from(line).unwrap_or(u32::MAX),
                character: u32::try_from(column_of(own, byte, self.manner.encoding)).unwrap_or(u32::MAX),
            },
            label: InlayHintLabel::String(label),
            kind: None,
            text_edits: None,
            tooltip: None,
            padding_left: Some(true),
            padding_right: None,
            data: None,
        }
    }
}
