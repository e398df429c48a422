//! A text read once for all phrases: its words, and where terms of the lexicons stand in it.

use crate::catalogue::words::{Word, Words};
use crate::catalogue::{Atom, Class, Phrases};

/// Where a term of a class stands: words `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Occurrence {
    class: Class,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The words of a text and the terms in it.
pub(super) struct Reading {
    words: Words,
    /// By class, then by place.
    occurrences: Vec<Occurrence>,
}

impl Reading {
    pub(super) fn of(text: &str, phrases: &Phrases) -> Reading {
        let words = Words::of(text);
        let all = words.all();
        let (mut atoms, mut ends): (Vec<Atom>, Vec<usize>) = (Vec::new(), Vec::with_capacity(all.len()));
        for word in all {
            phrases.atoms(words.letters(word), &mut atoms);
            ends.push(atoms.len());
        }
        let atoms_of = |at: usize| {
            let start = at.checked_sub(1).map_or(0, |before| ends[before]);
            &atoms[start..ends[at]]
        };
        let mut occurrences = Vec::new();
        for (start, word) in all.iter().enumerate() {
            for first in atoms_of(start) {
                for term in phrases.terms(*first) {
                    let end = start + 1 + term.rest.len();
                    let fits = end <= all.len()
                        && all[end - 1].sentence == word.sentence
                        && (start + 1..).zip(&term.rest).all(|(at, atom)| atoms_of(at).contains(atom));
                    if fits {
                        occurrences.push(Occurrence {
                            class: term.class,
                            start: start as u32,
                            end: end as u32,
                        });
                    }
                }
            }
        }
        occurrences.sort_unstable();
        occurrences.dedup();
        Reading { words, occurrences }
    }

    pub(super) fn words(&self) -> &[Word] {
        self.words.all()
    }

    /// Where terms of `class` stand, in order.
    pub(super) fn of_class(&self, class: Class) -> &[Occurrence] {
        let start = self.occurrences.partition_point(|known| known.class < class);
        let len = self.occurrences[start..].partition_point(|known| known.class == class);
        &self.occurrences[start..start + len]
    }

    /// Whether a term of `class` ends within the `reach` words before word `at`, in the same clause.
    pub(super) fn before(&self, class: Class, at: u32, reach: u32) -> bool {
        let Some(word) = self.words().get(at as usize) else { return false };
        self.between(class, at.saturating_sub(reach + LONGEST), at).iter().any(|known| {
            known.end <= at
                && at - known.end <= reach
                && self.words()[known.end as usize - 1].clause == word.clause
        })
    }

    /// Whether a term of `class` begins within the `reach` words behind word `at`, which is the last of a match.
    pub(super) fn behind(&self, class: Class, at: u32, reach: u32) -> bool {
        let Some(word) = self.words().get(at as usize) else { return false };
        self.between(class, at + 1, at + reach + 2)
            .iter()
            .any(|known| self.words()[known.start as usize].clause == word.clause)
    }

    /// Whether a term of `class` stands in the sentence of word `at`, and not only inside terms of `but`.
    pub(super) fn in_sentence(&self, class: Class, at: u32, but: Option<Class>) -> bool {
        let Some(word) = self.words().get(at as usize) else { return false };
        let from = self.words().partition_point(|known| known.sentence < word.sentence);
        let to = self.words().partition_point(|known| known.sentence <= word.sentence);
        let covered = |known: &Occurrence| {
            let from = known.start.saturating_sub(LONGEST);
            but.is_some_and(|but| {
                let mut others = self.between(but, from, known.end).iter();
                others.any(|other| other.start <= known.start && known.end <= other.end)
            })
        };
        !self.between(class, from as u32, to as u32).iter().all(covered)
    }

    /// Whether a term of `class` stands among the words `start..end`, or directly behind them.
    pub(super) fn within(&self, class: Class, start: u32, end: u32) -> bool {
        !self.between(class, start, end + 1).is_empty()
    }

    /// The occurrences of `class` that begin at words `from..to`.
    fn between(&self, class: Class, from: u32, to: u32) -> &[Occurrence] {
        let all = self.of_class(class);
        let start = all.partition_point(|known| known.start < from);
        let end = all.partition_point(|known| known.start < to);
        &all[start..end.max(start)]
    }
}

/// No term that may stand in front of a phrase has more words.
const LONGEST: u32 = 12;
