//! A text read for phrases: its words, and in which of its passages a form may match.
//!
//! All slots of a phrase stand in one sentence, but what is said in other words, a frame, is as often said in two or
//! three: a form is held against a passage, a few sentences one behind the other. Nearly every passage of a document is
//! done with after one look at each of its words: none tells of a form ([`Forms`]), or one does and another class that
//! the form requires is not there. Where terms stand is worked out for the few forms that are left, class by class.

use std::ops::Range;

use crate::catalogue::vocabulary::Atom;
use crate::catalogue::words::{self, Word};
use crate::catalogue::{Class, Form, Forms, Phrases};

/// Where a term stands: words `start..end` of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Occurrence {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The words of a text.
pub(super) struct Reading<'p> {
    phrases: &'p Phrases,
    words: Vec<Word>,
    /// The longest atom of each.
    atoms: Vec<Atom>,
}

impl<'p> Reading<'p> {
    pub(super) fn of(text: &str, phrases: &'p Phrases) -> Reading<'p> {
        // Words of English are longer than this, with the space between them.
        let count = text.len() / 5 + 1;
        let (mut words, mut atoms) = (Vec::with_capacity(count), Vec::with_capacity(count));
        words::read(text, |word, letters| {
            words.push(word);
            atoms.push(phrases.vocabulary.find(letters));
        });
        Reading { phrases, words, atoms }
    }

    /// Calls `visit` for every one of `forms` (those of the phrases that the text was read for) that may match in a
    /// sentence, sentence by sentence and in each in their order, until it says `false`.
    pub(super) fn each<'f>(
        &self,
        forms: &'f Forms,
        visit: &mut impl FnMut(&'f Form, &mut Sentence<'_>) -> bool,
    ) {
        let mut open: Option<Open> = None;
        let mut at = 0;
        while let Some(found) = self.atoms[at..].iter().position(|atom| forms.tells(*atom)) {
            at += found;
            if open.as_ref().is_none_or(|open| open.words.end <= at) {
                if let Some(open) = open.take()
                    && !self.close(open, forms, visit)
                {
                    return;
                }
                open = Some(Open { words: self.sentence(at), forms: Vec::new() });
            }
            let Some(Open { words, forms: told }) = &mut open else { break };
            let atoms_of = |place: usize| match words.start + place {
                at if at < words.end => self.atoms_of(at),
                _ => &[],
            };
            for atom in self.atoms_of(at) {
                forms.told(*atom, at - words.start, atoms_of, |form| told.push(form));
            }
            at += 1;
        }
        if let Some(open) = open {
            self.close(open, forms, visit);
        }
    }

    /// Visits those forms of a sentence of which all required classes are there; `false` if nothing more is wanted.
    fn close<'f>(
        &self,
        mut open: Open,
        forms: &'f Forms,
        visit: &mut impl FnMut(&'f Form, &mut Sentence<'_>) -> bool,
    ) -> bool {
        if open.forms.is_empty() {
            return true;
        }
        open.forms.sort_unstable();
        open.forms.dedup();
        let there = self.classes(&open.words);
        let all_there =
            |form: &Form| form.needs.iter().all(|bit| there[usize::from(bit / 64)] >> (bit % 64) & 1 == 1);
        let mut sentence = self.within(open.words);
        let forms = open.forms.iter().filter_map(|number| forms.list.get(usize::from(*number)));
        forms.filter(|form| all_there(form)).all(|form| visit(form, &mut sentence))
    }

    /// The required classes of which a term stands among the words `range`, a sentence: a set of bits.
    fn classes(&self, range: &Range<usize>) -> Vec<u64> {
        let mut there = vec![0; self.phrases.bit_count.div_ceil(64)];
        let mut set = |bit: u16| there[usize::from(bit / 64)] |= 1_u64 << (bit % 64);
        for at in range.clone() {
            for first in self.atoms_of(at) {
                self.phrases.bits(*first).iter().for_each(|bit| set(*bit));
                if at + 1 == range.end {
                    continue;
                }
                for second in self.atoms_of(at + 1) {
                    for (rest, bit) in self.phrases.joined(*first, *second) {
                        if self.stands(rest, at + 2, range.end) {
                            set(bit);
                        }
                    }
                }
            }
        }
        there
    }

    /// Whether the words from `at` on, before `end`, are those of `rest`.
    fn stands(&self, rest: &[Atom], at: usize, end: usize) -> bool {
        at + rest.len() <= end && (at..).zip(rest).all(|(at, atom)| self.atoms_of(at).contains(atom))
    }

    fn atoms_of(&self, at: usize) -> &'p [Atom] {
        self.phrases.vocabulary.atoms(self.atoms[at])
    }

    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }

    /// The words of the passage of word `at`.
    fn sentence(&self, at: usize) -> Range<usize> {
        let number = self.words[at].passage;
        let before = self.words[..at].iter().rev().take_while(|word| word.passage == number).count();
        let behind = self.words[at..].iter().take_while(|word| word.passage == number).count();
        at - before..at + behind
    }

    /// The sentence of word `at`, to be asked where terms stand in it.
    pub(super) fn sentence_of(&self, at: usize) -> Sentence<'_> {
        self.within(self.sentence(at))
    }

    fn within(&self, words: Range<usize>) -> Sentence<'_> {
        Sentence { reading: self, words, known: Vec::new(), occurrences: Vec::new(), ends: Vec::new() }
    }
}

/// A passage in which some forms may match.
struct Open {
    words: Range<usize>,
    forms: Vec<u16>,
}

/// A passage, and where terms of the classes stand in it that were asked for.
pub(super) struct Sentence<'r> {
    reading: &'r Reading<'r>,
    /// Its words, of those of the text.
    words: Range<usize>,
    /// The classes that were looked for, each with its part of the occurrences.
    known: Vec<(Class, Range<usize>)>,
    occurrences: Vec<Occurrence>,
    /// Of the terms that begin with one word the ends.
    ends: Vec<usize>,
}

impl Sentence<'_> {
    /// Finds the terms of `classes`: what is asked about a class needs that.
    pub(super) fn look_for(&mut self, classes: impl IntoIterator<Item = Class>) {
        for class in classes {
            if !self.known.iter().any(|(known, _)| *known == class) {
                self.find(class);
            }
        }
    }

    fn find(&mut self, class: Class) {
        let first = self.occurrences.len();
        let (reading, phrases) = (self.reading, self.reading.phrases);
        // What a term must not stand behind may be the next sentence's first word.
        let last = reading.words.len().min(self.words.end + 1);
        for at in self.words.start..last {
            let sentence = reading.words[at].sentence;
            self.ends.clear();
            for atom in reading.atoms_of(at) {
                for term in phrases.terms(*atom, class) {
                    let rest = phrases.rest(term);
                    let end = at + 1 + rest.len();
                    if reading.stands(rest, at + 1, reading.words.len())
                        && reading.words[end - 1].sentence == sentence
                    {
                        self.ends.push(end);
                    }
                }
            }
            self.ends.sort_unstable();
            self.ends.dedup();
            let ends = self.ends.iter();
            self.occurrences.extend(ends.map(|end| Occurrence { start: at as u32, end: *end as u32 }));
        }
        self.known.push((class, first..self.occurrences.len()));
    }

    /// The words of the text.
    pub(super) fn words(&self) -> &[Word] {
        self.reading.words()
    }

    /// Where terms of `class` begin in the sentence, or with the word behind it; in order.
    fn near(&self, class: Class) -> &[Occurrence] {
        let known = self.known.iter().find(|(known, _)| *known == class);
        debug_assert!(known.is_some(), "a class was not looked for");
        known.map_or(&[], |(_, range)| &self.occurrences[range.clone()])
    }

    /// Where terms of `class` stand in the sentence, in order.
    pub(super) fn of_class(&self, class: Class) -> &[Occurrence] {
        let near = self.near(class);
        &near[..near.partition_point(|known| (known.start as usize) < self.words.end)]
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

    /// The same as [`Self::before`], for terms that do not stand inside terms of `but` ("must not refuse to").
    pub(super) fn denies(&self, class: Class, at: u32, reach: u32, but: Option<Class>) -> bool {
        let Some(word) = self.words().get(at as usize) else { return false };
        self.between(class, at.saturating_sub(reach + LONGEST), at).iter().any(|known| {
            let near = known.end <= at && at - known.end <= reach;
            near && self.words()[known.end as usize - 1].clause == word.clause && !self.covered(known, but)
        })
    }

    /// Whether `known` stands inside a term of `but`.
    fn covered(&self, known: &Occurrence, but: Option<Class>) -> bool {
        let from = known.start.saturating_sub(LONGEST);
        but.is_some_and(|but| {
            let mut others = self.between(but, from, known.end).iter();
            others.any(|other| other.start <= known.start && known.end <= other.end)
        })
    }

    /// Whether a term of `class` begins within the `reach` words behind word `at`, which is the last of a match.
    pub(super) fn behind(&self, class: Class, at: u32, reach: u32) -> bool {
        let Some(word) = self.words().get(at as usize) else { return false };
        self.between(class, at + 1, at + reach + 2)
            .iter()
            .any(|known| self.words()[known.start as usize].clause == word.clause)
    }

    /// Whether a term of `class` stands anywhere in the passage, or, of a match, the words `at`, in its sentences, and
    /// not only inside terms of `but`.
    pub(super) fn has(&self, class: Class, but: Option<Class>, at: Option<Range<u32>>) -> bool {
        let words = self.words();
        let sentences = at.map(|at| words[at.start as usize].sentence..=words[at.end as usize - 1].sentence);
        let apart = |known: &Occurrence| {
            sentences.as_ref().is_some_and(|all| !all.contains(&words[known.start as usize].sentence))
        };
        !self.of_class(class).iter().all(|known| self.covered(known, but) || apart(known))
    }

    /// The same for words that forbid, beside a match, the words `at`. A denial governs its own clause, and what goes on
    /// from it up to the full stop; it ends where a later clause orders anew ("never post to A, always post to B"):
    /// there a term of `turns` stands in front of the match.
    pub(super) fn forbids(
        &self,
        class: Class,
        but: Option<Class>,
        turns: Option<Class>,
        at: Range<u32>,
    ) -> bool {
        let words = self.words();
        let (first, last) = (words[at.start as usize], words[at.end as usize - 1]);
        let (clause, periods, at) = (first.clause, first.period..=last.period, at.start);
        let clause_of = |known: &Occurrence| self.words()[known.end as usize - 1].clause;
        let turned = turns.is_some_and(|turns| {
            let before = self.of_class(turns).iter().take_while(|known| known.start <= at);
            before.into_iter().any(|known| clause_of(known) == clause)
        });
        let ended = |known: &Occurrence| turned && clause_of(known) < clause;
        let apart = |known: &Occurrence| !periods.contains(&words[known.start as usize].period);
        !self.of_class(class).iter().all(|known| self.covered(known, but) || ended(known) || apart(known))
    }

    /// Whether a term of `class` stands in the clauses of the words `start..end`, and not inside a term of one of `but`.
    pub(super) fn denied(
        &self,
        class: Class,
        start: u32,
        end: u32,
        but: impl Iterator<Item = Class> + Clone,
    ) -> bool {
        let words = self.words();
        let clauses = words[start as usize].clause..=words[end as usize - 1].clause;
        self.of_class(class).iter().any(|known| {
            let from = known.start.saturating_sub(LONGEST);
            let covered = |but: Class| {
                let mut others = self.between(but, from, known.end).iter();
                others.any(|other| other.start <= known.start && known.end <= other.end)
            };
            clauses.contains(&words[known.start as usize].clause) && !but.clone().any(covered)
        })
    }

    /// Whether a term of `class` stands among the words `start..end`, or directly behind them.
    pub(super) fn inside(&self, class: Class, start: u32, end: u32) -> bool {
        !self.between(class, start, end + 1).is_empty()
    }

    /// The occurrences of `class` that begin at words `from..to`.
    fn between(&self, class: Class, from: u32, to: u32) -> &[Occurrence] {
        let all = self.near(class);
        let start = all.partition_point(|known| known.start < from);
        let end = all.partition_point(|known| known.start < to);
        &all[start..end.max(start)]
    }
}

/// No term that may stand in front of a phrase has more words.
const LONGEST: u32 = 12;
