//! The cues, by where they stand.

mod forms;
mod marks;
mod sentences;

use super::*;

/// None of the texts shows what stands under it; whether it gives that does not matter.
fn live(read: impl Fn(&str) -> Option<Turn>, texts: &[&str]) {
    let wrong: Vec<_> = texts.iter().filter(|text| read(text) == Some(Turn::Bad)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn turns(read: impl Fn(&str) -> Option<Turn>, turn: Option<Turn>, texts: &[&str]) {
    let wrong: Vec<_> =
        texts.iter().filter(|text| read(text) != turn).map(|text| (text, read(text))).collect();
    assert!(wrong.is_empty(), "wanted {turn:?}: {wrong:#?}");
}
