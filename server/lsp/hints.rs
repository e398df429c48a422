//! Inlay hints, where somebody turned them on: how much a label or a suppression answers for.

use std::collections::BTreeMap;

use caveat_analysis::text::{Source as _, column_of};
use caveat_analysis::verdict::{Reach, Status};
use tower_lsp::lsp_types::{InlayHint, InlayHintLabel, Position, Range};

use crate::actions::Desk;

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
        let lines = range.start.line as usize..=range.end.line as usize;
        counts
            .into_iter()
            .filter(|((line, _), _)| lines.contains(line))
            .map(|((line, what), count)| {
                let text = snapshot.text().line(line);
                let end = column_of(&text, text.len(), self.manner.encoding);
                InlayHint {
                    position: Position {
                        line: u32::try_from(line).unwrap_or(u32::MAX),
                        character: u32::try_from(end).unwrap_or(u32::MAX),
                    },
                    label: InlayHintLabel::String(format!("{count} {what}")),
                    kind: None,
                    text_edits: None,
                    tooltip: None,
                    padding_left: Some(true),
                    padding_right: None,
                    data: None,
                }
            })
            .collect()
    }
}
