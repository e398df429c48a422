//! Edits as the client takes them: versioned where it can, else by document.

use std::collections::HashMap;

use caveat_analysis::Encoding;
use caveat_analysis::fix;
use tower_lsp::lsp_types::{
    CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, Position, Range, ResourceOp, TextDocumentEdit, TextEdit, Url,
    WorkspaceEdit,
};

/// How the client takes edits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Takes {
    /// `documentChanges`, each with the version of the text that it is for.
    pub(crate) versioned: bool,
    /// New files.
    pub(crate) creates: bool,
}

/// The edit that makes `edits` to the one document `uri`, whose text has version `version` where the client has it open.
pub(crate) fn of_document(
    takes: Takes,
    uri: &Url,
    version: Option<i32>,
    edits: Vec<TextEdit>,
) -> WorkspaceEdit {
    if !takes.versioned {
        return WorkspaceEdit {
            changes: Some(HashMap::from([(uri.clone(), edits)])),
            ..WorkspaceEdit::default()
        };
    }
    let changes = DocumentChanges::Edits(vec![changes(uri, version, edits)]);
    WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
}

/// The edit that makes the file `uri` with `text` in it; `None` where the client makes no files.
pub(crate) fn of_new_file(takes: Takes, uri: &Url, text: String) -> Option<WorkspaceEdit> {
    let options = CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(true) };
    let create = CreateFile { uri: uri.clone(), options: Some(options), annotation_id: None };
    let put = TextEdit { range: Range::default(), new_text: text };
    let changes = DocumentChanges::Operations(vec![
        DocumentChangeOperation::Op(ResourceOp::Create(create)),
        DocumentChangeOperation::Edit(changes(uri, None, vec![put])),
    ]);
    let edit = WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() };
    (takes.versioned && takes.creates).then_some(edit)
}

fn changes(uri: &Url, version: Option<i32>, edits: Vec<TextEdit>) -> TextDocumentEdit {
    TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    }
}

/// `edits` to a text in which `position` finds the place of a byte.
pub(crate) fn texts(
    edits: &[fix::TextEdit],
    encoding: Encoding,
    position: impl Fn(usize, Encoding) -> caveat_analysis::Position,
) -> Vec<TextEdit> {
    let place = |at| {
        let found = position(at, encoding);
        Position { line: found.line, character: found.column }
    };
    let range = |edit: &fix::TextEdit| Range { start: place(edit.range.start), end: place(edit.range.end) };
    edits.iter().map(|edit| TextEdit { range: range(edit), new_text: edit.text.clone() }).collect()
}
