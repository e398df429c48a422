//! Where commands begin in each kind of text.

mod ends;
mod fence;
mod guess;
mod names;
mod prose;
mod recipes;
mod records;
mod sessions;
mod spans;
mod strings;

pub(super) use fence::schedule;
pub(super) use names::{is_script, name_of};
pub(super) use strings::called;

use super::Place;
use super::script::Candidate;
use crate::lines::Lang;

/// The command of a permission rule, the bytes `range` of `unit`.
pub(super) fn rule(unit: &str, range: std::ops::Range<usize>) -> Option<Candidate> {
    let mut found = Vec::new();
    fence::push(&mut found, super::read::read_part(unit, range, super::Dialect::Posix, true), false);
    found.pop()
}

/// The stretches of `unit` that may be commands, read.
pub(super) fn candidates(unit: &str, place: Place) -> Vec<Candidate> {
    let mut found = Vec::new();
    match place {
        Place::Code(Lang::Markdown) => prose::prose(unit, 0..unit.len(), false, &mut found),
        Place::Code(lang) => fence::code(unit, lang, &mut found),
        Place::HereDoc => found.extend(fence::expansions(unit)),
        Place::Prose => prose::prose(unit, 0..unit.len(), false, &mut found),
        Place::Item => prose::prose(unit, 0..unit.len(), true, &mut found),
        Place::Row => prose::row(unit, &mut found),
        Place::FrontMatter => records::front_matter(unit, &mut found),
    }
    found
}
