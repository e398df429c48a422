//! Completion in `caveat.toml`: the workspace says what fits, here it becomes the protocol's.

use caveat_analysis::text::{Source as _, byte_of, column_of};
use caveat_workspace::config::{OfferKind, complete};
use tower_lsp::lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Position, Range, TextEdit,
};

use crate::actions::Desk;

impl Desk {
    /// What may be written at `at` of a configuration.
    pub(crate) fn config_completion(&self, at: Position) -> Vec<CompletionItem> {
        let (text, encoding) = (self.document.text(), self.manner.encoding);
        let line = at.line as usize;
        if line >= text.line_count() {
            return Vec::new();
        }
        let start = text.line_start(line);
        let here = text.line(line).into_owned();
        let caret = byte_of(&here, at.character as usize, encoding);
        let found = complete(&text.to_string(), start + caret);
        // What is replaced stands on the caret's line: it is the word that is being typed.
        let column = column_of(&here, found.replaces.start.saturating_sub(start), encoding) as u32;
        let range = Range { start: Position { character: column, ..at }, end: at };
        let item = |(number, offer): (usize, caveat_workspace::config::Offer)| CompletionItem {
            label: offer.text.clone(),
            kind: Some(match offer.kind {
                OfferKind::Key => CompletionItemKind::PROPERTY,
                OfferKind::Rule => CompletionItemKind::CONSTANT,
                OfferKind::Value => CompletionItemKind::VALUE,
            }),
            detail: Some(offer.about),
            sort_text: Some(format!("{number:04}")),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: offer.text })),
            ..CompletionItem::default()
        };
        found.offers.into_iter().enumerate().map(item).collect()
    }
}
