//! What is found only through a view of the text.
//!
//! Every view is read as the text is: the gate, then commands, phrases and raw patterns. What the text itself shows is
//! no news, so a view counts only where nothing of the same rule overlaps it. What hid something is kept in the hit and
//! raises the finding; what was merely written otherwise, emphasis around the first word of a command, is a hit like
//! any other.

use std::ops::Range;

use super::command::{self, Place};
use super::phrase::PhraseHit;
use super::view::{self, View, Views};
use super::{Hit, Says, cue, matching, pattern, phrase};
use crate::catalogue::{Catalogue, GateHits, Own, RuleId};
use crate::lines::Lang;

/// How many hits through views a scan unit may have: a bound for texts that are built to have many.
const MOST: usize = 256;

/// What the views show, as ranges of the text.
#[derive(Default)]
pub(super) struct Through {
    /// What was hidden, and credentials: nothing around it matters.
    pub(super) alone: Vec<(Range<usize>, Hit)>,
    /// Commands that were not hidden.
    pub(super) commands: Vec<(Range<usize>, Hit)>,
    /// Phrases that were not hidden.
    pub(super) phrases: Vec<PhraseHit>,
}

/// Reads the views of `text`, a scan unit at `place`. `raw` is what the text itself says.
pub(super) fn scan(text: &str, place: Place, own: Option<&Own>, raw: &[(Range<usize>, Says)]) -> Through {
    let prose = matches!(place, Place::Prose | Place::Item | Place::Row);
    if !view::has(text, prose) {
        return Through::default();
    }
    let known = raw.iter().filter_map(|(range, says)| match says {
        Says::Hit(hit) => Some((hit.rule, range.clone())),
        _ => None,
    });
    let (gate, own_gate) = (GateHits::default(), GateHits::default());
    let mut scan = Scan { place, own, known: known.collect(), found: Through::default(), gate, own_gate };
    view::each(text, prose, &mut |view| scan.view(view));
    scan.found
}

struct Scan<'a> {
    place: Place,
    own: Option<&'a Own>,
    /// What is known already: it is not told again.
    known: Vec<(RuleId, Range<usize>)>,
    found: Through,
    gate: GateHits,
    own_gate: GateHits,
}

impl Scan<'_> {
    fn view(&mut self, view: &View) {
        let text = view.text.as_str();
        Catalogue::get().gate(text, &mut self.gate);
        if let Some(own) = self.own {
            own.look(text, &mut self.own_gate);
        }
        if self.gate.commands() || self.own_gate.commands() || command::odd(text) {
            self.commands(view);
        }
        if self.gate.patterns() {
            let mut hits = Vec::new();
            pattern::scan(text, &self.gate, &mut hits);
            for hit in hits {
                if let Some((range, by)) = self.place_of(view, hit.rule, hit.range) {
                    let says = Hit::new(hit.rule, hit.pattern, hit.severity);
                    self.found.alone.push((range, Hit { obfuscated: by, ..says }));
                }
            }
        }
        if view.same_words {
            return;
        }
        let place = if view.alone { Place::Prose } else { self.place };
        for hit in phrases(text, place, self.own) {
            let Some((range, by)) = self.place_of(view, hit.rule, hit.range.clone()) else { continue };
            if by.is_empty() {
                self.found.phrases.push(PhraseHit { range, ..hit });
            } else {
                let says = Hit::new(hit.rule, hit.pattern, hit.severity);
                self.found.alone.push((range, Hit { obfuscated: by, ..says }));
            }
        }
    }

    fn commands(&mut self, view: &View) {
        let mut hits = Vec::new();
        if view.alone {
            matching::scan(&view.text, Place::Code(Lang::Shell), self.own, &mut hits);
            matching::scan(&view.text, Place::Prose, self.own, &mut hits);
            if view.text.contains('(') {
                matching::scan(&view.text, Place::Code(Lang::Python), self.own, &mut hits);
            }
        } else {
            matching::scan(&view.text, self.place, self.own, &mut hits);
        }
        for hit in hits {
            let Some((range, by)) = self.place_of(view, hit.rule, hit.range) else { continue };
            let says = Hit::new(hit.rule, hit.pattern, hit.severity);
            if by.is_empty() {
                let says = Hit { leads: hit.leads, affirmed: hit.affirmed, also: hit.also, ..says };
                self.found.commands.push((range, says));
            } else {
                self.found.alone.push((range, Hit { obfuscated: by, ..says }));
            }
        }
    }

    /// Where in the text a hit in a view stands and what hid it; `None` if that is known.
    fn place_of(&mut self, view: &View, rule: RuleId, range: Range<usize>) -> Option<(Range<usize>, Views)> {
        let source = view.source(range);
        let overlaps = |known: &Range<usize>| known.start < source.end && source.start < known.end;
        if source.is_empty()
            || self.known.len() > MOST
            || self.known.iter().any(|(known, at)| *known == rule && overlaps(at))
        {
            return None;
        }
        self.known.push((rule, source.clone()));
        let by = view.hid(&source);
        Some((source, by))
    }
}

/// The phrases in `text`, which stands at `place`: anywhere in prose, items, rows and text; in a program's code only its
/// comments speak. `own` are the project's own.
pub(super) fn phrases(text: &str, place: Place, own: Option<&Own>) -> Vec<PhraseHit> {
    let mut found = Vec::new();
    let scan = |text: &str, found: &mut Vec<PhraseHit>| {
        phrase::scan(text, found);
        if let Some(own) = own.filter(|own| !own.phrase_entries().is_empty()) {
            phrase::scan_own(text, own, found);
        }
    };
    let lang = match place {
        Place::Code(Lang::Unknown | Lang::Markdown) => None,
        Place::Code(lang) => Some(lang),
        _ => None,
    };
    let Some(lang) = lang else {
        scan(text, &mut found);
        return found;
    };
    if !cue::may_comment(text, lang) {
        return found;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let Some((comment, _)) = cue::comment_of(line.trim_end_matches('\n'), lang) else { continue };
        let (words, first) = (&line[comment.clone()], found.len());
        scan(words, &mut found);
        for hit in &mut found[first..] {
            hit.range = hit.range.start + at + comment.start..hit.range.end + at + comment.start;
        }
    }
    found
}
