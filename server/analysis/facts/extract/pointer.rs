//! Where a value of a record stands, as a report may say it.
//!
//! A key is text of the document, and whoever reads the report may be an agent: keys that say something to it are not shown.

use crate::facts::phrase;
use crate::facts::records::{NodeId, Tree};

/// Where `id` is, for the report. Keys that together say something to its reader are all replaced.
pub(super) fn pointer(tree: &Tree<'_>, id: NodeId) -> Box<str> {
    let shown = tree.pointer(id, true);
    let said = shown.replace(['/', '-', '_', '.'], " ");
    match phrase::found(&said).is_empty() && !phrase::addresses_reader(&said, true) {
        true => shown.into_boxed_str(),
        false => tree.pointer(id, false).into_boxed_str(),
    }
}
