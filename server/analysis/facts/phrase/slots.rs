//! The slots of a phrase held against a text that was read.

use std::ops::Range;

use super::reading::Sentence;
use crate::catalogue::words::Word;
use crate::catalogue::{Begins, Form, Frame};

/// A stretch of words `start..end` in which slots were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    start: u32,
    end: u32,
}

/// At most so many words may stand before a phrase that begins its clause.
const FILLERS: u32 = 3;

/// The byte ranges in which `form` matches in `sentence`, in order of their ends.
pub(super) fn matches(form: &Form, sentence: &mut Sentence<'_>) -> Vec<Range<usize>> {
    let runs = if form.free { free(form, sentence) } else { fixed(form, sentence) };
    if runs.is_empty() {
        return Vec::new();
    }
    look_for_tests(form, sentence);
    let (sentence, words) = (&*sentence, sentence.words());
    let mut found: Vec<Range<usize>> = Vec::new();
    for run in runs.into_iter().filter(|run| stands(form, sentence, *run)) {
        let range = words[run.start as usize].range().start..words[run.end as usize - 1].range().end;
        match found.last_mut() {
            Some(last) if last.start == range.start && last.end <= range.end => *last = range,
            _ => found.push(range),
        }
    }
    found
}

/// Finds whatever [`stands`] asks for.
fn look_for_tests(form: &Form, sentence: &mut Sentence<'_>) {
    sentence.look_for(form.not_before.iter().map(|(class, _)| *class));
    sentence.look_for(form.not_inside);
    sentence
        .look_for(form.no_denial.into_iter().chain(form.forbids).chain(form.turns).chain(form.twice_denied));
    sentence.look_for(form.not_after.iter().chain(&form.without).copied());
    if let Some(frame) = form.frame {
        let order = frame.order;
        sentence.look_for([frame.negations, order.fillers, order.starts, order.goes_on]);
        sentence.look_for(frame.addressed);
    }
    sentence.look_for(form.begins.iter().flat_map(|front| [front.fillers, front.starts, front.goes_on]));
}

/// Whether what stands around lets the match count.
fn stands(form: &Form, sentence: &Sentence<'_>, run: Run) -> bool {
    let last = run.end - 1;
    let words = sentence.words();
    let (first, end) = (words[run.start as usize], words[last as usize]);
    if form.frame.is_none() && first.sentence != end.sentence {
        return false;
    }
    if form.label && (!first.opens_line || first.clause == end.clause) {
        return false;
    }
    // Prose goes on in its next line; what stands behind a label ends with its own.
    let goes_on = |next: &Word| next.clause == end.clause && !(form.label && next.opens_line);
    if form.ends && words.get(run.end as usize).is_some_and(goes_on) {
        return false;
    }
    !form
        .not_before
        .iter()
        .any(|(class, reach)| sentence.denies(*class, run.start, *reach, form.twice_denied))
        && !form.not_inside.is_some_and(|class| sentence.inside(class, run.start, run.end))
        && !form.not_after.iter().any(|class| sentence.behind(*class, last, 1))
        && !form.without.iter().any(|class| sentence.has(*class, form.no_denial, Some(run.start..run.end)))
        && !form
            .forbids
            .is_some_and(|class| sentence.forbids(class, form.no_denial, form.turns, run.start..run.end))
        && form.begins.is_none_or(|front| begins(sentence, run.start, front))
        && form.frame.is_none_or(|frame| is_said(form, frame, sentence, run))
}

/// Whether what a frame matched is said to the reader, and not denied.
fn is_said(form: &Form, frame: Frame, sentence: &Sentence<'_>, run: Run) -> bool {
    let ordered = || {
        let acts = form.slots.iter().take(1).flat_map(|slot| sentence.of_class(slot.class));
        let mut acts = acts.filter(|act| run.start <= act.start && act.end <= run.end);
        acts.any(|act| begins(sentence, act.start, frame.order))
    };
    let addressed = frame.addressed.is_none_or(|class| sentence.has(class, None, None) || ordered());
    let slots = || form.slots.iter().filter(|slot| !slot.optional).map(|slot| slot.class);
    addressed && !sentence.denied(frame.negations, run.start, run.end, slots().chain(form.no_denial))
}

/// Whether word `at` begins its clause, apart from a few words of politeness, or its line.
fn begins(sentence: &Sentence<'_>, at: u32, front: Begins) -> bool {
    let words = sentence.words();
    let word = words[at as usize];
    if sentence.before(front.starts, at, 0) || (word.opens_line && !sentence.before(front.goes_on, at, 0)) {
        return true;
    }
    let mut first = at;
    while first > 0 && words[first as usize - 1].clause == word.clause {
        first -= 1;
        if at - first > FILLERS || !sentence.of_class(front.fillers).iter().any(|known| known.start == first)
        {
            return false;
        }
    }
    true
}

/// Slots in their order. For each slot the ends at which the slots so far may end, each with the latest start; the next
/// slot goes on from the nearest of them. So the work is slots times occurrences.
fn fixed(form: &Form, sentence: &mut Sentence<'_>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (number, slot) in form.slots.iter().enumerate() {
        let mut next: Vec<Run> = Vec::new();
        let mut at = 0;
        sentence.look_for([slot.class]);
        for found in sentence.of_class(slot.class) {
            if number == 0 {
                next.push(Run { start: found.start, end: found.end });
                continue;
            }
            while at < runs.len() && runs[at].end <= found.start {
                at += 1;
            }
            let Some(before) = at.checked_sub(1).map(|at| runs[at]) else { continue };
            if found.start - before.end <= form.gap {
                next.push(Run { start: before.start, end: found.end });
            }
        }
        if slot.optional {
            next.append(&mut runs);
        }
        // The latest start first, so that of equal ends it stays.
        next.sort_unstable_by_key(|run| (run.end, std::cmp::Reverse(run.start)));
        next.dedup_by_key(|run| run.end);
        runs = next;
        if runs.is_empty() {
            break;
        }
    }
    runs
}

/// Slots in any order. From each place where a required one stands the next ones are looked for until all are there, the
/// gap is too wide, or the stretch is longer than any phrase.
fn free(form: &Form, sentence: &mut Sentence<'_>) -> Vec<Run> {
    const LONGEST: usize = 48;
    let mut found: Vec<(u32, u32, u32)> = Vec::new();
    let mut all = 0;
    for (number, slot) in form.slots.iter().enumerate().filter(|(_, slot)| !slot.optional) {
        sentence.look_for([slot.class]);
        let occurrences = sentence.of_class(slot.class);
        if occurrences.is_empty() {
            return Vec::new();
        }
        all |= 1 << number;
        found.extend(occurrences.iter().map(|known| (known.start, known.end, 1_u32 << number)));
    }
    found.sort_unstable();
    let words = sentence.words();
    let sentence_at = |at: u32| words[at as usize].sentence;
    let mut runs: Vec<Run> = Vec::new();
    for (at, first) in found.iter().enumerate() {
        let (mut end, mut seen) = (first.1, first.2);
        for next in found[at + 1..].iter().take(LONGEST) {
            if seen == all {
                break;
            }
            if next.0 < end || seen & next.2 != 0 {
                continue;
            }
            let apart = form.frame.is_none() && sentence_at(next.0) != sentence_at(first.0);
            if next.0 - end > form.gap || apart {
                break;
            }
            (end, seen) = (next.1, seen | next.2);
        }
        if seen == all && runs.last().is_none_or(|last| last.end <= first.0) {
            runs.push(Run { start: first.0, end });
        }
    }
    runs
}
