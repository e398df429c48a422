//! What is said over the end of a scan unit.
//!
//! Lines of HTML, of a text in a fence, of plain text, and those of a paragraph that has grown too long are read one by
//! one; whoever writes for a reader that is not one does not break lines where it suits us. What begins in a unit may
//! therefore end in its window. What the unit or the window's lines say without each other is not told here: it is told
//! already, or will be by the line where it begins.

use std::ops::Range;

use super::{Place, Scan, hidden, through};
use crate::catalogue::RuleId;
use crate::facts::phrase::PhraseHit;
use crate::facts::{Hit, Says};
use crate::lines::Lang;

impl Scan<'_> {
    /// Looks for what begins in the unit and ends in its window.
    pub(super) fn across(&mut self) {
        if !self.reading.reads_on(self.unit.text()) {
            return;
        }
        let (own, place) = (self.unit.text().len(), self.reading.place);
        let window = going_on(self.unit.window(), own);
        if window.len() <= own || window[..own].trim().is_empty() {
            return;
        }
        let rest = own + 1..window.len();
        let (mut hits, phrases) = self.said(window, around(window, own));
        let spans = |range: &Range<usize>| range.start < own && rest.start < range.end;
        hits.retain(|(range, _)| spans(range));
        let mut phrases: Vec<PhraseHit> = phrases.into_iter().filter(|hit| spans(&hit.range)).collect();
        if !hits.is_empty() || !phrases.is_empty() {
            let (later, also) = self.said(&window[rest.clone()], 0..rest.len());
            let later = later.into_iter().map(|(range, hit)| (hit.rule, range, false));
            let later = later.chain(also.into_iter().map(|hit| (hit.rule, hit.range, hit.frame)));
            let behind = |range: Range<usize>| rest.start + range.start..rest.start + range.end;
            let mut known: Vec<(RuleId, Range<usize>, bool)> =
                later.map(|(rule, range, frame)| (rule, behind(range), frame)).collect();
            known.extend(self.known().map(|(rule, range)| (rule, range, false)));
            // What a frame says of the lines behind says less than another entry that begins here.
            let is_known = |rule: RuleId, range: &Range<usize>, frame: bool| {
                let mut known = known.iter().filter(|(other, _, loose)| *other == rule && (frame || !loose));
                known.any(|(_, at, _)| at.start < range.end && range.start < at.end)
            };
            hits.retain(|(range, hit)| !is_known(hit.rule, range, false));
            phrases.retain(|hit| !is_known(hit.rule, &hit.range, hit.frame));
        }
        self.found.extend(hits.into_iter().map(|(range, hit)| (range, Says::Hit(hit))));
        self.phrases(window, phrases);
        if self.reading.html && matches!(place, Place::Prose) {
            let hidden = hidden::across(window, own, self.reading.in_comment);
            self.found.extend(hidden.into_iter().map(|(range, hit)| (range, Says::Hit(hit))));
        }
    }

    fn known(&self) -> impl Iterator<Item = (RuleId, Range<usize>)> {
        self.found.iter().filter_map(|(range, says)| match says {
            Says::Hit(hit) => Some((hit.rule, range.clone())),
            _ => None,
        })
    }

    /// What `text` says to its reader, as it is (in its bytes `plainly`) and in its views: what was hidden, and the rest.
    fn said(&self, text: &str, plainly: Range<usize>) -> (Vec<(Range<usize>, Hit)>, Vec<PhraseHit>) {
        let (place, own) = (self.reading.place, self.rules.own.as_deref());
        let speaks = if self.reading.program { Place::Prose } else { place };
        let mut phrases = through::phrases(&text[plainly.clone()], speaks, own);
        for hit in &mut phrases {
            hit.range = plainly.start + hit.range.start..plainly.start + hit.range.end;
        }
        let views = through::scan(text, place, own, &[]);
        phrases.extend(views.phrases);
        let mut hits = views.alone;
        if is_program(place) {
            hits.extend(views.commands);
        }
        (hits, phrases)
    }
}

impl super::Reading {
    /// Whether what begins on one of its lines may end on a later one that is not of its unit.
    pub(super) fn reads_on(&self, text: &str) -> bool {
        let place =
            matches!(self.place, Place::Prose | Place::Item | Place::Code(Lang::Unknown | Lang::Markdown));
        // A string of a program may go on with the next one.
        let open = || text.trim_end().ends_with(['"', '\'', '+', '\\']) && text.contains(['"', '\'']);
        (place || (is_program(self.place) && (self.program || open())))
            && !self.heading
            && self.record.is_none()
    }
}

/// The bytes of `window` in which a phrase stands that goes on over its byte `own`, as far as the text shows it as it is: the
/// sentence there and the next, behind the last word of the one before. Lines may be long, and what goes on
/// behind the next sentence is told by the line where it stands.
fn around(window: &str, own: usize) -> Range<usize> {
    let bytes = window.as_bytes();
    let ends = |at: &usize| match bytes[*at] {
        b'.' | b'!' | b'?' | b';' | b'|' => bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace),
        0x80.. => ["。", "！", "？"].iter().any(|mark| bytes[..=*at].ends_with(mark.as_bytes())),
        _ => false,
    };
    let before = (0..own).rev().find(ends);
    if before.is_some_and(|mark| window[mark + 1..own].trim().is_empty()) {
        return own..own;
    }
    let word = |mark: usize| bytes[..mark].iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
    let end = (own..bytes.len()).filter(ends).nth(1).map_or(bytes.len(), |mark| mark + 1);
    before.map_or(0, word)..end
}

/// Whether strings are joined there.
fn is_program(place: Place) -> bool {
    matches!(place, Place::Code(Lang::Python | Lang::JavaScript | Lang::Other))
}

/// `window` up to the line behind its first `own` bytes that does not go on with the text: a blank one, or one that
/// begins something else.
fn going_on(window: &str, own: usize) -> &str {
    let mut end = own;
    for line in window[own..].split_inclusive('\n').skip(1) {
        let words = line.trim();
        let number = words.trim_start_matches(|c: char| c.is_ascii_digit());
        let listed = number.len() < words.len() && number.starts_with(['.', ')']);
        if words.is_empty() || listed || words.starts_with(['-', '*', '+', '#', '|', '$', '>', '•']) {
            break;
        }
        end += usize::from(end == own) + line.len();
    }
    window[..end.min(window.len())].trim_end_matches('\n')
}
