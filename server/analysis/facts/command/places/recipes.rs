//! Commands of Makefiles and justfiles: the lines of a recipe, and what is run while the file is read.

use super::Candidate;
use super::fence::push;
use crate::facts::command::Dialect;
use crate::facts::command::read::read_part;

/// A logical line: of a recipe (indented, with its marks `@`, `-`, `+`: GNU make 5, "Writing Recipes in Rules"), a target with a
/// recipe behind `;`, or a value with `$(shell …)` in it (8.14).
pub(super) fn line(unit: &str, found: &mut Vec<Candidate>) {
    let mut read =
        |from: usize, to: usize| push(found, read_part(unit, from..to, Dialect::Posix, false), false);
    let words = unit.trim_start();
    let start = unit.len() - words.len();
    if start > 0 {
        let bare = words.trim_start_matches(['@', '-', '+', ' ']);
        return read(unit.len() - bare.len(), unit.len());
    }
    if let Some((target, recipe)) = words.split_once(';')
        && target.contains(':')
    {
        read(unit.len() - recipe.len(), unit.len());
    }
    let mut at = 0;
    while let Some(open) = unit[at..].find("$(shell ").map(|open| at + open + "$(shell ".len()) {
        let close = closing(unit, open);
        read(open, close);
        at = close;
    }
    // GNU make 6.2: a value that a shell gives.
    if let Some((_, command)) = unit.split_once("!=") {
        read(unit.len() - command.len(), unit.len());
    }
}

/// The byte of the parenthesis that closes the one before `open`, or the text's end.
fn closing(unit: &str, open: usize) -> usize {
    let mut depth = 0_u32;
    for (at, byte) in unit.bytes().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return at,
            b')' => depth -= 1,
            _ => {}
        }
    }
    unit.len()
}
